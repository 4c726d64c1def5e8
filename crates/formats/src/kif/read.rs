//! Reading.

use keiko_shogi::{Color, Handicap, Position, Setup};

use super::line::Line;
use super::{board, moves, word};
use crate::line::{LineError, each_line};
use crate::record::{Clock, END_REASON, Ending, Header, Record, RecordError};
use crate::text::{digits, excerpt};

/// Reads one game. `first_line` is the number of the text's first line; `None` if the text has nothing but
/// blank lines and comments of programs.
///
/// # Errors
///
/// The first line that is wrong, and why.
pub(crate) fn read(text: &str, first_line: u32) -> Result<Option<Record>, LineError<RecordError>> {
    let mut reader = Reader::default();
    let last = each_line(text, first_line, |line, text| reader.line(text, line))?;
    reader.finish().map_err(|source| LineError { line: last, source })
}

/// What is read so far.
#[derive(Default)]
struct Reader {
    header: Header,
    comments: Vec<String>,
    time: Option<u64>,
    byoyomi: Option<u64>,
    increment: Option<u64>,
    handicap: Option<Handicap>,
    /// The handicap is none of those with a name: there must be a diagram.
    needs_board: bool,
    board: Option<Setup>,
    /// The hands that go with the diagram.
    hands: Option<Setup>,
    ranks: u8,
    turn: Option<Color>,
    move_number: Option<u32>,
    record: Option<Record>,
    /// The number of the next move.
    next: Option<u32>,
    /// The word of the end.
    word: String,
    touched: bool,
}

impl Reader {
    fn line(&mut self, text: &str, line: u32) -> Result<(), RecordError> {
        let kind = Line::of(text);
        self.touched |= !matches!(kind, Line::Nothing | Line::Program(_));
        if self.record.as_ref().is_some_and(|record| record.variations() > 0) {
            if let (Line::Variation, Some(record)) = (kind, &mut self.record) {
                record.add_variation();
            }
            return Ok(());
        }
        let late = |what: &str| RecordError::expected("the start position before the moves", what);
        let begun = self.record.is_some();
        match kind {
            Line::Nothing => {}
            Line::Program(rest) => self.program(rest),
            Line::Comment(comment) | Line::Bookmark(comment) => match &mut self.record {
                Some(record) => record.comment(comment),
                None => self.comments.push(comment.to_owned()),
            },
            Line::Rank(_) | Line::Hand(..) | Line::Handicap(_) | Line::Turn(_) if begun => {
                return Err(late(text));
            }
            Line::Rank(rank) => {
                if self.ranks >= 9 {
                    return Err(RecordError::expected("nine ranks", text));
                }
                let setup = self.board.get_or_insert(Setup::EMPTY);
                board::read_rank(rank, self.ranks, setup)?;
                self.ranks += 1;
            }
            Line::Hand(color, hand) => {
                board::read_hand(hand, color, self.hands.get_or_insert(Setup::EMPTY))?;
            }
            Line::Handicap(name) => self.handicap(name)?,
            Line::Turn(color) => self.turn = Some(color),
            Line::Played(count) if !begun => {
                let number = count.split_whitespace().next().and_then(digits::<u32>);
                let wrong = || RecordError::expected("a number of moves", count);
                self.move_number = Some(number.ok_or_else(wrong)?.saturating_add(1));
            }
            Line::Played(_) => return Err(late(text)),
            Line::Variation => self.begin()?.add_variation(),
            Line::Summary(rest) => self.summary(rest)?,
            Line::Move(number, rest) => self.step(number, rest, line)?,
            Line::Field(key, value) => self.field(key, value),
            Line::Other(text) => {
                return Err(RecordError::expected("a header, a move or a comment", text));
            }
        }
        Ok(())
    }

    /// The record, begun with what was said so far if it is not yet.
    fn begin(&mut self) -> Result<&mut Record, RecordError> {
        if self.record.is_none() {
            let position = self.start()?;
            let mut record = Record::new(position, self.move_number.unwrap_or(1));
            record.header = std::mem::take(&mut self.header);
            record.comments = std::mem::take(&mut self.comments);
            self.record = Some(record);
        }
        self.record.as_mut().ok_or(RecordError::Incomplete("its start"))
    }

    fn start(&mut self) -> Result<Position, RecordError> {
        let Some(mut setup) = self.board.take() else {
            if self.needs_board {
                return Err(RecordError::Incomplete("the diagram that 手合割：その他 asks for"));
            }
            return Ok(self.handicap.map_or_else(Position::startpos, Handicap::position));
        };
        if self.ranks != 9 {
            return Err(RecordError::Incomplete("the ninth rank of its diagram"));
        }
        if let Some(hands) = &self.hands {
            setup.hands = hands.hands;
        }
        let giver_moves = self.handicap.is_some();
        let first = if giver_moves { Color::White } else { Color::Black };
        setup.side_to_move = self.turn.unwrap_or(first);
        let position = setup.problem()?;
        position.check_settled()?;
        Ok(position)
    }

    fn handicap(&mut self, name: &str) -> Result<(), RecordError> {
        self.needs_board = name == "その他";
        self.handicap = Handicap::ALL.into_iter().find(|handicap| handicap.kif_name() == name);
        if self.handicap.is_some() || self.needs_board || name == "平手" {
            return Ok(());
        }
        Err(RecordError::expected("平手, その他 or the name of a handicap, such as 二枚落ち", name))
    }

    fn field(&mut self, key: &str, value: &str) {
        let value = value.trim();
        let clock = match key {
            "持ち時間" => Some((&mut self.time, duration(value))),
            "秒読み" => Some((&mut self.byoyomi, duration(value))),
            "加算" => Some((&mut self.increment, duration(value))),
            _ => None,
        };
        if let Some((field @ None, Some(ms))) = clock {
            *field = Some(ms);
            return;
        }
        let header = match &mut self.record {
            Some(record) => &mut record.header,
            None => &mut self.header,
        };
        let side = ["先手の持ち時間", "後手の持ち時間"].iter().position(|name| *name == key);
        if let (Some(side), Some(clock)) = (side, Clock::parse(value)) {
            header.clocks[side] = Some(clock);
            return;
        }
        let (name, key) = match key {
            "先手" | "下手" => ("black", key),
            "後手" | "上手" => ("white", key),
            "棋戦" => ("event", key),
            "場所" => ("site", key),
            "開始日時" | "対局日" => ("started", key),
            "終了日時" => ("ended", key),
            "戦型" => ("opening", key),
            _ => ("", EXTRA.iter().find(|(_, kif)| *kif == key).map_or(key, |(csa, _)| csa)),
        };
        header.set(name, key, &without_weekday(value));
    }

    fn program(&mut self, text: &str) {
        let Some(record) = &mut self.record else { return };
        let told = text.strip_prefix(END_REASON).filter(|_| record.ending.is_some());
        let side = record.side_to_move();
        let same = |ending: &Ending| word::word(*ending, side) == self.word;
        if let Some(ending) = told.and_then(Ending::of_tag).filter(same) {
            record.ending = Some(ending);
        }
    }

    fn summary(&mut self, text: &str) -> Result<(), RecordError> {
        let record = self.begin()?;
        if record.ending.is_some() {
            return Ok(());
        }
        match word::of_summary(text, record.game(), record.side_to_move()) {
            Some(ending) => record.ending = Some(ending),
            None => record.comment(&format!("まで{text}")),
        }
        Ok(())
    }

    fn step(&mut self, number: &str, text: &str, line: u32) -> Result<(), RecordError> {
        let wrong = || RecordError::expected("the number of a move", number);
        let number = digits::<u32>(number).filter(|&n| n > 0 && n < u32::MAX).ok_or_else(wrong)?;
        if self.next.is_some_and(|next| next != number) {
            return Err(RecordError::expected("the number of the next move", &number.to_string()));
        }
        if self.record.is_none() && self.move_number.is_none() && number != 1 {
            self.move_number = Some(number);
        }
        self.next = Some(number + 1);
        let record = self.begin()?;
        if record.ending.is_some() {
            return Err(RecordError::expected("nothing but comments after the end", text));
        }
        let move_error = |problem| RecordError::Move { number, text: excerpt(text), problem };
        let end = text.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(text.len());
        let side = record.side_to_move();
        if let Some(ending) = word::ending(&text[..end], record.game(), side) {
            record.end_note.time_ms = moves::time(&text[end..]).map_err(move_error)?;
            record.ending = Some(ending);
            self.word = word::word(ending, side).to_owned();
            return Ok(());
        }
        if record.unplayable().is_some() {
            // The position is no longer that of the record.
            record.take(Err(keiko_shogi::IllegalKind::ImpossibleMove), line, text);
            return Ok(());
        }
        let last = record.moves().last().map(|mv| mv.to());
        let (mv, rest) = moves::parse(text, record.game().position(), last).map_err(move_error)?;
        let time = moves::time(rest).map_err(move_error)?;
        record.take(mv, line, text);
        if record.unplayable().is_none()
            && let Some(note) = record.last_note()
        {
            note.time_ms = time;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Record>, RecordError> {
        if !self.touched {
            return Ok(None);
        }
        self.begin()?;
        if let Some(main_ms) = self.time
            && let Some(record) = &mut self.record
        {
            let clock = Clock {
                main_ms,
                byoyomi_ms: self.byoyomi.unwrap_or_default(),
                increment_ms: self.increment.unwrap_or_default(),
            };
            record.header.clocks = [Some(clock); 2];
        }
        Ok(self.record)
    }
}

/// Keys that CSA and KIF both have, in this order.
pub(super) const EXTRA: [(&str, &str); 3] =
    [("NOTE", "備考"), ("MAX_MOVES", "最大手数"), ("JISHOGI", "持将棋")];

/// A length of time such as `1時間30分` or `30秒`, in milliseconds.
fn duration(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut total = 0u64;
    for (unit, ms) in [("時間", 3_600_000), ("分", 60_000), ("秒", 1000)] {
        let Some((number, after)) = rest.split_once(unit) else { continue };
        let value = match unit {
            "秒" => crate::text::seconds(number.trim())?,
            _ => digits::<u64>(number.trim())?.checked_mul(ms)?,
        };
        total = total.checked_add(value)?;
        rest = after.trim_start();
    }
    (rest.is_empty() && !text.trim().is_empty()).then_some(total)
}

/// A date without the day of the week in brackets that KIF has.
fn without_weekday(text: &str) -> String {
    let days = ["(月)", "(火)", "(水)", "(木)", "(金)", "(土)", "(日)"];
    let day = days.iter().find(|day| text.contains(*day));
    let dated = text.starts_with(|c: char| c.is_ascii_digit());
    day.filter(|_| dated).map_or_else(|| text.to_owned(), |day| text.replacen(day, "", 1))
}
