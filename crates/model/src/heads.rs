//! Heads that only training has.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::architecture::Architecture;
use crate::tensors::{List, Role, TensorSpec};

/// An auxiliary head: it teaches the trunk something beside policy and value, and no model has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Head {
    /// The policy of the next ply: what the opponent will do (Wu 2019, "Accelerating Self-Play Learning in Go", 4.2).
    Reply,
    /// How many plies the game still lasts.
    PliesLeft,
    /// The policy to the power of 1/4, rescaled: what moves beside the best are worth (KataGo's soft policy).
    SoftPolicy,
}

impl Head {
    /// Every head, in the order of files and flat parameter vectors.
    pub const ALL: [Self; 3] = [Self::Reply, Self::PliesLeft, Self::SoftPolicy];

    /// Its name, as in configs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::PliesLeft => "plies_left",
            Self::SoftPolicy => "soft_policy",
        }
    }

    /// Every tensor of the head, in the order of flat parameter vectors. Policies are built as the net's own, plies
    /// left as its value with a single output.
    pub fn tensors(self, architecture: &Architecture) -> Vec<TensorSpec> {
        let (name, channels) = (self.name(), architecture.channels as usize);
        let mut list = List::default();
        match self {
            Self::Reply | Self::SoftPolicy => {
                list.convolution(&format!("{name}.conv"), [27, channels, 1, 1]);
                list.push(&format!("{name}.bias"), &[27 * 81], Role::Bias);
            }
            Self::PliesLeft => {
                let value = architecture.value_channels as usize;
                let hidden = architecture.value_hidden as usize;
                list.convolution(&format!("{name}.conv"), [value, channels, 1, 1]);
                list.norm(&format!("{name}.norm"), value);
                list.linear(&format!("{name}.hidden"), [hidden, value * 81]);
                list.linear(&format!("{name}.output"), [1, hidden]);
            }
        }
        list.0
    }

    /// Keeps the first weights of one head apart from another's.
    pub(crate) const fn salt(self) -> u64 {
        match self {
            Self::Reply => 0x7265_706c_7900_0000,
            Self::PliesLeft => 0x706c_6965_7300_0000,
            Self::SoftPolicy => 0x736f_6674_0000_0000,
        }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
