//! Keys of a TOML text and where they stand.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key with its full path, such as `search.puct.c_init` or `engine[1].nodes` (counted from 0).
struct Key {
    path: String,
    /// Bytes of the key and of its value.
    spans: [Range<usize>; 2],
    has_keys: bool,
}

/// The full path of the innermost key that stands at a byte of the text, with its value.
pub(super) fn key_at(text: &str, at: usize) -> Option<String> {
    let holds = |span: &Range<usize>| span.contains(&at);
    let width =
        |key: &Key| key.spans.iter().filter(|it| holds(it)).map(ExactSizeIterator::len).min();
    let keys = keys(text).into_iter();
    let found = keys.filter_map(|key| Some((width(&key)?, key.path)));
    found.reduce(|best, next| if next.0 <= best.0 { next } else { best }).map(|(_, path)| path)
}

/// `what` is wrong with values of the text: with the line of the key it names, where that has a value. `within` is what
/// the paths of keys in it may begin with.
pub(super) fn with_line(text: &str, what: &str, within: &str) -> String {
    let part_of_key = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    let words: Vec<&str> =
        what.split(|c| !part_of_key(c)).map(|word| word.trim_end_matches('.')).collect();
    let keys = keys(text);
    let named = |path: &str, word: &str| path == word || path.strip_prefix(within) == Some(word);
    let key = words
        .iter()
        .find_map(|word| keys.iter().find(|key| !key.has_keys && named(&key.path, word)))
        .or_else(|| {
            let inside =
                keys.iter().filter(|key| !within.is_empty() && key.path.starts_with(within));
            inside.min_by_key(|key| key.spans[0].start)
        });
    match key {
        Some(key) => format!("line {}: {what}", line_of(text, key.spans[0].start)),
        None => what.to_owned(),
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// All keys of a text, each before those in it; none of a text that is no TOML.
fn keys(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    if let Ok(table) = DeTable::parse(text) {
        add_table("", table.get_ref(), &mut keys);
    }
    keys
}

fn add_table(path: &str, table: &DeTable<'_>, keys: &mut Vec<Key>) {
    for (key, value) in table {
        let dot = if path.is_empty() { "" } else { "." };
        add(format!("{path}{dot}{}", key.get_ref()), key.span(), value, keys);
    }
}

fn add(path: String, key: Range<usize>, value: &Spanned<DeValue<'_>>, keys: &mut Vec<Key>) {
    let has_keys = matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_));
    keys.push(Key { path: path.clone(), spans: [key, value.span()], has_keys });
    match value.get_ref() {
        DeValue::Table(table) => add_table(&path, table, keys),
        DeValue::Array(array) => {
            for (index, item) in array.iter().enumerate() {
                add(format!("{path}[{index}]"), item.span(), item, keys);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "seed = 1\n[a]\nb = { c = \"x\" }\n[a.d]\ne = 2\n[[f]]\ng = 3\n[[f]]\nname = 4\ng = 5\n";

    #[test]
    fn every_place_has_its_full_key() {
        for (at, path) in [
            ("seed", "seed"),
            ("1\n", "seed"),
            ("\"x\"", "a.b.c"),
            ("2\n", "a.d.e"),
            ("3\n", "f[0].g"),
            ("g = 5", "f[1].g"),
        ] {
            let at = TEXT.find(at).expect("it is there");
            assert_eq!(key_at(TEXT, at).as_deref(), Some(path));
        }
        assert_eq!(key_at("no toml", 0), None);
    }

    #[test]
    fn what_names_a_key_gets_its_line() {
        for (what, within, line) in [
            ("seed must be less", "", 1),
            ("a.d.e must be 3, like seed", "", 5),
            ("engine x: g is bad", "f[1].", 10),
            ("engine x: it is bad", "f[1].", 9),
        ] {
            assert_eq!(with_line(TEXT, what, within), format!("line {line}: {what}"));
        }
        assert_eq!(with_line(TEXT, "a is bad", ""), "a is bad");
    }
}
