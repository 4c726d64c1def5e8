//! What a line is.

use keiko_shogi::Color;

use super::names;

/// A line by its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A blank line, or decoration of a diagram or of the list of moves.
    Nothing,
    /// `#..`: for programs; the rest of the line.
    Program(&'a str),
    /// `*..`: the rest of the line.
    Comment(&'a str),
    /// `&..`: a bookmark, sign included.
    Bookmark(&'a str),
    /// A rank of a diagram, without the bar in front.
    Rank(&'a str),
    /// `先手番`, `後手番`.
    Turn(Color),
    /// `手数＝N`: moves played before the start, and maybe the last of them.
    Played(&'a str),
    /// `先手の持駒：..`.
    Hand(Color, &'a str),
    /// `手合割：..`.
    Handicap(&'a str),
    /// `変化：..`.
    Variation,
    /// `まで..`: the rest of the line.
    Summary(&'a str),
    /// Number of a move and the rest.
    Move(&'a str, &'a str),
    /// Another `key：value`.
    Field(&'a str, &'a str),
    /// None of these.
    Other(&'a str),
}

impl<'a> Line<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let text = text.trim_end();
        if let Some(rest) = text.strip_prefix('#') {
            return Self::Program(rest);
        }
        if let Some(rest) = text.strip_prefix('*') {
            return Self::Comment(rest);
        }
        if text.starts_with('&') {
            return Self::Bookmark(text);
        }
        let text = text.trim_start();
        if text.is_empty()
            || ["+--", "手数--", "９ ８", "９　８"].iter().any(|start| text.starts_with(start))
        {
            return Self::Nothing;
        }
        if let Some(rest) = text.strip_prefix('|') {
            return Self::Rank(rest);
        }
        if let Some(rest) = text.strip_prefix("手数＝").or_else(|| text.strip_prefix("手数="))
        {
            return Self::Played(rest);
        }
        if let Some(rest) = text.strip_prefix("まで") {
            return Self::Summary(rest);
        }
        if let Some(color) = text.strip_suffix('番').and_then(names::color) {
            return Self::Turn(color);
        }
        let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if numbered.len() < text.len() {
            return Self::Move(&text[..text.len() - numbered.len()], numbered.trim_start());
        }
        let Some((key, value)) = text.split_once(['：', ':']) else { return Self::Other(text) };
        if key.is_empty() {
            return Self::Other(text);
        }
        match key {
            "手合割" => Self::Handicap(value.trim()),
            "変化" => Self::Variation,
            _ => match key.strip_suffix("の持駒").and_then(names::color) {
                Some(color) => Self::Hand(color, value),
                None => Self::Field(key, value),
            },
        }
    }
}
