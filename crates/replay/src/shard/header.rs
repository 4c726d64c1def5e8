//! What a shard says about all of its games.

use keiko_encoding::EncodingId;
use keiko_store::Sha256;

use super::bytes::Bytes;
use super::error::ShardError;
use crate::record::is_name;

/// The version of the shard's layout.
pub const SHARD_VERSION: u16 = 1;

const MAGIC: &[u8; 8] = b"KEIKOGMS";

/// What all games of a shard have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardHeader {
    /// The games' stream.
    pub stream: String,
    /// The model that the games were begun with.
    pub model: String,
    /// The encoding that the models read.
    pub encoding: EncodingId,
    /// Hash of the run's config.
    pub config: Sha256,
}

impl ShardHeader {
    /// Checks the names.
    pub(super) fn check(&self) -> Result<(), ShardError> {
        for (field, value, max) in [("stream", &self.stream, 64), ("model", &self.model, 80)] {
            if !is_name(value, max) {
                return Err(ShardError::Header { field, value: value.clone() });
            }
        }
        Ok(())
    }

    /// The header's bytes. The names have been checked, so each fits into its length.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        for text in [&self.stream, &self.model, &self.encoding.to_string()] {
            payload.push(text.len() as u8);
            payload.extend_from_slice(text.as_bytes());
        }
        payload.extend_from_slice(self.config.as_bytes());
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&SHARD_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(payload.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&payload);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header at the start of `shard`; also says how long it is in bytes.
    pub(super) fn read(shard: &[u8]) -> Result<(Self, usize), ShardError> {
        let missing = || ShardError::Magic("header");
        let mut bytes = Bytes::new(shard);
        if bytes.array() != Some(*MAGIC) {
            return Err(missing());
        }
        let version = bytes.u16().ok_or_else(missing)?;
        if version != SHARD_VERSION {
            return Err(ShardError::Version(version));
        }
        let len = usize::from(bytes.u16().ok_or_else(missing)?);
        let payload = bytes.take(len).ok_or_else(missing)?;
        let checksum = bytes.u32().ok_or_else(missing)?;
        let covered = MAGIC.len() + 4 + len;
        if crc32fast::hash(&shard[..covered]) != checksum {
            return Err(ShardError::Checksum("header"));
        }
        let header = Self::from_payload(payload).ok_or(ShardError::Layout("header"))?;
        header.check()?;
        Ok((header, covered + 4))
    }

    fn from_payload(payload: &[u8]) -> Option<Self> {
        let mut bytes = Bytes::new(payload);
        let header = Self {
            stream: bytes.text()?.to_owned(),
            model: bytes.text()?.to_owned(),
            encoding: bytes.text()?.parse().ok()?,
            config: Sha256::from_bytes(bytes.array()?),
        };
        bytes.is_empty().then_some(header)
    }
}
