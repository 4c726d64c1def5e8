//! Moves in 16 bits as YaneuraOu has them: bits 0-6 the target, bits 7-13 the origin or the number of the dropped kind
//! from 1 (pawn, lance, knight, silver, bishop, rook, gold), bit 14 a drop, bit 15 a promotion.

use keiko_shogi::{Move, PieceKind, Square};

const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;

pub(super) fn to_bits(mv: Move) -> u16 {
    let origin = match (mv.from(), mv.dropped()) {
        (Some(from), _) => (from.index() as u16) << 7,
        (None, Some(kind)) => DROP | (kind.index() as u16 + 1) << 7,
        (None, None) => 0,
    };
    let promotion = if mv.is_promotion() { PROMOTION } else { 0 };
    promotion | origin | mv.to().index() as u16
}

pub(super) fn from_bits(bits: u16) -> Option<Move> {
    let to = Square::from_index((bits & 127) as u8)?;
    let origin = bits >> 7 & 127;
    if bits & DROP != 0 {
        let kind = *PieceKind::HAND.get(usize::from(origin.checked_sub(1)?))?;
        return (bits & PROMOTION == 0).then(|| Move::drop(kind, to));
    }
    let from = Square::from_index(origin as u8).filter(|&from| from != to)?;
    Some(if bits & PROMOTION == 0 { Move::normal(from, to) } else { Move::promotion(from, to) })
}
