//! Writing.

use std::fmt::Write as _;

use keiko_shogi::Position;

use super::{code, moves, start};
use crate::record::{Clock, END_REASON, Header, Note, Record};
use crate::text::{one_line, seconds_text};

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// V2.2: times in whole seconds.
    V2,
    /// V3.0: times in milliseconds.
    V3,
}

/// The text of a game.
pub(crate) fn write(record: &Record, version: Version) -> String {
    let mut text = match version {
        Version::V2 => "V2.2\n".to_owned(),
        Version::V3 => "'CSA encoding=UTF-8\nV3.0\n".to_owned(),
    };
    header(&mut text, &record.header, version);
    let number = record.game().start_move_number();
    if number != 1 {
        let _ = writeln!(text, "$MOVE_NUMBER:{number}");
    }
    for comment in &record.comments {
        let _ = writeln!(text, "'*{}", one_line(comment));
    }
    text.push_str(&start::text(record.game().start()));
    record.each(|mv, before, note, after| {
        let _ = writeln!(text, "{}", moves::move_text(mv, before));
        write_note(&mut text, note, after, version);
    });
    if let Some(ending) = record.ending {
        let code = code::code(ending);
        let _ = writeln!(text, "{code}");
        if code::ending(code, record.game(), record.side_to_move()) != Some(ending) {
            let _ = writeln!(text, "'{END_REASON}{}", ending.tag());
        }
        write_note(&mut text, &record.end_note, record.game().position(), version);
    }
    text
}

fn write_note(text: &mut String, note: &Note, position: &Position, version: Version) {
    if let Some(ms) = note.time_ms {
        let ms = if version == Version::V2 { ms - ms % 1000 } else { ms };
        let _ = writeln!(text, "T{}", seconds_text(ms));
    }
    for comment in note.lines(position) {
        let _ = writeln!(text, "'*{}", one_line(&comment));
    }
}

fn header(text: &mut String, header: &Header, version: Version) {
    for (name, value) in header.texts() {
        let key = match name {
            "black" => "N+",
            "white" => "N-",
            "event" => "$EVENT:",
            "site" => "$SITE:",
            "started" => "$START_TIME:",
            "ended" => "$END_TIME:",
            _ => "$OPENING:",
        };
        if let Some(value) = value {
            let _ = writeln!(text, "{key}{}", one_line(value));
        }
    }
    match (header.clock(), header.clocks) {
        (Some(clock), _) => match time_limit(clock).filter(|_| version == Version::V2) {
            Some(limit) => {
                let _ = writeln!(text, "$TIME_LIMIT:{limit}");
            }
            None => {
                let _ = writeln!(text, "$TIME:{clock}");
            }
        },
        (None, clocks) => {
            for (sign, clock) in ['+', '-'].into_iter().zip(clocks) {
                if let Some(clock) = clock {
                    let _ = writeln!(text, "$TIME{sign}:{clock}");
                }
            }
        }
    }
    for (key, value) in &header.extra {
        // A field that would be read as something else is a comment.
        let sign = if key == "MOVE_NUMBER" { "'*" } else { "$" };
        let _ = writeln!(text, "{sign}{}:{}", one_line(key), one_line(value));
    }
}

/// The clock as version 2 has it, if it can hold it.
fn time_limit(clock: Clock) -> Option<String> {
    let minutes = clock.main_ms / 60_000;
    let exact = clock.main_ms.is_multiple_of(60_000)
        && clock.byoyomi_ms.is_multiple_of(1000)
        && clock.increment_ms == 0;
    let byoyomi = clock.byoyomi_ms / 1000;
    exact.then(|| format!("{:02}:{:02}+{byoyomi:02}", minutes / 60, minutes % 60))
}
