use super::{NO_NODE, Tree};

impl Tree {
    /// A new tree of what can be reached from `root`, which becomes node 0, in memory of its own
    /// size. No leaf may be outstanding.
    pub(crate) fn subtree(&self, root: u32) -> Self {
        let (nodes, moves, edges) = self.measure(root);
        let mut copy = Self::new(self.max_nodes as u32);
        copy.nodes.reserve(nodes);
        copy.moves.reserve(moves);
        copy.priors.reserve(moves);
        copy.edges.reserve(edges);
        copy.copy_node(self, root);
        let mut next = 0;
        while next < copy.nodes.len() {
            for edge in copy.nodes[next].edges() {
                let child = copy.edges[edge].node;
                if child != NO_NODE {
                    copy.edges[edge].node = copy.copy_node(self, child);
                }
            }
            next += 1;
        }
        copy
    }

    /// Appends a copy of a node of `from`; the edges still name nodes of `from`.
    fn copy_node(&mut self, from: &Self, id: u32) -> u32 {
        let node = from.node(id);
        let copy_id = self.nodes.len() as u32;
        let (first_candidate, first_edge) = (self.moves.len() as u32, self.edges.len() as u32);
        self.moves.extend_from_slice(from.moves(id));
        self.priors.extend_from_slice(from.priors(id));
        let block = node.first_edge as usize;
        self.edges.extend_from_slice(&from.edges[block..block + usize::from(node.capacity())]);
        self.nodes.push(node.moved_to(first_candidate, first_edge));
        copy_id
    }

    /// Nodes, candidates and edges that can be reached from `root`.
    fn measure(&self, root: u32) -> (usize, usize, usize) {
        let mut reached = vec![root];
        let (mut next, mut moves, mut edges) = (0, 0, 0);
        while next < reached.len() {
            let node = self.node(reached[next]);
            moves += usize::from(node.candidates);
            edges += usize::from(node.capacity());
            let children = self.edges[node.edges()].iter().map(|edge| edge.node);
            reached.extend(children.filter(|&child| child != NO_NODE));
            next += 1;
        }
        (reached.len(), moves, edges)
    }
}
