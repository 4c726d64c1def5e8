//! Where tensors live and are computed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shim;

/// A device by name: `cpu`, `cuda` (the first GPU) or `cuda:N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Device {
    /// The processor.
    Cpu,
    /// An NVIDIA GPU by its number.
    Cuda(usize),
}

/// Why a device is unusable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// No device has this name.
    #[error("device = {0:?} is no device (known: cpu, cuda, cuda:N)")]
    Unknown(String),
    /// The CUDA part of LibTorch cannot be loaded.
    #[error(
        "device = \"{device}\" cannot be had: this LibTorch has no CUDA part ({reason}); the CUDA build comes by \
         scripts/setup on a machine with an NVIDIA driver. What is here: cpu"
    )]
    Library {
        /// The device asked for.
        device: Device,
        /// The dynamic loader's message.
        reason: String,
    },
    /// There are fewer GPUs.
    #[error("device = \"{device}\" cannot be had: {}", what_is_here(*count))]
    Missing {
        /// The device asked for.
        device: Device,
        /// Number of GPUs that LibTorch sees.
        count: usize,
    },
}

impl Device {
    /// The devices of this machine: the processor and every GPU that LibTorch can use.
    pub fn available() -> Vec<Self> {
        let gpus = if shim::load_cuda().is_ok() { gpu_count() } else { 0 };
        std::iter::once(Self::Cpu).chain((0..gpus).map(Self::Cuda)).collect()
    }

    /// Makes sure that the device can be used. Everything here that takes a device asks first.
    ///
    /// # Errors
    ///
    /// A GPU was named and cannot be had: its library is missing, or the GPU is.
    pub fn open(self) -> Result<(), DeviceError> {
        let Self::Cuda(index) = self else { return Ok(()) };
        shim::load_cuda().map_err(|reason| DeviceError::Library { device: self, reason })?;
        let count = gpu_count();
        if index < count { Ok(()) } else { Err(DeviceError::Missing { device: self, count }) }
    }

    /// The same device as LibTorch names it.
    pub(crate) fn torch(self) -> tch::Device {
        match self {
            Self::Cpu => tch::Device::Cpu,
            Self::Cuda(index) => tch::Device::Cuda(index),
        }
    }
}

/// What there is beside the GPU that was asked for.
fn what_is_here(gpus: usize) -> String {
    match gpus {
        0 => "LibTorch sees no GPU (does nvidia-smi, what does CUDA_VISIBLE_DEVICES hide?). What is here: cpu".to_owned(),
        1 => "LibTorch sees 1 GPU. What is here: cpu, cuda:0".to_owned(),
        _ => format!("LibTorch sees {gpus} GPUs. What is here: cpu, cuda:0 to cuda:{}", gpus - 1),
    }
}

fn gpu_count() -> usize {
    usize::try_from(tch::Cuda::device_count()).unwrap_or(0)
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(index) => write!(f, "cuda:{index}"),
        }
    }
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Self, DeviceError> {
        match name {
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => name
                .strip_prefix("cuda:")
                .and_then(|index| index.parse().ok())
                .map(Self::Cuda)
                .ok_or_else(|| DeviceError::Unknown(name.to_owned())),
        }
    }
}

impl Serialize for Device {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Device {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for device in [Device::Cpu, Device::Cuda(0), Device::Cuda(3)] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        assert_eq!("cuda".parse(), Ok(Device::Cuda(0)));
        assert!("gpu".parse::<Device>().is_err());
        assert!("cuda:".parse::<Device>().is_err());
    }

    #[test]
    fn a_device_that_cannot_be_had_is_an_error_naming_the_setting() {
        let error = Device::Cuda(999).open().expect_err("no machine has a thousand GPUs");
        assert!(error.to_string().starts_with("device = \"cuda:999\" cannot be had"), "{error}");
        assert!(error.to_string().contains("What is here: cpu"), "{error}");
        assert_eq!(Device::Cpu.open(), Ok(()));
        let missing = |count| DeviceError::Missing { device: Device::Cuda(3), count }.to_string();
        for (count, here) in [(0, "no GPU"), (1, "cpu, cuda:0"), (3, "cpu, cuda:0 to cuda:2")] {
            assert!(missing(count).contains(here), "{}", missing(count));
        }
    }

    #[test]
    fn the_available_devices_open() {
        for device in Device::available() {
            assert_eq!(device.open(), Ok(()));
        }
    }
}
