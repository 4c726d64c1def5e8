//! Reading records one after another.

use std::io::{self, BufRead, Read as _};

use thiserror::Error;

use super::{Record, RecordError, RecordFormat, usi};
use crate::line::LineError;
use crate::text::{decode, undecodable_line};
use crate::{csa, kif};

/// The largest game that is read, in bytes; that of 10,000 moves with a kilobyte of comments each is
/// smaller.
pub const LARGEST_GAME_BYTES: usize = 16 << 20;

/// Reads the games of a file one by one, so that only one is in memory.
#[derive(Debug)]
pub struct RecordReader<R> {
    input: R,
    format: RecordFormat,
    /// The number of the next line.
    line: u32,
    done: bool,
}

/// Why the next game cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error(transparent)]
    Line(#[from] LineError<RecordError>),
    /// A game is larger than any.
    #[error("line {0}: the game that begins here is larger than 16 MiB")]
    TooLarge(u32),
}

impl<R: BufRead> RecordReader<R> {
    /// A reader of `input`, which is in `format`.
    pub fn new(input: R, format: RecordFormat) -> Self {
        Self::from_line(input, format, 1)
    }

    /// The same, where the first line of `input` has the number `line` in its file.
    pub fn from_line(input: R, format: RecordFormat, line: u32) -> Self {
        Self { input, format, line, done: false }
    }

    /// The number of the line after the last one that was read.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The bytes of the next game, separator left out, and the number of their first line.
    fn chunk(&mut self) -> Result<Option<(Vec<u8>, u32)>, ReadError> {
        let first = self.line;
        let mut chunk = Vec::new();
        loop {
            let start = chunk.len();
            let left = (LARGEST_GAME_BYTES + 1 - start) as u64;
            let read = self.input.by_ref().take(left).read_until(b'\n', &mut chunk)?;
            if chunk.len() > LARGEST_GAME_BYTES {
                return Err(ReadError::TooLarge(first));
            }
            if read == 0 {
                self.done = true;
                return Ok((start > 0).then_some((chunk, first)));
            }
            self.line = self.line.saturating_add(1);
            match self.format {
                RecordFormat::Usi | RecordFormat::Sfen => return Ok(Some((chunk, first))),
                RecordFormat::Csa | RecordFormat::Csa3 if chunk[start..].trim_ascii() == b"/" => {
                    chunk.truncate(start);
                    return Ok(Some((chunk, first)));
                }
                _ => {}
            }
        }
    }

    fn game(&mut self) -> Result<Option<Record>, ReadError> {
        while !self.done {
            let Some((bytes, first)) = self.chunk()? else { break };
            let at = |line, source| ReadError::Line(LineError { line, source });
            let Some(text) = decode(&bytes) else {
                let line = first.saturating_add(undecodable_line(&bytes) as u32);
                return Err(at(line, RecordError::Encoding));
            };
            let record = match self.format {
                RecordFormat::Csa | RecordFormat::Csa3 => csa::read(&text, first)?,
                RecordFormat::Kif => kif::read(&text, first)?,
                RecordFormat::Usi | RecordFormat::Sfen => {
                    let blank = text.trim().is_empty() || text.trim_start().starts_with('#');
                    let read = || usi::read(&text, first).map_err(|source| at(first, source));
                    if blank { None } else { Some(read()?) }
                }
            };
            if record.is_some() {
                return Ok(record);
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for RecordReader<R> {
    type Item = Result<Record, ReadError>;

    /// The next game; nothing after an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.game().transpose();
        self.done |= matches!(read, None | Some(Err(_)));
        read
    }
}
