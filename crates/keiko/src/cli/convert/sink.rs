//! Where converted games go.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use keiko_formats::{Record, RecordFormat};

use super::super::output::{Output, Writing};

/// Where converted games go.
pub(super) struct Sink<'o> {
    place: Place<'o>,
    games: u64,
}

enum Place<'o> {
    Standard(&'o mut dyn Write),
    File(Writing),
    Folder { path: PathBuf, force: bool, written: BTreeSet<PathBuf> },
}

impl<'o> Sink<'o> {
    pub(super) fn standard(out: &'o mut dyn Write) -> Self {
        Self { place: Place::Standard(out), games: 0 }
    }

    pub(super) fn file(path: &Path, force: bool) -> anyhow::Result<Self> {
        Ok(Self { place: Place::File(begin(path, force)?), games: 0 })
    }

    pub(super) fn folder(path: &Path, force: bool) -> Self {
        let written = BTreeSet::new();
        Self { place: Place::Folder { path: path.to_owned(), force, written }, games: 0 }
    }

    /// Writes a game of the file `source`; `number` is its number there if there are several.
    pub(super) fn put(
        &mut self,
        record: &Record,
        format: RecordFormat,
        source: &Path,
        number: Option<u32>,
    ) -> anyhow::Result<()> {
        let text = format.write(record);
        if let Place::Folder { path, force, written } = &mut self.place {
            let stem = source.file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
            let stem = if stem == "-" { "game".into() } else { stem };
            let number = number.map_or_else(String::new, |n| format!("-{n:04}"));
            let path = path.join(format!("{stem}{number}.{}", format.extension()));
            if !written.insert(path.clone()) {
                bail!("{}: two games have this name: convert them apart", path.display());
            }
            let mut file = begin(&path, *force)?;
            file.write(text.as_bytes())?;
            return file.finish();
        }
        if format.is_single() && self.games > 0 {
            bail!(
                "{}: a file in the format {format} holds one game, but there are more: give --out a folder",
                source.display()
            );
        }
        let separator = if self.games > 0 { format.separator() } else { "" };
        self.games += 1;
        for part in [separator, &text] {
            match &mut self.place {
                Place::Standard(out) => out.write_all(part.as_bytes())?,
                Place::File(file) => file.write(part.as_bytes())?,
                Place::Folder { .. } => {}
            }
        }
        Ok(())
    }

    /// Puts a file in its place, once all games are written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::File(file) => file.finish(),
            Place::Standard(_) | Place::Folder { .. } => Ok(()),
        }
    }
}

fn begin(path: &Path, force: bool) -> anyhow::Result<Writing> {
    let output = Output::at(path)?;
    output.check_free(force)?;
    output.begin()
}
