//! Whether this CPU can run the program as it was built.

use thiserror::Error;

/// The program was built for instructions that this CPU does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "this CPU lacks {missing}, which the program was built for: build it on this machine with \
     RUSTFLAGS=\"-C target-cpu=native\""
)]
pub struct UnsupportedCpu {
    /// The first missing instruction set.
    pub missing: &'static str,
}

/// Tells whether this CPU has the instructions that the program was built for. To be called before
/// anything else: without them a program dies at some later instruction without a word.
///
/// The CPU itself is asked, because the detection of the standard library takes for granted what
/// the compiler was told.
///
/// # Errors
/// Names the first missing set of instructions.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub fn check_cpu() -> Result<(), UnsupportedCpu> {
    use std::arch::x86_64::__cpuid;

    let leaf = |number, least| {
        let base: u32 = number & 0x8000_0000;
        if __cpuid(base).eax < least { None } else { Some(__cpuid(number)) }
    };
    let basic = leaf(1, 1).map_or(0, |leaf| leaf.ecx);
    let extended = leaf(7, 7).map_or(0, |leaf| leaf.ebx);
    let amd = leaf(0x8000_0001, 0x8000_0001).map_or(0, |leaf| leaf.ecx);
    let sets = [
        ("SSSE3", cfg!(target_feature = "ssse3"), basic >> 9),
        ("FMA", cfg!(target_feature = "fma"), basic >> 12),
        ("SSE4.1", cfg!(target_feature = "sse4.1"), basic >> 19),
        ("SSE4.2", cfg!(target_feature = "sse4.2"), basic >> 20),
        ("MOVBE", cfg!(target_feature = "movbe"), basic >> 22),
        ("POPCNT", cfg!(target_feature = "popcnt"), basic >> 23),
        ("AVX", cfg!(target_feature = "avx"), basic >> 28 & basic >> 27),
        ("F16C", cfg!(target_feature = "f16c"), basic >> 29),
        ("BMI1", cfg!(target_feature = "bmi1"), extended >> 3),
        ("AVX2", cfg!(target_feature = "avx2"), extended >> 5),
        ("BMI2", cfg!(target_feature = "bmi2"), extended >> 8),
        ("LZCNT", cfg!(target_feature = "lzcnt"), amd >> 5),
    ];
    match sets.into_iter().find(|&(_, needed, present)| needed && present & 1 == 0) {
        Some((missing, ..)) => Err(UnsupportedCpu { missing }),
        None => Ok(()),
    }
}

/// Tells whether this CPU has the instructions that the program was built for: only x86-64 is
/// asked.
///
/// # Errors
/// Never.
#[cfg(not(target_arch = "x86_64"))]
pub fn check_cpu() -> Result<(), UnsupportedCpu> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_that_runs_this_can_run_it() {
        assert_eq!(check_cpu(), Ok(()));
    }
}
