//! How long a role waits for the others, and whom for.

use std::thread;
use std::time::{Duration, Instant};

use super::super::Pipeline;
use crate::progress::Stage as Display;

/// The least and the most time from one look at the others to the next.
const LOOK_EVERY: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// When to look at the others again: so seldom that looking takes a small part of the time, however large the run is.
#[derive(Debug)]
pub(super) struct Pace {
    /// When the last look ended.
    ended: Instant,
    pause: Duration,
}

impl Pace {
    /// A look began at `start` and has just ended.
    pub(super) fn after(start: Instant) -> Self {
        let [least, most] = LOOK_EVERY;
        Self { ended: Instant::now(), pause: (20 * start.elapsed()).clamp(least, most) }
    }

    /// Whether to look now.
    pub(super) fn is_due(&self) -> bool {
        self.ended.elapsed() >= self.pause
    }
}

/// The waiting of one role.
#[derive(Debug)]
pub(super) struct Waits<'p, 'r> {
    pipeline: &'p Pipeline<'r>,
    /// The role, as its stage is shown.
    title: &'static str,
    now: Option<Wait>,
    /// Since when `waited` counts.
    since: Instant,
    waited: Duration,
    /// When a wait of a short time ended last.
    passed: Instant,
}

/// A wait that goes on.
#[derive(Debug)]
struct Wait {
    whom: &'static str,
    generation: u32,
    since: Instant,
    display: Option<Display>,
}

impl<'p, 'r> Waits<'p, 'r> {
    /// Of the role whose stage is shown as `title`.
    pub(super) fn new(pipeline: &'p Pipeline<'r>, title: &'static str) -> Self {
        let now = Instant::now();
        Self { pipeline, title, now: None, since: now, waited: Duration::ZERO, passed: now }
    }

    /// Waits a short time for `whom`, and shows it.
    pub(super) fn pass(
        &mut self,
        generation: u32,
        whom: &'static str,
        why: &str,
    ) -> anyhow::Result<()> {
        self.begin(generation, whom, why)?;
        if let Some(wait) = &mut self.now {
            let display = || self.pipeline.display(self.title, generation, 0);
            wait.display.get_or_insert_with(display).wait(&format!("waits for {whom}: {why}"));
        }
        thread::sleep(Pace::after(self.passed).pause);
        self.passed = Instant::now();
        Ok(())
    }

    /// From now on it waits for `whom`: said once.
    pub(super) fn begin(
        &mut self,
        generation: u32,
        whom: &'static str,
        why: &str,
    ) -> anyhow::Result<()> {
        if self.now.as_ref().is_some_and(|wait| wait.whom == whom) {
            return Ok(());
        }
        self.over()?;
        self.pipeline.console.line(&format!("{} waits for {whom}: {why}", self.title));
        self.now = Some(Wait { whom, generation, since: Instant::now(), display: None });
        Ok(())
    }

    /// It waits no longer.
    pub(super) fn over(&mut self) -> anyhow::Result<()> {
        let Some(wait) = self.now.take() else { return Ok(()) };
        let took = wait.since.elapsed();
        self.waited += took;
        self.pipeline.time(
            &format!("{} waits for {}", self.title, wait.whom),
            wait.generation,
            took,
            &[],
        )
    }

    /// The share of the time since it was last asked for that was waited, 0 to 1.
    pub(super) fn share(&mut self) -> f64 {
        let share = self.waited.as_secs_f64() / self.since.elapsed().as_secs_f64().max(1e-9);
        (self.since, self.waited) = (Instant::now(), Duration::ZERO);
        share.min(1.0)
    }
}
