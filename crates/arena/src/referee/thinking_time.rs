use keiko_play::{Remaining, TimeControl};
use keiko_shogi::Color;
use keiko_usi::command::{Go, Times};

/// How long a player may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkingTime {
    /// By a clock.
    Clock(TimeControl),
    /// The same for every move.
    MoveTime {
        /// Milliseconds.
        ms: u64,
    },
    /// A number of nodes, however long it takes.
    Nodes {
        /// Nodes; simulations of a tree search.
        nodes: u64,
    },
}

impl ThinkingTime {
    /// The clock to run; without one it stands still.
    pub(super) fn control(self) -> TimeControl {
        match self {
            ThinkingTime::Clock(control) => control,
            ThinkingTime::MoveTime { .. } | ThinkingTime::Nodes { .. } => TimeControl::default(),
        }
    }

    /// What to tell the player of `side` when both have this much `left`, by colour.
    pub(super) fn go(self, side: Color, left: [Remaining; 2]) -> Go {
        let [black, white] = left;
        match self {
            ThinkingTime::MoveTime { ms } => Go { movetime_ms: Some(ms), ..Go::default() },
            ThinkingTime::Nodes { nodes } => Go::nodes(nodes),
            ThinkingTime::Clock(control) => {
                let fischer = control.increment_ms > 0;
                let increment = |left: Remaining| fischer.then_some(left.increment_ms);
                let times = Times {
                    black_ms: Some(black.main_ms),
                    white_ms: Some(white.main_ms),
                    // Each side may have its own byoyomi: the engine must hear the one of its turn.
                    byoyomi_ms: (!fischer || control.byoyomi_ms > 0)
                        .then_some(left[side.index()].byoyomi_ms),
                    black_increment_ms: increment(black),
                    white_increment_ms: increment(white),
                };
                Go { times, ..Go::default() }
            }
        }
    }

    /// The longest a move may take, in milliseconds; none for a search by nodes.
    pub(super) fn longest_ms(self, left: Remaining) -> Option<u64> {
        match self {
            ThinkingTime::Clock(_) => Some(left.longest_ms()),
            ThinkingTime::MoveTime { ms } => Some(ms),
            ThinkingTime::Nodes { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remaining(main_ms: u64, byoyomi_ms: u64, increment_ms: u64) -> Remaining {
        Remaining { main_ms, byoyomi_ms, increment_ms }
    }

    #[test]
    fn each_side_hears_its_own_byoyomi() {
        let left = [remaining(60_000, 10_000, 0), remaining(50_000, 30_000, 0)];
        let time = ThinkingTime::Clock(TimeControl::default());
        let go = |side| format!("go{}", time.go(side, left));
        assert_eq!(go(Color::Black), "go btime 60000 wtime 50000 byoyomi 10000");
        assert_eq!(go(Color::White), "go btime 60000 wtime 50000 byoyomi 30000");
    }

    #[test]
    fn byoyomi_and_increments_are_sent_together_only_where_there_are_both() {
        let control = TimeControl { main_ms: 1000, byoyomi_ms: 0, increment_ms: 200 };
        let left = [remaining(1000, 0, 200), remaining(900, 0, 200)];
        let go = ThinkingTime::Clock(control).go(Color::Black, left);
        assert_eq!(format!("go{go}"), "go btime 1000 wtime 900 binc 200 winc 200");
        let control = TimeControl { byoyomi_ms: 50, ..control };
        let left = left.map(|left| Remaining { byoyomi_ms: 50, ..left });
        let go = format!("go{}", ThinkingTime::Clock(control).go(Color::Black, left));
        for part in ["btime 1000 wtime 900", "byoyomi 50", "binc 200 winc 200"] {
            assert!(go.contains(part), "{go}");
        }
    }

    #[test]
    fn nodes_and_move_times_need_no_clock() {
        let left = [remaining(0, 0, 0); 2];
        let go = |time: ThinkingTime| format!("go{}", time.go(Color::Black, left));
        assert_eq!(go(ThinkingTime::Nodes { nodes: 800 }), "go nodes 800");
        assert_eq!(go(ThinkingTime::MoveTime { ms: 100 }), "go movetime 100");
    }
}
