//! Playing games, and what those of a generation look like.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail};
use keiko_arena::gate::GateMode;
use keiko_replay::{IngestLog, IngestedShard, ShardHeader, UNIFORM};
use keiko_selfplay::{
    Allowance, Event, Generation, PastGames, Plan, PlanError, Progress, Sources, Statistics,
    Stream, Thresholds,
};
use keiko_shogi::DrawValues;
use keiko_store::Sha256;
use keiko_trainer::event::Candidate;

use super::backend::Evaluator;
use super::devices::{Devices, Watch};
use super::games::Games;
use super::{Ended, Pipeline};
use crate::config::FirstPlayer;
use crate::progress::Stage as Display;
use crate::run::Origin;

/// Games of one stream to play.
pub(super) struct Stint<'a> {
    pub(super) stream: String,
    /// Their settings are those of this generation.
    pub(super) generation: u32,
    pub(super) games: Range<u64>,
    /// Who plays them; none where search plays alone.
    pub(super) model: Option<String>,
    /// The stream from whose thresholds its own ones rise.
    pub(super) previous: Option<String>,
    /// Which of the games may begin, where that is said only while they are played.
    pub(super) allowance: Option<&'a Allowance>,
    /// Asks for an end at once.
    pub(super) stop: &'a AtomicBool,
}

/// What became of them.
pub(super) struct Played {
    pub(super) progress: Progress,
    pub(super) ended: Ended,
    /// How busy the devices were; none where search played alone.
    busy: Option<Watch>,
}

impl Pipeline<'_> {
    /// The stream of that name; `model` is the id of who plays its games.
    fn stream(&self, name: &str, model: &str) -> Stream<'_> {
        let header = ShardHeader {
            stream: name.to_owned(),
            model: model.to_owned(),
            encoding: self.run.config().network.encoding,
            config: Sha256::from_bytes(*self.run.config_sha256().as_bytes()),
        };
        Stream::new(self.run.store(), header)
    }

    fn shards_of(&self, generation: u32) -> u64 {
        let config = self.run.config();
        config.games_of(generation).div_ceil(u64::from(config.selfplay.shard_max_games))
    }

    /// Shards of a generation that are still to be made.
    pub(super) fn missing_shards(&self, generation: u32) -> anyhow::Result<u64> {
        let Some(stream) = self.run.stream_of(generation) else {
            return Ok(self.run.missing_of_origin()?.len() as u64);
        };
        let there = self.stream(&stream, UNIFORM).published()?.len() as u64;
        Ok(self.shards_of(generation).saturating_sub(there))
    }

    /// What the games of a generation look like, all of which have been played. They are read once.
    pub(super) fn games(&self, generation: u32) -> anyhow::Result<Games> {
        if let Some(known) = self.games.borrow().get(&generation) {
            return Ok(known.clone());
        }
        let statistics = if self.run.config().pipeline.is_async() {
            self.statistics_of_entries(generation)?
        } else {
            self.statistics_of_stream(generation)?
        };
        let plan = self.stored_plan(self.newest_stream(generation)?.as_deref())?;
        let games = Games {
            sennichite_value: plan.as_ref().and_then(|plan| plan.sennichite),
            ..Games::of(generation, &statistics, &self.thresholds(plan.as_ref()))
        };
        self.games.borrow_mut().insert(generation, games.clone());
        Ok(games)
    }

    /// The stream of a generation, in `async` mode the newest of its streams; none where it has no games of its own.
    fn newest_stream(&self, generation: u32) -> anyhow::Result<Option<String>> {
        let own = self.run.stream_of(generation);
        if own.is_none() || !self.run.config().pipeline.is_async() {
            return Ok(own);
        }
        Ok(self.shards_of_entries(generation)?.into_iter().map(|shard| shard.stream).max())
    }

    /// What entered the ingest log for the candidate of a generation in `async` mode.
    fn shards_of_entries(&self, generation: u32) -> anyhow::Result<Vec<IngestedShard>> {
        let (candidates, store) = (self.candidates()?, self.run.store());
        let entries = |generation: u32| candidates.get(generation as usize).map(|it| it.entries);
        let end =
            entries(generation).with_context(|| format!("candidate {generation} is not there"))?;
        let start = generation.checked_sub(1).and_then(entries).unwrap_or(0);
        let mut shards = Vec::new();
        for number in start..end {
            shards.extend(IngestLog::new(store).read(number)?.shards);
        }
        Ok(shards)
    }

    fn statistics_of_entries(&self, generation: u32) -> anyhow::Result<Statistics> {
        let mut statistics = Statistics::default();
        for shard in self.shards_of_entries(generation)? {
            keiko_selfplay::add_statistics_of(self.run.store(), &shard.key, &mut statistics)?;
        }
        Ok(statistics)
    }

    fn statistics_of_stream(&self, generation: u32) -> anyhow::Result<Statistics> {
        let missing = self.missing_shards(generation)?;
        if missing > 0 {
            let stream = self.run.stream_of(generation).unwrap_or_default();
            bail!(
                "{missing} shards of games/{stream} are missing, whose figures are not in metrics.jsonl: put them back"
            );
        }
        let mut statistics = Statistics::default();
        for stream in self.streams_of(generation) {
            self.stream(&stream, UNIFORM).add_statistics(&mut statistics)?;
        }
        Ok(statistics)
    }

    /// The streams whose games a generation learns from first.
    fn streams_of(&self, generation: u32) -> BTreeSet<String> {
        match (self.run.stream_of(generation), self.run.origin()) {
            (None, Some(origin)) => {
                origin.shards.iter().map(|shard| shard.stream.clone()).collect()
            }
            (own, _) => own.into_iter().collect(),
        }
    }

    /// When sides resigned by a plan. Streams that an older program played had the thresholds of the settings.
    fn thresholds(&self, plan: Option<&Plan>) -> Thresholds {
        let threshold = self.run.config().selfplay.resignation.threshold;
        plan.map_or(Thresholds::all(threshold), |plan| plan.thresholds)
    }

    /// What draws are worth in the games of a generation, as far as these have begun.
    pub(super) fn draw_values(&self, generation: u32) -> anyhow::Result<DrawValues> {
        let fixed = self.run.config().rules.draw_values();
        let plan = self.stored_plan(self.newest_stream(generation)?.as_deref())?;
        Ok(plan.map_or(fixed, |plan| plan.draw_values(fixed)))
    }

    /// What was fixed before the games of a stream began, if they have.
    fn stored_plan(&self, stream: Option<&str>) -> anyhow::Result<Option<Plan>> {
        let plan = stream.map(|stream| Plan::stored(self.run.store(), stream));
        Ok(plan.transpose()?.flatten())
    }

    /// What the games of a stream begin from, what draws are worth and when sides resign, fixed before the first of them
    /// begins.
    fn plan(&self, stint: &Stint<'_>) -> anyhow::Result<(Sources, Plan)> {
        let (config, store) = (self.run.config(), self.run.store());
        let settings = config.selfplay_of(stint.generation);
        let (book, sha256) = config.read_book()?.unzip();
        let previous = stint.previous.as_deref();
        let plan = Plan::of_stream(store, &stint.stream, previous, &settings, sha256).map_err(
            |error| match error {
                PlanError::Book { .. } => {
                    let file = format!("selfplay.starts.book_file {}", settings.starts.book_file);
                    anyhow::Error::new(error).context(file)
                }
                other => other.into(),
            },
        )?;
        let past = if settings.starts.needs_games() {
            plan.past_games(store)?
        } else {
            PastGames::default()
        };
        Ok((Sources { book, past }, plan))
    }

    /// Plays the missing games of a generation.
    pub(super) fn play_games(&self, generation: u32) -> anyhow::Result<Ended> {
        let config = self.run.config();
        let Some(stream) = self.run.stream_of(generation) else { return self.copy_games() };
        let games = config.games_of(generation);
        let there = self.stream(&stream, UNIFORM).published()?.len() as u64
            * u64::from(config.selfplay.shard_max_games);
        let mut display = self.display("self-play", generation, games.saturating_sub(there));
        let stint = Stint {
            stream,
            generation,
            games: 0..games,
            model: self.player(generation, self.candidates()?.last())?,
            previous: generation.checked_sub(1).and_then(|previous| self.run.stream_of(previous)),
            allowance: None,
            stop: self.stop,
        };
        let played = self.play(&stint, &mut |progress, busy| {
            display.update(progress.games, &format!("{}{busy}", rates(&display, progress)));
        })?;
        let text = format!("generation {generation}: {}", self.describe_games(&played, &display));
        self.note_games(generation, &played, &display, &[])?;
        display.finish(&text);
        Ok(played.ended)
    }

    /// Plays games until they are all played or a stop is asked for. `watch` is told how far it is, and in words how busy
    /// the devices were lately.
    pub(super) fn play(
        &self,
        stint: &Stint<'_>,
        watch: &mut dyn FnMut(Progress, &str),
    ) -> anyhow::Result<Played> {
        let config = self.run.config();
        let devices = Devices::new(&config.inference);
        let mut busy = stint.model.is_some().then(|| devices.watch());
        let (model, evaluator) = match &stint.model {
            Some(sha256) => {
                let (model, watchdog) = (self.run.model(sha256)?, self.run.watchdog());
                (sha256.as_str(), Evaluator::net(&model, &config.inference, watchdog, &devices))
            }
            None => (UNIFORM, Evaluator::Uniform(config.network.encoding)),
        };
        let mut stream = self.stream(&stint.stream, model);
        let published = stream.published()?;
        let (sources, plan) = self.plan(stint)?;
        let mut last = Progress::default();
        let report = keiko_selfplay::generate(
            &Generation {
                stream: &stint.stream,
                games: stint.games.clone(),
                allowance: stint.allowance,
                run_seed: config.seed,
                model,
                rules: config.rules.rules(),
                draw_values: plan.draw_values(config.rules.draw_values()),
                settings: &config.selfplay_of(stint.generation),
                search: &config.search,
                sources: &sources,
                thresholds: plan.thresholds,
                published: &published,
            },
            &|worker| evaluator.open(worker),
            &mut stream,
            &mut |event| {
                if let Event::Progress(progress) = event {
                    last = progress;
                    watch(progress, &busy.as_mut().map(Watch::recently).unwrap_or_default());
                }
            },
            stint.stop,
        )?;
        let ended = if report.stopped { Ended::Stopped } else { Ended::Complete };
        Ok(Played { progress: last, ended, busy })
    }

    /// Copies the games of the run that this one branched off from, those that are still missing.
    pub(super) fn copy_games(&self) -> anyhow::Result<Ended> {
        let Some(origin) = self.run.origin() else { return Ok(Ended::Complete) };
        let missing = self.run.missing_of_origin()?;
        if missing.is_empty() {
            return Ok(Ended::Complete);
        }
        let from = origin.open()?;
        let mut display = self.display("copying", 0, missing.len() as u64);
        for (done, shard) in (0..).zip(&missing) {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Ended::Stopped);
            }
            display.update(done, "files of games");
            Origin::copy(&from, shard, self.run)?;
        }
        let games: u64 = origin.shards.iter().map(|shard| u64::from(shard.games)).sum();
        display.finish(&format!("the window of {}: {games} games", origin.run.display()));
        Ok(Ended::Complete)
    }

    /// Games that were played, in words.
    pub(super) fn describe_games(&self, played: &Played, display: &Display) -> String {
        let full = 100.0 * self.fill(played.progress);
        let (games, rates) = (played.progress.games, rates(display, played.progress));
        let busy = played.busy.as_ref().map(Watch::in_all).unwrap_or_default();
        format!("{games} games, {rates}, batches {full:.0} % full{busy}")
    }

    /// Notes how fast games were played, and more `figures`.
    pub(super) fn note_games(
        &self,
        generation: u32,
        played: &Played,
        display: &Display,
        figures: &[(&str, f64)],
    ) -> anyhow::Result<()> {
        let progress = played.progress;
        let seconds = display.elapsed().as_secs_f64().max(0.001);
        let mut all = vec![
            ("games_per_second", progress.games as f64 / seconds),
            ("evaluations_per_second", progress.evaluations as f64 / seconds),
            ("batch_fill", self.fill(progress)),
        ];
        let busy = played.busy.as_ref().map(Watch::figures).unwrap_or_default();
        all.extend(busy.iter().map(|(name, share)| (name.as_str(), *share)));
        all.extend(figures);
        self.time("selfplay", generation, display.elapsed(), &all)?;
        let step = self.candidates()?.last().map_or(0, |candidate| candidate.step);
        self.board()?.scalars(step, "selfplay", &all);
        Ok(())
    }

    /// The share of the batches' rows that were positions, 0 to 1; the rest was padding.
    fn fill(&self, progress: Progress) -> f64 {
        let rows = progress.batches.max(1) * self.run.config().selfplay.batch_shape as u64;
        progress.evaluations as f64 / rows as f64
    }

    /// The model that plays a generation's games, when `newest` is the newest candidate; none where search plays alone.
    pub(super) fn player(
        &self,
        generation: u32,
        newest: Option<&Candidate>,
    ) -> anyhow::Result<Option<String>> {
        let config = self.run.config();
        if generation == 0 && config.first_generation.player == FirstPlayer::Uniform {
            return Ok(None);
        }
        let newest = match config.gate.mode {
            GateMode::Soft => newest.map(|candidate| candidate.model.clone()),
            GateMode::Strict => None,
        };
        match newest {
            Some(model) => Ok(Some(model)),
            None => Ok(Some(self.run.champions().current()?.model)),
        }
    }
}

/// Plies and evaluations a second.
pub(super) fn rates(display: &Display, progress: Progress) -> String {
    let seconds = display.elapsed().as_secs_f64().max(0.001);
    format!(
        "{} plies, {:.0} plies/s, {:.0} evaluations/s",
        progress.plies,
        progress.plies as f64 / seconds,
        progress.evaluations as f64 / seconds,
    )
}
