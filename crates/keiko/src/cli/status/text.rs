//! How a run is, in words: one screen.

use std::fmt::Write as _;

use super::Health;
use super::state::{AtWork, State};
use crate::progress::clock_of;
use crate::pulse::{Work, now};

/// One line a fact.
pub(super) fn of(state: &State) -> String {
    let mut text = String::new();
    let mut line = |name: &str, words: &str| {
        // Text has room for more text.
        let _ = writeln!(text, "{name:<10} {words}");
    };
    let where_ = match state.generation {
        Some(generation) => format!("generation {} of {}", generation + 1, state.generations),
        None => format!("all {} generations are done", state.generations),
    };
    line("run", &format!("{}, {where_}", state.run));
    line("stage", &stage(state));
    line("process", &process(state));
    for it in &state.at_work {
        line(&it.name, &at_work(it));
    }
    line("checkpoint", &checkpoint(state));
    line("champion", &state.champion);
    line("disk", &disk(state));
    for problem in &state.problems {
        let name = if problem.health == Health::Broken { "BROKEN" } else { "attention" };
        line(name, &problem.text);
    }
    text
}

fn stage(state: &State) -> String {
    let beat = state.beat.as_ref().filter(|_| state.running);
    match (beat.and_then(|beat| beat.work.as_ref()), state.next) {
        _ if !state.at_work.is_empty() => "self-play, training and gate at once".to_owned(),
        (Some(work), _) => described(work),
        (None, "done") => "done".to_owned(),
        (None, next) => format!("waits for {next}"),
    }
}

/// Somebody at work in a run in which all goes on at once.
fn at_work(it: &AtWork) -> String {
    let Some((beat, age)) = it.beat.as_ref().zip(it.beat_age) else {
        return format!("{} has begun", it.owner);
    };
    let work = beat.work.as_ref().map_or_else(|| "begins".to_owned(), described);
    format!("{work} ({} on {}, heartbeat {} ago)", it.owner, beat.host, clock_of(age))
}

fn described(work: &Work) -> String {
    let of = if work.total > 0 { format!("/{}", work.total) } else { String::new() };
    let (since, moved) = (now().saturating_sub(work.since), now().saturating_sub(work.moved));
    format!(
        "{}: {}{of} {}, for {}, came on {} ago",
        work.stage,
        work.done,
        work.text,
        clock_of(since),
        clock_of(moved)
    )
}

fn process(state: &State) -> String {
    if !state.at_work.is_empty() {
        return format!("{} at work", state.at_work.len());
    }
    let Some((beat, age)) = state.beat.as_ref().zip(state.beat_age) else {
        return if state.running { "running" } else { "none" }.to_owned();
    };
    let who = format!("{} (pid {} on {}, {})", beat.command, beat.pid, beat.host, beat.program);
    if state.running {
        let runs = clock_of(now().saturating_sub(beat.started));
        format!("{who} runs for {runs}, heartbeat {} ago", clock_of(age))
    } else {
        format!("none; the last was {who}, {} ago", clock_of(age))
    }
}

fn checkpoint(state: &State) -> String {
    match (&state.checkpoint, state.checkpoint_age) {
        (Some(name), Some(age)) => {
            let name = name.trim_start_matches("checkpoints/").trim_end_matches("/state.toml");
            let step = name.rsplit('-').next().unwrap_or(name).trim_start_matches('0');
            let step = if step.is_empty() { "0" } else { step };
            format!("step {step}, {} ago", clock_of(age))
        }
        _ => "none yet".to_owned(),
    }
}

fn disk(state: &State) -> String {
    let gigabytes = |bytes: f64| format!("{:.2} GB", bytes / 1e9);
    let (free, has) = (gigabytes(state.free_bytes as f64), gigabytes(state.bytes as f64));
    let pace = match (state.bytes_per_hour, state.hours_left) {
        (Some(pace), Some(hours)) => {
            format!(", writes {} an hour: room for {hours:.0} hours", gigabytes(pace))
        }
        _ => String::new(),
    };
    format!("{free} free, the run has {has}{pace}")
}
