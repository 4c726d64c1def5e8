//! Mates from beside the king.

use super::ring::Ring;
use super::{Arrivals, MateSearch};
use crate::attacks;
use crate::{Move, PieceKind};

impl MateSearch<'_> {
    /// Mates by a piece that arrives beside the king.
    #[inline]
    pub(super) fn near(&self) -> Option<Move> {
        if self.net.opening.near.is_empty() {
            return None;
        }
        let arrivals = self.arrivals();
        self.near_drops(&arrivals).or_else(|| self.near_moves(&arrivals))
    }

    fn near_drops(&self, arrivals: &Arrivals) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let chances = self.net.plain.near.on(Ring::new(king, arrivals.drops & attacks::king(king)));
        if chances.is_empty() {
            return None;
        }
        let hand = position.hand(us);
        for kind in PieceKind::HAND {
            if kind == PieceKind::Pawn || !hand.has(kind) {
                continue;
            }
            for (to, _) in chances.of(kind).iter(king) {
                if self.mates(None, to, kind) {
                    return Some(Move::drop(kind, to));
                }
            }
        }
        None
    }

    fn near_moves(&self, arrivals: &Arrivals) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let around = Ring::new(king, arrivals.moves & attacks::king(king));
        for (to, ring) in self.net.opening.near.on(around).squares().iter(king) {
            let attackers = position.attackers_to(to, us);
            // The king takes what no second piece holds.
            if !attackers.is_many() && (position.snipers(to, us) - attackers).is_empty() {
                continue;
            }
            for from in attackers - position.kind(PieceKind::King) {
                let Some(piece) = position.piece_at(from) else { continue };
                let chances = self.net.flights_without(from).near;
                let may = |kind| chances.of(kind).meets(ring);
                let promoted = piece
                    .kind
                    .promoted()
                    .filter(|&kind| may(kind) && (from.is_in_zone(us) || to.is_in_zone(us)));
                let plain = may(piece.kind) && !piece.kind.is_dead_end(us, to);
                if promoted.is_none() && !plain || !self.may_go(from, to, arrivals) {
                    continue;
                }
                if promoted.is_some_and(|kind| self.mates(Some(from), to, kind)) {
                    return Some(Move::promotion(from, to));
                }
                if plain && self.mates(Some(from), to, piece.kind) {
                    return Some(Move::normal(from, to));
                }
            }
        }
        None
    }
}
