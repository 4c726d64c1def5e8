use crate::StopSettings;
use crate::tree::Edge;

/// Whether a search with a PUCT root may end before its simulations are used up.
///
/// All slices are by slot of the root's edges, of which every legal move has one.
#[derive(Clone, Debug)]
pub(crate) struct EarlyStop {
    settings: StopSettings,
    /// Applied simulations at the next look at who leads.
    next_lead: u32,
    /// Applied simulations at the next look at the shares.
    next_shares: u32,
    /// Visits at the last look at the shares.
    visits: Vec<u32>,
    is_over: bool,
}

impl EarlyStop {
    /// For a search that begins now; nothing if the settings never end one.
    pub(crate) fn new(settings: &StopSettings, edges: &[Edge]) -> Option<Self> {
        let any = settings.decided || settings.min_kld_gain > 0.0;
        any.then(|| Self {
            settings: *settings,
            next_lead: 0,
            next_shares: settings.kld_interval_visits,
            visits: visits(edges).collect(),
            is_over: false,
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Looks at the root after another simulation: `applied` of them are, `left` may follow.
    pub(crate) fn look(&mut self, edges: &[Edge], applied: u32, left: u32) {
        if self.settings.decided && applied >= self.next_lead {
            let lead = lead(edges);
            self.is_over |= lead > left;
            // Each simulation can bring the lead and what is left closer by two.
            self.next_lead = applied.saturating_add(left.saturating_sub(lead) / 2 + 1);
        }
        if self.settings.min_kld_gain > 0.0 && applied >= self.next_shares {
            self.next_shares = applied.saturating_add(self.settings.kld_interval_visits);
            let gain = gain(&self.visits, edges);
            self.is_over |= gain.is_some_and(|gain| gain < f64::from(self.settings.min_kld_gain));
            self.visits = visits(edges).collect();
        }
    }
}

fn visits(edges: &[Edge]) -> impl Iterator<Item = u32> {
    edges.iter().map(|edge| edge.totals.visits)
}

/// By how many visits the most visited move leads; moves that are proven to lose are out.
fn lead(edges: &[Edge]) -> u32 {
    let (mut most, mut second) = (0, 0);
    for edge in edges.iter().filter(|edge| !edge.loses()) {
        let visits = edge.totals.visits;
        second = second.max(visits.min(most));
        most = most.max(visits);
    }
    most - second
}

/// Divergence of the shares before from those now, for each visit between, in nats. Nothing before the first
/// visit, or if there was none between.
fn gain(before: &[u32], edges: &[Edge]) -> Option<f64> {
    let sum = |visits: &mut dyn Iterator<Item = u32>| visits.map(f64::from).sum::<f64>();
    let (old, new) = (sum(&mut before.iter().copied()), sum(&mut visits(edges)));
    if old < 1.0 || new <= old {
        return None;
    }
    let divergence: f64 = before
        .iter()
        .zip(visits(edges))
        .filter(|(before, _)| **before > 0)
        .map(|(&before, now)| {
            let (before, now) = (f64::from(before) / old, f64::from(now) / new);
            before * (before / now).ln()
        })
        .sum();
    Some(divergence / (new - old))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;
    use crate::value::Value;

    fn edges(visits: &[u32]) -> Vec<Edge> {
        let edge = |&visits: &u32| {
            let mut edge = Edge::new(0.1);
            (0..visits).for_each(|_| edge.totals.add(Value::new(Wdl::DRAW, 0.5)));
            edge
        };
        visits.iter().map(edge).collect()
    }

    #[test]
    fn the_lead_is_that_over_the_next_move() {
        for (visits, expected) in
            [(&[][..], 0), (&[3], 3), (&[1, 7, 4], 3), (&[7, 7, 1], 0), (&[2, 5, 9, 9], 0)]
        {
            assert_eq!(lead(&edges(visits)), expected, "{visits:?}");
        }
    }

    /// Whatever way the visits go, the look that finds the decision comes with the first visit that makes it.
    #[test]
    fn a_decision_is_seen_when_it_falls() {
        let settings = StopSettings { decided: true, ..StopSettings::NEVER };
        let mut state = 1_u64;
        for _ in 0..300 {
            let mut visits = [0_u32; 3];
            let mut stop = EarlyStop::new(&settings, &edges(&visits)).expect("it may end");
            for applied in 1..=40 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                visits[[0, 0, 0, 1, 1, 2][(state >> 33) as usize % 6]] += 1;
                let edges = edges(&visits);
                stop.look(&edges, applied, 40 - applied);
                let mut sorted = visits;
                sorted.sort_unstable();
                assert_eq!(stop.is_over(), sorted[2] - sorted[1] > 40 - applied, "{visits:?}");
                if stop.is_over() {
                    break;
                }
            }
        }
    }

    #[test]
    fn the_gain_is_the_divergence_for_each_visit() {
        let gain = gain(&[6, 2, 0], &edges(&[9, 5, 2])).expect("there are visits");
        let expected =
            0.75 * (0.75_f64 / (9.0 / 16.0)).ln() + 0.25 * (0.25_f64 / (5.0 / 16.0)).ln();
        assert!((gain - expected / 8.0).abs() < 1e-12, "{gain}");
        assert_eq!(super::gain(&[0, 0], &edges(&[3, 1])), None);
        assert_eq!(super::gain(&[3, 1], &edges(&[3, 1])), None);
        assert!(super::gain(&[30, 10], &edges(&[60, 20])).is_some_and(|gain| gain.abs() < 1e-12));
    }
}
