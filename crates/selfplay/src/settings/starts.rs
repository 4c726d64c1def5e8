use serde::{Deserialize, Serialize};

use super::SettingsError;

/// Shares of the games that begin elsewhere than from the ordinary start, each 0 to 1, together at most 1.
///
/// Which source a game has is drawn from its own seed alone, and so are the line, the position and the game that
/// it gets, each as likely as any other: shares do not depend on how long games take. A game whose source has
/// nothing to offer begins from the ordinary start, and its record says so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Starts {
    /// From a line of the opening book.
    pub book: f32,
    /// The opening book: a list of SFENs or USI moves, a line each, or with the extension `.hcp` positions of 32
    /// bytes. Needed where `book` is above 0, otherwise of no meaning.
    pub book_file: String,
    /// From a position with the pieces behind the pawns shuffled, alike for both sides.
    pub shuffled: f32,
    /// From any position of a game of the newest ingested generation. KataGo: 0.05.
    pub fork: f32,
    /// From a position shortly before the end of a game of the newest ingested generation that was won. No
    /// opening moves are drawn there.
    pub before_end: f32,
    /// How many plies before the end: 1 to this many, all equally likely.
    pub before_end_plies: u32,
}

/// Shares are sums of decimal fractions.
const ROUNDING: f32 = 1e-5;

impl Starts {
    /// All games begin from the ordinary start.
    pub const ORDINARY: Self = Self {
        book: 0.0,
        book_file: String::new(),
        shuffled: 0.0,
        fork: 0.0,
        before_end: 0.0,
        before_end_plies: 1,
    };

    /// Whether games of earlier generations are needed.
    #[must_use]
    pub fn needs_games(&self) -> bool {
        self.fork > 0.0 || self.before_end > 0.0
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let Self { book, shuffled, fork, before_end, .. } = *self;
        SettingsError::share("selfplay.starts.book", book)?;
        SettingsError::share("selfplay.starts.shuffled", shuffled)?;
        SettingsError::share("selfplay.starts.fork", fork)?;
        SettingsError::share("selfplay.starts.before_end", before_end)?;
        let sum = book + shuffled + fork + before_end;
        if sum > 1.0 + ROUNDING {
            let range = "shares that sum to at most 1".to_owned();
            let (field, found) = ("selfplay.starts", format!("a sum of {sum}"));
            return Err(SettingsError { field, range, found });
        }
        if book > 0.0 && self.book_file.is_empty() {
            let range =
                format!("a file where selfplay.starts.book is above 0, as it is with {book}");
            let (field, found) = ("selfplay.starts.book_file", "empty".to_owned());
            return Err(SettingsError { field, range, found });
        }
        let plies = u64::from(self.before_end_plies);
        SettingsError::within("selfplay.starts.before_end_plies", plies, 1..=1000)
    }
}
