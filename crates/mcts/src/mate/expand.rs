use super::attack::Attack;
use super::child::Child;
use super::numbers::Numbers;
use super::visit::Visit;

impl Attack<'_> {
    /// Lists the moves that count in the position that the game stands at, with what is known at a
    /// glance. One move that decides the position suffices. False if there was no leave for all moves;
    /// the list is of no use then.
    pub(super) fn expand(&mut self, visit: Visit) -> bool {
        self.memory.moves.clear();
        self.game.legal_moves(&mut self.memory.moves);
        let attacks = visit.attacks();
        let position = self.game.position();
        if attacks && !position.is_unsettled() {
            self.memory.moves.retain(|mv| position.gives_check(*mv));
        }
        let start = self.memory.children.len();
        let next = visit.next(position.key());
        for index in 0..self.memory.moves.len() {
            let mv = self.memory.moves[index];
            if !self.spend() {
                return false;
            }
            self.game.play(mv);
            let numbers = if attacks {
                self.glance_at_defence(next)
            } else {
                Some(self.glance_at_attack(next))
            };
            self.game.undo();
            let Some(numbers) = numbers else { continue };
            let decides = if attacks { numbers.is_mate() } else { numbers.is_refuted() };
            if decides {
                self.memory.children.truncate(start);
            }
            self.memory.children.push(Child { mv, numbers });
            if decides {
                break;
            }
        }
        true
    }

    /// None if there is no check.
    fn glance_at_defence(&self, visit: Visit) -> Option<Numbers> {
        let position = self.game.position();
        if !position.in_check() {
            return None;
        }
        let evasions = position.count_legal_moves();
        if evasions == 0 {
            return Some(Numbers::MATE);
        }
        if let Some(end) = self.ends() {
            return Some(end);
        }
        if visit.plies() + 2 > self.plies {
            return Some(self.too_long());
        }
        let known = self.memory.table.get(self.place(visit));
        Some(known.unwrap_or(Numbers::open(evasions, 1)))
    }

    fn glance_at_attack(&self, visit: Visit) -> Numbers {
        if let Some(end) = self.ends() {
            return end;
        }
        if visit.plies() >= self.plies {
            return self.too_long();
        }
        if self.game.position().mate_in_one().is_some() {
            return Numbers::MATE;
        }
        if visit.plies() + 3 > self.plies {
            return self.too_long();
        }
        self.memory.table.get(self.place(visit)).unwrap_or(Numbers::open(1, 1))
    }
}
