use std::sync::atomic::{AtomicBool, Ordering};

use keiko_network::HeadWeights;
use keiko_store::Store;
use keiko_trainer::{Event, Generation, Setup, TrainError, Trainer, candidates, ingest_pending};

use super::memory_store::MemoryStore;
use super::run::{publish, results, setup};

const STEPS: u64 = 3;

/// Generations of a few steps on small batches.
fn small_setup() -> Setup {
    let mut setup = setup(STEPS);
    setup.settings.batch_rows = 16;
    setup.settings.held_out_rows = 16;
    setup.settings.report_every_steps = 2;
    setup.settings.norm_refresh_batches = 1;
    setup
}

/// A store with the data of two generations.
fn data() -> MemoryStore {
    let store = MemoryStore::new();
    for stream in ["gen-0001", "gen-0002"] {
        publish(&store, stream, 12);
        ingest_pending(&store).unwrap();
    }
    store
}

/// [`small_setup`] with all auxiliary heads.
fn setup_with_heads() -> Setup {
    let mut setup = small_setup();
    setup.settings.heads = HeadWeights { reply: 0.5, plies_left: 0.25, soft_policy: 0.25 };
    setup
}

/// Trains both generations, as a run does that may have been killed before.
fn train(store: &dyn Store) -> Result<(), TrainError> {
    train_as(store, small_setup())
}

fn train_as(store: &dyn Store, setup: Setup) -> Result<(), TrainError> {
    let mut ignore = |_: &Event| ();
    let mut trainer = Trainer::open(store, setup, &mut ignore)?;
    for entries in trainer.entries().max(1)..=2 {
        let generation = trainer.train(entries, &AtomicBool::new(false), &mut ignore)?;
        assert!(matches!(generation, Generation::Finished(_)));
    }
    Ok(())
}

/// Whoever sees a candidate may rely on the rest of its generation: nothing of it is still to come.
fn assert_candidates_are_settled(store: &dyn Store) {
    let entered = candidates(store).unwrap().len();
    let metrics = store.get("metrics.jsonl").unwrap_or_default();
    let metrics = String::from_utf8(metrics).unwrap();
    assert!(metrics.matches("\"event\":\"candidate\"").count() >= entered, "{entered}: {metrics}");
    let mut trainer = Trainer::open(store, small_setup(), &mut |_| ()).unwrap();
    let entries = u32::try_from(entered).unwrap();
    if entries > trainer.entries() || entries == 0 {
        assert_eq!(entries, 0, "a candidate that no checkpoint knows");
        return;
    }
    if entries == trainer.entries() {
        let steps = trainer.steps();
        trainer.train(entries, &AtomicBool::new(false), &mut |_| ()).unwrap();
        assert_eq!(trainer.steps(), steps, "a candidate before the end of its generation");
    }
}

#[test]
fn killed_before_any_write_it_goes_on_as_if_never_stopped() {
    let data = data();
    let straight = data.copy(usize::MAX);
    train(&straight).unwrap();
    let expected = results(&straight);

    let mut writes = 0;
    loop {
        let killed = data.copy(writes);
        let finished = train(&killed).is_ok();
        let store = killed.copy(usize::MAX);
        assert_candidates_are_settled(&store);
        train(&store).unwrap();
        let found = results(&store);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.0, expected.0, "after {writes} writes");
            assert!(found.1 == expected.1, "{} differs after {writes} writes", found.0);
        }
        assert_eq!(found.len(), expected.len(), "after {writes} writes");
        if finished {
            break;
        }
        writes += 1;
    }
    assert!(writes > 20, "{writes}");
}

#[test]
fn from_a_checkpoint_of_an_earlier_generation_it_comes_to_the_same() {
    let store = data();
    train(&store).unwrap();
    let expected = results(&store);

    let store = data();
    let mut setup = small_setup();
    setup.settings.keep_checkpoints = 10;
    let mut trainer = Trainer::open(&store, setup, &mut |_| ()).unwrap();
    for entries in 1..=2 {
        trainer.train(entries, &AtomicBool::new(false), &mut |_| ()).unwrap();
    }
    for key in store.list_after("checkpoints", "").unwrap() {
        if !key.starts_with("checkpoints/000000-0000000002/") {
            store.delete(&key).unwrap();
        }
    }
    train(&store).unwrap();
    assert!(results(&store) == expected);
}

/// Checkpoints hold the heads with their moments and average; models, and what is told of a run without heads, do not.
#[test]
fn with_heads_a_run_goes_on_to_the_same_bytes_and_its_models_have_none() {
    let store = data();
    train_as(&store, setup_with_heads()).unwrap();
    let expected = results(&store);

    let killed = data();
    let mut trainer = Trainer::open(&killed, setup_with_heads(), &mut |_| ()).unwrap();
    let stop = AtomicBool::new(false);
    let mut subscriber = |event: &Event| {
        if matches!(event, Event::Steps(_)) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    assert_eq!(trainer.train(1, &stop, &mut subscriber).unwrap(), Generation::Stopped);
    drop(trainer);
    train_as(&killed, setup_with_heads()).unwrap();
    assert!(results(&killed) == expected);

    let plain = data();
    train(&plain).unwrap();
    let plain = results(&plain);
    let sizes = |results: &[(String, Vec<u8>)]| {
        let models = results.iter().filter(|it| it.0.ends_with("weights.safetensors"));
        models.map(|it| it.1.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(&plain), sizes(&expected));
    let [of_plain, of_heads] = [&plain, &expected].map(|it| String::from_utf8_lossy(&it[0].1));
    for head in ["reply_loss", "plies_left_loss", "soft_policy_loss"] {
        assert!(of_heads.contains(head) && !of_plain.contains(head), "{head}");
    }
}

#[test]
fn a_checkpoint_with_other_heads_is_refused_by_name() {
    let store = data();
    train(&store).unwrap();
    let error = Trainer::open(&store, setup_with_heads(), &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("was trained with no auxiliary head"), "{error}");
    assert!(error.contains("asks for heads reply, plies_left, soft_policy"), "{error}");

    let store = data();
    train_as(&store, setup_with_heads()).unwrap();
    let mut other = setup_with_heads();
    other.settings.heads.reply = 0.0;
    let error = Trainer::open(&store, other, &mut |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Heads { .. }), "{error}");
    let mut heavier = setup_with_heads();
    heavier.settings.heads.reply = 1.0;
    Trainer::open(&store, heavier, &mut |_| ()).unwrap();
}

#[test]
fn a_run_that_lost_all_checkpoints_does_not_start_from_zero() {
    let store = data();
    train(&store).unwrap();
    for key in store.list_after("checkpoints", "").unwrap() {
        store.delete(&key).unwrap();
    }
    let error = train(&store).unwrap_err();
    assert!(matches!(error, TrainError::NoCheckpoint { candidates: 2 }), "{error}");
}

#[test]
fn stopped_and_asked_again_it_goes_on() {
    let store = data();
    train(&store).unwrap();
    let expected = results(&store);

    let store = data();
    let mut trainer = Trainer::open(&store, small_setup(), &mut |_| ()).unwrap();
    for entries in 1..=2 {
        let stop = AtomicBool::new(false);
        // Stops after the first report of each generation.
        let mut subscriber = |event: &Event| {
            if matches!(event, Event::Steps(_)) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        assert_eq!(trainer.train(entries, &stop, &mut subscriber).unwrap(), Generation::Stopped);
        stop.store(false, Ordering::Relaxed);
        let generation = trainer.train(entries, &stop, &mut |_| ()).unwrap();
        assert!(matches!(generation, Generation::Finished(_)));
    }
    assert!(results(&store) == expected);
}

#[test]
fn a_stale_learner_writes_nothing_more() {
    let store = data();
    let mut stale = Trainer::open(&store, small_setup(), &mut |_| ()).unwrap();
    let _newer = Trainer::open(&store, small_setup(), &mut |_| ()).unwrap();
    let error = stale.train(1, &AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Stale { epoch: 0, newest: 1 }), "{error}");
    assert!(store.list_after("checkpoints", "").unwrap().is_empty());
}

#[test]
fn a_generation_before_the_trained_ones_is_refused() {
    let store = data();
    train(&store).unwrap();
    let mut trainer = Trainer::open(&store, small_setup(), &mut |_| ()).unwrap();
    assert_eq!((trainer.entries(), trainer.steps()), (2, 2 * STEPS));
    let error = trainer.train(1, &AtomicBool::new(false), &mut |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Backwards { have: 2, asked: 1 }), "{error}");
}

#[test]
fn a_checkpoint_of_another_net_or_optimiser_is_refused() {
    let store = data();
    train(&store).unwrap();
    let mut other = small_setup();
    other.architecture.channels = 16;
    let error = Trainer::open(&store, other, &mut |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Architecture { .. }), "{error}");
    let mut other = small_setup();
    other.settings.optimiser = keiko_network::Optimiser::Sgd { momentum: 0.9 };
    let error = Trainer::open(&store, other, &mut |_| ()).unwrap_err();
    assert!(matches!(error, TrainError::Checkpoint { .. }), "{error}");
}
