//! The side of the crate `mcts`, whose tree is over the rules of rsshogi: a search of every position of random games, with
//! uniform evaluations and the selection of AlphaGo.

use std::hint::black_box;

use keiko_bench::{Done, Inputs, random_games};
use keiko_peers::theirs::{game, moves, position};
use keiko_peers::{Doing, START, serve};
use mcts::tree_policy::AlphaGoPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};
use rsshogi::board::Position;
use rsshogi::types::{Color, Move32};

/// Plies of a game at most: the mean of ours.
const MAX_PLIES: usize = 240;

fn main() {
    let random = random_games(32, Inputs::PLAYOUT_SEED);
    let games: Vec<Vec<Move32>> = random.iter().map(game).collect();
    let works: Vec<(&str, Doing<'_>)> = vec![
        ("lockstep_plain_n16", Box::new(|| search(&games, 16))),
        ("lockstep_plain_n200", Box::new(|| search(&games[..8], 200))),
    ];
    serve(works);
}

/// Searches every position of the games.
fn search(games: &[Vec<Move32>], simulations: u64) -> Done {
    let mut units = 0;
    for game in games {
        let mut state = Shogi(position(START));
        for mv in game.iter().take(MAX_PLIES) {
            let policy = AlphaGoPolicy::new(1.25);
            let mut tree = MCTSManager::new(state.clone(), Plain, Uniform, policy, ());
            tree.playout_n(simulations);
            black_box(tree.best_move());
            units += simulations;
            state.make_move(mv);
        }
    }
    Done { result: 0, units }
}

#[derive(Clone)]
struct Shogi(Position);

impl GameState for Shogi {
    type Move = Move32;
    type Player = Color;
    type MoveList = Vec<Move32>;

    fn current_player(&self) -> Color {
        self.0.turn()
    }

    fn available_moves(&self) -> Vec<Move32> {
        if self.0.repetition_counter() < 3 { moves(&self.0) } else { Vec::new() }
    }

    fn make_move(&mut self, mv: &Move32) {
        self.0.apply_move32(*mv);
    }
}

struct Uniform;

impl Evaluator<Plain> for Uniform {
    /// Of Black.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &Shogi,
        moves: &Vec<Move32>,
        _: Option<SearchHandle<'_, Plain>>,
    ) -> (Vec<f64>, i64) {
        let mated = moves.is_empty() && state.0.repetition_counter() < 3;
        let value = match (mated, state.0.turn()) {
            (false, _) => 0,
            (true, Color::Black) => -1,
            (true, Color::White) => 1,
        };
        (vec![1.0 / moves.len() as f64; moves.len()], value)
    }

    fn evaluate_existing_state(&self, _: &Shogi, value: &i64, _: SearchHandle<'_, Plain>) -> i64 {
        *value
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &Color) -> i64 {
        if *player == Color::Black { *value } else { -value }
    }
}

/// One thread, no transpositions.
struct Plain;

impl MCTS for Plain {
    type State = Shogi;
    type Eval = Uniform;
    type TreePolicy = AlphaGoPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}
