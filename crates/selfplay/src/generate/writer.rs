use std::collections::BTreeMap;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError};
use keiko_replay::GameRecord;

use super::{Counters, GenerateError, Generation, Report, Watermark};
use crate::director::Indices;
use crate::{Allowance, Event, ShardSink};

/// How often progress is reported while no game ends.
const TICK: Duration = Duration::from_millis(200);

/// Puts games into index order and publishes whole shards.
pub(super) struct Writer<'a> {
    sink: &'a mut dyn ShardSink,
    /// The indices still to come, in order.
    expected: Indices,
    /// Games that wait for one with a lower index.
    early: BTreeMap<u64, GameRecord>,
    /// The games of the shard that is being filled.
    shard: Vec<GameRecord>,
    report: Report,
    allowance: Option<&'a Allowance>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(generation: &Generation<'a>, sink: &'a mut dyn ShardSink) -> Self {
        Self {
            sink,
            expected: generation.indices(0, 1),
            early: BTreeMap::new(),
            shard: Vec::new(),
            report: Report::default(),
            allowance: generation.allowance,
        }
    }

    /// The lowest index still to come; the largest number when there is none.
    pub(super) fn next_index(&self) -> u64 {
        self.expected.peek().unwrap_or(u64::MAX)
    }

    /// Receives games until no worker is left.
    pub(super) fn run(
        mut self,
        games: Receiver<GameRecord>,
        watermark: &Watermark,
        counters: &Counters,
        observe: &mut dyn FnMut(Event),
    ) -> Result<Report, GenerateError> {
        loop {
            match games.recv_timeout(TICK) {
                Ok(game) => {
                    self.early.insert(game.index, game);
                    self.write_ready(observe)?;
                    watermark.advance(self.next_index());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            observe(Event::Progress(counters.read()));
        }
        let next = self.expected.peek();
        self.report.stopped = match self.allowance {
            Some(allowance) => next.is_some_and(|next| next < allowance.begun()),
            None => next.is_some(),
        };
        if self.allowance.is_some() && !self.shard.is_empty() {
            let before = next.map_or(0, |next| next - 1);
            self.publish(self.expected.shard_of(before), observe)?;
        }
        Ok(self.report)
    }

    fn write_ready(&mut self, observe: &mut dyn FnMut(Event)) -> Result<(), GenerateError> {
        while let Some(index) = self.expected.peek()
            && let Some(game) = self.early.remove(&index)
        {
            self.shard.push(game);
            let number = self.expected.shard_of(index);
            self.expected.advance();
            if self.expected.peek().map(|next| self.expected.shard_of(next)) != Some(number) {
                self.publish(number, observe)?;
            }
        }
        Ok(())
    }

    fn publish(
        &mut self,
        number: u64,
        observe: &mut dyn FnMut(Event),
    ) -> Result<(), GenerateError> {
        self.sink
            .publish(number, &self.shard)
            .map_err(|source| GenerateError::Publish { number, source })?;
        let mut plies = 0;
        for game in &self.shard {
            plies += game.plies.len() as u64;
            self.report.statistics.add(game);
        }
        self.report.shards += 1;
        observe(Event::Shard { number, games: self.shard.len() as u64, plies });
        self.shard.clear();
        Ok(())
    }
}
