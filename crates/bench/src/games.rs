//! Random games, the same in every program that lists the same moves.

use keiko_shogi::{Game, Move, MoveList, Rules};

/// The longest game, in plies.
const MOST_PLIES: u32 = 512;

/// A game from the even start to mate, sennichite, perpetual check or 512 plies.
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// Its moves.
    pub moves: Vec<Move>,
}

/// Games of uniformly random moves. The order in which moves are listed does not matter.
pub fn random_games(games: usize, seed: u64) -> Vec<RandomGame> {
    let mut state = seed;
    (0..games).map(|_| random_game(&mut state)).collect()
}

fn random_game(state: &mut u64) -> RandomGame {
    let mut game = Game::startpos(Rules::STANDARD);
    let mut moves = MoveList::new();
    while game.ply() < MOST_PLIES && game.repetition().verdict.is_none() {
        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        moves.sort_unstable();
        game.play(moves[below(state, moves.len())]);
    }
    RandomGame { moves: game.moves().to_vec() }
}

/// An index below `count`, which is above 0.
pub(crate) fn below(state: &mut u64, count: usize) -> usize {
    (((next(state) >> 32) * count as u64) >> 32) as usize
}

/// SplitMix64.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
