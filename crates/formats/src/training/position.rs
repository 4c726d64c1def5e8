use std::io::Read;

use keiko_shogi::{Color, Move, Outcome, Position};

use super::records::Records;
use super::{GameResult, TrainingDataError, yaneuraou};
use crate::packed::{self, Packing};

/// A position with the value a search gave it, and how its game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedPosition {
    /// The position.
    pub position: Position,
    /// The number of the next move in its game, from 1; psv has it.
    pub move_number: Option<u16>,
    /// Its value in centipawns, for the side to move.
    pub score: i16,
    /// The best move, or the one that was played; none where there is none.
    pub best: Option<Move>,
    /// How the game ended.
    pub result: GameResult,
}

/// A format of records of one position each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionFormat {
    /// Apery's and dlshogi's `HuffmanCodedPosAndEval`, with hcpe2's reasons in the byte of the result.
    Hcpe,
    /// YaneuraOu's `PackedSfenValue`.
    Psv,
}

impl PositionFormat {
    /// Bytes of a record.
    pub const fn record_bytes(self) -> usize {
        match self {
            PositionFormat::Hcpe => packed::BYTES + 6,
            PositionFormat::Psv => packed::BYTES + 8,
        }
    }

    /// Appends a record. psv keeps no reason of the end, hcpe no move number (psv has 1 where it is not known).
    ///
    /// # Errors
    /// A king is missing.
    pub fn write(self, it: &EvaluatedPosition, out: &mut Vec<u8>) -> Result<(), TrainingDataError> {
        let bits = |of: fn(Move) -> u16| it.best.map_or(0, of).to_le_bytes();
        match self {
            PositionFormat::Hcpe => {
                out.extend_from_slice(&Packing::Hcp.encode(&it.position)?);
                out.extend_from_slice(&it.score.to_le_bytes());
                out.extend_from_slice(&bits(Move::to_bits));
                out.extend_from_slice(&[it.result.byte(), 0]);
            }
            PositionFormat::Psv => {
                out.extend_from_slice(&Packing::PackedSfen.encode(&it.position)?);
                out.extend_from_slice(&it.score.to_le_bytes());
                out.extend_from_slice(&bits(yaneuraou::to_bits));
                out.extend_from_slice(&it.move_number.unwrap_or(1).to_le_bytes());
                let side = it.position.side_to_move();
                let result: i8 = match it.result.outcome.winner() {
                    Some(winner) if winner == side => 1,
                    Some(_) => -1,
                    None => 0,
                };
                out.extend_from_slice(&[result.to_le_bytes()[0], 0]);
            }
        }
        Ok(())
    }

    /// Reads a record. The last byte may be anything.
    ///
    /// # Errors
    /// The bytes are too few, or no position with a legal move and a result.
    pub fn read(self, bytes: &[u8]) -> Result<EvaluatedPosition, TrainingDataError> {
        if bytes.len() != self.record_bytes() {
            return Err(TrainingDataError::Short);
        }
        let (start, rest) = bytes.split_first_chunk().ok_or(TrainingDataError::Short)?;
        let number = |at: usize| u16::from_le_bytes([rest[at], rest[at + 1]]);
        let score = number(0) as i16;
        match self {
            PositionFormat::Hcpe => {
                let position = Packing::Hcp.decode(start)?;
                let best = best(&position, number(2), Move::from_bits)?;
                let result = GameResult::of_byte(rest[4])?;
                Ok(EvaluatedPosition { position, move_number: None, score, best, result })
            }
            PositionFormat::Psv => {
                let position = Packing::PackedSfen.decode(start)?;
                let best = best(&position, number(2), yaneuraou::from_bits)?;
                let outcome = outcome(rest[6], position.side_to_move())?;
                let result = GameResult { outcome, reason: None };
                let move_number = Some(number(4));
                Ok(EvaluatedPosition { position, move_number, score, best, result })
            }
        }
    }
}

/// The move with these bits, none for 0, if it is legal.
fn best(
    position: &Position,
    bits: u16,
    of: fn(u16) -> Option<Move>,
) -> Result<Option<Move>, TrainingDataError> {
    if bits == 0 { Ok(None) } else { legal(position, bits, of).map(Some) }
}

/// The legal move with these bits.
pub(super) fn legal(
    position: &Position,
    bits: u16,
    of: fn(u16) -> Option<Move>,
) -> Result<Move, TrainingDataError> {
    of(bits)
        .filter(|&mv| position.is_legal(mv))
        .ok_or_else(|| TrainingDataError::Move { bits, sfen: position.to_sfen(1) })
}

/// psv's result, which is of the side to move.
fn outcome(byte: u8, side: Color) -> Result<Outcome, TrainingDataError> {
    match i8::from_le_bytes([byte]) {
        1 => Ok(Outcome::win_for(side)),
        0 => Ok(Outcome::Draw),
        -1 => Ok(Outcome::win_for(!side)),
        _ => Err(TrainingDataError::Result(byte)),
    }
}

/// The records of a file, one after the other.
#[derive(Debug)]
pub struct PositionReader<R> {
    format: PositionFormat,
    records: Records<R>,
}

impl<R: Read> PositionReader<R> {
    /// Reads records from here on; a buffered source is much faster.
    pub fn new(format: PositionFormat, source: R) -> Self {
        Self { format, records: Records::new(source) }
    }
}

impl<R: Read> Iterator for PositionReader<R> {
    type Item = Result<EvaluatedPosition, TrainingDataError>;

    /// The next record; nothing follows an error.
    fn next(&mut self) -> Option<Self::Item> {
        let format = self.format;
        self.records.next(|records| {
            let mut record = [0; 40];
            let record = &mut record[..format.record_bytes()];
            match records.fill(record)? {
                0 => Ok(None),
                read => format.read(&record[..read]).map(Some),
            }
        })
    }
}
