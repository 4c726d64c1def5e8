//! Where events go.

use keiko_store::{Store, StoreError};

use crate::event::Event;

/// The key of the metrics: an event a line, as JSON, all a function of config, seed and data.
pub const METRICS: &str = "metrics.jsonl";
/// The key of the timing: an event a line, as JSON, by a clock.
pub const TIMING: &str = "timing.jsonl";

/// Sends events to the run's files and to a subscriber.
pub(crate) struct Journal<'a> {
    store: &'a dyn Store,
    subscriber: &'a mut dyn FnMut(&Event),
}

impl<'a> Journal<'a> {
    pub(crate) fn new(store: &'a dyn Store, subscriber: &'a mut dyn FnMut(&Event)) -> Self {
        Self { store, subscriber }
    }

    pub(crate) fn emit(&mut self, event: &Event) -> Result<(), StoreError> {
        let file = match event {
            Event::Timing(_) => Some(TIMING),
            event => event.is_metric().then_some(METRICS),
        };
        if let Some(file) = file {
            let line = serde_json::to_string(event).expect("events are numbers and text");
            self.store.append(file, &line)?;
        }
        (self.subscriber)(event);
        Ok(())
    }
}

/// Makes the metrics durable and says how long they are, in bytes.
pub(crate) fn sync_metrics(store: &dyn Store) -> Result<u64, StoreError> {
    if !store.exists(METRICS)? {
        return Ok(0);
    }
    store.sync(METRICS)?;
    store.len(METRICS)
}

/// Cuts the metrics back to what a checkpoint knows of.
pub(crate) fn cut_metrics(store: &dyn Store, bytes: u64) -> Result<(), StoreError> {
    store.truncate(METRICS, bytes)
}
