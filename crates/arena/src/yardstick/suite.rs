use keiko_shogi::{Game, Move, MoveList, Rules};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::corpus::{self, CorpusGame, LabelCounts};
use super::tasks::{mates, takes_for_nothing};

/// The positions of all yardsticks.
#[derive(Debug, Clone)]
pub struct Suite {
    /// Positions of the corpus; right is the move that was played.
    pub(super) corpus: Vec<CorpusItem>,
    /// Positions with a mate in one.
    pub(super) mates: Vec<Item>,
    /// Positions with a hanging piece, without a mate in one, not in check.
    pub(super) hanging: Vec<Item>,
    /// Positions of random games; no move is right.
    pub(super) random: Vec<Item>,
}

/// One position.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) game: Game,
    pub(super) moves: Vec<Move>,
    /// Parallel to `moves`: whether it is a right one.
    right: Vec<bool>,
}

/// A position of a game that was played.
#[derive(Debug, Clone)]
pub(super) struct CorpusItem {
    pub(super) item: Item,
    /// Whether the side to move won, if somebody did.
    pub(super) side_to_move_won: Option<bool>,
    /// Whether the most frequent label of the other games was played; between equal ones, in part.
    pub(super) label_frequency_hit: f64,
}

/// Positions taken from each game of the corpus, by whether its winner is known.
const POSITIONS_OF_DECIDED: usize = 96;
const POSITIONS_OF_OTHERS: usize = 4;

/// Random games, and the most plies of one.
const PLAYOUTS: u64 = 400;
const PLAYOUT_PLIES: usize = 240;

/// Positions of a random game that are kept for the value alone.
const POSITIONS_OF_PLAYOUT: usize = 2;

/// The most positions with a mate in one and with a hanging piece, from the corpus and from random games each.
const TASKS: usize = 100;

impl Item {
    fn new(game: Game, is_right: impl Fn(&Game, Move) -> bool) -> Self {
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let right = moves.iter().map(|&mv| is_right(&game, mv)).collect();
        Self { game, moves: moves.to_vec(), right }
    }

    /// Whether the move with the highest of the `logits` is right; between equal ones, the share of right ones.
    pub(super) fn hit(&self, logits: &[f32]) -> f64 {
        let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let is_top = |logit: f32| logit.total_cmp(&highest).is_eq();
        let top = self.right.iter().zip(logits).filter(|(_, logit)| is_top(**logit));
        super::mean(top.map(|(&right, _)| f64::from(right)))
    }

    /// The share of right moves.
    pub(super) fn uniform(&self) -> f64 {
        super::mean(self.right.iter().map(|&right| f64::from(right)))
    }
}

impl Suite {
    /// The positions as games under `rules`, which only an encoding that shows rules depends on. Takes a fraction of
    /// a second.
    pub fn new(rules: Rules) -> Self {
        let games = corpus::games();
        let mut suite =
            Self { corpus: Vec::new(), mates: Vec::new(), hanging: Vec::new(), random: Vec::new() };
        let counts = LabelCounts::of(&games);
        for (index, game) in (0..).zip(&games) {
            suite.add_corpus(game, &counts, rules);
            suite.add_tasks(&game.start(rules), game.moves(), index, [TASKS; 2]);
        }
        let tasks = [TASKS + suite.mates.len(), TASKS + suite.hanging.len()];
        for index in 0..PLAYOUTS {
            let start = Game::startpos(rules);
            let moves = playout(&start, index);
            suite.add_random(&start, &moves, index);
            if suite.mates.len() < tasks[0] || suite.hanging.len() < tasks[1] {
                suite.add_tasks(&start, &moves, index, tasks);
            }
        }
        suite
    }

    /// Positions of all yardsticks.
    pub fn positions(&self) -> usize {
        self.corpus.len() + self.mates.len() + self.hanging.len() + self.random.len()
    }

    /// Positions at even distances, White and Black to move in turns.
    fn add_corpus(&mut self, game: &CorpusGame, counts: &LabelCounts, rules: Rules) {
        let own = LabelCounts::of([game]);
        let count = match game.outcome {
            Some(_) => POSITIONS_OF_DECIDED,
            None => POSITIONS_OF_OTHERS,
        };
        let plies = game.moves().len();
        let places: Vec<usize> =
            (0..count).map(|k| ((2 * k + 1) * plies / (2 * count)) & !1 | k & 1).collect();
        visit(&game.start(rules), game.moves(), |state, ply| {
            if ply >= plies || !places.contains(&ply) {
                return true;
            }
            let item = Item::new(state.clone(), |_, mv| mv == game.moves()[ply]);
            let winner = game.outcome.and_then(|outcome| outcome.winner());
            self.corpus.push(CorpusItem {
                side_to_move_won: winner.map(|it| it == state.position().side_to_move()),
                label_frequency_hit: item.hit(&counts.without(&own, state, &item.moves)),
                item,
            });
            true
        });
    }

    /// At most one position of each task from a game: the first one from a random ply on.
    fn add_tasks(&mut self, start: &Game, moves: &[Move], seed: u64, most: [usize; 2]) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let [mate_from, hanging_from] =
            [2, 4].map(|part| rng.random_range(0..=(moves.len() * (part - 1) / part)));
        let mut mate = None;
        let mut hanging = None;
        visit(start, moves, |state, ply| {
            let position = state.position();
            let mate_here = position.mate_in_one().is_some();
            if mate.is_none() && ply >= mate_from && mate_here {
                mate = Some(Item::new(state.clone(), |game, mv| mates(game.position(), mv)));
            }
            if hanging.is_none() && ply >= hanging_from && !mate_here && !position.in_check() {
                let right = |game: &Game, mv| takes_for_nothing(game.position(), mv);
                let item = Item::new(state.clone(), right);
                hanging = item.right.contains(&true).then_some(item);
            }
            mate.is_none() || hanging.is_none()
        });
        let found = [(mate, &mut self.mates), (hanging, &mut self.hanging)];
        for ((found, items), most) in found.into_iter().zip(most) {
            items.extend(found.filter(|_| items.len() < most));
        }
    }

    fn add_random(&mut self, start: &Game, moves: &[Move], seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(!seed);
        let places: [usize; POSITIONS_OF_PLAYOUT] =
            std::array::from_fn(|_| rng.random_range(0..moves.len()));
        visit(start, moves, |state, ply| {
            if places.contains(&ply) {
                self.random.push(Item::new(state.clone(), |_, _| false));
            }
            true
        });
    }
}

/// Shows every position of a game with the number of moves before it, until `show` has seen enough.
fn visit(start: &Game, moves: &[Move], mut show: impl FnMut(&Game, usize) -> bool) {
    let mut state = start.clone();
    for (ply, &mv) in moves.iter().enumerate() {
        if !show(&state, ply) {
            return;
        }
        state.play(mv);
    }
    if state.position().has_legal_move() {
        show(&state, moves.len());
    }
}

/// Uniformly random moves, until there are none or the game is long enough. Rules other than those of the moves do
/// not end it, so the positions are the same in every run.
fn playout(start: &Game, seed: u64) -> Vec<Move> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = start.position().clone();
    let mut played = Vec::new();
    while played.len() < PLAYOUT_PLIES {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        position.do_move(mv);
        played.push(mv);
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_finds_every_right_move_hits_always_and_who_avoids_them_never() {
        let suite = Suite::new(Rules::STANDARD);
        let tasks = suite.mates.iter().chain(&suite.hanging);
        for item in tasks.chain(suite.corpus.iter().map(|it| &it.item)) {
            let knows: Vec<f32> = item.right.iter().map(|&it| f32::from(u8::from(it))).collect();
            let avoids: Vec<f32> = knows.iter().map(|it| -it).collect();
            assert!((item.hit(&knows) - 1.0).abs() < 1e-12);
            assert!(item.uniform() > 0.0 && item.hit(&vec![0.5; knows.len()]) > 0.0);
            let only_right = item.right.iter().all(|&it| it);
            assert!(only_right || item.hit(&avoids).abs() < 1e-12);
        }
        assert!(suite.random.iter().all(|item| item.uniform().abs() < 1e-12));
    }
}
