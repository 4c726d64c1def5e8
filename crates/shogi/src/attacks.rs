//! Which squares a piece attacks.

pub(crate) mod direction;
mod steps;

use crate::{Bitboard, Color, PieceKind, Square};

use direction::{Direction, ray};
pub(crate) use steps::{gold, king, knight, pawn, silver};

/// The squares that a piece of `kind` and `color` on `square` attacks when the squares of
/// `occupied` are taken; the first taken square of a line is attacked, whoever stands there.
#[inline]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Lance => lance(color, square, occupied),
        PieceKind::Knight => knight(color, square),
        PieceKind::Silver => silver(color, square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::King => king(square),
        PieceKind::Horse => bishop(square, occupied) | king(square),
        PieceKind::Dragon => rook(square, occupied) | king(square),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => gold(color, square),
    }
}

/// A ray towards higher numbers up to its first taken square: subtracting one turns over the bits
/// up to the lowest one.
#[inline]
fn ascending(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    let taken = (ray & occupied).wide();
    ray & Bitboard::from_wide(taken ^ taken.wrapping_sub(1))
}

/// A ray towards lower numbers that is not on one file. Such a ray has at most one square a byte,
/// so that reversing the bytes reverses the order of its squares.
#[inline]
fn descending(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    let taken = (ray & occupied).wide().swap_bytes();
    ray & Bitboard::from_wide((taken ^ taken.wrapping_sub(1)).swap_bytes())
}

/// A ray towards rank a up to its first taken square. It lies in one word; the lowest bit of each
/// word stands in for the edge.
#[inline]
fn towards_rank_a(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    let reach = |ray: u64, taken: u64| ray & (!0 << (63 - (ray & taken | 1).leading_zeros()));
    let ([low, high], [low_taken, high_taken]) = (ray.words(), occupied.words());
    Bitboard::from_words([reach(low, low_taken), reach(high, high_taken)])
}

/// A ray towards rank i up to its first taken square.
#[inline]
fn towards_rank_i(ray: Bitboard, occupied: Bitboard) -> Bitboard {
    let reach = |ray: u64, taken: u64| {
        let taken = ray & taken;
        ray & (taken ^ taken.wrapping_sub(1))
    };
    let ([low, high], [low_taken, high_taken]) = (ray.words(), occupied.words());
    Bitboard::from_words([reach(low, low_taken), reach(high, high_taken)])
}

/// The squares from `square` in `direction` up to the first taken one.
#[inline]
pub(crate) fn slide(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let line = ray(direction, square);
    match direction {
        Direction::Up => towards_rank_a(line, occupied),
        Direction::Down => towards_rank_i(line, occupied),
        Direction::Left | Direction::UpLeft | Direction::DownLeft => ascending(line, occupied),
        Direction::Right | Direction::DownRight | Direction::UpRight => descending(line, occupied),
    }
}

/// Attacks of a lance.
#[inline]
pub(crate) fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match color {
        Color::Black => slide(Direction::Up, square, occupied),
        Color::White => slide(Direction::Down, square, occupied),
    }
}

/// Attacks of a bishop.
#[inline]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    slide(Direction::UpLeft, square, occupied)
        | slide(Direction::DownRight, square, occupied)
        | slide(Direction::DownLeft, square, occupied)
        | slide(Direction::UpRight, square, occupied)
}

/// Attacks of a rook.
#[inline]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    slide(Direction::Up, square, occupied)
        | slide(Direction::Down, square, occupied)
        | slide(Direction::Left, square, occupied)
        | slide(Direction::Right, square, occupied)
}

/// The squares that a lance of `color` would attack on an empty board.
#[inline]
pub(crate) fn lance_rays(color: Color, square: Square) -> Bitboard {
    match color {
        Color::Black => ray(Direction::Up, square),
        Color::White => ray(Direction::Down, square),
    }
}

/// The squares that a bishop would attack on an empty board.
#[inline]
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    ray(Direction::UpLeft, square)
        | ray(Direction::DownRight, square)
        | ray(Direction::DownLeft, square)
        | ray(Direction::UpRight, square)
}

/// The squares that a rook would attack on an empty board.
#[inline]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    ray(Direction::Up, square)
        | ray(Direction::Down, square)
        | ray(Direction::Left, square)
        | ray(Direction::Right, square)
}

#[cfg(test)]
mod tests {
    use super::direction::STEPS;
    use super::*;

    /// Walks along the line square by square.
    fn walk(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
        let (file_step, rank_step) = STEPS[direction as usize];
        let (mut file, mut rank) = (square.file() as i8, square.rank() as i8);
        let mut found = Bitboard::EMPTY;
        loop {
            file += file_step;
            rank += rank_step;
            if !(0..9).contains(&file) || !(0..9).contains(&rank) {
                return found;
            }
            let next = Square::new(file as u8, rank as u8);
            found.insert(next);
            if occupied.contains(next) {
                return found;
            }
        }
    }

    #[test]
    fn sliding_equals_walking() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834_u128;
        for round in 0..400 {
            bits = bits.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(round);
            let thin = if round % 2 == 0 { bits & bits.rotate_left(41) } else { bits };
            let occupied = Bitboard::from_bits(thin >> 20);
            for square in Square::all() {
                for direction in Direction::ALL {
                    assert_eq!(
                        slide(direction, square, occupied),
                        walk(direction, square, occupied),
                        "{direction:?} from {square} with {occupied:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn steps_have_their_right_number() {
        let centre = Square::SQ_5E;
        let count = |kind| attacks(kind, Color::Black, centre, Bitboard::EMPTY).len();
        let counts: Vec<u32> = PieceKind::ALL.into_iter().map(count).collect();
        assert_eq!(counts, [1, 4, 2, 5, 16, 16, 6, 8, 6, 6, 6, 6, 20, 20]);
    }

    #[test]
    fn white_attacks_as_black_after_half_a_turn() {
        let turned = |set: Bitboard| set.iter().map(Square::rotated).collect::<Bitboard>();
        let occupied = Bitboard::from_bits(0x1_0204_1180_4401_0120_0840);
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let black = attacks(kind, Color::Black, square, occupied);
                let white = attacks(kind, Color::White, square.rotated(), turned(occupied));
                assert_eq!(turned(black), white, "{kind:?} on {square}");
            }
        }
    }
}
