//! The log of streams of games: `streams/NNNNNN.toml`.

use anyhow::Context as _;
use keiko_selfplay::Plan;
use keiko_store::{LogError, NumberedLog, Store};
use serde::{Deserialize, Serialize};

use crate::run::Run;

/// What is known of a stream when it begins. Each belongs to one start of one process, which has it to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamClaim {
    /// Who plays its games: the sha256 of a model's weights, or the name of search without a net.
    pub(super) model: String,
    /// Candidates that there were.
    pub(super) candidates: u32,
}

/// The streams of a run, numbered as they began. In a branch their names go on after those of the other run.
#[derive(Clone, Debug)]
pub(super) struct Streams<'s> {
    store: &'s dyn Store,
    log: NumberedLog<'s>,
    first: u32,
}

impl<'s> Streams<'s> {
    /// Those of `run`.
    pub(super) fn of(run: &'s Run) -> Self {
        Self::new(run.store(), run.first_stream())
    }

    fn new(store: &'s dyn Store, first: u32) -> Self {
        Self { store, log: NumberedLog::new(store, "streams"), first }
    }

    /// The name of the stream of that number.
    pub(super) fn name(&self, number: u32) -> String {
        format!("{PREFIX}{:06}", self.first + number)
    }

    /// Claims a new stream, which no other process has, and says its number.
    pub(super) fn claim(&self, claim: &StreamClaim) -> anyhow::Result<u32> {
        let text = toml::to_string(claim)?;
        loop {
            let number = self.log.len()?;
            match self.log.append(number, text.as_bytes()) {
                Err(LogError::Exists { .. }) => {}
                other => return other.map(|()| number).map_err(Into::into),
            }
        }
    }

    /// What is known of the stream of that name.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<StreamClaim> {
        let digits = name.strip_prefix(PREFIX);
        let number = digits.and_then(|it| it.parse::<u32>().ok()?.checked_sub(self.first));
        let number = number.with_context(|| format!("games/{name} is no stream of this run"))?;
        let text =
            String::from_utf8(self.log.read(number)?).with_context(|| self.log.key(number))?;
        toml::from_str(&text).with_context(|| self.log.key(number))
    }

    /// The newest stream before `number` that began before entry `entries` of the ingest log was there: from its
    /// thresholds those of the next one may rise by one step.
    pub(super) fn before(&self, number: u32, entries: u32) -> anyhow::Result<Option<String>> {
        for name in (0..number).rev().map(|it| self.name(it)) {
            let plan = Plan::stored(self.store, &name)?;
            if plan.is_some_and(|plan| plan.entries < entries) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

const PREFIX: &str = "s";

#[cfg(test)]
mod tests {
    use keiko_store::LocalStore;

    use super::*;

    #[test]
    fn of_many_claims_at_once_no_two_have_one_stream() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = LocalStore::open(dir.path()).expect("a store");
        let claim = |candidates| StreamClaim { model: "uniform".to_owned(), candidates };
        let mut numbers: Vec<u32> = std::thread::scope(|scope| {
            let (store, claim) = (&store, &claim);
            let claim_three = move |of| {
                [of; 3].map(|it| Streams::new(store, 7).claim(&claim(it)).expect("a stream"))
            };
            let threads: Vec<_> = (0..4).map(|of| scope.spawn(move || claim_three(of))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
        });
        numbers.sort_unstable();
        assert_eq!(numbers, (0..12).collect::<Vec<_>>());
        let streams = Streams::new(&store, 7);
        let counts = numbers
            .iter()
            .map(|&number| streams.read(&streams.name(number)).expect("a claim").candidates);
        let mut counts: Vec<u32> = counts.collect();
        counts.sort_unstable();
        assert_eq!(counts, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        assert_eq!(streams.name(0), "s000007");
        assert!(streams.read("g000007").is_err() && streams.read("s000006").is_err());
    }
}
