//! The rules of an event.

use crate::{Declaration, Handicap, ImpasseRule};

/// The rules in force in a game, beyond those of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What decides a game of entering kings.
    pub impasse: ImpasseRule,
    /// How a win by the impasse rule is claimed.
    pub declaration: Declaration,
    /// The game is a draw after this many plies since its start; `None` for no limit.
    pub max_plies: Option<u16>,
    /// The handicap, whose points given away are credited to White in a count; `None` for an even
    /// game.
    pub handicap: Option<Handicap>,
}

impl Rules {
    /// Declaration by 27 points, made by the players; no limit of plies, no handicap.
    pub const STANDARD: Rules = Rules {
        impasse: ImpasseRule::Csa27,
        declaration: Declaration::Manual,
        max_plies: None,
        handicap: None,
    };
}
