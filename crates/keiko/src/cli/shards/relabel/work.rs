//! The threads that search, and the shards that their games make up.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use anyhow::{Context as _, bail};
use keiko_replay::{GameRecord, ShardHeader, ShardReader, ShardWriter};
use keiko_selfplay::{Relabel, Relabelled, relabel};
use keiko_store::{PutError, Store};

use super::super::super::model::Model;
use super::Job;
use crate::progress::Console;

/// What is to be done, and by whom.
pub(super) struct Work<'a> {
    pub(super) jobs: &'a [Job],
    pub(super) how: Relabel<'a>,
    pub(super) model: &'a Model,
    /// Threads, each with its own evaluator; they change the speed alone.
    pub(super) workers: usize,
}

/// What was done.
#[derive(Default)]
pub(super) struct Made {
    pub(super) shards: usize,
    pub(super) sum: Relabelled,
    /// Games left out because they break the rules.
    pub(super) bad: u64,
}

/// A game's shard and its place there.
type Tag = (usize, usize);

/// What a worker tells.
enum News {
    /// A shard is begun that has so many good games and so many others.
    Begun(usize, usize, u64),
    /// A game is done.
    Game(Tag, Box<GameRecord>, Relabelled),
    /// Something failed.
    Failed(anyhow::Error),
}

/// The games that nobody has taken yet.
#[derive(Default)]
struct Waiting {
    next_job: usize,
    games: VecDeque<(Tag, GameRecord)>,
}

impl Work<'_> {
    /// Makes the shards, until a stop is asked for.
    pub(super) fn perform(
        &self,
        store: &dyn Store,
        console: Console,
        stop: &AtomicBool,
    ) -> anyhow::Result<Made> {
        let total = self.jobs.iter().map(|job| u64::from(job.games)).sum();
        let mut display = console.stage("relabel", total);
        let waiting = Mutex::new(Waiting::default());
        let halt = AtomicBool::new(false);
        let mut made = Made::default();
        let mut open: BTreeMap<usize, Open> = BTreeMap::new();
        let (sender, news) = mpsc::channel();
        let result = std::thread::scope(|scope| {
            for _ in 0..self.workers {
                let (sender, waiting, halt) = (sender.clone(), &waiting, &halt);
                scope.spawn(move || {
                    if let Err(error) = self.work(waiting, &sender, (stop, halt)) {
                        halt.store(true, Ordering::Relaxed);
                        // Nobody listens any more where another worker failed first.
                        let _ = sender.send(News::Failed(error));
                    }
                });
            }
            drop(sender);
            let mut listen = || -> anyhow::Result<()> {
                for news in &news {
                    let number = match news {
                        News::Failed(error) => return Err(error),
                        News::Begun(number, games, bad) => {
                            made.bad += bad;
                            open.insert(number, Open::new(games));
                            number
                        }
                        News::Game((number, place), game, work) => {
                            made.sum.games += 1;
                            made.sum.plies += work.plies;
                            made.sum.evaluations += work.evaluations;
                            let seconds = display.elapsed().as_secs_f64().max(0.001);
                            let rate = made.sum.evaluations as f64 / seconds;
                            let text = format!("games, {rate:.0} evaluations/s");
                            display.update(made.sum.games, &text);
                            if let Some(open) = open.get_mut(&number) {
                                open.put(place, *game);
                            }
                            number
                        }
                    };
                    if let Some(games) = Open::whole(&mut open, number) {
                        made.shards += usize::from(self.write(store, number, &games)?);
                    }
                }
                Ok(())
            };
            let result = listen();
            halt.store(true, Ordering::Relaxed);
            drop(news);
            result
        });
        result?;
        display.finish(&format!("{} shards made, {} games", made.shards, made.sum.games));
        Ok(made)
    }

    /// Searches games until there are no more.
    fn work(
        &self,
        waiting: &Mutex<Waiting>,
        sender: &mpsc::Sender<News>,
        (stop, halt): (&AtomicBool, &AtomicBool),
    ) -> anyhow::Result<()> {
        let mut backend = self.model.open()?;
        let mut failed = None;
        let mut next = || {
            if stop.load(Ordering::Relaxed) || halt.load(Ordering::Relaxed) {
                return None;
            }
            self.take(&mut waiting.lock().unwrap_or_else(PoisonError::into_inner), sender)
                .unwrap_or_else(|error| {
                    failed = Some(error);
                    None
                })
        };
        let mut done = |tag: Tag, game: GameRecord, work: Relabelled| {
            // Nobody listens any more where another worker failed.
            let _ = sender.send(News::Game(tag, Box::new(game), work));
        };
        relabel(&self.how, &mut backend, &mut next, &mut done, stop)?;
        failed.map_or(Ok(()), Err)
    }

    /// The next game, of the next shard if there are no more of the last one.
    fn take(
        &self,
        waiting: &mut Waiting,
        sender: &mpsc::Sender<News>,
    ) -> anyhow::Result<Option<(Tag, GameRecord)>> {
        loop {
            if let Some(game) = waiting.games.pop_front() {
                return Ok(Some(game));
            }
            let number = waiting.next_job;
            let Some(Job { path, .. }) = self.jobs.get(number) else { return Ok(None) };
            waiting.next_job += 1;
            let place = || path.display().to_string();
            let bytes = std::fs::read(path).with_context(place)?;
            let read = ShardReader::open(&bytes).and_then(|shard| shard.read_all());
            let games = read.with_context(place)?;
            let all = games.len();
            let good = games.into_iter().flatten();
            waiting.games = (0..).zip(good).map(|(game, it)| ((number, game), it)).collect();
            let good = waiting.games.len();
            let _ = sender.send(News::Begun(number, good, (all - good) as u64));
        }
    }

    /// Writes shard `number`; false where it has no game.
    fn write(
        &self,
        store: &dyn Store,
        number: usize,
        games: &[GameRecord],
    ) -> anyhow::Result<bool> {
        let Job { key, header, .. } = &self.jobs[number];
        let Some(first) = games.first() else { return Ok(false) };
        let header = ShardHeader {
            model: self.how.model.to_owned(),
            encoding: first.encoding,
            ..header.clone()
        };
        let mut shard = ShardWriter::new(header)?;
        for game in games {
            game.validate().with_context(|| format!("{key}: game {}", game.index))?;
            shard.push(game)?;
        }
        match store.put_new(key, &shard.finish()?.bytes) {
            Ok(()) => Ok(true),
            Err(PutError::Exists { .. }) => bail!("{key} was made by somebody else meanwhile"),
            Err(error) => Err(error.into()),
        }
    }
}

/// A shard of which games are still to come.
struct Open {
    games: Vec<Option<GameRecord>>,
    missing: usize,
}

impl Open {
    fn new(games: usize) -> Self {
        Self { games: vec![None; games], missing: games }
    }

    fn put(&mut self, place: usize, game: GameRecord) {
        self.games[place] = Some(game);
        self.missing -= 1;
    }

    /// Takes out the games of shard `number` if all are there.
    fn whole(open: &mut BTreeMap<usize, Self>, number: usize) -> Option<Vec<GameRecord>> {
        let is_whole = open.get(&number).is_some_and(|it| it.missing == 0);
        let games = is_whole.then(|| open.remove(&number)).flatten()?.games;
        Some(games.into_iter().flatten().collect())
    }
}
