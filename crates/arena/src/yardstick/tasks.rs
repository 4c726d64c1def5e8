use keiko_shogi::{Move, MoveList, PieceKind, Position};

use crate::worth::worth;

/// Whether a legal move mates.
pub(super) fn mates(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.do_move(mv);
    after.in_check() && !after.has_legal_move()
}

/// Whether a legal move takes a hanging piece: one worth more than a pawn and no less than the piece that takes it, on a
/// square to which the opponent has no legal move afterwards.
pub(super) fn takes_for_nothing(position: &Position, mv: Move) -> bool {
    let Some(taken) = position.piece_at(mv.to()).map(|piece| worth(piece.kind)) else {
        return false;
    };
    let taker = mv.from().and_then(|from| position.piece_at(from)).map(|piece| piece.kind);
    let risk = taker.filter(|&kind| kind != PieceKind::King).map_or(0, worth);
    if taken <= worth(PieceKind::Pawn) || risk > taken {
        return false;
    }
    let mut after = position.clone();
    after.do_move(mv);
    let mut replies = MoveList::new();
    after.legal_moves(&mut replies);
    replies.iter().all(|reply| reply.to() != mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(sfen: &str, rule: fn(&Position, Move) -> bool) -> Vec<String> {
        let position = Position::from_sfen(sfen).unwrap().0;
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        moves.iter().filter(|mv| rule(&position, **mv)).map(ToString::to_string).collect()
    }

    #[test]
    fn every_mating_move_counts() {
        assert_eq!(right("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", mates), ["G*5b"]);
        assert_eq!(right("4k4/9/9/9/9/9/9/9/4K4 b G 1", mates), Vec::<String>::new());
    }

    #[test]
    fn what_is_defended_or_cheap_or_taken_by_something_dear_does_not_hang() {
        let takes = |sfen| right(sfen, takes_for_nothing);
        // A silver takes a free gold.
        assert_eq!(takes("k8/9/9/9/4g4/4S4/9/9/8K b - 1"), ["5f5e"]);
        // The gold is defended by a pawn.
        assert!(takes("k8/9/9/4p4/4g4/4S4/9/9/8K b - 1").is_empty());
        // A silver defends the gold, until a lance pins it.
        assert!(takes("4k4/9/5n3/9/4s4/3g5/3S5/9/1K7 b - 1").is_empty());
        assert_eq!(takes("4k4/9/5n3/9/4s4/3g5/3S5/9/1K2L4 b - 1"), ["6g6f"]);
        // A free pawn is too little, and a gold is not worth a rook's trip.
        assert!(takes("k8/9/9/9/4p4/4S4/9/9/8K b - 1").is_empty());
        assert!(takes("k8/9/9/9/4g4/4R4/9/9/8K b - 1").is_empty());
        // The king may take whatever is free.
        assert_eq!(takes("k8/9/9/9/9/9/9/7l1/8K b - 1"), ["1i2h"]);
    }
}
