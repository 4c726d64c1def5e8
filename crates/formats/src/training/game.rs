use std::io::Read;

use keiko_shogi::{Color, Move, MoveList, Position};

use super::moves::Moves;
use super::position::legal;
use super::records::Records;
use super::{GameResult, TrainingDataError};
use crate::packed::{self, Packing};

/// Most moves of a game in hcpe3: dlshogi reads no more.
pub const MAX_PLIES: usize = 513;

/// Most candidates of a ply: no position has more legal moves.
pub const MAX_CANDIDATES: usize = 593;

/// A game with the visits of its searches: a record of dlshogi's hcpe3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedGame {
    /// Where it starts.
    pub start: Position,
    /// How it ended.
    pub result: GameResult,
    /// The side that another program played, whose plies have no candidates.
    pub opponent: Option<Color>,
    /// Its moves.
    pub plies: Vec<SearchedPly>,
}

/// A move of a [`SearchedGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedPly {
    /// The move that was played.
    pub mv: Move,
    /// What the search said of it, in centipawns for the side to move.
    pub score: i16,
    /// Moves that were visited, with their visits. There are none where nothing is to be learnt.
    pub candidates: Vec<(Move, u16)>,
}

pub(super) const HEADER_BYTES: usize = packed::BYTES + 4;

impl SearchedGame {
    /// Appends a record.
    ///
    /// # Errors
    /// A king is missing, or there are more moves or candidates than a record may have.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), TrainingDataError> {
        let plies = self.plies.len();
        if plies > MAX_PLIES {
            return Err(TrainingDataError::Plies(plies));
        }
        out.extend_from_slice(&Packing::Hcp.encode(&self.start)?);
        out.extend_from_slice(&(plies as u16).to_le_bytes());
        let opponent = self.opponent.map_or(0, |color| color.index() as u8 + 1);
        out.extend_from_slice(&[self.result.byte(), opponent]);
        for ply in &self.plies {
            let candidates = ply.candidates.len();
            if candidates > MAX_CANDIDATES {
                return Err(TrainingDataError::Candidates(candidates));
            }
            out.extend_from_slice(&ply.mv.to_bits().to_le_bytes());
            out.extend_from_slice(&ply.score.to_le_bytes());
            out.extend_from_slice(&(candidates as u16).to_le_bytes());
            for (mv, visits) in &ply.candidates {
                out.extend_from_slice(&mv.to_bits().to_le_bytes());
                out.extend_from_slice(&visits.to_le_bytes());
            }
        }
        Ok(())
    }
}

/// The games of a file, one after the other.
#[derive(Debug)]
pub struct GameReader<R> {
    records: Records<R>,
    /// Legal moves of the position at hand that are no candidates so far; empty between plies.
    unlisted: Moves,
}

impl<R: Read> GameReader<R> {
    /// Reads games from here on; a buffered source is much faster.
    pub fn new(source: R) -> Self {
        Self { records: Records::new(source), unlisted: Moves::default() }
    }

    /// Reads a game, without telling its place where it is wrong; nothing at the end.
    ///
    /// # Errors
    /// The data end within the game, or it breaks the rules or the format.
    pub fn read_one(&mut self) -> Result<Option<SearchedGame>, TrainingDataError> {
        read_game(&mut self.records, &mut self.unlisted)
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<SearchedGame, TrainingDataError>;

    /// The next game; nothing follows an error.
    fn next(&mut self) -> Option<Self::Item> {
        self.records.next(|records| read_game(records, &mut self.unlisted))
    }
}

fn read_game<R: Read>(
    records: &mut Records<R>,
    unlisted: &mut Moves,
) -> Result<Option<SearchedGame>, TrainingDataError> {
    let mut header = [0; HEADER_BYTES];
    match records.fill(&mut header)? {
        0 => return Ok(None),
        HEADER_BYTES => {}
        _ => return Err(TrainingDataError::Short),
    }
    let (start, rest) = header.split_first_chunk().ok_or(TrainingDataError::Short)?;
    let start = Packing::Hcp.decode(start)?;
    let plies = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
    if plies > MAX_PLIES {
        return Err(TrainingDataError::Plies(plies));
    }
    let result = GameResult::of_byte(rest[2])?;
    let opponent = match rest[3] {
        0 => None,
        1 => Some(Color::Black),
        2 => Some(Color::White),
        other => return Err(TrainingDataError::Opponent(other)),
    };
    let mut position = start.clone();
    let plies = (1..=plies)
        .map(|ply| {
            let read = read_ply(records, &position, unlisted);
            let read =
                read.map_err(|source| TrainingDataError::Ply { ply, source: Box::new(source) })?;
            position.do_move(read.mv);
            Ok(read)
        })
        .collect::<Result<_, TrainingDataError>>()?;
    Ok(Some(SearchedGame { start, result, opponent, plies }))
}

fn read_ply<R: Read>(
    records: &mut Records<R>,
    position: &Position,
    unlisted: &mut Moves,
) -> Result<SearchedPly, TrainingDataError> {
    let [m0, m1, s0, s1, c0, c1] = records.take()?;
    let mv = legal(position, u16::from_le_bytes([m0, m1]), Move::from_bits)?;
    let score = i16::from_le_bytes([s0, s1]);
    let count = usize::from(u16::from_le_bytes([c0, c1]));
    if count > MAX_CANDIDATES {
        return Err(TrainingDataError::Candidates(count));
    }
    let candidates = read_candidates(records, position, count, unlisted)?;
    Ok(SearchedPly { mv, score, candidates })
}

fn read_candidates<R: Read>(
    records: &mut Records<R>,
    position: &Position,
    count: usize,
    unlisted: &mut Moves,
) -> Result<Vec<(Move, u16)>, TrainingDataError> {
    let mut bytes = [0; 4 * MAX_CANDIDATES];
    let bytes = &mut bytes[..4 * count];
    if records.fill(bytes)? < bytes.len() {
        return Err(TrainingDataError::Short);
    }
    let mut candidates = Vec::with_capacity(count);
    if count == 0 {
        return Ok(candidates);
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    unlisted.extend(&moves);
    for &[m0, m1, v0, v1] in bytes.as_chunks().0 {
        let bits = u16::from_le_bytes([m0, m1]);
        match Move::from_bits(bits).filter(|&mv| unlisted.remove(mv)) {
            Some(mv) => candidates.push((mv, u16::from_le_bytes([v0, v1]))),
            None => {
                unlisted.clear(&moves);
                let mv = legal(position, bits, Move::from_bits)?;
                return Err(TrainingDataError::Repeated(mv));
            }
        }
    }
    unlisted.clear(&moves);
    Ok(candidates)
}
