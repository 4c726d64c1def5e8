//! Writing.

use std::fmt::Write as _;

use keiko_shogi::{Color, Handicap, Position};

use super::line::Line;
use super::read::EXTRA;
use super::{board, moves, names, word};
use crate::record::{Clock, END_REASON, Header, Note, Record};
use crate::text::{one_line, seconds_text};

/// The text of a game, in UTF-8.
pub(crate) fn write(record: &Record) -> String {
    let game = record.game();
    let handicap = Handicap::of_position(game.start());
    let mut text = "#KIF version=2.0 encoding=UTF-8\n".to_owned();
    let others = header(&mut text, &record.header);
    start(&mut text, game.start(), game.start_move_number(), handicap);
    for color in Color::ALL {
        if let Some(name) = record.header.player(color) {
            let _ =
                writeln!(text, "{}：{}", names::side(color, handicap.is_some()), one_line(name));
        }
    }
    text.push_str("手数----指手---------消費時間--\n");
    for comment in others.iter().chain(&record.comments) {
        let _ = writeln!(text, "*{}", one_line(comment));
    }
    let mut number = 1;
    let mut last = None;
    let mut totals = [0u64; 2];
    record.each(|mv, before, note, after| {
        let mover = before.side_to_move();
        let mv_text = moves::text(mv, before, last);
        step(&mut text, number, &mv_text, note.time_ms, &mut totals[mover.index()]);
        comments(&mut text, note, after);
        last = Some(mv.to());
        number += 1;
    });
    if let Some(ending) = record.ending {
        let side = record.side_to_move();
        let word = word::word(ending, side);
        step(&mut text, number, word, record.end_note.time_ms, &mut totals[side.index()]);
        if word::ending(word, game, side) != Some(ending) {
            let _ = writeln!(text, "#{END_REASON}{}", ending.tag());
        }
        comments(&mut text, &record.end_note, game.position());
        if let Some(summary) = word::summary(ending, record.moves().len(), handicap.is_some()) {
            let _ = writeln!(text, "まで{summary}");
        }
    }
    text
}

/// Writes the header, and gives the fields that would be read as something else.
fn header(text: &mut String, header: &Header) -> Vec<String> {
    for (name, value) in header.texts() {
        let key = match name {
            "event" => "棋戦",
            "site" => "場所",
            "started" => "開始日時",
            "ended" => "終了日時",
            "opening" => "戦型",
            _ => continue,
        };
        if let Some(value) = value {
            let _ = writeln!(text, "{key}：{}", one_line(value));
        }
    }
    clocks(text, header);
    let mut others = Vec::new();
    for (key, value) in &header.extra {
        let key = EXTRA.iter().find(|(csa, _)| csa == key).map_or(key.as_str(), |(_, kif)| kif);
        let line = format!("{}：{}", one_line(key), one_line(value));
        if matches!(Line::of(&line), Line::Field(found, _) if found == key) {
            let _ = writeln!(text, "{line}");
        } else {
            others.push(line);
        }
    }
    others
}

fn clocks(text: &mut String, header: &Header) {
    if let Some(Clock { main_ms, byoyomi_ms, increment_ms }) = header.clock() {
        for (key, ms) in [("持ち時間", main_ms), ("秒読み", byoyomi_ms), ("加算", increment_ms)]
        {
            if ms > 0 || key == "持ち時間" {
                let _ = writeln!(text, "{key}：{}", duration(ms));
            }
        }
        return;
    }
    for (side, clock) in ["先手", "後手"].into_iter().zip(header.clocks) {
        if let Some(clock) = clock {
            let _ = writeln!(text, "{side}の持ち時間：{clock}");
        }
    }
}

/// A length of time: `1時間30分`, `30秒`.
fn duration(ms: u64) -> String {
    let mut text = String::new();
    let (hours, minutes) = (ms / 3_600_000, ms / 60_000 % 60);
    if hours > 0 {
        let _ = write!(text, "{hours}時間");
    }
    if minutes > 0 {
        let _ = write!(text, "{minutes}分");
    }
    if !ms.is_multiple_of(60_000) || text.is_empty() {
        let _ = write!(text, "{}秒", seconds_text(ms % 60_000));
    }
    text
}

fn start(text: &mut String, start: &Position, move_number: u32, handicap: Option<Handicap>) {
    let name = match handicap {
        _ if move_number != 1 => "その他",
        None if *start == Position::startpos() => "平手",
        None | Some(Handicap::ThreePawns | Handicap::NakedKing) => "その他",
        Some(handicap) => handicap.kif_name(),
    };
    let _ = writeln!(text, "手合割：{name}");
    if name == "その他" {
        text.push_str(&board::text(start, move_number));
    }
}

fn step(text: &mut String, number: u32, step: &str, time_ms: Option<u64>, total: &mut u64) {
    let _ = write!(text, "{number:>4} {step}");
    if let Some(ms) = time_ms {
        let seconds = ms / 1000;
        *total = total.saturating_add(seconds);
        let (hours, minutes) = (*total / 3600, *total / 60 % 60);
        // Kanji are twice as wide as the digits.
        let width: usize = step.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let pad = 13usize.saturating_sub(width).max(1);
        let _ = write!(
            text,
            "{:pad$}({:>2}:{:02}/{hours:02}:{minutes:02}:{:02})",
            "",
            seconds / 60,
            seconds % 60,
            *total % 60
        );
    }
    text.push('\n');
}

fn comments(text: &mut String, note: &Note, position: &Position) {
    for comment in note.lines(position) {
        let _ = writeln!(text, "*{}", one_line(&comment));
    }
}
