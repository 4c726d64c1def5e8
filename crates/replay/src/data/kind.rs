use std::fmt;
use std::path::Path;
use std::str::FromStr;

use keiko_formats::RecordFormat;
use keiko_formats::training::PositionFormat;
use thiserror::Error;

/// What a file of training data holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataKind {
    /// Positions with a score, a move and a result.
    Positions(PositionFormat),
    /// Games with the visits of their searches.
    Games,
    /// Records of games.
    Records(RecordFormat),
}

const NAMES: [(DataKind, &str); 6] = [
    (DataKind::Positions(PositionFormat::Hcpe), "hcpe"),
    (DataKind::Games, "hcpe3"),
    (DataKind::Positions(PositionFormat::Psv), "psv"),
    (DataKind::Records(RecordFormat::Csa), "csa"),
    (DataKind::Records(RecordFormat::Kif), "kif"),
    (DataKind::Records(RecordFormat::Usi), "usi"),
];

impl DataKind {
    /// The kind that a file's extension names: `hcpe`, `hcpe3`, `psv`, `csa`, `kif`, `kifu`, `usi`.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let name = if extension == "kifu" { "kif" } else { extension.as_str() };
        name.parse().ok()
    }
}

impl fmt::Display for DataKind {
    /// Writes the name, such as `hcpe3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(NAMES.iter().find(|(kind, _)| kind == self).map_or("", |(_, name)| name))
    }
}

/// The text names no kind of training data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format {0:?}: expected hcpe, hcpe3, psv, csa, kif or usi")]
pub struct ParseDataKindError(String);

impl FromStr for DataKind {
    type Err = ParseDataKindError;

    fn from_str(text: &str) -> Result<Self, ParseDataKindError> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found.map(|(kind, _)| *kind).ok_or_else(|| ParseDataKindError(text.to_owned()))
    }
}
