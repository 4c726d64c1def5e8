//! Start positions: `PI`, `P1` to `P9`, `P+` and `P-`, and the side to move.

use std::fmt::Write as _;

use keiko_shogi::{Color, Handicap, Piece, PieceKind, Position, Setup, Square};

use super::pieces;
use crate::record::RecordError;

/// Reads a line that begins with `P` into `setup`.
pub(super) fn read(line: &str, setup: &mut Option<Setup>) -> Result<(), RecordError> {
    let rest = line.get(2..).unwrap_or_default();
    match line.as_bytes().get(1) {
        Some(b'I') => remove(rest, setup.insert(Setup::from(&Position::startpos()))),
        Some(rank @ b'1'..=b'9') => read_rank(rest, rank - b'1', setup.get_or_insert(Setup::EMPTY)),
        Some(b'+') => add(rest, Color::Black, setup.get_or_insert(Setup::EMPTY)),
        Some(b'-') => add(rest, Color::White, setup.get_or_insert(Setup::EMPTY)),
        _ => Err(RecordError::expected("PI, P1 to P9, P+ or P-", line)),
    }
}

/// Takes pieces of the even start away: `82HI22KA`.
fn remove(text: &str, setup: &mut Setup) -> Result<(), RecordError> {
    let wrong = || RecordError::expected("squares with the pieces there, as in PI82HI22KA", text);
    for (square, name) in squares(text).ok_or_else(wrong)? {
        let square = pieces::square(square).ok_or_else(wrong)?;
        let kind = pieces::kind(name).ok_or_else(wrong)?;
        let piece = setup.board[square.index()].take();
        if piece.is_none_or(|piece| piece.kind != kind) {
            return Err(wrong());
        }
    }
    Ok(())
}

/// Puts pieces of a side: `2726FU00KI`, or all that are left into its hand: `00AL`.
fn add(text: &str, color: Color, setup: &mut Setup) -> Result<(), RecordError> {
    let wrong = || RecordError::expected("squares with pieces, as in P+27FU00KI", text);
    for (square, name) in squares(text).ok_or_else(wrong)? {
        if (square, name) == ("00", "AL") {
            setup.hold_rest(color);
            continue;
        }
        let kind = pieces::kind(name).ok_or_else(wrong)?;
        if square == "00" {
            if !setup.hold(color, kind, 1) {
                return Err(wrong());
            }
            continue;
        }
        let square = pieces::square(square).ok_or_else(wrong)?;
        let before = setup.board[square.index()].replace(Piece::new(color, kind));
        if before.is_some() {
            return Err(RecordError::expected("an empty square", text));
        }
    }
    Ok(())
}

/// Pieces of text of four characters each: square and piece.
fn squares(text: &str) -> Option<Vec<(&str, &str)>> {
    let text = text.trim_end();
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return None;
    }
    Some((0..text.len()).step_by(4).map(|at| (&text[at..at + 2], &text[at + 2..at + 4])).collect())
}

/// Reads nine squares from file 9 on: ` * ` or `+FU`. Mail programs have been seen to take out spaces.
fn read_rank(text: &str, rank: u8, setup: &mut Setup) -> Result<(), RecordError> {
    let wrong = || RecordError::expected("nine squares, each ` * ` or as `+FU`", text);
    let mut rest = text;
    for file in (0..9).rev() {
        rest = rest.trim_start();
        let piece = match rest.strip_prefix('*') {
            Some(after) => {
                rest = after;
                None
            }
            None => {
                let color = rest.bytes().next().and_then(pieces::color).ok_or_else(wrong)?;
                let kind = rest.get(1..3).and_then(pieces::kind).ok_or_else(wrong)?;
                rest = rest.get(3..).unwrap_or_default();
                Some(Piece::new(color, kind))
            }
        };
        setup.board[Square::new(file, rank).index()] = piece;
    }
    if rest.trim().is_empty() { Ok(()) } else { Err(wrong()) }
}

/// The lines of a start position, the side to move included.
pub(super) fn text(position: &Position) -> String {
    let side = pieces::sign(position.side_to_move());
    if *position == Position::startpos() {
        return format!("PI\n{side}\n");
    }
    if let Some(handicap) = Handicap::of_position(position)
        && position.hand(Color::White).is_empty()
    {
        return format!("PI{}\n{side}\n", given(handicap));
    }
    let mut text = String::new();
    for rank in 0..9 {
        let _ = write!(text, "P{}", rank + 1);
        for file in (0..9).rev() {
            match position.piece_at(Square::new(file, rank)) {
                Some(Piece { color, kind }) => {
                    let _ = write!(text, "{}{}", pieces::sign(color), pieces::name(kind));
                }
                None => text.push_str(" * "),
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        let hand = position.hand(color);
        if hand.is_empty() {
            continue;
        }
        let _ = write!(text, "P{}", pieces::sign(color));
        for kind in PieceKind::HAND.into_iter().rev() {
            for _ in 0..hand.count(kind) {
                let _ = write!(text, "00{}", pieces::name(kind));
            }
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{side}");
    text
}

/// The pieces that a handicap takes away, with their squares.
fn given(handicap: Handicap) -> String {
    let (even, start) = (Position::startpos(), handicap.position());
    let missing = Square::all().rev().filter(|&square| start.piece_at(square).is_none());
    missing
        .filter_map(|square| Some((square, even.piece_at(square)?)))
        .map(|(square, piece)| {
            format!("{}{}", pieces::square_text(square), pieces::name(piece.kind))
        })
        .collect()
}
