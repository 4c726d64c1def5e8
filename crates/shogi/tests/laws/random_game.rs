//! Random games.

use keiko_shogi::{Game, Handicap, Move, MoveList, Position, Rules};
use proptest::prelude::*;

/// Starts that bring up what random play from the even start seldom does.
const STARTS: [&str; 7] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "k8/1P1L3S1/2R1N1B2/9/9/9/2b1n1r2/1s3l1p1/8K b - 1",
    "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "1+P+P+PK+P+P2/1+P1+RG+S1+P1/9/9/9/9/9/1+p1+b1g+s2/2+p+pk+p+p2 b RB2GS2N2L3Ps2n2l3p 1",
    "7lk/9/8S/9/9/9/9/7L1/8K b P 1",
];

/// A game given by its start and by what picks each move.
#[derive(Clone, Debug)]
pub(crate) struct RandomGame {
    start: usize,
    seed: u64,
    plies: u32,
}

/// Games of up to `most_plies` plies.
pub(crate) fn random_game(most_plies: u32) -> impl Strategy<Value = RandomGame> {
    (0..STARTS.len() + Handicap::ALL.len(), any::<u64>(), 0..most_plies)
        .prop_map(|(start, seed, plies)| RandomGame { start, seed, plies })
}

/// SplitMix64.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl RandomGame {
    fn start(&self) -> Position {
        match STARTS.get(self.start) {
            Some(sfen) => Position::from_sfen(sfen).unwrap().0,
            None => Handicap::ALL[self.start - STARTS.len()].position(),
        }
    }

    /// Plays the game, showing every position before its move, and stops where no move is left.
    /// Checks are preferred in some games, so that long rows of checks come up.
    pub(crate) fn walk(&self, mut visit: impl FnMut(&mut Game, &[Move])) -> Game {
        let mut game = Game::new(self.start(), 1, Rules::STANDARD);
        let mut state = self.seed;
        for _ in 0..=self.plies {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            visit(&mut game, &moves);
            if moves.is_empty() {
                break;
            }
            let checks: Vec<Move> =
                moves.iter().copied().filter(|&mv| game.position().gives_check(mv)).collect();
            let pool = match self.seed % 4 {
                0 if !checks.is_empty() => &checks[..],
                _ => &moves[..],
            };
            game.play(pool[(next(&mut state) % pool.len() as u64) as usize]);
        }
        game
    }

    /// The last position of the game.
    pub(crate) fn last(&self) -> Position {
        self.walk(|_, _| ()).position().clone()
    }
}
