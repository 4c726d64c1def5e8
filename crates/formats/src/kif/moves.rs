//! Moves: `７六歩(77)`, `同　角成(88)`, `５五歩打`, with the time taken: `( 0:16/00:00:16)`.

use keiko_shogi::{IllegalKind, Move, PieceKind, Position, Square};

use super::names;
use crate::text::{digits, seconds};

/// Reads a move; `last` is the target of the one before. The inner error is a move that is plainly one but
/// that no pieces allow. Gives what follows it, too.
///
/// # Errors
///
/// What is wrong with the text.
pub(super) fn parse<'a>(
    text: &'a str,
    position: &Position,
    last: Option<Square>,
) -> Result<(Result<Move, IllegalKind>, &'a str), &'static str> {
    let text = text.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']);
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (last.ok_or("同 without a move before")?, rest.trim_start()),
        None => target(text).ok_or("not a move such as ７六歩(77), nor the word of an end")?,
    };
    let (kind, rest) = names::leading_piece(rest).ok_or("unknown piece")?;
    let rest = rest.trim_start_matches('　');
    if let Some(rest) = rest.strip_prefix('打') {
        let mv = match kind {
            PieceKind::King => Err(IllegalKind::ImpossibleMove),
            kind if kind.is_promoted() => Err(IllegalKind::PromotedDrop),
            kind => Ok(Move::drop(kind, to)),
        };
        return Ok((mv, rest));
    }
    let (promotes, rest) = match rest.strip_prefix("不成") {
        Some(rest) => (false, rest),
        None => (rest.starts_with('成'), rest.strip_prefix('成').unwrap_or(rest)),
    };
    let (from, rest) = origin(rest).ok_or("no origin such as (77), and no drop (打)")?;
    if from == to {
        return Ok((Err(IllegalKind::ImpossibleMove), rest));
    }
    let mv = match position.piece_at(from) {
        None => Err(IllegalKind::ImpossibleMove),
        Some(piece) if piece.kind != kind => return Err("another piece stands on the origin"),
        Some(_) if promotes => Ok(Move::promotion(from, to)),
        Some(_) => Ok(Move::normal(from, to)),
    };
    Ok((mv, rest))
}

fn target(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = names::digit(chars.next()?)?;
    let rank = names::digit(chars.next()?)?;
    Some((Square::new(file - 1, rank - 1), chars.as_str()))
}

fn origin(text: &str) -> Option<(Square, &str)> {
    let rest = text.trim_start().strip_prefix('(')?;
    let (square, rest) = rest.split_once(')')?;
    let (square, end) = target(square)?;
    end.is_empty().then_some((square, rest))
}

/// The time in what follows a move, in milliseconds: `( 0:16/00:00:16)`, the first of both. `None` without
/// one; the sign of a variation (`+`) may follow.
///
/// # Errors
///
/// Something else follows.
pub(super) fn time(text: &str) -> Result<Option<u64>, &'static str> {
    const WRONG: &str = "what follows is no time such as ( 0:16/00:00:16)";
    let text = text.trim().trim_end_matches('+').trim_end();
    if text.is_empty() {
        return Ok(None);
    }
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or(WRONG)?;
    let taken = inside.split('/').next().unwrap_or_default().trim();
    let mut fields = taken.rsplit(':').map(str::trim);
    let ms = fields.next().and_then(seconds).ok_or(WRONG)?;
    let (mut total, mut unit) = (ms, 60_000u64);
    for field in fields {
        let value = digits::<u64>(field).and_then(|n| n.checked_mul(unit)).ok_or(WRONG)?;
        total = total.checked_add(value).ok_or(WRONG)?;
        unit = unit.checked_mul(60).ok_or(WRONG)?;
    }
    Ok(Some(total))
}

/// The text of a move that the pieces of `position` allow.
pub(super) fn text(mv: Move, position: &Position, last: Option<Square>) -> String {
    let to = match last {
        Some(square) if square == mv.to() => "同　".to_owned(),
        _ => names::square_text(mv.to()),
    };
    let Some(from) = mv.from() else {
        return format!("{to}{}打", names::piece(mv.dropped().unwrap_or(PieceKind::Pawn)));
    };
    let kind = position.piece_at(from).map_or(PieceKind::Pawn, |piece| piece.kind);
    let promotes = if mv.is_promotion() { "成" } else { "" };
    format!("{to}{}{promotes}({}{})", names::piece(kind), from.file() + 1, from.rank() + 1)
}
