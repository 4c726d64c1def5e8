use keiko_inference::Backend;
use keiko_mcts::Wdl;
use keiko_play::{Activity, Decision, Group, GroupSettings, PlayError, Player};
use keiko_shogi::{EndReason, Game, Move, Outcome, Rules};

use crate::backends::{Constant, hashed};
use crate::director::List;
use crate::{RULES, SEARCH};

fn settings(slots: usize, batch_shape: usize) -> GroupSettings {
    GroupSettings { slots, batch_shape, jishogi_threshold: 0.1 }
}

fn players(count: usize) -> Vec<Player> {
    (0..count).map(|backend| Player { backend, search: SEARCH }).collect()
}

fn play(list: List, settings: GroupSettings, backends: &mut [Box<dyn Backend>]) -> Group<List> {
    let mut group = Group::new(list, players(backends.len()), settings);
    while group.step(backends).unwrap() != Activity::Finished {}
    group
}

fn start() -> Game {
    Game::startpos(RULES)
}

#[test]
fn games_depend_on_no_slot_and_no_shape() {
    let alone = play(List::new(start(), 7), settings(1, 1), &mut [hashed(5)]);
    let together = play(List::new(start(), 7), settings(5, 3), &mut [hashed(5)]);
    let games = alone.director().games();
    assert_eq!(games.len(), 7);
    assert_eq!(games, together.director().games());
    let other = play(List::new(start(), 7), settings(5, 3), &mut [hashed(6)]);
    assert_ne!(games, other.director().games());
}

#[test]
fn every_game_is_drained_and_fully_traced() {
    let group = play(List::new(start(), 9), settings(4, 16), &mut [hashed(5)]);
    let counts = group.counts();
    let finished = &group.director().finished;
    assert_eq!((finished.len(), counts.games), (9, 9));
    let plies: usize = finished.iter().map(|game| game.plies.len()).sum();
    assert_eq!(plies as u64, counts.plies);
    for game in finished {
        assert_eq!(Some(game.end), game.game.end());
        let traced: Vec<Move> = game.plies.iter().map(|ply| ply.mv).collect();
        assert_eq!(traced, game.game.moves());
        let mut replayed = start();
        for ply in &game.plies {
            assert!(replayed.position().is_legal(ply.mv));
            assert!(ply.summary.simulations <= 4);
            replayed.play(ply.mv);
        }
    }
}

#[test]
fn leaves_beyond_the_shape_become_another_batch_of_the_same_shape() {
    let backend = Constant::new(Wdl::DRAW);
    let log = backend.log.clone();
    let mut backends: [Box<dyn Backend>; 1] = [Box::new(backend)];
    let mut group = Group::new(List::new(start(), 20), players(1), settings(20, 16));
    for _ in 0..3 {
        assert_eq!(group.step(&mut backends).unwrap(), Activity::Busy);
    }
    assert_eq!(*log.lock().unwrap(), [(16, 16), (4, 16)].repeat(3));
    assert_eq!((group.counts().evaluations, group.counts().batches), (60, 6));
}

#[test]
fn each_side_is_searched_by_its_own_player() {
    let sure = Constant::new(Wdl::WIN);
    let unsure = Constant::new(Wdl::DRAW);
    let logs = [sure.log.clone(), unsure.log.clone()];
    let mut list = List::new(start(), 3);
    list.seats = [1, 0];
    let group = play(list, settings(2, 16), &mut [Box::new(sure), Box::new(unsure)]);
    for game in &group.director().finished {
        for (ply, traced) in game.plies.iter().enumerate() {
            let (player, raw) = if ply % 2 == 0 { (1, Wdl::DRAW) } else { (0, Wdl::WIN) };
            assert_eq!((traced.player, traced.summary.raw_wdl), (player, raw));
        }
    }
    let rows = logs.map(|log| log.lock().unwrap().iter().map(|(rows, _)| rows).sum::<usize>());
    assert_eq!(rows.iter().sum::<usize>() as u64, group.counts().evaluations);
    assert!(rows[0] > 0 && rows[1] > 0);
}

#[test]
fn searches_of_two_players_follow_each_others_moves() {
    let mut reuse = SEARCH;
    reuse.reuse_subtree = true;
    let mut list = List::new(start(), 4);
    list.seats = [0, 1];
    let players = vec![Player { backend: 0, search: reuse }, Player { backend: 0, search: SEARCH }];
    let mut group = Group::new(list, players, settings(3, 16));
    while group.step(&mut [hashed(5)]).unwrap() != Activity::Finished {}
    assert_eq!(group.director().finished.len(), 4);
}

#[test]
fn a_side_may_resign() {
    let mut list = List::new(start(), 1);
    list.decide = |turn, summary| {
        if turn.searched_plies == 3 { Decision::Resign } else { Decision::Play(summary.best) }
    };
    let group = play(list, settings(1, 16), &mut [hashed(5)]);
    let game = &group.director().finished[0];
    assert_eq!((game.end.reason, game.end.outcome), (EndReason::Resignation, Outcome::BlackWins));
    assert_eq!((game.plies.len(), game.end.ply), (3, 3));
}

#[test]
fn an_illegal_choice_is_an_error() {
    let mut list = List::new(start(), 1);
    list.decide = |_, _| Decision::Play("5i5a".parse().unwrap());
    let mut group = Group::new(list, players(1), settings(1, 16));
    let error = loop {
        if let Err(error) = group.step(&mut [hashed(5)]) {
            break error;
        }
    };
    assert!(matches!(error, PlayError::IllegalMove { ply: 0, .. }), "{error}");
    assert!(group.director().finished.is_empty());
}

#[test]
fn a_backend_that_answers_nonsense_is_an_error_and_no_result() {
    let broken = Constant::new(Wdl { win: f32::NAN, draw: 0.0, loss: 0.0 });
    let mut group = Group::new(List::new(start(), 3), players(1), settings(2, 16));
    let error = group.step(&mut [Box::new(broken)]).unwrap_err();
    assert!(matches!(error, PlayError::Backend(_)), "{error}");
    assert!(group.director().finished.is_empty());
}

#[test]
fn a_game_that_is_over_at_its_start_needs_no_evaluation() {
    let rules = Rules { max_plies: Some(0), ..RULES };
    let group = play(List::new(Game::startpos(rules), 2), settings(1, 16), &mut [hashed(5)]);
    assert_eq!(group.counts().evaluations, 0);
    assert!(group.director().finished.iter().all(|game| game.end.reason == EndReason::MaxPlies));
}
