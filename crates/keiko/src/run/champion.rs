//! The log of champions: its last entry is the current one.

use anyhow::{Context as _, bail};
use keiko_store::{NumberedLog, Store};
use serde::{Deserialize, Serialize};

use super::parse_entry;

/// What is said where no model is the champion.
const EMPTY: &str = "the folder champion has no entry: put it back from a copy of the run";

/// An entry of the champion log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Champion {
    /// The model, by the sha256 of its weights.
    pub(crate) model: String,
    /// The number of the candidate that it was; none for the untrained net.
    pub(crate) candidate: Option<u32>,
}

/// The log of champions.
#[derive(Debug)]
pub(crate) struct ChampionLog<'s>(NumberedLog<'s>);

impl<'s> ChampionLog<'s> {
    pub(super) fn new(store: &'s dyn Store) -> Self {
        Self(NumberedLog::new(store, "champion"))
    }

    /// Makes `champion` the current one. Saying it twice is saying it once.
    pub(crate) fn append(&self, champion: &Champion) -> anyhow::Result<()> {
        let entries = self.all()?;
        if entries.last() == Some(champion) {
            return Ok(());
        }
        let number = u32::try_from(entries.len()).context("too many champions")?;
        self.0.append(number, toml::to_string(champion)?.as_bytes())?;
        Ok(())
    }

    /// All champions, the oldest first.
    pub(crate) fn all(&self) -> anyhow::Result<Vec<Champion>> {
        let entries = (0..).zip(self.0.read_all()?);
        entries.map(|(number, bytes)| parse_entry(&self.0.key(number), bytes)).collect()
    }

    /// The untrained net, which was the first champion.
    pub(crate) fn untrained(&self) -> anyhow::Result<Champion> {
        let first = self.all()?.into_iter().next().context(EMPTY)?;
        if first.candidate.is_some() {
            bail!("the first champion of this run is not an untrained net");
        }
        Ok(first)
    }

    /// The current champion.
    pub(crate) fn current(&self) -> anyhow::Result<Champion> {
        self.all()?.pop().context(EMPTY)
    }
}
