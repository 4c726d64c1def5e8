//! Reading.

use keiko_shogi::{Color, Setup};

use super::{code, moves, pieces, start};
use crate::line::{LineError, each_line};
use crate::record::{Clock, END_REASON, Ending, Header, Record, RecordError};
use crate::text::{digits, excerpt, seconds};

/// Reads one game. `first_line` is the number of the text's first line; `None` if the text has nothing but
/// comments and blank lines.
///
/// # Errors
///
/// The first line that is wrong, and why.
pub(crate) fn read(text: &str, first_line: u32) -> Result<Option<Record>, LineError<RecordError>> {
    let mut reader = Reader::default();
    let last = each_line(text, first_line, |line, text| reader.line(text, line))?;
    reader.finish().map_err(|source| LineError { line: last, source })
}

#[derive(Default)]
struct Reader {
    header: Header,
    comments: Vec<String>,
    setup: Option<Setup>,
    move_number: Option<u32>,
    record: Option<Record>,
    /// The code of the end.
    code: String,
    touched: bool,
}

impl Reader {
    fn line(&mut self, text: &str, line: u32) -> Result<(), RecordError> {
        self.touched |= !text.trim().is_empty() && !text.starts_with('\'');
        if let Some(comment) = text.strip_prefix('\'') {
            self.comment(comment);
            return Ok(());
        }
        if let Some(field) = text.strip_prefix('$') {
            return self.field(field);
        }
        if let Some(name) = text.strip_prefix("N+").or_else(|| text.strip_prefix("N-")) {
            let key = if text.starts_with("N+") { "black" } else { "white" };
            self.header().set(key, key, name);
            return Ok(());
        }
        // Everything else may stand in one line, separated by commas.
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(comment) = rest.strip_prefix('\'') {
                self.comment(comment);
                break;
            }
            let (statement, after) = rest.split_once(',').unwrap_or((rest, ""));
            rest = after;
            if !statement.trim().is_empty() {
                self.statement(statement, line)?;
            }
        }
        Ok(())
    }

    fn header(&mut self) -> &mut Header {
        match &mut self.record {
            Some(record) => &mut record.header,
            None => &mut self.header,
        }
    }

    fn comment(&mut self, text: &str) {
        let plain = text.strip_prefix('*');
        let text = plain.unwrap_or(text);
        let Some(record) = &mut self.record else {
            let is_encoding = plain.is_none() && text.starts_with("CSA encoding=");
            if !is_encoding {
                self.comments.push(text.to_owned());
            }
            return;
        };
        let told =
            text.strip_prefix(END_REASON).filter(|_| plain.is_none() && record.ending.is_some());
        match told.and_then(Ending::of_tag).filter(|&ending| code::code(ending) == self.code) {
            Some(ending) => record.ending = Some(ending),
            None => record.comment(text),
        }
    }

    fn field(&mut self, text: &str) -> Result<(), RecordError> {
        let wrong = |expected| RecordError::expected(expected, text);
        let (key, value) = text.split_once(':').ok_or_else(|| wrong("$KEY:value"))?;
        let value = value.trim();
        let name = match key {
            "EVENT" => "event",
            "SITE" => "site",
            "START_TIME" => "started",
            "END_TIME" => "ended",
            "OPENING" => "opening",
            "" => return Err(wrong("$KEY:value")),
            _ => "",
        };
        match key {
            "MOVE_NUMBER" => {
                let number = digits(value).filter(|&number| number > 0 && self.record.is_none());
                self.move_number =
                    Some(number.ok_or_else(|| wrong("a move number before the start"))?);
            }
            "TIME" | "TIME+" | "TIME-" | "TIME_LIMIT" => {
                let clock =
                    if key == "TIME_LIMIT" { time_limit(value) } else { Clock::parse(value) };
                let header = self.header();
                match clock {
                    Some(_) if key == "TIME+" => header.clocks[0] = clock,
                    Some(_) if key == "TIME-" => header.clocks[1] = clock,
                    Some(_) => header.clocks = [clock; 2],
                    None => header.add(key, value),
                }
            }
            _ => self.header().set(name, key, value),
        }
        Ok(())
    }

    fn statement(&mut self, text: &str, line: u32) -> Result<(), RecordError> {
        if self.record.is_some() {
            return self.step(text.trim_end(), line);
        }
        match text.trim_end() {
            "+" => self.begin(Color::Black),
            "-" => self.begin(Color::White),
            "V1" | "V1.0" | "V2" | "V2.0" | "V2.1" | "V2.2" | "V3" | "V3.0" => Ok(()),
            version if version.starts_with('V') => {
                Err(RecordError::expected("a version from V1 to V3.0", version))
            }
            _ if text.starts_with('P') => start::read(text, &mut self.setup),
            other => Err(RecordError::expected("a start position", other)),
        }
    }

    /// Reads a line after the start position.
    fn step(&mut self, text: &str, line: u32) -> Result<(), RecordError> {
        let Some(record) = &mut self.record else { return Ok(()) };
        match text.bytes().next() {
            Some(b'+' | b'-') => {
                if record.ending.is_some() {
                    return Err(RecordError::expected("nothing but comments after the end", text));
                }
                let number = record.moves().len() as u32 + 1;
                let position = record.game().position();
                let mv = match moves::parse_move(text, position) {
                    // After a move that cannot be replayed, the position is not that of the record.
                    Err(_) if record.unplayable().is_some() && is_move(text) => {
                        record.take(Err(keiko_shogi::IllegalKind::ImpossibleMove), line, text);
                        return Ok(());
                    }
                    Err(problem) => {
                        return Err(RecordError::Move { number, text: excerpt(text), problem });
                    }
                    Ok(mv) => mv,
                };
                record.take(mv, line, text);
            }
            Some(b'%') => {
                if record.ending.is_some() {
                    return Err(RecordError::expected("one end", text));
                }
                let ending = code::ending(text, record.game(), record.side_to_move());
                let wrong = || RecordError::expected("the code of an end, such as %TORYO", text);
                record.ending = Some(ending.ok_or_else(wrong)?);
                self.code = text.to_owned();
            }
            Some(b'T') => {
                let time = text.get(1..).and_then(seconds);
                let wrong = || RecordError::expected("a time such as T12 after a move", text);
                let time = time.ok_or_else(wrong)?;
                if record.unplayable().is_none() || record.ending.is_some() {
                    record.last_note().ok_or_else(wrong)?.time_ms = Some(time);
                }
            }
            _ => return Err(RecordError::expected("a move, a time or an end", text)),
        }
        Ok(())
    }

    fn begin(&mut self, side: Color) -> Result<(), RecordError> {
        let setup = self.setup.take();
        let mut setup =
            setup.ok_or(RecordError::Incomplete("its start position (PI or P1 to P9)"))?;
        setup.side_to_move = side;
        let position = setup.problem()?;
        position.check_settled()?;
        let mut record = Record::new(position, self.move_number.unwrap_or(1));
        record.header = std::mem::take(&mut self.header);
        record.comments = std::mem::take(&mut self.comments);
        self.record = Some(record);
        Ok(())
    }

    fn finish(self) -> Result<Option<Record>, RecordError> {
        match self.record {
            Some(record) => Ok(Some(record)),
            None if self.touched => Err(RecordError::Incomplete("the side to move (+ or -)")),
            None => Ok(None),
        }
    }
}

fn is_move(text: &str) -> bool {
    let digits = text.get(1..5).is_some_and(|squares| squares.bytes().all(|b| b.is_ascii_digit()));
    digits && text.get(5..).is_some_and(|name| pieces::kind(name).is_some())
}

/// The clock of version 2: `00:25+00`, hours, minutes and seconds of byoyomi.
fn time_limit(text: &str) -> Option<Clock> {
    let (main, byoyomi) = text.split_once('+')?;
    let (hours, minutes) = main.split_once(':')?;
    let minutes = digits::<u64>(hours)?.checked_mul(60)?.checked_add(digits(minutes)?)?;
    let main_ms = minutes.checked_mul(60_000)?;
    Some(Clock { main_ms, byoyomi_ms: digits::<u64>(byoyomi)?.checked_mul(1000)?, increment_ms: 0 })
}
