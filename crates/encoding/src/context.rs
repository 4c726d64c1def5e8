//! What a net may be told beyond the game itself.

use keiko_shogi::DrawValues;

/// What an encoding needs beside the game: the rules and the maximum number of plies come from
/// [`keiko_shogi::Game::rules`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Context {
    /// What each kind of draw is worth to Black, 0..=1.
    pub draw_values: DrawValues,
}
