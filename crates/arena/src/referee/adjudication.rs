use keiko_shogi::Color;
use keiko_usi::answer::{MateScore, Score};
use serde::{Deserialize, Serialize};

/// When a game is ended because both players agree who wins. Draws are never adjudicated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Centipawns, at least 1: the one side must see itself at least so far ahead, the other so far behind.
    pub score_cp: u32,
    /// Moves of each side in a row that must say so, at least 1.
    pub moves: u32,
}

/// Counts what the players of one game say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// By colour: positive for turns in a row that count as won, negative for lost ones.
    runs: [i64; 2],
}

impl Verdicts {
    /// Notes what `side` thought when it made its move; returns the side that has lost now.
    pub fn observe(
        &mut self,
        side: Color,
        score: Option<Score>,
        rule: &Adjudication,
    ) -> Option<Color> {
        let limit = i64::from(rule.score_cp.max(1));
        let ahead = match score {
            Some(Score::Centipawns(cp)) => i64::from(cp),
            Some(Score::Mate(MateScore::Wins(_))) => i64::MAX,
            Some(Score::Mate(MateScore::Loses(_))) => -i64::MAX,
            None => 0,
        };
        let run = &mut self.runs[side.index()];
        *run = if ahead >= limit {
            (*run).max(0) + 1
        } else if ahead <= -limit {
            (*run).min(0) - 1
        } else {
            0
        };
        let needed = i64::from(rule.moves.max(1));
        let [black, white] = self.runs;
        if black >= needed && white <= -needed {
            Some(Color::White)
        } else {
            (white >= needed && black <= -needed).then_some(Color::Black)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Adjudication = Adjudication { score_cp: 1000, moves: 2 };

    /// The loser after Black and White have said this in turns.
    fn loser(scores: &[i32]) -> Option<Color> {
        let mut verdicts = Verdicts::default();
        let sides = [Color::Black, Color::White].into_iter().cycle();
        scores
            .iter()
            .zip(sides)
            .fold(None, |_, (&cp, side)| verdicts.observe(side, Some(Score::Centipawns(cp)), &RULE))
    }

    #[test]
    fn both_must_agree_for_as_long_as_asked() {
        assert_eq!(loser(&[1000, -1000, 1000]), None);
        assert_eq!(loser(&[1000, -1000, 1000, -1000]), Some(Color::White));
        assert_eq!(loser(&[-2000, 1500, -2000, 1500]), Some(Color::Black));
        assert_eq!(loser(&[2000, -999, 2000, -2000]), None);
        assert_eq!(loser(&[2000, -2000, 0, -2000, 2000, -2000]), None);
        // Both see themselves ahead: nobody has lost.
        assert_eq!(loser(&[2000, 2000, 2000, 2000]), None);
        assert_eq!(loser(&[0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn mates_count_and_silence_does_not() {
        let mut verdicts = Verdicts::default();
        let mut say = |side, score| verdicts.observe(side, score, &RULE);
        let wins = Some(Score::Mate(MateScore::Wins(None)));
        let loses = Some(Score::Mate(MateScore::Loses(Some(4))));
        for _ in 0..2 {
            assert_eq!(say(Color::White, wins), None);
            assert_eq!(say(Color::Black, None), None);
        }
        say(Color::Black, loses);
        assert_eq!(say(Color::Black, loses), Some(Color::Black));
    }
}
