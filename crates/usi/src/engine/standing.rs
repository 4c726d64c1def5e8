use std::io::{self, Write};

use keiko_shogi::{Color, Game, Position};

use super::Engine;
use crate::answer::Answer;
use crate::command::{PositionText, Start};

/// The position that the GUI has given, and what came of the last attempt to give another.
#[derive(Debug)]
pub(super) struct Standing {
    text: PositionText,
    refused: Option<Refused>,
}

/// A `position` that cannot be played.
#[derive(Debug)]
struct Refused {
    reason: String,
    /// Whether it meant to begin where the position that stands does.
    same_start: bool,
}

impl Standing {
    pub(super) fn new() -> Standing {
        Standing { text: PositionText::startpos(Vec::new()), refused: None }
    }
}

/// The position. One that cannot be played is refused, and said so at once and again when it is to be searched: then the
/// one before stands, as long as the refused one was to begin like it. A position of another game would make every move
/// of this one illegal; what is legal there is to resign.
impl<W: Write> Engine<'_, W> {
    pub(super) fn position(&mut self, text: &PositionText) -> io::Result<()> {
        match text.game_as_asked(self.rules()) {
            Ok((_, foul)) => {
                self.standing = Standing { text: text.clone(), refused: None };
                // The GUI has played it, so the game goes on from there.
                foul.map_or(Ok(()), |foul| {
                    self.say(&Answer::message(format!("Error: position: {foul}")))
                })
            }
            Err(error) => self.refuse_position(&error.to_string(), Some(&text.start)),
        }
    }

    pub(super) fn refuse_position(
        &mut self,
        reason: &str,
        start: Option<&Start>,
    ) -> io::Result<()> {
        let same_start = match start {
            Some(start) => {
                let asked = first_position(start);
                asked.is_some() && asked == first_position(&self.standing.text.start)
            }
            // A line that does not say where it begins changes nothing about that.
            None => self.standing.refused.as_ref().is_none_or(|earlier| earlier.same_start),
        };
        self.standing.refused = Some(Refused { reason: reason.to_owned(), same_start });
        self.say(&Answer::message(format!("Error: position: {reason}")))
    }

    /// The game to search, or `None` if it is not known; what is to be said of it has been said.
    pub(super) fn game_to_search(&mut self) -> io::Result<Option<Game>> {
        if let Some(Refused { reason, same_start }) = &self.standing.refused {
            let (same_start, reason) = (*same_start, reason.clone());
            let what = match same_start {
                true => "searching the position before it",
                false => "it was to begin elsewhere, so nothing can be searched",
            };
            self.say(&Answer::message(format!("Error: position refused ({reason}): {what}")))?;
            if !same_start {
                return Ok(None);
            }
        }
        // It was playable when it came, and rules say nothing on that.
        Ok(self.standing.text.game_as_asked(self.rules()).ok().map(|(game, _)| game))
    }

    /// As [`game_to_search`](Engine::game_to_search), for a search that plays: it needs both kings.
    pub(super) fn game_with_kings(&mut self) -> io::Result<Option<Game>> {
        let Some(game) = self.game_to_search()? else { return Ok(None) };
        let Some(side) = Color::ALL.into_iter().find(|&side| lacks_king(&game, side)) else {
            return Ok(Some(game));
        };
        self.say(&Answer::message(format!(
            "Error: position: {side} has no king, so no game can be played from it; go mate looks for a mate"
        )))?;
        Ok(None)
    }

    /// As [`game_to_search`](Engine::game_to_search), for a search for a mate: it needs the king to be mated.
    pub(super) fn game_to_mate(&mut self) -> io::Result<Option<Game>> {
        let game = self.game_to_search()?;
        if let Some(game) = &game
            && let side = game.position().side_to_move().opponent()
            && lacks_king(game, side)
        {
            self.say(&Answer::message(format!(
                "Error: position: {side}, who is to be mated, has no king"
            )))?;
        }
        Ok(game)
    }
}

fn lacks_king(game: &Game, side: Color) -> bool {
    game.position().king(side).is_none()
}

fn first_position(start: &Start) -> Option<Position> {
    match start {
        Start::Startpos => Some(Position::startpos()),
        Start::Sfen(sfen) => Position::from_sfen(sfen).ok().map(|(position, _)| position),
    }
}
