//! Ends of the game inside the tree: repetition, maximum plies, declarations, tries.

use keiko_mcts::{Proof, RootKind, RootSummary, Search, Wdl};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, Rules};

use crate::hashed::uniform;
use crate::support::{
    ROOTS, assert_near, game, game_under, moves, mv, quiet, root_move, run, search, settings,
};

const DRAWS: DrawValues = DrawValues { sennichite: 0.25, jishogi: 0.125, max_plies: 0.375 };

fn with_draws(game: Game, simulations: u32, root: RootKind) -> RootSummary {
    let mut settings = settings(root);
    settings.gumbel.max_considered = 600;
    let mut search = Search::new(game, &settings, DRAWS, 1);
    run(&mut search, quiet(simulations), uniform)
}

fn impasse(impasse: ImpasseRule) -> Rules {
    Rules { impasse, ..Rules::STANDARD }
}

/// The last move before the fourth occurrence is worth to each side what the draw value says.
#[test]
fn sennichite_in_the_tree_is_a_draw_of_its_value() {
    let shuffle = moves("5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i");
    let mut game = Game::startpos(Rules::STANDARD);
    shuffle.iter().for_each(|&mv| game.play(mv));
    for root in ROOTS {
        let summary = with_draws(game.clone(), 200, root);
        let draw = root_move(&summary, "5b5a");
        assert_eq!((draw.proof, draw.wdl), (Some(Proof::Draw), Wdl::DRAW));
        assert_near(draw.score, 0.75);
        assert_eq!(summary.proven, None, "White may play on");
    }
}

/// One ply earlier the draw is at depth two, inside the tree.
#[test]
fn the_path_in_the_tree_counts_for_repetition() {
    let shuffle = moves("5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b");
    let mut game = Game::startpos(Rules::STANDARD);
    shuffle.iter().for_each(|&mv| game.play(mv));
    let mut settings = settings(RootKind::Puct);
    settings.puct.root_c_init = 20.0;
    let mut search = Search::new(game, &settings, DRAWS, 1);
    run(&mut search, quiet(3000), uniform);
    let line = search.variation(mv("5h5i"));
    assert!(line.len() > 1);
    search.advance(mv("5h5i"));
    search.begin(quiet(0)).unwrap();
    assert_eq!(root_move(&search.summary(), "5b5a").proof, Some(Proof::Draw));
}

/// The side that gives perpetual check loses by completing it, the other wins.
#[test]
fn completing_a_perpetual_check_is_a_loss() {
    // The checks of the rook are about to bring the position about for the fourth time.
    let checks = moves("5h3h 3a2a 3h2h 2a3a 2h3h 3a2a 3h2h 2a3a 2h3h 3a2a 3h2h 2a3a");
    let mut game = game("6k2/1+p7/9/9/9/9/9/1+P2R4/6K2 b - 1");
    checks.iter().for_each(|&mv| game.play(mv));
    for root in ROOTS {
        let mut settings = settings(root);
        settings.gumbel.max_considered = 600;
        let mut search = search(game.clone(), &settings);
        let summary = run(&mut search, quiet(400), uniform);
        let perpetual = root_move(&summary, "2h3h");
        assert_eq!(perpetual.proof, Some(Proof::Loss));
        assert_eq!(perpetual.visits, 1);
        assert_ne!(summary.best, mv("2h3h"));
    }
}

/// At the last ply every move ends the game: the draw's values for both sides sum to 1.
#[test]
fn maximum_plies_are_a_draw_of_its_value_for_both_sides() {
    for root in ROOTS {
        let mut scores = Vec::new();
        for played in ["7g7f", "7g7f 3c3d"] {
            let played = moves(played);
            let rules = Rules { max_plies: Some(played.len() as u16 + 1), ..Rules::STANDARD };
            let mut game = Game::startpos(rules);
            played.iter().for_each(|&mv| game.play(mv));
            let summary = with_draws(game, 100, root);
            assert_eq!((summary.proven, summary.wdl), (Some(Proof::Draw), Wdl::DRAW));
            assert!(summary.moves.iter().all(|root_move| root_move.visits > 0));
            scores.push(summary.score);
        }
        assert_near(scores[0], 0.625);
        assert_near(scores[1], 0.375);
        assert_near(scores[0] + scores[1], 1.0);
    }
}

/// Of several certain draws the one that is worth most is played.
#[test]
fn the_best_of_the_drawing_moves_is_played() {
    let shuffle = moves("5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i");
    let mut game = Game::startpos(Rules { max_plies: Some(12), ..Rules::STANDARD });
    shuffle.iter().for_each(|&mv| game.play(mv));
    for root in ROOTS {
        let summary = with_draws(game.clone(), 200, root);
        assert_eq!((summary.best, summary.proven), (mv("5b5a"), Some(Proof::Draw)));
        assert_near(summary.score, 0.75);
    }
}

/// A mate on the last ply is a mate, not a draw.
#[test]
fn a_mate_comes_before_the_maximum_of_plies() {
    let rules = Rules { max_plies: Some(1), ..Rules::STANDARD };
    let mut settings = settings(RootKind::Puct);
    settings.mate_in_one = false;
    let game = game_under("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", rules);
    let mut search = search(game, &settings);
    let summary = run(&mut search, quiet(200), uniform);
    assert_eq!((summary.best, summary.proven), (mv("G*5b"), Some(Proof::Win)));
}

/// Black has 28 points and has the king and ten pieces in the camp; White is to move.
const CAN_DECLARE: &str = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 w 2RB3Pb4g4s4n4l5p 1";

#[test]
fn a_declaration_at_depth_one_is_a_certain_win_of_the_declarer() {
    for root in ROOTS {
        let game = game_under(CAN_DECLARE, impasse(ImpasseRule::Csa27));
        let mut settings = settings(root);
        let mut quiet_search = search(game.clone(), &settings);
        let summary = run(&mut quiet_search, quiet(50), uniform);
        for root_move in summary.moves.iter().filter(|root_move| root_move.visits > 0) {
            let mut after = game.clone();
            after.play(root_move.mv);
            if after.can_declare().is_some() {
                assert_eq!((root_move.proof, root_move.visits), (Some(Proof::Loss), 1));
            }
        }
        assert!(summary.moves.iter().any(|root_move| root_move.proof == Some(Proof::Loss)));
        settings.declaration = false;
        let mut blind = search(game, &settings);
        let summary = run(&mut blind, quiet(50), uniform);
        assert!(summary.moves.iter().all(|root_move| root_move.proof.is_none()));
    }
}

/// With 28 points under the 24-point rule Black may take a draw, and never has less than that.
#[test]
fn a_declared_draw_is_a_floor_not_an_end() {
    let game = game_under(CAN_DECLARE, impasse(ImpasseRule::Csa24));
    let mut settings = settings(RootKind::Puct);
    settings.puct.root_fpu_reduction = 1.0;
    let draws = DrawValues { jishogi: 0.75, ..DRAWS };
    let mut search = Search::new(game.clone(), &settings, draws, 1);
    // Black is said to be worse off than with the draw: the draw is taken.
    let summary = run(&mut search, quiet(20), uniform);
    let quiet_move = summary.moves.iter().max_by_key(|root_move| root_move.visits).unwrap();
    assert_eq!(quiet_move.proof, None);
    assert_near(quiet_move.wdl.draw, 1.0);
    assert_near(quiet_move.score, 0.25);
    // Black is said to be better off: it plays on.
    let mut search = Search::new(game, &settings, DrawValues { jishogi: 0.25, ..DRAWS }, 1);
    let summary = run(&mut search, quiet(1), uniform);
    let visited = summary.moves.iter().find(|root_move| root_move.visits == 1).unwrap();
    assert_near(visited.wdl.draw, 0.2);
}

#[test]
fn an_automatic_declaration_counts_without_the_setting() {
    let rules = Rules { declaration: Declaration::Automatic, ..impasse(ImpasseRule::Csa27) };
    let mut settings = settings(RootKind::Puct);
    settings.declaration = false;
    let mut search = search(game_under(CAN_DECLARE, rules), &settings);
    let summary = run(&mut search, quiet(50), uniform);
    assert!(summary.moves.iter().any(|root_move| root_move.proof == Some(Proof::Loss)));
}

#[test]
fn a_try_is_played_at_once() {
    for root in ROOTS {
        let game = game_under("k8/4K4/9/9/9/9/9/9/9 b - 1", impasse(ImpasseRule::Try));
        let mut search = search(game, &settings(root));
        let summary = run(&mut search, quiet(50), uniform);
        assert_eq!((summary.best, summary.proven), (mv("5b5a"), Some(Proof::Win)));
    }
}
