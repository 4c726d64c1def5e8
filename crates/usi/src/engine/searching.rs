use std::sync::Arc;
use std::time::{Duration, Instant};

use keiko_play::{Margins, TimeBudget, TimeSettings};
use keiko_shogi::{Game, MoveList};

use super::control::{Control, Deadline};
use super::report::Finished;
use crate::answer::{BestMove, Choice, Info, PvEnd, Score};
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
    /// 0 until the search thread has it.
    pub(super) id: u64,
    pub(super) control: Arc<Control>,
    pub(super) release: Release,
    pub(super) go: Go,
    pub(super) game: Game,
    /// The answer, once the search has ended.
    pub(super) finished: Option<Finished>,
    asked: Instant,
    overdue: Option<Instant>,
}

/// How long a search may take to notice that it was stopped.
const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// Own moves over which main time is spread.
const HORIZON_MOVES: u32 = 50;
/// A move is given this long at least where the clock allows it, and where there is no time at all.
const MINIMUM_MS: u64 = 50;
/// The first evaluation is given this long even where the clock does not allow it: a move that nobody has looked at is
/// worth less than a few milliseconds.
const FIRST_MS: u64 = 10;

impl Searching {
    /// A search of `game` that the GUI asked for at the time `asked`. Of the moves to search those that are legal count.
    pub(super) fn new(mut go: Go, game: Game, asked: Instant) -> Searching {
        go.searchmoves.retain(|&mv| game.position().is_legal(mv));
        let release = match &go {
            Go { infinite: true, .. } => Release::OnStop,
            Go { ponder: true, .. } => Release::OnPonderHit,
            _ => Release::AtOnce,
        };
        let control = Arc::default();
        Searching { id: 0, control, release, go, game, finished: None, asked, overdue: None }
    }

    /// Starts the own clock at the moment of the `go`, unless it is for the opponent's time.
    pub(super) fn start_clock(&mut self, options: &Options) {
        if self.release == Release::AtOnce {
            self.start_clock_at(self.asked, options);
        }
    }

    /// Starts the own clock: `start` counts as the moment the GUI started it.
    pub(super) fn start_clock_at(&mut self, start: Instant, options: &Options) {
        let after = |ms: u64| start.checked_add(Duration::from_millis(ms));
        let Some(budget) = self.budget(options) else { return };
        // A time too far away to be represented is no limit.
        if let (Some(optimum), Some(maximum)) = (after(budget.optimum_ms), after(budget.maximum_ms))
        {
            self.control.set_deadline(Deadline { optimum, maximum });
            let least = if budget.flag_ms == 0 { MINIMUM_MS } else { FIRST_MS };
            self.overdue = after(budget.overdue_ms().max(least));
        }
    }

    /// The budget by the clocks of `go`; `None` without clocks.
    fn budget(&self, options: &Options) -> Option<TimeBudget> {
        let times = &self.go.times;
        let side = self.game.position().side_to_move();
        let settings = TimeSettings {
            margin_ms: u64::from(options.network_delay_ms),
            minimum_ms: MINIMUM_MS,
            horizon_moves: HORIZON_MOVES,
        };
        let margins = Margins {
            byoyomi_ms: u64::from(options.byoyomi_margin_ms),
            main_ms: u64::from(options.time_margin_ms),
        };
        let by_clock = (!times.is_empty()).then(|| {
            TimeBudget::allot_keeping(margins, times.remaining(side), self.game.ply(), &settings)
        });
        let by_move = self.go.movetime_ms.map(|ms| TimeBudget::of_move(ms, &settings));
        by_clock.into_iter().chain(by_move).min_by_key(|budget| budget.maximum_ms)
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

    /// Takes the answer, if there is one and it may be given.
    pub(super) fn take_answer(&mut self) -> Option<Finished> {
        self.finished.take_if(|_| self.release == Release::AtOnce)
    }

    /// The answer of a search that does not give one: what it had found so far, or any legal move.
    pub(super) fn fallback(&self) -> Finished {
        self.control.noted().unwrap_or_else(|| {
            let mut moves = MoveList::new();
            self.game.legal_moves(&mut moves);
            match self.go.searchmoves.first().or(moves.first()) {
                Some(&mv) => {
                    let info = Info { pv: vec![mv], ..self.nothing() };
                    Finished { infos: vec![info], best: BestMove::new(Choice::Move(mv)) }
                }
                None => self.resignation(),
            }
        })
    }

    /// The answer where no move can be given.
    pub(super) fn resignation(&self) -> Finished {
        let info = Info { pv_end: Some(PvEnd::Resign), ..self.nothing() };
        Finished { infos: vec![info], best: BestMove::new(Choice::Resign) }
    }

    fn nothing(&self) -> Info {
        let time_ms = u64::try_from(self.asked.elapsed().as_millis()).ok();
        Info {
            depth: Some(0),
            time_ms,
            nodes: Some(0),
            nps: Some(0),
            score: Some(Score::Centipawns(0)),
            ..Info::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use keiko_shogi::Rules;

    use super::*;

    fn searching(go: &str) -> Searching {
        Searching::new(Go::parse(go), Game::startpos(Rules::STANDARD), Instant::now())
    }

    /// Optimum, maximum and the true end, in milliseconds.
    fn budget(go: &str, options: &Options) -> Option<(u64, u64, u64)> {
        let budget = searching(go).budget(options)?;
        Some((budget.optimum_ms, budget.maximum_ms, budget.flag_ms))
    }

    #[test]
    fn the_options_are_the_margins() {
        let options = |delay, byoyomi_margin, time_margin| Options {
            network_delay_ms: delay,
            byoyomi_margin_ms: byoyomi_margin,
            time_margin_ms: time_margin,
            ..Options::defaults()
        };
        let go = "btime 0 wtime 0 byoyomi 10000";
        assert_eq!(budget(go, &options(100, 400, 5000)), Some((9500, 9500, 10_000)));
        assert_eq!(budget("byoyomi 100", &options(120, 0, 0)), Some((25, 25, 100)));
        let (optimum, ..) =
            budget("btime 301000 wtime 1 byoyomi 0", &options(100, 0, 1000)).unwrap();
        assert_eq!(optimum, 300_000 / u64::from(HORIZON_MOVES) - 100);
    }

    #[test]
    fn no_budget_reaches_the_flag() {
        for go in [
            "btime 50 wtime 50",
            "btime 1000 wtime 1000 binc 500 winc 500",
            "btime 500 wtime 500 byoyomi 100 binc 100 winc 100",
            "btime 0 wtime 0 byoyomi 3",
            "btime 500 wtime 500 byoyomi 100",
            "movetime 100",
            "movetime 2",
            "btime 1000 wtime 1000 movetime 5000",
            "btime 18446744073709551615 wtime 1 byoyomi 18446744073709551615",
        ] {
            let (optimum, maximum, flag) = budget(go, &Options::defaults()).unwrap();
            assert!(optimum <= maximum && maximum < flag, "{go}: {optimum} {maximum} {flag}");
        }
    }

    #[test]
    fn the_clock_runs_from_the_moment_of_the_go() {
        let asked = Instant::now().checked_sub(Duration::from_secs(5)).unwrap();
        let game = Game::startpos(Rules::STANDARD);
        let mut searching = Searching::new(Go::parse("byoyomi 10000"), game, asked);
        searching.start_clock(&Options::defaults());
        assert_eq!(
            searching.control.deadline().unwrap().maximum,
            asked + Duration::from_millis(9880)
        );
        assert!(searching.overdue_at().unwrap() < asked + Duration::from_secs(10));
        searching.stop();
        assert!(searching.overdue_at().unwrap() <= Instant::now() + STOP_PATIENCE);
    }

    #[test]
    fn the_first_evaluation_has_time_even_when_the_clock_has_none() {
        for (go, least) in [
            ("btime 0 wtime 0", MINIMUM_MS),
            ("byoyomi 1", FIRST_MS),
            ("movetime 0", MINIMUM_MS),
            ("byoyomi 100", 25),
        ] {
            let mut searching = searching(go);
            searching.start_clock(&Options::defaults());
            let overdue = searching.overdue_at().unwrap();
            assert!(overdue >= searching.asked + Duration::from_millis(least), "{go}");
            assert!(overdue < searching.asked + Duration::from_millis(100), "{go}");
        }
    }

    #[test]
    fn without_a_clock_there_is_no_budget_and_in_the_opponents_time_no_clock() {
        for go in ["", "infinite", "nodes 5", "depth 3"] {
            assert_eq!(budget(go, &Options::defaults()), None, "{go}");
        }
        let mut searching = searching("ponder btime 1000 wtime 1000");
        searching.start_clock(&Options::defaults());
        assert_eq!(searching.overdue_at(), None);
        searching.start_clock_at(Instant::now(), &Options::defaults());
        assert!(searching.overdue_at().is_some());
    }
}
