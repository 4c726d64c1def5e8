use std::sync::atomic::AtomicBool;

use keiko_model::{Digest, Manifest, Weights};
use keiko_store::{LocalStore, Store};
use keiko_trainer::event::HeldOutReport;
use keiko_trainer::{
    Event, Generation, TrainError, Trainer, candidates, ingest_pending, publish_untrained,
};

use super::run::{publish, setup};

#[test]
fn a_generation_learns_from_random_games_and_leaves_a_candidate() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    publish(&store, "gen-0001", 60);
    let entries = ingest_pending(&store).unwrap();
    assert_eq!(entries, 1);
    assert_eq!(ingest_pending(&store).unwrap(), 1, "nothing new");

    let mut events = Vec::new();
    let mut subscriber = |event: &Event| events.push(event.clone());
    let setup = setup(150);
    let mut trainer = Trainer::open(&store, setup.clone(), &mut subscriber).unwrap();
    let stop = AtomicBool::new(false);
    let generation = trainer.train(entries, &stop, &mut subscriber).unwrap();
    let Generation::Finished(candidate) = generation.clone() else { panic!("{generation:?}") };
    assert_eq!(trainer.train(entries, &stop, &mut subscriber).unwrap(), generation, "no more data");
    assert_eq!(trainer.steps(), 150);
    assert_eq!(candidates(&store).unwrap(), std::slice::from_ref(&candidate));
    assert_eq!((candidate.number, candidate.step), (0, 150));
    let untrained = publish_untrained(&store, &setup).unwrap().to_string();
    assert_eq!(untrained, publish_untrained(&store, &setup).unwrap().to_string());
    assert_ne!(untrained, candidate.model);
    assert!(store.exists(&format!("models/{untrained}/manifest.toml")).unwrap());
    assert_eq!(candidates(&store).unwrap().len(), 1, "the untrained net is no candidate");
    assert_eq!(candidate.rows, 150 * 32);

    let reports: Vec<HeldOutReport> = events
        .iter()
        .filter_map(|event| if let Event::HeldOut(it) = event { Some(it.clone()) } else { None })
        .collect();
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert!(report.policy_loss < report.policy_loss_uniform - 0.5, "{report:?}");
    assert!(report.policy_accuracy > 0.2, "{report:?}");
    assert!(report.rows > 50 && report.value_loss.is_finite(), "{report:?}");
    assert!((0.6..0.8).contains(&report.value_loss_constant), "{report:?}");

    let folder = format!("models/{}", candidate.model);
    let bytes = store.get(&format!("{folder}/weights.safetensors")).unwrap();
    assert_eq!(Digest::of(&bytes).to_string(), candidate.model);
    Weights::read_safetensors(&bytes, &setup.architecture).unwrap();
    let text = String::from_utf8(store.get(&format!("{folder}/manifest.toml")).unwrap()).unwrap();
    let manifest = Manifest::from_toml(&text).unwrap();
    assert_eq!(manifest.name, "test-s150-r4800");
    assert_eq!((manifest.lineage.shards, manifest.self_tests.len()), (1, 1));

    let lines = String::from_utf8(store.get("metrics.jsonl").unwrap()).unwrap();
    // 50 reports, the window, the measurement and the candidate.
    assert_eq!(lines.lines().count(), 53);
    assert!(!lines.contains("seconds") && !lines.contains("epoch"));
    assert!(store.get("timing.jsonl").unwrap().starts_with(b"{\"event\":\"timing\""));
    let checkpoints = store.list_after("checkpoints", "").unwrap();
    assert_eq!(checkpoints.len(), 2 * 3, "{checkpoints:?}");
}

#[test]
fn without_enough_rows_it_waits() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    publish(&store, "gen-0001", 2);
    let entries = ingest_pending(&store).unwrap();
    let mut trainer = Trainer::open(&store, setup(5), &mut |_| ()).unwrap();
    let stop = AtomicBool::new(false);
    assert_eq!(trainer.train(entries, &stop, &mut |_| ()).unwrap(), Generation::Waiting);
    assert!(candidates(&store).unwrap().is_empty());
    // 4 uses of a row allow more steps than 5, but a generation has no more.
    publish(&store, "gen-0002", 30);
    let entries = ingest_pending(&store).unwrap();
    let generation = trainer.train(entries, &stop, &mut |_| ()).unwrap();
    assert!(matches!(generation, Generation::Finished(it) if it.step == 5 && it.entries == 2));
}

#[test]
fn uses_of_a_row_bound_the_steps() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    publish(&store, "gen-0001", 10);
    let entries = ingest_pending(&store).unwrap();
    let mut rows = 0;
    let mut subscriber = |event: &Event| {
        if let Event::Window(it) = event {
            rows = it.total_rows;
        }
    };
    let mut setup = setup(1000);
    setup.replay.max_uses_per_row = 1.0;
    setup.replay.max_rows_per_game = 100;
    let mut trainer = Trainer::open(&store, setup, &mut subscriber).unwrap();
    trainer.train(entries, &AtomicBool::new(false), &mut subscriber).unwrap();
    assert!(rows > 200);
    assert_eq!(trainer.steps(), rows / 32);
}

#[test]
fn losses_that_are_not_finite_end_the_run_above_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    publish(&store, "gen-0001", 30);
    let entries = ingest_pending(&store).unwrap();
    let mut setup = setup(50);
    setup.settings.learning_rate = 1e30;
    setup.settings.max_not_finite = 3;
    let mut counts = Vec::new();
    let mut subscriber = |event: &Event| {
        if let Event::NotFinite(it) = event {
            counts.push(it.count);
        }
    };
    let mut trainer = Trainer::open(&store, setup, &mut subscriber).unwrap();
    let error = trainer.train(entries, &AtomicBool::new(false), &mut subscriber).unwrap_err();
    assert!(matches!(error, TrainError::NotFinite { count: 4, allowed: 3, .. }), "{error}");
    assert_eq!(counts, [1, 2, 3, 4]);
}

#[test]
fn a_setting_out_of_range_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    let mut setup = setup(5);
    setup.settings.clip_norm = 0.0;
    let error = Trainer::open(&store, setup, &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "trainer.clip_norm must be above 0");
}
