use keiko_shogi::{Color, EndReason, Outcome};

use super::Event;
use super::settings::{NamedReplayTime, ReplayDraws, ReplayTime};
use crate::referee::{Fault, ThinkingTime};

/// A place in an event's schedule: one game of two engines, or a chain of games if it is drawn and played again.
///
/// Encounters are numbered so that an event with more games begins with the same ones: by opening, then by pairing, then
/// by who has Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Encounter {
    /// Its number in the event, from 0.
    pub number: u32,
    /// The number of its opening.
    pub opening: u32,
    /// The number of its pairing.
    pub pairing: u32,
    /// The engine with Black in the first game, then that with White.
    pub engines: [usize; 2],
}

/// What is kept of a game once it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameResult {
    /// Its encounter.
    pub encounter: u32,
    /// Its place in the chain: 0, or the number of draws before it.
    pub replay: u32,
    /// The engines, by colour.
    pub engines: [usize; 2],
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: EndReason,
    /// Moves from the start of the game, those of the opening included.
    pub plies: u32,
    /// Who failed, and how.
    pub fault: Option<(Color, Fault)>,
    /// Whether the loser resigned by adjudication.
    pub adjudicated: bool,
    /// The main time each side had left, by colour, in milliseconds.
    pub left_ms: [u64; 2],
}

/// A game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) encounter: Encounter,
    pub(super) replay: u32,
    /// The main time at the start, by colour, in milliseconds, where it is not that of the engines' clocks.
    pub(super) main_ms: Option<[u64; 2]>,
}

impl Task {
    /// The engines, by colour: they change places with every replay.
    pub(super) fn engines(&self) -> [usize; 2] {
        let [black, white] = self.encounter.engines;
        if self.replay.is_multiple_of(2) { [black, white] } else { [white, black] }
    }
}

impl Event {
    /// The encounter of a number, below [`encounters`](Self::encounters).
    pub fn encounter(&self, number: u32) -> Encounter {
        let pairings = self.pairing_count();
        let (opening, rest) = (number / (2 * pairings), number % (2 * pairings));
        let [a, b] = self.pairings[rest as usize / 2];
        let engines = if rest % 2 == 0 { [a, b] } else { [b, a] };
        Encounter { number, opening, pairing: rest / 2, engines }
    }

    /// How many encounters there are.
    pub fn encounters(&self) -> u32 {
        self.pairing_count().saturating_mul(self.settings.schedule.games)
    }

    /// Of at most 200 engines.
    fn pairing_count(&self) -> u32 {
        u32::try_from(self.pairings.len()).unwrap_or(u32::MAX).max(1)
    }

    /// The game that follows in a chain, if its last game is to be played again.
    pub(super) fn replay_of(&self, last: &GameResult) -> Option<Task> {
        let schedule = &self.settings.schedule;
        let again = match (schedule.replay_draws, last.reason) {
            _ if last.outcome != Outcome::Draw => false,
            (ReplayDraws::Off, _) | (_, EndReason::MaxPlies) => false,
            (ReplayDraws::Sennichite, reason) => reason == EndReason::Sennichite,
            (ReplayDraws::All, _) => true,
        };
        if !again || last.replay >= schedule.max_replays {
            return None;
        }
        let task = Task {
            encounter: self.encounter(last.encounter),
            replay: last.replay + 1,
            main_ms: None,
        };
        let [black_ms, white_ms] = last.left_ms;
        // The engine that had Black has White now, with its own time.
        let left_ms = [white_ms, black_ms];
        let main_ms = match schedule.replay_time {
            ReplayTime::Named(NamedReplayTime::Fresh) => None,
            ReplayTime::Named(NamedReplayTime::Remaining) => Some(left_ms),
            ReplayTime::Seconds(seconds) => Some([seconds.saturating_mul(1000); 2]),
        };
        let has_clock =
            |engine: usize| matches!(self.entrants[engine].time, ThinkingTime::Clock(_));
        Some(Task {
            main_ms: main_ms.filter(|_| last.engines.iter().any(|&it| has_clock(it))),
            ..task
        })
    }
}
