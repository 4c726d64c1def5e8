use std::fmt::{self, Display, Formatter};

use keiko_shogi::{Game, Handicap, Move, Position, Rules, SfenError};
use thiserror::Error;

/// Where a game starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The ordinary opening position.
    Startpos,
    /// A position as SFEN text: board, side to move, hands and possibly a move number. Not checked yet.
    Sfen(String),
}

/// The words after `position`: a start and the moves played since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionText {
    /// The start.
    pub start: Start,
    /// The moves, readable but not known to be legal.
    pub moves: Vec<Move>,
}

/// Why a `position` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Nothing follows the word `position`.
    #[error("no start position")]
    NoStart,
    /// The start has words too many or too few.
    #[error("unexpected {word:?} after the start position")]
    Unexpected {
        /// The first word that does not belong there.
        word: String,
    },
    /// The SFEN is wrong.
    #[error("sfen: {0}")]
    Sfen(#[from] SfenError),
    /// A word of the move list is not a move.
    #[error("move {number} ({text:?}) is not a move")]
    Unreadable {
        /// Place in the list, from 1.
        number: usize,
        /// The word.
        text: String,
    },
    /// A move of the list is illegal where it stands.
    #[error("move {number} ({mv}) is illegal")]
    Illegal {
        /// Place in the list, from 1.
        number: usize,
        /// The move.
        mv: Move,
    },
}

/// Words that records put at the end of a move list.
const LIST_ENDS: [&str; 5] = ["resign", "win", "rep_inf", "rep_draw", "none"];

impl PositionText {
    /// The opening position with the given moves.
    pub fn startpos(moves: Vec<Move>) -> PositionText {
        PositionText { start: Start::Startpos, moves }
    }

    /// The whole of `game`: its start and all moves, so that repetitions can be seen.
    pub fn of(game: &Game) -> PositionText {
        let ordinary = *game.start() == Position::startpos() && game.start_move_number() == 1;
        let start = if ordinary { Start::Startpos } else { Start::Sfen(game.start_sfen()) };
        PositionText { start, moves: game.moves().to_vec() }
    }

    /// Reads `startpos [moves ..]` or `[sfen] <board> <turn> <hand> [<number>] [moves ..]`. The move list ends at a
    /// word such as `resign`.
    ///
    /// # Errors
    /// Says which word does not fit. Legality is checked by [`PositionText::game`].
    pub fn parse(text: &str) -> Result<PositionText, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (start, rest) = match words.split_first() {
            None => return Err(PositionError::NoStart),
            Some((&"startpos", rest)) => (Start::Startpos, rest),
            Some((&"sfen", rest)) => read_sfen(rest)?,
            Some((first, _)) if first.contains('/') => read_sfen(&words)?,
            Some((&first, _)) => return Err(PositionError::Unexpected { word: first.to_owned() }),
        };
        let moves = match rest.split_first() {
            None => Vec::new(),
            Some((&"moves", moves)) => read_moves(moves)?,
            Some((&word, _)) => return Err(PositionError::Unexpected { word: word.to_owned() }),
        };
        Ok(PositionText { start, moves })
    }

    /// Where `text` means to begin, whatever follows; `None` if it does not say.
    pub fn start_of(text: &str) -> Option<Start> {
        let words: Vec<&str> = text.split_whitespace().take(SFEN_WORDS + 1).collect();
        match words.split_first()? {
            (&"startpos", _) => Some(Start::Startpos),
            (&"sfen", rest) => Some(read_sfen(rest).ok()?.0),
            (first, _) if first.contains('/') => Some(read_sfen(&words).ok()?.0),
            _ => None,
        }
    }

    /// Plays the moves under `rules`. A start that is a handicap's makes it a game of that handicap, as the protocol has
    /// no other word for it.
    ///
    /// # Errors
    /// The SFEN is wrong or a move is illegal.
    pub fn game(&self, rules: Rules) -> Result<Game, PositionError> {
        match self.game_as_asked(rules)? {
            (game, None) => Ok(game),
            (_, Some(error)) => Err(error),
        }
    }

    /// As [`game`](PositionText::game), but plays on from where an illegal move leads, as whoever sent it has, if the pieces
    /// allow that move and the position then is one that can arise. Also gives the first such move; the game begins after
    /// the last.
    ///
    /// # Errors
    /// The SFEN is wrong, or an illegal move leads nowhere.
    pub fn game_as_asked(
        &self,
        rules: Rules,
    ) -> Result<(Game, Option<PositionError>), PositionError> {
        let mut game = match &self.start {
            Start::Startpos => Game::startpos(rules),
            Start::Sfen(sfen) => {
                let (position, number) = Position::from_sfen(sfen)?;
                let handicap = rules.handicap.or_else(|| Handicap::of_position(&position));
                Game::new(position, number, Rules { handicap, ..rules })
            }
        };
        let mut foul = None;
        for (index, &mv) in self.moves.iter().enumerate() {
            if game.position().is_legal(mv) {
                game.play(mv);
                continue;
            }
            let error = PositionError::Illegal { number: index + 1, mv };
            if game.play_any(mv).is_err() {
                return Err(error);
            }
            let Ok((position, number)) = Position::from_sfen(&game.sfen()) else {
                return Err(error);
            };
            game = Game::new(position, number, *game.rules());
            foul = foul.or(Some(error));
        }
        Ok((game, foul))
    }
}

/// The words `sfen`, board, turn, hand and number.
const SFEN_WORDS: usize = 5;

/// Takes board, turn, hand and, unless `moves` comes first, the number.
fn read_sfen<'a, 'w>(words: &'w [&'a str]) -> Result<(Start, &'w [&'a str]), PositionError> {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let length = match end {
        3 => 3,
        0..3 => return Err(PositionError::NoStart),
        _ if words[3].parse::<u32>().is_ok() => 4,
        _ => return Err(PositionError::Unexpected { word: words[3].to_owned() }),
    };
    // Some programs write 0 for "no number".
    let written = if words.get(3) == Some(&"0") { 3 } else { length };
    Ok((Start::Sfen(words[..written].join(" ")), &words[length..]))
}

fn read_moves(words: &[&str]) -> Result<Vec<Move>, PositionError> {
    words
        .iter()
        .take_while(|word| !LIST_ENDS.contains(word))
        .enumerate()
        .map(|(index, &word)| {
            word.parse()
                .map_err(|_| PositionError::Unreadable { number: index + 1, text: word.to_owned() })
        })
        .collect()
}

impl Display for PositionText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Startpos => f.write_str("startpos")?,
            Start::Sfen(sfen) => write!(f, "sfen {sfen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
            for mv in &self.moves {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

    #[test]
    fn the_start_position_needs_no_moves() {
        for text in ["startpos", "startpos moves", " startpos  moves "] {
            assert_eq!(PositionText::parse(text), Ok(PositionText::startpos(Vec::new())));
        }
    }

    #[test]
    fn the_move_number_may_be_missing_and_so_may_the_word_sfen() {
        for text in [
            format!("sfen {SFEN}"),
            format!("sfen {SFEN} 1"),
            format!("sfen {SFEN} 0 moves"),
            SFEN.to_owned(),
            format!("{SFEN} 1 moves"),
        ] {
            let position = PositionText::parse(&text).unwrap();
            assert!(matches!(position.start, Start::Sfen(_)), "{text}");
            assert!(position.moves.is_empty(), "{text}");
        }
        let position = PositionText::parse(&format!("sfen {SFEN} moves 7g7f 3c3d")).unwrap();
        assert_eq!(position.moves.len(), 2);
    }

    #[test]
    fn a_move_number_of_zero_is_no_number() {
        let position = PositionText::parse(&format!("sfen {SFEN} 0 moves 7g7f")).unwrap();
        assert_eq!(position.start, Start::Sfen(SFEN.to_owned()));
        assert_eq!(position.game(Rules::STANDARD).unwrap().start_move_number(), 1);
    }

    #[test]
    fn a_game_is_played_to_its_last_move_and_illegal_moves_are_named() {
        let text = format!("sfen {SFEN} 51 moves 7g7f 3c3d 8h2b+ 3a2b");
        let position = PositionText::parse(&text).unwrap();
        assert_eq!(position.to_string(), text);
        let game = position.game(Rules::STANDARD).unwrap();
        assert_eq!(PositionText::of(&game).to_string(), text);
        let start = PositionText::startpos(Vec::new());
        assert_eq!(PositionText::of(&start.game(Rules::STANDARD).unwrap()), start);
        assert_eq!((game.ply(), game.start_move_number()), (4, 51));
        for (text, number) in [("7g7f 3c3d 8h3d", 3), ("7g7e", 1), ("3c3d", 1), ("P*5e", 1)] {
            let position = PositionText::parse(&format!("startpos moves {text}")).unwrap();
            let error = position.game(Rules::STANDARD).unwrap_err();
            assert!(matches!(error, PositionError::Illegal { number: n, .. } if n == number));
        }
        let underscores = "ln1gkg2l/2s4s1/9/9/9/9/9/9/LN2KG+r1L_b_BPsn3p_1 b - 1";
        let position = PositionText::parse(underscores).unwrap();
        assert!(matches!(position.game(Rules::STANDARD), Err(PositionError::Sfen(_))));
    }

    #[test]
    fn an_illegal_move_that_the_pieces_allow_leads_somewhere() {
        let asked = |text: &str| PositionText::parse(text).unwrap().game_as_asked(Rules::STANDARD);
        // A turn is missing.
        let (game, foul) = asked("startpos moves 7g7f 2g2f 3c3d").unwrap();
        assert!(matches!(foul, Some(PositionError::Illegal { number: 2, .. })), "{foul:?}");
        let sfen = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 4";
        assert_eq!(game.position().to_sfen(4), sfen);
        // Two pawns of one side on a file: no position of shogi.
        assert!(asked("sfen 4k4/9/9/9/9/9/4P4/9/4K4 b P 1 moves P*5f").is_err());
        // The king left in check could be taken next: no position of shogi.
        assert!(asked("sfen 4r3k/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h").is_err());
        assert!(asked("startpos moves 7g7f 7g7f").is_err());
        assert!(asked("startpos moves 7g7f 3c3d").unwrap().1.is_none());
    }

    #[test]
    fn where_a_text_begins_is_known_even_where_it_is_wrong() {
        for text in ["startpos", "startpos moves 7g7e", "startpos x"] {
            assert_eq!(PositionText::start_of(text), Some(Start::Startpos), "{text}");
        }
        for text in [format!("sfen {SFEN} 1 moves x"), format!("{SFEN} moves x")] {
            assert!(matches!(PositionText::start_of(&text), Some(Start::Sfen(_))), "{text}");
        }
        for text in ["", "sfen", "sfen sfen", "moves 7g7f"] {
            assert_eq!(PositionText::start_of(text), None, "{text}");
        }
    }

    #[test]
    fn any_other_word_in_place_of_moves_is_an_error() {
        for text in [
            format!("sfen {SFEN} 1 foo 7g7f"),
            format!("sfen {SFEN} foo 7g7f"),
            "startpos 7g7f".to_owned(),
            "startpos move 7g7f".to_owned(),
            "nowhere".to_owned(),
        ] {
            assert!(
                matches!(PositionText::parse(&text), Err(PositionError::Unexpected { .. })),
                "{text}"
            );
        }
        for text in ["", "sfen", "sfen sfen", "sfen moves 7g7f", "9/9 b"] {
            assert!(PositionText::parse(text).is_err(), "{text}");
        }
        let bad = PositionText::parse("startpos moves 7g7f abc");
        assert_eq!(bad, Err(PositionError::Unreadable { number: 2, text: "abc".to_owned() }));
    }

    #[test]
    fn a_move_list_ends_at_a_word_for_the_end() {
        let position = PositionText::parse("startpos moves 7g7f resign").unwrap();
        assert_eq!(position.moves.len(), 1);
    }

    #[test]
    fn the_start_of_a_handicap_makes_a_handicap_game() {
        for handicap in Handicap::ALL {
            let text = format!("sfen {} moves 5a4b", handicap.sfen());
            let game = PositionText::parse(&text).unwrap().game(Rules::STANDARD).unwrap();
            assert_eq!(game.rules().handicap, Some(handicap));
        }
        let even = PositionText::parse("startpos moves 7g7f").unwrap();
        assert_eq!(even.game(Rules::STANDARD).unwrap().rules().handicap, None);
    }
}
