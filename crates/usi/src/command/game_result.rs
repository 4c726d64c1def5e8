use std::fmt::{self, Display, Formatter};

/// How the game ended, for the engine that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// `win`
    Win,
    /// `lose`
    Lose,
    /// `draw`
    Draw,
}

impl GameResult {
    pub(super) fn parse(word: &str) -> Option<GameResult> {
        match word {
            "win" => Some(GameResult::Win),
            "lose" => Some(GameResult::Lose),
            "draw" => Some(GameResult::Draw),
            _ => None,
        }
    }
}

impl Display for GameResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Win => "win",
            GameResult::Lose => "lose",
            GameResult::Draw => "draw",
        })
    }
}
