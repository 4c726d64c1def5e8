use keiko_shogi::Position;
use rand::{Rng, RngExt};

/// Arrangements of king, golds, silvers, knights and lances behind the pawns: 9! / 2^4.
const BACK_RANKS: u32 = 22_680;

/// Pairs of files for rook and bishop.
const PAIRS: u32 = 36;

/// A start of shuffled shogi: the nine pieces of the back rank in any order, rook and bishop anywhere before them,
/// the pawns as ever, and White's set-up is Black's turned by 180 degrees.
///
/// L. Kaufman described it on the list SHOGI-L (17 February 1999); miniosl and nshogi play it as Shogi816K, after
/// the number of such starts that are not mirror images of each other. The rook stands to the right of the bishop,
/// as in the ordinary start, so no two of the starts here are. No side can capture anything at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shuffled(u32);

impl Shuffled {
    /// How many there are.
    pub(super) const COUNT: u32 = BACK_RANKS * PAIRS;

    /// Any of them.
    pub(super) fn draw(rng: &mut impl Rng) -> Self {
        Self(rng.random_range(0..Self::COUNT))
    }

    /// Its number, below [`COUNT`](Self::COUNT): the back rank's in the order of its letters, then the pair's.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    pub(super) fn position(self) -> Position {
        let back = back_rank(self.0 / PAIRS);
        let sliders = sliders(self.0 % PAIRS);
        let turned = |rank: &str| rank.chars().rev().collect::<String>().to_lowercase();
        let (white_back, white_sliders) = (turned(&back), turned(&sliders));
        let sfen = format!(
            "{white_back}/{white_sliders}/ppppppppp/9/9/9/PPPPPPPPP/{sliders}/{back} b - 1"
        );
        Position::from_sfen(&sfen).expect("every piece of a set stands once, the pawns between").0
    }
}

/// The back rank with this number, from file 9 to file 1: at each file, so many of the orders that are left begin
/// with each kind.
fn back_rank(mut number: u32) -> String {
    let mut left = [('G', 2_u32), ('K', 1), ('L', 2), ('N', 2), ('S', 2)];
    let mut text = String::new();
    let mut orders = BACK_RANKS;
    for files in (1..=9).rev() {
        for (letter, count) in &mut left {
            let begin = orders * *count / files;
            if number < begin {
                (orders, *count) = (begin, *count - 1);
                text.push(*letter);
                break;
            }
            number -= begin;
        }
    }
    text
}

/// The rank of rook and bishop with this number, as SFEN from file 9 to file 1: the bishop comes first.
fn sliders(number: u32) -> String {
    let mut pairs = (0..9_usize).flat_map(|bishop| (bishop + 1..9).map(move |rook| (bishop, rook)));
    let (bishop, rook) = pairs.nth(number as usize).expect("one of the 36 pairs");
    (0..9)
        .map(|place| match place {
            _ if place == bishop => 'B',
            _ if place == rook => 'R',
            _ => '1',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use keiko_shogi::{Game, MoveList, PieceKind, Rules};

    use super::*;

    #[test]
    fn every_order_of_the_back_rank_and_every_pair_of_files_comes_once() {
        let ranks: BTreeSet<String> = (0..BACK_RANKS).map(back_rank).collect();
        assert_eq!(ranks.len() as u32, BACK_RANKS);
        let pairs: BTreeSet<String> = (0..PAIRS).map(sliders).collect();
        assert_eq!(pairs.len() as u32, PAIRS);
        assert!(ranks.contains("LNSGKGSNL") && pairs.contains("1B11111R1"));
        assert_eq!(Shuffled::COUNT, 816_480);
    }

    #[test]
    fn starts_are_alike_for_both_sides_and_nothing_can_be_captured() {
        for number in (0..Shuffled::COUNT).step_by(997) {
            let position = Shuffled(number).position();
            let game = Game::new(position.clone(), 1, Rules::STANDARD);
            assert!(!position.in_check() && game.end().is_none());
            assert!(position.mirrored().to_sfen(1) != position.to_sfen(1));
            for square in position.occupied().iter() {
                let piece = position.piece_at(square).unwrap();
                let opposite = position.piece_at(square.rotated()).unwrap();
                assert_eq!((opposite.kind, opposite.color), (piece.kind, !piece.color));
            }
            assert_eq!(position.kind(PieceKind::Pawn).len(), 18);
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            assert!(!moves.is_empty());
            assert!(moves.iter().all(|mv| position.piece_at(mv.to()).is_none()));
        }
    }
}
