//! Content hashes.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256 as Hasher};
use thiserror::Error;

/// A SHA-256 of some bytes; shown and parsed as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Hasher::digest(bytes).into())
    }

    /// The hash of all that `source` gives.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of_reader(source: &mut impl Read) -> io::Result<Self> {
        let mut hasher = Hasher::new();
        let mut buffer = vec![0; 1 << 18];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok(Self(hasher.finalize().into())),
                Ok(read) => hasher.update(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The hash of the parts joined together.
    #[must_use]
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Hasher::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The hash whose bytes these are.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of the hash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256({self})")
    }
}

/// The text is not 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a SHA-256 is 64 lower-case hexadecimal digits")]
pub struct Sha256ParseError;

impl FromStr for Sha256 {
    type Err = Sha256ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(Sha256ParseError);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

fn digit(c: u8) -> Result<u8, Sha256ParseError> {
    match c {
        b'0'..=b'9' => Ok(c - b'0'),
        b'a'..=b'f' => Ok(c - b'a' + 10),
        _ => Err(Sha256ParseError),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_standard_vector_and_its_text() {
        assert_eq!(Sha256::of(b"abc").to_string(), ABC);
        assert_eq!(Sha256::of_parts(&[b"a", b"", b"bc"]), Sha256::of(b"abc"));
        assert_eq!(ABC.parse(), Ok(Sha256::of(b"abc")));
        assert_eq!(Sha256::from_bytes([0x5a; 32]).as_bytes(), &[0x5a; 32]);
        assert_eq!(format!("{:?}", Sha256::of(b"abc")), format!("Sha256({ABC})"));
    }

    /// Gives a byte at a time, each after an interruption, and fails where there are no more if it is to.
    struct Slow<'b> {
        bytes: &'b [u8],
        interrupted: bool,
        fails: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.bytes.is_empty() && self.fails {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let some = buffer.len().min(1);
            self.bytes.read(&mut buffer[..some])
        }
    }

    #[test]
    fn what_comes_in_pieces_hashes_alike_and_a_failure_is_told() {
        let mut slow = Slow { bytes: b"abc", interrupted: false, fails: false };
        assert_eq!(Sha256::of_reader(&mut slow).unwrap().to_string(), ABC);
        let mut broken = Slow { bytes: b"abc", interrupted: false, fails: true };
        let error = Sha256::of_reader(&mut broken).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn it_is_text_in_toml() {
        let table = std::collections::BTreeMap::from([("model", Sha256::of(b"abc"))]);
        let text = toml::to_string(&table).unwrap();
        assert_eq!(text, format!("model = \"{ABC}\"\n"));
        assert_eq!(toml::from_str(&text), Ok(table));
        let bad = text.replace('b', "B");
        assert!(toml::from_str::<std::collections::BTreeMap<&str, Sha256>>(&bad).is_err());
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "ba78", &ABC.to_uppercase(), &format!("{ABC}0"), &ABC.replace('b', "g")] {
            assert_eq!(text.parse::<Sha256>(), Err(Sha256ParseError), "{text}");
        }
    }
}
