//! Tags of game lines that have a word for each move.

use std::fmt::Display;
use std::str::FromStr;

/// The tag of a game line with the time taken for each move, in milliseconds.
pub const TIMES_MS: &str = "times_ms";

/// The tag of a game line with what the mover's program thought after each move, in centipawns from Black's view.
pub const SCORES_CP: &str = "scores_cp";

/// The value of a tag with a word for each move, `-` where there is nothing to say; `None` if there is nothing at all.
pub fn per_move<T: Display>(values: impl IntoIterator<Item = Option<T>>) -> Option<String> {
    let mut any = false;
    let word = |value: Option<T>| {
        any |= value.is_some();
        value.map_or_else(|| "-".to_owned(), |value| value.to_string())
    };
    let words: Vec<String> = values.into_iter().map(word).collect();
    any.then(|| words.join(" "))
}

/// What [`per_move`] wrote for so many moves.
pub(super) fn read<T: FromStr>(text: &str, moves: usize) -> Option<Vec<Option<T>>> {
    let word = |word: &str| match word {
        "-" => Some(None),
        word => word.parse().ok().map(Some),
    };
    let values: Vec<Option<T>> = text.split(' ').map(word).collect::<Option<_>>()?;
    (values.len() == moves).then_some(values)
}
