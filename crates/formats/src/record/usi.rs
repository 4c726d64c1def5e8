//! Records as USI game lines and as lists of SFENs.

use keiko_shogi::{IllegalKind, Move, ParseMoveError, ParsePositionError};

use super::per_move::{self, SCORES_CP, TIMES_MS, per_move};
use super::{Clock, Ending, Evaluation, Record, RecordError};
use crate::game_line::{
    GameLine, GameLineError, check_tag, split_tag, start_and_words, write_game,
};
use crate::text::one_line;

/// Reads a line: `startpos`, `sfen ..` or a bare SFEN, moves, and tags if there are any. The moves may be
/// fouls, and the last word `resign` or `win`.
pub(super) fn read(text: &str, line: u32) -> Result<Record, RecordError> {
    let mut parts = text.trim_end_matches(['\r', '\n']).split('\t');
    let game = parts.next().unwrap_or_default().trim();
    let bare = game.split_ascii_whitespace().next().is_some_and(|word| word.contains('/'));
    let game = if bare { format!("sfen {game}") } else { game.to_owned() };
    let (start, move_number, words) = start_and_words(&game)?;
    let mut record = Record::new(start, move_number);
    for (word, number) in words.zip(1..) {
        if record.ending.is_some() {
            return Err(RecordError::expected("nothing after resign or win", word));
        }
        let side = record.side_to_move();
        match word {
            "resign" => record.ending = Some(Ending::resigned(side)),
            "win" => record.ending = Some(Ending::declared(side)),
            _ => record.take(read_move(word, number)?, line, word),
        }
    }
    for part in parts {
        let (key, value) = split_tag(part)?;
        tag(&mut record, key, value)?;
    }
    let plies = record.moves().len().to_string();
    record.header.extra.retain(|(key, value)| key != "ply" || *value != plies);
    Ok(record)
}

fn read_move(word: &str, number: usize) -> Result<Result<Move, IllegalKind>, ParsePositionError> {
    let read: Result<Move, ParseMoveError> = word.parse();
    read.map(Ok).or_else(|error| match error.illegal_kind() {
        Some(kind) => Ok(Err(kind)),
        None => Err(ParsePositionError::BadMove { number, error }),
    })
}

/// Keys that mean something else than a field without a name of its own.
const RESERVED: [&str; 7] =
    ["outcome", "reason", "ply", "time_black", "time_white", TIMES_MS, SCORES_CP];

fn tag(record: &mut Record, key: &str, value: &str) -> Result<(), GameLineError> {
    check_tag(key, value)?;
    let ending = record.ending.unwrap_or(Ending::UNKNOWN);
    match key {
        "outcome" => match value.parse() {
            Ok(outcome) => record.ending = Some(Ending { outcome: Some(outcome), ..ending }),
            Err(_) => record.header.add(key, value),
        },
        "reason" => match value.parse() {
            Ok(reason) => record.ending = Some(Ending { reason, ..ending }),
            Err(_) => record.header.add(key, value),
        },
        "time_black" | "time_white" => match Clock::parse(value) {
            Some(clock) => record.header.clocks[usize::from(key == "time_white")] = Some(clock),
            None => record.header.add(key, value),
        },
        TIMES_MS => match per_move::read(value, record.notes.len()) {
            Some(times) => {
                record.notes.iter_mut().zip(times).for_each(|(note, time)| note.time_ms = time);
            }
            None => record.header.add(key, value),
        },
        SCORES_CP => match per_move::read(value, record.notes.len()) {
            Some(scores) => {
                let evaluation = |black_cp| Evaluation { black_cp, line: Vec::new() };
                for (note, score) in record.notes.iter_mut().zip(scores) {
                    note.evaluation = score.map(evaluation);
                }
            }
            None => record.header.add(key, value),
        },
        _ => record.header.set(key, key, value),
    }
    Ok(())
}

/// The game line of a record, and the keys of what else there is that no tag may have.
pub(super) fn write(record: &Record) -> (String, Vec<&str>) {
    let game = record.game();
    let mut line =
        GameLine::new(game.start().clone(), game.start_move_number(), record.moves().to_vec());
    let mut lost = Vec::new();
    let header = &record.header;
    let mut tags: Vec<(&str, String)> = Vec::new();
    for (name, value) in header.texts() {
        tags.extend(value.as_ref().map(|value| (name, value.clone())));
    }
    for (name, clock) in ["time_black", "time_white"].into_iter().zip(header.clocks) {
        tags.extend(clock.map(|clock| (name, clock.to_string())));
    }
    for (key, value) in &header.extra {
        if RESERVED.contains(&key.as_str()) {
            lost.push(key.as_str());
        } else {
            tags.push((key.as_str(), value.clone()));
        }
    }
    if let Some(ending) = record.ending {
        tags.extend(ending.outcome.map(|outcome| ("outcome", outcome.to_string())));
        tags.push(("reason", ending.reason.to_string()));
        tags.push(("ply", record.moves().len().to_string()));
    }
    let score = |note: &super::Note| note.evaluation.as_ref().map(|it| it.black_cp);
    let times = per_move(record.notes.iter().map(|note| note.time_ms));
    let scores = per_move(record.notes.iter().map(score));
    tags.extend(times.map(|times| (TIMES_MS, times)));
    tags.extend(scores.map(|scores| (SCORES_CP, scores)));
    for (key, value) in tags {
        if line.add_tag(key, &one_line(&value)).is_err() {
            lost.push(key);
        }
    }
    (line.to_string(), lost)
}

/// The line of a record in a list of SFENs: start and moves alone.
pub(super) fn write_sfen(record: &Record) -> String {
    struct Line<'a>(&'a Record);
    impl std::fmt::Display for Line<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let game = self.0.game();
            write_game(f, game.start(), game.start_move_number(), game.moves())
        }
    }
    Line(record).to_string()
}
