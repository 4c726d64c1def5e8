//! Weights to a safetensors file.

use safetensors::tensor::{Dtype, TensorView, serialize};

use super::Weights;

impl Weights {
    /// The bytes of a safetensors file with these tensors in the order of their names and no
    /// further metadata: the same weights always give the same bytes, so that a digest of the file
    /// identifies them.
    #[expect(clippy::missing_panics_doc, reason = "no checked weights are beyond the format")]
    pub fn write_safetensors(&self) -> Vec<u8> {
        let bytes: Vec<(&str, &[usize], Vec<u8>)> = self
            .iter()
            .map(|(name, tensor)| {
                let bytes = tensor.values.iter().flat_map(|value| value.to_le_bytes()).collect();
                (name, tensor.shape.as_slice(), bytes)
            })
            .collect();
        let views = bytes.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes)
                .expect("a checked tensor has as many values as its shape");
            (*name, view)
        });
        serialize(views, None).expect("a net's tensors are below every limit of the format")
    }
}
