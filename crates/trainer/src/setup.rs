//! What a trainer is told once.

use keiko_model::{Architecture, Digest};

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
    /// Positions whose outputs every model's manifest holds.
    pub probes: Vec<Probe>,
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
