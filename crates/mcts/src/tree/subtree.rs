use super::{NO_BLOCK, NO_NODE, SIZE_CLASSES, Tree};

impl Tree {
    /// Keeps what can be reached from `root`, which becomes node 0, in memory of its own size. No leaf may be
    /// outstanding.
    ///
    /// One arena after the other is copied and given back, so that the most memory is that of the whole tree and
    /// of one arena of what is kept.
    pub(crate) fn keep(&mut self, root: u32) {
        let kept = self.reachable(root);
        let moves = kept.iter().map(|&id| self.moves(id).len()).sum();
        let edges = kept.iter().map(|&id| usize::from(self.node(id).capacity())).sum();
        self.moves = collected(moves, &kept, |id| self.moves(id));
        self.priors = collected(moves, &kept, |id| self.priors(id));
        self.edges = collected(edges, &kept, |id| {
            let block = self.node(id).first_edge as usize;
            &self.edges[block..block + usize::from(self.node(id).capacity())]
        });
        let mut nodes = Vec::with_capacity(kept.len());
        let (mut first_candidate, mut first_edge, mut child) = (0, 0, 1);
        for &id in &kept {
            let node = self.node(id).moved_to(first_candidate, first_edge);
            // The nodes are in the order in which the edges of earlier ones lead to them.
            for edge in &mut self.edges[node.edges()] {
                if edge.node != NO_NODE {
                    edge.node = child;
                    child += 1;
                }
            }
            first_candidate += u32::from(node.candidates);
            first_edge += u32::from(node.capacity());
            nodes.push(node);
        }
        self.nodes = nodes;
        self.free = [NO_BLOCK; SIZE_CLASSES];
    }

    /// The nodes that can be reached from `root`, each behind the one that leads to it.
    fn reachable(&self, root: u32) -> Vec<u32> {
        let mut reached = vec![root];
        let mut next = 0;
        while next < reached.len() {
            let children = self.edges(reached[next]).iter().map(|edge| edge.node);
            reached.extend(children.filter(|&child| child != NO_NODE));
            next += 1;
        }
        reached
    }
}

/// The parts of an arena, one behind the other.
fn collected<'a, T: Copy + 'a>(len: usize, ids: &[u32], part: impl Fn(u32) -> &'a [T]) -> Vec<T> {
    let mut all = Vec::with_capacity(len);
    for &id in ids {
        all.extend_from_slice(part(id));
    }
    all
}
