//! Players without a net or a search, for results to be compared with.

use std::fmt;

use keiko_shogi::{Game, Move, MoveList, Position};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::worth::worth;

/// A rule of thumb that plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// Any legal move, all equally likely.
    Random,
    /// One ply deep: a mate in one, else the largest gain by capture and promotion, else any legal move. Between equal
    /// moves all are equally likely. It wins nearly every game against [`Random`](Self::Random).
    Greedy,
}

impl Reference {
    /// All of them.
    pub const ALL: [Reference; 2] = [Reference::Random, Reference::Greedy];

    /// What people call it: `random`, `greedy`.
    pub fn name(self) -> &'static str {
        match self {
            Reference::Random => "random",
            Reference::Greedy => "greedy",
        }
    }

    /// Chooses for the side to move. A function of the position and of `rng`.
    ///
    /// # Panics
    /// There is no legal move.
    pub fn choose(self, game: &Game, rng: &mut Xoshiro256PlusPlus) -> Move {
        let position = game.position();
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        if self == Reference::Greedy {
            if let Some(mate) = position.mate_in_one() {
                return mate;
            }
            let most = moves.iter().map(|&mv| gain(position, mv)).max().unwrap_or(0);
            moves.retain(|mv| gain(position, *mv) == most);
        }
        moves[rng.random_range(0..moves.len())]
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a move wins at once, in pawns: the piece it captures and what its own gains by promotion.
fn gain(position: &Position, mv: Move) -> u32 {
    let captured = position.piece_at(mv.to()).map_or(0, |piece| worth(piece.kind));
    let mover = mv.from().filter(|_| mv.is_promotion()).and_then(|from| position.piece_at(from));
    let promoted = mover
        .and_then(|piece| Some(worth(piece.kind.promoted()?).saturating_sub(worth(piece.kind))));
    captured + promoted.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use keiko_shogi::Rules;
    use rand::SeedableRng;

    use super::*;

    /// The moves that 200 seeds choose.
    fn choices(player: Reference, sfen: &str) -> BTreeSet<String> {
        let (position, number) = Position::from_sfen(sfen).unwrap();
        let game = Game::new(position, number, Rules::STANDARD);
        let choose = |seed| player.choose(&game, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        (0..200).map(|seed| choose(seed).to_string()).collect()
    }

    #[test]
    fn random_plays_every_legal_move() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(choices(Reference::Random, start).len(), 30);
        // Without anything to win the greedy one is as free.
        assert_eq!(choices(Reference::Greedy, start).len(), 30);
    }

    #[test]
    fn greedy_mates_before_it_takes() {
        // Black can mate by a gold in front of the king, and take a rook.
        let sfen = "4k4/9/4P4/9/9/9/9/r8/L3K4 b G 1";
        assert_eq!(choices(Reference::Greedy, sfen), BTreeSet::from(["G*5b".to_owned()]));
    }

    #[test]
    fn greedy_takes_the_most_with_promotions_counted() {
        // The rook takes a silver (6) and promotes for 2 more; it could take a silver without, or a gold below.
        let sfen = "8k/9/s8/9/R3g4/9/9/9/K8 b - 1";
        assert_eq!(choices(Reference::Greedy, sfen), BTreeSet::from(["9e9c+".to_owned()]));
        // A lone promotion is a gain too.
        let sfen = "8k/9/9/P8/9/9/9/9/K8 b - 1";
        assert_eq!(choices(Reference::Greedy, sfen), BTreeSet::from(["9d9c+".to_owned()]));
    }
}
