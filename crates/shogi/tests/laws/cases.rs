//! How many random cases a law is tried on.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// The same `cases` in every run.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x006b_6569_6b6f),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
