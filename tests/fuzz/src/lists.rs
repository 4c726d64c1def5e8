//! Lists of lines: openings, books, games.

use keiko_arena::gate::Verdict;
use keiko_formats::{GameLine, Opening};
use keiko_shogi::Position;
use keiko_usi::book::Book;

use super::memory;

/// Reads `data` as an opening list.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn openings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = memory::within(text.len(), 1000, || Opening::parse_all(text));
    let Ok(openings) = read else { return };
    let written = Opening::write_all(&openings);
    let again = Opening::parse_all(&written).expect("a list of ours");
    assert_eq!(again.len(), openings.len());
    for (again, opening) in again.iter().zip(&openings) {
        assert_eq!(again, &Opening { line: again.line, ..opening.clone() }, "{written}");
        assert_eq!(again.position(), opening.position());
    }
}

/// Reads `data` as a book of either kind.
///
/// # Panics
/// Where a move of the book is not legal, a move of a list is not in it, or reading takes more memory than the text
/// explains.
pub fn book(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(book) = memory::within(text.len(), 1000, || Book::parse(&text)) else { return };
    let mut positions: Vec<Position> = Vec::new();
    if let Ok(openings) = Opening::parse_all(&text) {
        for opening in openings {
            let mut position = opening.start.clone();
            for mv in opening.moves {
                positions.push(position.clone());
                position.do_move(mv);
            }
        }
        assert!(positions.iter().all(|position| book.best(position).is_some()), "{text}");
    } else {
        let starts = text.lines().filter_map(|line| line.trim().strip_prefix("sfen "));
        positions.extend(
            starts.filter_map(|sfen| Position::from_sfen(sfen.trim()).ok()).map(|found| found.0),
        );
    }
    assert!(book.positions() <= positions.len(), "{text}");
    for (position, random) in positions.iter().zip((0..).step_by(7919)) {
        let found = [book.best(position), book.by_chance(position, random)];
        assert_eq!(found[0].is_some(), found[1].is_some());
        for known in found.into_iter().flatten() {
            assert!(position.is_legal(known.mv) && known.count > 0, "{known:?} in {text}");
        }
    }
}

/// Reads `data` as game lines.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn game_line(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read = memory::within(text.len(), 1000, || GameLine::parse_all(text));
    let Ok(games) = read else { return };
    for game in games {
        let line = game.to_string();
        assert_eq!(GameLine::parse(&line), Ok(game), "{line:?}");
        assert!(!line.contains(['\n', '\r']), "{line:?}");
    }
}

/// Reads `data` as the verdict of a gate.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn verdict(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(read) = memory::within(text.len(), 1000, || Verdict::from_toml(text)) else { return };
    let written = read.to_toml();
    let again = Verdict::from_toml(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    // The text, as a number that is none equals nothing.
    assert_eq!(again.to_toml(), written);
}
