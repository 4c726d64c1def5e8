//! The listed moves are exactly the legal ones.

use keiko_shogi::{Bitboard, Color, Move, MoveList, PieceKind, Position, attacks};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;
use crate::random_problem::random_problem;

/// Whether `color` could capture on the square of its enemy's king, found by trying every piece.
fn king_is_attacked(position: &Position, king_of: Color) -> bool {
    let Some(king) = position.king(king_of) else { return false };
    position.pieces(!king_of).iter().any(|from| {
        let piece = position.piece_at(from).unwrap();
        attacks(piece.kind, piece.color, from, position.occupied()).contains(king)
    })
}

/// Legality by the words of the rules: the move is played and the result looked at.
fn is_legal_by_playing(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let to = mv.to();
    let kind = match (mv.from(), mv.dropped()) {
        (Some(from), _) => {
            let Some(piece) = position.piece_at(from).filter(|piece| piece.color == us) else {
                return false;
            };
            let reaches = attacks(piece.kind, us, from, position.occupied()).contains(to);
            let taken = position.pieces(us).contains(to) || position.king(!us) == Some(to);
            if !reaches || taken {
                return false;
            }
            if mv.is_promotion() {
                let zone = from.is_in_zone(us) || to.is_in_zone(us);
                match piece.kind.promoted().filter(|_| zone) {
                    Some(kind) => kind,
                    None => return false,
                }
            } else {
                piece.kind
            }
        }
        (None, Some(kind)) => {
            let file = Bitboard::file(to.file()) & position.pieces_of(us, PieceKind::Pawn);
            let nifu = kind == PieceKind::Pawn && !file.is_empty();
            if position.hand(us).count(kind) == 0 || position.occupied().contains(to) || nifu {
                return false;
            }
            kind
        }
        (None, None) => return false,
    };
    let ahead = attacks(kind, us, to, Bitboard::EMPTY);
    if ahead.is_empty() {
        return false;
    }
    let mut after = position.clone();
    after.do_any_move(mv);
    if king_is_attacked(&after, us) {
        return false;
    }
    let drop_check = mv.dropped() == Some(PieceKind::Pawn)
        && position.king(!us).is_some_and(|king| ahead.contains(king));
    !drop_check || Move::all().any(|reply| is_legal_reply(&after, reply))
}

/// Legality of an answer to a dropped pawn, where drops never help: the pawn is adjacent.
fn is_legal_reply(position: &Position, mv: Move) -> bool {
    mv.dropped().is_none() && is_legal_by_playing(position, mv)
}

fn check_generation(position: &Position) -> Result<(), TestCaseError> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut listed = moves.to_vec();
    listed.sort();
    prop_assert!(listed.windows(2).all(|pair| pair[0] != pair[1]), "{:?}", position);
    let accepted: Vec<Move> = Move::all().filter(|&mv| position.is_legal(mv)).collect();
    prop_assert_eq!(&listed, &accepted, "{:?}", position);
    let legal: Vec<Move> = Move::all().filter(|&mv| is_legal_by_playing(position, mv)).collect();
    prop_assert_eq!(&listed, &legal, "{:?}", position);
    prop_assert_eq!(position.count_legal_moves() as usize, listed.len());
    prop_assert_eq!(position.has_legal_move(), !listed.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn legal_moves_are_exactly_those_of_the_rules(game in random_game(250)) {
        check_generation(&game.last())?;
    }

    #[test]
    fn problems_agree(problem in random_problem()) {
        check_generation(&problem)?;
    }

    #[test]
    fn positions_of_a_game_agree(game in random_game(40)) {
        let mut result = Ok(());
        game.walk(|game, _| {
            if result.is_ok() {
                result = check_generation(game.position());
            }
        });
        result?;
    }
}
