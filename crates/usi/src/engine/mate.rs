use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keiko_mcts::{MateAnswer, MateLimits};

use super::Engine;
use super::control::{Control, Deadline};
use super::event::{Event, Report};
use super::mate_thread::MateSettings;
use crate::answer::{Answer, Checkmate};
use crate::command::MateLimit;

/// How long a search for a mate may take to notice that its time is up.
const PATIENCE: Duration = Duration::from_secs(1);

/// More moves than any search for a mate plays.
pub(super) const UNLIMITED_NODES: u64 = u64::MAX / 4;

/// The search for a mate in progress, as the protocol's thread sees it.
#[derive(Debug)]
pub(super) struct Mating {
    id: u64,
    control: Arc<Control>,
    /// When the protocol's thread must answer by itself.
    overdue: Option<Instant>,
}

impl Mating {
    /// Asks for the answer now.
    pub(super) fn stop(&mut self) {
        self.control.stop();
        let latest = Instant::now() + PATIENCE;
        self.overdue = Some(self.overdue.map_or(latest, |overdue| overdue.min(latest)));
    }

    /// When the protocol's thread must answer by itself because the search has not.
    pub(super) fn overdue_at(&self) -> Option<Instant> {
        self.overdue
    }
}

/// `go mate`. It needs no model, nor the search thread.
impl<W: Write> Engine<'_, W> {
    pub(super) fn go_mate(&mut self, limit: MateLimit, asked: Instant) -> io::Result<()> {
        let Some(game) = self.game_to_mate()? else {
            return self.say(&Answer::Checkmate(Checkmate::Timeout));
        };
        let control = Arc::new(Control::default());
        let mut overdue = None;
        if let MateLimit::Number(ms) = limit {
            let delay_ms = u64::from(self.options.network_delay_ms).min(ms / 2);
            let end = asked.checked_add(Duration::from_millis(ms - delay_ms));
            // A time too far away to be represented is no limit.
            if let Some(end) = end {
                control.set_deadline(Deadline { optimum: end, maximum: end });
                overdue = end.checked_add(PATIENCE);
            }
        }
        let nodes = match limit {
            MateLimit::Nodes(nodes) => nodes,
            MateLimit::Infinite | MateLimit::Number(_) => UNLIMITED_NODES,
        };
        let settings = MateSettings {
            limits: MateLimits { nodes, plies: MateLimits::MAX_PLIES },
            hash_mib: self.options.mate_hash_mib,
        };
        self.searches += 1;
        let id = self.searches;
        let events = self.events.clone();
        self.mates.solve(game, settings, &control, move |answer| {
            // Nobody listens any more only when the process ends.
            let _ = events.send(Event::Report(Report::Mated { search: id, answer }));
        });
        self.mating = Some(Mating { id, control, overdue });
        Ok(())
    }

    /// Answers with what a search for a mate has found, if it is the one in progress.
    pub(super) fn mated(&mut self, search: u64, answer: MateAnswer) -> io::Result<()> {
        if self.mating.take_if(|mating| mating.id == search).is_none() {
            return Ok(());
        }
        self.say(&Answer::Checkmate(match answer {
            MateAnswer::Mate { line } => Checkmate::Moves(line),
            MateAnswer::NoMate => Checkmate::NoMate,
            MateAnswer::Unknown => Checkmate::Timeout,
        }))
    }
}
