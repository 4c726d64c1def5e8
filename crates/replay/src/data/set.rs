use keiko_encoding::{Context, EncodingId};
use keiko_formats::training::{GameResult, ResultReason};
use keiko_formats::win_rate::win_rate_by;
use keiko_shogi::{DrawValues, EndReason, Rules};

use super::block::Block;
use super::{DataError, DataFile};

/// How records become rows.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The encoding of the rows.
    pub encoding: EncodingId,
    /// The rules that records of games are judged by, their handicap apart.
    pub rules: Rules,
    /// What draws are worth.
    pub draw_values: DrawValues,
    /// End reasons after which the outcome is no value target.
    pub drop_value_of: Vec<EndReason>,
    /// Centipawns of one unit of log-odds in scores, above 0.
    pub centipawns_per_log_odds: f64,
    /// Records that may be wrong each time that all files are read.
    pub max_bad: u64,
}

impl Reading {
    pub(super) fn context(&self) -> Context {
        Context { draw_values: self.draw_values }
    }

    pub(super) fn win_rate(&self, score: i16) -> f32 {
        win_rate_by(self.centipawns_per_log_odds, score.into()) as f32
    }

    /// Whether the result of a game that ended so is a value target.
    pub(super) fn value_counts(&self, reason: EndReason) -> bool {
        !self.drop_value_of.contains(&reason)
    }

    pub(super) fn result_counts(&self, result: GameResult) -> bool {
        match result.reason {
            None => true,
            Some(ResultReason::Sennichite) => self.value_counts(EndReason::Sennichite),
            Some(ResultReason::Declaration) => self.value_counts(EndReason::NyugyokuDeclaration),
            Some(ResultReason::MaxPlies) => self.value_counts(EndReason::MaxPlies),
        }
    }
}

/// Files to learn from.
#[derive(Debug)]
pub struct DataSet {
    pub(super) files: Vec<DataFile>,
    pub(super) reading: Reading,
    /// The file of each block and the block, in the order of the files.
    pub(super) blocks: Vec<(u32, Block)>,
}

impl DataSet {
    /// A set of files in their order.
    #[must_use]
    pub fn new(mut files: Vec<DataFile>, reading: Reading) -> Self {
        let mut blocks = Vec::new();
        for (number, file) in (0..).zip(&mut files) {
            blocks
                .extend(std::mem::take(&mut file.blocks).into_iter().map(|block| (number, block)));
        }
        Self { files, reading, blocks }
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &[DataFile] {
        &self.files
    }

    /// The rows of all files, where that is known without reading every record.
    #[must_use]
    pub fn rows(&self) -> Option<u64> {
        self.files.iter().map(DataFile::rows).sum()
    }

    /// Reads and decodes a block.
    pub(super) fn decode(&self, number: usize) -> Result<super::decode::Decoded, DataError> {
        let (file, block) = self.blocks[number];
        super::decode::decode(&self.files[file as usize], block, &self.reading)
    }
}
