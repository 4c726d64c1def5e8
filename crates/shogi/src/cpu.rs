//! Whether this CPU can run the program as it was built.

use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;

/// The program was built for instructions that this CPU does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedCpu(&'static str);

impl UnsupportedCpu {
    /// Tells on standard error what `program` lacks and what to do; the exit code of a failure.
    ///
    /// The text is written as bytes: code that formats it was built for the missing instructions too,
    /// and dies of them.
    #[inline(never)]
    pub fn refuse(self, program: &str) -> ExitCode {
        for text in [program, ": ", self.0, "\n"] {
            // Where standard error is closed there is nobody to tell.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        ExitCode::FAILURE
    }
}

impl fmt::Display for UnsupportedCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UnsupportedCpu {}

/// Returns an error unless the feature is present or was not built for.
macro_rules! need {
    ($feature:literal, $name:literal, $present:expr) => {
        if cfg!(target_feature = $feature) && $present & 1 == 0 {
            return Err(UnsupportedCpu(concat!(
                "this CPU lacks ",
                $name,
                ", which the program was built for: build it on this machine with ",
                "RUSTFLAGS=\"-C target-cpu=native\""
            )));
        }
    };
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
    need!("ssse3", "SSSE3", basic >> 9);
    need!("fma", "FMA", basic >> 12);
    need!("sse4.1", "SSE4.1", basic >> 19);
    need!("sse4.2", "SSE4.2", basic >> 20);
    need!("movbe", "MOVBE", basic >> 22);
    need!("popcnt", "POPCNT", basic >> 23);
    need!("avx", "AVX", basic >> 28 & basic >> 27);
    need!("f16c", "F16C", basic >> 29);
    need!("bmi1", "BMI1", extended >> 3);
    need!("avx2", "AVX2", extended >> 5);
    need!("bmi2", "BMI2", extended >> 8);
    need!("lzcnt", "LZCNT", amd >> 5);
    Ok(())
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
