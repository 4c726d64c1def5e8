//! Number formats of a forward pass.

use serde::{Deserialize, Serialize};

use crate::Device;

/// The number format in which a net's trunk is computed. Master weights, statistics, logits and
/// losses are fp32 in each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats.
    Fp32,
    /// bfloat16: the range of fp32 with 8 bits of precision.
    Bf16,
    /// [`Self::Bf16`] where the device computes it natively, else [`Self::Fp32`].
    Auto,
}

impl Precision {
    /// What [`Self::Auto`] means on `device`: bf16 on a GPU and on a processor with AVX512-BF16 or
    /// AMX (measured faster from batches of 8 rows on), else fp32. The others stay as they are.
    pub fn resolve(self, device: Device) -> Self {
        match (self, device) {
            (Self::Auto, Device::Cuda(_)) => Self::Bf16,
            (Self::Auto, Device::Cpu) if cpu_computes_bf16() => Self::Bf16,
            (Self::Auto, Device::Cpu) => Self::Fp32,
            (precision, _) => precision,
        }
    }

    /// LibTorch's name of the format on `device`.
    pub(crate) fn kind(self, device: Device) -> tch::Kind {
        match self.resolve(device) {
            Self::Bf16 => tch::Kind::BFloat16,
            Self::Fp32 | Self::Auto => tch::Kind::Float,
        }
    }
}

/// Whether the processor multiplies bf16 numbers. Asks the processor itself: the standard
/// library's macro answers with what the binary was compiled for where that includes the feature.
#[cfg(target_arch = "x86_64")]
fn cpu_computes_bf16() -> bool {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    if __cpuid(0).eax < 7 {
        return false;
    }
    let leaf = __cpuid_count(7, 0);
    let amx_bf16 = leaf.edx & (1 << 22) != 0;
    let avx512f = leaf.ebx & (1 << 16) != 0;
    let avx512_bf16 = leaf.eax >= 1 && __cpuid_count(7, 1).eax & (1 << 5) != 0;
    avx512f && (avx512_bf16 || amx_bf16)
}

/// Other processors run bf16 by conversion, which gains nothing.
#[cfg(not(target_arch = "x86_64"))]
fn cpu_computes_bf16() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_resolves_and_the_others_stay() {
        assert_eq!(Precision::Fp32.resolve(Device::Cuda(0)), Precision::Fp32);
        assert_eq!(Precision::Bf16.resolve(Device::Cpu), Precision::Bf16);
        assert_eq!(Precision::Auto.resolve(Device::Cuda(0)), Precision::Bf16);
        assert_ne!(Precision::Auto.resolve(Device::Cpu), Precision::Auto);
    }

    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    #[test]
    fn the_processor_and_the_kernel_agree() {
        let info = std::fs::read_to_string("/proc/cpuinfo").expect("the kernel describes the CPU");
        let listed = info.contains(" avx512_bf16") || info.contains(" amx_bf16");
        assert_eq!(cpu_computes_bf16(), listed);
    }
}
