use std::collections::{BTreeMap, BTreeSet};

use keiko_replay::{GameRecord, SearchKind};
use keiko_shogi::{EndReason, Outcome};

use crate::{GameClass, ResignCounts};

mod lessons;

pub use lessons::Lessons;

/// What the games of a generation look like.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    games: u64,
    plies: u64,
    full_searches: u64,
    ends: BTreeMap<&'static str, u64>,
    black_wins: u64,
    draws: u64,
    starts: BTreeMap<&'static str, u64>,
    played_on: u64,
    resignations: [ResignCounts; 3],
    distinct: BTreeSet<u64>,
    bad_games: u64,
    lessons: Lessons,
}

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.plies += record.plies.len() as u64;
        self.full_searches += u64::from(record.plies_searched(SearchKind::Full));
        *self.ends.entry(record.end.name()).or_default() += 1;
        *self.starts.entry(record.start_source.name()).or_default() += 1;
        match record.outcome {
            Outcome::BlackWins => self.black_wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::WhiteWins => {}
        }
        self.count_resignations(record);
        self.lessons.add(record);
        self.distinct.insert(moves_hash(record));
    }

    /// Counts a game whose record breaks the rules. It is no game in any other figure.
    pub fn add_bad(&mut self) {
        self.bad_games += 1;
    }

    /// In a game that is played on, the side that would have resigned first should lose.
    fn count_resignations(&mut self, record: &GameRecord) {
        let audit = &record.resign_audit;
        self.played_on += u64::from(audit.played_on);
        if record.end == EndReason::Resignation {
            self.counts_at(record, record.plies.len()).resigned += 1;
        }
        if !audit.played_on {
            return;
        }
        let (ply, loser_wins) = match (audit.black_ply, audit.white_ply) {
            (None, None) => return,
            (Some(black), Some(white)) if white < black => (white, Outcome::BlackWins),
            (None, Some(white)) => (white, Outcome::BlackWins),
            (Some(black), _) => (black, Outcome::WhiteWins),
        };
        let counts = self.counts_at(record, usize::from(ply));
        counts.would_resign += 1;
        counts.wrong += u64::from(record.outcome != loser_wins);
    }

    /// The counts of the class that the game of a record had after so many plies.
    fn counts_at(&mut self, record: &GameRecord, plies: usize) -> &mut ResignCounts {
        &mut self.resignations[GameClass::of_record(record, plies) as usize]
    }

    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Moves in all games, random opening moves included.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// Positions with a full search: those whose policy can be learnt.
    #[must_use]
    pub fn full_searches(&self) -> u64 {
        self.full_searches
    }

    /// Mean plies of a game; 0 without games.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Games by the name of their end reason.
    #[must_use]
    pub fn ends(&self) -> &BTreeMap<&'static str, u64> {
        &self.ends
    }

    /// Black's mean score, a draw counted as one half, 0 to 1; one half without games.
    #[must_use]
    pub fn black_score(&self) -> f64 {
        if self.games == 0 {
            return 0.5;
        }
        (self.black_wins as f64 + 0.5 * self.draws as f64) / self.games as f64
    }

    /// Share of games that were drawn, 0 to 1; 0 without games.
    #[must_use]
    pub fn draw_rate(&self) -> f64 {
        self.draws as f64 / self.games.max(1) as f64
    }

    /// Games that have the same start and moves as an earlier one.
    #[must_use]
    pub fn duplicates(&self) -> u64 {
        self.games - self.distinct.len() as u64
    }

    /// Games whose records break the rules.
    #[must_use]
    pub fn bad_games(&self) -> u64 {
        self.bad_games
    }

    /// Games that were played on past the resignation threshold, whether or not it was reached.
    #[must_use]
    pub fn played_on(&self) -> u64 {
        self.played_on
    }

    /// What resignation did to the games of a class, or would have done.
    #[must_use]
    pub fn resignations(&self, class: GameClass) -> ResignCounts {
        self.resignations[class as usize]
    }

    /// What they can teach the net that played them.
    #[must_use]
    pub fn lessons(&self) -> &Lessons {
        &self.lessons
    }

    /// Games by the name of their start's source.
    #[must_use]
    pub fn starts(&self) -> &BTreeMap<&'static str, u64> {
        &self.starts
    }
}

/// FNV-1a, 64 bits, over the start and the moves.
fn moves_hash(record: &GameRecord) -> u64 {
    let moves = record.plies.iter().flat_map(|ply| ply.mv.to_bits().to_le_bytes());
    record.start.bytes().chain([0]).chain(moves).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
