use keiko_shogi::{Game, Move, MoveList};

use super::attack::Attack;
use super::memory::Memory;
use super::numbers::FREE;
use super::table::Table;
use super::tsume::Tsume;
use super::visit::Visit;
use super::{MateAnswer, MateLimits};

/// Searches mates by checks alone.
///
/// Its memory is used again by every search, but no search knows of another: the answer depends on the
/// game, the limits and the size of the table only.
#[derive(Clone, Debug)]
pub struct MateSolver {
    memory: Memory,
    nodes: u64,
}

/// What a search found; the line of a mate is in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Mate,
    NoMate,
    Unknown,
}

impl MateSolver {
    /// A solver whose table has at least this many entries, of 48 bytes each. As many as a search has
    /// nodes are plenty; with few a search is slower, not wrong.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let memory = Memory {
            table: Table::new(entries),
            children: Vec::new(),
            moves: MoveList::new(),
            replies: Vec::new(),
            line: Vec::new(),
            best: Vec::new(),
        };
        Self { memory, nodes: 0 }
    }

    /// Looks for a mate by the side to move. A line in which the game ends otherwise is none: by
    /// repetition over its full history, at the maximum of plies, by a try or a declaration. Whether
    /// the game is over already is not looked at. The game is left as it was.
    pub fn solve(&mut self, game: &mut Game, limits: MateLimits) -> MateAnswer {
        self.solve_while(game, limits, || true)
    }

    /// As [`solve`](Self::solve), while `goes_on` says so, which is asked once in about a thousand
    /// nodes. The answer is what has been found by then.
    pub fn solve_while(
        &mut self,
        game: &mut Game,
        limits: MateLimits,
        mut goes_on: impl FnMut() -> bool,
    ) -> MateAnswer {
        match self.run(game, limits, &mut goes_on) {
            Found::Mate => MateAnswer::Mate { line: self.memory.best.clone() },
            Found::NoMate => MateAnswer::NoMate,
            Found::Unknown => MateAnswer::Unknown,
        }
    }

    /// The first move of the line that [`solve`](Self::solve) gives, if there is one.
    pub fn first_move(&mut self, game: &mut Game, limits: MateLimits) -> Option<Move> {
        match self.run(game, limits, &mut || true) {
            Found::Mate => self.memory.best.first().copied(),
            Found::NoMate | Found::Unknown => None,
        }
    }

    /// As [`solve`](Self::solve), with the plies counted as problem books do: a drop that the checking
    /// piece takes at once, and mates no later for it, is left out of the line. The count may take as
    /// many nodes as the search, and gives up on mates of more than 299 plies.
    pub fn solve_as_problem(&mut self, game: &mut Game, limits: MateLimits) -> MateAnswer {
        // By this count a mate can be shorter than it is, so that its limit says nothing to the search.
        let all = MateLimits { plies: MateLimits::MAX_PLIES, ..limits };
        match self.solve(game, all) {
            MateAnswer::Mate { line } => {
                let plies = limits.plies.min(line.len() as u16);
                Tsume::new(game.position().clone(), limits.nodes).solve(plies)
            }
            answer => answer,
        }
    }

    /// Moves played in the last search, its confirmation included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn run(
        &mut self,
        game: &mut Game,
        limits: MateLimits,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Found {
        let memory = &mut self.memory;
        memory.table.begin_search();
        memory.best.clear();
        self.nodes = 0;
        let max_plies = game.rules().max_plies.map_or(u32::MAX, u32::from);
        let plies = u32::from(limits.plies.min(MateLimits::MAX_PLIES))
            .min(max_plies.saturating_sub(game.ply())) as u16;
        if plies == 0 {
            return Found::Unknown;
        }
        if let Some(mv) = game.position().mate_in_one() {
            memory.best.push(mv);
            return Found::Mate;
        }
        let mut attack = Attack {
            attacker: game.position().side_to_move(),
            root_ply: game.ply(),
            game,
            memory,
            goes_on,
            plies,
            bounded: false,
            nodes: 0,
            max_nodes: limits.nodes,
            is_stopped: false,
            is_cancelled: false,
        };
        let numbers = attack.prove(Visit::ROOT);
        let refuted = numbers.is_refuted() && numbers.hangs_on == FREE;
        if numbers.is_mate() {
            attack.shorten();
        }
        self.nodes = attack.nodes;
        if !self.memory.best.is_empty() {
            Found::Mate
        } else if refuted {
            Found::NoMate
        } else {
            Found::Unknown
        }
    }
}
