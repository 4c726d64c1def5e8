//! Reading SFEN text.

use super::SfenError;
use crate::{Bitboard, Color, Hand, Piece, PieceKind, Position, Square};

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
        let (position, move_number) = Position::from_problem_sfen(text)?;
        position.check_placement()?;
        Ok((position, move_number))
    }

    /// As [`from_sfen`](Position::from_sfen), but takes set-ups that no game reaches, as composed
    /// problems and tests of rules use them.
    ///
    /// # Errors
    /// What is wrong with the text, or with the number of pieces.
    pub fn from_problem_sfen(text: &str) -> Result<(Position, u32), SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let placement = fields.next().ok_or(SfenError::MissingField("placement"))?;
        let side = fields.next().ok_or(SfenError::MissingField("side to move"))?;
        let hands = fields.next().ok_or(SfenError::MissingField("hands"))?;
        let number = fields.next();
        if let Some(rest) = fields.next() {
            return Err(SfenError::TrailingText(rest.to_owned()));
        }
        let board = read_placement(placement)?;
        let side_to_move = match side {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::SideToMove(other.to_owned())),
        };
        let hand_counts = read_hands(hands)?;
        let move_number = number.map_or(Ok(1), read_move_number)?;
        check_set(&board, &hand_counts)?;

        let mut position = Position::empty(side_to_move);
        for (square, piece) in Square::all().zip(board) {
            if let Some(piece) = piece {
                position.put(square, piece);
            }
        }
        for color in Color::ALL {
            *position.hand_mut(color) = packed(&hand_counts[color.index()]);
        }
        position.refresh_checkers();
        Ok((position, move_number))
    }

    /// Refuses double pawns, dead ends, and a check on the side that just moved.
    fn check_placement(&self) -> Result<(), SfenError> {
        for color in Color::ALL {
            let pawns = self.pieces_of(color, PieceKind::Pawn);
            for file in 0..9 {
                if (pawns & Bitboard::file(file)).is_many() {
                    return Err(SfenError::Nifu { color, file: file + 1 });
                }
            }
            for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
                let dead = Bitboard::far_ranks(color, kind.dead_ranks());
                if let Some(square) = (self.pieces_of(color, kind) & dead).first() {
                    return Err(SfenError::DeadEnd { color, kind, square });
                }
            }
        }
        self.check_settled()
    }
}

type Board = [Option<Piece>; Square::COUNT];

fn read_placement(text: &str) -> Result<Board, SfenError> {
    let ranks = text.split('/').count();
    if ranks != 9 {
        return Err(SfenError::RankCount(ranks));
    }
    let mut board = [None; Square::COUNT];
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
                board[square.index()] = Some(Piece::new(piece.color, kind));
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
    Ok(board)
}

/// The unpromoted piece with this letter.
fn read_piece(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    Some(Piece::new(color, PieceKind::from_letter(letter.to_ascii_uppercase())?))
}

type Counts = [u32; 7];

fn read_hands(text: &str) -> Result<[Counts; 2], SfenError> {
    let mut hands = [[0; 7]; 2];
    if text == "-" {
        return Ok(hands);
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
        let held: &mut u32 = &mut hands[piece.color.index()][piece.kind.index()];
        *held = held.saturating_add(number);
    }
    if count.is_empty() { Ok(hands) } else { Err(SfenError::HandCount(count)) }
}

fn read_move_number(text: &str) -> Result<u32, SfenError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|&number: &u32| digits && number > 0)
        .ok_or_else(|| SfenError::MoveNumber(text.to_owned()))
}

/// Refuses more pieces than a set has.
fn check_set(board: &Board, hands: &[Counts; 2]) -> Result<(), SfenError> {
    let on_board = || board.iter().flatten();
    for color in Color::ALL {
        if on_board().filter(|&&piece| piece == Piece::new(color, PieceKind::King)).count() > 1 {
            return Err(SfenError::TwoKings(color));
        }
    }
    for kind in PieceKind::HAND {
        let placed = on_board().filter(|piece| piece.kind.unpromoted() == kind).count() as u32;
        let held: u32 = hands.iter().map(|counts| counts[kind.index()]).sum();
        let (count, in_set) = (placed + held, kind.in_set());
        if count > in_set {
            return Err(SfenError::TooManyPieces { kind, count, in_set });
        }
    }
    Ok(())
}

fn packed(counts: &Counts) -> Hand {
    let mut hand = Hand::EMPTY;
    for kind in PieceKind::HAND {
        for _ in 0..counts[kind.index()] {
            hand.add(kind);
        }
    }
    hand
}
