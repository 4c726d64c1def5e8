//! Texts that say themselves whether they are whole.

use std::borrow::Cow;

use crate::sha256::Sha256;

/// What the first line of a sealed text begins with, a comment in TOML; the hash of all that follows the line comes after.
const SEAL: &[u8] = b"# sha256 of what follows: ";

/// Whether the object of this key is a text that is stored with a seal: what a program reads and a person may look at.
/// Bytes of other kinds have checksums of their own.
fn is_sealed(key: &str) -> bool {
    key.ends_with(".toml")
}

/// What is stored for an object.
pub(crate) fn seal<'a>(key: &str, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    if !is_sealed(key) {
        return bytes.into();
    }
    let hash = Sha256::of(bytes).to_string();
    [SEAL, hash.as_bytes(), b"\n", bytes].concat().into()
}

/// The object of what is stored; none where it is not as it was written. A text without a seal, of an older program or a
/// person, is taken as it is.
pub(crate) fn open(key: &str, mut stored: Vec<u8>) -> Option<Vec<u8>> {
    let begun = stored.len().min(SEAL.len());
    if !is_sealed(key) || stored.is_empty() || stored[..begun] != SEAL[..begun] {
        return Some(stored);
    }
    let end = stored.iter().position(|&byte| byte == b'\n')?;
    let hash: Sha256 = std::str::from_utf8(stored.get(SEAL.len()..end)?).ok()?.parse().ok()?;
    stored.drain(..=end);
    (Sha256::of(&stored) == hash).then_some(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_one_damage_does_to_a_text_it_is_found_or_the_text_is_as_it_was() {
        let text = b"games = 12\n\n[[shards]]\nkey = \"a\"\n";
        let sealed = seal("ingest/00000000.toml", text).into_owned();
        let open = |stored: &[u8]| open("ingest/00000000.toml", stored.to_vec());
        assert_eq!(open(&sealed).as_deref(), Some(text.as_slice()));
        for end in 1..sealed.len() {
            assert_eq!(open(&sealed[..end]), None, "cut after {end} bytes");
        }
        for bit in 0..8 * sealed.len() {
            let mut flipped = sealed.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let opened = open(&flipped);
            // Where the seal is not one any more, its line still stands before the text: no key and no comment is lost.
            let in_seal = bit / 8 < SEAL.len() && opened.as_deref() == Some(flipped.as_slice());
            assert!(opened.is_none() || in_seal, "bit {bit}: {opened:?}");
        }
    }

    #[test]
    fn other_bytes_are_left_alone() {
        for (key, bytes) in [("a.toml", b"".as_slice()), ("a.toml", b"x = 1"), ("a.games", SEAL)] {
            assert_eq!(open(key, bytes.to_vec()).as_deref(), Some(bytes));
        }
        assert_eq!(*seal("a.games", SEAL), *SEAL);
    }
}
