//! The games of a generation.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use anyhow::bail;
use keiko_replay::{ShardHeader, UNIFORM};
use keiko_selfplay::{
    Event, Generation, PastGames, Plan, PlanError, Progress, Sources, Statistics, Stream,
    Thresholds,
};
use keiko_store::Sha256;

use super::backend::Evaluator;
use super::games::Games;
use super::{Ended, Pipeline};
use crate::config::FirstPlayer;
use crate::progress::Stage as Display;
use crate::run::Origin;

impl Pipeline<'_> {
    /// The games of a stream; `model` is the id of who plays them.
    fn stream(&self, stream: &str, model: &str) -> Stream<'_> {
        let header = ShardHeader {
            stream: stream.to_owned(),
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
        let games = Games::of(generation, &statistics, &self.thresholds(generation)?);
        self.games.borrow_mut().insert(generation, games.clone());
        Ok(games)
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

    /// When sides resigned in a generation. One that an older program played had the thresholds of the settings.
    fn thresholds(&self, generation: u32) -> anyhow::Result<Thresholds> {
        let stream = self.run.stream_of(generation);
        let plan =
            stream.map(|stream| Plan::stored(self.run.store(), &stream)).transpose()?.flatten();
        let threshold = self.run.config().selfplay.resignation.threshold;
        Ok(plan.map_or(Thresholds::all(threshold), |plan| plan.thresholds))
    }

    /// What the games of a generation begin from and when sides resign, fixed before the first of them begins.
    fn plan(&self, generation: u32, name: &str) -> anyhow::Result<(Sources, Thresholds)> {
        let (config, store) = (self.run.config(), self.run.store());
        let settings = config.selfplay_of(generation);
        let (book, sha256) = config.read_book()?.unzip();
        let previous = generation.checked_sub(1).and_then(|previous| self.run.stream_of(previous));
        let plan = Plan::of_stream(store, name, previous.as_deref(), &settings, sha256).map_err(
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
        Ok((Sources { book, past }, plan.thresholds))
    }

    /// Plays the missing games of a generation.
    pub(super) fn play_games(&self, generation: u32) -> anyhow::Result<Ended> {
        let config = self.run.config();
        let Some(name) = self.run.stream_of(generation) else { return self.copy_games() };
        let encoding = config.network.encoding;
        let (model, evaluator) = match self.player(generation)? {
            Some(sha256) => {
                let model = self.run.model(&sha256)?;
                (sha256, Evaluator::net(&model, config.inference))
            }
            None => (UNIFORM.to_owned(), Evaluator::Uniform(encoding)),
        };
        let mut stream = self.stream(&name, &model);
        let published = stream.published()?;
        let (sources, thresholds) = self.plan(generation, &name)?;
        let games = config.games_of(generation);
        let there = published.len() as u64 * u64::from(config.selfplay.shard_max_games);
        let mut display = self.display("self-play", generation, games.saturating_sub(there));
        let mut last = Progress::default();
        let report = keiko_selfplay::generate(
            &Generation {
                stream: &name,
                games: 0..games,
                run_seed: config.seed,
                model: &model,
                rules: config.rules.rules(),
                draw_values: config.rules.draw_values(),
                settings: &config.selfplay_of(generation),
                search: &config.search,
                sources: &sources,
                thresholds,
                published: &published,
            },
            &|_| evaluator.open(),
            &mut stream,
            &mut |event| {
                if let Event::Progress(progress) = event {
                    last = progress;
                    display.update(progress.games, &rates(&display, progress));
                }
            },
            self.stop,
        )?;
        let shape = config.selfplay.batch_shape;
        let text = format!(
            "generation {generation}: {} games, {}, batches {:.0} % full",
            last.games,
            rates(&display, last),
            100.0 * fill(last, shape)
        );
        let seconds = display.elapsed().as_secs_f64().max(0.001);
        let figures = [
            ("games_per_second", last.games as f64 / seconds),
            ("evaluations_per_second", last.evaluations as f64 / seconds),
            ("batch_fill", fill(last, shape)),
        ];
        self.time("selfplay", generation, display.elapsed(), &figures)?;
        let step = self.candidates()?.last().map_or(0, |candidate| candidate.step);
        self.board()?.scalars(step, "selfplay", &figures);
        display.finish(&text);
        Ok(if report.stopped { Ended::Stopped } else { Ended::Complete })
    }

    /// Copies the games of the run that this one branched off from, those that are still missing.
    fn copy_games(&self) -> anyhow::Result<Ended> {
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

    /// The model that plays a generation's games; none where search plays alone.
    fn player(&self, generation: u32) -> anyhow::Result<Option<String>> {
        let config = self.run.config();
        if generation == 0 && config.first_generation.player == FirstPlayer::Uniform {
            return Ok(None);
        }
        let newest = match config.gate.mode {
            keiko_arena::gate::GateMode::Soft => self.candidates()?.pop().map(|c| c.model),
            keiko_arena::gate::GateMode::Strict => None,
        };
        match newest {
            Some(model) => Ok(Some(model)),
            None => Ok(Some(self.run.champions().current()?.model)),
        }
    }
}

/// Plies and evaluations a second.
fn rates(display: &Display, progress: Progress) -> String {
    let seconds = display.elapsed().as_secs_f64().max(0.001);
    format!(
        "{} plies, {:.0} plies/s, {:.0} evaluations/s",
        progress.plies,
        progress.plies as f64 / seconds,
        progress.evaluations as f64 / seconds,
    )
}

/// The share of the batches' rows that were positions, 0 to 1; the rest was padding.
fn fill(progress: Progress, shape: usize) -> f64 {
    progress.evaluations as f64 / (progress.batches.max(1) * shape as u64) as f64
}
