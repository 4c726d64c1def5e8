use std::ops::ControlFlow;

use keiko_inference::{Context, Parallel};
use keiko_mcts::{Noise, Search, SearchLimit, Wdl};
use keiko_play::{PlayError, ThinkSettings, think};
use keiko_shogi::Game;

use crate::backends::{Constant, hashed};
use crate::{DRAWS, RULES, SEARCH};

fn settings(simulations: u32, leaves: usize) -> ThinkSettings {
    let limit = SearchLimit { simulations, noise: Noise::Off };
    ThinkSettings { limit, plan: None, leaves, context: Context { draw_values: DRAWS } }
}

fn search() -> Search {
    Search::new(Game::startpos(RULES), &SEARCH, DRAWS, 1)
}

#[test]
fn all_simulations_are_used_with_any_number_of_leaves() {
    for leaves in [1, 4, 32] {
        let mut seen = 0;
        let summary = think(&mut search(), &mut *hashed(1), &settings(60, leaves), |thinking| {
            assert!(thinking.evaluations() > seen);
            seen = thinking.evaluations();
            let summary = thinking.summary();
            assert!(summary.simulations <= 60);
            assert!(summary.simulations == 0 || !thinking.variation(summary.best).is_empty());
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(summary.simulations, 60, "{leaves} leaves");
        assert_eq!(seen, 61, "{leaves} leaves: the root and every simulation");
    }
}

#[test]
fn the_watcher_may_stop_after_one_batch() {
    let backend = &mut Constant::new(Wdl::DRAW);
    let log = backend.log.clone();
    let summary =
        think(&mut search(), backend, &settings(1_000, 8), |_| ControlFlow::Break(())).unwrap();
    assert_eq!(log.lock().unwrap().len(), 1);
    assert!(Game::startpos(RULES).position().is_legal(summary.best));
}

#[test]
fn nonsense_is_an_error() {
    let broken = Wdl { win: 2.0, draw: -1.0, loss: 0.0 };
    let result = think(&mut search(), &mut Constant::new(broken), &settings(5, 1), |_| {
        ControlFlow::Continue(())
    });
    assert!(matches!(result, Err(PlayError::Backend(_))));
}

#[test]
fn batches_may_be_computed_two_at_a_time() {
    let run = || {
        let mut backend = Parallel::new(vec![hashed(1), hashed(1)]);
        let mut evaluations = 0;
        let summary = think(&mut search(), &mut backend, &settings(60, 4), |thinking| {
            evaluations = thinking.evaluations();
            ControlFlow::Continue(())
        });
        (summary.unwrap(), evaluations)
    };
    // Answers come in any order, and each counts once.
    for _ in 0..20 {
        let (summary, evaluations) = run();
        assert_eq!((summary.simulations, evaluations), (60, 61));
    }
}

#[test]
fn what_is_out_when_the_watcher_stops_still_counts() {
    let mut backend = Parallel::new(vec![hashed(1), hashed(1)]);
    let mut batches = 0;
    let summary = think(&mut search(), &mut backend, &settings(1_000, 4), |_| {
        batches += 1;
        if batches < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .unwrap();
    // The root alone, four batches of four, and the two that were out beside the last of them.
    assert_eq!((batches, summary.simulations), (7, 24));
}
