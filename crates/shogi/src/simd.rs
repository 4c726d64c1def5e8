//! Lists of moves, written eight at a time.
//!
//! Most of the time of a move generator goes into branches that are predicted wrongly: how many
//! squares does this piece have left? Here a set of targets picks its lanes out of a vector of all
//! moves of the piece, whatever their number. The twin in [`portable`] pushes one move after
//! the other and gives the same lists.
//!
//! The lanes are picked by PEXT and PDEP. AMD CPUs before Zen 3 have them, but as microcode that
//! takes up to 300 cycles where others need 3. There the twin is the one to build, which has neither
//! of them: `RUSTFLAGS="-C target-cpu=x86-64-v3 -C target-feature=-bmi2"`. On a CPU where they are
//! fast, it takes 1.05 to 1.65 times as long, the longest in lists of moves. It has not been timed
//! on Zen 1 or 2.

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[expect(unsafe_code, reason = "writes whole vectors into the list, past its length")]
mod x86;

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(crate) use portable::{MoveWriter, line_attacks};
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(crate) use x86::{MoveWriter, line_attacks};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::reach::{self, Reach};
    use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

    /// Sets of squares from thin to dense.
    fn sets() -> impl Iterator<Item = Bitboard> {
        let mut bits = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834_u128;
        (0..200).map(move |round| {
            bits = bits.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(round);
            let thinned = match round % 4 {
                0 => bits & bits.rotate_left(41),
                1 => bits | bits.rotate_left(41),
                2 if round == 2 => u128::MAX,
                _ => bits,
            };
            Bitboard::from_bits(thinned >> 20)
        })
    }

    fn check_reach<const EIGHTS: usize>(reach: &Reach<EIGHTS>, set: Bitboard) {
        let to = set & reach.squares;
        let (mut fast, mut plain) = (MoveList::new(), MoveList::new());
        let mut writer = MoveWriter::new(&mut fast);
        writer.plain(reach, to);
        writer.promotions(reach, to);
        to.iter().for_each(|to| writer.push(Move::normal(reach.from, to)));
        writer.finish();
        let mut writer = portable::MoveWriter::new(&mut plain);
        writer.plain(reach, to);
        writer.promotions(reach, to);
        to.iter().for_each(|to| writer.push(Move::normal(reach.from, to)));
        writer.finish();
        assert_eq!(fast, plain, "from {} to {to:?}", reach.from);
    }

    #[test]
    fn moves_in_reach_equal_their_twin() {
        for set in sets() {
            for square in Square::all() {
                check_reach(reach::around(square), set);
                check_reach(reach::jumps(square), set);
                check_reach(reach::straight(square), set);
                check_reach(reach::diagonal(square), set);
                check_reach(reach::dragon(square), set);
                check_reach(reach::horse(square), set);
                (0..4).for_each(|line| check_reach(reach::line(line, square), set));
            }
        }
    }

    #[test]
    fn pawns_and_drops_equal_their_twin() {
        for set in sets() {
            for count in 0..=PieceKind::HAND.len() {
                let kinds = &PieceKind::HAND[..count];
                let (mut fast, mut plain) = (MoveList::new(), MoveList::new());
                let mut writer = MoveWriter::new(&mut fast);
                let mut twin = portable::MoveWriter::new(&mut plain);
                for color in Color::ALL {
                    let to = (set - Bitboard::rank(0)) - Bitboard::rank(8);
                    writer.pawns(color, to);
                    writer.pawn_promotions(color, to);
                    twin.pawns(color, to);
                    twin.pawn_promotions(color, to);
                }
                let to = if count < 4 { set } else { set & Bitboard::zone(Color::Black) };
                writer.drops(kinds, to);
                twin.drops(kinds, to);
                writer.finish();
                twin.finish();
                assert_eq!(fast, plain, "{kinds:?} onto {to:?}");
            }
        }
    }

    #[test]
    fn line_attacks_equal_their_twin() {
        for set in sets() {
            for square in Square::all() {
                for line in (0..4).map(|number| reach::line(number, square)) {
                    assert_eq!(line_attacks(line, set), portable::line_attacks(line, set));
                }
            }
        }
    }
}
