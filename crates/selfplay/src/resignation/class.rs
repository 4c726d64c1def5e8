use keiko_replay::GameRecord;
use keiko_shogi::{Color, Game, Position};

/// A game is long from so many plies on: half as long again as games between strong players.
pub const LONG_PLIES: u32 = 200;

/// Classes of games, as they stand when a side resigns or would. Each has a threshold and an audit of its own, so
/// that the many normal games cannot hide that resignation is wrong in the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameClass {
    /// None of the others. A game can leave this class and never comes back.
    Normal,
    /// [`LONG_PLIES`] or more have been played, and no king has been in the enemy camp.
    Long,
    /// A king is in the enemy camp or has been there.
    EnteringKing,
}

impl GameClass {
    /// All classes, in the order in which a game can go through them.
    pub const ALL: [Self; 3] = [Self::Normal, Self::Long, Self::EnteringKing];

    /// Its name, such as `entering_king`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Long => "long",
            Self::EnteringKing => "entering_king",
        }
    }

    /// The class of the game of a record after so many of its plies.
    pub(crate) fn of_record(record: &GameRecord, plies: usize) -> Self {
        let Ok(mut game) = record.start_game() else { return Self::Normal };
        let mut watch = ClassWatch::default();
        watch.see(game.position());
        for ply in record.plies.iter().take(plies) {
            game.play(ply.mv);
            watch.see(game.position());
        }
        watch.class(game.ply())
    }
}

/// What the class of a game follows from, position by position.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ClassWatch {
    has_entered: bool,
}

impl ClassWatch {
    /// Has seen every position of a game.
    pub(crate) fn of_game(game: &Game) -> Self {
        let mut watch = Self::default();
        let mut position = game.start().clone();
        watch.see(&position);
        for &mv in game.moves() {
            position.do_move(mv);
            watch.see(&position);
        }
        watch
    }

    /// Takes the next position of the game.
    pub(crate) fn see(&mut self, position: &Position) {
        self.has_entered |= is_king_inside(position);
    }

    /// The class of the game after so many plies.
    pub(crate) fn class(self, plies: u32) -> GameClass {
        match (self.has_entered, plies >= LONG_PLIES) {
            (true, _) => GameClass::EnteringKing,
            (false, true) => GameClass::Long,
            (false, false) => GameClass::Normal,
        }
    }
}

/// Whether a king of either side stands in the enemy camp.
pub(super) fn is_king_inside(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.has_entered(color))
}
