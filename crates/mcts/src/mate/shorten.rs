use super::attack::Attack;
use super::visit::Visit;

impl Attack<'_> {
    /// Confirms the mate that was found, and looks for shorter ones until there is none. The line of
    /// the shortest that was confirmed is in the memory.
    pub(super) fn shorten(&mut self) {
        let leave = self.max_nodes;
        while self.confirm_within(leave) && self.plies > 3 {
            self.plies -= 2;
            self.bounded = true;
            if !self.prove(Visit::ROOT).is_mate() {
                break;
            }
        }
    }

    /// Confirms the mate in the table with `leave` nodes beside those of the search, and takes its
    /// length for the longest that counts.
    fn confirm_within(&mut self, leave: u64) -> bool {
        let (nodes, max_nodes) = (self.nodes, self.max_nodes);
        self.max_nodes = nodes.saturating_add(leave);
        self.is_stopped = self.is_cancelled;
        self.memory.line.clear();
        self.memory.replies.clear();
        let length = self.confirm(Visit::ROOT);
        self.max_nodes = max_nodes.saturating_add(self.nodes - nodes);
        self.is_stopped = self.is_cancelled;
        let Some(length) = length else { return false };
        std::mem::swap(&mut self.memory.line, &mut self.memory.best);
        self.plies = length;
        true
    }
}
