//! Positions given as a start and moves, as in USI's `position` command.

use thiserror::Error;

use crate::{IllegalKind, Move, ParseMoveError, Position, SfenError};

/// Why a text is not a position with moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParsePositionError {
    /// It starts with neither `startpos` nor `sfen`.
    #[error("expected `startpos` or `sfen`, found {0:?}")]
    UnknownStart(String),
    /// The SFEN is wrong.
    #[error("bad sfen: {0}")]
    Sfen(#[from] SfenError),
    /// Something else than `moves` follows the start.
    #[error("expected `moves`, found {0:?}")]
    ExpectedMoves(String),
    /// A move is not in USI notation.
    #[error("move {number}: {error}")]
    BadMove {
        /// Number of the move in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// A move is illegal.
    #[error("move {number}, {mv}, is illegal: {kind}")]
    IllegalMove {
        /// Number of the move in the list, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// Why it is illegal.
        kind: IllegalKind,
    },
}

/// Reads `[position] startpos|sfen <sfen> [moves <move>..]`: the start position, its move number,
/// and the moves, each checked to be legal in its turn.
///
/// Composed problems are welcome: a king may be missing, and two pawns of a side may stand on one
/// file. But the side that has just moved must not be in check.
///
/// # Errors
/// What is wrong with the text; for an illegal move, which one and why.
pub fn parse_position(text: &str) -> Result<(Position, u32, Vec<Move>), ParsePositionError> {
    let mut words = text.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let (start, move_number) = match words.next() {
        Some("startpos") => (Position::startpos(), 1),
        Some("sfen") => {
            let mut fields = Vec::new();
            while let Some(word) = words.next_if(|&word| word != "moves" && fields.len() < 4) {
                // The move number may be missing, the rest may not.
                if fields.len() == 3 && !word.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(ParsePositionError::ExpectedMoves(word.to_owned()));
                }
                fields.push(word);
            }
            let (start, move_number) = Position::from_problem_sfen(&fields.join(" "))?;
            start.check_settled()?;
            (start, move_number)
        }
        other => {
            return Err(ParsePositionError::UnknownStart(other.unwrap_or_default().to_owned()));
        }
    };
    match words.next() {
        None | Some("moves") => {}
        Some(other) => return Err(ParsePositionError::ExpectedMoves(other.to_owned())),
    }
    let moves = legal_sequence(&start, words)?;
    Ok((start, move_number, moves))
}

fn legal_sequence<'a>(
    start: &Position,
    words: impl Iterator<Item = &'a str>,
) -> Result<Vec<Move>, ParsePositionError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for (word, number) in words.zip(1..) {
        let mv: Move =
            word.parse().map_err(|error| ParsePositionError::BadMove { number, error })?;
        position.classify(mv).map_err(|kind| ParsePositionError::IllegalMove {
            number,
            mv,
            kind,
        })?;
        position.do_move(mv);
        moves.push(mv);
    }
    Ok(moves)
}
