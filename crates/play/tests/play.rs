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

use keiko_mcts::{GumbelSettings, PuctSettings, Rescale, RootKind, SearchSettings};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, Position, Rules};

const DRAWS: DrawValues = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };

const RULES: Rules = Rules {
    impasse: ImpasseRule::None,
    declaration: Declaration::Manual,
    max_plies: Some(24),
    handicap: None,
};

const SEARCH: SearchSettings = SearchSettings {
    root: RootKind::Gumbel,
    mate_in_one: true,
    mate_in_three_nodes: 0,
    root_mate_nodes: 0,
    declaration: true,
    reuse_subtree: false,
    max_nodes: 1 << 10,
    gumbel: GumbelSettings {
        max_considered: 8,
        c_visit: 50.0,
        c_scale: 1.0,
        scale: 1.0,
        rescale: Rescale::None,
    },
    puct: PuctSettings {
        c_init: 1.25,
        c_base: 19652.0,
        fpu_reduction: 0.2,
        root_c_init: 1.25,
        root_c_base: 19652.0,
        root_fpu_reduction: 0.0,
        dirichlet_alpha: 0.15,
        dirichlet_fraction: 0.25,
        policy_temperature: 1.0,
    },
};

fn game(sfen: &str, impasse: ImpasseRule) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, Rules { impasse, ..RULES })
}
