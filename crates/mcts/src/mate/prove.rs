use super::attack::Attack;
use super::child::{Child, of_attack, of_defence};
use super::numbers::{FREE, INFINITE, Numbers};
use super::visit::Visit;

/// Proof and disproof number at which a search of a position ends.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

impl Attack<'_> {
    /// Searches the position that the game stands at until it is decided or there is no leave.
    pub(super) fn prove(&mut self, visit: Visit) -> Numbers {
        self.search(visit, Thresholds { proof: INFINITE, disproof: INFINITE })
    }

    fn search(&mut self, visit: Visit, thresholds: Thresholds) -> Numbers {
        let place = self.place(visit);
        if let Some(known) = self.memory.table.get(place)
            && (known.is_mate() || known.is_refuted())
        {
            return known;
        }
        let start = self.memory.children.len();
        let nodes = self.nodes;
        if !self.expand(visit) {
            self.memory.children.truncate(start);
            return Numbers::open(1, 1);
        }
        let next = visit.next(self.game.position().key());
        let numbers = loop {
            let children = &self.memory.children[start..];
            let mut numbers =
                if visit.attacks() { of_attack(children) } else { of_defence(children) };
            if numbers.hangs_on >= visit.depth {
                numbers.hangs_on = FREE;
            }
            let over = numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof;
            if over || self.is_stopped {
                break numbers;
            }
            let (slot, within) = choose(children, visit.attacks(), numbers, thresholds);
            let index = start + slot;
            if !self.spend() {
                break numbers;
            }
            self.game.play(self.memory.children[index].mv);
            let found = self.search(next, within);
            self.game.undo();
            self.memory.children[index].numbers = found;
        };
        let mate = self.memory.children[start..].iter().find(|child| child.numbers.is_mate());
        let mate = mate.filter(|_| visit.attacks()).map(|child| child.mv);
        self.memory.children.truncate(start);
        let work = (self.nodes - nodes).min(u64::from(u32::MAX - 1)) as u32;
        self.memory.table.put(place, numbers, work, mate);
        numbers
    }
}

/// The slot of the move to search next, and how far: until another move is more promising, by a margin
/// that keeps the search from changing between two moves all the time (Pawlewicz and Lew 2007).
fn choose(
    children: &[Child],
    attacks: bool,
    numbers: Numbers,
    thresholds: Thresholds,
) -> (usize, Thresholds) {
    let rank = |numbers: Numbers| if attacks { numbers.proof } else { numbers.disproof };
    let (mut best, mut lowest, mut second) = (0, u32::MAX, INFINITE);
    for (slot, child) in children.iter().enumerate() {
        let rank = rank(child.numbers);
        if rank < lowest {
            second = lowest.min(INFINITE);
            (best, lowest) = (slot, rank);
        } else {
            second = second.min(rank);
        }
    }
    let chosen = children[best].numbers;
    let margin = (second + second / 4 + 1).min(INFINITE);
    let rest = |threshold: u32, all: u32, own: u32| {
        if threshold >= INFINITE { INFINITE } else { threshold - all.min(threshold) + own }
    };
    let within = if attacks {
        Thresholds {
            proof: thresholds.proof.min(margin),
            disproof: rest(thresholds.disproof, numbers.disproof, chosen.disproof),
        }
    } else {
        Thresholds {
            proof: rest(thresholds.proof, numbers.proof, chosen.proof),
            disproof: thresholds.disproof.min(margin),
        }
    };
    (best, within)
}
