//! What a running process says of itself, for those who look at its run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossbeam::channel::{RecvTimeoutError, Sender, bounded};
use keiko_inference::{LongestCall, Watchdog};
use keiko_store::{LocalStore, Store as _};
use serde::{Deserialize, Serialize};

use crate::progress::Console;

/// Time from one heartbeat to the next.
pub(crate) const EVERY: Duration = Duration::from_secs(5);

/// A process as it is now: the content of `status/<name>.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Beat {
    /// The command, such as `train`.
    pub(crate) command: String,
    /// The program and its version.
    pub(crate) program: String,
    /// The process.
    pub(crate) pid: u32,
    /// The machine's name.
    pub(crate) host: String,
    /// When the process started, in seconds since 1970, as all times here.
    pub(crate) started: u64,
    /// When this was written.
    pub(crate) beat: u64,
    /// Whether the process came to an end of its own.
    pub(crate) ended: bool,
    /// What it is doing.
    pub(crate) work: Option<Work>,
    /// The failure because of which it waits for room on the disk.
    pub(crate) no_room: Option<String>,
    /// The call of a device that did not come back, because of which the process ended itself.
    pub(crate) hung: Option<String>,
    /// Causes for concern in the newest generation that was looked at.
    pub(crate) warnings: Vec<String>,
}

/// A stage at work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// Its name, such as `self-play`.
    pub(crate) stage: String,
    /// The generation, from 0.
    pub(crate) generation: u32,
    /// When it began.
    pub(crate) since: u64,
    /// When it last came on.
    pub(crate) moved: u64,
    /// Steps done, of `total`.
    pub(crate) done: u64,
    /// Steps in all, 0 = not known.
    pub(crate) total: u64,
    /// How it goes, in words.
    pub(crate) text: String,
}

/// The heartbeat of this process. The last handle's end is the process's own.
#[derive(Clone, Debug)]
pub(crate) struct Pulse {
    beat: Arc<Mutex<Beat>>,
    _beating: Arc<Beating>,
}

/// The thread that writes.
#[derive(Debug)]
struct Beating {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How long a call of a device may last.
pub(crate) struct Limit {
    watchdog: Watchdog,
    /// `watchdog_minutes`, 0 = for ever.
    minutes: u32,
    /// Ends the process, after it said why.
    end: Box<dyn Fn(&str) + Send>,
}

impl Limit {
    /// The limit of the config. A call that lasts longer ends the process as a kill would: it hangs in code that cannot
    /// be stopped, and what a run has saved is whole at any moment.
    pub(crate) fn of(minutes: u32, watchdog: Watchdog, console: Console) -> Self {
        let end = move |hung: &str| {
            console.line(&format!("keiko: {hung}"));
            // Not `exit`, which would run the destructors of the library that hangs.
            std::process::abort();
        };
        Self { watchdog, minutes, end: Box::new(end) }
    }

    /// What is to be said of the longest call, if it hangs.
    fn judge(&self, longest: Option<LongestCall>) -> Option<String> {
        let LongestCall { what, lasted } = longest?;
        let limit = Duration::from_secs(60 * u64::from(self.minutes));
        (self.minutes > 0 && lasted >= limit).then(|| {
            let minutes = lasted.as_secs() / 60;
            format!(
                "{what} has not come back for {minutes} minutes (watchdog_minutes = {}): the device or its driver hangs. The \
                 process ends itself; what the run has saved is whole. See whether the device still works (nvidia-smi, \
                 dmesg), then go on with --resume. If it is only slow, raise watchdog_minutes; 0 waits for ever",
                self.minutes
            )
        })
    }
}

impl Pulse {
    /// Begins to beat for `command` in the run of `store`, under `name`, and to look whether a device hangs. What cannot be
    /// written is left out: nothing depends on it.
    pub(crate) fn start(store: LocalStore, command: &str, name: &str, limit: Limit) -> Self {
        Self::start_every(EVERY, store, command, name, limit)
    }

    fn start_every(
        every: Duration,
        store: LocalStore,
        command: &str,
        name: &str,
        limit: Limit,
    ) -> Self {
        let beat = Arc::new(Mutex::new(Beat {
            command: command.to_owned(),
            program: concat!("keiko ", env!("CARGO_PKG_VERSION")).to_owned(),
            pid: std::process::id(),
            host: host(),
            started: now(),
            ..Beat::default()
        }));
        let (stop, stopped) = bounded(0);
        let (key, shown) = (key(name), Arc::clone(&beat));
        let thread = thread::spawn(move || {
            let (mut ended, mut hung) = (false, None);
            loop {
                let mut beat = lock(&shown).clone();
                (beat.beat, beat.ended, beat.hung) = (now(), ended, hung.clone());
                if let Ok(text) = serde_json::to_string_pretty(&beat) {
                    let _ = store.put_status(&key, text.as_bytes());
                }
                if let Some(hung) = &hung {
                    return (limit.end)(hung);
                }
                if ended {
                    return;
                }
                ended = !matches!(stopped.recv_timeout(every), Err(RecvTimeoutError::Timeout));
                hung = limit.judge(limit.watchdog.pass(every));
            }
        });
        let beating = Beating { stop: Some(stop), thread: Some(thread) };
        Self { beat, _beating: Arc::new(beating) }
    }

    /// A stage begins.
    pub(crate) fn begin(&self, stage: &str, generation: u32) {
        let (stage, since) = (stage.to_owned(), now());
        let work = Work { stage, generation, since, moved: since, ..Work::default() };
        lock(&self.beat).work = Some(work);
    }

    /// It came on.
    pub(crate) fn moved(&self, done: u64, total: u64, text: &str) {
        if let Some(work) = &mut lock(&self.beat).work {
            (work.done, work.total, work.moved) = (done, total, now());
            text.clone_into(&mut work.text);
        }
    }

    /// There is no room on the disk, because of this; or there is again.
    pub(crate) fn wait_for_room(&self, failure: Option<String>) {
        lock(&self.beat).no_room = failure;
    }

    /// Causes for concern, in the place of older ones.
    pub(crate) fn warn(&self, warnings: Vec<String>) {
        lock(&self.beat).warnings = warnings;
    }
}

impl Drop for Beating {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It has said its last, or panicked, which harms nobody.
            let _ = thread.join();
        }
    }
}

/// Where the heartbeats of that name are.
pub(crate) fn key(name: &str) -> String {
    format!("{FOLDER}/{name}.json")
}

/// Where all heartbeats of a run are.
pub(crate) const FOLDER: &str = "status";

fn lock(beat: &Mutex<Beat>) -> MutexGuard<'_, Beat> {
    beat.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "what is said of a process; no result depends on it")]
pub(crate) fn now() -> u64 {
    seconds(SystemTime::now())
}

/// The same of another time, 0 of one before.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn judged(minutes: u32, lasted_seconds: u64) -> Option<String> {
        let limit = Limit::of(minutes, Watchdog::default(), Console::new());
        let lasted = Duration::from_secs(lasted_seconds);
        limit.judge(Some(LongestCall { what: "a training step on cuda".to_owned(), lasted }))
    }

    #[test]
    fn only_a_call_that_outlasts_the_limit_hangs() {
        assert_eq!(judged(2, 119), None);
        assert_eq!(judged(0, u64::from(u32::MAX) * 60), None);
        let hung = judged(2, 120).expect("a call that hangs");
        for words in [
            "a training step on cuda has not come back for 2 minutes",
            "--resume",
            "watchdog_minutes",
        ] {
            assert!(hung.contains(words), "{hung}");
        }
        assert_eq!(Limit::of(2, Watchdog::default(), Console::new()).judge(None), None);
    }

    #[test]
    fn a_device_that_hangs_ends_the_process_and_the_heartbeat_says_why() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = LocalStore::create(dir.path()).expect("a store");
        let watchdog = Watchdog::default();
        let (ends, ended) = channel();
        let end = move |hung: &str| ends.send(hung.to_owned()).expect("the test listens");
        let limit = Limit { watchdog: watchdog.clone(), minutes: 3, end: Box::new(end) };
        let every = Duration::from_millis(1);
        let call = watchdog.enter("an evaluation by a net on cuda");
        let pulse = Pulse::start_every(every, store.clone(), "train", "train", limit);
        watchdog.pass(Duration::from_secs(180));
        let hung = ended.recv().expect("an end");
        assert!(
            hung.starts_with("an evaluation by a net on cuda has not come back for 3"),
            "{hung}"
        );
        let beat = store.get("status/train.json").expect("a heartbeat");
        let beat: Beat = serde_json::from_slice(&beat).expect("a heartbeat");
        assert_eq!((beat.hung, beat.ended), (Some(hung), false));
        drop((call, pulse));
    }
}
