/// The visit counts that sequential halving considers, one for each simulation, without end.
///
/// At each simulation the best of the moves that have exactly the considered number of visits is
/// visited next. The first `simulations` numbers are those of mctx's
/// `get_sequence_of_considered_visits`; later ones go on with two moves. Where the number of simulations
/// becomes known only on the way, [`Halving::plan`] shares what is left among the phases that are left.
#[derive(Clone, Debug)]
pub(crate) struct Halving {
    /// Simulations that each phase gets, as far as whole rounds allow.
    share: u64,
    /// Phases left, the running one included; the last one has no end. At the start ceil(log2(moves)).
    phases: u64,
    considered: u64,
    /// Rounds over all considered moves that this phase has had, the running one not included.
    rounds: u64,
    /// Moves left in this round.
    left: u64,
    visits: u32,
    simulation: u64,
    /// The first simulation of this phase.
    phase_start: u64,
}

impl Halving {
    /// Halving from `considered` moves (1 or more) over `simulations`.
    pub(crate) fn new(considered: u32, simulations: u32) -> Self {
        let phases = u64::from(considered.next_power_of_two().trailing_zeros()).max(1);
        let considered = u64::from(considered);
        Self {
            share: u64::from(simulations) / phases,
            phases,
            considered,
            rounds: 0,
            left: considered,
            visits: 0,
            simulation: 0,
            phase_start: 0,
        }
    }

    /// Goes on with another number of simulations in all.
    pub(crate) fn plan(&mut self, simulations: u32) {
        self.share = u64::from(simulations).saturating_sub(self.phase_start) / self.phases;
    }

    /// The number of visits considered now.
    pub(crate) fn visits(&self) -> u32 {
        self.visits
    }

    /// How many simulations came before.
    pub(crate) fn simulation(&self) -> u64 {
        self.simulation
    }

    /// Goes on to the next simulation.
    pub(crate) fn advance(&mut self) {
        self.simulation += 1;
        self.left -= 1;
        if self.left > 0 {
            return;
        }
        self.visits = self.visits.saturating_add(1);
        self.rounds += 1;
        if self.phases > 1 && self.rounds >= self.share / self.considered {
            self.considered = (self.considered / 2).max(2);
            self.phases -= 1;
            self.rounds = 0;
            self.phase_start = self.simulation;
        }
        self.left = self.considered;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence(considered: u32, simulations: u32) -> Vec<u32> {
        let mut halving = Halving::new(considered, simulations);
        (0..simulations)
            .map(|_| {
                let visits = halving.visits();
                halving.advance();
                visits
            })
            .collect()
    }

    /// Simulates the bandit itself: every arm keeps its own count, halving keeps a prefix.
    fn reference(considered: usize, simulations: usize) -> Vec<u32> {
        if considered <= 1 {
            return (0..simulations as u32).collect();
        }
        let phases = (considered as f64).log2().ceil() as usize;
        let mut counts = vec![0; considered];
        let mut sequence = Vec::new();
        let mut kept = considered;
        while sequence.len() < simulations {
            for _ in 0..(simulations / (phases * kept)).max(1) {
                for count in &mut counts[..kept] {
                    sequence.push(*count);
                    *count += 1;
                }
            }
            kept = (kept / 2).max(2);
        }
        sequence.truncate(simulations);
        sequence
    }

    #[test]
    fn equals_an_independent_table_for_all_small_sizes() {
        for considered in 1..=40 {
            for simulations in 0..=130 {
                assert_eq!(
                    sequence(considered, simulations),
                    reference(considered as usize, simulations as usize),
                    "{considered} moves, {simulations} simulations"
                );
            }
        }
        assert_eq!(sequence(593, 800), reference(593, 800));
    }

    #[test]
    fn sixteen_simulations_over_four_moves() {
        assert_eq!(sequence(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    }

    /// How often each arm was pulled after `simulations`, most often first.
    fn pulls(halving: &mut Halving, considered: usize, simulations: u64) -> Vec<u32> {
        let mut counts = vec![0_u32; considered];
        for _ in 0..simulations {
            let visits = halving.visits();
            let arm = counts.iter().position(|&count| count == visits).expect("an arm has them");
            counts[arm] += 1;
            halving.advance();
        }
        counts
    }

    #[test]
    fn a_plan_of_the_same_size_changes_nothing_in_whole_rounds() {
        for (considered, simulations) in [(16, 1024), (8, 480), (4, 64), (2, 30)] {
            let mut halving = Halving::new(considered, simulations);
            let planned: Vec<u32> = (0..simulations)
                .map(|_| {
                    halving.plan(simulations);
                    let visits = halving.visits();
                    halving.advance();
                    visits
                })
                .collect();
            assert_eq!(planned, sequence(considered, simulations), "{considered} {simulations}");
        }
    }

    #[test]
    fn a_plan_that_grows_is_halved_by_what_is_left() {
        let mut halving = Halving::new(16, 64);
        assert_eq!(pulls(&mut halving, 16, 16), [1; 16]);
        halving.plan(1600);
        // Of 1,584 that are left each of the 3 phases that are left gets a third.
        let mut considered = Vec::new();
        for _ in 16..1600 {
            considered.push(halving.considered);
            halving.advance();
        }
        let of = |moves: u64| considered.iter().filter(|&&it| it == moves).count();
        assert_eq!((of(16), of(8), of(4), of(2)), (0, 528, 528, 528));
    }

    #[test]
    fn a_search_without_a_known_end_narrows_to_four_and_waits() {
        let mut halving = Halving::new(16, 0);
        for done in 0..10_000 {
            halving.plan(2 * done);
            halving.advance();
        }
        assert_eq!(halving.considered, 4);
        halving.plan(11_000);
        (0..1000).for_each(|_| halving.advance());
        assert_eq!(halving.considered, 2);
    }

    #[test]
    fn goes_on_beyond_the_budget() {
        let mut halving = Halving::new(8, u32::MAX);
        for _ in 0..1000 {
            halving.advance();
        }
        assert_eq!(halving.visits(), 125);
    }
}
