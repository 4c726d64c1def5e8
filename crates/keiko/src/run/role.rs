//! Who does what in a run.

use std::path::Path;

use anyhow::Context as _;
use keiko_store::{LockError, RunLock, lock_owner};

/// What a process, or a thread of one, does in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Everything, one stage after another; in `async` mode no more than to begin the run. One at a time.
    Whole,
    /// Plays games; as many at a time as one likes.
    Selfplay,
    /// Takes games up and trains. One at a time.
    Learner,
    /// Judges candidates. One at a time.
    Gate,
}

/// The lock of [`Role::Whole`].
const WHOLE: &str = "keiko";

/// The locks of roles of which there is one at a time in `async` mode, each with the name of its heartbeat.
const SINGLE: [(&str, &str); 2] = [("learner", "learn"), ("gate", "gate")];

/// What the lock, and the heartbeat, of each player of games begin with.
const SELFPLAY: &str = "selfplay-";

/// A role that was taken: it is free again when its process ends, however that ends.
#[derive(Debug)]
pub(super) struct Seat {
    /// The name of its heartbeat.
    pub(super) name: String,
    _lock: RunLock,
}

impl Seat {
    /// Takes `role` for `command` in the run directory `dir`.
    ///
    /// # Errors
    /// Another process has it, which is named.
    pub(super) fn take(dir: &Path, role: Role, command: &str) -> anyhow::Result<Self> {
        let [learner, gate] = SINGLE;
        let (lock, name) = match role {
            Role::Whole => (WHOLE, command),
            Role::Learner => learner,
            Role::Gate => gate,
            Role::Selfplay => return Self::among_players(dir),
        };
        Ok(Self { name: name.to_owned(), _lock: RunLock::acquire(dir, lock)? })
    }

    /// Takes the first free place among the players of games.
    fn among_players(dir: &Path) -> anyhow::Result<Self> {
        for number in 0_u32.. {
            let name = format!("{SELFPLAY}{number}");
            if lock_owner(dir, &name)?.is_some() {
                continue;
            }
            match RunLock::acquire(dir, &name) {
                Ok(lock) => return Ok(Self { name, _lock: lock }),
                Err(LockError::Held { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        unreachable!("there are more places than processes")
    }
}

/// Who is at work in a run: the names of their heartbeats, and their processes, such as `pid 4711`.
///
/// # Errors
/// The run's folder cannot be read.
pub(crate) fn at_work(dir: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut look = |lock: &str, name: &str| -> anyhow::Result<()> {
        found.extend(lock_owner(dir, lock)?.map(|owner| (name.to_owned(), owner)));
        Ok(())
    };
    for (lock, name) in SINGLE {
        look(lock, name)?;
    }
    let mut players = Vec::new();
    for entry in std::fs::read_dir(dir).with_context(|| dir.display().to_string())? {
        let name = entry.with_context(|| dir.display().to_string())?.file_name();
        let name = name.to_string_lossy();
        let number = name.strip_prefix(&format!(".{SELFPLAY}"));
        players.extend(number.and_then(|it| it.strip_suffix(".lock")?.parse::<u32>().ok()));
    }
    players.sort_unstable();
    for name in players.into_iter().map(|number| format!("{SELFPLAY}{number}")) {
        look(&name, &name)?;
    }
    Ok(found)
}

/// The process that goes on with a run in `sync` mode, such as `pid 4711`.
///
/// # Errors
/// The run's folder cannot be read.
pub(crate) fn owner(dir: &Path) -> anyhow::Result<Option<String>> {
    Ok(lock_owner(dir, WHOLE)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_learns_and_one_judges_while_many_play() {
        let dir = tempfile::tempdir().expect("a folder");
        let take = |role| Seat::take(dir.path(), role, "train");
        let learner = take(Role::Learner).expect("a free role");
        let error = take(Role::Learner).expect_err("a second learner").to_string();
        assert!(error.contains(".learner.lock is held by pid"), "{error}");
        let _gate = take(Role::Gate).expect("a free role");
        let players = [(); 3].map(|()| take(Role::Selfplay).expect("a free place"));
        assert_eq!(
            players.each_ref().map(|it| it.name.as_str()),
            ["selfplay-0", "selfplay-1", "selfplay-2"]
        );
        let [first, second, _third] = players;
        drop((second, learner));
        let pid = format!("pid {}", std::process::id());
        let there = |name: &str| (name.to_owned(), pid.clone());
        let names = ["gate", "selfplay-0", "selfplay-2"];
        assert_eq!(at_work(dir.path()).expect("a folder"), names.map(there));
        assert_eq!(take(Role::Selfplay).expect("a free place").name, "selfplay-1");
        drop(first);
        assert_eq!(owner(dir.path()).expect("a folder"), None);
        let whole = take(Role::Whole).expect("a free role");
        assert_eq!(
            (owner(dir.path()).expect("a folder"), whole.name),
            (Some(pid), "train".to_owned())
        );
    }
}
