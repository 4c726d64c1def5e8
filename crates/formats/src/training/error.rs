use std::io;

use thiserror::Error;

use crate::packed::PackedError;

/// Why training data cannot be read or written.
#[derive(Debug, Error)]
pub enum TrainingDataError {
    /// The bytes cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The data end within a record.
    #[error("the data end in the middle of it")]
    Short,
    /// A position is none.
    #[error("the position: {0}")]
    Position(#[from] PackedError),
    /// The bits of a move are no legal move of its position.
    #[error("{bits:#06x} is no legal move in {sfen}")]
    Move {
        /// The bits.
        bits: u16,
        /// The position.
        sfen: String,
    },
    /// A candidate is there twice.
    #[error("the candidate {0} is there twice")]
    Repeated(keiko_shogi::Move),
    /// The byte of the result has an unknown value.
    #[error("the result {0:#04x} is unknown")]
    Result(u8),
    /// The byte of the opponent has an unknown value.
    #[error("the opponent {0} is unknown: expected 0, 1 or 2")]
    Opponent(u8),
    /// There are more candidates than any position has moves.
    #[error("{0} candidates are more than any position has moves")]
    Candidates(usize),
    /// There are more moves than a record may have.
    #[error("{0} moves are more than a record of hcpe3 may have ({max})", max = super::MAX_PLIES)]
    Plies(usize),
    /// A ply of a game is wrong.
    #[error("ply {ply}: {source}")]
    Ply {
        /// Its number in the record, from 1.
        ply: usize,
        /// What is wrong.
        source: Box<TrainingDataError>,
    },
    /// A record of a file is wrong.
    #[error("record {number}, at byte {offset}: {source}")]
    Record {
        /// Its number, from 1.
        number: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        source: Box<TrainingDataError>,
    },
}
