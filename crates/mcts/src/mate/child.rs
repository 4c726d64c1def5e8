use keiko_shogi::Move;

use super::numbers::{FREE, INFINITE, Numbers};

/// A move of a position on the way of the search, and what is known of the position behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) mv: Move,
    pub(super) numbers: Numbers,
}

/// The numbers of a position where the attacker moves.
pub(super) fn of_attack(children: &[Child]) -> Numbers {
    let mut all = Numbers::refuted(FREE);
    for Child { numbers, .. } in children {
        if numbers.is_mate() {
            return Numbers::MATE;
        }
        all.proof = all.proof.min(numbers.proof);
        all.disproof = (all.disproof + numbers.disproof).min(INFINITE - 1);
        if numbers.is_refuted() {
            all.hangs_on = all.hangs_on.min(numbers.hangs_on);
        }
    }
    all
}

/// The numbers of a position where the defender moves.
pub(super) fn of_defence(children: &[Child]) -> Numbers {
    let mut all = Numbers::MATE;
    let mut refuted = None;
    for Child { numbers, .. } in children {
        if numbers.is_refuted() {
            refuted = refuted.max(Some(numbers.hangs_on));
        }
        all.proof = (all.proof + numbers.proof).min(INFINITE - 1);
        all.disproof = all.disproof.min(numbers.disproof);
    }
    refuted.map_or(all, Numbers::refuted)
}
