use keiko_shogi::Move;

use super::attack::Attack;
use super::visit::Visit;

impl Attack<'_> {
    /// Plays the mate that the table has for the position that the game stands at against every answer,
    /// and appends the line in which the defence holds out longest to the memory's line. What the table
    /// has lost is searched again. None if it is no mate within the limits.
    pub(super) fn confirm(&mut self, visit: Visit) -> Option<u16> {
        let mv = self.mating_move(visit)?;
        let position = self.game.position();
        let next = visit.next(position.key());
        if visit.plies() >= self.plies || !position.is_legal(mv) || !self.spend() {
            return None;
        }
        self.memory.line.push(mv);
        self.game.play(mv);
        let rest = self.confirm_answers(next);
        self.game.undo();
        Some(rest? + 1)
    }

    fn mating_move(&mut self, visit: Visit) -> Option<Move> {
        if let Some(mv) = self.game.position().mate_in_one() {
            return Some(mv);
        }
        let place = self.place(visit);
        if let Some(mv) = self.memory.table.mate(place) {
            return Some(mv);
        }
        self.prove(visit);
        self.memory.table.mate(place)
    }

    /// The plies that the defence holds out.
    fn confirm_answers(&mut self, visit: Visit) -> Option<u16> {
        if !self.game.position().in_check() {
            return None;
        }
        self.memory.moves.clear();
        self.game.legal_moves(&mut self.memory.moves);
        if self.memory.moves.is_empty() {
            return Some(0);
        }
        if self.ends().is_some() {
            return None;
        }
        let first = self.memory.replies.len();
        self.memory.replies.extend_from_slice(&self.memory.moves);
        let next = visit.next(self.game.position().key());
        let start = self.memory.line.len();
        let mut longest = 0;
        while self.memory.replies.len() > first {
            let Some(mv) = self.memory.replies.pop() else { break };
            if !self.spend() {
                return None;
            }
            let own = self.memory.line.len();
            self.memory.line.push(mv);
            self.game.play(mv);
            let rest = if self.ends().is_some() { None } else { self.confirm(next) };
            self.game.undo();
            let plies = rest? + 1;
            if plies > longest {
                longest = plies;
                self.memory.line.drain(start..own);
            } else {
                self.memory.line.truncate(own);
            }
        }
        Some(longest)
    }
}
