mod error;
mod fast;
mod growth;
mod opening;
mod replayed_draws;
mod resign_audit;
mod starts;
mod temperature;

pub use error::SettingsError;
pub use fast::FastSearch;
pub use growth::Growth;
pub use opening::{Opening, OpeningChoice};
pub use replayed_draws::ReplayedDraws;
pub use resign_audit::ResignAudit;
pub use starts::Starts;
pub use temperature::Temperature;

use serde::{Deserialize, Serialize};

/// The `[selfplay]` section of a configuration.
///
/// Everything but `workers` is part of what the games are. The maximum number of plies and the impasse rule
/// belong to the rules, the search itself to the search settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Threads that play, each with its own backend, 1 to 1024; they change the speed and not the games.
    /// Workers beyond the number of groups are not started.
    pub workers: usize,
    /// Groups of games in lockstep, 1 to 65536; game `i` is played in group `i mod groups`.
    pub groups: usize,
    /// Games that a group plays at the same time, 1 to 65536. KataGo: 400 a GPU in all; AlphaZero: 5,000
    /// machines.
    pub games_per_group: usize,
    /// Rows of every batch after padding, 16 to 65536.
    pub batch_shape: usize,
    /// Games in a shard, 1 or more; the last shard of a stream may hold fewer.
    pub shard_max_games: u32,
    /// How many games ahead of the first unfinished one a game may begin, 1 or more and at least
    /// `groups * games_per_group`; bounds the finished games that wait in memory for an earlier one.
    pub max_ahead_games: u32,
    /// Simulations of a full search, 1 or more, in the first generation if they grow. AlphaZero: 800; KataGo: 600 to 1,500; Gumbel: 16 to 200.
    pub simulations: u32,
    /// How these change from one generation to the next.
    pub growth: Growth,
    /// Searches that are cheaper than full ones.
    pub fast: FastSearch,
    /// How the move is chosen once a position is searched.
    pub temperature: Temperature,
    /// Where games begin.
    pub starts: Starts,
    /// The moves before the first search.
    pub opening: Opening,
    /// When a side resigns, and how that is checked.
    pub resignation: ResignAudit,
    /// What a sennichite is worth where it is played again.
    pub replayed_draws: ReplayedDraws,
    /// Under the rule `jishogi24`: how much more than the draw a side may expect and still agree to count,
    /// 0 to 1.
    pub jishogi_threshold: f32,
}

impl Settings {
    /// The settings of a generation, counted from 0: the same whenever it is played or gone on with.
    #[must_use]
    pub fn in_generation(&self, generation: u32) -> Self {
        Self { simulations: self.growth.at(self.simulations, generation), ..self.clone() }
    }

    /// Checks every number against its range.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let at_least = SettingsError::at_least;
        let within = SettingsError::within;
        within("selfplay.workers", self.workers as u64, 1..=1024)?;
        within("selfplay.groups", self.groups as u64, 1..=65_536)?;
        within("selfplay.games_per_group", self.games_per_group as u64, 1..=65_536)?;
        within("selfplay.batch_shape", self.batch_shape as u64, 16..=65_536)?;
        at_least("selfplay.shard_max_games", u64::from(self.shard_max_games), 1)?;
        let slots = self.groups.saturating_mul(self.games_per_group) as u64;
        at_least("selfplay.max_ahead_games", u64::from(self.max_ahead_games), slots)?;
        at_least("selfplay.simulations", u64::from(self.simulations), 1)?;
        let share = SettingsError::share;
        share("selfplay.jishogi_threshold", self.jishogi_threshold)?;
        self.growth.validate()?;
        self.fast.validate()?;
        self.temperature.validate()?;
        self.starts.validate()?;
        self.opening.validate()?;
        self.replayed_draws.validate()?;
        self.resignation.validate()
    }
}
