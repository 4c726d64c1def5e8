//! From the bytes of a block to rows.

use std::os::unix::fs::FileExt as _;

use keiko_formats::training::{
    EvaluatedPosition, GameReader, GameSize, PositionFormat, SearchedGame, TrainingDataError,
};
use keiko_formats::{ReadError, RecordFormat, RecordReader};
use keiko_shogi::{Game, Handicap, Rules};

use super::block::Block;
use super::rows::{Rows, Target};
use super::{DataCounts, DataError, DataFile, DataKind, Reading, record};

/// What came of a block.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) rows: Rows,
    pub(super) counts: DataCounts,
    /// What is wrong with the last record that is wrong.
    pub(super) bad: Option<DataError>,
}

/// Reads a block of a file; a record that is wrong is left out and counted.
pub(super) fn decode(
    file: &DataFile,
    block: Block,
    reading: &Reading,
) -> Result<Decoded, DataError> {
    let mut bytes = vec![0; block.bytes as usize];
    file.file.read_exact_at(&mut bytes, block.offset).map_err(DataError::io(file.path()))?;
    let mut decoding = Decoding {
        file,
        block,
        reading,
        done: Decoded {
            rows: Rows::new(reading.encoding),
            counts: DataCounts::default(),
            bad: None,
        },
    };
    match file.kind() {
        DataKind::Positions(format) => decoding.positions(format, &bytes),
        DataKind::Games => decoding.games(&bytes),
        DataKind::Records(format) => decoding.records(format, &bytes)?,
    }
    let mut done = decoding.done;
    done.counts.rows = done.rows.len() as u64;
    Ok(done)
}

struct Decoding<'d> {
    file: &'d DataFile,
    block: Block,
    reading: &'d Reading,
    done: Decoded,
}

impl Decoding<'_> {
    fn bad(&mut self, error: DataError) {
        self.done.counts.bad += 1;
        self.done.bad = Some(error);
    }

    /// A record is wrong, `index` records and `offset` bytes after the beginning of the block.
    fn bad_record(&mut self, index: u64, offset: u64, source: TrainingDataError) {
        let (number, offset) = (self.block.first + index, self.block.offset + offset);
        let path = self.file.path().to_owned();
        let source = TrainingDataError::Record { number, offset, source: Box::new(source) };
        self.bad(DataError::Record { path, source });
    }

    fn positions(&mut self, format: PositionFormat, bytes: &[u8]) {
        let record_bytes = format.record_bytes();
        self.done.rows.reserve(bytes.len() / record_bytes);
        for (index, record) in bytes.chunks(record_bytes).enumerate() {
            self.done.counts.records += 1;
            match format.read(record) {
                Ok(position) => self.position(&position),
                Err(error) => self.bad_record(index as u64, (index * record_bytes) as u64, error),
            }
        }
    }

    fn position(&mut self, it: &EvaluatedPosition) {
        let best = it.best.map(|mv| (mv, 1));
        let target = Target {
            policy: best.as_slice(),
            outcome: it.result.outcome,
            value_counts: self.reading.result_counts(it.result),
            score: Some(it.score),
        };
        self.count(&target);
        let number = u32::from(it.move_number.unwrap_or(1)).max(1);
        self.done.rows.push_position(self.reading, &it.position, number, target);
    }

    fn games(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        let mut index = 0;
        while !rest.is_empty() {
            self.done.counts.records += 1;
            let offset = (bytes.len() - rest.len()) as u64;
            let mut walk = rest;
            let (size, searched) = match GameSize::skim(&mut walk) {
                Ok(Some(size)) => (size.bytes, usize::from(size.searched_plies)),
                Ok(None) => return,
                // The file was walked through when it was opened: it has changed since.
                Err(error) => return self.bad_record(index, offset, error),
            };
            let (record, after) = rest.split_at(size);
            self.done.rows.reserve(searched);
            match GameReader::new(record).read_one() {
                Ok(Some(game)) => self.game(&game),
                Ok(None) => {}
                Err(error) => self.bad_record(index, offset, error),
            }
            rest = after;
            index += 1;
        }
    }

    fn game(&mut self, it: &SearchedGame) {
        let rules = Rules { handicap: Handicap::of_position(&it.start), ..self.reading.rules };
        let mut game = Game::new(it.start.clone(), 1, rules);
        for ply in &it.plies {
            if !ply.candidates.is_empty() {
                let target = Target {
                    policy: &ply.candidates,
                    outcome: it.result.outcome,
                    value_counts: self.reading.result_counts(it.result),
                    score: Some(ply.score),
                };
                self.count(&target);
                self.done.rows.push_game(self.reading, &game, target);
            }
            game.play(ply.mv);
        }
    }

    fn records(&mut self, format: RecordFormat, bytes: &[u8]) -> Result<(), DataError> {
        let mut rest = bytes;
        let mut line = u32::try_from(self.block.first).unwrap_or(u32::MAX);
        loop {
            // One at a time, because nothing follows an error.
            let mut reader = RecordReader::from_line(&mut rest, format, line);
            let read = reader.next();
            line = reader.line();
            let Some(read) = read else { return Ok(()) };
            self.done.counts.records += 1;
            let path = || self.file.path().to_owned();
            match read {
                Ok(record) => record::push(&mut self.done, self.reading, &record),
                Err(source @ ReadError::Line(_)) => {
                    self.bad(DataError::Text { path: path(), source });
                }
                Err(source) => return Err(DataError::Text { path: path(), source }),
            }
        }
    }

    fn count(&mut self, target: &Target<'_>) {
        self.done.count(target);
    }
}

impl Decoded {
    pub(super) fn count(&mut self, target: &Target<'_>) {
        let has_policy = target.policy.iter().any(|&(_, visits)| visits > 0);
        self.counts.rows_without_policy += u64::from(!has_policy);
        self.counts.rows_without_value += u64::from(!target.value_counts);
    }
}
