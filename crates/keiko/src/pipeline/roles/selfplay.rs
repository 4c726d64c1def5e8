//! The role of those who play games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use keiko_arena::gate::GateMode;
use keiko_replay::{IngestLog, UNIFORM};
use keiko_selfplay::{Allowance, Progress};

use super::super::selfplay::{Stint, rates};
use super::super::{Ended, Pipeline};
use super::queue::Queue;
use super::streams::{StreamClaim, Streams};
use super::waits::{Pace, Waits};

/// Whether games may begin.
enum Leave {
    /// So many.
    Games(u64),
    /// None until another role goes on: which, and why.
    Wait(&'static str, String),
}

/// How far the others are.
#[derive(Clone, Copy, Debug)]
struct Standing {
    candidates: u32,
    /// Of these, those without a verdict that self-play waits for: none where it does not depend on verdicts.
    unjudged: u32,
}

impl Pipeline<'_> {
    /// Plays games, stream by stream, until all candidates are there. A stream has one model; it ends when that is too
    /// old for a game to begin with.
    pub(super) fn keep_playing(&self) -> anyhow::Result<Ended> {
        let mut waits = Waits::new(self, "self-play");
        let mut queue = Queue::default();
        loop {
            let standing = self.standing()?;
            if standing.candidates >= self.run.config().generations {
                return Ok(Ended::Complete);
            }
            if self.is_stopped() {
                return Ok(Ended::Stopped);
            }
            queue.look(self.run.store())?;
            match self.leave(standing, &queue) {
                Leave::Wait(whom, why) => waits.pass(standing.candidates, whom, &why)?,
                Leave::Games(games) => {
                    waits.over()?;
                    if self.play_stream(standing, games, &mut queue, &mut waits)? == Ended::Stopped
                    {
                        return Ok(Ended::Stopped);
                    }
                }
            }
        }
    }

    fn standing(&self) -> anyhow::Result<Standing> {
        let candidates = self.candidates()?.len() as u32;
        let unjudged = match self.run.config().gate.mode {
            GateMode::Soft => 0,
            GateMode::Strict => candidates.saturating_sub(self.verdicts()?),
        };
        Ok(Standing { candidates, unjudged })
    }

    /// How many games may begin beside those that are there.
    fn leave(&self, standing: Standing, queue: &Queue) -> Leave {
        let config = self.run.config();
        let Standing { candidates, unjudged } = standing;
        if let Some(origin) = self.run.origin().filter(|_| candidates == 0) {
            let from = origin.run.display();
            // What is played before its games have entered would be taken for them.
            if queue.entries() == 0 {
                let why = format!("the games of {from} are to enter the window");
                return Leave::Wait("the learner", why);
            }
            if !origin.weights {
                let why = format!("the first net learns from the games of {from}");
                return Leave::Wait("the learner", why);
            }
        }
        if unjudged > config.pipeline.max_stale {
            let why = format!("{unjudged} candidates have no verdict (pipeline.max_stale)");
            return Leave::Wait("the gate", why);
        }
        let (there, most) = if candidates == 0 && self.run.origin().is_none() {
            // The first candidate learns from no more games than these: the next ones are to have a better player.
            let (there, first) = (queue.all_games(), config.first_generation.games);
            if there >= first {
                let why = "the games of the first generation are there".to_owned();
                return Leave::Wait("the learner", why);
            }
            (there, first)
        } else {
            let generation = config.games_per_generation as f64;
            (queue.games(), (config.pipeline.max_ahead * generation).ceil() as u64)
        };
        if there < most {
            return Leave::Games(most - there);
        }
        let why = format!("{there} games wait to be learnt from (pipeline.max_ahead)");
        Leave::Wait("the learner", why)
    }

    /// Plays a stream until its model is too old, all candidates are there or a stop is asked for.
    fn play_stream(
        &self,
        standing: Standing,
        games: u64,
        queue: &mut Queue,
        waits: &mut Waits<'_, '_>,
    ) -> anyhow::Result<Ended> {
        let config = self.run.config();
        let candidates = self.candidates()?;
        let began = Standing { candidates: candidates.len() as u32, ..standing };
        // The first games of a branch are those of the run it comes from.
        let first = u32::from(self.run.origin().is_some());
        let generation = began.candidates.max(first).min(config.generations - 1);
        let model = self.player(began.candidates.max(first), candidates.last())?;
        let claim = StreamClaim {
            model: model.clone().unwrap_or_else(|| UNIFORM.to_owned()),
            candidates: began.candidates,
        };
        let streams = Streams::of(self.run);
        let number = streams.claim(&claim)?;
        let entries = IngestLog::new(self.run.store()).len()?;
        let (allowance, stop) = (Allowance::default(), AtomicBool::new(false));
        let shard = u64::from(config.selfplay.shard_max_games);
        let whole_shards = |games: u64| games.div_ceil(shard) * shard;
        allowance.allow(whole_shards(games));
        let stint = Stint {
            stream: streams.name(number),
            generation,
            games: 0..u64::MAX,
            model,
            previous: streams.before(number, entries)?,
            allowance: Some(&allowance),
            stop: &stop,
        };
        let mut display = self.display("self-play", generation, whole_shards(games));
        let (mut failure, mut hold) = (None, None);
        let mut pace = Pace::after(Instant::now());
        let mut look = |progress: Progress, busy: &str| -> anyhow::Result<()> {
            if pace.is_due() {
                let start = Instant::now();
                let now = self.standing()?;
                queue.look(self.run.store())?;
                hold = None;
                let newer = now.candidates.saturating_sub(began.candidates);
                // Nobody would learn from the games in play any more.
                stop.fetch_or(now.candidates >= config.generations, Ordering::Relaxed);
                let is_first = generation == 0;
                if is_first && newer > 0 || newer.max(now.unjudged) > config.pipeline.max_stale {
                    allowance.close();
                } else {
                    let own = queue.games_of(&stint.stream);
                    let games = match self.leave(now, queue) {
                        Leave::Games(games) => games,
                        Leave::Wait(whom, why) => {
                            hold = Some((whom, why));
                            0
                        }
                    };
                    let end = whole_shards(own + games);
                    allowance.allow(end);
                    display.set_total(end);
                }
                pace = Pace::after(start);
            }
            match hold.as_ref().filter(|_| progress.games == allowance.begun()) {
                Some((whom, why)) => {
                    waits.begin(generation, whom, why)?;
                    display.wait(&format!("waits for {whom}: {why}"));
                    Ok(())
                }
                None => {
                    let rates = rates(&display, progress);
                    display.update(progress.games, &format!("{rates}{busy}"));
                    waits.over()
                }
            }
        };
        let played = self.play(&stint, &mut |progress, busy| {
            if let Err(error) = look(progress, busy) {
                failure.get_or_insert(error);
            }
            stop.fetch_or(failure.is_some() || self.is_stopped(), Ordering::Relaxed);
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        waits.over()?;
        let text = format!("stream {}: {}", stint.stream, self.describe_games(&played, &display));
        let waited = [("selfplay_waited", waits.share())];
        self.note_games(generation, &played, &display, &waited)?;
        display.finish(&text);
        Ok(if self.is_stopped() { Ended::Stopped } else { Ended::Complete })
    }
}
