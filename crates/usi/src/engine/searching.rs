use std::sync::Arc;
use std::time::{Duration, Instant};

use keiko_play::{Remaining, TimeBudget, TimeSettings};
use keiko_shogi::{Game, Move, MoveList};

use super::control::{Control, Deadline};
use super::report::Finished;
use crate::answer::{BestMove, Choice, Info};
use crate::command::Go;
use crate::options::Options;

/// What a search that has ended waits for before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Release {
    AtOnce,
    OnStop,
    OnPonderHit,
}

/// The search in progress, as the protocol's thread sees it.
#[derive(Debug)]
pub(super) struct Searching {
    pub(super) id: u64,
    pub(super) control: Arc<Control>,
    pub(super) release: Release,
    pub(super) go: Go,
    pub(super) game: Game,
    /// The answer, once the search has ended.
    pub(super) finished: Option<Finished>,
    best_so_far: Option<Move>,
    overdue: Option<Instant>,
}

/// Own moves over which main time is spread.
const HORIZON_MOVES: u32 = 50;
/// A move is given this long at least where the clock allows it.
const MINIMUM_MS: u64 = 50;

impl Searching {
    /// A search that is now given to the search thread.
    pub(super) fn started(
        control: Arc<Control>,
        release: Release,
        go: Go,
        game: Game,
    ) -> Searching {
        Searching {
            id: 0,
            control,
            release,
            go,
            game,
            finished: None,
            best_so_far: None,
            overdue: None,
        }
    }

    /// A search that needs no search.
    pub(super) fn answered(finished: Finished, release: Release, go: Go, game: Game) -> Searching {
        let control = Arc::new(Control::default());
        Searching { finished: Some(finished), ..Searching::started(control, release, go, game) }
    }

    /// Starts the own clock: now counts as the moment the GUI started it.
    pub(super) fn start_clock(&mut self, options: &Options) {
        let now = Instant::now();
        let after = |ms: u64| now.checked_add(Duration::from_millis(ms));
        let Some((budget, flag_ms)) = self.budget(options) else { return };
        // A time too far away to be represented is no limit.
        if let (Some(optimum), Some(maximum)) = (after(budget.optimum_ms), after(budget.maximum_ms))
        {
            self.control.set_deadline(Deadline { optimum, maximum });
            let grace = flag_ms.saturating_sub(budget.maximum_ms) / 2;
            self.overdue = maximum.checked_add(Duration::from_millis(grace));
        }
    }

    /// The budget by the clocks of `go`, and when the time is truly up; `None` without clocks.
    fn budget(&self, options: &Options) -> Option<(TimeBudget, u64)> {
        let times = &self.go.times;
        let side = self.game.position().side_to_move();
        let delay = u64::from(options.network_delay_ms);
        let by_clock = (!times.is_empty()).then(|| {
            let byoyomi_ms = times.byoyomi_ms.unwrap_or(0);
            let reserve = if byoyomi_ms > 0 {
                u64::from(options.byoyomi_margin_ms)
            } else {
                u64::from(options.time_margin_ms).min(times.left_ms(side) / 2)
            };
            let remaining = Remaining {
                main_ms: times.left_ms(side),
                byoyomi_ms,
                increment_ms: times.increment_ms(side),
            };
            let settings = TimeSettings {
                margin_ms: delay + reserve,
                minimum_ms: MINIMUM_MS,
                horizon_moves: HORIZON_MOVES,
            };
            (TimeBudget::allot(remaining, self.game.ply(), &settings), remaining.longest_ms())
        });
        let by_move = self.go.movetime_ms.map(|ms| {
            let own = ms.saturating_sub(delay.min(ms / 2));
            (TimeBudget { optimum_ms: own, maximum_ms: own }, ms)
        });
        match (by_clock, by_move) {
            (Some(clock), Some(fixed)) => {
                Some(if clock.0.maximum_ms < fixed.0.maximum_ms { clock } else { fixed })
            }
            (clock, fixed) => clock.or(fixed),
        }
    }

    /// When the protocol's thread must answer by itself because the search has not.
    pub(super) fn overdue_at(&self) -> Option<Instant> {
        self.overdue
    }

    /// Notes the best move of a progress report.
    pub(super) fn remember(&mut self, infos: &[Info]) {
        if let Some(&mv) = infos.first().and_then(|info| info.pv.first()) {
            self.best_so_far = Some(mv);
        }
    }

    /// The best move reported so far, or any legal move.
    pub(super) fn overdue_answer(&self) -> BestMove {
        let any = || {
            let mut moves = MoveList::new();
            self.game.legal_moves(&mut moves);
            let allowed = |mv: &&Move| self.go.searchmoves.contains(mv);
            moves.iter().find(allowed).or(moves.first()).copied()
        };
        let choice = self.best_so_far.or_else(any).map_or(Choice::Resign, Choice::Move);
        BestMove::new(choice)
    }

    /// The answer of a search that broke off.
    pub(super) fn fallback(&self) -> Finished {
        Finished { infos: Vec::new(), best: self.overdue_answer() }
    }
}
