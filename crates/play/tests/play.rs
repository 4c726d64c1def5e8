//! Groups and single searches over backends whose answers are known.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[path = "play/backends.rs"]
mod backends;
#[path = "play/director.rs"]
mod director;
#[path = "play/endings.rs"]
mod endings;
#[path = "play/lockstep.rs"]
mod lockstep;
#[path = "play/thinking.rs"]
mod thinking;

use keiko_mcts::{GumbelSettings, SearchSettings};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, Position, Rules};

const DRAWS: DrawValues = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };

const RULES: Rules = Rules {
    impasse: ImpasseRule::None,
    declaration: Declaration::Manual,
    max_plies: Some(24),
    handicap: None,
};

const SEARCH: SearchSettings = SearchSettings {
    mate_in_one: true,
    declaration: true,
    max_nodes: 1 << 10,
    gumbel: GumbelSettings { max_considered: 8, ..GumbelSettings::PAPER },
    ..SearchSettings::BARE
};

fn game(sfen: &str, impasse: ImpasseRule) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, Rules { impasse, ..RULES })
}
