//! Training data of other programs, against their bytes and by law.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::io::{self, BufReader, ErrorKind, Read};

use keiko_formats::training::{
    EvaluatedPosition, GameReader, GameResult, GameSize, MAX_CANDIDATES, MAX_PLIES, PositionFormat,
    PositionReader, ResultReason, SearchedGame, SearchedPly, TrainingDataError,
};
use keiko_shogi::{Color, Move, MoveList, Outcome, Position};
use proptest::prelude::*;
use serde_json::Value;

use walk::walk;

#[path = "common/walk.rs"]
mod walk;

const HCPE: &[u8] = include_bytes!("../../../tests/golden/training/golden.hcpe");
const HCPE3: &[u8] = include_bytes!("../../../tests/golden/training/golden.hcpe3");
const PSV: &[u8] = include_bytes!("../../../tests/golden/training/golden.psv");

const FORMATS: [(PositionFormat, &[u8]); 2] =
    [(PositionFormat::Hcpe, HCPE), (PositionFormat::Psv, PSV)];

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn position(row: &Value) -> Position {
    Position::from_sfen(row["sfen"].as_str().unwrap()).unwrap().0
}

fn mv(value: &Value) -> Move {
    value.as_str().unwrap().parse().unwrap()
}

/// The golden positions as text has them.
fn golden_positions() -> Vec<EvaluatedPosition> {
    let rows = rows(include_str!("../../../tests/golden/training/records.jsonl"));
    let row = |row: &Value| EvaluatedPosition {
        position: position(row),
        move_number: Some(row["psv_gamePly"].as_u64().unwrap() as u16),
        score: row["eval"].as_i64().unwrap() as i16,
        best: (row["move"] != "none").then(|| mv(&row["move"])),
        result: GameResult {
            outcome: match row["result_absolute"].as_str().unwrap() {
                "black_win" => Outcome::BlackWins,
                "white_win" => Outcome::WhiteWins,
                _ => Outcome::Draw,
            },
            reason: None,
        },
    };
    rows.iter().map(row).collect()
}

/// The golden games as text has them.
fn golden_games() -> Vec<SearchedGame> {
    let ply = |row: &Value| SearchedPly {
        mv: mv(&row["selected"]),
        score: row["eval"].as_i64().unwrap() as i16,
        candidates: row["candidates"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (mv(&it["usi"]), it["visits"].as_u64().unwrap() as u16))
            .collect(),
    };
    let game = |row: &Value| {
        let result = row["result"].as_u64().unwrap();
        SearchedGame {
            start: Position::from_sfen(row["start_sfen"].as_str().unwrap()).unwrap().0,
            result: GameResult {
                outcome: [Outcome::Draw, Outcome::BlackWins, Outcome::WhiteWins]
                    [result as usize & 3],
                reason: match result & !3 {
                    4 => Some(ResultReason::Sennichite),
                    8 => Some(ResultReason::Declaration),
                    16 => Some(ResultReason::MaxPlies),
                    _ => None,
                },
            },
            opponent: [None, Some(Color::Black), Some(Color::White)]
                [row["opponent"].as_u64().unwrap() as usize],
            plies: row["moves"].as_array().unwrap().iter().map(ply).collect(),
        }
    };
    rows(include_str!("../../../tests/golden/training/hcpe3.jsonl")).iter().map(game).collect()
}

fn games(bytes: &[u8]) -> Result<Vec<SearchedGame>, TrainingDataError> {
    GameReader::new(bytes).collect()
}

/// The sizes of the games of a file that comes in pieces.
fn sizes(bytes: &[u8]) -> Result<Vec<GameSize>, TrainingDataError> {
    let mut source = BufReader::with_capacity(7, bytes);
    std::iter::from_fn(|| GameSize::skim(&mut source).transpose()).collect()
}

fn size(game: &SearchedGame) -> GameSize {
    let mut bytes = Vec::new();
    game.write(&mut bytes).unwrap();
    let searched = game.plies.iter().filter(|ply| !ply.candidates.is_empty());
    GameSize { bytes: bytes.len(), searched_plies: searched.count() as u16 }
}

fn positions(
    format: PositionFormat,
    bytes: &[u8],
) -> Result<Vec<EvaluatedPosition>, TrainingDataError> {
    PositionReader::new(format, bytes).collect()
}

#[test]
fn the_golden_positions() {
    let golden = golden_positions();
    assert_eq!(golden.len(), 20);
    for (format, bytes) in FORMATS {
        let mut written = Vec::new();
        golden.iter().for_each(|it| format.write(it, &mut written).unwrap());
        assert_eq!(written, bytes, "{format:?}");
        let known = |it: &EvaluatedPosition| EvaluatedPosition {
            move_number: it.move_number.filter(|_| format == PositionFormat::Psv),
            ..it.clone()
        };
        let expected: Vec<_> = golden.iter().map(known).collect();
        assert_eq!(positions(format, bytes).unwrap(), expected);
    }
}

#[test]
fn the_golden_games() {
    let golden = golden_games();
    assert_eq!((golden.len(), golden[1].opponent), (3, Some(Color::White)));
    let mut written = Vec::new();
    golden.iter().for_each(|game| game.write(&mut written).unwrap());
    assert_eq!(written, HCPE3);
    assert_eq!(games(HCPE3).unwrap(), golden);
    assert_eq!(sizes(HCPE3).unwrap(), golden.iter().map(size).collect::<Vec<_>>());
    assert_eq!(golden.iter().flat_map(|g| &g.plies).filter(|p| p.candidates.is_empty()).count(), 6);
}

#[test]
fn hcpe_takes_the_reasons_of_its_successors() {
    for (byte, reason) in [
        (0x06, ResultReason::Sennichite),
        (0x0a, ResultReason::Declaration),
        (0x12, ResultReason::MaxPlies),
    ] {
        let mut bytes = HCPE[..38].to_vec();
        bytes[36] = byte;
        let read = PositionFormat::Hcpe.read(&bytes).unwrap();
        assert_eq!(
            read.result,
            GameResult { outcome: Outcome::WhiteWins, reason: Some(reason) },
            "{byte}"
        );
        let mut again = Vec::new();
        PositionFormat::Hcpe.write(&read, &mut again).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn errors_say_where_and_what() {
    let changed = |bytes: &[u8], at: usize, with: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let said = |error: TrainingDataError| error.to_string();
    let of = |bytes: Vec<u8>| said(positions(PositionFormat::Hcpe, &bytes).unwrap_err());
    assert_eq!(of(HCPE[..37].to_vec()), "record 1, at byte 0: the data end in the middle of it");
    assert_eq!(
        of(changed(HCPE, 38 + 36, &[3])),
        "record 2, at byte 38: the result 0x03 is unknown"
    );
    assert_eq!(of(changed(HCPE, 36, &[0x0d])), "record 1, at byte 0: the result 0x0d is unknown");
    let illegal = of(changed(HCPE, 34, &[1, 2]));
    assert!(illegal.starts_with("record 1, at byte 0: 0x0201 is no legal move in l"), "{illegal}");
    let psv = said(positions(PositionFormat::Psv, &changed(PSV, 38, &[2])).unwrap_err());
    assert_eq!(psv, "record 1, at byte 0: the result 0x02 is unknown");

    let of = |bytes: Vec<u8>| said(games(&bytes).unwrap_err());
    assert_eq!(
        of(changed(HCPE3, 268 + 35, &[3])),
        "record 2, at byte 268: the opponent 3 is unknown: expected 0, 1 or 2"
    );
    assert_eq!(
        of(changed(HCPE3, 32, &[2, 2])),
        "record 1, at byte 0: 514 moves are more than a record of hcpe3 may have (513)"
    );
    assert_eq!(
        of(changed(HCPE3, 40, &[0x52, 2])),
        "record 1, at byte 0: ply 1: 594 candidates are more than any position has moves"
    );
    let skimmed = |at, with| said(sizes(&changed(HCPE3, at, with)).unwrap_err());
    assert!(skimmed(32, &[2, 2]).starts_with("514 moves are more"));
    assert!(skimmed(40, &[0x52, 2]).starts_with("ply 1: 594 candidates are more"));
    let first = [HCPE3[42], HCPE3[43]];
    assert_eq!(
        of(changed(HCPE3, 46, &first)),
        "record 1, at byte 0: ply 1: the candidate 6g6f is there twice"
    );
    assert!(of(changed(HCPE3, 36, &[0, 0])).contains("ply 1: 0x0000 is no legal move"));
}

/// What is too much is refused when it is written too.
#[test]
fn the_largest_game_comes_back_and_none_is_larger() {
    let mut long = golden_games().remove(0);
    let moves = ["5i5h", "5a5b", "5h5i", "5b5a"].map(|text| text.parse().unwrap());
    let plies = moves.into_iter().cycle().take(MAX_PLIES);
    long.start = Position::startpos();
    long.plies = plies.map(|mv| SearchedPly { mv, score: 0, candidates: Vec::new() }).collect();
    let write = |game: &SearchedGame| {
        let mut bytes = Vec::new();
        game.write(&mut bytes).map(|()| bytes)
    };
    assert_eq!(games(&write(&long).unwrap()).unwrap(), [long.clone()]);
    assert_eq!(sizes(&write(&long).unwrap()).unwrap(), [size(&long)]);
    long.plies.push(long.plies[0].clone());
    assert!(matches!(write(&long), Err(TrainingDataError::Plies(514))));
    // Of 593 legal moves this is the position.
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let (start, _) = Position::from_sfen(sfen).unwrap();
    let mut legal = MoveList::new();
    start.legal_moves(&mut legal);
    assert_eq!(legal.len(), MAX_CANDIDATES);
    let candidates = legal.iter().map(|&mv| (mv, 1)).collect();
    let ply = SearchedPly { mv: legal[0], score: 0, candidates };
    let mut wide = SearchedGame { start, plies: vec![ply], ..long };
    assert_eq!(games(&write(&wide).unwrap()).unwrap(), [wide.clone()]);
    assert_eq!(sizes(&write(&wide).unwrap()).unwrap(), [size(&wide)]);
    wide.plies[0].candidates.push((legal[0], 1));
    assert!(matches!(write(&wide), Err(TrainingDataError::Candidates(594))));
}

/// What was legal at the ply before is no candidate of this one.
#[test]
fn candidates_are_those_of_their_ply() {
    let ply = |text: &str, candidate: &str| SearchedPly {
        mv: text.parse().unwrap(),
        score: 0,
        candidates: vec![(candidate.parse().unwrap(), 1)],
    };
    let game = SearchedGame {
        start: Position::startpos(),
        result: GameResult { outcome: Outcome::Draw, reason: None },
        opponent: None,
        plies: vec![ply("7g7f", "7g7f"), ply("3c3d", "2g2f")],
    };
    let mut bytes = Vec::new();
    game.write(&mut bytes).unwrap();
    let error = games(&bytes).unwrap_err().to_string();
    assert!(error.contains("ply 2: ") && error.contains("is no legal move"), "{error}");
}

/// A source that gives a byte at a time, each after an interruption.
struct Slow<'b> {
    bytes: &'b [u8],
    interrupted: bool,
    /// What comes where the bytes are over.
    end: Option<ErrorKind>,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        match self.end {
            _ if self.interrupted => Err(ErrorKind::Interrupted.into()),
            Some(error) if self.bytes.is_empty() => Err(error.into()),
            _ => {
                let some = buffer.len().min(1);
                self.bytes.read(&mut buffer[..some])
            }
        }
    }
}

#[test]
fn what_comes_in_pieces_is_read_alike_and_a_failure_is_told() {
    let slow = |end| GameReader::new(Slow { bytes: HCPE3, interrupted: false, end });
    let read: Result<Vec<_>, _> = slow(None).collect();
    assert_eq!(read.unwrap(), golden_games());
    let mut one_by_one = slow(None);
    for game in golden_games() {
        assert_eq!(one_by_one.read_one().unwrap(), Some(game));
    }
    assert_eq!(one_by_one.read_one().unwrap(), None);
    let broken: Result<Vec<_>, _> = slow(Some(ErrorKind::InvalidData)).collect();
    let error = broken.unwrap_err().to_string();
    assert!(error.starts_with("record 4, at byte "), "{error}");
}

#[test]
fn every_cut_is_noticed() {
    for end in 0..HCPE3.len() {
        let whole = [0, 268, 466].contains(&end);
        assert_eq!(games(&HCPE3[..end]).is_ok(), whole, "{end} bytes");
        assert_eq!(sizes(&HCPE3[..end]).is_ok(), whole, "{end} bytes");
    }
    for (format, bytes) in FORMATS {
        for end in 0..=3 * format.record_bytes() {
            let whole = end % format.record_bytes() == 0;
            assert_eq!(positions(format, &bytes[..end]).is_ok(), whole, "{end} bytes");
        }
    }
}

proptest! {
    #[test]
    fn what_is_read_of_damage_is_written_and_read_alike(at in 0..HCPE3.len(), byte in any::<u8>()) {
        let mut bytes = HCPE3.to_vec();
        bytes[at] = byte;
        if let Ok(games) = games(&bytes) {
            let mut again = Vec::new();
            games.iter().for_each(|game| game.write(&mut again).unwrap());
            // Pieces in hand may come in any order.
            prop_assert_eq!(self::games(&again).unwrap(), games);
        }
    }

    #[test]
    fn moves_come_back(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
        walk(&choices, |position, best| {
            let it = EvaluatedPosition {
                position: position.clone(),
                move_number: None,
                score: -7,
                best: Some(best),
                result: GameResult { outcome: Outcome::WhiteWins, reason: None },
            };
            for (format, _) in FORMATS {
                let mut bytes = Vec::new();
                format.write(&it, &mut bytes).unwrap();
                let read = format.read(&bytes).unwrap();
                assert_eq!((read.best, read.result), (it.best, it.result));
            }
        });
    }
}
