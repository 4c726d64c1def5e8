//! Which strings may name an object.

use thiserror::Error;

/// The longest key, in bytes.
pub const MAX_KEY_BYTES: usize = 512;

/// The longest part of a key between two slashes, in bytes; leaves room for a temporary's suffix
/// within the 255 bytes of a file name.
pub const MAX_SEGMENT_BYTES: usize = 200;

/// Why a string cannot name an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The key has no characters.
    #[error("it is empty")]
    Empty,
    /// The key is longer than [`MAX_KEY_BYTES`].
    #[error("it is longer than {MAX_KEY_BYTES} bytes")]
    TooLong,
    /// A leading, trailing or doubled slash.
    #[error("it has an empty part (no slash may lead, trail or be doubled)")]
    EmptySegment,
    /// A part is longer than [`MAX_SEGMENT_BYTES`].
    #[error("a part of it is longer than {MAX_SEGMENT_BYTES} bytes")]
    SegmentTooLong,
    /// A part starts with a dot: `.`, `..`, or a hidden file, which temporaries and locks use.
    #[error("a part of it starts with a dot")]
    LeadingDot,
    /// A part ends with `.tmp`, which marks unfinished files.
    #[error("a part of it ends with .tmp")]
    Temporary,
    /// A character outside `A-Z a-z 0-9 . _ -`.
    #[error("it holds {0:?}; only letters, digits, dot, underscore, hyphen and slash are allowed")]
    Character(char),
}

/// Checks that `key` is a plain relative path: parts of `A-Z a-z 0-9 . _ -` joined by slashes.
///
/// # Errors
///
/// The first rule that `key` breaks.
pub fn check_key(key: &str) -> Result<(), KeyError> {
    if key.is_empty() {
        return Err(KeyError::Empty);
    }
    if key.len() > MAX_KEY_BYTES {
        return Err(KeyError::TooLong);
    }
    key.split('/').try_for_each(check_segment)
}

/// Checks one part of a key.
///
/// # Errors
///
/// The first rule that `segment` breaks.
pub(crate) fn check_segment(segment: &str) -> Result<(), KeyError> {
    if segment.is_empty() {
        return Err(KeyError::EmptySegment);
    }
    if segment.len() > MAX_SEGMENT_BYTES {
        return Err(KeyError::SegmentTooLong);
    }
    if segment.starts_with('.') {
        return Err(KeyError::LeadingDot);
    }
    if segment.ends_with(".tmp") {
        return Err(KeyError::Temporary);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    match segment.chars().find(|&c| !plain(c)) {
        Some(c) => Err(KeyError::Character(c)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_relative_paths_are_keys() {
        for key in ["a", "games/gen-0001/000000.games", "models/0f/model.onnx", "A_b-c.9"] {
            assert_eq!(check_key(key), Ok(()), "{key}");
        }
        assert_eq!(check_key(&"a".repeat(MAX_SEGMENT_BYTES)), Ok(()));
        assert_eq!(check_key(&format!("{}/aa", ["a"; 255].join("/"))), Ok(()));
        assert_eq!(check_key(&format!("{}/aaa", ["a"; 255].join("/"))), Err(KeyError::TooLong));
    }

    #[test]
    fn hostile_keys_are_refused() {
        let cases = [
            ("", KeyError::Empty),
            ("/etc/passwd", KeyError::EmptySegment),
            ("a//b", KeyError::EmptySegment),
            ("a/", KeyError::EmptySegment),
            ("..", KeyError::LeadingDot),
            ("a/../b", KeyError::LeadingDot),
            ("./a", KeyError::LeadingDot),
            ("a/.hidden", KeyError::LeadingDot),
            ("a.tmp", KeyError::Temporary),
            ("a\\b", KeyError::Character('\\')),
            ("C:x", KeyError::Character(':')),
            ("a b", KeyError::Character(' ')),
            ("a\0b", KeyError::Character('\0')),
            ("a\n", KeyError::Character('\n')),
            ("対局", KeyError::Character('対')),
            ("a\u{202e}", KeyError::Character('\u{202e}')),
        ];
        for (key, error) in cases {
            assert_eq!(check_key(key), Err(error), "{key:?}");
        }
        assert_eq!(check_key(&"a".repeat(MAX_SEGMENT_BYTES + 1)), Err(KeyError::SegmentTooLong));
        assert_eq!(check_key(&"a/".repeat(MAX_KEY_BYTES)), Err(KeyError::TooLong));
    }
}
