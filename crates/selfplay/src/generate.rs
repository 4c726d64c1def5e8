mod counters;
mod error;
mod watermark;
mod worker;
mod writer;

pub use error::GenerateError;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use keiko_inference::{Backend, BackendError};
use keiko_mcts::SearchSettings;
use keiko_play::{Group, GroupSettings, Player};
use keiko_shogi::{DrawValues, Rules};

use crate::director::{GameDirector, Indices};
use crate::{Allowance, Event, Settings, ShardSink, Sources, Statistics, Thresholds};
use counters::Counters;
use watermark::Watermark;
use worker::Worker;
use writer::Writer;

/// The games of one stream to play.
#[derive(Debug, Clone)]
pub struct Generation<'a> {
    /// Name of the stream; part of every game's seed.
    pub stream: &'a str,
    /// Indices of the games. Shard `n` holds the `n`-th `shard_max_games` of them.
    pub games: Range<u64>,
    /// Which of them may begin, where that is said only while they are played: from index 0 on. Whole shards are
    /// published, and at the end the last games, which make no whole one.
    pub allowance: Option<&'a Allowance>,
    /// The run's seed.
    pub run_seed: u64,
    /// Id of the model that plays both sides.
    pub model: &'a str,
    /// Rules in force.
    pub rules: Rules,
    /// What draws are worth.
    pub draw_values: DrawValues,
    /// How the games are played.
    pub settings: &'a Settings,
    /// How positions are searched.
    pub search: &'a SearchSettings,
    /// What games begin from where `settings.starts` does not say the ordinary start.
    pub sources: &'a Sources,
    /// When sides resign.
    pub thresholds: Thresholds,
    /// Numbers of the shards that are already published; their games are not played again.
    pub published: &'a BTreeSet<u64>,
}

/// How a generation ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// What the games of the shards that this call published look like.
    pub statistics: Statistics,
    /// Shards that this call published.
    pub shards: u64,
    /// Whether games are missing because the generation was told to stop.
    pub stopped: bool,
}

/// Plays the games of `generation` that are not published yet, and publishes them.
///
/// `backend` makes the backend of a worker, in that worker's thread; all must be the same function.
/// `observe` is called on the calling thread. When `stop` becomes true, the games in flight are dropped and only
/// whole shards are published.
///
/// # Errors
/// When a setting is out of range, a backend fails or answers nonsense, a worker panics, or a shard cannot be
/// stored. Shards published before stay.
pub fn generate(
    generation: &Generation<'_>,
    backend: &(dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync),
    sink: &mut dyn ShardSink,
    observe: &mut dyn FnMut(Event),
    stop: &AtomicBool,
) -> Result<Report, GenerateError> {
    let settings = generation.settings;
    settings.validate()?;
    generation.search.validate()?;
    let workers = settings.workers.min(settings.groups);
    let counters = Counters::default();
    let writer = Writer::new(generation, sink);
    let watermark = Watermark::new(writer.next_index());
    let halt = AtomicBool::new(false);
    let (sender, receiver) = crossbeam::channel::bounded(settings.games_per_group);
    crossbeam::scope(|scope| {
        let mut handles = Vec::with_capacity(workers);
        for number in 0..workers {
            let groups = (number..settings.groups).step_by(workers);
            let worker = Worker {
                number,
                generation,
                groups: groups.map(|group| generation.group(group)).collect(),
                sender: sender.clone(),
                watermark: &watermark,
                counters: &counters,
                stop,
                halt: &halt,
            };
            handles.push(scope.spawn(move |_| worker.run(|| backend(number))));
        }
        drop(sender);
        let report = writer.run(receiver, &watermark, &counters, observe);
        if report.is_err() {
            halt.store(true, Ordering::Relaxed);
        }
        let mut played = Ok(());
        for (worker, handle) in handles.into_iter().enumerate() {
            played = played.and(handle.join().unwrap_or(Err(GenerateError::Panicked { worker })));
        }
        played.and(report)
    })
    .unwrap_or_else(|_| unreachable!("every worker was joined"))
}

impl Generation<'_> {
    /// The indices that group `group` of `groups` has to play.
    fn indices(&self, group: usize, groups: usize) -> Indices {
        let shard_games = u64::from(self.settings.shard_max_games);
        let group = (group as u64, groups as u64);
        Indices::new(self.games.clone(), group, shard_games, self.published)
    }

    fn group(&self, group: usize) -> Group<GameDirector<'_>> {
        let settings = self.settings;
        let director = GameDirector::new(self, self.indices(group, settings.groups));
        let sizes = GroupSettings {
            slots: settings.games_per_group,
            batch_shape: settings.batch_shape,
            jishogi_threshold: settings.jishogi_threshold,
        };
        let mut search = *self.search;
        // Moves are drawn from the policy, which the visits that are left would still change.
        search.stop.decided = false;
        Group::new(director, vec![Player { backend: 0, search }], sizes)
    }
}
