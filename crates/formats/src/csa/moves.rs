//! Moves: `+7776FU`, the side, origin (`00` in the hand), target, and what stands there then.

use keiko_shogi::{IllegalKind, Move, PieceKind, Position};

use super::pieces;

/// Reads a move. The inner error is a move that is plainly one but that no pieces allow.
///
/// # Errors
///
/// What is wrong with the text.
pub(crate) fn parse_move(
    text: &str,
    position: &Position,
) -> Result<Result<Move, IllegalKind>, &'static str> {
    let malformed = "not a move such as +7776FU";
    let color = text.bytes().next().and_then(pieces::color).ok_or(malformed)?;
    let origin = text.get(1..3).ok_or(malformed)?;
    let target = text.get(3..5).ok_or(malformed)?;
    let name = text.get(5..).ok_or(malformed)?;
    let to = pieces::square(target).ok_or("the target is no square")?;
    let kind = pieces::kind(name).ok_or("unknown piece")?;
    if origin == "00" {
        if !PieceKind::HAND.contains(&kind) {
            let king = kind == PieceKind::King;
            let foul = if king { IllegalKind::ImpossibleMove } else { IllegalKind::PromotedDrop };
            return Ok(Err(foul));
        }
        let drop = Move::drop(kind, to);
        let in_turn = color == position.side_to_move();
        return Ok(if in_turn { Ok(drop) } else { Err(IllegalKind::OutOfTurn) });
    }
    let from = pieces::square(origin).ok_or("the origin is no square")?;
    if from == to {
        return Ok(Err(IllegalKind::ImpossibleMove));
    }
    let Some(piece) = position.piece_at(from) else { return Ok(Err(IllegalKind::ImpossibleMove)) };
    if piece.color != color {
        return Err("the piece on the origin is the other side's");
    }
    if piece.kind == kind {
        Ok(Ok(Move::normal(from, to)))
    } else if piece.kind.promoted() == Some(kind) {
        Ok(Ok(Move::promotion(from, to)))
    } else {
        Err("another piece stands on the origin")
    }
}

/// The text of a move that the pieces of `position` allow.
pub(crate) fn move_text(mv: Move, position: &Position) -> String {
    let to = pieces::square_text(mv.to());
    let Some(from) = mv.from() else {
        let name = pieces::name(mv.dropped().unwrap_or(PieceKind::Pawn));
        return format!("{}00{to}{name}", pieces::sign(position.side_to_move()));
    };
    // A move out of turn is that of the piece's side.
    let piece = position.piece_at(from);
    let color = piece.map_or(position.side_to_move(), |piece| piece.color);
    let kind = piece.map_or(PieceKind::Pawn, |piece| piece.kind);
    let kind = if mv.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
    format!("{}{}{to}{}", pieces::sign(color), pieces::square_text(from), pieces::name(kind))
}
