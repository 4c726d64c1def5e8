//! Finding and reading shards.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use keiko_replay::{GameRecord, RecordError, ShardReader};

use super::Paths;

/// The name of a run's folder of games, and of shards' extension.
const GAMES: &str = "games";

impl Paths {
    /// The shards, those of a folder in the order of their names.
    pub(super) fn shards(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut shards = Vec::new();
        for path in &self.paths {
            let before = shards.len();
            let inside = path.join(GAMES);
            let start = if inside.is_dir() { &inside } else { path };
            collect(start, &mut shards).with_context(|| start.display().to_string())?;
            if shards.len() == before {
                bail!("{}: there are no shards (files named *.{GAMES})", path.display());
            }
        }
        // Paths may overlap; each shard counts once.
        let mut seen = BTreeSet::new();
        shards.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
        Ok(shards)
    }

    /// Reads all games in order; one that breaks the rules is given as its error.
    pub(super) fn read(
        &self,
        mut see: impl FnMut(&Path, u64, Result<GameRecord, RecordError>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for path in self.shards()? {
            let place = || path.display().to_string();
            let bytes = std::fs::read(&path).with_context(place)?;
            let shard = ShardReader::open(&bytes).with_context(place)?;
            for block in 0..shard.blocks() {
                for game in shard.read_block(block).with_context(place)? {
                    see(&path, bytes.len() as u64, game)?;
                }
            }
        }
        Ok(())
    }
}

fn collect(path: &Path, shards: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.is_dir() {
        // What is no file is told when it is read.
        shards.push(path.to_owned());
        return Ok(());
    }
    // Links to folders are not followed: they may lead round in a circle.
    let kind = |entry: std::fs::DirEntry| Ok((entry.path(), entry.file_type()?.is_dir()));
    let entries = std::fs::read_dir(path)?.map(|entry| kind(entry?));
    let mut paths: Vec<(PathBuf, bool)> = entries.collect::<std::io::Result<_>>()?;
    paths.sort();
    for (path, is_dir) in paths {
        if is_dir {
            collect(&path, shards)?;
        } else if path.extension().is_some_and(|extension| extension == GAMES) {
            shards.push(path);
        }
    }
    Ok(())
}
