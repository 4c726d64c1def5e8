use keiko_replay::{GameRecord, StartSource};
use keiko_shogi::{Game, Move, Outcome, Position, Rules};
use rand::{Rng, RngExt};

use super::Start;

/// Earlier games that others may go on from.
///
/// A game that goes on from another one plays that one's moves first: repetition and the maximum of plies count
/// from where it began. Games that went on from an earlier one themselves are left out, so that a game stands
/// for no more than its own share.
#[derive(Debug, Default)]
pub struct PastGames {
    games: Vec<PastGame>,
    /// Places of the games that were won.
    won: Vec<u32>,
}

#[derive(Debug)]
struct PastGame {
    stream: Box<str>,
    index: u64,
    start: Box<str>,
    moves: Box<[Move]>,
}

impl PastGames {
    /// Takes a game, unless it has no position between its start and its end.
    pub fn add(&mut self, record: &GameRecord) {
        if record.plies.len() < 2 || record.start_source.earlier_game().is_some() {
            return;
        }
        if record.outcome != Outcome::Draw {
            self.won.push(self.games.len() as u32);
        }
        self.games.push(PastGame {
            stream: record.stream.as_str().into(),
            index: record.index,
            start: record.start.as_str().into(),
            moves: record.plies.iter().map(|ply| ply.mv).collect(),
        });
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// From any of the games, at any ply between its start and its end.
    pub(super) fn fork(&self, rules: Rules, rng: &mut impl Rng) -> Option<Start> {
        if self.games.is_empty() {
            return None;
        }
        let game = &self.games[rng.random_range(0..self.games.len())];
        let ply = rng.random_range(1..game.moves.len());
        let (stream, index) = (game.stream.to_string(), game.index);
        let source = StartSource::Branch { stream, index, ply: ply as u16 };
        Some(Start { game: game.at(ply, rules)?, source })
    }

    /// From any of the games that were won, 1 to `most` plies before its end.
    pub(super) fn before_end(&self, most: u32, rules: Rules, rng: &mut impl Rng) -> Option<Start> {
        if self.won.is_empty() {
            return None;
        }
        let place = self.won[rng.random_range(0..self.won.len())];
        let game = &self.games[place as usize];
        let plies = game.moves.len();
        let ply = plies - rng.random_range(1..=(most as usize).min(plies - 1));
        let (stream, index) = (game.stream.to_string(), game.index);
        let source = StartSource::BeforeEnd { stream, index, ply: ply as u16 };
        Some(Start { game: game.at(ply, rules)?, source })
    }
}

impl PastGame {
    /// The game after `ply` moves, unless it is over there by rules that it was not played by.
    fn at(&self, ply: usize, rules: Rules) -> Option<Game> {
        let (position, move_number) = Position::from_sfen(&self.start).ok()?;
        let mut game = Game::new(position, move_number, rules);
        for &mv in &self.moves[..ply] {
            if game.end().is_some() {
                return None;
            }
            game.play(mv);
        }
        game.end().is_none().then_some(game)
    }
}
