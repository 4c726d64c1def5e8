//! Eight moves at a time, with BMI2 and AVX2.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi16, _mm_loadu_si128, _mm_set1_epi16, _mm_shuffle_epi8,
    _mm_storeu_si128, _mm256_add_epi16, _mm256_loadu_si256, _mm256_set1_epi16, _mm256_storeu_si256,
    _pdep_u64, _pext_u64,
};
use std::ptr::from_ref;

use crate::attacks::reach::Reach;
use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// Bits that promote a move.
const PROMOTION: u16 = 1 << 14;
/// Groups of eight squares: eight in the first word of a set, three in the second.
const EIGHTS: usize = 11;
/// Squares of a board in whole vectors of sixteen.
const BOARD: usize = 96;

/// Moves the chosen ones of eight lanes of 16 bits to the front.
static CHOICES: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if chosen >> lane & 1 == 1 {
                table[chosen][2 * count] = 2 * lane;
                table[chosen][2 * count + 1] = 2 * lane + 1;
                count += 1;
            }
            lane += 1;
        }
        chosen += 1;
    }
    table
};

/// The numbers of the squares in the order of the bits of a set.
static SQUARES: [[u16; 8]; EIGHTS] = {
    let mut table = [[0; 8]; EIGHTS];
    let mut i = 0;
    while i < 8 * EIGHTS {
        table[i / 8][i % 8] = if i < 64 { i as u16 } else { i as u16 - 1 };
        i += 1;
    }
    table
};

/// The eight moves as a vector.
#[inline]
fn vector(moves: &[u16; 8]) -> __m128i {
    // SAFETY: sixteen bytes are read from a reference to as many.
    unsafe { _mm_loadu_si128(from_ref(moves).cast()) }
}

/// Adds the same number to eight moves.
#[inline]
fn add(moves: __m128i, number: u16) -> __m128i {
    // SAFETY: the module exists only where the instruction does.
    let number = unsafe { _mm_set1_epi16(number as i16) };
    // SAFETY: as above.
    unsafe { _mm_add_epi16(moves, number) }
}

/// The bits of `set` at the places of `squares`, next to each other.
#[inline]
fn extract(set: u64, squares: u64) -> u64 {
    // SAFETY: the module exists only where the instruction does.
    unsafe { _pext_u64(set, squares) }
}

/// The lowest bits of `lanes` at the places of `squares`.
#[inline]
fn spread(lanes: u64, squares: u64) -> u64 {
    // SAFETY: the module exists only where the instruction does.
    unsafe { _pdep_u64(lanes, squares) }
}

/// Moves the lanes whose bits are set to the front.
#[inline]
fn choose(moves: __m128i, lanes: u8) -> __m128i {
    // SAFETY: sixteen bytes are read from a reference to as many.
    let choice = unsafe { _mm_loadu_si128(from_ref(&CHOICES[usize::from(lanes)]).cast()) };
    // SAFETY: the module exists only where the instruction does.
    unsafe { _mm_shuffle_epi8(moves, choice) }
}

/// The squares in reach that are in `set`, next to each other in the lowest bits.
#[inline]
fn lanes<const N: usize>(reach: &Reach<N>, set: Bitboard) -> u64 {
    let ([low, high], [low_squares, high_squares]) = (set.words(), reach.squares.words());
    extract(low, low_squares) | extract(high, high_squares) << reach.in_first_word
}

/// What a piece on a line of nine squares attacks, by the number of squares before its own and
/// which of the eight others are taken.
static LINES: [[u8; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut before = 0;
    while before < 9 {
        let mut taken = 0;
        while taken < 256 {
            let mut i = before;
            while i > 0 {
                i -= 1;
                table[before][taken] |= 1 << i;
                if taken >> i & 1 == 1 {
                    break;
                }
            }
            let mut i = before;
            while i < 8 {
                table[before][taken] |= 1 << i;
                if taken >> i & 1 == 1 {
                    break;
                }
                i += 1;
            }
            taken += 1;
        }
        before += 1;
    }
    table
};

/// The squares of a line up to the first taken one on either side of its own.
#[inline]
pub(crate) fn line_attacks(line: &Reach<1>, occupied: Bitboard) -> Bitboard {
    let attacked = &LINES[usize::from(line.before & 15)];
    let lanes = u64::from(attacked[usize::from(lanes(line, occupied) as u8)]);
    let [low, high] = line.squares.words();
    Bitboard::from_words([spread(lanes, low), spread(lanes >> line.in_first_word, high)])
}

/// Appends moves to a list.
///
/// Whole vectors are written, so that a list is full when less than a vector's room is left.
pub(crate) struct MoveWriter<'a> {
    list: &'a mut MoveList,
    /// Moves before this one are written. At most the capacity of the list.
    len: usize,
}

impl<'a> MoveWriter<'a> {
    #[inline]
    pub(crate) fn new(list: &'a mut MoveList) -> MoveWriter<'a> {
        let len = list.len();
        MoveWriter { list, len }
    }

    /// Ends the list with the last move written.
    #[inline]
    pub(crate) fn finish(self) {
        // SAFETY: all moves before `len` are written, and they are not past the capacity.
        unsafe { self.list.set_len(self.len) }
    }

    /// Asserts that `moves` more moves fit.
    #[inline]
    fn make_room(&self, moves: usize) {
        assert!(self.len + moves <= self.list.capacity(), "the list has room for the moves");
    }

    /// The place of the next move.
    #[inline]
    fn end(&mut self) -> *mut Move {
        // SAFETY: `len` is at most the capacity.
        unsafe { self.list.as_mut_ptr().add(self.len) }
    }

    /// Writes the moves whose bits are set in `lanes`.
    ///
    /// # Safety
    /// There is room for eight moves.
    #[inline]
    unsafe fn write(&mut self, moves: __m128i, lanes: u8) {
        let chosen = choose(moves, lanes);
        // SAFETY: the caller sees to the room.
        unsafe { _mm_storeu_si128(self.end().cast::<__m128i>(), chosen) };
        self.len += lanes.count_ones() as usize;
    }

    /// Writes a drop onto every square of `to`; `first` is the drop onto the square 0.
    #[inline]
    fn write_drops(&mut self, first: u16, to: Bitboard) {
        self.make_room(8 * EIGHTS);
        let [low, high] = to.words();
        for (eight, squares) in SQUARES.iter().enumerate() {
            let lanes = if eight < 8 { low >> (8 * eight) } else { high >> (8 * (eight - 8)) };
            // SAFETY: there is room for all eights.
            unsafe { self.write(add(vector(squares), first), lanes as u8) };
        }
    }

    #[inline]
    fn write_reach<const N: usize>(&mut self, reach: &Reach<N>, to: Bitboard, number: u16) {
        self.make_room(8 * N);
        let lanes = lanes(reach, to);
        for (eight, moves) in reach.moves.iter().enumerate() {
            // SAFETY: there is room for all eights.
            unsafe { self.write(add(vector(moves), number), (lanes >> (8 * eight)) as u8) };
        }
    }

    /// Moves to the squares `to`, which are in reach, without promotion.
    #[inline]
    pub(crate) fn plain<const N: usize>(&mut self, reach: &Reach<N>, to: Bitboard) {
        self.write_reach(reach, to, 0);
    }

    /// Moves to the squares `to`, which are in reach, with promotion.
    #[inline]
    pub(crate) fn promotions<const N: usize>(&mut self, reach: &Reach<N>, to: Bitboard) {
        if !to.is_empty() {
            self.write_reach(reach, to, PROMOTION);
        }
    }

    /// Pawns of `color` stepping onto each square of `to`, without promotion.
    #[inline]
    pub(crate) fn pawns(&mut self, color: Color, to: Bitboard) {
        self.write_pawns(color, to, 0);
    }

    /// Pawns of `color` stepping onto each square of `to`, with promotion.
    #[inline]
    pub(crate) fn pawn_promotions(&mut self, color: Color, to: Bitboard) {
        self.write_pawns(color, to, PROMOTION);
    }

    /// Pawns are few on many squares: they are written one by one.
    #[inline]
    fn write_pawns(&mut self, color: Color, to: Bitboard, number: u16) {
        self.make_room(Square::COUNT);
        to.iter().for_each(|to| {
            let to = to.index() as u16;
            let from = match color {
                Color::Black => to + 1,
                Color::White => to - 1,
            };
            // SAFETY: there is room for a move to every square.
            unsafe { self.end().cast::<u16>().write(from << 7 | to | number) };
            self.len += 1;
        });
    }

    /// Drops of each of `kinds` onto each square of `to`, kind by kind.
    #[inline]
    pub(crate) fn drops(&mut self, kinds: &[PieceKind], to: Bitboard) {
        if let [kind] = kinds {
            self.write_drops(drop_onto_first(*kind), to);
            return;
        }
        let mut squares = [0; BOARD];
        let count = list_squares(to, &mut squares);
        let whole = count.next_multiple_of(16);
        for &kind in kinds {
            self.make_room(BOARD);
            // SAFETY: the module exists only where the instruction does.
            let drop = unsafe { _mm256_set1_epi16(drop_onto_first(kind) as i16) };
            for (sixteen, squares) in squares[..whole].as_chunks::<16>().0.iter().enumerate() {
                // SAFETY: 32 bytes are read from a reference to as many.
                let to = unsafe { _mm256_loadu_si256(from_ref(squares).cast()) };
                // SAFETY: the module exists only where the instruction does.
                let drops = unsafe { _mm256_add_epi16(to, drop) };
                // SAFETY: there is room for a board of moves after `end`.
                let end = unsafe { self.end().add(16 * sixteen) };
                // SAFETY: as above.
                unsafe { _mm256_storeu_si256(end.cast::<__m256i>(), drops) };
            }
            self.len += count;
        }
    }

    /// One move.
    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.make_room(1);
        // SAFETY: there is room for a move.
        unsafe { self.end().write(mv) };
        self.len += 1;
    }
}

/// The bits of a drop onto the square with the number 0.
#[inline]
fn drop_onto_first(kind: PieceKind) -> u16 {
    (81 + kind.index() as u16) << 7
}

/// Lists the numbers of the squares of a set, and counts them.
#[inline]
fn list_squares(set: Bitboard, squares: &mut [u16; BOARD]) -> usize {
    let [low, high] = set.words();
    let mut count = 0;
    for (eight, numbers) in SQUARES.iter().enumerate() {
        let lanes = (if eight < 8 { low >> (8 * eight) } else { high >> (8 * (eight - 8)) }) as u8;
        // SAFETY: `count` is at most 8 for each eight before, hence at most 80.
        let end = unsafe { squares.as_mut_ptr().add(count) };
        let chosen = choose(vector(numbers), lanes);
        // SAFETY: eight numbers have room behind the at most 80 before.
        unsafe { _mm_storeu_si128(end.cast::<__m128i>(), chosen) };
        count += lanes.count_ones() as usize;
    }
    count
}
