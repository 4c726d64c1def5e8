//! dlshogi's 2,187 move labels: 27 classes of move times 81 squares to move to.
//!
//! A label is `class * 81 + to`, seen from the side to move. Classes 0..10 are the directions of a
//! board move, 10..20 the same with promotion, 20..27 the drops of P L N S B R G. Two legal moves
//! of a position never share a label: along one direction only the nearest piece can reach a
//! square.

use keiko_shogi::{Color, Move, PieceKind, Position, Square};

/// Number of move labels.
pub const LABELS: usize = 27 * 81;

/// Number of directions of a board move, and the class of the first promotion.
const DIRECTIONS: usize = 10;

/// The class of the first drop.
const DROPS: usize = 2 * DIRECTIONS;

/// The directions of a board move as steps (file, rank) of the side to move: ranks fall towards
/// the opponent, files rise to the left. Index = class. The last two are the knight's.
const STEPS: [(i8, i8); DIRECTIONS] =
    [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1), (1, -2), (-1, -2)];

/// The first of the two knight jumps in [`STEPS`].
const JUMPS: usize = 8;

/// Bits of a move beside that of promotion.
const BITS: u32 = 14;

/// The labels of the moves without promotion: by side to move, then by the move's bits. Every leaf of a search asks for
/// those of all its moves.
static PLAIN: [[u16; 1 << BITS]; 2] = [plain(Color::Black), plain(Color::White)];

const fn plain(side: Color) -> [u16; 1 << BITS] {
    let mut table = [0; 1 << BITS];
    let mut bits = 0;
    while bits < 1 << BITS {
        if let Some(mv) = Move::from_bits(bits) {
            table[bits as usize] = plain_label(mv, side) as u16;
        }
        bits += 1;
    }
    table
}

const fn plain_label(mv: Move, side: Color) -> usize {
    let to = view(mv.to(), side);
    let class = match (mv.from(), mv.dropped()) {
        (Some(from), _) => {
            let from = view(from, side);
            let files = (to / 9) as i8 - (from / 9) as i8;
            class_between(files, (to % 9) as i8 - (from % 9) as i8) as usize
        }
        // The kinds in hand come first among the kinds, in the order of the drop classes.
        (None, Some(kind)) => DROPS + kind.index(),
        (None, None) => panic!("a move has an origin or a dropped kind"),
    };
    class * 81 + to
}

/// The square as the side to move sees it.
const fn view(square: Square, side: Color) -> usize {
    match side {
        Color::Black => square.index(),
        Color::White => 80 - square.index(),
    }
}

/// The class of a move by (`files`, `ranks`). Total: pairs no piece connects get a class as well.
const fn class_between(files: i8, ranks: i8) -> u8 {
    match (files, ranks) {
        (0, ..0) => 0,
        (1, -2) => 8,
        (-1, -2) => 9,
        (1.., ..0) => 1,
        (_, ..0) => 2,
        (1.., 0) => 3,
        (_, 0) => 4,
        (0, _) => 5,
        (1.., _) => 6,
        _ => 7,
    }
}

/// The label of a move, 0..[`LABELS`], seen from `side_to_move`.
#[inline]
pub fn label(mv: Move, side_to_move: Color) -> u16 {
    let plain = PLAIN[side_to_move.index()][usize::from(mv.to_bits()) & ((1 << BITS) - 1)];
    plain + u16::from(mv.is_promotion()) * (DIRECTIONS * 81) as u16
}

/// The label of the same class of move to the opposite square: a move of the other side as it sees it, to the square as
/// this side sees it, and back.
pub fn turned_label(label: u16) -> u16 {
    let to = label % 81;
    label - to + (80 - to)
}

/// The legal move of `position` that has `label`, if there is one. A label of [`LABELS`] or above
/// has none.
pub fn move_of_label(label: u16, position: &Position) -> Option<Move> {
    let (class, to) = (usize::from(label) / 81, label % 81);
    let side = position.side_to_move();
    let view = |square: Square| match side {
        Color::Black => square,
        Color::White => square.rotated(),
    };
    let to = Square::from_index(to as u8)?;
    let mv = if class >= DROPS {
        Move::drop(*PieceKind::ALL[..7].get(class - DROPS)?, view(to))
    } else {
        let from = view(origin(class % DIRECTIONS, to, |square| {
            position.occupied().contains(view(square))
        })?);
        if class < DIRECTIONS {
            Move::normal(from, view(to))
        } else {
            Move::promotion(from, view(to))
        }
    };
    position.is_legal(mv).then_some(mv)
}

/// The nearest occupied square from which a piece moves to `to` in direction `direction`.
fn origin(direction: usize, to: Square, occupied: impl Fn(Square) -> bool) -> Option<Square> {
    let (files, ranks) = STEPS[direction];
    let (mut file, mut rank) = (to.file() as i8, to.rank() as i8);
    loop {
        (file, rank) = (file - files, rank - ranks);
        if !(0..9).contains(&file) || !(0..9).contains(&rank) {
            return None;
        }
        let square = Square::new(file as u8, rank as u8);
        if direction >= JUMPS || occupied(square) {
            return Some(square);
        }
    }
}
