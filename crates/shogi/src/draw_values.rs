//! What draws are worth.

/// What a draw of each kind is worth to Black, from 0 (a loss) to 1 (a win). White gets one minus
/// it.
///
/// It belongs to the event: where drawn games are replayed with sides reversed, a repetition is
/// worth to White what Black's side scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawValues {
    /// A fourth occurrence of a position.
    pub sennichite: f32,
    /// A draw by an impasse rule.
    pub jishogi: f32,
    /// The end at the maximum number of plies.
    pub max_plies: f32,
}

impl DrawValues {
    /// Every draw is worth half a win to either side.
    pub const HALF: DrawValues = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };
}
