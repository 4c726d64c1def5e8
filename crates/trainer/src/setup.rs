//! What a trainer is told once.

use keiko_model::{Architecture, Digest, Weights};
use keiko_network::{DeviceCall, Watchdog};

use crate::Settings;

/// Everything that training depends on beside the data.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The section `[trainer]` of the config.
    pub settings: Settings,
    /// The section `[replay]` of the config.
    pub replay: keiko_replay::Settings,
    /// The net.
    pub architecture: Architecture,
    /// The run's seed: first weights and batches follow from it.
    pub seed: u64,
    /// The run's name, for manifests.
    pub run: String,
    /// Digest of the run's resolved config, for manifests.
    pub config_sha256: Digest,
    /// What the run began with, where it branched off from another.
    pub branch: Option<Branch>,
    /// Positions whose outputs every model's manifest holds.
    pub probes: Vec<Probe>,
    /// Who is told what is asked of the device.
    pub watchdog: Watchdog,
}

impl Setup {
    /// Tells the watchdog of a call, such as "a training step".
    pub(crate) fn asks(&self, what: &str) -> DeviceCall {
        self.watchdog.enter(format!("{what} on {}", self.settings.device))
    }
}

/// What a run has from the one that it branched off from. The first entry of its ingest log holds games of that one.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The weights it begins with; without them it begins with untrained ones, which learn from those games for as long as
    /// the uses of a row allow.
    pub weights: Option<Weights>,
    /// Rows of those games. Once the first generation has learnt from them, they allow no further step.
    pub rows: u64,
}

/// A position for the self-test of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The position as text (SFEN).
    pub position: String,
    /// The position as a row of the net's encoding.
    pub row: Vec<u8>,
    /// Labels of its legal moves.
    pub labels: Vec<u16>,
}
