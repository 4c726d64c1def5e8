//! A run: its directory, its settings, and the logs that say how far it is.

mod champion;
mod clean;
mod fixed;
mod models;
mod origin;
mod role;
mod room;
mod training;
mod usage;

pub(crate) use champion::{Champion, ChampionLog};
pub(crate) use clean::Cleaning;
pub(crate) use models::Model;
pub(crate) use origin::{Origin, Source};
pub(crate) use role::{Role, at_work, owner};
pub(crate) use usage::Usage;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, anyhow, bail};
use keiko_inference::Watchdog;
use keiko_model::Digest;
use keiko_store::{LocalStore, NumberedLog, PatientStore, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::memory;
use crate::progress::Console;
use crate::pulse::{Limit, Pulse};
use role::Seat;
use room::{Patience, WaitForRoom};

/// The log of settings.
const CONFIG: &str = "config";

/// What ran a run.
const PROVENANCE: &str = "provenance.toml";

/// What ran a run last.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Provenance {
    /// Digest of its settings.
    pub(crate) config_sha256: String,
    /// The processor.
    pub(crate) cpu: String,
    /// The program and its version.
    pub(crate) program: String,
    /// The entry of `config/` that it ran with.
    #[serde(default)]
    pub(crate) config_entry: u32,
}

/// An open run. One process at a time has a role in it; the lock goes with the process.
#[derive(Debug)]
pub(crate) struct Run {
    dir: PathBuf,
    store: PatientStore<LocalStore>,
    config: RunConfig,
    config_sha256: Digest,
    origin: Option<Origin>,
    pulse: Option<Pulse>,
    watchdog: Watchdog,
    seat: Option<Seat>,
}

/// The process that goes on with a run.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// The command, such as `train`.
    pub(crate) command: &'static str,
    /// Where it speaks to its user.
    pub(crate) console: Console,
    /// Raised when it is asked to stop.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Run {
    /// Starts a new run in `dir`, which must not hold one, nor anything else; as a branch of another run where there is one.
    pub(crate) fn create(
        dir: &Path,
        config: RunConfig,
        text: &str,
        from: Option<&Source>,
        process: &Process,
    ) -> anyhow::Result<Self> {
        if holds_run(dir) {
            bail!("{} holds a run already: add --resume to go on with it", dir.display());
        }
        if let Some(name) = foreign_name(dir)? {
            bail!("{} is no folder for a run: it holds {name}; name a new folder", dir.display());
        }
        config.open_devices()?;
        memory::check_room(&config)?;
        config.read_book()?;
        let branch = from.map(|source| Ok::<_, anyhow::Error>((source, source.origin(&config)?)));
        let branch = branch.transpose()?;
        let store = LocalStore::create(dir)?;
        let seat = Seat::take(dir, Role::Whole, process.command)?;
        let mut run = Self::new(dir, store, config, Some((seat, process)));
        match branch {
            Some((source, origin)) => run.branch_off(source, &origin)?,
            None => run.crown_untrained()?,
        }
        run.read_origin()?;
        // The config comes last: a folder without it is no run yet and may be created again.
        NumberedLog::new(&run.store, CONFIG).append(0, text.as_bytes())?;
        run.record_provenance(0)?;
        Ok(run)
    }

    /// Opens the run in `dir` with the settings it was last started with, or with `changed` ones.
    pub(crate) fn open(
        dir: &Path,
        changed: Option<(RunConfig, String)>,
        process: &Process,
    ) -> anyhow::Result<Self> {
        let store = store_of(dir)?;
        let seat = Seat::take(dir, Role::Whole, process.command)?;
        let (mut number, config) = last_config(dir, &store)?;
        refuse_lost_config(&store, number)?;
        let changed = changed.filter(|(new, _)| *new != config);
        let lines = match &changed {
            Some((new, _)) => fixed::differences(&config, new)?,
            None => Vec::new(),
        };
        let (config, new_text) = match changed {
            Some((new, text)) => (new, Some(text)),
            None => (config, None),
        };
        let mut run = Self::new(dir, store, config, Some((seat, process)));
        run.read_origin()?;
        // The run goes on from here: what cannot be used is said before anything is changed.
        keiko_trainer::check_metrics(&run.store)?;
        run.check_champion()?;
        for line in lines {
            process.console.line(&format!("changed: {line}"));
        }
        if let Some(text) = new_text {
            number += 1;
            NumberedLog::new(&run.store, CONFIG).append(number, text.as_bytes())?;
        }
        run.record_provenance(number)?;
        Ok(run)
    }

    /// Opens the run in `dir`, which is in `async` mode, for one role in it.
    pub(crate) fn join(dir: &Path, role: Role, process: &Process) -> anyhow::Result<Self> {
        let store = store_of(dir)?;
        let seat = Seat::take(dir, role, process.command)?;
        let (number, config) = last_config(dir, &store)?;
        refuse_lost_config(&store, number)?;
        let mut run = Self::new(dir, store, config, Some((seat, process)));
        run.read_origin()?;
        match role {
            Role::Learner => keiko_trainer::check_metrics(&run.store)?,
            Role::Gate => run.check_champion()?,
            Role::Whole | Role::Selfplay => {}
        }
        Ok(run)
    }

    /// Opens the run in `dir` to read it, also while another process goes on with it.
    pub(crate) fn look(dir: &Path) -> anyhow::Result<Self> {
        let store = store_of(dir)?;
        let (_, config) = last_config(dir, &store)?;
        let mut run = Self::new(dir, store, config, None);
        run.read_origin()?;
        Ok(run)
    }

    fn new(
        dir: &Path,
        store: LocalStore,
        config: RunConfig,
        held: Option<(Seat, &Process)>,
    ) -> Self {
        let config_sha256 = config.digest();
        let watchdog = Watchdog::default();
        let pulse = held.as_ref().map(|(seat, process)| {
            let limit = Limit::of(config.watchdog_minutes, watchdog.clone(), process.console);
            Pulse::start(store.clone(), process.command, &seat.name, limit)
        });
        let patience = match (&held, &pulse) {
            (Some((_, process)), Some(pulse)) => Patience::Long(WaitForRoom::new(process, pulse)),
            _ => Patience::None,
        };
        let store = PatientStore::new(store, Box::new(patience));
        let seat = held.map(|(seat, _)| seat);
        let dir = dir.to_owned();
        Self { dir, store, config, config_sha256, origin: None, pulse, watchdog, seat }
    }

    /// The heartbeat of the process that goes on with the run; none where it is only looked at.
    pub(crate) fn pulse(&self) -> Option<&Pulse> {
        self.pulse.as_ref()
    }

    /// Who is told what is asked of devices.
    pub(crate) fn watchdog(&self) -> &Watchdog {
        &self.watchdog
    }

    /// The run's folder.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the curves of this process go; in `async` mode each role has a folder of its own.
    pub(crate) fn events_dir(&self) -> PathBuf {
        let events = self.dir.join("events");
        match &self.seat {
            Some(seat) if self.config.pipeline.is_async() => events.join(&seat.name),
            _ => events,
        }
    }

    /// The run's name: its folder's.
    pub(crate) fn name(&self) -> String {
        let dir = self.dir.canonicalize().unwrap_or_else(|_| self.dir.clone());
        dir.file_name().map_or_else(|| "run".to_owned(), |n| n.to_string_lossy().into_owned())
    }

    /// The storage.
    pub(crate) fn store(&self) -> &dyn Store {
        &self.store
    }

    /// The settings.
    pub(crate) fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Digest of the settings.
    pub(crate) fn config_sha256(&self) -> Digest {
        self.config_sha256
    }

    /// Makes a model the champion, with its ONNX beside it.
    pub(crate) fn crown(&self, champion: &Champion) -> anyhow::Result<()> {
        self.write_onnx(&champion.model)?;
        self.champions().append(champion)
    }

    /// Makes the net that a run begins with its first champion.
    fn crown_untrained(&self) -> anyhow::Result<()> {
        let model = keiko_trainer::publish_untrained(&self.store, &self.training()?)?.to_string();
        self.crown(&Champion { model, candidate: None })
    }

    /// The log of champions.
    pub(crate) fn champions(&self) -> ChampionLog<'_> {
        ChampionLog::new(&self.store)
    }

    /// Which program ran last, and where; empty if that is not known.
    pub(crate) fn provenance(&self) -> anyhow::Result<Provenance> {
        if !self.store.exists(PROVENANCE)? {
            return Ok(Provenance::default());
        }
        let text = String::from_utf8(self.store.get(PROVENANCE)?).context(PROVENANCE)?;
        toml::from_str(&text).context(PROVENANCE)
    }

    /// Notes which program runs with which settings; the newest note replaces the one before.
    fn record_provenance(&self, config_entry: u32) -> anyhow::Result<()> {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = cpu.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or_default();
        let provenance = Provenance {
            config_sha256: self.config_sha256.to_string(),
            cpu: cpu.trim_start_matches([' ', '\t', ':']).to_owned(),
            program: concat!("keiko ", env!("CARGO_PKG_VERSION")).to_owned(),
            config_entry,
        };
        self.store.put_status(PROVENANCE, toml::to_string(&provenance)?.as_bytes())?;
        Ok(())
    }
}

/// The run whose files `file` would be among, an absolute path without links. A report that somebody wants in
/// the run's folder is none of them.
pub(crate) fn holding(file: &Path) -> Option<&Path> {
    let (folder, name) = (file.parent()?, file.file_name()?);
    let run = folder.ancestors().find(|folder| holds_run(folder))?;
    let is_report = folder == run && name.as_encoded_bytes().starts_with(b"report.");
    (!is_report).then_some(run)
}

/// The storage of the run in `dir`.
fn store_of(dir: &Path) -> anyhow::Result<LocalStore> {
    if !holds_run(dir) {
        if dir.join(CONFIG).join("000001.toml").exists() {
            bail!(
                "{}: entry 0 of {CONFIG} is missing: put it back from a copy of the run",
                dir.display()
            );
        }
        let what = if dir.exists() { "it has no config/000000.toml" } else { "it does not exist" };
        bail!(
            "{0} holds no run, {what}: name the folder that was given to `keiko train`, or start a run there with \
             `keiko train --config FILE --run {0}`",
            dir.display()
        );
    }
    Ok(LocalStore::open(dir)?)
}

/// The settings of the run's last start, with their number.
fn last_config(dir: &Path, store: &LocalStore) -> anyhow::Result<(u32, RunConfig)> {
    let log = NumberedLog::new(store, CONFIG);
    let (number, text) = log.last()?.context("the log of settings is empty")?;
    let path = dir.join(log.key(number));
    let parse = || anyhow::Ok(RunConfig::parse_stored(&path, &String::from_utf8(text)?)?);
    let config = parse().with_context(|| damaged(&path.display().to_string()))?;
    Ok((number, config))
}

/// Refuses to go on with older settings than the last start's unasked.
fn refuse_lost_config(store: &LocalStore, number: u32) -> anyhow::Result<()> {
    let known = match store.get(PROVENANCE) {
        // It is only a note, which is replaced.
        Ok(bytes) => toml::from_slice::<Provenance>(&bytes).unwrap_or_default().config_entry,
        Err(_) => 0,
    };
    if known > number {
        let lost = NumberedLog::new(store, CONFIG).key(known);
        bail!(
            "{lost} is missing, with which the run was started last: put it back from a copy of the run, or delete \
             {PROVENANCE} to go on with the settings of entry {number}"
        );
    }
    Ok(())
}

/// What is said of a file of a run that is not as it was written.
fn damaged(name: &str) -> String {
    format!("{name} is damaged: put it back from a copy of the run")
}

/// The content of an entry of a log of the run.
pub(crate) fn parse_entry<T: DeserializeOwned>(key: &str, bytes: Vec<u8>) -> anyhow::Result<T> {
    let text = String::from_utf8(bytes).with_context(|| damaged(key))?;
    let parsed = toml::from_str(&text).map_err(|error| anyhow!(error.message().to_owned()));
    parsed.with_context(|| damaged(key))
}

/// Whether a run was begun in `dir`: its first settings are there.
fn holds_run(dir: &Path) -> bool {
    dir.join(CONFIG).join("000000.toml").exists()
}

/// A name in `dir` that a start which was cut short did not leave there.
fn foreign_name(dir: &Path) -> anyhow::Result<Option<String>> {
    let place = || dir.display().to_string();
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.with_context(place)?,
    };
    let ours = [
        CONFIG,
        "champion",
        "models",
        origin::KEY,
        crate::pulse::FOLDER,
        ".keiko.lock",
        "lost+found",
    ];
    for entry in entries {
        let name = entry.with_context(place)?.file_name().to_string_lossy().into_owned();
        if !ours.contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}
