//! Turns a TOML error into one that names the file and, for a misspelt key, the nearest real one.

use std::path::Path;

use super::place;

/// The message for a TOML text that did not become settings: file, the key with its full path, place,
/// what is wrong and, for an unknown key, the known key it most resembles.
pub(super) fn explain(path: &Path, text: &str, error: &toml::de::Error) -> String {
    let key = error.span().and_then(|span| place::key_at(text, span.start));
    let key = key.map_or_else(String::new, |key| format!("{key}: "));
    let mut text = format!("{}: {key}{}", path.display(), error.to_string().trim_end());
    if let Some((unknown, known)) = unknown_field(error.message())
        && let Some(nearest) = nearest(&unknown, &known)
    {
        text.push_str(&format!("\n`{unknown}` is not a key here; did you mean `{nearest}`?"));
    }
    text
}

/// The unknown key of serde's message and the keys it would have taken.
fn unknown_field(message: &str) -> Option<(String, Vec<String>)> {
    let rest = message.strip_prefix("unknown field ")?;
    let mut quoted = rest.split('`').skip(1).step_by(2).map(str::to_owned);
    let unknown = quoted.next()?;
    Some((unknown, quoted.collect()))
}

/// The candidate with the smallest edit distance, when it is close enough to be a misspelling.
fn nearest<'a>(word: &str, candidates: &'a [String]) -> Option<&'a str> {
    let best = candidates.iter().min_by_key(|c| edit_distance(word, c))?;
    (edit_distance(word, best) <= 1 + best.len() / 2).then_some(best.as_str())
}

/// Levenshtein distance in characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("seed", "seed"), 0);
    }

    #[test]
    fn nearest_key_is_named() {
        let message = "unknown field `simulatons`, expected one of `simulations`, `workers`";
        let (unknown, known) = unknown_field(message).expect("it is such a message");
        assert_eq!(nearest(&unknown, &known), Some("simulations"));
        assert_eq!(nearest("zzzzzzzzzz", &known), None);
    }
}
