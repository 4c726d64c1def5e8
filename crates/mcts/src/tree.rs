mod edge;
mod node;
mod step;
mod subtree;

pub(crate) use edge::{Edge, NO_NODE};
pub(crate) use node::Node;
pub(crate) use step::Step;

use keiko_shogi::Move;

use crate::Proof;
use crate::lanes;
use crate::softmax::softmax_in_place;

/// Blocks of edges come in sizes 2, 4, 8 .. 1024; no position has more moves.
const SIZE_CLASSES: usize = 10;
const MAX_MOVES: usize = 600;
const NO_BLOCK: u32 = u32::MAX;
/// Bytes of a node with its moves and edges that [`SearchSettings::max_nodes`](crate::SearchSettings)
/// counts with: more than a position of a game takes on average.
const NODE_BYTES: usize = 800;
/// Bytes beside these, half for a root with an edge for each of its moves, half for the last thing that grows.
const SPARE_BYTES: usize = 1 << 17;

/// The nodes, their legal moves and their edges, each in one flat arena.
///
/// A node owns a run of candidates (all its legal moves and their priors) and a block of edges, one
/// for each move tried so far. The edge at slot i belongs to candidate i: trying a move swaps it in
/// front of the untried ones. So the statistics that selection reads lie side by side, and a leaf
/// costs 6 bytes a move.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    moves: Vec<Move>,
    priors: Vec<f32>,
    edges: Vec<Edge>,
    /// Heads of the lists of unused blocks by size class; a block's first edge names the next.
    free: [u32; SIZE_CLASSES],
    max_nodes: usize,
}

impl Tree {
    pub(crate) fn new(max_nodes: u32) -> Self {
        Self {
            nodes: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            edges: Vec::new(),
            free: [NO_BLOCK; SIZE_CLASSES],
            max_nodes: max_nodes as usize,
        }
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.moves.clear();
        self.priors.clear();
        self.edges.clear();
        self.free = [NO_BLOCK; SIZE_CLASSES];
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes of all nodes, moves and edges.
    pub(crate) fn bytes(&self) -> usize {
        let candidates = size_of::<Move>() + size_of::<f32>();
        self.nodes.len() * size_of::<Node>()
            + self.moves.len() * candidates
            + self.edges.len() * size_of::<Edge>()
    }

    /// Whether there is no room for a node.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
            || self.is_out_of_memory()
            || self.moves.len() + MAX_MOVES >= NO_BLOCK as usize
    }

    fn is_out_of_memory(&self) -> bool {
        self.bytes() >= self.max_nodes * NODE_BYTES + SPARE_BYTES / 2
    }

    /// Adds a node that has not been evaluated.
    pub(crate) fn add_node(&mut self, moves: &[Move], floor: Option<f32>) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::new(self.moves.len() as u32, moves.len() as u16, floor));
        self.moves.extend_from_slice(moves);
        self.priors.resize(self.moves.len(), 0.0);
        id
    }

    /// Gives back the memory of the newest node, which nothing may lead to; keeps any other.
    pub(crate) fn drop_if_last(&mut self, id: u32) {
        if id as usize + 1 == self.nodes.len() {
            let start = self.nodes[id as usize].candidates().start;
            self.moves.truncate(start);
            self.priors.truncate(start);
            self.nodes.pop();
        }
    }

    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    /// All legal moves of a node, the tried ones first.
    pub(crate) fn moves(&self, id: u32) -> &[Move] {
        &self.moves[self.nodes[id as usize].candidates()]
    }

    /// The evaluator's priors, in the order of [`Tree::moves`].
    pub(crate) fn priors(&self, id: u32) -> &[f32] {
        &self.priors[self.nodes[id as usize].candidates()]
    }

    /// The edges of the tried moves.
    pub(crate) fn edges(&self, id: u32) -> &[Edge] {
        &self.edges[self.nodes[id as usize].edges()]
    }

    pub(crate) fn edges_mut(&mut self, id: u32) -> &mut [Edge] {
        &mut self.edges[self.nodes[id as usize].edges()]
    }

    pub(crate) fn edge(&self, step: Step) -> &Edge {
        &self.edges(step.node)[usize::from(step.slot)]
    }

    pub(crate) fn edge_mut(&mut self, step: Step) -> &mut Edge {
        &mut self.edges_mut(step.node)[usize::from(step.slot)]
    }

    pub(crate) fn mv(&self, step: Step) -> Move {
        self.moves(step.node)[usize::from(step.slot)]
    }

    /// The highest prior among the untried moves; that move is the next to be tried.
    pub(crate) fn next_prior(&self, id: u32) -> Option<f32> {
        let node = &self.nodes[id as usize];
        self.priors(id).get(usize::from(node.tried)).copied()
    }

    /// As [`Tree::next_prior`], but nothing where the tree has no room for the move's edge.
    pub(crate) fn next_with_room(&self, id: u32) -> Option<f32> {
        let node = &self.nodes[id as usize];
        let has_room = node.tried < node.capacity() || !self.is_out_of_memory();
        if has_room { self.next_prior(id) } else { None }
    }

    /// Stores the evaluation of a node. `logits` follow [`Tree::moves`] as it was at the node's
    /// creation.
    pub(crate) fn evaluate(&mut self, id: u32, evaluation: &crate::Evaluation<'_>) {
        let node = &mut self.nodes[id as usize];
        node.wdl = Some(evaluation.wdl);
        let priors = &mut self.priors[node.candidates()];
        priors.copy_from_slice(evaluation.logits);
        softmax_in_place(priors);
        self.bring_best_forward(id);
    }

    /// Makes an edge for the next untried move and returns its slot.
    pub(crate) fn try_next(&mut self, id: u32) -> u16 {
        let node = &self.nodes[id as usize];
        let slot = node.tried;
        let prior = self.priors[node.candidates()][usize::from(slot)];
        if slot == node.capacity() {
            self.grow(id);
        }
        let node = &mut self.nodes[id as usize];
        node.tried += 1;
        let edge = node.edges().end - 1;
        self.edges[edge] = Edge::new(prior);
        self.bring_best_forward(id);
        slot
    }

    /// Gives the edges the evaluator's priors again.
    pub(crate) fn reset_priors(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let priors = &self.priors[node.candidates()];
        for (edge, &prior) in self.edges[node.edges()].iter_mut().zip(priors) {
            edge.prior = prior;
        }
    }

    /// Swaps the untried move of the highest prior in front of the other untried ones.
    fn bring_best_forward(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let tried = usize::from(node.tried);
        let priors = &mut self.priors[node.candidates()];
        let highest = lanes::highest(&priors[tried..]);
        if let Some(ahead) = priors[tried..].iter().position(|&prior| prior >= highest) {
            priors.swap(tried, tried + ahead);
            self.moves[node.candidates()].swap(tried, tried + ahead);
        }
    }

    /// Moves a node's edges to a block of twice the size.
    fn grow(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let (old, old_class) = (node.edges(), node.class);
        let class = old_class.map_or(0, |class| class + 1);
        let start = self.take_block(class);
        self.edges.copy_within(old.clone(), start as usize);
        if let Some(class) = old_class {
            self.edges[old.start].node = self.free[usize::from(class)];
            self.free[usize::from(class)] = old.start as u32;
        }
        let node = &mut self.nodes[id as usize];
        node.first_edge = start;
        node.class = Some(class);
    }

    fn take_block(&mut self, class: u8) -> u32 {
        let head = self.free[usize::from(class)];
        if head != NO_BLOCK {
            self.free[usize::from(class)] = self.edges[head as usize].node;
            return head;
        }
        let start = self.edges.len();
        self.edges.resize(start + Node::block_len(class), Edge::new(0.0));
        start as u32
    }

    /// Takes the declaration away from a node whose side to move is asked for a move.
    pub(crate) fn forget_floor(&mut self, id: u32) {
        self.nodes[id as usize].forget_floor();
    }

    /// Records the certain result of an edge (for the side that moves), worth `score` to it, and
    /// says whether the edge's node is proven by it.
    pub(crate) fn prove(&mut self, step: Step, proof: Proof, score: f32) -> Option<Proof> {
        let edge = self.edge_mut(step);
        debug_assert!(edge.proof.is_none(), "an edge is proven once");
        edge.proof = Some(proof);
        edge.proven_score = score;
        let node = &mut self.nodes[step.node as usize];
        node.count_proof(proof, score)
    }
}
