//! Rows in few allocations.

use keiko_encoding::{EncodingId, encode, encode_position, label};
use keiko_shogi::{Game, Move, MoveList, Outcome, Position};

use super::Reading;
use crate::batch::{RowSlot, outcome_wdl};

/// Rows as they are kept until a batch takes them.
#[derive(Debug)]
pub(super) struct Rows {
    encoding: EncodingId,
    bytes: Vec<u8>,
    /// Labels of the legal moves of all rows, one after the other.
    legal: Vec<u16>,
    /// Labels of the moves to learn with their visits.
    policy: Vec<(u16, u16)>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    legal_end: u32,
    policy_end: u32,
    /// Sum of the visits; 0 if there is no policy to learn.
    visits: u32,
    /// Win, draw and loss of the side to move by the game's result.
    result: [f32; 3],
    value_counts: bool,
    /// The win rate that a search gave, 0..=1.
    win_rate: Option<f32>,
}

/// What is learnt from a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'t> {
    /// Legal moves and their visits; without any, or with a sum of 0, no policy is learnt.
    pub(super) policy: &'t [(Move, u16)],
    pub(super) outcome: Outcome,
    pub(super) value_counts: bool,
    /// A search's score of the position in centipawns, for the side to move.
    pub(super) score: Option<i16>,
}

impl Rows {
    pub(super) fn new(encoding: EncodingId) -> Self {
        Self {
            encoding,
            bytes: Vec::new(),
            legal: Vec::new(),
            policy: Vec::new(),
            rows: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Makes room for so many more rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.bytes.reserve(rows * self.encoding.row_bytes());
        self.rows.reserve(rows);
    }

    /// Adds a position whose game is not known.
    pub(super) fn push_position(
        &mut self,
        reading: &Reading,
        position: &Position,
        move_number: u32,
        target: Target<'_>,
    ) {
        if reading.encoding.scalars() > 0 {
            let game = Game::new(position.clone(), move_number, reading.rules);
            self.push_game(reading, &game, target);
        } else {
            let row = self.grow();
            encode_position(reading.encoding, position, row);
            self.push_target(reading, position, target);
        }
    }

    /// Adds the current position of a game.
    pub(super) fn push_game(&mut self, reading: &Reading, game: &Game, target: Target<'_>) {
        encode(reading.encoding, game, &reading.context(), self.grow());
        self.push_target(reading, game.position(), target);
    }

    /// The bytes of a new row.
    fn grow(&mut self) -> &mut [u8] {
        let start = self.bytes.len();
        self.bytes.resize(start + self.encoding.row_bytes(), 0);
        &mut self.bytes[start..]
    }

    fn push_target(&mut self, reading: &Reading, position: &Position, target: Target<'_>) {
        let side = position.side_to_move();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        self.legal.extend(moves.iter().map(|&mv| label(mv, side)));
        let visits = target.policy.iter().map(|&(_, visits)| u32::from(visits)).sum();
        if visits > 0 {
            let policy = target.policy.iter().filter(|&&(_, visits)| visits > 0);
            self.policy.extend(policy.map(|&(mv, visits)| (label(mv, side), visits)));
        }
        self.rows.push(Row {
            legal_end: self.legal.len() as u32,
            policy_end: self.policy.len() as u32,
            visits,
            result: outcome_wdl(target.outcome, side).shares(),
            value_counts: target.value_counts,
            win_rate: target.score.map(|score| reading.win_rate(score)),
        });
    }

    /// Copies row `number` into a batch, with a share `search_value` of the search's win rate in the value target.
    pub(super) fn fill(&self, number: usize, search_value: f32, slot: &mut RowSlot<'_>) {
        let row = self.rows[number];
        let start = |end: fn(&Row) -> u32| {
            number.checked_sub(1).map_or(0, |before| end(&self.rows[before])) as usize
        };
        let row_bytes = self.encoding.row_bytes();
        slot.bytes.copy_from_slice(&self.bytes[number * row_bytes..][..row_bytes]);
        let legal = &self.legal[start(|row| row.legal_end)..row.legal_end as usize];
        for &label in legal {
            slot.allow(label);
        }
        let policy = &self.policy[start(|row| row.policy_end)..row.policy_end as usize];
        for &(label, visits) in policy {
            slot.learn(label, f32::from(visits) / row.visits as f32);
        }
        let searched = row.win_rate.map_or(row.result, |rate| [rate, 0.0, 1.0 - rate]);
        for ((wdl, result), searched) in slot.wdl.iter_mut().zip(row.result).zip(searched) {
            *wdl = (1.0 - search_value) * result + search_value * searched;
        }
        *slot.policy_weight = if row.visits > 0 { 1.0 } else { 0.0 };
        *slot.value_weight = if row.value_counts { 1.0 } else { 0.0 };
    }
}
