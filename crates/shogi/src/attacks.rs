//! Which squares a piece attacks.

pub(crate) mod direction;
pub(crate) mod near;
pub(crate) mod reach;
mod steps;

use crate::{Bitboard, Color, PieceKind, Square, simd};

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

/// The squares of the line through `square` in `direction` and back, up to the first taken one on
/// either side.
#[inline]
pub(crate) fn along_line(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    simd::line_attacks(reach::line(direction as usize / 2, square), occupied)
}

/// Attacks of a lance.
#[inline]
pub(crate) fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    along_line(Direction::Up, square, occupied) & lance_rays(color, square)
}

/// Attacks of a bishop.
#[inline]
pub(crate) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    along_line(Direction::UpLeft, square, occupied)
        | along_line(Direction::DownLeft, square, occupied)
}

/// Attacks of a rook.
#[inline]
pub(crate) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    along_line(Direction::Up, square, occupied) | along_line(Direction::Left, square, occupied)
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
    reach::diagonal(square).squares
}

/// The squares that a rook would attack on an empty board.
#[inline]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    reach::straight(square).squares
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
                        along_line(direction, square, occupied) & ray(direction, square),
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
