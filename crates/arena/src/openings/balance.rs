use keiko_shogi::{Color, Position, Square};

use crate::worth::worth;

/// Whether neither side can win something at once; see [`OpeningSettings::Random`](super::OpeningSettings).
pub(super) fn is_quiet(position: &Position) -> bool {
    !position.in_check()
        && position.mate_in_one().is_none()
        && position.occupied().iter().all(|square| !hangs(position, square))
}

/// By how much Black's pieces are worth more than White's, in pawns.
pub(super) fn material(position: &Position) -> i64 {
    let board = position.occupied().iter().filter_map(|square| position.piece_at(square));
    let board: i64 = board.map(|piece| signed(piece.color, worth(piece.kind))).sum();
    let hand = |color: Color| -> i64 {
        let pieces = position.hand(color).iter();
        pieces.map(|(kind, count)| signed(color, worth(kind) * u32::from(count))).sum()
    };
    board + hand(Color::Black) + hand(Color::White)
}

fn signed(color: Color, worth: u32) -> i64 {
    if color == Color::Black { worth.into() } else { -i64::from(worth) }
}

/// Whether the piece on `square` can be captured for nothing, or by a piece worth less. Pins are not looked at.
fn hangs(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let cheapest = |color: Color| {
        let of = |from: Square| position.piece_at(from).map_or(0, |piece| worth(piece.kind));
        position.attackers_to(square, color).iter().map(of).min()
    };
    match (cheapest(piece.color.opponent()), cheapest(piece.color)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(attacker), Some(_)) => attacker < worth(piece.kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(sfen: &str) -> bool {
        is_quiet(&Position::from_sfen(sfen).unwrap().0)
    }

    #[test]
    fn gifts_and_bad_exchanges_are_not_quiet() {
        assert!(is_quiet(&Position::startpos()));
        // A rook attacks a pawn: undefended, then defended by a gold.
        assert!(!quiet("k8/9/9/9/4r4/9/4P4/9/8K b - 1"));
        assert!(quiet("k8/9/9/9/4r4/9/4P4/4G4/8K b - 1"));
        // A pawn attacks a defended gold, whoever is to move.
        assert!(!quiet("k8/9/9/4p4/4G4/4G4/9/9/8K b - 1"));
        assert!(!quiet("k8/9/9/4p4/4G4/4G4/9/9/8K w - 1"));
        // Bishops face each other, both defended.
        assert!(quiet("k8/2g6/2b6/9/9/9/6B2/5G3/8K b - 1"));
    }

    #[test]
    fn material_counts_the_board_and_the_hands() {
        assert_eq!(material(&Position::startpos()), 0);
        let of = |sfen: &str| material(&Position::from_sfen(sfen).unwrap().0);
        assert_eq!(of("k8/9/9/9/4r4/9/4P4/9/8K b - 1"), -9);
        assert_eq!(of("k8/9/9/9/9/9/9/9/8K w B2p 1"), 7);
    }

    #[test]
    fn checks_and_mates_are_not_quiet() {
        assert!(!quiet("4k4/9/9/9/4R4/4G4/9/9/8K w - 1"));
        assert!(!quiet("8k/9/8P/8G/9/9/9/9/8K b G 1"));
    }
}
