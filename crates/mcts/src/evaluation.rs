use crate::Wdl;

/// What an evaluator says about one leaf.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// One finite logit for each legal move, in the order of the leaf's move list;
    /// the search takes the softmax over exactly these.
    pub logits: &'a [f32],
    /// Chances of the side to move at the leaf.
    pub wdl: Wdl,
}
