//! Which squares beside a king a mating piece may arrive on, by what is left to the king.

use super::ring::{Ring, STEPS};
use crate::{Color, PieceKind};

/// For each of eight movers a [`Ring`] of the squares where it may mate.
#[derive(Clone, Copy)]
pub(super) struct Chances(u64);

/// Number of the mover that a kind is. Knights and kings never check from beside the king.
const fn mover(kind: PieceKind) -> Option<usize> {
    match kind {
        PieceKind::Pawn => Some(0),
        PieceKind::Lance => Some(1),
        PieceKind::Silver => Some(2),
        PieceKind::Bishop => Some(4),
        PieceKind::Rook => Some(5),
        PieceKind::Horse => Some(6),
        PieceKind::Dragon => Some(7),
        PieceKind::Knight | PieceKind::King => None,
        _ => Some(3),
    }
}

/// By side and by the flights that are left to the king: where each mover of the side gives check
/// from beside the king and attacks all flights, with lines taken to be free.
static CHANCES: [[u64; 256]; 2] = [chances(Color::Black), chances(Color::White)];

impl Chances {
    /// Of the side `us`, if the king is left `flights`.
    #[inline]
    pub(super) fn new(us: Color, flights: Ring) -> Chances {
        Chances(CHANCES[us.index()][usize::from(flights.0)])
    }

    /// Those on the squares of `ring`.
    #[inline]
    pub(super) fn on(self, ring: Ring) -> Chances {
        Chances(self.0 & (u64::from(ring.0) * 0x0101_0101_0101_0101))
    }

    /// All but those of a kind.
    #[inline]
    pub(super) fn without(self, kind: PieceKind) -> Chances {
        Chances(self.0 & !mover(kind).map_or(0, |mover| 0xff << (8 * mover)))
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Where a kind may mate.
    #[inline]
    pub(super) fn of(self, kind: PieceKind) -> Ring {
        Ring(mover(kind).map_or(0, |mover| (self.0 >> (8 * mover)) as u8))
    }

    /// Where any kind may mate.
    #[inline]
    pub(super) fn squares(self) -> Ring {
        let four = self.0 | self.0 >> 32;
        let two = four | four >> 16;
        Ring((two | two >> 8) as u8)
    }
}

const fn chances(us: Color) -> [u64; 256] {
    let mut table = [0; 256];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let Some(mover) = mover(PieceKind::ALL[kind]) else {
            kind += 1;
            continue;
        };
        let mut bit = 0;
        while bit < 8 {
            if let Some(covered) = covered(PieceKind::ALL[kind], us, STEPS[bit]) {
                let mut flights = 0;
                while flights < 256 {
                    if flights & !covered == 0 {
                        table[flights] |= 1 << (8 * mover + bit);
                    }
                    flights += 1;
                }
            }
            bit += 1;
        }
        kind += 1;
    }
    table
}

/// Whether a dragon two squares away from the king may attack all of `flights`, with lines taken to
/// be free.
#[inline]
pub(super) fn is_met_from_two_away(flights: Ring) -> bool {
    FROM_TWO_AWAY[usize::from(flights.0)]
}

static FROM_TWO_AWAY: [bool; 256] = {
    let mut table = [false; 256];
    let mut bit = 0;
    while bit < 8 {
        let (file, rank) = STEPS[bit];
        if let Some(covered) = covered(PieceKind::Dragon, Color::Black, (2 * file, 2 * rank)) {
            let mut flights = 0;
            while flights < 256 {
                table[flights] |= flights & !covered == 0;
                flights += 1;
            }
        }
        bit += 1;
    }
    table
};

/// The squares around the king that a piece so far from it attacks if all lines are free; `None` if
/// it does not attack the king.
const fn covered(kind: PieceKind, us: Color, from: (i8, i8)) -> Option<usize> {
    if !attacks(kind, us, (-from.0, -from.1)) {
        return None;
    }
    let (mut covered, mut bit) = (0, 0);
    while bit < 8 {
        let (file, rank) = STEPS[bit];
        if attacks(kind, us, (file - from.0, rank - from.1)) {
            covered |= 1 << bit;
        }
        bit += 1;
    }
    Some(covered)
}

/// Whether a piece attacks the square that lies so many files and ranks from its own, if the line to it is free.
const fn attacks(kind: PieceKind, us: Color, (file, rank): (i8, i8)) -> bool {
    let ahead = match us {
        Color::Black => -rank,
        Color::White => rank,
    };
    let beside = file.abs();
    let near = beside <= 1 && ahead.abs() <= 1 && (beside != 0 || ahead != 0);
    let straight = (beside == 0) != (ahead == 0);
    let diagonal = beside == ahead.abs() && beside != 0;
    match kind {
        PieceKind::Pawn => beside == 0 && ahead == 1,
        PieceKind::Lance => beside == 0 && ahead > 0,
        PieceKind::Knight => beside == 1 && ahead == 2,
        PieceKind::Silver => near && (ahead == 1 || diagonal),
        PieceKind::King => near,
        PieceKind::Bishop => diagonal,
        PieceKind::Rook => straight,
        PieceKind::Horse => diagonal || near,
        PieceKind::Dragon => straight || near,
        _ => near && (ahead == 1 || straight),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Square, attacks};

    #[test]
    fn a_chance_is_a_check_that_attacks_all_flights() {
        for king in Square::all() {
            let around = attacks::king(king);
            for bits in 0..1 << around.len() {
                let chosen = around.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                let flights = chosen.map(|(_, square)| square).collect();
                let ring = Ring::new(king, flights);
                for us in Color::ALL {
                    for kind in PieceKind::ALL {
                        let expected: Bitboard = around
                            .iter()
                            .filter(|&from| {
                                mover(kind).is_some_and(|_| {
                                    let attacked =
                                        attacks::attacks(kind, us, from, Bitboard::EMPTY);
                                    attacked.contains(king) && (flights - attacked).is_empty()
                                })
                            })
                            .collect();
                        let found = Chances::new(us, ring).on(Ring::new(king, around)).of(kind);
                        assert!(found == Ring::new(king, expected), "{kind:?} {king} {flights:?}");
                    }
                }
            }
        }
    }
}
