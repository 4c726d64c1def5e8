//! Games that were really played, as random ones seldom go.

use std::path::Path;

use keiko_shogi::{Game, Move, MoveList, Rules, parse_position};

/// The column of the moves, and that of the start if there is one, of a table of games.
fn games(table: &str, start: Option<usize>, moves: usize) -> Vec<Game> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/games").join(table);
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        let start =
            start.map_or("startpos".to_owned(), |column| format!("sfen {}", columns[column]));
        let (start, number, moves) =
            parse_position(&format!("{start} moves {}", columns[moves])).unwrap();
        let mut game = Game::new(start, number, Rules::STANDARD);
        moves.into_iter().for_each(|mv| game.play(mv));
        game
    })
    .collect()
}

/// Takes the game back move by move and looks at every position.
fn check(mut game: Game) {
    loop {
        let before = game.position().clone();
        assert_eq!(before.key(), before.key_from_scratch());
        assert_eq!(before.checkers(), before.checkers_from_scratch());
        let mut moves = MoveList::new();
        before.legal_moves(&mut moves);
        let mut listed = moves.to_vec();
        listed.sort();
        let accepted: Vec<Move> = Move::all().filter(|&mv| before.is_legal(mv)).collect();
        assert_eq!(listed, accepted, "{before:?}");
        let mut played = before.clone();
        for mv in moves {
            let undo = played.do_move(mv);
            assert_eq!(played.key(), played.key_from_scratch(), "{mv} in {before:?}");
            assert_eq!(played.checkers(), played.checkers_from_scratch(), "{mv} in {before:?}");
            played.undo_move(mv, undo);
            assert_eq!(played, before, "{mv}");
        }
        let Some(&last) = game.moves().last() else { break };
        game.undo();
        let mut again = game.clone();
        again.play(last);
        assert_eq!(*again.position(), before);
    }
    assert_eq!(game.position(), game.start());
}

#[test]
fn laws_hold_in_the_games_of_the_corpus() {
    games("games.tsv", Some(4), 5).into_iter().for_each(check);
}

#[test]
fn laws_hold_in_the_replayed_games() {
    games("replay-only.tsv", None, 2).into_iter().step_by(8).for_each(check);
}
