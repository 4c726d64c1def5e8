use keiko_mcts::Wdl;
use keiko_play::Turn;
use keiko_replay::{ResignAudit, SearchKind, StartSource, StoredWdl};
use keiko_shogi::{Color, Game, MoveList};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Thresholds;
use crate::resignation::Watch;
use crate::settings::{OpeningChoice, Settings};
use crate::sources::Start;

/// What is kept with a game while it is played.
#[derive(Debug)]
pub(crate) struct GameState {
    pub(crate) index: u64,
    pub(crate) seed: u64,
    pub(crate) rng: Xoshiro256PlusPlus,
    pub(crate) source: StartSource,
    /// Random plies that this game begins with.
    pub(crate) opening_plies: u32,
    /// How each turn was searched; one more than the searched plies if the last turn ended the game.
    pub(crate) searches: Vec<SearchKind>,
    pub(crate) audit: ResignAudit,
    pub(crate) watch: Watch,
}

impl GameState {
    /// The state at the start, everything drawn that is drawn once a game, and the game after its opening moves.
    pub(crate) fn begin(index: u64, seed: u64, settings: &Settings, start: Start) -> (Self, Game) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let drawn_plies = rng.random_range(0..=settings.opening.max_plies);
        let played_on = rng.random::<f32>() < settings.resignation.played_out_share;
        let Start { mut game, source } = start;
        // Opening moves would lead past the end that the game is to be near to.
        let opening_plies =
            if matches!(source, StartSource::BeforeEnd { .. }) { 0 } else { drawn_plies };
        if settings.opening.choice == OpeningChoice::Uniform {
            random_opening(&mut game, opening_plies, &mut rng);
        }
        let audit = ResignAudit { played_on, black_ply: None, white_ply: None };
        let watch = Watch::new(&game);
        let searches = Vec::new();
        (Self { index, seed, rng, source, opening_plies, searches, audit, watch }, game)
    }

    /// Whether the side to move resigns, by what its search found. In a game that is played on it is only noted.
    pub(crate) fn resigns(
        &mut self,
        turn: Turn<'_>,
        Wdl { win, draw, loss }: Wdl,
        thresholds: &Thresholds,
        turns: u32,
    ) -> bool {
        // As it is stored, so that the audit of the record comes to the same.
        let score = StoredWdl::from_shares([win, draw, loss]).map_or(1.0, StoredWdl::score);
        if !self.watch.resigns(turn.game, score, thresholds, turns) {
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

/// Plays uniformly drawn moves. One that would end the game is taken back and is the end of the opening.
fn random_opening(game: &mut Game, plies: u32, rng: &mut Xoshiro256PlusPlus) {
    let mut moves = MoveList::new();
    for _ in 0..plies {
        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
        if game.end().is_some() {
            game.undo();
            break;
        }
    }
}
