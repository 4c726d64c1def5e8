//! Coming back to a board with more or less in hand.

use keiko_mcts::{RootKind, RootSummary, Search, SearchSettings, Wdl};
use keiko_shogi::DrawValues;

use crate::hashed::{hashed, uniform};
use crate::support::{
    ROOTS, assert_near, game, moves, quiet, random_games, root_move, run, settings,
};

fn superior(root: RootKind) -> SearchSettings {
    let mut settings = SearchSettings { superior_repetition: true, ..settings(root) };
    settings.gumbel.max_considered = 600;
    settings
}

/// The root after these moves, with every move tried.
fn searched(sfen: &str, line: &str, settings: &SearchSettings) -> (Search, RootSummary) {
    let mut game = game(sfen);
    moves(line).iter().for_each(|&mv| game.play(mv));
    let mut search = Search::new(game, settings, DrawValues::HALF, 1);
    let summary = run(&mut search, quiet(800), uniform);
    (search, summary)
}

/// Black gives a pawn away; White's last move brings the board back.
const GIVEN: (&str, &str) = ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4b 5a4b 5i5h 4b5b 5h5i");
/// The same with Black as the one who brings the board back.
const BACK: (&str, &str) = ("4k4/9/9/9/9/9/9/9/4K4 w P 1", "5a5b P*5c 5b5c 5i5h 5c5b 5h4i 5b5a");

#[test]
fn coming_back_with_more_counts_as_won_and_proves_nothing() {
    for root in ROOTS {
        let (_, summary) = searched(GIVEN.0, GIVEN.1, &superior(root));
        let back = root_move(&summary, "5b5a");
        assert!(back.visits > 0, "{root:?}");
        assert_eq!((back.wdl, back.proof, summary.proven), (Wdl::WIN, None, None));
        let off = SearchSettings { superior_repetition: false, ..superior(root) };
        let (_, summary) = searched(GIVEN.0, GIVEN.1, &off);
        assert_near(root_move(&summary, "5b5a").wdl.draw, 0.2);
    }
}

#[test]
fn coming_back_with_less_counts_as_lost_and_proves_nothing() {
    for root in ROOTS {
        let (_, summary) = searched(BACK.0, BACK.1, &superior(root));
        let back = root_move(&summary, "4i5i");
        assert!(back.visits > 0, "{root:?}");
        assert_eq!((back.wdl, back.proof, summary.proven), (Wdl::LOSS, None, None));
        assert_near(back.score, 0.0);
        let off = SearchSettings { superior_repetition: false, ..superior(root) };
        let (_, summary) = searched(BACK.0, BACK.1, &off);
        assert_near(root_move(&summary, "4i5i").wdl.draw, 0.2);
    }
}

/// The move may be played all the same, and the search goes on behind it.
#[test]
fn the_game_goes_on_behind_such_a_move() {
    for root in ROOTS {
        let (mut search, _) = searched(BACK.0, BACK.1, &superior(root));
        search.advance("4i5i".parse().unwrap());
        assert_eq!(search.nodes(), 0, "there is no tree behind what was cut");
        let summary = run(&mut search, quiet(50), uniform);
        assert_eq!(summary.simulations, 50);
        assert_near(summary.raw_wdl.draw, 0.2);
    }
}

/// Where no board comes back the setting changes nothing, and whole games are played with it.
#[test]
fn without_such_a_repetition_nothing_changes() {
    for root in ROOTS {
        for game in random_games(20) {
            let on = superior(root);
            let off = SearchSettings { superior_repetition: false, ..on };
            // Too few visits for a line in which a piece is given and the board comes back.
            let [on, off] = [on, off].map(|settings| {
                let mut search = Search::new(game.clone(), &settings, DrawValues::HALF, 1);
                run(&mut search, quiet(40), hashed)
            });
            assert_eq!(on, off, "{}", game.sfen());
        }
    }
}
