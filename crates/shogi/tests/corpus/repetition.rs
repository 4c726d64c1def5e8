//! Repetition and perpetual check.

use keiko_shogi::{EndReason, Game, Move, Outcome, Position, Rules};

use crate::rows::rows;

/// A game from an SFEN and moves, and the end it reached after each of them, first at the start.
pub(crate) fn replay(sfen: &str, moves: &str) -> (Game, Vec<Option<(Outcome, EndReason)>>) {
    let (position, number) = Position::from_problem_sfen(sfen).unwrap();
    let mut game = Game::new(position, number, Rules::STANDARD);
    let ended = |game: &Game| game.end().map(|end| (end.outcome, end.reason));
    let mut ends = vec![ended(&game)];
    for text in moves.split_whitespace() {
        game.play(text.parse::<Move>().unwrap());
        ends.push(ended(&game));
    }
    (game, ends)
}

/// What a row of the table calls the result of a repetition.
pub(crate) fn expected_end(result: &str) -> Option<(Outcome, EndReason)> {
    match result {
        "none" => None,
        "draw" => Some((Outcome::Draw, EndReason::Sennichite)),
        winner => Some((winner.parse().unwrap(), EndReason::PerpetualCheck)),
    }
}

#[test]
fn games_end_at_the_right_ply() {
    for row in rows("repetition.tsv") {
        let [name, sfen, moves, ply, result, _] = row.as_slice() else { panic!("{row:?}") };
        let ply: usize = ply.parse().unwrap();
        let (_, ends) = replay(sfen, moves);
        assert_eq!(ends[ply], expected_end(result), "{name}");
        assert!(ends[..ply].iter().all(Option::is_none), "{name} ends early: {ends:?}");
    }
}

#[test]
fn taking_back_and_replaying_changes_nothing() {
    for row in rows("repetition.tsv") {
        let (mut game, ends) = replay(&row[1], &row[2]);
        let moves = game.moves().to_vec();
        let before = game.repetition();
        for _ in &moves {
            game.undo();
        }
        assert_eq!(game.repetition().occurrences, 1, "{}", row[0]);
        for (&mv, &end) in moves.iter().zip(&ends[1..]) {
            game.play(mv);
            assert_eq!(game.end().map(|end| (end.outcome, end.reason)), end, "{}", row[0]);
        }
        assert_eq!(game.repetition(), before);
    }
}
