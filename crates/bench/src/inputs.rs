//! What the work is done on.

use keiko_shogi::{Game, Move, MoveList, Position, Rules};

use crate::{RandomGame, random_games};

/// The positions of the work, one SFEN a line: 500 of played games, then 500 of random ones.
pub const POSITIONS: &str = concat!(
    include_str!("../../../data/bench/games.sfen"),
    include_str!("../../../data/bench/random.sfen")
);

/// Everything read and prepared, so that it takes no time of the work.
#[derive(Debug)]
pub struct Inputs {
    /// The positions.
    pub positions: Vec<Position>,
    /// The same as games without moves.
    pub games: Vec<Game>,
    /// Their legal moves.
    pub moves: Vec<Vec<Move>>,
    /// Random games from the even start.
    pub playouts: Vec<RandomGame>,
}

impl Inputs {
    /// Number of the random games.
    pub const PLAYOUTS: usize = 200;
    /// Seed of the random games.
    pub const PLAYOUT_SEED: u64 = 0x0070_6c61_796f_7574;

    /// SFENs of the positions.
    pub fn sfens() -> impl Iterator<Item = &'static str> {
        POSITIONS.lines().filter(|line| !line.starts_with('#'))
    }

    /// Prepares everything, which takes some tenths of a second.
    pub fn new() -> Inputs {
        let positions: Vec<Position> = Inputs::sfens().map(position).collect();
        let games = positions
            .iter()
            .map(|position| Game::new(position.clone(), 1, Rules::STANDARD))
            .collect();
        let moves = positions
            .iter()
            .map(|position| {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                moves.to_vec()
            })
            .collect();
        let playouts = random_games(Inputs::PLAYOUTS, Inputs::PLAYOUT_SEED);
        Inputs { positions, games, moves, playouts }
    }
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("the positions are right").0
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs::new()
    }
}
