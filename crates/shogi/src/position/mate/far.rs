//! Mates from afar.

use super::chances::is_met_from_two_away;
use super::{Arrivals, MateSearch};
use crate::attacks;
use crate::attacks::direction::line_through;
use crate::{Bitboard, Move, PieceKind, Square};

/// Kinds that may be put between from hand wherever there is room.
const SHIELDS: [PieceKind; 4] =
    [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook];

/// From where sliders away from the king may mate.
struct Checks {
    diagonal: Bitboard,
    straight: Bitboard,
    dragon: Bitboard,
}

impl MateSearch<'_> {
    /// Mates by a piece that arrives away from the king. It attacks next to nothing around the
    /// king, which has no more flights than that.
    #[inline]
    pub(super) fn far(&self) -> Option<Move> {
        let flights = self.net.opening;
        if flights.squares.is_empty()
            && let Some(mv) = self.jump_drops().or_else(|| self.jumps())
        {
            return Some(mv);
        }
        let hand = self.position.hand(!self.position.side_to_move);
        if SHIELDS.into_iter().any(|kind| hand.has(kind)) {
            return None;
        }
        let checks = self.checks()?;
        let arrivals = self.arrivals();
        self.slide_drops(&checks, &arrivals).or_else(|| self.slides(&checks, &arrivals))
    }

    fn jump_drops(&self) -> Option<Move> {
        let us = self.position.side_to_move;
        let to = attacks::knight(!us, self.net.king) - self.position.occupied();
        if to.is_empty()
            || !self.net.plain.squares.is_empty()
            || !self.position.hand(us).has(PieceKind::Knight)
        {
            return None;
        }
        let mut to = (to & self.arrivals().drops).iter();
        to.find(|&to| self.mates(None, to, PieceKind::Knight))
            .map(|to| Move::drop(PieceKind::Knight, to))
    }

    fn jumps(&self) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let own_knights = position.pieces_of(us, PieceKind::Knight);
        for to in attacks::knight(!us, self.net.king) - position.pieces(us) {
            for from in own_knights & attacks::knight(!us, to) {
                let arrivals = self.arrivals();
                if self.net.flights_without(from).squares.is_empty()
                    && arrivals.moves.contains(to)
                    && self.may_go(from, to, &arrivals)
                    && self.mates(Some(from), to, PieceKind::Knight)
                {
                    return Some(Move::normal(from, to));
                }
            }
        }
        None
    }

    /// A slider attacks only flights on its line to the king, unless it is a dragon two squares
    /// away.
    #[inline]
    fn checks(&self) -> Option<Checks> {
        let position = self.position;
        let us = position.side_to_move;
        let king = self.net.king;
        let flights = self.net.opening;
        let mut line = Bitboard::FULL;
        if let Some(flight) = flights.squares.first() {
            line = line_through(king, flight);
            if !(flights.squares - line).is_empty() {
                line = Bitboard::EMPTY;
            }
        }
        let rooks = position.straight_sliders(us);
        let two_away = is_met_from_two_away(flights.ring) && !rooks.is_empty();
        if line.is_empty() && !two_away {
            return None;
        }
        let occupied = position.occupied();
        let far = Bitboard::FULL - attacks::king(king);
        let diagonal = attacks::bishop(king, occupied) & far & line;
        let visible = attacks::rook(king, occupied) & far;
        let straight = visible & line;
        let mut dragon = straight;
        if two_away {
            let covers = |&to: &Square| {
                (flights.squares - attacks::king(to) - line_through(king, to)).is_empty()
            };
            dragon |= visible.iter().filter(covers).collect();
        }
        Some(Checks { diagonal, straight, dragon })
    }

    fn slide_drops(&self, checks: &Checks, arrivals: &Arrivals) -> Option<Move> {
        let us = self.position.side_to_move;
        let hand = self.position.hand(us);
        let lance = checks.straight & attacks::lance_rays(!us, self.net.king);
        let drops = [
            (PieceKind::Lance, lance),
            (PieceKind::Bishop, checks.diagonal),
            (PieceKind::Rook, checks.straight),
        ];
        for (kind, squares) in drops {
            let to = squares & arrivals.drops;
            if to.is_empty() || !hand.has(kind) {
                continue;
            }
            let mates = |&to: &Square| self.mates_when_played(Move::drop(kind, to));
            if let Some(to) = to.iter().find(mates) {
                return Some(Move::drop(kind, to));
            }
        }
        None
    }

    fn slides(&self, checks: &Checks, arrivals: &Arrivals) -> Option<Move> {
        let position = self.position;
        let us = position.side_to_move;
        let file = attacks::lance_rays(!us, self.net.king);
        let mut sliders = position.pieces_of(us, PieceKind::Lance) & file;
        if !checks.diagonal.is_empty() {
            sliders |= position.diagonal_sliders(us);
        }
        if !checks.dragon.is_empty() {
            sliders |= position.straight_sliders(us);
        }
        for from in sliders - self.net.unmasking {
            let Some(piece) = position.piece_at(from) else { continue };
            let (plain, promoted) = match piece.kind {
                PieceKind::Lance => (checks.straight & file, Bitboard::EMPTY),
                PieceKind::Bishop => (checks.diagonal, checks.diagonal),
                PieceKind::Horse => (checks.diagonal, Bitboard::EMPTY),
                PieceKind::Rook => (checks.straight, checks.dragon),
                _ => (checks.dragon, Bitboard::EMPTY),
            };
            let to = self.targets(piece.kind, from, arrivals) & (plain | promoted);
            for to in to {
                let promotes = from.is_in_zone(us) || to.is_in_zone(us);
                let promotion = Move::promotion(from, to);
                if promotes && promoted.contains(to) && self.mates_when_played(promotion) {
                    return Some(promotion);
                }
                let mv = Move::normal(from, to);
                if plain.contains(to) && self.mates_when_played(mv) {
                    return Some(mv);
                }
            }
        }
        None
    }
}
