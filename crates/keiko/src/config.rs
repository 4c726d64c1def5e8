//! The config of a run: one TOML, a section for each role, every key given.

mod devices;
mod gauntlet;
mod older;
mod pipeline;
mod place;
mod rules;
mod unknown_key;

pub(crate) use devices::Devices;
pub(crate) use gauntlet::GauntletConfig;
pub(crate) use pipeline::PipelineSection;
pub(crate) use rules::RulesSection;

use std::path::{Path, PathBuf};

use keiko_arena::gate::GateSettings;
use keiko_mcts::SearchSettings;
use keiko_model::{Architecture, Digest};
use keiko_network::{DeviceError, Precision, TorchOptions};
use keiko_replay::FastPlies;
use keiko_selfplay::Book;
use keiko_store::Sha256;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A week.
const MAX_WATCHDOG_MINUTES: u32 = 7 * 24 * 60;

/// Everything that determines a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunConfig {
    /// The one source of randomness, 0 to 2^63 - 1; every stream is derived from it.
    pub(crate) seed: u64,
    /// How often the run goes round the loop: games, training, gate.
    pub(crate) generations: u32,
    /// Games of every generation after the first.
    pub(crate) games_per_generation: u64,
    /// Minutes after which an evaluation or a step that has not come back ends the process, 0 = never, at most a week.
    pub(crate) watchdog_minutes: u32,
    /// The games of the first generation.
    pub(crate) first_generation: FirstGeneration,
    /// The rules of the games.
    pub(crate) rules: RulesSection,
    /// The network.
    pub(crate) network: Architecture,
    /// How positions are evaluated in self-play and in the gate.
    pub(crate) inference: InferenceSection,
    /// How positions are searched.
    pub(crate) search: SearchSettings,
    /// How games are played.
    pub(crate) selfplay: keiko_selfplay::Settings,
    /// What is learnt from.
    pub(crate) replay: keiko_replay::Settings,
    /// How it is learnt.
    pub(crate) trainer: keiko_trainer::Settings,
    /// How candidates are judged.
    pub(crate) gate: GateSettings,
    /// How the stages follow each other. Written last: see [`digest`](Self::digest).
    pub(crate) pipeline: PipelineSection,
}

/// The `[first_generation]` section: the games before anything has been learnt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstGeneration {
    /// Who plays them.
    pub(crate) player: FirstPlayer,
    /// How many there are, at least 1.
    pub(crate) games: u64,
    /// Share of its searches that are fast ones, 0 to 1, instead of `selfplay.fast.probability`. Positions
    /// of a game share their outcome, and games without a net cost next to nothing: many games with few
    /// rows each teach the value more than few games with all of theirs.
    pub(crate) fast_probability: f32,
}

/// Who plays the games of the first generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FirstPlayer {
    /// The net with its initial weights. AlphaZero does so.
    Network,
    /// Search alone, every move and result equally likely: as weak, and faster.
    Uniform,
}

/// The `[inference]` section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InferenceSection {
    /// `cpu`, `cuda` or `cuda:N`, or a list of such of one kind: worker `i` has device `i` mod their number.
    pub(crate) device: Devices,
    /// `fp32`, `bf16` or `auto`: bf16 where the device computes it faster.
    pub(crate) precision: Precision,
    /// LibTorch's threads in each worker, 1 to 1024.
    pub(crate) threads: usize,
}

impl InferenceSection {
    /// How a net is computed for a worker.
    pub(crate) fn options(&self, worker: usize) -> TorchOptions {
        let &Self { ref device, precision, threads } = self;
        TorchOptions { device: device.of(worker), precision, threads }
    }

    /// Makes sure that the devices can be had.
    ///
    /// # Errors
    /// Names the first that cannot, and what is there.
    pub(crate) fn open_devices(&self) -> Result<(), ConfigError> {
        let mut devices = self.device.all().iter();
        devices
            .try_for_each(|device| device.open())
            .map_err(|source| ConfigError::Device { section: "inference", source })
    }

    fn check(&self) -> Result<(), String> {
        if (1..=1024).contains(&self.threads) {
            Ok(())
        } else {
            Err("inference.threads must be from 1 to 1024".to_owned())
        }
    }
}

/// Why a config cannot be used. Nothing has been changed.
#[derive(Debug, Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The text is no config.
    #[error("{0}")]
    Parse(String),
    /// A device cannot be had.
    #[error("{section}.{source}")]
    Device {
        /// The section that asks for it.
        section: &'static str,
        /// Why not.
        source: DeviceError,
    },
    /// The opening book of self-play cannot be used.
    #[error("selfplay.starts.book_file {path}: {problem}")]
    Book {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A value is out of range.
    #[error("{}: {what}", path.display())]
    Range {
        /// The file.
        path: PathBuf,
        /// The field and its range.
        what: String,
    },
}

impl RunConfig {
    /// Reads and checks a config file; also gives its text.
    ///
    /// # Errors
    /// Names the file, and the key with the nearest one known, or the value out of range.
    pub(crate) fn read(path: &Path) -> Result<(Self, String), ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        Ok((Self::parse(path, &text)?, text))
    }

    /// Reads and checks the text of a config; `path` is for the messages.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text)
            .map_err(|error| ConfigError::Parse(unknown_key::explain(path, text, &error)))?;
        config.check().map_err(|what| {
            let what = place::with_line(text, &what, "");
            ConfigError::Range { path: path.to_owned(), what }
        })?;
        Ok(config)
    }

    /// Reads and checks the text of a config that was right for the program that stored it, this one or an older one;
    /// `path` is for the messages.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(crate) fn parse_stored(path: &Path, text: &str) -> Result<Self, ConfigError> {
        Self::parse(path, text).or_else(|error| {
            let Ok(table) = text.parse::<toml::Table>() else { return Err(error) };
            Self::parse(path, &older::completed(table).to_string())
        })
    }

    /// Digest of all that results depend on: every key but the number of workers, of devices of a kind, and how long one
    /// may hang. In `sync` mode nothing depends on `[pipeline]`, which older configs do not have.
    pub(crate) fn digest(&self) -> Digest {
        let mut config = self.clone();
        config.selfplay.workers = 1;
        config.watchdog_minutes = 0;
        config.inference.device = config.inference.device.first_alone();
        let mut text = toml::to_string(&config).expect("what was read can be written");
        text = text.replacen("watchdog_minutes = 0\n", "", 1);
        if !self.pipeline.is_async() {
            text.truncate(text.find("\n[pipeline]\n").expect("every config has the section"));
        }
        Digest::of(text.as_bytes())
    }

    /// Makes sure that the devices can be had, before anything is done without them.
    ///
    /// # Errors
    /// Names the setting.
    pub(crate) fn open_devices(&self) -> Result<(), ConfigError> {
        self.inference.open_devices()?;
        let device = self.trainer.device;
        device.open().map_err(|source| ConfigError::Device { section: "trainer", source })
    }

    /// The opening book of self-play with the hash of its file, if games begin from it.
    ///
    /// # Errors
    /// Names the file, and the line that is no opening.
    pub(crate) fn read_book(&self) -> Result<Option<(Book, Sha256)>, ConfigError> {
        let starts = &self.selfplay.starts;
        if starts.book <= 0.0 {
            return Ok(None);
        }
        let path = &starts.book_file;
        let wrong = |problem: String| ConfigError::Book { path: path.clone(), problem };
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let book = Book::parse(path, &bytes, self.rules.rules());
        let book = book.map_err(|error| wrong(error.to_string()))?;
        Ok(Some((book, Sha256::of(&bytes))))
    }

    /// Games of a generation.
    pub(crate) fn games_of(&self, generation: u32) -> u64 {
        if generation == 0 { self.first_generation.games } else { self.games_per_generation }
    }

    /// Simulations of a full search of self-play, for people.
    pub(crate) fn simulations(&self) -> String {
        let first = self.selfplay.simulations;
        match self.selfplay_of(self.generations - 1).simulations {
            last if last == first => first.to_string(),
            last => format!("{first} to {last}"),
        }
    }

    /// How the games of a generation are played.
    pub(crate) fn selfplay_of(&self, generation: u32) -> keiko_selfplay::Settings {
        let mut settings = self.selfplay.in_generation(generation);
        if generation == 0 {
            settings.fast.probability = self.first_generation.fast_probability;
        }
        settings
    }

    fn check(&self) -> Result<(), String> {
        let positive = |value: u64, field: &str| {
            if value > 0 { Ok(()) } else { Err(format!("{field} must be at least 1")) }
        };
        positive(u64::from(self.generations), "generations")?;
        positive(self.games_per_generation, "games_per_generation")?;
        positive(self.first_generation.games, "first_generation.games")?;
        if !(0.0..=1.0).contains(&self.first_generation.fast_probability) {
            return Err("first_generation.fast_probability must be from 0 to 1".to_owned());
        }
        if self.watchdog_minutes > MAX_WATCHDOG_MINUTES {
            return Err(format!("watchdog_minutes must be from 0 to {MAX_WATCHDOG_MINUTES}"));
        }
        self.inference.check()?;
        self.rules.check()?;
        self.network.validate().map_err(|e| e.to_string())?;
        self.search.validate().map_err(|e| e.to_string())?;
        self.selfplay.validate().map_err(|e| e.to_string())?;
        self.replay.check().map_err(|e| e.to_string())?;
        self.trainer.check().map_err(|e| e.to_string())?;
        self.gate.validate().map_err(|e| e.to_string())?;
        self.pipeline.check()?;
        self.check_first_rows()
    }

    /// Refuses a first generation whose games cannot allow one step of training, however they go.
    fn check_first_rows(&self) -> Result<(), String> {
        let FirstGeneration { games, fast_probability, .. } = self.first_generation;
        if fast_probability >= 1.0 && self.replay.fast_plies == FastPlies::Skip {
            return Err("first_generation.fast_probability must be below 1 with replay.fast_plies = \"skip\": \
                        the games would have no row to learn from"
                .to_owned());
        }
        let max_plies = self.rules.max_plies;
        if max_plies == 0 {
            return Ok(());
        }
        let rows = games.saturating_mul(u64::from(max_plies));
        let (least, batch) = (self.replay.window.min_rows(), self.trainer.batch_rows as f64);
        let needs = if rows < least {
            format!("the {least} rows of replay.window.min_rows")
        } else if rows as f64 * self.replay.max_uses_per_row < batch {
            format!("one batch of trainer.batch_rows = {batch}")
        } else {
            return Ok(());
        };
        Err(format!(
            "first_generation.games = {games} games of at most {max_plies} plies (rules.max_plies) can never fill {needs}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use keiko_network::Device;

    use super::pipeline::PipelineMode;
    use super::*;

    /// The text of a config that comes with the program.
    fn text(name: &str) -> (PathBuf, String) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs").join(name);
        let text = std::fs::read_to_string(&path).expect("a readable config");
        (path, text)
    }

    #[test]
    fn the_configs_that_come_with_the_program_are_right() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).expect("configs/") {
            let entry = entry.expect("an entry");
            if entry.path().is_dir() {
                continue;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let (path, text) = text(&name);
            let config = RunConfig::parse(&path, &text).unwrap_or_else(|e| panic!("{e}"));
            let again = RunConfig::parse(&path, &toml::to_string(&config).expect("TOML"));
            assert_eq!(again.expect("what was written"), config, "{name}");
            count += 1;
        }
        assert!(count >= 3, "{count} configs");
    }

    #[test]
    fn every_key_of_a_config_is_needed_and_explained() {
        let (path, text) = text("demo.toml");
        for line in text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')) {
            let without = text.replacen(&format!("{line}\n"), "", 1);
            assert!(RunConfig::parse(&path, &without).is_err(), "without {line}");
        }
        for line in text.lines().filter(|line| line.starts_with('[')) {
            assert!(!line.contains(" = "), "{line}");
        }
    }

    #[test]
    fn a_stored_config_may_lack_what_came_later() {
        let (path, text) = text("demo.toml");
        let mut older: toml::Table = text.parse().expect("TOML");
        older.remove("pipeline").expect("the section");
        older.remove("watchdog_minutes").expect("the key");
        let search = older["search"].as_table_mut().expect("a section");
        for key in ["mate_in_three_nodes", "superior_repetition", "stop"] {
            search.remove(key).expect("the key");
        }
        let puct = search["puct"].as_table_mut().expect("a section");
        for key in ["forced_playouts", "lcb_stdevs"] {
            puct.remove(key).expect("the key");
        }
        let selfplay = older["selfplay"].as_table_mut().expect("a section");
        for key in ["growth", "starts", "replayed_draws"] {
            selfplay.remove(key).expect("the key");
        }
        let resignation = selfplay["resignation"].as_table_mut().expect("a section");
        for key in ["adapt", "target_wrong", "min_audited", "audited_games", "step"] {
            resignation.remove(key).expect("the key");
        }
        older["replay"].as_table_mut().expect("a section").remove("surprise_weight").expect("it");
        older["trainer"].as_table_mut().expect("a section").remove("heads").expect("the section");
        let older = older.to_string();
        assert!(RunConfig::parse(&path, &older).is_err());
        let config = RunConfig::parse_stored(&path, &older).expect("as it was");
        let text = text.replacen("watchdog_minutes = 60", "watchdog_minutes = 0", 1);
        assert_eq!(config, RunConfig::parse(&path, &text).expect("a right config"));
        let other = older.replacen("root_mate_nodes = 200", "rot_mate_nodes = 200", 1);
        let error = RunConfig::parse_stored(&path, &other).expect_err("a wrong key").to_string();
        assert!(error.contains("rot_mate_nodes"), "{error}");
    }

    #[test]
    fn the_digest_is_of_what_results_depend_on() {
        let (path, text) = text("smoke.toml");
        let mut config = RunConfig::parse(&path, &text).expect("a right config");
        let written = toml::to_string(&config).expect("TOML");
        let written = written.replace("workers = 2", "workers = 1");
        let written = written.replace("watchdog_minutes = 60\n", "");
        let (before, pipeline) = written.split_once("\n[pipeline]\n").expect("the section");
        assert!(!pipeline.contains('['), "the section is the last one: {pipeline}");
        let digest = Digest::of(before.as_bytes());
        (config.selfplay.workers, config.pipeline.max_stale) = (7, 3);
        config.watchdog_minutes = 5;
        let devices: toml::Table = "device = [\"cpu\", \"cpu\"]".parse().expect("TOML");
        config.inference.device = devices["device"].clone().try_into().expect("devices");
        assert_eq!(config.digest(), digest);
        config.pipeline.mode = PipelineMode::Async;
        assert_ne!(config.digest(), digest);
    }

    #[test]
    fn simulations_grow_with_the_generations() {
        let (path, text) = text("demo.toml");
        let text = text.replacen("generations = 0 ", "generations = 4 ", 1);
        let mut config = RunConfig::parse(&path, &text).expect("a right config");
        config.selfplay.growth.simulations = 48;
        let simulations =
            [0, 1, 2, 4, 6].map(|generation| config.selfplay_of(generation).simulations);
        assert_eq!(simulations, [16, 24, 32, 48, 48]);
        assert_eq!(config.simulations(), "16 to 48");
        config.selfplay.growth.generations = 0;
        assert_eq!(config.simulations(), "16");
    }

    #[test]
    fn a_device_that_cannot_be_had_is_refused_by_section() {
        let (path, text) = text("demo.toml");
        let mut config = RunConfig::parse(&path, &text).expect("a right config");
        config.open_devices().expect("a processor");
        config.trainer.device = Device::Cuda(999);
        let error = config.open_devices().expect_err("no machine has a thousand GPUs").to_string();
        assert!(error.starts_with("trainer.device = \"cuda:999\" cannot be had"), "{error}");
        let list = text.replacen("device = \"cpu\" ", "device = [\"cuda:998\", \"cuda:999\"] ", 1);
        let error = RunConfig::parse(&path, &list).expect("a list").open_devices();
        let error = error.expect_err("no machine has a thousand GPUs").to_string();
        assert!(error.starts_with("inference.device = \"cuda:998\" cannot be had"), "{error}");
    }
}
