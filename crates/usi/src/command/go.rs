use std::fmt::{self, Display, Formatter};
use std::str::SplitWhitespace;

use keiko_play::Remaining;
use keiko_shogi::{Color, Move};

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
    /// Reads what follows the word `go`. Unknown words and unreadable numbers are skipped; a negative time counts as 0.
    pub fn parse(rest: &str) -> Go {
        let mut go = Go::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "btime" => read(&mut words, &mut go.times.black_ms),
                "wtime" => read(&mut words, &mut go.times.white_ms),
                "byoyomi" => read(&mut words, &mut go.times.byoyomi_ms),
                "binc" => read(&mut words, &mut go.times.black_increment_ms),
                "winc" => read(&mut words, &mut go.times.white_increment_ms),
                "nodes" => read(&mut words, &mut go.nodes),
                // A random time of at least so much, as one engine takes it.
                "movetime" | "rtime" => read(&mut words, &mut go.movetime_ms),
                "depth" => {
                    let mut depth = None;
                    read(&mut words, &mut depth);
                    go.depth =
                        depth.map(|plies| u32::try_from(plies).unwrap_or(u32::MAX)).or(go.depth);
                }
                "mate" => go.mate = Some(read_mate(&mut words)),
                "searchmoves" => {
                    while let Some(mv) = peek(&words).and_then(|word| word.parse().ok()) {
                        go.searchmoves.push(mv);
                        words.next();
                    }
                }
                _ => {}
            }
        }
        go
    }

    /// A search of exactly `nodes` simulations.
    pub fn nodes(nodes: u64) -> Go {
        Go { nodes: Some(nodes), ..Go::default() }
    }
}

fn peek<'a>(words: &SplitWhitespace<'a>) -> Option<&'a str> {
    words.clone().next()
}

/// Reads a number into `slot` if the next word is one, and leaves any other word for the caller.
fn read(words: &mut SplitWhitespace<'_>, slot: &mut Option<u64>) {
    if let Some(number) = peek(words).and_then(number) {
        *slot = Some(number);
        words.next();
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

fn read_mate(words: &mut SplitWhitespace<'_>) -> MateLimit {
    let mut limit = None;
    match peek(words) {
        Some("infinite") => {
            words.next();
            MateLimit::Infinite
        }
        Some("nodes") => {
            words.next();
            read(words, &mut limit);
            limit.map_or(MateLimit::Infinite, MateLimit::Nodes)
        }
        _ => {
            read(words, &mut limit);
            limit.map_or(MateLimit::Infinite, MateLimit::Number)
        }
    }
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
    fn broken_parts_are_skipped_and_the_rest_is_kept() {
        let go = Go::parse("btime x wtime 5 nodes byoyomi 7 xtime 100 foo depth");
        let times = Times { white_ms: Some(5), byoyomi_ms: Some(7), ..Times::default() };
        assert_eq!(go, Go { times, ..Go::default() });
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
        assert_eq!(Go::parse("mate nodes").mate, Some(MateLimit::Infinite));
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
