//! One seed in the config, all others derived from it.

use keiko_store::Sha256;

/// The seed of one random stream: a function of the run's seed, of what the stream is for and of its
/// number, and of nothing else. Distinct arguments give independent seeds.
///
/// `purpose` names the consumer and, where it matters, the stream: `"game gen-0003"`, `"sampler"`.
#[must_use]
pub fn derive(run_seed: u64, purpose: &str, index: u64) -> u64 {
    let hash = Sha256::of_parts(&[
        b"keiko seed 1",
        &run_seed.to_le_bytes(),
        &index.to_le_bytes(),
        purpose.as_bytes(),
    ]);
    let [a, b, c, d, e, f, g, h, ..] = *hash.as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_argument_counts_and_the_values_are_pinned() {
        let seeds = [
            derive(1, "game", 0),
            derive(2, "game", 0),
            derive(1, "game", 1),
            derive(1, "sampler", 0),
            derive(1, "game1", 0),
            derive(0, "", 0),
        ];
        assert_eq!(seeds.iter().collect::<BTreeSet<_>>().len(), seeds.len());
        assert_eq!(derive(1, "game", 0), 3_757_829_917_698_471_642);
    }

    #[test]
    fn the_bits_are_balanced() {
        let ones: u32 = (0..1000).map(|i| derive(7, "x", i).count_ones()).sum();
        assert!((31_500..32_500).contains(&ones), "{ones}");
    }
}
