//! Gate matches between backends that hash: deterministic, quick, and of no strength at all.

use std::convert::Infallible;
use std::ops::ControlFlow;

use keiko_arena::contest::ContestError;
use keiko_arena::gate::{self, GateError, GateMatch, GateMode, GateSettings, Verdict};
use keiko_arena::openings::OpeningSettings;
use keiko_arena::statistics::{Decision, SprtSettings};
use keiko_formats::GameLine;
use keiko_inference::{EncodingId, Hashed};
use keiko_mcts::{GumbelSettings, SearchSettings};
use keiko_play::{GroupSettings, Resignation};
use keiko_shogi::{DrawValues, Game, Rules};
use keiko_store::{LocalStore, Store};

const RULES: Rules = Rules { max_plies: Some(40), ..Rules::STANDARD };

fn settings() -> GateSettings {
    GateSettings {
        mode: GateMode::Strict,
        simulations: 4,
        openings: OpeningSettings::Random { plies: 4 },
        sprt: SprtSettings {
            elo0: 0.0,
            elo1: 30.0,
            alpha: 0.05,
            beta: 0.05,
            min_pairs: 4,
            cap_pairs: 6,
        },
        group: GroupSettings { slots: 4, batch_shape: 16, jishogi_threshold: 0.0 },
        resignation: Resignation { threshold: 0.0, turns: 1 },
    }
}

pub(crate) fn search() -> SearchSettings {
    SearchSettings {
        mate_in_one: true,
        declaration: true,
        reuse_subtree: true,
        max_nodes: 1000,
        gumbel: GumbelSettings { max_considered: 4, ..GumbelSettings::PAPER },
        ..SearchSettings::BARE
    }
}

fn gate_match(settings: &GateSettings, workers: usize) -> GateMatch<'_> {
    GateMatch {
        candidate: "c0ffee",
        champion: "beef",
        opening_seed: 5,
        opening_text: None,
        settings,
        search: search(),
        rules: RULES,
        draw_values: DrawValues::HALF,
        workers,
    }
}

fn hashed(candidate: u64, champion: u64) -> impl Fn(usize) -> Result<[Hashed; 2], Infallible> {
    move |_| Ok([candidate, champion].map(|seed| Hashed::new(EncodingId::Dlshogi57, seed)))
}

fn play(
    store: &LocalStore,
    game: &GateMatch<'_>,
    seeds: (u64, u64),
) -> Result<Verdict, GateError<Infallible>> {
    gate::run(store, game, hashed(seeds.0, seeds.1), |_| ControlFlow::Continue(()))
}

#[test]
fn the_verdict_does_not_depend_on_the_workers() {
    let settings = settings();
    let mut seen = None;
    for workers in [1, 2, 5] {
        let folder = tempfile::tempdir().unwrap();
        let store = LocalStore::open(folder.path()).unwrap();
        play(&store, &gate_match(&settings, workers), (1, 2)).unwrap();
        let files = ["verdict.toml", "games.usi"]
            .map(|name| store.get(&format!("gate/c0ffee/{name}")).unwrap());
        assert_eq!(*seen.get_or_insert(files.clone()), files, "{workers} workers");
    }
}

#[test]
fn the_games_are_stored_in_order_and_can_be_replayed() {
    let settings = settings();
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let verdict = play(&store, &gate_match(&settings, 2), (1, 2)).unwrap();
    let text = String::from_utf8(store.get("gate/c0ffee/games.usi").unwrap()).unwrap();
    let games = GameLine::parse_all(&text).unwrap();
    let pairs = verdict.pairs.pairs() + verdict.repeated_pairs;
    assert_eq!(games.len() as u64, 2 * pairs);
    let mut openings = Vec::new();
    for (index, line) in games.iter().enumerate() {
        assert_eq!(line.tag("pair"), Some((index / 2).to_string().as_str()));
        assert_eq!(line.tag("candidate"), Some(["black", "white"][index % 2]));
        openings.push(line.moves()[..4].to_vec());
        let mut game = Game::new(line.start().clone(), line.move_number(), RULES);
        for &mv in line.moves() {
            assert_eq!(game.end(), None);
            game.play(mv);
        }
        let reason = line.tag("reason").unwrap();
        if reason != "nyugyoku_declaration" {
            let end = game.end().unwrap();
            assert_eq!(Some(end.outcome.name()), line.tag("outcome"));
            assert_eq!(end.reason.to_string(), reason);
        }
    }
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    openings.dedup();
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len() as u64, pairs, "no opening is used twice");
    assert_eq!(verdict.reasons.values().sum::<u64>(), verdict.games.games());
}

#[test]
fn a_model_does_not_beat_itself() {
    let settings = settings();
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let verdict = play(&store, &gate_match(&settings, 2), (3, 3)).unwrap();
    assert!(!verdict.promoted);
    assert_eq!(verdict.pairs.counts.iter().sum::<u64>(), verdict.pairs.counts[2]);
    assert!((verdict.elo.unwrap().estimate).abs() < 1e-9);
}

#[test]
fn a_verdict_that_is_there_is_returned_without_a_game() {
    let settings = settings();
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let first = play(&store, &gate_match(&settings, 1), (1, 2)).unwrap();
    let never = |_| -> Result<[Hashed; 2], Infallible> { panic!("no evaluator is needed") };
    let again = gate::run(&store, &gate_match(&settings, 2), never, |_| ControlFlow::Break(()));
    assert_eq!(again.unwrap(), first);
    let other = GateSettings { simulations: 5, ..settings.clone() };
    assert_eq!(play(&store, &gate_match(&other, 1), (1, 2)).unwrap(), first);
    let other = GateMatch { champion: "dead", ..gate_match(&settings, 1) };
    let error = play(&store, &other, (1, 2)).unwrap_err();
    assert!(matches!(error, GateError::OtherMatch { field: "champion", .. }), "{error}");
}

#[test]
fn an_interrupted_match_leaves_nothing_and_can_be_played_again() {
    let settings = settings();
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let game = gate_match(&settings, 2);
    let error = gate::run(&store, &game, hashed(1, 2), |standing| {
        if standing.finished_games < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(error, Err(GateError::Contest(ContestError::Interrupted))));
    assert!(store.list_after("gate", "").unwrap().is_empty());
    // Games without a verdict, as a kill leaves them, are replaced.
    store.put_new("gate/c0ffee/games.usi", b"half a match").unwrap();
    let verdict = play(&store, &game, (1, 2)).unwrap();
    assert_ne!(verdict.decision, Decision::CapPositive);
    assert_ne!(store.get("gate/c0ffee/games.usi").unwrap(), b"half a match");
}

#[test]
fn an_evaluator_that_does_not_open_is_an_error() {
    #[derive(Debug, thiserror::Error)]
    #[error("no device")]
    struct NoDevice;
    let settings = settings();
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let none = |_| Err::<[Hashed; 2], _>(NoDevice);
    let error = gate::run(&store, &gate_match(&settings, 2), none, |_| ControlFlow::Continue(()));
    assert_eq!(error.unwrap_err().to_string(), "cannot open an evaluator: no device");
}

#[test]
fn an_opening_list_is_used_and_must_be_long_enough() {
    let text = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";
    let mut settings = settings();
    settings.openings = OpeningSettings::File { path: "book.sfen".to_owned() };
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::open(folder.path()).unwrap();
    let missing = play(&store, &gate_match(&settings, 1), (1, 2)).unwrap_err();
    assert!(missing.to_string().contains("book.sfen"), "{missing}");
    let game = GateMatch { opening_text: Some(text), ..gate_match(&settings, 1) };
    let short = play(&store, &game, (1, 2)).unwrap_err();
    assert_eq!(short.to_string(), "openings: 2 different openings for 6 pairs");
    settings.sprt.cap_pairs = 2;
    settings.sprt.min_pairs = 1;
    let game = GateMatch { opening_text: Some(text), ..gate_match(&settings, 1) };
    let verdict = play(&store, &game, (1, 2)).unwrap();
    assert!(verdict.pairs.pairs() <= 2);
}
