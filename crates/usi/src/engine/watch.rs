use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use keiko_mcts::RootKind;
use keiko_play::{Pace, Thinking};
use keiko_shogi::Move;

use super::event::{Event, Report};
use super::job::SearchJob;
use super::mate_thread::MateSearch;
use super::report::Findings;
use crate::answer::BestMove;

/// Looks at a search after every batch: ends it and reports.
pub(super) struct Watch<'a> {
    job: &'a SearchJob,
    latency: &'a mut Duration,
    pace: Pace,
    events: &'a Sender<Event>,
    /// The search for a mate meanwhile.
    mate: Option<MateSearch>,
    started: Instant,
    last_batch: Instant,
    last_report: Instant,
    last_note: Option<Instant>,
    /// The answer so far, and since when it is that.
    lead: Option<(BestMove, Instant)>,
}

/// How often the answer so far is noted for the case that the search is overdue.
const NOTE_INTERVAL: Duration = Duration::from_millis(50);

impl<'a> Watch<'a> {
    pub(super) fn new(
        job: &'a SearchJob,
        latency: &'a mut Duration,
        pace: Pace,
        events: &'a Sender<Event>,
        mate: Option<MateSearch>,
    ) -> Watch<'a> {
        let now = Instant::now();
        Watch {
            job,
            latency,
            pace,
            events,
            mate,
            started: now,
            last_batch: now,
            last_report: now,
            last_note: None,
            lead: None,
        }
    }

    pub(super) fn look(&mut self, thinking: &mut Thinking<'_>) -> ControlFlow<()> {
        let now = Instant::now();
        *self.latency = now - self.last_batch;
        self.last_batch = now;
        let mate = self.mate_so_far();
        let ends = !mate.is_empty() && !self.job.is_fixed && !self.job.report.shows_others();
        if self.last_note.is_none_or(|last| now - last >= NOTE_INTERVAL) {
            self.last_note = Some(now);
            let report = &self.job.report;
            let so_far = self.with_findings(thinking, now, &mate, |found| found.finish(report));
            if self.lead.as_ref().is_none_or(|(best, _)| best.choice != so_far.best.choice) {
                self.lead = Some((so_far.best.clone(), now));
            }
            self.job.control.note(so_far);
        }
        if self.job.report.interval.is_some_and(|interval| now - self.last_report >= interval) {
            self.last_report = now;
            self.report(thinking, now, &mate);
        }
        let stops = self.job.control.is_stopped() || ends;
        if stops || self.is_late(now) || self.is_deep(thinking) {
            return ControlFlow::Break(());
        }
        if let Some(simulations) = self.plan(thinking.simulations(), now) {
            thinking.plan(simulations);
        }
        ControlFlow::Continue(())
    }

    /// Simulations that the search should expect in all, after so many; nothing where it knows by its limit.
    pub(super) fn plan(&self, done: u32, now: Instant) -> Option<u32> {
        if self.job.is_fixed || self.job.settings.root != RootKind::Gumbel {
            return None;
        }
        let planned = match self.job.control.deadline() {
            Some(deadline) => {
                let left = deadline.optimum.saturating_duration_since(now + *self.latency);
                self.pace.simulations(done, now - self.started, left)
            }
            None => Pace::open_end(done),
        };
        Some(planned.min(self.job.limit.simulations))
    }

    /// The mate that counts at the end of the search.
    pub(super) fn last_mate(&mut self) -> Vec<Move> {
        if self.job.is_fixed
            && let Some(mate) = &mut self.mate
        {
            mate.wait();
        }
        self.mate_so_far()
    }

    /// The mate found so far; empty if there is none, or it begins with a move that is not to be searched.
    fn mate_so_far(&mut self) -> Vec<Move> {
        let line = self.mate.as_mut().map_or(&[][..], MateSearch::line);
        let asked = &self.job.searchmoves;
        let counts = line.first().is_some_and(|mv| asked.is_empty() || asked.contains(mv));
        if counts { line.to_vec() } else { Vec::new() }
    }

    /// Whether the next batch would end after the deadline.
    fn is_late(&self, now: Instant) -> bool {
        let Some(deadline) = self.job.control.deadline() else { return false };
        let next = now + *self.latency;
        next >= deadline.maximum || (next >= deadline.optimum && self.is_clear(now))
    }

    /// Whether more time would hardly change the choice: it has been the same for half of the search.
    fn is_clear(&self, now: Instant) -> bool {
        self.lead.as_ref().is_some_and(|&(_, since)| 2 * (now - since) >= now - self.started)
    }

    fn is_deep(&self, thinking: &Thinking<'_>) -> bool {
        self.job.depth.is_some_and(|depth| {
            thinking.variation(thinking.summary().best).len() >= depth as usize
        })
    }

    fn report(&self, thinking: &Thinking<'_>, now: Instant, mate: &[Move]) {
        let report = &self.job.report;
        let infos = self.with_findings(thinking, now, mate, |found| found.infos(report));
        // Nobody listens any more only when the process ends.
        let _ = self.events.send(Event::Report(Report::Progress { search: self.job.id, infos }));
    }

    fn with_findings<T>(
        &self,
        thinking: &Thinking<'_>,
        now: Instant,
        mate: &[Move],
        use_them: impl FnOnce(&Findings<'_>) -> T,
    ) -> T {
        use_them(&Findings {
            game: &self.job.game,
            draw_values: self.job.draw_values,
            summary: &thinking.summary(),
            variation: &|mv| thinking.variation(mv),
            elapsed: now - self.started,
            searchmoves: &self.job.searchmoves,
            mate,
        })
    }
}
