//! Batches made ahead of the steps that need them.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use keiko_replay::SearchValueSettings;
use keiko_replay::data::{Cursor, DataError, DataSet, Draw, Pool, PoolReader};

use crate::TrainError;
use crate::progress::DataProgress;
use crate::trainer::Next;

/// Where batches come from.
#[derive(Debug)]
pub(super) struct Source<'d> {
    pub(super) set: &'d DataSet,
    pub(super) draw: Draw,
    /// The place to go on from.
    pub(super) cursor: Option<Cursor>,
    /// The number of the next batch of the run.
    pub(super) first_batch: u64,
    pub(super) search_value: SearchValueSettings,
}

/// Batches that are ready before they are needed.
const READY: usize = 2;

/// Gives `learn` a function that hands out the batches one by one. While they are learnt from, one thread reads the
/// next rows and another makes the next batches, both with rayon's threads.
pub(super) fn draw<T>(
    source: Source<'_>,
    learn: impl FnOnce(&mut dyn FnMut() -> Result<Next, TrainError>) -> Result<T, TrainError>,
) -> Result<T, TrainError> {
    let Source { set, draw, cursor, first_batch, search_value } = source;
    let reader = PoolReader::new(set, draw, cursor)?;
    std::thread::scope(|scope| {
        // One pool waits while the one before is drawn from.
        let (pools, read) = sync_channel(0);
        let (batches, made) = sync_channel(READY);
        scope.spawn(move || read_pools(reader, &pools));
        scope.spawn(move || make_batches(&read, first_batch, search_value, &batches));
        let mut end = None;
        let mut next = || match made.recv() {
            Ok(Ok(next)) => {
                if next.batch.is_none() {
                    end = next.data;
                }
                Ok(next)
            }
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Ok(Next { batch: None, data: end }),
        };
        let result = learn(&mut next);
        // The threads end when nobody waits for what they make.
        drop(made);
        result
    })
}

fn read_pools(mut reader: PoolReader<'_>, pools: &SyncSender<Result<Pool, DataError>>) {
    while let Some(pool) = reader.next_pool().transpose() {
        let is_error = pool.is_err();
        if pools.send(pool).is_err() || is_error {
            return;
        }
    }
}

fn make_batches(
    pools: &Receiver<Result<Pool, DataError>>,
    first: u64,
    search_value: SearchValueSettings,
    batches: &SyncSender<Result<Next, DataError>>,
) {
    let mut number = first;
    let mut end = None;
    for pool in pools {
        let pool = match pool {
            Ok(pool) => pool,
            Err(error) => {
                // Where nobody waits for it, training has ended already.
                let _ = batches.send(Err(error));
                return;
            }
        };
        let counts = pool.counts();
        for index in 0..pool.batches() {
            let (batch, cursor) = pool.batch(index, search_value.at(number, u32::MAX));
            let data = Some(DataProgress { cursor, counts });
            if batches.send(Ok(Next { batch: Some(batch), data })).is_err() {
                return;
            }
            number += 1;
        }
        end = Some(DataProgress { cursor: pool.end(), counts });
    }
    let _ = batches.send(Ok(Next { batch: None, data: end }));
}
