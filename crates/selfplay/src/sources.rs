//! What games begin from.

mod book;
mod past;
mod shuffled;

pub use book::{Book, BookError};
pub use past::PastGames;

use keiko_replay::StartSource;
use keiko_shogi::{Game, Rules};
use rand::{Rng, RngExt};

use crate::settings::Starts;
use shuffled::Shuffled;

/// What the games of a generation may begin from, fixed before the first of them does.
#[derive(Debug, Default)]
pub struct Sources {
    /// The opening book, if there is one.
    pub book: Option<Book>,
    /// Games that others may go on from.
    pub past: PastGames,
}

/// Where a game begins.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) game: Game,
    pub(crate) source: StartSource,
}

impl Sources {
    /// The start of a game, drawn by its own random numbers.
    pub(crate) fn draw(&self, starts: &Starts, rules: Rules, rng: &mut impl Rng) -> Start {
        let mut point = rng.random::<f32>();
        let mut falls_in = |share: f32| {
            point -= share;
            point < 0.0
        };
        let drawn = if falls_in(starts.book) {
            self.book.as_ref().map(|book| book.draw(rules, rng))
        } else if falls_in(starts.shuffled) {
            Some(shuffled(rules, rng))
        } else if falls_in(starts.fork) {
            self.past.fork(rules, rng)
        } else if falls_in(starts.before_end) {
            self.past.before_end(starts.before_end_plies, rules, rng)
        } else {
            None
        };
        drawn.unwrap_or_else(|| ordinary(rules))
    }
}

fn ordinary(rules: Rules) -> Start {
    let source = match rules.handicap {
        Some(_) => StartSource::Handicap,
        None => StartSource::Standard,
    };
    Start { game: Game::startpos(rules), source }
}

fn shuffled(rules: Rules, rng: &mut impl Rng) -> Start {
    let shuffled = Shuffled::draw(rng);
    let source = StartSource::Shuffled { number: shuffled.number() };
    Start { game: Game::new(shuffled.position(), 1, rules), source }
}
