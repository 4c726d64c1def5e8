//! Reading SFEN text.

use super::SfenError;
use crate::{Color, Piece, PieceKind, Position, Setup, Square};

impl Position {
    /// Reads SFEN text: placement, side to move, hands, and the move number (1 if it is missing).
    ///
    /// The hands may come in any order, with repeated letters; space around fields does not
    /// matter. Either king may be missing. Set-ups that no game reaches are refused: two
    /// unpromoted pawns of one side on a file, a piece that could never move, a check on the side
    /// that has just moved.
    ///
    /// # Errors
    /// What is wrong with the text or with the position it describes.
    pub fn from_sfen(text: &str) -> Result<(Position, u32), SfenError> {
        let (setup, move_number) = read(text)?;
        Ok((setup.position()?, move_number))
    }

    /// As [`from_sfen`](Position::from_sfen), but takes set-ups that no game reaches, as composed
    /// problems and tests of rules use them.
    ///
    /// # Errors
    /// What is wrong with the text, or with the number of pieces.
    pub fn from_problem_sfen(text: &str) -> Result<(Position, u32), SfenError> {
        let (setup, move_number) = read(text)?;
        Ok((setup.problem()?, move_number))
    }
}

/// The pieces and the move number.
fn read(text: &str) -> Result<(Setup, u32), SfenError> {
    let mut fields = text.split_ascii_whitespace();
    let placement = fields.next().ok_or(SfenError::MissingField("placement"))?;
    let side = fields.next().ok_or(SfenError::MissingField("side to move"))?;
    let hands = fields.next().ok_or(SfenError::MissingField("hands"))?;
    let number = fields.next();
    if let Some(rest) = fields.next() {
        return Err(SfenError::TrailingText(rest.to_owned()));
    }
    let mut setup = Setup::EMPTY;
    read_placement(placement, &mut setup)?;
    setup.side_to_move = match side {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(SfenError::SideToMove(other.to_owned())),
    };
    read_hands(hands, &mut setup)?;
    Ok((setup, number.map_or(Ok(1), read_move_number)?))
}

fn read_placement(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::RankCount(ranks));
    }
    for (rank0, text) in (0..9u8).zip(text.split('/')) {
        let rank = char::from(b'a' + rank0);
        let mut squares = 0usize;
        let mut promoted = false;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|&digit| digit > 0) {
                if promoted {
                    return Err(SfenError::BadPromotion { rank, found: letter.to_string() });
                }
                squares += empty as usize;
                continue;
            }
            if letter == '+' {
                if promoted {
                    return Err(SfenError::BadPromotion { rank, found: letter.to_string() });
                }
                promoted = true;
                continue;
            }
            let piece = read_piece(letter).ok_or(SfenError::UnknownPiece { rank, letter })?;
            let kind = match piece.kind.promoted() {
                Some(kind) if promoted => kind,
                None if promoted => {
                    return Err(SfenError::BadPromotion { rank, found: letter.to_string() });
                }
                _ => piece.kind,
            };
            promoted = false;
            if squares < 9 {
                let square = Square::new(8 - squares as u8, rank0);
                setup.board[square.index()] = Some(Piece::new(piece.color, kind));
            }
            squares += 1;
        }
        if promoted {
            return Err(SfenError::BadPromotion { rank, found: String::new() });
        }
        if squares != 9 {
            return Err(SfenError::RankLength { rank, squares });
        }
    }
    Ok(())
}

/// The unpromoted piece with this letter.
fn read_piece(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Some(Piece::new(color, PieceKind::from_letter(letter.to_ascii_uppercase())?))
}

fn read_hands(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let mut count = String::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            count.push(letter);
            continue;
        }
        let piece = read_piece(letter)
            .filter(|piece| piece.kind != PieceKind::King)
            .ok_or(SfenError::UnknownHandPiece(letter))?;
        let number = match count.as_str() {
            "" => 1,
            text => text
                .parse::<u32>()
                .ok()
                .filter(|number| (1..=18).contains(number))
                .ok_or_else(|| SfenError::HandCount(text.to_owned()))?,
        };
        count.clear();
        setup.hold(piece.color, piece.kind, number);
    }
    if count.is_empty() { Ok(()) } else { Err(SfenError::HandCount(count)) }
}

fn read_move_number(text: &str) -> Result<u32, SfenError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|&number: &u32| digits && number > 0)
        .ok_or_else(|| SfenError::MoveNumber(text.to_owned()))
}
