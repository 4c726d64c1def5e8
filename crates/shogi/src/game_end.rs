//! The end of a game.

use crate::{Color, EndReason, Outcome};

/// How and when a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameEnd {
    /// Who won.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: EndReason,
    /// Moves played when it ended; an illegal move that was played counts.
    pub ply: u32,
}

impl GameEnd {
    /// The code of a CSA record that ends here; for fouls it names the side that committed them, and a
    /// declaration that draws is `%HIKIWAKE`.
    pub const fn csa_code(&self) -> &'static str {
        match (self.reason, self.outcome) {
            (EndReason::IllegalMove(_) | EndReason::PerpetualCheck, Outcome::WhiteWins) => {
                "%+ILLEGAL_ACTION"
            }
            (EndReason::IllegalMove(_) | EndReason::PerpetualCheck, Outcome::BlackWins) => {
                "%-ILLEGAL_ACTION"
            }
            (EndReason::NyugyokuDeclaration, Outcome::Draw) => "%HIKIWAKE",
            (reason, _) => reason.csa_code(),
        }
    }

    /// The word of a KIF record that ends here when `side_to_move` would be next: a foul is its
    /// loss (`反則負け`) or its win (`反則勝ち`). A declaration that draws is `持将棋`.
    pub fn kif_code(&self, side_to_move: Color) -> &'static str {
        match (self.reason, self.outcome.winner()) {
            (EndReason::IllegalMove(_) | EndReason::PerpetualCheck, Some(winner))
                if winner == side_to_move =>
            {
                "反則勝ち"
            }
            (EndReason::NyugyokuDeclaration, None) => EndReason::Jishogi.kif_code(),
            _ => self.reason.kif_code(),
        }
    }
}
