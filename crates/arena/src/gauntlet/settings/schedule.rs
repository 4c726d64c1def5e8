use serde::{Deserialize, Serialize};

use super::{GauntletSettingsError, check};
use crate::openings::OpeningSettings;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleKind {
    /// Everybody meets everybody.
    RoundRobin,
    /// The challengers meet all others, and not each other.
    Gauntlet,
    /// Each engine meets the next one of the list.
    Ladder,
}

/// Which draws are played again with colours reversed, as professionals do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplayDraws {
    /// None.
    Off,
    /// Those by fourfold repetition.
    Sennichite,
    /// All but those at the maximum of plies.
    All,
}

/// The clocks of a game that replays a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ReplayTime {
    /// In words.
    Named(NamedReplayTime),
    /// A main time for both sides, in seconds.
    Seconds(u64),
}

/// The clocks of a game that replays a draw, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedReplayTime {
    /// Each engine has what it had left.
    Remaining,
    /// As in a new game.
    Fresh,
}

/// How an event is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleSettings {
    /// Who meets whom.
    pub kind: ScheduleKind,
    /// The challengers of a gauntlet by name; without it the first engine is the only one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub challengers: Vec<String>,
    /// Games of each two that meet, even: every opening is played twice with colours reversed.
    pub games: u32,
    /// Games at once where a program or a clock takes part.
    pub concurrency: usize,
    /// Games at once among nets and reference players by nodes, whose positions are evaluated in batches.
    pub batch_games: usize,
    /// A move may be late by so much, for the way between the programs, in milliseconds.
    pub margin_ms: u64,
    /// How long a program may take to start and to get ready for a game, in milliseconds.
    pub start_patience_ms: u64,
    /// How long a program may take for a move by nodes, in milliseconds.
    pub nodes_patience_ms: u64,
    /// Seed of the openings and of what reference players draw by lot.
    pub seed: u64,
    /// Which draws are played again.
    pub replay_draws: ReplayDraws,
    /// With which time.
    pub replay_time: ReplayTime,
    /// Games that may follow the first of a chain of draws.
    pub max_replays: u32,
    /// Where games start.
    pub openings: OpeningSettings,
}

impl ScheduleSettings {
    /// Checks every number against its range.
    pub(super) fn validate(&self) -> Result<(), GauntletSettingsError> {
        let plies = match self.openings {
            OpeningSettings::Random { plies } => (1..=100).contains(&plies),
            OpeningSettings::File { .. } => true,
        };
        let even = (2..=1_000_000).contains(&self.games) && self.games.is_multiple_of(2);
        let patience = |ms: u64| (100..=86_400_000).contains(&ms);
        check(&[
            (even, "schedule.games", "an even number from 2 to 1000000"),
            ((1..=1024).contains(&self.concurrency), "schedule.concurrency", "from 1 to 1024"),
            ((1..=65_536).contains(&self.batch_games), "schedule.batch_games", "from 1 to 65536"),
            (self.margin_ms <= 60_000, "schedule.margin_ms", "at most 60000"),
            (
                patience(self.start_patience_ms),
                "schedule.start_patience_ms",
                "from 100 to 86400000",
            ),
            (
                patience(self.nodes_patience_ms),
                "schedule.nodes_patience_ms",
                "from 100 to 86400000",
            ),
            (self.seed < 1 << 63, "schedule.seed", "from 0 to 2^63 - 1"),
            (self.max_replays <= 100, "schedule.max_replays", "at most 100"),
            (
                !matches!(self.replay_time, ReplayTime::Seconds(seconds) if !(1..=86_400).contains(&seconds)),
                "schedule.replay_time",
                "\"remaining\", \"fresh\", or from 1 to 86400 seconds",
            ),
            (plies, "schedule.openings.plies", "from 1 to 100"),
            (
                self.kind == ScheduleKind::Gauntlet || self.challengers.is_empty(),
                "schedule.challengers",
                "left out unless schedule.kind is \"gauntlet\"",
            ),
        ])
    }
}
