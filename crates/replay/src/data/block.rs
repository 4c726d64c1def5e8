//! Files cut into blocks at the borders of records.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _};
use std::path::Path;

use keiko_formats::training::{GameSize, TrainingDataError};
use keiko_formats::{LARGEST_GAME_BYTES, ReadError, RecordFormat};

use super::{DataError, DataKind};

/// Some records that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The number of its first record, or of its first line, from 1.
    pub(super) first: u64,
    /// Where it begins in the file.
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

/// A block ends with the record that takes it beyond so many bytes; of large files blocks are larger, so that there are
/// never more than some hundred thousand.
fn target_bytes(file_bytes: u64) -> u64 {
    (file_bytes >> 18).clamp(1 << 16, 4 << 20)
}

/// The blocks of a file, and its rows where the sizes tell them.
pub(super) fn cut(
    path: &Path,
    file: &File,
    kind: DataKind,
    bytes: u64,
) -> Result<(Vec<Block>, Option<u64>), DataError> {
    let target = target_bytes(bytes);
    match kind {
        DataKind::Positions(format) => {
            let record_bytes = format.record_bytes() as u64;
            if !bytes.is_multiple_of(record_bytes) {
                let whole = bytes / record_bytes;
                let path = path.to_owned();
                return Err(DataError::Size { path, bytes, kind, record_bytes, whole });
            }
            let step = target / record_bytes * record_bytes;
            let block = |offset: u64| Block {
                first: offset / record_bytes + 1,
                offset,
                bytes: step.min(bytes - offset),
            };
            let blocks = (0..bytes.div_ceil(step)).map(|number| block(number * step)).collect();
            Ok((blocks, Some(bytes / record_bytes)))
        }
        DataKind::Games => {
            let (blocks, rows) = games(path, file, target)?;
            Ok((blocks, Some(rows)))
        }
        DataKind::Records(format) => Ok((lines(path, file, format, target)?, None)),
    }
}

fn reader(path: &Path, file: &File) -> Result<BufReader<File>, DataError> {
    let mut file = file.try_clone().map_err(DataError::io(path))?;
    file.rewind().map_err(DataError::io(path))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Walks through the records of hcpe3.
fn games(path: &Path, file: &File, target: u64) -> Result<(Vec<Block>, u64), DataError> {
    let mut source = reader(path, file)?;
    let mut blocks: Vec<Block> = Vec::new();
    let (mut number, mut offset, mut rows) = (1, 0, 0);
    loop {
        let size = GameSize::skim(&mut source).map_err(|source| DataError::Record {
            path: path.to_owned(),
            source: TrainingDataError::Record { number, offset, source: Box::new(source) },
        })?;
        let Some(size) = size else { return Ok((blocks, rows)) };
        let bytes = size.bytes as u64;
        match blocks.last_mut() {
            Some(block) if block.bytes < target => block.bytes += bytes,
            _ => blocks.push(Block { first: number, offset, bytes }),
        }
        (number, offset) = (number + 1, offset + bytes);
        rows += u64::from(size.searched_plies);
    }
}

/// Walks through the lines of a text.
fn lines(
    path: &Path,
    file: &File,
    format: RecordFormat,
    target: u64,
) -> Result<Vec<Block>, DataError> {
    let mut source = reader(path, file)?;
    let mut blocks = Vec::new();
    let mut block = Block { first: 1, offset: 0, bytes: 0 };
    let mut line = 1;
    // The line so far, as much of it as tells a separator from other lines.
    let mut start = Vec::new();
    loop {
        let buffer = source.fill_buf().map_err(DataError::io(path))?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let room = 64_usize.saturating_sub(start.len()).min(taken);
        start.extend_from_slice(&buffer[..room]);
        source.consume(taken);
        block.bytes += taken as u64;
        if end.is_some() {
            line += 1;
            let is_border = match format {
                RecordFormat::Csa | RecordFormat::Csa3 => start.trim_ascii() == b"/",
                RecordFormat::Usi | RecordFormat::Sfen => true,
                RecordFormat::Kif => false,
            };
            start.clear();
            if is_border && block.bytes >= target {
                let next = Block { first: line, offset: block.offset + block.bytes, bytes: 0 };
                blocks.push(std::mem::replace(&mut block, next));
            }
        }
        if block.bytes > target + LARGEST_GAME_BYTES as u64 {
            let source = ReadError::TooLarge(u32::try_from(block.first).unwrap_or(u32::MAX));
            return Err(DataError::Text { path: path.to_owned(), source });
        }
    }
    if block.bytes > 0 {
        blocks.push(block);
    }
    Ok(blocks)
}
