//! The encodings by name, and the sizes that follow from each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::scalar::Scalar;

/// Number of board planes, one bit a square; the same in every encoding.
pub const PLANES1: usize = 62;

/// Bytes of the board planes at the start of a row.
pub const PLANES1_BYTES: usize = (PLANES1 * 81).div_ceil(8);

/// Which planes a net reads. A model's manifest names its encoding, and every reader refuses
/// another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EncodingId {
    /// `dlshogi-57`: dlshogi's 62 board planes and 57 whole planes (hands, check).
    Dlshogi57,
    /// `dlshogi-119`: the same and 62 planes about the entering king.
    Dlshogi119,
    /// `keiko-1`: the planes of `dlshogi-119` and every [`Scalar`].
    Keiko1,
}

impl EncodingId {
    /// Every encoding.
    pub const ALL: [Self; 3] = [Self::Dlshogi57, Self::Dlshogi119, Self::Keiko1];

    /// The name used in configurations, manifests and ONNX metadata.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dlshogi57 => "dlshogi-57",
            Self::Dlshogi119 => "dlshogi-119",
            Self::Keiko1 => "keiko-1",
        }
    }

    /// Number of board planes, one bit a square.
    pub const fn planes1(self) -> usize {
        PLANES1
    }

    /// Number of whole planes, one bit a plane: all 81 squares have the same value.
    pub const fn planes2(self) -> usize {
        match self {
            Self::Dlshogi57 => 57,
            Self::Dlshogi119 | Self::Keiko1 => 119,
        }
    }

    /// Number of scalars, each broadcast to a plane.
    pub const fn scalars(self) -> usize {
        match self {
            Self::Dlshogi57 | Self::Dlshogi119 => 0,
            Self::Keiko1 => Scalar::ALL.len(),
        }
    }

    /// Number of planes a net reads: board planes, whole planes, scalars, in this order.
    pub const fn planes(self) -> usize {
        self.planes1() + self.planes2() + self.scalars()
    }

    /// Bytes of the whole planes in a row. They start at [`PLANES1_BYTES`].
    pub const fn planes2_bytes(self) -> usize {
        self.planes2().div_ceil(8)
    }

    /// Where the scalars start in a row, in bytes.
    pub const fn scalars_offset(self) -> usize {
        PLANES1_BYTES + self.planes2_bytes()
    }

    /// Bytes of one row.
    pub const fn row_bytes(self) -> usize {
        self.scalars_offset() + 4 * self.scalars()
    }
}

impl fmt::Display for EncodingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no encoding has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding {0:?} (known: dlshogi-57, dlshogi-119, keiko-1)")]
pub struct UnknownEncoding(pub String);

impl FromStr for EncodingId {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        Self::ALL
            .into_iter()
            .find(|id| id.name() == name)
            .ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

impl Serialize for EncodingId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for EncodingId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for id in EncodingId::ALL {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        assert!("dlshogi".parse::<EncodingId>().is_err());
    }

    #[test]
    fn sizes_are_those_of_the_row_layout() {
        let sizes = EncodingId::ALL.map(|id| (id.planes(), id.scalars_offset(), id.row_bytes()));
        assert_eq!(sizes, [(119, 636, 636), (181, 643, 643), (195, 643, 699)]);
    }
}
