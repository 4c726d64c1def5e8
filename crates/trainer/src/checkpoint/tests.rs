use keiko_model::Activation;
use keiko_store::LocalStore;

use super::*;

fn architecture() -> Architecture {
    Architecture {
        encoding: "dlshogi-57".parse().unwrap(),
        blocks: 1,
        channels: 4,
        squeeze_excitation: 0,
        value_channels: 1,
        value_hidden: 2,
        activation: Activation::Relu,
    }
}

fn put(store: &dyn Store, epoch: u32, step: u64) -> String {
    let progress = Progress { batches: step + 1, ..Progress::default() };
    let state = format!("state {epoch} {step}");
    let contents = Contents {
        epoch,
        step,
        metrics_bytes: 10 * step,
        heads: Vec::new(),
        architecture: &architecture(),
        progress: &progress,
        state: state.as_bytes(),
        weights: b"weights",
    };
    write(store, &contents).unwrap()
}

fn newest_step(store: &dyn Store) -> (Option<u64>, Vec<String>) {
    let mut problems = Vec::new();
    let newest = newest(store, |folder, problem| problems.push(format!("{folder}: {problem}")));
    (newest.unwrap().map(|restored| restored.checkpoint.step), problems)
}

#[test]
fn the_newest_is_by_epoch_and_then_by_step() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    assert!(newest(&store, |_, _| ()).unwrap().is_none());
    put(&store, 0, 90);
    put(&store, 1, 5);
    put(&store, 1, 10);
    let restored = newest(&store, |_, _| ()).unwrap().unwrap();
    assert_eq!(restored.key, "checkpoints/000001-0000000010");
    assert_eq!(restored.state, b"state 1 10");
    assert_eq!(restored.checkpoint.progress.batches, 11);
    assert_eq!(restored.checkpoint.metrics_bytes, 100);
    assert_eq!(restored.checkpoint.architecture, architecture());
}

#[test]
fn metrics_that_lost_their_end_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    check_metrics(&store).unwrap();
    put(&store, 0, 1);
    put(&store, 1, 2);
    let lost = check_metrics(&store).unwrap_err();
    assert!(matches!(lost, TrainError::LostMetrics { there: 0, needed: 20 }), "{lost}");
    store.append(METRICS, "a line of 19 bytes.").unwrap();
    check_metrics(&store).unwrap();
    store.truncate(METRICS, 19).unwrap();
    let lost = check_metrics(&store).unwrap_err().to_string();
    assert!(lost.contains("metrics.jsonl lost its end: it has 19 of the 20 bytes"), "{lost}");
    assert!(lost.contains("`yes '' | head -c 20 >metrics.jsonl`"), "{lost}");
}

#[test]
fn what_was_not_finished_is_no_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    put(&store, 0, 1);
    for (step, files) in [(2, &[STATE][..]), (3, &[STATE, WEIGHTS])] {
        for file in files {
            store.put_new(&format!("{FOLDER}/000000-{step:010}/{file}"), b"x").unwrap();
        }
    }
    assert_eq!(newest_step(&store), (Some(1), vec![]));
}

#[test]
fn a_damaged_one_is_reported_and_the_one_before_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    put(&store, 0, 1);
    let hurt = |folder: &str, file: &str, bytes: &[u8]| {
        let key = format!("{folder}/{file}");
        store.delete(&key).unwrap();
        store.put_new(&key, bytes).unwrap();
    };
    hurt(&put(&store, 0, 2), STATE, b"other");
    hurt(&put(&store, 0, 3), INDEX, b"version = 1");
    store.delete(&format!("{}/{WEIGHTS}", put(&store, 0, 4))).unwrap();
    let index = dir.path().join(put(&store, 0, 5)).join(INDEX);
    let text = std::fs::read_to_string(&index).unwrap();
    std::fs::write(index, text.replace("batches = 6", "batches = 7")).unwrap();
    assert_eq!(fewest_entries(&store).unwrap(), Some(0));
    let (step, problems) = newest_step(&store);
    assert_eq!(step, Some(1));
    assert_eq!(problems.len(), 4, "{problems:?}");
    assert!(problems[0].contains("state.toml is damaged (the hash"), "{problems:?}");
    assert!(problems[1].contains("weights.safetensors is missing"), "{problems:?}");
    assert!(problems[3].contains("state.safetensors has another hash"), "{problems:?}");
}

#[test]
fn pruning_keeps_the_newest_and_removes_older_remains() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    store.put_new(&format!("{FOLDER}/000000-0000000001/{STATE}"), b"x").unwrap();
    for step in 2..=5 {
        put(&store, 0, step);
    }
    store.put_new(&format!("{FOLDER}/000000-0000000006/{STATE}"), b"x").unwrap();
    prune(&store, 2).unwrap();
    let left: Vec<_> = folders(&store).unwrap().into_keys().collect();
    assert_eq!(left, [4, 5, 6].map(|step| format!("{FOLDER}/000000-{step:010}")));
    assert_eq!(newest_step(&store).0, Some(5));
}
