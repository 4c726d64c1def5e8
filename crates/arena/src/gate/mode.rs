use serde::{Deserialize, Serialize};

/// What self-play uses while a candidate awaits its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateMode {
    /// Self-play uses the champion: nothing that was not promoted makes training games.
    Strict,
    /// Self-play uses the newest candidate; the gate only decides who is champion.
    Soft,
}
