use keiko_shogi::{Color, DrawValues, EndReason};

/// What each kind of draw is worth to a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws(DrawValues);

impl Draws {
    pub(crate) fn new(values: DrawValues) -> Self {
        Self(values)
    }

    /// Score, 0 to 1, of a draw for this reason.
    pub(crate) fn of_reason(&self, reason: EndReason, side: Color) -> f32 {
        let black = match reason {
            EndReason::MaxPlies => self.0.max_plies,
            EndReason::Jishogi | EndReason::NyugyokuDeclaration => self.0.jishogi,
            _ => self.0.sennichite,
        };
        Self::for_side(black, side)
    }

    /// Score, 0 to 1, of the draws that an evaluator foresees. It does not say of which kind they
    /// are; most draws are sennichite.
    pub(crate) fn foreseen(&self, side: Color) -> f32 {
        Self::for_side(self.0.sennichite, side)
    }

    /// Score, 0 to 1, of a draw by declaration.
    pub(crate) fn declared(&self, side: Color) -> f32 {
        Self::for_side(self.0.jishogi, side)
    }

    fn for_side(black: f32, side: Color) -> f32 {
        match side {
            Color::Black => black,
            Color::White => 1.0 - black,
        }
    }
}
