//! The games of `tests/corpus`, through every format.

use keiko_formats::{Ending, Record, RecordFormat, RecordReason};
use keiko_shogi::{EndReason, parse_position};

use crate::support::{read, read_all};

/// The recorded games with their ends, and those without.
fn games() -> Vec<Record> {
    let ended = include_str!("../../../../tests/corpus/games/games.tsv");
    let open = include_str!("../../../../tests/corpus/games/replay-only.tsv");
    let rows = |text: &'static str| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split('\t').collect::<Vec<_>>())
    };
    let mut games = Vec::new();
    for row in rows(ended) {
        let [_, result, termination, _, sfen, moves] = row.as_slice() else { panic!("{row:?}") };
        let mut record = record(&format!("sfen {sfen} moves {moves}"));
        let reason = match *termination {
            "resign" => EndReason::Resignation,
            "declaration" => EndReason::NyugyokuDeclaration,
            _ => record.game().end().unwrap().reason,
        };
        let outcome = Some(result.parse().unwrap());
        record.ending = Some(Ending { reason: RecordReason::Known(reason), outcome });
        games.push(record);
    }
    for row in rows(open) {
        games.push(record(&format!("startpos moves {}", row[2])));
    }
    games
}

fn record(text: &str) -> Record {
    let (start, number, moves) = parse_position(text).unwrap();
    let mut record = Record::new(start, number);
    for mv in moves {
        assert_eq!(record.push(mv), Ok(None));
    }
    record
}

#[test]
fn each_game_comes_back_from_each_format() {
    let games = games();
    assert!(games.len() > 300);
    for record in &games {
        for format in [RecordFormat::Csa, RecordFormat::Csa3, RecordFormat::Kif, RecordFormat::Usi]
        {
            assert_eq!(format.losses(record).len(), 0);
            let text = format.write(record);
            assert_eq!(read(&text, format), *record, "{format}\n{text}");
        }
    }
}

#[test]
fn many_games_in_a_file() {
    let games = games();
    for format in [RecordFormat::Csa, RecordFormat::Csa3, RecordFormat::Usi] {
        let texts: Vec<String> = games.iter().map(|game| format.write(game)).collect();
        let found = read_all(texts.join(format.separator()).as_bytes(), format).unwrap();
        assert!(found == games, "{format}");
    }
}
