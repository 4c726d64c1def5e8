use std::fmt::{self, Display, Formatter};
use std::str::SplitWhitespace;

use keiko_play::Remaining;
use keiko_shogi::{Color, Move};

pub use unusable::Unusable;

mod unusable;

/// Clock times as a GUI sends them, in milliseconds. Time left never includes the byoyomi; with increments (Fischer)
/// the increment is already in the time left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// `btime`: time left of Black.
    pub black_ms: Option<u64>,
    /// `wtime`: time left of White.
    pub white_ms: Option<u64>,
    /// `byoyomi`: time for each move once the main time is used up; for the side to move.
    pub byoyomi_ms: Option<u64>,
    /// `binc`: what Black gains by a move.
    pub black_increment_ms: Option<u64>,
    /// `winc`: what White gains by a move.
    pub white_increment_ms: Option<u64>,
}

impl Times {
    /// Whether no time at all is given.
    pub fn is_empty(&self) -> bool {
        *self == Times::default()
    }

    /// Time left of `color`, 0 where not given.
    pub fn left_ms(&self, color: Color) -> u64 {
        match color {
            Color::Black => self.black_ms,
            Color::White => self.white_ms,
        }
        .unwrap_or(0)
    }

    /// What the clock of `color` shows; 0 where it is not given.
    pub fn remaining(&self, color: Color) -> Remaining {
        Remaining {
            main_ms: self.left_ms(color),
            byoyomi_ms: self.byoyomi_ms.unwrap_or(0),
            increment_ms: self.increment_ms(color),
        }
    }

    /// Increment of `color`, 0 where not given.
    pub fn increment_ms(&self, color: Color) -> u64 {
        match color {
            Color::Black => self.black_increment_ms,
            Color::White => self.white_increment_ms,
        }
        .unwrap_or(0)
    }
}

/// What `go mate` allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateLimit {
    /// `mate infinite`, or no number.
    Infinite,
    /// `mate N`: milliseconds by the protocol; some tools mean plies.
    Number(u64),
    /// `mate nodes N`
    Nodes(u64),
}

/// `go`: every limit that was given; those not given are `None`. Limits may be combined: the first one reached ends
/// the search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go {
    /// `ponder`: the opponent is still to move in truth; answer only after `ponderhit` or `stop`.
    pub ponder: bool,
    /// `infinite`: answer only after `stop`.
    pub infinite: bool,
    /// Clocks.
    pub times: Times,
    /// `nodes`: simulations of this search.
    pub nodes: Option<u64>,
    /// `depth`: plies of the principal variation.
    pub depth: Option<u32>,
    /// `movetime`: milliseconds for this move.
    pub movetime_ms: Option<u64>,
    /// `mate`: look for a mate only.
    pub mate: Option<MateLimit>,
    /// `searchmoves`: the only moves to consider; empty means all.
    pub searchmoves: Vec<Move>,
}

impl Go {
    /// Reads what follows the word `go`. What cannot be used is left out; a negative time counts as 0.
    pub fn parse(rest: &str) -> Go {
        Go::read(rest).0
    }

    /// As [`parse`](Go::parse), and what was left out. Where an unreadable number leaves nothing that would end the
    /// search, it ends at once: `movetime 0` or `mate 0`.
    pub fn read(rest: &str) -> (Go, Vec<Unusable>) {
        let mut go = Go::default();
        let mut reader = Reader { words: rest.split_whitespace(), unusable: Vec::new() };
        while let Some(word) = reader.words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "btime" => reader.number("btime", &mut go.times.black_ms),
                "wtime" => reader.number("wtime", &mut go.times.white_ms),
                "byoyomi" => reader.number("byoyomi", &mut go.times.byoyomi_ms),
                "binc" => reader.number("binc", &mut go.times.black_increment_ms),
                "winc" => reader.number("winc", &mut go.times.white_increment_ms),
                "nodes" => reader.number("nodes", &mut go.nodes),
                // A random time of at least so much, as one engine takes it.
                "movetime" | "rtime" => reader.number("movetime", &mut go.movetime_ms),
                "depth" => {
                    let mut depth = None;
                    reader.number("depth", &mut depth);
                    go.depth =
                        depth.map(|plies| u32::try_from(plies).unwrap_or(u32::MAX)).or(go.depth);
                }
                "mate" => go.mate = Some(reader.mate()),
                "searchmoves" => {
                    while let Some(mv) = reader.peek().and_then(|word| word.parse().ok()) {
                        go.searchmoves.push(mv);
                        reader.words.next();
                    }
                }
                _ => reader.unusable.push(Unusable::Unknown(word.to_owned())),
            }
        }
        let lacks = |it: &Unusable| !matches!(it, Unusable::Unknown(_));
        if !go.is_limited() && reader.unusable.iter().any(lacks) {
            go.movetime_ms = Some(0);
        }
        (go, reader.unusable)
    }

    /// A search of exactly `nodes` simulations.
    pub fn nodes(nodes: u64) -> Go {
        Go { nodes: Some(nodes), ..Go::default() }
    }

    /// Whether it says when to end.
    fn is_limited(&self) -> bool {
        self.infinite
            || self.mate.is_some()
            || !self.times.is_empty()
            || self.movetime_ms.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
    }
}

/// The words of a `go` that has numbers after them, or means something by itself.
const KNOWN: [&str; 13] = [
    "ponder",
    "infinite",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "nodes",
    "movetime",
    "rtime",
    "depth",
    "mate",
    "searchmoves",
];

struct Reader<'a> {
    words: SplitWhitespace<'a>,
    unusable: Vec<Unusable>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.clone().next()
    }

    /// Reads the number after `word` into `slot`. A word that is none is left out, unless it means something itself.
    fn number(&mut self, word: &'static str, slot: &mut Option<u64>) {
        let text = self.peek().filter(|text| !KNOWN.contains(text));
        if text.is_some() {
            self.words.next();
        }
        match text.and_then(number) {
            Some(number) => *slot = Some(number),
            None => self.unusable.push(Unusable::number(word, text)),
        }
    }

    fn mate(&mut self) -> MateLimit {
        let mut limit = None;
        match self.peek() {
            None => MateLimit::Infinite,
            Some("infinite") => {
                self.words.next();
                MateLimit::Infinite
            }
            Some("nodes") => {
                self.words.next();
                self.number("mate nodes", &mut limit);
                limit.map_or(MateLimit::Number(0), MateLimit::Nodes)
            }
            Some(word) if KNOWN.contains(&word) => MateLimit::Infinite,
            Some(_) => {
                self.number("mate", &mut limit);
                MateLimit::Number(limit.unwrap_or(0))
            }
        }
    }
}

/// A number of any size: too large ones saturate, negative ones are 0, a fraction is cut off.
fn number(word: &str) -> Option<u64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let digits = digits.split_once('.').map_or(digits, |(whole, _)| whole);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

impl Display for Times {
    /// Writes ` btime ..` and so on, each with a space before it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (word, value) in [
            ("btime", self.black_ms),
            ("wtime", self.white_ms),
            ("byoyomi", self.byoyomi_ms),
            ("binc", self.black_increment_ms),
            ("winc", self.white_increment_ms),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        Ok(())
    }
}

impl Display for Go {
    /// Writes what follows the word `go`, each part with a space before it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write!(f, "{}", self.times)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        for (word, value) in [
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("movetime", self.movetime_ms),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        match self.mate {
            None => {}
            Some(MateLimit::Infinite) => f.write_str(" mate infinite")?,
            Some(MateLimit::Number(number)) => write!(f, " mate {number}")?,
            Some(MateLimit::Nodes(nodes)) => write!(f, " mate nodes {nodes}")?,
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            for mv in &self.searchmoves {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_parts_are_named_and_the_rest_is_kept() {
        let (go, unusable) = Go::read("btime x wtime 5 nodes byoyomi 7 xtime depth");
        let times = Times { white_ms: Some(5), byoyomi_ms: Some(7), ..Times::default() };
        assert_eq!(go, Go { times, ..Go::default() });
        let said: Vec<String> = unusable.iter().map(Unusable::to_string).collect();
        assert_eq!(
            said,
            [
                "btime needs a number and has \"x\"",
                "nodes has no number",
                "the word \"xtime\" is unknown",
                "depth has no number"
            ]
        );
    }

    #[test]
    fn nothing_goes_on_for_ever_for_want_of_a_number() {
        for word in
            KNOWN.iter().filter(|word| !["ponder", "infinite", "searchmoves"].contains(word))
        {
            for text in [format!("{word} x"), format!("x {word}  ponder x"), word.to_string()] {
                let (go, unusable) = Go::read(&text);
                let at_once = go.movetime_ms == Some(0) || go.mate == Some(MateLimit::Number(0));
                // A search for a mate may do without.
                assert!(at_once || go.mate == Some(MateLimit::Infinite), "{text}: {go:?}");
                assert!(!unusable.is_empty() || text == "mate", "{text}");
            }
        }
        assert_eq!(Go::read("infinite foo").0, Go { infinite: true, ..Go::default() });
    }

    #[test]
    fn odd_numbers_are_read() {
        let go = Go::parse("btime -20 wtime 1000.5 nodes 99999999999999999999999");
        assert_eq!(go.times.black_ms, Some(0));
        assert_eq!(go.times.white_ms, Some(1000));
        assert_eq!(go.nodes, Some(u64::MAX));
    }

    #[test]
    fn a_random_time_is_its_least() {
        assert_eq!(Go::parse("rtime 300"), Go::parse("movetime 300"));
    }

    #[test]
    fn a_mate_search_without_a_number_is_infinite() {
        assert_eq!(Go::parse("mate").mate, Some(MateLimit::Infinite));
        assert_eq!(Go::parse("mate infinite").mate, Some(MateLimit::Infinite));
        assert_eq!(Go::parse("mate nodes").mate, Some(MateLimit::Number(0)));
    }

    #[test]
    fn what_follows_the_listed_moves_is_still_read() {
        let go = Go::parse("searchmoves 7g7f P*5e nodes 10");
        assert_eq!(go.searchmoves.len(), 2);
        assert_eq!(go.nodes, Some(10));
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let go = Go::parse("btime 1 wtime 2 binc 3 winc 4");
        assert_eq!((go.times.left_ms(Color::Black), go.times.increment_ms(Color::Black)), (1, 3));
        assert_eq!((go.times.left_ms(Color::White), go.times.increment_ms(Color::White)), (2, 4));
        assert!(Go::parse("infinite").times.is_empty());
    }
}
