//! Matches with players that search nothing.

use std::convert::Infallible;
use std::ops::ControlFlow;

use keiko_arena::contest::{self, Contender, ContestResult, ContestSettings};
use keiko_arena::openings;
use keiko_arena::reference::Reference;
use keiko_arena::statistics::SprtSettings;
use keiko_inference::{EncodingId, Hashed};
use keiko_play::{GroupSettings, Resignation};
use keiko_shogi::{DrawValues, Rules};

use crate::gate::search;

const RULES: Rules = Rules { max_plies: Some(200), ..Rules::STANDARD };

fn contest(players: [Contender; 2], seed: u64, workers: usize) -> ContestResult {
    let cap_pairs = 20;
    let settings = ContestSettings {
        players,
        seed,
        simulations: 2,
        group: GroupSettings { slots: 4, batch_shape: 16, jishogi_threshold: 0.0 },
        // A reference player does not give up, whatever its evaluator says.
        resignation: Resignation { threshold: 0.5, turns: 1000 },
        draw_values: DrawValues::HALF,
        sprt: SprtSettings {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            min_pairs: cap_pairs,
            cap_pairs,
        },
        workers,
    };
    let openings = openings::random(1, 4, cap_pairs as usize, RULES).unwrap();
    let open = |_| Ok::<_, Infallible>([1, 2].map(|it| Hashed::new(EncodingId::Dlshogi57, it)));
    contest::run(&settings, &openings, open, |_| ControlFlow::Continue(())).unwrap()
}

const GREEDY: Contender = Contender::Reference(Reference::Greedy);
const RANDOM: Contender = Contender::Reference(Reference::Random);

#[test]
fn greedy_beats_random() {
    let games = contest([GREEDY, RANDOM], 3, 2).standing.tally.games;
    assert_eq!(games.games(), 40);
    assert!(games.score() > 0.85 && games.losses <= 2, "{games:?}");
}

#[test]
fn a_match_depends_on_its_seed_and_not_on_its_threads() {
    for players in [[GREEDY, RANDOM], [Contender::Search(search()), RANDOM]] {
        let one = contest(players, 3, 1);
        assert_eq!(one.games, contest(players, 3, 3).games);
        assert_ne!(one.games, contest(players, 4, 1).games);
    }
}

#[test]
fn both_colours_are_counted() {
    let result = contest([RANDOM, Contender::Search(search())], 5, 2);
    let tally = &result.standing.tally;
    let [black, white] = tally.by_color;
    assert_eq!((black.games(), white.games()), (20, 20));
    assert_eq!(black.wins + white.wins, tally.games.wins);
    assert_eq!(black.wins + white.losses, tally.black.wins);
}
