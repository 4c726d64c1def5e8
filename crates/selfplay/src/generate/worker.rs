use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::Sender;
use keiko_inference::{Backend, BackendError};
use keiko_play::{Activity, Group};
use keiko_replay::GameRecord;

use super::{Counters, GenerateError, Generation, Watermark};
use crate::director::GameDirector;
use crate::record;

/// One thread with one backend, which plays whole groups: while the batches of one group are computed,
/// the others search.
pub(super) struct Worker<'a> {
    pub(super) number: usize,
    pub(super) generation: &'a Generation<'a>,
    pub(super) groups: Vec<Group<GameDirector<'a>>>,
    pub(super) sender: Sender<GameRecord>,
    pub(super) watermark: &'a Watermark,
    pub(super) counters: &'a Counters,
    /// The caller's wish to stop.
    pub(super) stop: &'a AtomicBool,
    /// Set when any worker or the writer has failed.
    pub(super) halt: &'a AtomicBool,
}

/// A group and whether its batches are out.
struct Table<'a> {
    group: Group<GameDirector<'a>>,
    busy: bool,
}

/// What became of a table's turn.
#[derive(PartialEq, Eq)]
enum Turn {
    Played,
    Paused,
    Finished,
}

impl Worker<'_> {
    pub(super) fn run(
        mut self,
        backend: impl FnOnce() -> Result<Box<dyn Backend>, BackendError>,
    ) -> Result<(), GenerateError> {
        let mut alarm = Alarm { halt: self.halt, armed: true };
        let worker = self.number;
        let backend = backend().map_err(|source| GenerateError::Backend { worker, source })?;
        self.play(backend)?;
        alarm.armed = false;
        Ok(())
    }

    fn play(&mut self, backend: Box<dyn Backend>) -> Result<(), GenerateError> {
        let mut backends = [backend];
        let groups = std::mem::take(&mut self.groups);
        let mut tables: Vec<Table<'_>> =
            groups.into_iter().map(|group| Table { group, busy: false }).collect();
        while !tables.is_empty() {
            let seen = self.watermark.next();
            let mut turns = Vec::with_capacity(tables.len());
            for table in &mut tables {
                if self.stop.load(Ordering::Relaxed) || self.halt.load(Ordering::Relaxed) {
                    return Ok(());
                }
                turns.push(self.turn(table, &mut backends)?);
            }
            if turns.iter().all(|turn| *turn == Turn::Paused) {
                self.watermark.wait(seen);
            }
            let mut turns = turns.into_iter();
            tables.retain(|_| turns.next() != Some(Turn::Finished));
        }
        Ok(())
    }

    fn turn(
        &self,
        table: &mut Table<'_>,
        backends: &mut [Box<dyn Backend>; 1],
    ) -> Result<Turn, GenerateError> {
        let failed = |source| GenerateError::Play { worker: self.number, source };
        if table.busy {
            table.group.collect(backends).map_err(failed)?;
            table.busy = false;
        }
        let ahead = u64::from(self.generation.settings.max_ahead_games);
        let first = table.group.director().first_unfinished();
        if first.is_some_and(|first| first >= self.watermark.next().saturating_add(ahead)) {
            return Ok(Turn::Paused);
        }
        let before = table.group.counts();
        let activity = table.group.submit(backends).map_err(failed)?;
        self.counters.add(before, table.group.counts());
        for game in table.group.director_mut().take_finished() {
            let index = game.state.index;
            let record = record::of_game(self.generation, backends[0].encoding(), game)
                .map_err(|source| GenerateError::Record { index, source })?;
            if self.sender.send(record).is_err() {
                self.halt.store(true, Ordering::Relaxed);
            }
        }
        table.busy = activity == Activity::Busy;
        Ok(match activity {
            Activity::Busy => Turn::Played,
            Activity::Waiting => Turn::Paused,
            Activity::Finished => Turn::Finished,
        })
    }
}

/// Stops the other workers when this one ends by an error or a panic.
struct Alarm<'a> {
    halt: &'a AtomicBool,
    armed: bool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.halt.store(true, Ordering::Relaxed);
        }
    }
}
