use std::collections::BTreeMap;

use keiko_shogi::{Move, MoveList, Position};

use super::MateAnswer;

/// The longest mate that is counted: every ply takes some KB of the stack.
const MAX_PLIES: u16 = 299;

/// Counts a mate as problem books do: a drop that only puts off what comes, because the checking piece
/// takes it at once and mates no later than without it, is not played, and takes no plies.
#[derive(Debug)]
pub(super) struct Tsume {
    position: Position,
    /// Whether the attacker mates within so many plies, by the key of the position and the plies.
    known: BTreeMap<(u64, u16), bool>,
    nodes: u64,
    max_nodes: u64,
}

impl Tsume {
    /// Of the position of a known mate, with so many moves to play at most.
    pub(super) fn new(position: Position, max_nodes: u64) -> Self {
        Self { position, known: BTreeMap::new(), nodes: 0, max_nodes }
    }

    /// The shortest mate in at most `plies` plies, by this count.
    pub(super) fn solve(mut self, plies: u16) -> MateAnswer {
        let found = (1..=plies.min(MAX_PLIES)).step_by(2).find(|&plies| self.attack_mates(plies));
        match found {
            Some(plies) if !self.is_exhausted() => {
                let mut line = Vec::new();
                self.write_line(plies, &mut line);
                if self.is_exhausted() { MateAnswer::Unknown } else { MateAnswer::Mate { line } }
            }
            _ => MateAnswer::Unknown,
        }
    }

    fn is_exhausted(&self) -> bool {
        self.nodes > self.max_nodes
    }

    /// What `look` says of the position behind a move.
    fn behind<T>(&mut self, mv: Move, look: impl FnOnce(&mut Self) -> T) -> T {
        self.nodes += 1;
        let undo = self.position.do_move(mv);
        let found = look(self);
        self.position.undo_move(mv, undo);
        found
    }

    fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.position.legal_moves(&mut moves);
        moves
    }

    fn checks(&self) -> MoveList {
        let mut moves = self.moves();
        moves.retain(|mv| self.position.gives_check(*mv));
        moves
    }

    /// Whether the attacker, who is to move, mates within an odd number of plies.
    fn attack_mates(&mut self, plies: u16) -> bool {
        self.remember(plies, |tsume| {
            let mut checks = tsume.checks().into_iter();
            checks.any(|mv| tsume.behind(mv, |tsume| tsume.defence_is_mated(plies - 1)))
        })
    }

    /// Whether the defender, who is in check, is mated within an even number of plies.
    fn defence_is_mated(&mut self, plies: u16) -> bool {
        self.remember(plies, |tsume| {
            let Some(without_drops) = tsume.plies_without_drops(plies) else { return false };
            let mut drops = tsume.moves();
            drops.retain(|mv| mv.dropped().is_some());
            drops
                .into_iter()
                .all(|mv| tsume.is_futile(mv, without_drops) || tsume.answer_is_mated(mv, plies))
        })
    }

    fn remember(&mut self, plies: u16, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let key = (self.position.key(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if self.is_exhausted() {
            return false;
        }
        let found = find(self);
        if !self.is_exhausted() {
            self.known.insert(key, found);
        }
        found
    }

    /// Whether an answer is mated, the plies being those from before it.
    fn answer_is_mated(&mut self, answer: Move, plies: u16) -> bool {
        plies >= 2 && self.behind(answer, |tsume| tsume.attack_mates(plies - 1))
    }

    /// The plies of the mate if nothing is dropped, if they are no more than `most`.
    fn plies_without_drops(&mut self, most: u16) -> Option<u16> {
        let mut moves = self.moves();
        moves.retain(|mv| mv.dropped().is_none());
        (0..=most).step_by(2).find(|&plies| moves.iter().all(|&mv| self.answer_is_mated(mv, plies)))
    }

    /// Whether the checking piece takes the dropped piece at once and mates within `plies` more.
    fn is_futile(&mut self, drop: Move, plies: u16) -> bool {
        let Some(checker) = self.position.checkers().first() else { return false };
        self.behind(drop, |tsume| {
            let mut checks = tsume.checks();
            checks.retain(|mv| mv.from() == Some(checker) && mv.to() == drop.to());
            let mut checks = checks.into_iter();
            checks.any(|mv| tsume.behind(mv, |tsume| tsume.defence_is_mated(plies)))
        })
    }

    /// Appends the line of the mate in exactly `plies` plies.
    fn write_line(&mut self, plies: u16, line: &mut Vec<Move>) {
        let checks = self.checks();
        let mates =
            |tsume: &mut Self, mv| tsume.behind(mv, |tsume| tsume.defence_is_mated(plies - 1));
        let Some(mv) = checks.into_iter().find(|&mv| mates(self, mv)) else { return };
        line.push(mv);
        self.behind(mv, |tsume| tsume.write_answer(plies - 1, line));
    }

    fn write_answer(&mut self, plies: u16, line: &mut Vec<Move>) {
        if plies < 2 {
            return;
        }
        let Some(without_drops) = self.plies_without_drops(plies) else { return };
        let moves = self.moves();
        let longest = moves.into_iter().find(|&mv| {
            let futile = mv.dropped().is_some() && self.is_futile(mv, without_drops);
            !futile && !self.answer_is_mated(mv, plies - 2)
        });
        let Some(mv) = longest else { return };
        line.push(mv);
        self.behind(mv, |tsume| tsume.write_line(plies - 1, line));
    }
}
