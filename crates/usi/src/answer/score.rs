use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};
use std::str::SplitWhitespace;

/// A proven end, from the side to move. Lengths are in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateScore {
    /// The side to move mates in this many plies; `None` is `mate +`, of unknown length.
    Wins(Option<u32>),
    /// The side to move is mated in this many plies; `None` is `mate -`, of unknown length.
    Loses(Option<u32>),
}

/// An engine's opinion of the position, from the side to move.
///
/// The order is the engine's preference: a quick mate first, being mated quickly last, every number of centipawns
/// between the mates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// `cp N`
    Centipawns(i32),
    /// `mate N`
    Mate(MateScore),
}

impl Score {
    /// Reads the two words after `score`; `None` if they are something else.
    pub(super) fn parse(words: &mut SplitWhitespace<'_>) -> Option<Score> {
        let kind = words.clone().next()?;
        if !matches!(kind, "cp" | "mate") {
            return None;
        }
        words.next();
        let text = words.clone().next()?;
        let score = match kind {
            "cp" => Score::Centipawns(centipawns(text)?),
            _ => Score::Mate(mate(text)?),
        };
        words.next();
        Some(score)
    }

    /// (class, tie-break): larger is better.
    fn rank(self) -> (i8, i64) {
        let far = i64::from(u32::MAX) + 1;
        let length = |plies: Option<u32>| plies.map_or(far, i64::from);
        match self {
            Score::Mate(MateScore::Wins(plies)) => (1, -length(plies)),
            Score::Centipawns(cp) => (0, i64::from(cp)),
            Score::Mate(MateScore::Loses(plies)) => (-1, length(plies)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn centipawns(text: &str) -> Option<i32> {
    let value: i64 = text.parse().ok()?;
    i32::try_from(value.clamp(i32::MIN.into(), i32::MAX.into())).ok()
}

fn mate(text: &str) -> Option<MateScore> {
    let (loses, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let plies = match digits {
        "" => None,
        digits => Some(digits.parse::<u32>().ok()?).filter(|&plies| plies > 0),
    };
    if text.is_empty() {
        return None;
    }
    Some(if loses { MateScore::Loses(plies) } else { MateScore::Wins(plies) })
}

impl Display for Score {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(cp) => write!(f, "cp {cp}"),
            Score::Mate(MateScore::Wins(Some(plies))) => write!(f, "mate {plies}"),
            Score::Mate(MateScore::Wins(None)) => f.write_str("mate +"),
            Score::Mate(MateScore::Loses(Some(plies))) => write!(f, "mate -{plies}"),
            Score::Mate(MateScore::Loses(None)) => f.write_str("mate -"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Score> {
        Score::parse(&mut text.split_whitespace())
    }

    #[test]
    fn a_mate_may_have_no_length() {
        for text in ["mate +", "mate +0", "mate 0"] {
            assert_eq!(parse(text), Some(Score::Mate(MateScore::Wins(None))), "{text}");
        }
        for text in ["mate -", "mate -0"] {
            assert_eq!(parse(text), Some(Score::Mate(MateScore::Loses(None))), "{text}");
        }
        assert_eq!(parse("mate +7"), Some(Score::Mate(MateScore::Wins(Some(7)))));
        for text in ["", "cp", "mate", "cp x", "mate x", "wdl 1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_order_is_the_preference() {
        let worst_to_best = [
            "mate -1",
            "mate -3",
            "mate -",
            "cp -32000",
            "cp 0",
            "cp 100",
            "mate +",
            "mate 9",
            "mate 1",
        ];
        let scores: Vec<Score> = worst_to_best.iter().map(|text| parse(text).unwrap()).collect();
        assert!(scores.is_sorted_by(|a, b| a < b), "{scores:?}");
    }
}
