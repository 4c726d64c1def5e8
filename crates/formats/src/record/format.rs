//! The formats of records.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Note, Record, usi};
use crate::{csa, kif};

/// A format in which records are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// CSA, written as V2.2, any version is read.
    Csa,
    /// CSA, written as V3.0, any version is read.
    Csa3,
    /// KIF, written in UTF-8, read in UTF-8 and Shift-JIS. A file is one game.
    Kif,
    /// USI game lines: a game a line, with tags.
    Usi,
    /// SFEN lists: a start a line, with its moves if there are any.
    Sfen,
}

/// What a format cannot hold of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Variations beside the main line.
    Variations,
    /// Parts of a second.
    Fractions,
    /// The times taken.
    Times,
    /// Comments and evaluations.
    Comments,
    /// Fields of the header.
    Header,
    /// How the game ended.
    Ending,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Variations => "variations",
            Self::Fractions => "parts of a second",
            Self::Times => "times",
            Self::Comments => "comments",
            Self::Header => "header fields",
            Self::Ending => "results",
        })
    }
}

const NAMES: [(RecordFormat, &str); 5] = [
    (RecordFormat::Csa, "csa"),
    (RecordFormat::Csa3, "csa3"),
    (RecordFormat::Kif, "kif"),
    (RecordFormat::Usi, "usi"),
    (RecordFormat::Sfen, "sfen"),
];

impl RecordFormat {
    /// The format that files with this extension have: `csa`, `kif`, `kifu`, `usi`, `sfen`.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "csa" => Some(Self::Csa),
            "kif" | "kifu" => Some(Self::Kif),
            "usi" => Some(Self::Usi),
            "sfen" => Some(Self::Sfen),
            _ => None,
        }
    }

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csa | Self::Csa3 => "csa",
            Self::Kif => "kifu",
            Self::Usi => "usi",
            Self::Sfen => "sfen",
        }
    }

    /// Whether a file holds one game only.
    #[must_use]
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Kif)
    }

    /// The text of a record, to be followed by [`separator`](Self::separator) and the next one.
    #[must_use]
    pub fn write(self, record: &Record) -> String {
        match self {
            Self::Csa => csa::write(record, csa::Version::V2),
            Self::Csa3 => csa::write(record, csa::Version::V3),
            Self::Kif => kif::write(record),
            Self::Usi => usi::write(record).0 + "\n",
            Self::Sfen => usi::write_sfen(record) + "\n",
        }
    }

    /// What stands between two records of a file.
    #[must_use]
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Csa | Self::Csa3 => "/\n",
            Self::Kif | Self::Usi | Self::Sfen => "",
        }
    }

    /// What [`write`](Self::write) leaves out of a record.
    #[must_use]
    pub fn losses(self, record: &Record) -> BTreeSet<Loss> {
        let notes = || record.notes().iter().chain([&record.end_note]);
        let fractions =
            || notes().any(|note| note.time_ms.is_some_and(|ms| !ms.is_multiple_of(1000)));
        let commented = |note: &Note| note.evaluation.is_some() || !note.comments.is_empty();
        // What a line of moves has of a note: the time, and the score of an evaluation.
        let more = |note: &Note| {
            !note.comments.is_empty()
                || note.evaluation.as_ref().is_some_and(|it| !it.line.is_empty())
        };
        let end = &record.end_note;
        let times = match self {
            Self::Usi => end.time_ms.is_some(),
            Self::Sfen => notes().any(|note| note.time_ms.is_some()),
            _ => false,
        };
        let comments = match self {
            Self::Usi => record.notes().iter().any(more) || commented(end),
            Self::Sfen => notes().any(commented),
            _ => false,
        };
        let line = matches!(self, Self::Usi | Self::Sfen);
        let header = match self {
            Self::Usi => !usi::write(record).1.is_empty(),
            Self::Sfen => record.header != super::Header::default(),
            _ => false,
        };
        let found = [
            (Loss::Variations, record.variations() > 0),
            (Loss::Fractions, matches!(self, Self::Csa | Self::Kif) && fractions()),
            (Loss::Times, times),
            (Loss::Comments, comments || (line && !record.comments.is_empty())),
            (Loss::Header, header),
            (Loss::Ending, self == Self::Sfen && record.ending.is_some()),
        ];
        found.into_iter().filter(|(_, lost)| *lost).map(|(loss, _)| loss).collect()
    }
}

impl fmt::Display for RecordFormat {
    /// Writes the name: `csa`, `csa3`, `kif`, `usi` or `sfen`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(NAMES.iter().find(|(format, _)| format == self).map_or("", |(_, name)| name))
    }
}

/// The text names no format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format {0:?}: expected csa, csa3, kif, usi or sfen")]
pub struct ParseRecordFormatError(String);

impl FromStr for RecordFormat {
    type Err = ParseRecordFormatError;

    fn from_str(text: &str) -> Result<Self, ParseRecordFormatError> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found.map(|(format, _)| *format).ok_or_else(|| ParseRecordFormatError(text.to_owned()))
    }
}
