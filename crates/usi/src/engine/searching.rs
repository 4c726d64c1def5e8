use std::sync::Arc;
use std::time::{Duration, Instant};

use keiko_play::{Remaining, TimeBudget, TimeSettings};
use keiko_shogi::{Game, Move, MoveList};

use super::control::{Control, Deadline};
use super::report::Finished;
use crate::answer::{BestMove, Choice};
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
    overdue: Option<Instant>,
}

/// How long a search may take to notice that it was stopped.
const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// Own moves over which main time is spread.
const HORIZON_MOVES: u32 = 50;
/// A move is given this long at least where the clock allows it, and the first evaluation even where it does not: a move
/// that nobody has looked at is worth less than a few milliseconds.
const MINIMUM_MS: u64 = 50;

impl Searching {
    /// A search that is now given to the search thread.
    pub(super) fn started(
        control: Arc<Control>,
        release: Release,
        go: Go,
        game: Game,
    ) -> Searching {
        Searching { id: 0, control, release, go, game, finished: None, overdue: None }
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
            let late = maximum.checked_add(Duration::from_millis(grace));
            self.overdue = late.max(after(MINIMUM_MS));
        }
    }

    /// The budget by the clocks of `go`, and when the time is truly up; `None` without clocks.
    fn budget(&self, options: &Options) -> Option<(TimeBudget, u64)> {
        let times = &self.go.times;
        let side = self.game.position().side_to_move();
        let delay = u64::from(options.network_delay_ms);
        let by_clock = (!times.is_empty()).then(|| {
            let main_ms = times.left_ms(side);
            let byoyomi_ms = times.byoyomi_ms.unwrap_or(0);
            let (margin_ms, reserve_ms) = if byoyomi_ms > 0 {
                // A byoyomi shorter than the margins still leaves a quarter of it to think.
                let longest_ms = main_ms.saturating_add(byoyomi_ms);
                let most_ms = longest_ms - longest_ms / 4;
                ((delay + u64::from(options.byoyomi_margin_ms)).min(most_ms), 0)
            } else {
                (delay, u64::from(options.time_margin_ms).min(main_ms / 2))
            };
            let remaining = Remaining {
                main_ms: main_ms - reserve_ms,
                byoyomi_ms,
                increment_ms: times.increment_ms(side),
            };
            let settings =
                TimeSettings { margin_ms, minimum_ms: MINIMUM_MS, horizon_moves: HORIZON_MOVES };
            let budget = TimeBudget::allot(remaining, self.game.ply(), &settings);
            (budget, remaining.longest_ms().saturating_add(reserve_ms))
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

    /// Asks for the answer now.
    pub(super) fn stop(&mut self) {
        self.release = Release::AtOnce;
        self.control.stop();
        let latest = Instant::now() + STOP_PATIENCE;
        self.overdue = Some(self.overdue.map_or(latest, |overdue| overdue.min(latest)));
    }

    /// When the protocol's thread must answer by itself because the search has not.
    pub(super) fn overdue_at(&self) -> Option<Instant> {
        self.overdue
    }

    /// The answer of a search that does not give one: what it had found so far, or any legal move.
    pub(super) fn fallback(&self) -> Finished {
        self.control.noted().unwrap_or_else(|| {
            let mut moves = MoveList::new();
            self.game.legal_moves(&mut moves);
            let allowed = |mv: &&Move| self.go.searchmoves.contains(mv);
            let any = moves.iter().find(allowed).or(moves.first()).copied();
            let best = BestMove::new(any.map_or(Choice::Resign, Choice::Move));
            Finished { infos: Vec::new(), best }
        })
    }
}

#[cfg(test)]
mod tests {
    use keiko_shogi::Rules;

    use super::*;

    /// Optimum, maximum and the true end, in milliseconds.
    fn budget(go: &str, options: &Options) -> Option<(u64, u64, u64)> {
        let game = Game::startpos(Rules::STANDARD);
        let searching = Searching::started(Arc::default(), Release::AtOnce, Go::parse(go), game);
        let (budget, flag_ms) = searching.budget(options)?;
        Some((budget.optimum_ms, budget.maximum_ms, flag_ms))
    }

    fn options(delay: u32, byoyomi_margin: u32, time_margin: u32) -> Options {
        Options {
            network_delay_ms: delay,
            byoyomi_margin_ms: byoyomi_margin,
            time_margin_ms: time_margin,
            ..Options::defaults()
        }
    }

    #[test]
    fn byoyomi_is_used_up_to_the_margins() {
        let go = "btime 0 wtime 0 byoyomi 10000";
        assert_eq!(budget(go, &options(100, 0, 5000)), Some((9900, 9900, 10_000)));
        assert_eq!(budget(go, &options(100, 400, 5000)), Some((9500, 9500, 10_000)));
        let go = "btime 0 wtime 0 byoyomi 100";
        assert_eq!(budget(go, &options(20, 0, 0)), Some((80, 80, 100)));
        assert_eq!(budget(go, &options(120, 0, 0)), Some((25, 25, 100)));
    }

    #[test]
    fn main_time_counts_beside_byoyomi_and_without_it() {
        let (optimum, maximum, flag) =
            budget("btime 300000 wtime 1 byoyomi 5000", &options(0, 0, 0)).unwrap();
        assert!(optimum > 5000 && maximum > optimum && maximum < flag, "{optimum} {maximum}");
        assert_eq!(flag, 305_000);
        let (optimum, _, flag) =
            budget("btime 300000 wtime 1 byoyomi 0", &options(0, 0, 0)).unwrap();
        assert!((2000..30_000).contains(&optimum), "{optimum}");
        assert_eq!(flag, 300_000);
        // What is kept in reserve is kept once, not on every move.
        let (optimum, ..) = budget("btime 300000 wtime 1", &options(100, 0, 1000)).unwrap();
        assert_eq!(optimum, 299_000 / u64::from(HORIZON_MOVES) - 100);
    }

    #[test]
    fn no_budget_reaches_the_flag() {
        for go in [
            "btime 0 wtime 0",
            "btime 50 wtime 50",
            "btime 1000 wtime 1000 binc 500 winc 500",
            "btime 0 wtime 0 byoyomi 1",
            "btime 500 wtime 500 byoyomi 100",
            "movetime 100",
            "movetime 1",
            "btime 1000 wtime 1000 movetime 5000",
            "btime 18446744073709551615 wtime 1 byoyomi 18446744073709551615",
        ] {
            let (optimum, maximum, flag) = budget(go, &Options::defaults()).unwrap();
            assert!(optimum <= maximum && maximum <= flag, "{go}: {optimum} {maximum} {flag}");
            assert!(maximum < flag || flag < 2, "{go}: {maximum} {flag}");
        }
    }

    #[test]
    fn the_first_evaluation_has_time_even_when_the_clock_has_none() {
        for go in ["btime 0 wtime 0", "byoyomi 1", "movetime 0"] {
            let game = Game::startpos(Rules::STANDARD);
            let mut searching =
                Searching::started(Arc::default(), Release::AtOnce, Go::parse(go), game);
            let started = Instant::now();
            searching.start_clock(&Options::defaults());
            let overdue = searching.overdue_at().unwrap();
            assert!(overdue >= started + Duration::from_millis(MINIMUM_MS), "{go}");
        }
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        for go in ["", "infinite", "nodes 5", "depth 3"] {
            assert_eq!(budget(go, &Options::defaults()), None, "{go}");
        }
    }
}
