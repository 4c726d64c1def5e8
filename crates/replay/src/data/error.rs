use std::io;
use std::path::{Path, PathBuf};

use keiko_formats::ReadError;
use keiko_formats::training::TrainingDataError;
use thiserror::Error;

/// Why files cannot be learnt from.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is something else than a file.
    #[error("{}: {what}", path.display())]
    NoFile {
        /// Where it is.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// Nothing says what it holds.
    #[error("{}: the name does not tell the format: add --from hcpe, hcpe3, psv, csa, kif or usi", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// It is not a whole number of records.
    #[error(
        "{}: {bytes} bytes are no whole number of records of {record_bytes} bytes: it is cut off after record {whole}, \
         or no {kind}",
        path.display()
    )]
    Size {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// What it should hold.
        kind: super::DataKind,
        /// Bytes of one record.
        record_bytes: u64,
        /// Whole records in it.
        whole: u64,
    },
    /// A record is wrong.
    #[error("{}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which record, and what is wrong with it.
        source: TrainingDataError,
    },
    /// A record of a game is wrong.
    #[error("{}: {source}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// In which line, and what is wrong with it.
        source: ReadError,
    },
    /// More records are wrong than the settings allow.
    #[error("{source} ({count} such records so far, replay.max_bad_games is {allowed})")]
    Bad {
        /// How many, one for each time it was read.
        count: u64,
        /// How many may be wrong.
        allowed: u64,
        /// The last one.
        source: Box<DataError>,
    },
    /// The files do not fill a batch.
    #[error(
        "the files give {rows} rows to learn from, which are no batch of trainer.batch_rows = {batch_rows}"
    )]
    Few {
        /// Rows of all files.
        rows: u64,
        /// Rows of a batch.
        batch_rows: u64,
    },
    /// The files were drawn from with other settings.
    #[error("{key} was {before} and is {now}: this would change which rows come next")]
    Settings {
        /// The key.
        key: &'static str,
        /// Its value in the checkpoint.
        before: u64,
        /// Its value now.
        now: u64,
    },
}

impl DataError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
