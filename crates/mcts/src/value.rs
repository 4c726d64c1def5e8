use crate::{Proof, Wdl};

/// What a simulation brings back to one node, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) wdl: Wdl,
    /// Expected score, 0 to 1, with every draw valued by its kind.
    pub(crate) score: f64,
}

impl Value {
    pub(crate) fn new(wdl: Wdl, draw_value: f32) -> Self {
        Self { wdl, score: f64::from(wdl.win) + f64::from(draw_value) * f64::from(wdl.draw) }
    }

    /// The value of a certain result; `draw_score` is read for a draw only.
    pub(crate) fn proven(proof: Proof, draw_score: f32) -> Self {
        Self::new(proof.wdl(), draw_score)
    }

    /// The same value for the other side.
    pub(crate) fn flipped(self) -> Self {
        Self { wdl: self.wdl.flipped(), score: 1.0 - self.score }
    }

    /// The value for a side that can take a draw worth `floor` instead.
    pub(crate) fn at_least(self, floor: Option<f32>) -> Self {
        match floor {
            Some(draw) if f64::from(draw) > self.score => Self::proven(Proof::Draw, draw),
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_replaces_only_what_is_worse() {
        let bad = Value::new(Wdl { win: 0.25, draw: 0.0, loss: 0.75 }, 0.5);
        assert_eq!(bad.at_least(Some(0.5)), Value::proven(Proof::Draw, 0.5));
        assert_eq!(bad.at_least(Some(0.25)), bad);
        assert_eq!(bad.at_least(None), bad);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let value = Value::new(Wdl { win: 0.1, draw: 0.3, loss: 0.6 }, 0.7);
        assert!((value.flipped().flipped().score - value.score).abs() < 1e-15);
        assert_eq!(value.flipped().flipped().wdl, value.wdl);
    }
}
