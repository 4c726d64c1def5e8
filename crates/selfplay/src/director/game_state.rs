use keiko_play::{ResignWatch, Resignation, Turn};
use keiko_replay::{ResignAudit, SearchKind};
use keiko_shogi::{Color, Game, MoveList};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::settings::{OpeningChoice, Settings};

/// What is kept with a game while it is played.
#[derive(Debug)]
pub(crate) struct GameState {
    pub(crate) index: u64,
    pub(crate) seed: u64,
    pub(crate) rng: Xoshiro256PlusPlus,
    /// Random plies that this game begins with.
    pub(crate) opening_plies: u32,
    /// How each turn was searched; one more than the searched plies if the last turn ended the game.
    pub(crate) searches: Vec<SearchKind>,
    pub(crate) audit: ResignAudit,
    watch: ResignWatch,
}

impl GameState {
    /// The state at the start: everything that is drawn once a game.
    pub(crate) fn new(index: u64, seed: u64, settings: &Settings) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let opening_plies = rng.random_range(0..=settings.opening.max_plies);
        let played_on = rng.random::<f32>() < settings.resignation.played_out_share;
        let audit = ResignAudit { played_on, black_ply: None, white_ply: None };
        let watch = ResignWatch::default();
        Self { index, seed, rng, opening_plies, searches: Vec::new(), audit, watch }
    }

    /// The start with this game's uniformly drawn opening moves played. A move that would end the game is
    /// taken back and is the end of the opening.
    pub(crate) fn random_opening(&mut self, start: &Game, choice: OpeningChoice) -> Game {
        let mut game = start.clone();
        if choice == OpeningChoice::Policy {
            return game;
        }
        let mut moves = MoveList::new();
        for _ in 0..self.opening_plies {
            moves.clear();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[self.rng.random_range(0..moves.len())]);
            if game.end().is_some() {
                game.undo();
                break;
            }
        }
        game
    }

    /// Whether the side to move resigns. In a game that is played on it is only noted.
    pub(crate) fn resigns(&mut self, turn: Turn<'_>, score: f32, rule: &Resignation) -> bool {
        if !self.watch.observe(turn.side(), score, rule) {
            return false;
        }
        let ply = u16::try_from(turn.game.ply()).unwrap_or(u16::MAX);
        let noted = match turn.side() {
            Color::Black => &mut self.audit.black_ply,
            Color::White => &mut self.audit.white_ply,
        };
        noted.get_or_insert(ply);
        !self.audit.played_on
    }
}
