//! Where converted games go.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use keiko_formats::{Record, RecordFormat};

/// Where converted games go.
pub(super) struct Sink<'o> {
    place: Place<'o>,
    games: u64,
}

enum Place<'o> {
    Stream(&'o mut dyn Write),
    File { path: PathBuf, unfinished: Unfinished },
    Folder { path: PathBuf, force: bool, written: BTreeSet<PathBuf> },
}

/// A file beside the one to be, removed unless it takes its place.
struct Unfinished {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // What cannot be removed is left: the error that led here is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl<'o> Sink<'o> {
    pub(super) fn stream(out: &'o mut dyn Write) -> Self {
        Self { place: Place::Stream(out), games: 0 }
    }

    pub(super) fn file(path: &Path, force: bool) -> anyhow::Result<Self> {
        let unfinished = Unfinished::new(path, force)?;
        Ok(Self { place: Place::File { path: path.to_owned(), unfinished }, games: 0 })
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
            let mut file = Unfinished::new(&path, *force)?;
            file.write(text.as_bytes())?;
            return file.publish(&path);
        }
        if format.is_single() && self.games > 0 {
            bail!(
                "{}: a file in the format {format} holds one game, but there are more: give --out a folder",
                source.display()
            );
        }
        let separator = if self.games > 0 { format.separator() } else { "" };
        self.games += 1;
        match &mut self.place {
            Place::Stream(out) => {
                out.write_all(separator.as_bytes())?;
                out.write_all(text.as_bytes())?;
            }
            Place::File { unfinished, .. } => {
                unfinished.write(separator.as_bytes())?;
                unfinished.write(text.as_bytes())?;
            }
            Place::Folder { .. } => {}
        }
        Ok(())
    }

    /// Puts a file in its place, once all games are written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::File { path, unfinished } => unfinished.publish(&path),
            Place::Stream(_) | Place::Folder { .. } => Ok(()),
        }
    }
}

impl Unfinished {
    fn new(target: &Path, force: bool) -> anyhow::Result<Self> {
        if target.exists() && !force {
            bail!("{} exists: add --force to replace it", target.display());
        }
        let mut path = target.as_os_str().to_owned();
        path.push(".tmp");
        let path = PathBuf::from(path);
        let file = File::create(&path).with_context(|| path.display().to_string())?;
        Ok(Self { path, file: Some(BufWriter::new(file)) })
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            file.write_all(bytes).with_context(|| self.path.display().to_string())?;
        }
        Ok(())
    }

    fn publish(mut self, target: &Path) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            file.flush().and_then(|()| file.get_ref().sync_all())?;
            fs::rename(&self.path, target).with_context(|| target.display().to_string())?;
        }
        self.file = None;
        Ok(())
    }
}
