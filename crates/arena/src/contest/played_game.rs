use keiko_formats::{GameLine, GameLineError};
use keiko_shogi::{Color, Game, GameEnd, Move, Position};

use crate::statistics::GamePoints;
use crate::tally;

/// One game of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its pair, from 0, which is also the number of its opening.
    pub pair: u32,
    /// The first player's colour: Black in the first game of a pair, White in the second.
    pub first_player: Color,
    /// Where it started.
    pub start: Position,
    /// The move number of the start.
    pub start_move_number: u32,
    /// All moves from there, those of the opening included.
    pub moves: Vec<Move>,
    /// The position at the end, as SFEN with the move number.
    pub final_sfen: String,
    /// How it ended.
    pub end: GameEnd,
}

impl PlayedGame {
    pub(crate) fn new(pair: u32, first_player: Color, game: &Game, end: GameEnd) -> PlayedGame {
        PlayedGame {
            pair,
            first_player,
            start: game.start().clone(),
            start_move_number: game.start_move_number(),
            moves: game.moves().to_vec(),
            final_sfen: game.sfen(),
            end,
        }
    }

    /// The game as one line, with the tags `pair`, `outcome`, `reason` and `ply`, and the first player's colour under
    /// the tag `first_player`.
    ///
    /// # Errors
    /// `first_player` is not a tag's name.
    pub fn line(&self, first_player: &str) -> Result<GameLine, GameLineError> {
        let mut line =
            GameLine::new(self.start.clone(), self.start_move_number, self.moves.clone());
        line.add_tag("pair", &self.pair.to_string())?;
        line.add_tag(first_player, &self.first_player.to_string())?;
        line.add_tag("outcome", self.end.outcome.name())?;
        line.add_tag("reason", &self.end.reason.to_string())?;
        line.add_tag("ply", &self.end.ply.to_string())?;
        Ok(line)
    }

    /// What the game was worth to the first player.
    pub fn points(&self) -> GamePoints {
        tally::points(self.end.outcome, self.first_player)
    }
}
