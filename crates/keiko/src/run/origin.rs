//! Where a run branched off from another.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use keiko_replay::{IngestLog, IngestedShard};
use keiko_store::{Sha256, Store};
use keiko_trainer::Branch;
use serde::{Deserialize, Serialize};

use super::{Champion, Run};
use crate::config::RunConfig;

/// The file of a branched run that holds its [`Origin`]; created before the run's first settings.
pub(super) const KEY: &str = "origin.toml";

/// Where a run branched off from another one: its first generation learns from that one's window instead of playing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Origin {
    /// The other run's folder.
    pub(crate) run: PathBuf,
    /// The model of that run that this one branched off from.
    pub(crate) model: String,
    /// Whether this run begins with that model's weights. Otherwise its net is another one, and learns all from the games.
    pub(crate) weights: bool,
    /// Streams that the other run has begun: those of this run are numbered after them.
    pub(crate) streams: u32,
    /// The games that are learnt from, in the order in which they entered the other run's window.
    pub(crate) shards: Vec<IngestedShard>,
}

/// What `RUN` or `RUN@MODEL` names: a run, and one of its models.
#[derive(Debug)]
pub(crate) struct Source {
    run: Run,
    model: String,
}

impl Source {
    /// Reads `RUN` or `RUN@MODEL`; the model is `champion`, or the first characters of a model's sha256.
    ///
    /// # Errors
    /// There is no such run or model.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let whole = Path::new(text).exists();
        let (dir, name) = match text.rsplit_once('@') {
            Some((dir, name)) if !whole => (dir, name),
            _ => (text, "champion"),
        };
        let run = Run::look(Path::new(dir))?;
        let model = match name {
            "champion" => run.champions().current()?.model,
            start => run.model_named(start)?,
        };
        Ok(Self { run, model })
    }

    /// The run, opened to be read.
    pub(crate) fn run(&self) -> &Run {
        &self.run
    }

    /// The sha256 of the model.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// The origin of a run with the settings `config`.
    pub(super) fn origin(&self, config: &RunConfig) -> anyhow::Result<Origin> {
        let Self { run, model } = self;
        let manifest = run.manifest(model)?;
        let (wanted, found) = (config.network.encoding, run.config.network.encoding);
        if wanted != found {
            bail!(
                "network.encoding is {wanted}, but the games of {} are for {found}: a branch reads what its origin reads",
                run.dir().display()
            );
        }
        let names: BTreeSet<String> = run.store.list_after("games", "")?.into_iter().collect();
        let streams = names.iter().filter_map(|key| stream_number(key.split('/').nth(1)?)).max();
        Ok(Origin {
            run: run.dir().canonicalize().with_context(|| run.dir().display().to_string())?,
            model: model.clone(),
            weights: manifest.architecture == config.network,
            streams: streams.map_or(0, |newest| newest + 1),
            shards: self.window(config)?,
        })
    }

    /// The shards that a window of `config` would hold in the other run.
    fn window(&self, config: &RunConfig) -> anyhow::Result<Vec<IngestedShard>> {
        let log = IngestLog::new(&self.run.store);
        let mut all = Vec::new();
        for number in 0..log.len()? {
            all.extend(log.read(number)?.shards);
        }
        let rows = |shards: &[IngestedShard]| config.replay.rows_of(shards);
        let wanted = config.replay.window.rows(rows(&all));
        let mut first = all.len();
        while first > 0 && rows(&all[first..]) < wanted {
            first -= 1;
        }
        let window = all.split_off(first);
        if window.is_empty() {
            bail!("{} has no games that were learnt from yet", self.run.dir().display());
        }
        Ok(window)
    }
}

impl Run {
    /// Makes this run, which is being created, a branch of another, with its first champion.
    pub(super) fn branch_off(&self, source: &Source, origin: &Origin) -> anyhow::Result<()> {
        let text = toml::to_string(origin)?;
        if origin.weights {
            let folder = format!("models/{}", origin.model);
            for name in ["weights.safetensors", "manifest.toml"] {
                let key = format!("{folder}/{name}");
                self.store.put_same(&key, &source.run.store.get(&key)?)?;
            }
            self.crown(&Champion { model: origin.model.clone(), candidate: None })?;
        } else {
            self.crown_untrained()?;
        }
        self.store.put_same(KEY, text.as_bytes())?;
        Ok(())
    }

    /// Where this run branched off, if it did.
    pub(super) fn read_origin(&mut self) -> anyhow::Result<()> {
        if self.store.exists(KEY)? {
            let text = String::from_utf8(self.store.get(KEY)?).context(KEY)?;
            self.origin = Some(toml::from_str(&text).context(KEY)?);
        }
        Ok(())
    }

    /// Where this run branched off, if it did.
    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// What the trainer is to know of the origin.
    pub(super) fn branch(&self) -> anyhow::Result<Option<Branch>> {
        let Some(origin) = &self.origin else { return Ok(None) };
        let weights = match origin.weights {
            true => Some(self.model(&origin.model)?.weights().clone()),
            false => None,
        };
        Ok(Some(Branch { weights, rows: self.config.replay.rows_of(&origin.shards) }))
    }

    /// The net that the run began with, in words.
    pub(crate) fn first_net(&self) -> &'static str {
        match &self.origin {
            Some(Origin { weights: true, .. }) => "the model that the run branched off from",
            _ => "the untrained net",
        }
    }

    /// The name of the stream of a generation's own games; none where it learns from those of the origin.
    pub(crate) fn stream_of(&self, generation: u32) -> Option<String> {
        let number = match &self.origin {
            None => generation,
            Some(_) => self.first_stream() + generation.checked_sub(1)?,
        };
        Some(format!("g{number:06}"))
    }

    /// The number of the run's first own stream.
    pub(crate) fn first_stream(&self) -> u32 {
        self.origin.as_ref().map_or(0, |origin| origin.streams)
    }

    /// The shards of the origin that are not here yet.
    pub(crate) fn missing_of_origin(&self) -> anyhow::Result<Vec<&IngestedShard>> {
        let Some(origin) = &self.origin else { return Ok(Vec::new()) };
        let here: BTreeSet<String> = self.store.list_after("games", "")?.into_iter().collect();
        Ok(origin.shards.iter().filter(|shard| !here.contains(&shard.key)).collect())
    }
}

impl Origin {
    /// The other run, to copy games from.
    pub(crate) fn open(&self) -> anyhow::Result<Run> {
        Run::look(&self.run).with_context(|| {
            format!("the run that this one branched off from is needed until its games are copied ({KEY})")
        })
    }

    /// Copies a shard from the other run.
    pub(crate) fn copy(from: &Run, shard: &IngestedShard, to: &Run) -> anyhow::Result<()> {
        let bytes = from.store.get(&shard.key)?;
        if Sha256::of(&bytes) != shard.sha256 {
            bail!(
                "{} is damaged: its sha256 is not that of {KEY}",
                from.dir().join(&shard.key).display()
            );
        }
        to.store.put_same(&shard.key, &bytes)?;
        Ok(())
    }
}

/// The number in a stream's name, of whatever mode.
fn stream_number(name: &str) -> Option<u32> {
    name.strip_prefix(['g', 's'])?.parse().ok()
}
