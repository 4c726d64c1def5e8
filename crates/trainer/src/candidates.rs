//! Candidates: models that await the gate.

use keiko_model::{
    Architecture, Digest, Lineage, MANIFEST_VERSION, Manifest, SelfTest, Weights, fold,
};
use keiko_replay::seed;
use keiko_store::{NumberedLog, PutError, Store};

use crate::event::Candidate;
use crate::{Setup, TrainError};

const FOLDER: &str = "candidates";

/// The candidates of the run in `store`, in the order in which they await the gate; each at the
/// place of its number.
///
/// # Errors
///
/// [`TrainError::Candidate`] names an entry that is not as it should be.
pub fn candidates(store: &dyn Store) -> Result<Vec<Candidate>, TrainError> {
    let log = NumberedLog::new(store, FOLDER);
    let entries = log.read_all()?;
    (0..).zip(entries).map(|(number, bytes)| parse(&log, number, bytes)).collect()
}

fn parse(log: &NumberedLog<'_>, number: u32, bytes: Vec<u8>) -> Result<Candidate, TrainError> {
    let wrong = |problem: String| TrainError::Candidate { key: log.key(number), problem };
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    let candidate: Candidate =
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
    if candidate.number == number {
        Ok(candidate)
    } else {
        Err(wrong(format!("number {} at place {number}", candidate.number)))
    }
}

/// A trained net before it is a candidate.
#[derive(Debug)]
pub(crate) struct Trained<'a> {
    pub(crate) weights: &'a Weights,
    /// Steps it was trained.
    pub(crate) step: u64,
    /// Rows it was trained on.
    pub(crate) rows: u64,
    /// Entries of the ingest log it has seen.
    pub(crate) entries: u32,
    /// Shards in these entries.
    pub(crate) shards: u64,
}

/// Publishes the net that a run begins with, its weights a function of the seed alone, and returns
/// its id. It is no candidate. Doing it again changes nothing.
///
/// # Errors
///
/// If the store fails.
pub fn publish_untrained(store: &dyn Store, setup: &Setup) -> Result<Digest, TrainError> {
    let weights = initial_weights(setup);
    publish(store, setup, &Trained { weights: &weights, step: 0, rows: 0, entries: 0, shards: 0 })
}

/// The weights before any step.
pub(crate) fn initial_weights(setup: &Setup) -> Weights {
    if let Some(weights) = setup.branch.as_ref().and_then(|branch| branch.weights.as_ref()) {
        return weights.clone();
    }
    Weights::initial(&setup.architecture, seed::derive(setup.seed, "weights", 0))
}

/// Stores a model, its manifest last, and returns its id.
fn publish(store: &dyn Store, setup: &Setup, trained: &Trained<'_>) -> Result<Digest, TrainError> {
    let bytes = trained.weights.write_safetensors();
    let digest = Digest::of(&bytes);
    let folder = format!("models/{digest}");
    store.put_same(&format!("{folder}/weights.safetensors"), &bytes)?;
    let manifest = manifest(setup, trained, digest).to_toml();
    match store.put_new(&format!("{folder}/manifest.toml"), manifest.as_bytes()) {
        // The digest is the model's identity; its first manifest stays.
        Ok(()) | Err(PutError::Exists { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(digest)
}

/// Publishes a model and makes it the candidate of its data, to be entered. The data of a candidate have
/// no second one: doing it again changes nothing, also where other settings would now make another
/// model.
pub(crate) fn propose(
    store: &dyn Store,
    setup: &Setup,
    trained: &Trained<'_>,
) -> Result<Candidate, TrainError> {
    let Trained { step, rows, entries, .. } = *trained;
    let entered = candidates(store)?;
    if let Some(same) = entered.iter().find(|candidate| candidate.entries == entries) {
        return Ok(same.clone());
    }
    let model = publish(store, setup, trained)?.to_string();
    let number = entered.last().map_or(0, |last| last.number + 1);
    Ok(Candidate { number, model, step, rows, entries })
}

/// Enters a candidate in the log, once. The last step of a generation: who reads the log may rely on
/// everything else being there.
pub(crate) fn enter(store: &dyn Store, candidate: &Candidate) -> Result<(), TrainError> {
    let log = NumberedLog::new(store, FOLDER);
    if log.len()? <= candidate.number {
        let text = toml::to_string(candidate).expect("numbers and text have a text");
        log.append(candidate.number, text.as_bytes())?;
    }
    Ok(())
}

fn manifest(setup: &Setup, trained: &Trained<'_>, weights_sha256: Digest) -> Manifest {
    let architecture: &Architecture = &setup.architecture;
    let folded = fold(architecture, trained.weights);
    let probes = setup.probes.iter();
    let self_tests = probes.map(|probe| {
        let position = (probe.position.as_str(), probe.row.as_slice());
        SelfTest::compute(architecture, &folded, position, &probe.labels)
    });
    let Trained { step, rows, shards, .. } = *trained;
    Manifest {
        version: MANIFEST_VERSION,
        name: format!("{}-s{step}-r{rows}", setup.run),
        weights_sha256,
        onnx_sha256: None,
        architecture: architecture.clone(),
        lineage: Lineage {
            run: setup.run.clone(),
            step,
            rows,
            shards,
            config_sha256: setup.config_sha256,
        },
        self_tests: self_tests.collect(),
    }
}
