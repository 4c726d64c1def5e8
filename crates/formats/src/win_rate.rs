//! Win rates as centipawns, on the scale of the training data in use everywhere.

/// Centipawns of one unit of log-odds.
pub const CENTIPAWNS_PER_LOG_ODDS: f64 = 756.086_496_295_176_2;

/// Centipawns never go beyond this many either way, so that they stay apart from mates.
pub const CENTIPAWN_LIMIT: i32 = 30_000;

/// The score in centipawns for a win rate of 0..=1 (a draw counts half), both from the same side.
pub fn centipawns(win_rate: f64) -> i32 {
    let odds = (1.0 / win_rate.clamp(0.0, 1.0) - 1.0).ln();
    let limit = f64::from(CENTIPAWN_LIMIT);
    (-odds * CENTIPAWNS_PER_LOG_ODDS).clamp(-limit, limit).round() as i32
}

/// The win rate, 0..=1, for a score in centipawns.
pub fn win_rate(centipawns: i32) -> f64 {
    win_rate_by(CENTIPAWNS_PER_LOG_ODDS, centipawns)
}

/// The same for scores of which one unit of log-odds takes `per_log_odds` centipawns, above 0.
pub fn win_rate_by(per_log_odds: f64, centipawns: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(centipawns) / per_log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_has_its_known_points() {
        // 756.0864962951762 is 1 / 0.0013226.
        assert!((CENTIPAWNS_PER_LOG_ODDS * 0.001_322_6 - 1.0).abs() < 1e-12);
        for (rate, cp) in [
            (0.5, 0),
            (0.0, -CENTIPAWN_LIMIT),
            (1.0, CENTIPAWN_LIMIT),
            (0.75, 831),
            (0.25, -831),
            (0.99, 3474),
        ] {
            assert_eq!(centipawns(rate), cp, "{rate}");
        }
        assert!((win_rate(1000) - 0.789_614_0).abs() < 1e-6);
    }

    #[test]
    fn both_ways_agree() {
        for cp in (-6000..=6000).step_by(37) {
            assert_eq!(centipawns(win_rate(cp)), cp);
        }
    }
}
