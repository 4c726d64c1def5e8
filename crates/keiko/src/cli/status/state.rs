//! How a run is, as data.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;
use keiko_store::Store;
use serde::Serialize;

use super::Health;
use crate::pipeline::{Pipeline, Stage};
use crate::progress::Console;
use crate::pulse::{self, Beat};
use crate::run::{Run, Usage, at_work, owner};

/// A heartbeat older than this, in seconds, is none.
const MAX_BEAT_AGE: u64 = 60;

/// Work that did not come on for so many seconds is worth a look.
const MAX_STILL: u64 = 600;

/// Less room than for so many hours wants attention.
const MIN_HOURS: f64 = 24.0;

/// What was written in so long counts for the room that is left.
const LATELY: Duration = Duration::from_secs(3600);

/// A run as it is now. Times are ages in seconds.
#[derive(Debug, Serialize)]
pub(super) struct State {
    /// Its folder.
    pub(super) run: String,
    /// How it is.
    pub(super) health: Health,
    /// What it waits for: `self-play`, `training`, `gate` or `done`.
    pub(super) next: &'static str,
    /// In which generation, from 0.
    pub(super) generation: Option<u32>,
    /// Generations that the settings ask for.
    pub(super) generations: u32,
    /// Whether a process goes on with it.
    pub(super) running: bool,
    /// Who is at work in it in `async` mode.
    pub(super) at_work: Vec<AtWork>,
    /// The newest heartbeat.
    pub(super) beat: Option<Beat>,
    /// Its age.
    pub(super) beat_age: Option<u64>,
    /// Age of the newest checkpoint.
    pub(super) checkpoint_age: Option<u64>,
    /// Its name: the learner's epoch and the step.
    pub(super) checkpoint: Option<String>,
    /// The champion, by the sha256 of its weights.
    pub(super) champion: String,
    /// Bytes of the run.
    pub(super) bytes: u64,
    /// Bytes that are free on its disk.
    pub(super) free_bytes: u64,
    /// Bytes that it writes in an hour, if it is running.
    pub(super) bytes_per_hour: Option<f64>,
    /// Hours until the disk is full at that pace.
    pub(super) hours_left: Option<f64>,
    /// What is not as it should be, the worst first.
    pub(super) problems: Vec<Problem>,
}

/// One who plays games, learns or judges in a run in `async` mode.
#[derive(Debug, Serialize)]
pub(super) struct AtWork {
    /// The name of the heartbeat: `learn`, `gate`, `selfplay-0` and so on.
    pub(super) name: String,
    /// The process, such as `pid 4711`.
    pub(super) owner: String,
    /// The heartbeat.
    pub(super) beat: Option<Beat>,
    /// Its age.
    pub(super) beat_age: Option<u64>,
}

/// Something that is not as it should be.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Problem {
    /// How bad it is.
    pub(super) health: Health,
    /// What it is and what to do.
    pub(super) text: String,
}

impl State {
    /// Looks at the run in `dir`.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn of(dir: &Path) -> anyhow::Result<Self> {
        let run = Run::look(dir)?;
        let stop = AtomicBool::new(false);
        let next = Pipeline::look(&run, Console::new(), &stop).next()?;
        let is_async = run.config().pipeline.is_async();
        let at_work = if is_async { at_work_in(&run)? } else { Vec::new() };
        let owner = owner(dir)?.or_else(|| at_work.first().map(|it| it.owner.clone()));
        let beat = newest_beat(run.store())?;
        let beat_age = beat.as_ref().map(|beat| pulse::now().saturating_sub(beat.beat));
        let checkpoint = newest_checkpoint(run.store())?;
        let checkpoint_age = checkpoint.as_ref().and_then(|name| age(dir, name));
        let running = owner.is_some();
        // A process that started a minute ago has not written for an hour.
        let lived = beat.as_ref().map_or(LATELY, |beat| {
            Duration::from_secs(pulse::now().saturating_sub(beat.started).max(60)).min(LATELY)
        });
        let usage = Usage::of(dir, lived)?;
        let bytes_per_hour =
            running.then(|| usage.lately as f64 * LATELY.as_secs_f64() / lived.as_secs_f64());
        let hours_left =
            bytes_per_hour.filter(|&pace| pace > 0.0).map(|pace| usage.free as f64 / pace);
        let (name, generation) = match next {
            Stage::Selfplay { generation } => ("self-play", Some(generation)),
            Stage::Learn { generation } => ("training", Some(generation)),
            Stage::Gate { generation } => ("gate", Some(generation)),
            Stage::Done => ("done", None),
        };
        let mut problems = problems(&Facts {
            dir,
            done: next == Stage::Done,
            owner: owner.as_deref(),
            // In `async` mode each has its own.
            beat: beat.as_ref().filter(|_| at_work.is_empty()),
            beat_age: beat_age.filter(|_| at_work.is_empty()),
            hours_left,
        });
        if is_async && owner.is_some() && next != Stage::Done {
            problems.extend(problems_at_work(dir, &at_work));
        }
        problems.sort_by_key(|problem| std::cmp::Reverse(problem.health));
        let health = problems.first().map_or(Health::Fine, |problem| problem.health);
        Ok(Self {
            run: dir.display().to_string(),
            health,
            next: name,
            generation,
            generations: run.config().generations,
            running,
            at_work,
            beat,
            beat_age,
            checkpoint_age,
            checkpoint,
            champion: run.champions().current()?.model,
            bytes: usage.bytes,
            free_bytes: usage.free,
            bytes_per_hour,
            hours_left,
            problems,
        })
    }
}

/// What problems are found in.
#[derive(Clone, Copy, Debug)]
struct Facts<'a> {
    dir: &'a Path,
    done: bool,
    owner: Option<&'a str>,
    beat: Option<&'a Beat>,
    beat_age: Option<u64>,
    hours_left: Option<f64>,
}

fn problems(facts: &Facts<'_>) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut add = |health, text| found.push(Problem { health, text });
    if facts.owner.is_none() && !facts.done {
        let run = facts.dir.display();
        let how = match facts.beat {
            Some(Beat { hung: Some(hung), .. }) => hung.clone(),
            Some(beat) if !beat.ended => format!("pid {} was killed", beat.pid),
            _ => "the last process has ended".to_owned(),
        };
        let text =
            format!("nobody goes on with the run, {how}: `keiko train --resume --run {run}` does");
        add(Health::Attention, text);
    }
    if let (Some(owner), Some(age)) = (facts.owner, facts.beat_age)
        && age > MAX_BEAT_AGE
    {
        let text =
            format!("{owner} holds the run, but its last heartbeat was {age} s ago: it hangs");
        add(Health::Broken, text);
    }
    if let Some(hours) = facts.hours_left.filter(|&hours| hours < MIN_HOURS) {
        let text =
            format!("the disk is full in {hours:.1} hours: free space, or see `keiko clean`");
        add(Health::Attention, text);
    }
    let Some(beat) = facts.beat.filter(|_| facts.owner.is_some()) else { return found };
    if let Some(failure) = &beat.no_room {
        add(Health::Broken, format!("the run waits for room: {failure}"));
    }
    if let Some(work) = &beat.work {
        let still = beat.beat.saturating_sub(work.moved);
        if still > MAX_STILL && beat.no_room.is_none() {
            add(Health::Attention, format!("{} has not come on for {still} s", work.stage));
        }
    }
    for warning in &beat.warnings {
        add(Health::Attention, warning.clone());
    }
    found
}

/// Those at work in a run in `async` mode, with their heartbeats.
fn at_work_in(run: &Run) -> anyhow::Result<Vec<AtWork>> {
    let look = |(name, owner): (String, String)| {
        let key = pulse::key(&name);
        let bytes = run.store().exists(&key)?.then(|| run.store().get(&key)).transpose()?;
        let beat: Option<Beat> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let beat_age = beat.as_ref().map(|beat| pulse::now().saturating_sub(beat.beat));
        Ok(AtWork { name, owner, beat, beat_age })
    };
    at_work(run.dir())?.into_iter().map(look).collect()
}

/// What is wrong with each of them, and who is missing.
fn problems_at_work(dir: &Path, at_work: &[AtWork]) -> Vec<Problem> {
    let mut found = Vec::new();
    for AtWork { name, owner, beat, beat_age } in at_work {
        let owner = format!("{name} ({owner})");
        found.extend(problems(&Facts {
            dir,
            done: false,
            owner: Some(&owner),
            beat: beat.as_ref(),
            beat_age: *beat_age,
            hours_left: None,
        }));
    }
    for (command, what) in
        [("learn", "learns"), ("gate", "judges candidates"), ("selfplay", "plays games")]
    {
        if !at_work.iter().any(|it| it.name.starts_with(command)) {
            let text = format!("nobody {what}: `keiko {command} --run {}` does", dir.display());
            found.push(Problem { health: Health::Attention, text });
        }
    }
    found
}

/// The newest of the heartbeats of all commands.
fn newest_beat(store: &dyn Store) -> anyhow::Result<Option<Beat>> {
    let mut newest: Option<Beat> = None;
    for key in store.list_after(pulse::FOLDER, "")? {
        let bytes = store.get(&key)?;
        // One of another version says nothing to this program.
        let Ok(beat) = serde_json::from_slice::<Beat>(&bytes) else { continue };
        if newest.as_ref().is_none_or(|known| known.beat < beat.beat) {
            newest = Some(beat);
        }
    }
    Ok(newest)
}

/// The file that makes the newest checkpoint one.
fn newest_checkpoint(store: &dyn Store) -> anyhow::Result<Option<String>> {
    let keys = store.list_after("checkpoints", "").context("checkpoints")?;
    Ok(keys.into_iter().rfind(|key| key.ends_with("/state.toml")))
}

/// How old a file of the run is, in seconds.
fn age(dir: &Path, name: &str) -> Option<u64> {
    let modified = std::fs::metadata(dir.join(name)).and_then(|it| it.modified()).ok()?;
    Some(pulse::now().saturating_sub(pulse::seconds(modified)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::Work;

    fn beat() -> Beat {
        let work = Work { stage: "gate".to_owned(), moved: 1000, ..Work::default() };
        Beat { pid: 7, beat: 1000, work: Some(work), ..Beat::default() }
    }

    fn found(change: impl FnOnce(&mut Facts<'_>), beat: &Beat) -> Vec<Problem> {
        let mut facts = Facts {
            dir: Path::new("r"),
            done: false,
            owner: Some("pid 7"),
            beat: Some(beat),
            beat_age: Some(3),
            hours_left: Some(100.0),
        };
        change(&mut facts);
        problems(&facts)
    }

    #[test]
    fn a_run_at_work_has_no_problem_and_neither_has_one_that_is_done() {
        assert_eq!(found(|_| (), &beat()), []);
        assert_eq!(found(|facts| (facts.owner, facts.done) = (None, true), &beat()), []);
    }

    #[test]
    fn of_those_at_work_at_once_each_is_looked_at_and_who_is_missing_is_named() {
        let at_work = |name: &str, beat_age| AtWork {
            name: name.to_owned(),
            owner: "pid 7".to_owned(),
            beat: Some(beat()),
            beat_age: Some(beat_age),
        };
        let all = ["learn", "gate", "selfplay-0", "selfplay-3"].map(|name| at_work(name, 3));
        assert_eq!(problems_at_work(Path::new("r"), &all), []);
        let hangs =
            problems_at_work(Path::new("r"), &[at_work("learn", 3), at_work("selfplay-1", 61)]);
        let texts: Vec<&str> = hangs.iter().map(|problem| problem.text.as_str()).collect();
        let [hangs, missing] = texts[..] else { panic!("{texts:?}") };
        assert!(
            hangs.starts_with("selfplay-1 (pid 7) holds the run") && hangs.ends_with("it hangs")
        );
        assert_eq!(missing, "nobody judges candidates: `keiko gate --run r` does");
    }

    #[test]
    fn every_problem_is_found() {
        let waits = Beat { no_room: Some("cannot write x".to_owned()), ..beat() };
        let still = Beat { beat: 2000, ..beat() };
        let hung = Beat { hung: Some("a step has not come back".to_owned()), ..beat() };
        let warns = Beat { warnings: vec!["draws".to_owned()], ..beat() };
        let cases = [
            (found(|facts| facts.owner = None, &beat()), Health::Attention, "pid 7 was killed"),
            (
                found(|facts| facts.owner = None, &Beat { ended: true, ..beat() }),
                Health::Attention,
                "the last process has ended",
            ),
            (
                found(|facts| facts.owner = None, &hung),
                Health::Attention,
                "with the run, a step has not come back",
            ),
            (found(|facts| facts.beat_age = Some(61), &beat()), Health::Broken, "it hangs"),
            (found(|facts| facts.hours_left = Some(2.0), &beat()), Health::Attention, "2.0 hours"),
            (found(|_| (), &waits), Health::Broken, "waits for room: cannot write x"),
            (found(|_| (), &still), Health::Attention, "gate has not come on for 1000 s"),
            (found(|_| (), &warns), Health::Attention, "draws"),
        ];
        for (problems, health, text) in cases {
            let [problem] = &problems[..] else { panic!("{problems:?}") };
            assert_eq!(problem.health, health);
            assert!(problem.text.contains(text), "{problem:?}");
        }
    }
}
