/// The visit counts that sequential halving considers, one for each simulation, without end.
///
/// At each simulation the best of the moves that have exactly the considered number of visits is
/// visited next. The first `simulations` numbers are those of mctx's
/// `get_sequence_of_considered_visits`; later ones go on with two moves.
#[derive(Clone, Debug)]
pub(crate) struct Halving {
    simulations: u64,
    /// Phases of halving: ceil(log2(moves at the start)).
    phases: u64,
    considered: u64,
    /// Rounds over all considered moves left in this phase, the running one included.
    rounds: u64,
    /// Moves left in this round.
    left: u64,
    visits: u32,
    simulation: u64,
}

impl Halving {
    /// Halving from `considered` moves (1 or more) over `simulations`.
    pub(crate) fn new(considered: u32, simulations: u32) -> Self {
        let phases = u64::from(considered.next_power_of_two().trailing_zeros()).max(1);
        let considered = u64::from(considered);
        let mut halving = Self {
            simulations: u64::from(simulations),
            phases,
            considered,
            rounds: 0,
            left: considered,
            visits: 0,
            simulation: 0,
        };
        halving.rounds = halving.rounds_of_phase();
        halving
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
        self.rounds -= 1;
        if self.rounds == 0 {
            if self.considered > 1 {
                self.considered = (self.considered / 2).max(2);
            }
            self.rounds = self.rounds_of_phase();
        }
        self.left = self.considered;
    }

    fn rounds_of_phase(&self) -> u64 {
        (self.simulations / (self.phases * self.considered)).max(1)
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

    #[test]
    fn goes_on_beyond_the_budget() {
        let mut halving = Halving::new(8, u32::MAX);
        for _ in 0..1000 {
            halving.advance();
        }
        assert_eq!(halving.visits(), 125);
    }
}
