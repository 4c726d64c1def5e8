use std::fmt::{self, Display, Formatter};

use keiko_shogi::Move;

use super::Score;

/// Whether a score is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    /// `lowerbound`: the truth is at least the score.
    Lower,
    /// `upperbound`: the truth is at most the score.
    Upper,
}

/// What ends a principal variation beside a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PvEnd {
    /// `win`: a declaration.
    Win,
    /// `resign`
    Resign,
    /// Another word, such as `rep_draw`; the rest of the line is dropped.
    Other(String),
}

/// A progress report; parts that were not given are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Info {
    /// Plies of the search.
    pub depth: Option<u32>,
    /// Plies of its longest line.
    pub seldepth: Option<u32>,
    /// Milliseconds since `go`.
    pub time_ms: Option<u64>,
    /// Nodes searched; simulations in a tree search.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Memory used, per mille.
    pub hashfull: Option<u32>,
    /// Rank of this line, from 1.
    pub multipv: Option<u32>,
    /// The opinion, from the side to move.
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: Option<ScoreBound>,
    /// The root move now being looked at.
    pub currmove: Option<Move>,
    /// The principal variation, not known to be legal.
    pub pv: Vec<Move>,
    /// What comes after the last move of `pv`.
    pub pv_end: Option<PvEnd>,
    /// Free text.
    pub string: Option<String>,
}

impl Info {
    /// Reads what follows the word `info`. Unknown words and unreadable numbers are skipped.
    pub(super) fn parse(rest: &str) -> Info {
        let mut info = Info::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = next(&mut words),
                "seldepth" => info.seldepth = next(&mut words),
                "time" => info.time_ms = next(&mut words),
                "nodes" => info.nodes = next(&mut words),
                "nps" => info.nps = next(&mut words),
                "hashfull" => info.hashfull = next(&mut words),
                "multipv" => info.multipv = next(&mut words),
                "currmove" => info.currmove = next(&mut words),
                "score" => info.score = Score::parse(&mut words),
                "lowerbound" => info.bound = Some(ScoreBound::Lower),
                "upperbound" => info.bound = Some(ScoreBound::Upper),
                "pv" => {
                    info.read_pv(words);
                    break;
                }
                "string" => {
                    info.string = Some(after_string(rest).to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    fn read_pv<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        for word in words {
            match word.parse() {
                Ok(mv) => self.pv.push(mv),
                Err(_) => {
                    self.pv_end = Some(match word {
                        "win" => PvEnd::Win,
                        "resign" => PvEnd::Resign,
                        other => PvEnd::Other(other.to_owned()),
                    });
                    return;
                }
            }
        }
    }
}

/// Takes the next word if it can be read as a `T`.
fn next<'a, T: std::str::FromStr>(
    words: &mut (impl Iterator<Item = &'a str> + Clone),
) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

/// The text after the first whole word `string`.
fn after_string(rest: &str) -> &str {
    let start = rest
        .match_indices("string")
        .map(|(at, word)| (at, at + word.len()))
        .find(|&(at, end)| {
            rest[..at].chars().next_back().is_none_or(char::is_whitespace)
                && rest[end..].chars().next().is_none_or(char::is_whitespace)
        })
        .map_or(rest.len(), |(_, end)| end);
    rest[start..].trim()
}

impl Display for Info {
    /// Writes what follows the word `info`, each part with a space before it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (word, value) in [
            ("depth", self.depth.map(u64::from)),
            ("seldepth", self.seldepth.map(u64::from)),
            ("time", self.time_ms),
            ("nodes", self.nodes),
            ("nps", self.nps),
            ("hashfull", self.hashfull.map(u64::from)),
            ("multipv", self.multipv.map(u64::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {word} {value}")?;
            }
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        match self.bound {
            None => {}
            Some(ScoreBound::Lower) => f.write_str(" lowerbound")?,
            Some(ScoreBound::Upper) => f.write_str(" upperbound")?,
        }
        if let Some(mv) = self.currmove {
            write!(f, " currmove {mv}")?;
        }
        if !self.pv.is_empty() || self.pv_end.is_some() {
            f.write_str(" pv")?;
            for mv in &self.pv {
                write!(f, " {mv}")?;
            }
            match &self.pv_end {
                None => {}
                Some(PvEnd::Win) => f.write_str(" win")?,
                Some(PvEnd::Resign) => f.write_str(" resign")?,
                Some(PvEnd::Other(word)) => write!(f, " {word}")?,
            }
        }
        self.string.as_ref().map_or(Ok(()), |text| write!(f, " string {text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::MateScore;
    use super::*;

    #[test]
    fn the_order_of_the_parts_is_free() {
        let info =
            Info::parse("nps 100 time 20 nodes 2 hashfull 0 score cp 15 depth 3 pv 7g7f 3c3d");
        assert_eq!(info.depth, Some(3));
        assert_eq!(info.nodes, Some(2));
        assert_eq!(info.score, Some(Score::Centipawns(15)));
        assert_eq!(info.pv.len(), 2);
    }

    #[test]
    fn unknown_parts_and_broken_numbers_are_skipped() {
        let info = Info::parse("depth x tbhits 0 wdl 1 2 3 nodes -5 score mate -3 time 7");
        assert_eq!(info.depth, None);
        assert_eq!(info.nodes, None);
        assert_eq!(info.score, Some(Score::Mate(MateScore::Loses(Some(3)))));
        assert_eq!(info.time_ms, Some(7));
    }

    #[test]
    fn text_keeps_its_words() {
        let info = Info::parse("depth 1 string substring of a  string pv 7g7f");
        assert_eq!(info.string.as_deref(), Some("substring of a  string pv 7g7f"));
        assert!(info.pv.is_empty());
        assert_eq!(Info::parse("string").string.as_deref(), Some(""));
    }

    #[test]
    fn a_variation_may_end_in_a_word() {
        let info = Info::parse("pv 7g7f rep_draw 3c3d");
        assert_eq!(info.pv.len(), 1);
        assert_eq!(info.pv_end, Some(PvEnd::Other("rep_draw".to_owned())));
    }
}
