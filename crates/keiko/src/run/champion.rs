//! The log of champions: its last entry is the current one.

use anyhow::{Context as _, bail};
use keiko_store::{NumberedLog, Store};
use serde::{Deserialize, Serialize};

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
        let parse = |(number, bytes): (u32, Vec<u8>)| {
            let text = String::from_utf8(bytes)?;
            toml::from_str(&text).with_context(|| self.0.key(number))
        };
        (0..).zip(self.0.read_all()?).map(parse).collect()
    }

    /// The untrained net, which was the first champion.
    pub(crate) fn untrained(&self) -> anyhow::Result<Champion> {
        let first = self.all()?.into_iter().next().context("the champion log is empty")?;
        if first.candidate.is_some() {
            bail!("the first champion of this run is not an untrained net");
        }
        Ok(first)
    }

    /// The current champion.
    pub(crate) fn current(&self) -> anyhow::Result<Champion> {
        self.all()?.pop().context("the folder champion has no entry")
    }
}
