//! Where the positions come from.
//!
//! Run with `UPDATE_GOLDEN=1` to write them anew.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

use std::path::Path;

use keiko_bench::{Inputs, SEARCHES, WORKS, Work, random_games};
use keiko_shogi::{Game, Position, Rules, parse_position};

/// Positions of each set.
const POSITIONS: usize = 500;

/// Most legal moves in a position of a game that is taken in; some of the corpus are problems.
const MOST_MOVES: u32 = 250;

fn most_moves(game: &Game) -> u32 {
    let mut position = game.start().clone();
    let mut most = 0;
    for &mv in game.moves() {
        most = most.max(position.count_legal_moves());
        position.do_move(mv);
    }
    most
}

/// The SFENs of all positions of a game that have a move.
fn sfens(game: &Game) -> Vec<String> {
    let mut again = Game::new(game.start().clone(), game.start_move_number(), *game.rules());
    game.moves()
        .iter()
        .map(|&mv| {
            let sfen = again.sfen();
            again.play(mv);
            sfen
        })
        .collect()
}

/// As many positions as a set has, evenly over all of them.
fn spread(all: &[String], title: &str) -> String {
    let picked = (0..POSITIONS).map(|i| all[i * all.len() / POSITIONS].as_str());
    std::iter::once(title).chain(picked).map(|line| format!("{line}\n")).collect()
}

/// Of the games of the corpus from the even start with 60 plies or more and not too full hands.
fn of_games(root: &Path) -> String {
    let table = std::fs::read_to_string(root.join("tests/corpus/games/games.tsv")).unwrap();
    let mut all = Vec::new();
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let (sfen, moves) = (columns[4], columns[5]);
        if sfen != Position::startpos().to_sfen(1) || columns[3].parse::<u32>().unwrap() < 60 {
            continue;
        }
        let (start, number, moves) = parse_position(&format!("startpos moves {moves}")).unwrap();
        let mut game = Game::new(start, number, Rules::STANDARD);
        moves.into_iter().for_each(|mv| game.play(mv));
        if most_moves(&game) <= MOST_MOVES {
            all.extend(sfens(&game));
        }
    }
    spread(&all, "# Positions of played games.")
}

/// Of games of random moves.
fn of_random_games() -> String {
    let mut all = Vec::new();
    for random in random_games(60, 1) {
        let mut game = Game::startpos(Rules::STANDARD);
        random.moves.into_iter().for_each(|mv| game.play(mv));
        all.extend(sfens(&game));
    }
    spread(&all, "# Positions of games of random moves.")
}

#[test]
fn positions_are_those_of_their_games() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, expected) in [("games", of_games(&root)), ("random", of_random_games())] {
        let path = root.join(format!("data/bench/{name}.sfen"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &expected).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "{}", path.display());
    }
}

#[test]
fn work_gives_what_it_must() {
    let mut inputs = Inputs::new();
    assert_eq!(inputs.positions.len(), 2 * POSITIONS);
    let mut wrong = Vec::new();
    let quick = |work: &&Work| !work.name.starts_with("perft") || work.result < 1_000_000;
    for work in WORKS.iter().filter(quick).chain(&SEARCHES) {
        let result = work.run(&mut inputs).result;
        if result != work.result {
            wrong.push(format!("{}: {result}, expected {}", work.name, work.result));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
