//! Games, settings and the loop that drives a search.

use keiko_mcts::{
    Evaluation, GumbelSettings, Leaf, LeafId, Noise, RootKind, RootMove, RootSummary, Search,
    SearchLimit, SearchSettings, Selection, Wdl,
};
use keiko_shogi::{DrawValues, Game, Move, MoveList, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A middle game with about a hundred moves.
pub(crate) const MIDDLE: &str =
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

pub(crate) fn settings(root: RootKind) -> SearchSettings {
    SearchSettings {
        root,
        mate_in_one: true,
        declaration: true,
        reuse_subtree: true,
        gumbel: GumbelSettings { max_considered: 8, ..GumbelSettings::PAPER },
        ..SearchSettings::BARE
    }
}

pub(crate) const ROOTS: [RootKind; 2] = [RootKind::Gumbel, RootKind::Puct];

pub(crate) fn game(sfen: &str) -> Game {
    game_under(sfen, Rules::STANDARD)
}

pub(crate) fn game_under(sfen: &str, rules: Rules) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, rules)
}

/// Positions of so many random games, which are not over.
pub(crate) fn random_games(games: usize) -> Vec<Game> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut found = Vec::new();
    while found.len() < games {
        let mut game = Game::startpos(Rules::STANDARD);
        for _ in 0..2 + rng.next_u64() % 120 {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            if game.end().is_some() {
                break;
            }
            game.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
        }
        if game.end().is_none() {
            found.push(game);
        }
    }
    found
}

pub(crate) fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(mv).collect()
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

pub(crate) fn search(game: Game, settings: &SearchSettings) -> Search {
    Search::new(game, settings, DrawValues::HALF, 7)
}

pub(crate) fn quiet(simulations: u32) -> SearchLimit {
    SearchLimit { simulations, noise: Noise::Off }
}

pub(crate) fn noisy(simulations: u32) -> SearchLimit {
    SearchLimit { simulations, noise: Noise::On }
}

/// Runs a whole search with one leaf at a time.
pub(crate) fn run(
    search: &mut Search,
    limit: SearchLimit,
    evaluate: impl Fn(&Leaf<'_>) -> (Vec<f32>, Wdl),
) -> RootSummary {
    search.begin(limit).unwrap();
    finish(search, evaluate)
}

/// Runs the search that has begun to its end with one leaf at a time.
pub(crate) fn finish(
    search: &mut Search,
    evaluate: impl Fn(&Leaf<'_>) -> (Vec<f32>, Wdl),
) -> RootSummary {
    while let Some((id, logits, wdl)) = next(search, &evaluate) {
        search.apply(id, &Evaluation { logits: &logits, wdl }).unwrap();
    }
    assert!(matches!(search.select(), Selection::Done), "one leaf at a time never waits");
    search.summary()
}

/// The next leaf with its evaluation.
pub(crate) fn next(
    search: &mut Search,
    evaluate: impl Fn(&Leaf<'_>) -> (Vec<f32>, Wdl),
) -> Option<(LeafId, Vec<f32>, Wdl)> {
    match search.select() {
        Selection::Leaf(leaf) => {
            let (logits, wdl) = evaluate(&leaf);
            Some((leaf.id, logits, wdl))
        }
        Selection::Wait | Selection::Done => None,
    }
}

pub(crate) fn root_move(summary: &RootSummary, text: &str) -> RootMove {
    let wanted = mv(text);
    *summary.moves.iter().find(|root_move| root_move.mv == wanted).unwrap()
}

#[track_caller]
pub(crate) fn assert_near(actual: f32, expected: f32) {
    assert!((actual - expected).abs() < 1e-5, "{actual} is not {expected}");
}
