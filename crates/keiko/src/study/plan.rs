//! What a run learns from: the log `data/`.

use std::path::PathBuf;

use anyhow::bail;
use keiko_replay::data::{DataFile, DataKind};
use keiko_store::{NumberedLog, Sha256, Store};
use serde::{Deserialize, Serialize};

use super::{Asked, Files};
use crate::run::parse_entry;

/// The folder of the log.
const FOLDER: &str = "data";

/// An entry: the files and the goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) epochs: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) steps: Option<u64>,
    files: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held_out: Vec<Entry>,
}

/// A file: where it was, and what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: PathBuf,
    format: String,
    bytes: u64,
    /// Of all bytes; of more than 4 GiB, of the size and 64 pieces.
    sha256: Sha256,
}

impl Entry {
    fn of(file: &DataFile) -> Self {
        let path = file.path();
        Self {
            path: path.canonicalize().unwrap_or_else(|_| path.to_owned()),
            format: file.kind().to_string(),
            bytes: file.bytes(),
            sha256: file.sha256(),
        }
    }

    fn open(&self) -> anyhow::Result<DataFile> {
        let kind: DataKind = self.format.parse()?;
        Ok(DataFile::open(&self.path, Some(kind))?)
    }

    /// Makes sure that `file` is the one that is meant.
    fn check(&self, file: &DataFile) -> anyhow::Result<()> {
        if self.sha256 == file.sha256() && self.bytes == file.bytes() {
            return Ok(());
        }
        bail!(
            "{} is not what the run has learnt from, {} with {} bytes and the sha256 {}: give it the same files in the \
             same order, or start a new run",
            file.path().display(),
            self.path.display(),
            self.bytes,
            self.sha256
        )
    }
}

impl Plan {
    /// The plan of a new run.
    pub(super) fn new(files: &Files, asked: &Asked<'_>) -> Self {
        let entries = |files: &[DataFile]| files.iter().map(Entry::of).collect();
        Self {
            epochs: asked.steps.is_none().then(|| asked.epochs.unwrap_or(1)),
            steps: asked.steps,
            files: entries(&files.data),
            held_out: entries(&files.held_out),
        }
    }

    /// The files to go on with, those named now or those of the plan, and the plan with what is asked now.
    pub(super) fn go_on(&self, files: Files, asked: &Asked<'_>) -> anyhow::Result<(Files, Self)> {
        let files = if files.data.is_empty() {
            let open = |entries: &[Entry]| entries.iter().map(Entry::open).collect();
            let open = |entries: &[Entry]| -> anyhow::Result<Vec<DataFile>> { open(entries) };
            Files { data: open(&self.files)?, held_out: open(&self.held_out)? }
        } else {
            files
        };
        for (what, entries, files) in
            [("--data", &self.files, &files.data), ("--held-out", &self.held_out, &files.held_out)]
        {
            if entries.len() != files.len() {
                let (before, now) = (entries.len(), files.len());
                bail!("{what} named {before} files when the run began and names {now} now");
            }
            entries.iter().zip(files).try_for_each(|(entry, file)| entry.check(file))?;
        }
        let mut plan = Self::new(&files, asked);
        if asked.epochs.is_none() && asked.steps.is_none() {
            (plan.epochs, plan.steps) = (self.epochs, self.steps);
        }
        Ok((files, plan))
    }

    /// The files and the goal in words, with the rows of all files if they are known.
    pub(super) fn describe(&self, rows: Option<u64>) -> String {
        let bytes: u64 = self.files.iter().map(|entry| entry.bytes).sum();
        let size = format!("{} file(s) of {:.1} MB", self.files.len(), bytes as f64 / 1e6);
        let rows = rows.map(|rows| format!(" and {rows} rows")).unwrap_or_default();
        let goal = match (self.epochs, self.steps) {
            (Some(1), _) => "once".to_owned(),
            (Some(epochs), _) => format!("{epochs} times"),
            (None, steps) => format!("for {} steps", steps.unwrap_or_default()),
        };
        format!("{size}{rows}, {goal}")
    }

    /// The most steps that it can come to; 0 if that is not known.
    pub(super) fn steps_at_most(&self, rows: Option<u64>, batch_rows: usize) -> u64 {
        let by_rows = || Some(rows? * u64::from(self.epochs?) / batch_rows as u64);
        self.steps.or_else(by_rows).unwrap_or(0)
    }
}

/// The log of plans; the newest one counts.
pub(super) struct PlanLog<'s>(NumberedLog<'s>);

impl<'s> PlanLog<'s> {
    pub(super) fn new(store: &'s dyn Store) -> Self {
        Self(NumberedLog::new(store, FOLDER))
    }

    pub(super) fn newest(&self) -> anyhow::Result<Option<Plan>> {
        let Some((number, bytes)) = self.0.last()? else { return Ok(None) };
        parse_entry(&self.0.key(number), bytes).map(Some)
    }

    /// Makes a plan the newest one. Saying it twice is saying it once.
    pub(super) fn append(&self, plan: &Plan) -> anyhow::Result<()> {
        if self.newest()?.as_ref() != Some(plan) {
            self.0.append(self.0.len()?, toml::to_string(plan)?.as_bytes())?;
        }
        Ok(())
    }
}
