//! What a run takes of its disk.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use crate::pulse;

/// What a run has on its disk, and what else fits there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Usage {
    /// Bytes of the run.
    pub(crate) bytes: u64,
    /// Of these, bytes of files that were written lately.
    pub(crate) lately: u64,
    /// Bytes that are free for it.
    pub(crate) free: u64,
}

impl Usage {
    /// Measures the run in `dir`; `lately` is how long ago at most.
    ///
    /// # Errors
    /// The folder or its disk cannot be read.
    pub(crate) fn of(dir: &Path, lately: Duration) -> anyhow::Result<Self> {
        let since = pulse::now().saturating_sub(lately.as_secs());
        let disk = rustix::fs::statvfs(dir).with_context(|| dir.display().to_string())?;
        let mut usage = Self { free: disk.f_bavail * disk.f_frsize, ..Self::default() };
        usage.add(dir, since).with_context(|| dir.display().to_string())?;
        Ok(usage)
    }

    fn add(&mut self, dir: &Path, since: u64) -> std::io::Result<()> {
        for entry in std::fs::read_dir(dir)? {
            let entry = entry?;
            // Whatever goes away meanwhile takes no room.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                self.add(&entry.path(), since).or_else(absent)?;
            } else {
                self.bytes += metadata.len();
                if pulse::seconds(metadata.modified()?) >= since {
                    self.lately += metadata.len();
                }
            }
        }
        Ok(())
    }
}

fn absent(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}
