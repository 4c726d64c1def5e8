use keiko_replay::{GameRecord, PlyRecord, SearchKind, StoredPolicy, UNIFORM};
use keiko_shogi::{Color, Outcome, Position};

/// What games can teach the net that played them: where search and result say something else than it did.
///
/// Sums over positions with a full search for which the net's own policy was stored.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Lessons {
    positions: u64,
    divergence: f64,
    search_entropy: f64,
    prior_entropy: f64,
    prior_error: f64,
    search_error: f64,
    bins: [Bin; BINS],
}

/// Positions whose expected scores are close to each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bin {
    positions: u64,
    expected: f64,
    scored: f64,
}

/// Bins of the expected score for its calibration; Guo et al. 2017 use 15.
const BINS: usize = 10;

impl Lessons {
    /// Counts a game's positions.
    pub(super) fn add(&mut self, record: &GameRecord) {
        let Ok((start, _)) = Position::from_sfen(&record.start) else { return };
        let mut side = start.side_to_move();
        for ply in &record.plies {
            let by_net = record.models.get(usize::from(ply.model)).is_some_and(|it| it != UNIFORM);
            if by_net && ply.search == SearchKind::Full && !ply.raw_policy.is_empty() {
                self.add_position(ply, score(record.outcome, side));
            }
            side = side.opponent();
        }
    }

    fn add_position(&mut self, ply: &PlyRecord, scored: f64) {
        self.positions += 1;
        self.divergence += ply.policy.divergence_from(&ply.raw_policy);
        self.search_entropy += entropy(&ply.policy);
        self.prior_entropy += entropy(&ply.raw_policy);
        let (prior, search) = (f64::from(ply.raw_wdl.score()), f64::from(ply.root_wdl.score()));
        self.prior_error += (prior - scored).powi(2);
        self.search_error += (search - scored).powi(2);
        let bin = &mut self.bins[((prior * BINS as f64) as usize).min(BINS - 1)];
        bin.positions += 1;
        bin.expected += prior;
        bin.scored += scored;
    }

    /// Names and means, none without positions:
    ///
    /// - `search_kl`: KL divergence of the search's policy from the net's, in nats;
    /// - `search_entropy`, `prior_entropy`: of the two policies, in nats;
    /// - `prior_value_error`, `search_value_error`: mean squared distance of the expected score (a draw is one half)
    ///   from the result;
    /// - `calibration_error`: expected calibration error of the net's expected score, in ten bins.
    #[must_use]
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        if self.positions == 0 {
            return Vec::new();
        }
        let positions = self.positions as f64;
        let off: f64 = self.bins.iter().map(|bin| (bin.expected - bin.scored).abs()).sum();
        [
            ("search_kl", self.divergence),
            ("search_entropy", self.search_entropy),
            ("prior_entropy", self.prior_entropy),
            ("prior_value_error", self.prior_error),
            ("search_value_error", self.search_error),
            ("calibration_error", off),
        ]
        .map(|(name, sum)| (name, sum / positions))
        .into()
    }
}

/// What a result is worth to a side, a draw one half.
fn score(outcome: Outcome, side: Color) -> f64 {
    match outcome.winner() {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

fn share(units: u16) -> f64 {
    f64::from(units) / f64::from(u16::MAX)
}

fn entropy(policy: &StoredPolicy) -> f64 {
    let shares = policy.pairs().iter().map(|&(_, units)| share(units));
    -shares.map(|p| p * p.ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use keiko_replay::StoredWdl;
    use keiko_shogi::Move;

    use super::*;

    fn policy(shares: [u16; 2]) -> StoredPolicy {
        let moves = ["2g2f", "7g7f"].map(|text| text.parse::<Move>().expect("a move"));
        StoredPolicy::new(moves.into_iter().zip(shares).filter(|(_, units)| *units > 0).collect())
            .expect("a policy")
    }

    fn ply(search: [u16; 2], prior: [u16; 2], raw_wdl: StoredWdl) -> PlyRecord {
        PlyRecord {
            mv: "7g7f".parse().expect("a move"),
            model: 0,
            search: SearchKind::Full,
            raw_wdl,
            root_wdl: StoredWdl::WIN,
            root_visits: 4,
            policy: policy(search),
            raw_policy: policy(prior),
        }
    }

    #[test]
    fn figures_are_those_by_hand() {
        let mut lessons = Lessons::default();
        assert_eq!(lessons.figures(), []);
        lessons.add_position(&ply([65535, 0], [32768, 32767], StoredWdl::DRAW), 1.0);
        let figures = lessons.figures();
        let of = |name: &str| figures.iter().find(|(it, _)| *it == name).expect("a figure").1;
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-4, "{found}");
        close(of("search_kl"), std::f64::consts::LN_2);
        close(of("search_entropy"), 0.0);
        close(of("prior_entropy"), std::f64::consts::LN_2);
        close(of("prior_value_error"), 0.25);
        close(of("search_value_error"), 0.0);
        close(of("calibration_error"), 0.5);
        // Another of the same expected score that was lost: right on average, and as far off each.
        lessons.add_position(&ply([32768, 32767], [32768, 32767], StoredWdl::DRAW), 0.0);
        let figures = lessons.figures();
        let of = |name: &str| figures.iter().find(|(it, _)| *it == name).expect("a figure").1;
        close(of("search_kl"), std::f64::consts::LN_2 / 2.0);
        close(of("calibration_error"), 0.0);
        close(of("prior_value_error"), 0.25);
        close(of("search_value_error"), 0.5);
    }
}
