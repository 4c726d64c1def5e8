//! Bytes to text: UTF-8, and Shift-JIS, in which Japanese programs have written for decades.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

/// The text of `bytes`: UTF-8 with or without a byte order mark, otherwise Shift-JIS. `None` if they are
/// neither.
pub(crate) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    decode_shift_jis(bytes)
}

/// The number, from 0, of the first line of `bytes` that is no text by itself. Neither encoding has the
/// byte of an end of line inside a character.
pub(crate) fn undecodable_line(bytes: &[u8]) -> usize {
    let lines = || bytes.split(|&byte| byte == b'\n');
    let first = lines().position(|line| decode(line).is_none());
    // Each line may be text by itself, but some in one encoding and some in the other.
    let other = || lines().position(|line| decode_shift_jis(line).is_none());
    first.or_else(other).unwrap_or_default()
}

fn decode_shift_jis(bytes: &[u8]) -> Option<Cow<'_, str>> {
    SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes)
}

/// Text that goes into one line: control characters become spaces.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_control) {
        Cow::Owned(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The beginning of a text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut chars = text.chars();
    let mut start: String = chars.by_ref().take(LONGEST).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}

/// A number of decimal digits alone.
pub(crate) fn digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Seconds with at most three decimals that count, as milliseconds.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    digits::<u64>(whole)?.checked_mul(1000)?.checked_add(digits(&thousandths)?)
}

/// Milliseconds as seconds, with decimals only where there are some.
pub(crate) fn seconds_text(ms: u64) -> String {
    let (whole, rest) = (ms / 1000, ms % 1000);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:03}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings_are_read() {
        assert_eq!(decode("手合割".as_bytes()).as_deref(), Some("手合割"));
        assert_eq!(decode("\u{feff}手".as_bytes()).as_deref(), Some("手"));
        assert_eq!(decode(b"\x8e\xe8\x8d\x87\x8a\x84").as_deref(), Some("手合割"));
        assert_eq!(decode(b"a\n\xff\xff"), None);
        assert_eq!(undecodable_line(b"a\n\xff\xff"), 1);
        assert_eq!(undecodable_line(b"a\na\n\xff\xff"), 2);
        let mixed = [b"\x8e\xe8\n", "手".as_bytes()].concat();
        assert_eq!((decode(&mixed), undecodable_line(&mixed)), (None, 1));
    }

    #[test]
    fn seconds_come_back() {
        for (text, ms) in
            [("0", 0), ("12", 12_000), ("0.5", 500), ("3.07", 3_070), ("1.001", 1_001)]
        {
            assert_eq!(seconds(text), Some(ms));
            assert_eq!(seconds_text(ms), text);
        }
        assert_eq!(seconds("1.0019"), Some(1_001));
        for text in
            ["", "+1", "1.+1", ".5", "-1", "1.x", "99999999999999999999", "18446744073709551615"]
        {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
