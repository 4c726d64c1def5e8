//! Diagrams of start positions.

use std::fmt::Write as _;

use keiko_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

use super::names;
use crate::record::RecordError;

/// Reads a rank, `v香v桂 ・ ・ ・ ・ ・ ・ ・|一`, the `row`th from 0.
pub(super) fn read_rank(text: &str, row: u8, setup: &mut Setup) -> Result<(), RecordError> {
    let wrong =
        || RecordError::expected("nine squares, each ` ・`, ` 歩` or `v歩`, and a bar", text);
    let mut chars = text.chars();
    for file in (0..9).rev() {
        let color = match chars.next().ok_or_else(wrong)? {
            ' ' | '^' => Color::Black,
            'v' | 'V' => Color::White,
            _ => return Err(wrong()),
        };
        let piece = match chars.next().ok_or_else(wrong)? {
            '・' | '･' => None,
            name => Some(Piece::new(color, names::kind(name).ok_or_else(wrong)?)),
        };
        setup.board[Square::new(file, row).index()] = piece;
    }
    if chars.next() != Some('|') {
        return Err(wrong());
    }
    let named = chars.next().and_then(names::digit);
    if named.is_some_and(|rank| rank != row + 1) {
        return Err(RecordError::expected("the ranks in order", text));
    }
    Ok(())
}

/// Reads a hand: `飛　角　金　銀二　歩十一`, or `なし`. Spaces may be of either width, or missing.
pub(super) fn read_hand(text: &str, color: Color, setup: &mut Setup) -> Result<(), RecordError> {
    let wrong = || RecordError::expected("pieces with their numbers, such as `飛　金二`", text);
    let mut rest = text.trim();
    if rest == "なし" {
        return Ok(());
    }
    while let Some(name) = rest.chars().next() {
        let kind = names::kind(name).ok_or_else(wrong)?;
        let after = &rest[name.len_utf8()..];
        let end = after
            .find(|c: char| c.is_whitespace() || names::kind(c).is_some())
            .unwrap_or(after.len());
        let count = names::count(&after[..end]).ok_or_else(wrong)?;
        if !setup.hold(color, kind, count) {
            return Err(wrong());
        }
        rest = after[end..].trim_start();
    }
    Ok(())
}

/// The diagram with hands and side to move.
pub(super) fn text(position: &Position, move_number: u32) -> String {
    let mut text = String::new();
    hand(&mut text, position, Color::White);
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            match position.piece_at(Square::new(file, rank)) {
                Some(Piece { color, kind }) => {
                    text.push(if color == Color::White { 'v' } else { ' ' });
                    text.push(names::piece(kind));
                }
                None => text.push_str(" ・"),
            }
        }
        let _ = writeln!(text, "|{}", names::rank(rank));
    }
    text.push_str("+---------------------------+\n");
    hand(&mut text, position, Color::Black);
    let _ = writeln!(text, "{}番", names::side(position.side_to_move(), false));
    if move_number != 1 {
        let _ = writeln!(text, "手数＝{}", move_number.saturating_sub(1));
    }
    text
}

fn hand(text: &mut String, position: &Position, color: Color) {
    let _ = write!(text, "{}の持駒：", names::side(color, false));
    let hand = position.hand(color);
    if hand.is_empty() {
        text.push_str("なし");
    }
    for kind in PieceKind::HAND_WRITTEN.into_iter().filter(|&kind| hand.has(kind)) {
        let _ = write!(text, "{}{}　", names::piece(kind), names::count_text(hand.count(kind)));
    }
    text.push('\n');
}
