//! What is computed on a device comes to it from here.

use tch::{Kind, Tensor};

use crate::Device;
use crate::error::Torch;

/// A tensor of these values on the device. A GPU fetches it while the processor goes on: from memory that stays where it
/// is, which LibTorch keeps until it has been fetched. From any other, the processor would wait for all that the GPU was
/// asked for before.
pub(crate) fn upload<T: tch::kind::Element>(values: &[T], device: Device) -> Torch<Tensor> {
    let here = Tensor::f_from_slice(values)?;
    match device {
        Device::Cpu => Ok(here),
        Device::Cuda(_) => {
            let device = device.torch();
            let kind: Kind = T::KIND;
            here.f_pin_memory(device)?.f_to_device_(device, kind, true, false)
        }
    }
}
