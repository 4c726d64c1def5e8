//! A game as the window keeps it: what targets need, in few allocations.

use keiko_shogi::{Color, DrawValues, Game, Move, Outcome, Position, Rules};

use super::uses::Uses;
use crate::record::{GameRecord, PlyRecord, RecordError, SearchKind, UNIFORM};
use crate::settings::{FastPlies, Settings};
use crate::wdl::StoredWdl;

/// Plies from one kept position of a game to the next: rows are reached from there.
const KEPT_PLIES: usize = 16;

/// A game of the window.
#[derive(Debug)]
pub(crate) struct WindowGame {
    stream: Box<str>,
    index: u64,
    start: Position,
    move_number: u32,
    rules: Rules,
    draw_values: DrawValues,
    outcome: Outcome,
    value_counts: bool,
    moves: Box<[Move]>,
    /// The position before every [`KEPT_PLIES`]-th move, that of the start among them.
    kept: Box<[Position]>,
    rows: Box<[Row]>,
    uses: Uses,
    /// The policies of all rows, one after the other: moves and units of 1/65535.
    policies: Box<[(Move, u16)]>,
}

/// A ply that may be sampled.
#[derive(Clone, Copy, Debug)]
struct Row {
    ply: u16,
    search_value: Option<StoredWdl>,
    policy_end: u32,
}

/// What is learnt from one row; values and policy are for the side to move of its game.
#[derive(Debug)]
pub(crate) struct RowTarget<'w> {
    /// The row's position, with its game where that was asked for.
    pub(crate) place: Place,
    /// What draws were worth.
    pub(crate) draw_values: DrawValues,
    /// The result.
    pub(crate) outcome: Outcome,
    /// Whether the result is a value target.
    pub(crate) value_counts: bool,
    /// The search's value, unless no net had a part in it: then it says next to nothing.
    pub(crate) search_value: Option<StoredWdl>,
    /// The policy, in units of 1/65535; empty if it is no target.
    pub(crate) policy: &'w [(Move, u16)],
}

/// A position of a game.
#[expect(clippy::large_enum_variant, reason = "there is one at a time, on the stack")]
#[derive(Debug)]
pub(crate) enum Place {
    /// With the game up to it.
    Game(Game),
    /// Alone.
    Position(Position),
}

impl Place {
    pub(crate) fn position(&self) -> &Position {
        match self {
            Self::Game(game) => game.position(),
            Self::Position(position) => position,
        }
    }
}

impl WindowGame {
    pub(super) fn new(record: &GameRecord, settings: &Settings) -> Result<Self, RecordError> {
        let by_net = |ply: &PlyRecord| record.models[usize::from(ply.model)] != UNIFORM;
        let (start, move_number) = Position::from_sfen(&record.start)?;
        let mut rows = Vec::new();
        let mut policies = Vec::new();
        for (i, ply) in record.plies.iter().enumerate() {
            match (ply.search, settings.fast_plies) {
                (SearchKind::Full, _) => policies.extend_from_slice(ply.policy.pairs()),
                (SearchKind::Fast, FastPlies::ValueOnly) => {}
                (SearchKind::Fast, FastPlies::Skip) | (SearchKind::None, _) => continue,
            }
            rows.push(Row {
                ply: i as u16,
                search_value: by_net(ply).then_some(ply.root_wdl),
                policy_end: policies.len() as u32,
            });
        }
        let plies: Vec<u16> = rows.iter().map(|row| row.ply).collect();
        let mut kept = Vec::new();
        let mut position = start.clone();
        for (i, ply) in record.plies.iter().enumerate() {
            if i % KEPT_PLIES == 0 {
                kept.push(position.clone());
            }
            position.do_move(ply.mv);
        }
        Ok(Self {
            kept: kept.into(),
            stream: record.stream.as_str().into(),
            index: record.index,
            start,
            move_number,
            rules: record.rules,
            draw_values: record.draw_values,
            outcome: record.outcome,
            value_counts: !settings.drop_value_of.contains(&record.end)
                && !record.is_decided_by_fault(),
            moves: record.plies.iter().map(|ply| ply.mv).collect(),
            uses: Uses::new(record, &plies, settings.surprise_weight),
            rows: rows.into(),
            policies: policies.into(),
        })
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The row to which unit `unit` of the game's uses belongs, below [`UNITS`](super::UNITS) a row.
    pub(crate) fn row_of_unit(&self, unit: u64) -> u32 {
        self.uses.row(unit)
    }

    /// The units of row `row`.
    pub(crate) fn units(&self, row: u32) -> u64 {
        self.uses.of(row)
    }

    /// The game's stream, its number there, and the ply of row `row`.
    pub(crate) fn source(&self, row: u32) -> (&str, u64, u16) {
        (&self.stream, self.index, self.rows[row as usize].ply)
    }

    /// What is learnt from row `row`, below [`rows`](Self::rows); with its game if `with_game`, which takes longer.
    pub(crate) fn target(&self, row: u32, with_game: bool) -> RowTarget<'_> {
        let i = row as usize;
        let Row { ply, search_value, .. } = self.rows[i];
        let ply = usize::from(ply);
        let place = if with_game { self.game_at(ply) } else { self.position_at(ply) };
        RowTarget {
            place,
            draw_values: self.draw_values,
            outcome: self.outcome,
            value_counts: self.value_counts,
            search_value,
            policy: self.policy(i),
        }
    }

    /// The policy of the ply after row `row`, and who was to move there; empty if that ply was not searched with the
    /// full budget.
    pub(crate) fn reply(&self, row: u32) -> (&[(Move, u16)], Color) {
        let i = row as usize;
        let next = self.rows[i].ply + 1;
        let follows = self.rows.get(i + 1).is_some_and(|row| row.ply == next);
        let first = self.start.side_to_move();
        let mover = if next.is_multiple_of(2) { first } else { first.opponent() };
        (if follows { self.policy(i + 1) } else { &[] }, mover)
    }

    /// Plies from row `row` to the end of the game, and whether the end is a target.
    pub(crate) fn plies_left(&self, row: u32) -> (usize, bool) {
        (self.moves.len() - usize::from(self.rows[row as usize].ply), self.value_counts)
    }

    fn policy(&self, row: usize) -> &[(Move, u16)] {
        let start = row.checked_sub(1).map_or(0, |before| self.rows[before].policy_end);
        &self.policies[start as usize..self.rows[row].policy_end as usize]
    }

    fn game_at(&self, ply: usize) -> Place {
        let mut game = Game::new(self.start.clone(), self.move_number, self.rules);
        self.moves[..ply].iter().for_each(|&mv| game.play(mv));
        Place::Game(game)
    }

    fn position_at(&self, ply: usize) -> Place {
        let number = ply / KEPT_PLIES;
        let mut position = self.kept[number].clone();
        for &mv in &self.moves[number * KEPT_PLIES..ply] {
            position.do_move(mv);
        }
        Place::Position(position)
    }
}
