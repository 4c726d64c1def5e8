//! Games in lockstep on one thread, over a backend that knows nothing.

use keiko_inference::{
    Backend, BackendError, EncodingId, RequestBatch, ResponseBatch, Ticket, Uniform,
};
use keiko_mcts::{Noise, RootSummary, SearchLimit, SearchSettings};
use keiko_play::{
    Activity, Decision, Director, FinishedGame, Group, GroupSettings, NewGame, Next, Player, Turn,
};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, MoveList, Rules};

use crate::Done;
use crate::games::{below, next};
use crate::settings::SEARCH;

/// How games are searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lockstep {
    /// Simulations of every move.
    simulations: u32,
    /// Games, all of which are in play at the same time.
    games: usize,
    planes: bool,
    mate_in_one: bool,
    mate_in_three_nodes: u32,
}

impl Lockstep {
    pub(crate) const PLAIN_N16: Self = Self {
        simulations: 16,
        games: 32,
        planes: false,
        mate_in_one: false,
        mate_in_three_nodes: 0,
    };
    pub(crate) const PLAIN_N200: Self = Self { simulations: 200, games: 8, ..Self::PLAIN_N16 };
    pub(crate) const PLANES_MATE1_N16: Self =
        Self { planes: true, mate_in_one: true, ..Self::PLAIN_N16 };
    pub(crate) const MATE3_N16: Self = Self { mate_in_three_nodes: 100, ..Self::PLANES_MATE1_N16 };

    fn search(self) -> SearchSettings {
        let Self { mate_in_one, mate_in_three_nodes, .. } = self;
        SearchSettings { mate_in_one, mate_in_three_nodes, ..SEARCH }
    }
}

/// The rules of the games.
const RULES: Rules = Rules {
    impasse: ImpasseRule::Csa27,
    declaration: Declaration::Automatic,
    max_plies: Some(320),
    handicap: None,
};
/// Random moves before the first search.
const OPENING_PLIES: usize = 8;
/// Rows of a batch.
const BATCH_ROWS: usize = 32;

/// Plays all games to their end.
pub(crate) fn play(lockstep: Lockstep) -> Done {
    let director = Games {
        left: lockstep.games,
        random: 1,
        done: Done { result: 0, units: 0 },
        simulations: lockstep.simulations,
    };
    let player = Player { backend: 0, search: lockstep.search() };
    let sizes =
        GroupSettings { slots: lockstep.games, batch_shape: BATCH_ROWS, jishogi_threshold: 0.0 };
    let mut group = Group::new(director, vec![player], sizes);
    let uniform = Uniform::new(EncodingId::Dlshogi119);
    let mut backends: [Box<dyn Backend>; 1] =
        [if lockstep.planes { Box::new(Reader(uniform)) } else { Box::new(uniform) }];
    while group.step(&mut backends).expect("the games are legal") != Activity::Finished {}
    let Done { result, units } = group.director().done;
    Done { result: result.rotate_left(7) ^ group.counts().evaluations, units }
}

/// Plays the best moves.
struct Games {
    left: usize,
    random: u64,
    simulations: u32,
    /// A checksum of all moves, and the simulations.
    done: Done,
}

impl Director for Games {
    type State = ();

    fn next_game(&mut self) -> Next<()> {
        if self.left == 0 {
            return Next::Never;
        }
        self.left -= 1;
        let mut game = Game::startpos(RULES);
        let mut moves = MoveList::new();
        for _ in 0..OPENING_PLIES {
            moves.clear();
            game.legal_moves(&mut moves);
            game.play(moves[below(&mut self.random, moves.len())]);
        }
        let seed = next(&mut self.random);
        Next::Game(Box::new(NewGame {
            game,
            seats: [0, 0],
            search_seeds: [seed; 2],
            draw_values: DrawValues::HALF,
            state: (),
        }))
    }

    fn limit(&mut self, (): &mut (), _: Turn<'_>) -> SearchLimit {
        SearchLimit { simulations: self.simulations, noise: Noise::On }
    }

    fn decide(&mut self, (): &mut (), _: Turn<'_>, summary: &RootSummary) -> Decision {
        let Done { result, units } = &mut self.done;
        *result = result.rotate_left(7) ^ u64::from(summary.best.to_bits());
        *units += u64::from(summary.simulations);
        Decision::Play(summary.best)
    }

    fn finished(&mut self, _: FinishedGame<()>) {}
}

/// Knows as little, but is given the rows of the positions.
#[derive(Debug)]
struct Reader(Uniform);

impl Backend for Reader {
    fn encoding(&self) -> EncodingId {
        self.0.encoding()
    }

    fn name(&self) -> String {
        self.0.name()
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        self.0.submit(batch)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.0.collect(ticket)
    }
}
