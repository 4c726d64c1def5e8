//! Known bugs of other programs, one test each: `bug-log.md` gives symptom and source by number.

mod ending;
mod legal;
mod notation;

use keiko_shogi::{Move, MoveList, Position};

/// The position of an SFEN.
fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap().0
}

/// The move of a USI text.
fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// All legal moves as USI text, sorted.
fn legal(position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

/// Whether a move is legal, by both ways to ask.
fn allows(sfen: &str, text: &str) -> bool {
    let position = position(sfen);
    let allowed = position.is_legal(mv(text));
    assert_eq!(legal(&position).contains(&text.to_owned()), allowed, "{sfen} {text}");
    allowed
}
