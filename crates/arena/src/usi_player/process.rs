//! An engine's process, its pipes and its end.

use std::fmt;
use std::io::Write;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};
use keiko_usi::answer::{Answer, Info};
use keiko_usi::command::Command;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::reader::{self, Said};
use super::{UsiEngine, guard};
use crate::referee::{Fault, PlayerFailure};

/// A running engine with all processes it started: they are a process group of their own, so that Ctrl-C on the
/// terminal does not reach them, and none of them outlives this value.
pub(super) struct EngineProcess {
    child: Child,
    group: Pid,
    /// To the thread that writes: an engine that does not read must not stop us.
    lines: Sender<String>,
    answers: Receiver<Answer>,
    said: Arc<Mutex<Said>>,
}

/// How long an engine may take to go when it is asked to.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// Lines that may wait for an engine that does not read.
const MAX_LINES: usize = 1024;

impl EngineProcess {
    pub(super) fn start(engine: &UsiEngine) -> Result<EngineProcess, PlayerFailure> {
        let failure = |error: &dyn fmt::Display| {
            let text = format!("cannot start {}: {error}", engine.program.display());
            PlayerFailure::new(Fault::NotReady, text)
        };
        let mut process = Process::new(anywhere(&engine.program));
        process.args(&engine.arguments).process_group(0);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = &engine.directory {
            process.current_dir(directory);
        }
        let mut child = process.spawn().map_err(|error| failure(&error))?;
        let group = Pid::from_child(&child);
        guard::watch(group);
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            end_group(group);
            let _ = child.wait();
            return Err(failure(&"it has no pipes"));
        };
        let (lines, to_write) = channel::bounded::<String>(MAX_LINES);
        thread::spawn(move || {
            for line in to_write {
                // An engine that is gone is noticed by what it does not say.
                if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        let (answers, said) = reader::read(output);
        Ok(EngineProcess { child, group, lines, answers, said })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Tells the engine something. Whether it listens is seen by its answers.
    pub(super) fn send(&mut self, command: &Command) {
        let _ = self.lines.try_send(format!("{command}\n"));
    }

    /// What the engine answers; closed when it has closed its output.
    pub(super) fn answers(&self) -> &Receiver<Answer> {
        &self.answers
    }

    /// Forgets all that was said so far.
    pub(super) fn forget(&mut self) {
        self.answers.try_iter().for_each(drop);
        *self.said.lock().expect("no reader panics") = Said::default();
    }

    /// The last report with a score since [`forget`](Self::forget).
    pub(super) fn take_info(&mut self) -> Option<Info> {
        self.said.lock().expect("no reader panics").info.take()
    }

    /// The last message to people since [`forget`](Self::forget), or the last line that is not USI.
    pub(super) fn last_words(&self) -> Option<String> {
        let said = self.said.lock().expect("no reader panics");
        said.message.clone().or_else(|| said.unknown.clone())
    }

    /// The last line since [`forget`](Self::forget) that is not USI.
    pub(super) fn last_unknown(&self) -> Option<String> {
        self.said.lock().expect("no reader panics").unknown.clone()
    }

    /// Whether the process is over. It stays known to the system until this value is dropped, so that its number
    /// cannot become another's.
    pub(super) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    /// How it ended, for people; it must have closed its output.
    pub(super) fn how_it_ended(&self) -> String {
        if !self.wait_for_end() {
            return "it closed its output".to_owned();
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.group), options) {
            Ok(Some(status)) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => format!("exit code {code}"),
                (_, Some(signal)) => format!("signal {signal}"),
                _ => "ended".to_owned(),
            },
            _ => "ended".to_owned(),
        }
    }

    fn wait_for_end(&self) -> bool {
        let end = Instant::now() + QUIT_PATIENCE;
        while !self.has_ended() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send(&Command::Quit);
        self.wait_for_end();
        // Whoever is left of the group goes now; its leader has not been waited for yet, so the number is still its own.
        end_group(self.group);
        let _ = self.child.wait();
        guard::forget(self.group);
    }
}

impl fmt::Debug for EngineProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineProcess").field("id", &self.child.id()).finish_non_exhaustive()
    }
}

fn end_group(group: Pid) {
    // A group without members cannot be signalled, and need not be.
    let _ = kill_process_group(group, Signal::KILL);
}

/// A program's path that does not depend on the folder it is started in; a bare name is looked for as the shell does.
fn anywhere(program: &Path) -> PathBuf {
    if program.components().count() > 1 {
        std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
    } else {
        program.to_owned()
    }
}
