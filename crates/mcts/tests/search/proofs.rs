//! Mates are found, proven and played; losses are left alone.

use keiko_mcts::{Proof, RootKind, RootMove, SearchSettings, Wdl};
use keiko_shogi::Position;

use crate::hashed::{hashed, uniform};
use crate::support::{
    MIDDLE, ROOTS, assert_near, game, mv, quiet, root_move, run, search, settings,
};

/// Positions from play and their only mating moves, checked with an exact mate search.
const MATE_IN_THREE: [(&str, &str); 4] = [
    ("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42", "B*5g"),
    ("lns+R4l/1p1p5/p1pkppB1p/6p2/1R7/6P1P/P1PPnPS2/2+b1G1g2/L3K1sNL b 2GS3Pnp 51", "S*5b"),
    ("lnsG5/4g4/prpp1p1pp/1p4p2/4+B3k/2P1P4/P+b1PSP1LP/4K2SL/2G2G1r1 b SP3nl3p 71", "1g1f"),
    ("l2+B1+R2l/n1s1G1+P2/p2p5/kpp1p3p/N4K3/3BP2s1/P1NP1PP1P/3g5/L1+ps2SNL b R2G4P 97", "6a7b"),
];

const MATE_IN_ONE: [(&str, &str); 3] = [
    ("Kbg4nl/3sk1gs1/2n4pp/1G1p5/1pP4P1/4S4/P2PPG2P/1L7/LNS4NL w 7P2Rpb 1", "B*8b"),
    ("ln3+P1nl/1b3G1s1/p4+B1pp/6p2/2P5P/1P3P1k1/P5P2/2G2+pSK1/LN3G1NL b 4PG2p2s2r 1", "G*3f"),
    ("+Pn5nl/4+P2S1/p2+R2gp1/1pp2sk1p/P3Pp2b/6P1G/5P2P/4GGKL1/L+r4SNL b 5pnsb 1", "1f2e"),
];

#[test]
fn mate_in_one_is_played_after_the_root_evaluation_alone() {
    for root in ROOTS {
        for (sfen, mate) in MATE_IN_ONE {
            let mut search = search(game(sfen), &settings(root));
            let summary = run(&mut search, quiet(100), hashed);
            assert_eq!(summary.best, mv(mate), "{sfen}");
            assert_eq!(summary.proven, Some(Proof::Win), "{sfen}");
            assert_eq!((summary.simulations, summary.wdl), (0, Wdl::WIN), "{sfen}");
            assert_near(root_move(&summary, mate).policy, 1.0);
        }
    }
}

#[test]
fn mate_in_one_is_found_by_search_alone_too() {
    for root in ROOTS {
        for (sfen, mate) in MATE_IN_ONE {
            let mut settings = settings(root);
            settings.mate_in_one = false;
            settings.gumbel.max_considered = 600;
            let mut search = search(game(sfen), &settings);
            let summary = run(&mut search, quiet(5000), uniform);
            assert_eq!((summary.best, summary.proven), (mv(mate), Some(Proof::Win)), "{sfen}");
        }
    }
}

#[test]
fn mate_in_three_is_proven() {
    for root in ROOTS {
        for (sfen, mate) in MATE_IN_THREE {
            let mut settings = settings(root);
            settings.gumbel.max_considered = 600;
            let mut search = search(game(sfen), &settings);
            let summary = run(&mut search, quiet(20_000), uniform);
            assert_eq!((summary.best, summary.proven), (mv(mate), Some(Proof::Win)), "{sfen}");
            assert!(summary.simulations < 20_000, "{sfen}: a proof ends the search");
            assert_eq!(search.variation(summary.best).first(), Some(&summary.best));
        }
    }
}

/// The same positions with the other side to move, where that is legal: what leaves the mate loses at its first visit.
#[test]
fn a_mate_in_three_at_a_leaf_needs_no_evaluation() {
    let lost = |sfen: &str, nodes: u32| {
        let settings = SearchSettings { mate_in_three_nodes: nodes, ..settings(RootKind::Puct) };
        let summary = run(&mut search(game(sfen), &settings), quiet(600), uniform);
        let lost = |m: &&RootMove| m.proof == Some(Proof::Loss) && m.visits == 1;
        summary.moves.iter().filter(lost).count()
    };
    let passed = MATE_IN_THREE.map(|(sfen, _)| {
        let words: Vec<&str> = sfen.split(' ').collect();
        let side = if words[1] == "b" { "w" } else { "b" };
        format!("{} {side} {} {}", words[0], words[2], words[3])
    });
    let positions = passed.iter().filter(|sfen| Position::from_sfen(sfen).is_ok());
    let lost: Vec<(usize, usize)> =
        positions.map(|sfen| (lost(sfen, 0), lost(sfen, 200))).collect();
    assert!(lost.iter().any(|(without, with)| *with > without + 10), "{lost:?}");
}

/// After the first move of a mate in three, the other side is lost whatever it plays.
#[test]
fn a_lost_root_is_proven_and_still_names_a_move() {
    for root in ROOTS {
        for (sfen, mate) in MATE_IN_THREE {
            let mut game = game(sfen);
            game.play(mv(mate));
            let mut search = search(game, &settings(root));
            let summary = run(&mut search, quiet(5000), uniform);
            assert_eq!(summary.proven, Some(Proof::Loss), "{sfen}");
            assert_eq!(summary.wdl, Wdl::LOSS);
            assert!(summary.moves.iter().any(|root_move| root_move.mv == summary.best));
            assert_near(summary.moves.iter().map(|root_move| root_move.policy).sum(), 1.0);
        }
    }
}

/// White is about to mate by G*5b's mirror image: most of Black's moves lose to it at once.
#[test]
fn losing_moves_take_no_budget_and_are_never_chosen() {
    // White threatens G*5h; Black has many useless moves and few that defend.
    let sfen = "4k4/9/9/9/9/9/4p4/9/4K4 b 2P2gr 1";
    for root in ROOTS {
        let mut settings = settings(root);
        settings.gumbel.max_considered = 4;
        let mut search = search(game(sfen), &settings);
        let summary = run(&mut search, quiet(400), hashed);
        let lost: Vec<_> = summary.moves.iter().filter(|m| m.proof == Some(Proof::Loss)).collect();
        assert!(!lost.is_empty(), "the position has losing moves");
        for root_move in &lost {
            assert_eq!(root_move.wdl, Wdl::LOSS);
            assert_near(root_move.score, 0.0);
            assert_eq!(root_move.visits, 1, "{}: proven at once, then left alone", root_move.mv);
        }
        if summary.proven.is_none() {
            let alive = summary.moves.iter().filter(|m| m.proof.is_none() && m.visits > 0);
            let sum: f32 = alive.clone().map(|m| m.score * m.visits as f32).sum();
            let visits: u32 = alive.map(|m| m.visits).sum();
            let raw = summary.raw_wdl.score(0.5);
            assert_near(summary.score, (raw + sum) / (1.0 + visits as f32));
            let best = summary.moves.iter().find(|m| m.mv == summary.best).unwrap();
            assert_eq!(best.proof, None);
        }
    }
}

#[test]
fn a_proof_of_the_subtree_is_kept_with_it() {
    let (sfen, mate) = MATE_IN_THREE[1];
    let mut settings = settings(RootKind::Puct);
    settings.reuse_subtree = true;
    let mut search = search(game(sfen), &settings);
    let summary = run(&mut search, quiet(20_000), uniform);
    assert_eq!(summary.best, mv(mate));
    search.advance(summary.best);
    let reply = run(&mut search, quiet(100), uniform);
    assert_eq!((reply.proven, reply.simulations), (Some(Proof::Loss), 0));
}

#[test]
fn the_root_mate_search_ends_the_search_at_once() {
    for root in ROOTS {
        for (sfen, mate) in MATE_IN_THREE {
            let settings = SearchSettings { root_mate_nodes: 2000, ..settings(root) };
            let mut search = search(game(sfen), &settings);
            let summary = run(&mut search, quiet(100), hashed);
            assert_eq!((summary.best, summary.proven), (mv(mate), Some(Proof::Win)), "{sfen}");
            assert_eq!((summary.simulations, summary.wdl), (0, Wdl::WIN), "{sfen}");
            assert_near(root_move(&summary, mate).policy, 1.0);
            assert_eq!(search.game().sfen(), game(sfen).sfen());
        }
    }
}

#[test]
fn a_root_mate_search_that_finds_nothing_changes_nothing() {
    for root in ROOTS {
        for sfen in [MIDDLE, MATE_IN_THREE[0].0] {
            let summaries = [(0, 40), (1, 40), (2000, 0), (0, 0)].map(|(nodes, simulations)| {
                let settings = SearchSettings { root_mate_nodes: nodes, ..settings(root) };
                run(&mut search(game(sfen), &settings), quiet(simulations), hashed)
            });
            assert_eq!(summaries[0], summaries[1], "too few nodes");
            assert_eq!(summaries[2], summaries[3], "nothing is to be searched");
        }
    }
}
