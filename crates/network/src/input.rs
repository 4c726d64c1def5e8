//! Packed rows to the tensors a net reads.

use keiko_encoding::{EncodingId, PLANES1, PLANES1_BYTES};
use tch::{Kind, TchError, Tensor};

use crate::Device;
use crate::error::Torch;
use crate::upload::upload;

/// Squares of the board.
pub(crate) const SQUARES: usize = 81;

/// A batch of positions on a device.
///
/// Board planes and whole planes stay apart: a plane with one value for all squares costs one
/// number, and the net's first layer takes it as such (see [`crate::forward::whole_matrix`]).
#[derive(Debug)]
pub(crate) struct Input {
    /// `[rows, 62, 9, 9]` in channels-last layout, 0 or 1, in the precision of the net.
    pub(crate) board: Tensor,
    /// `[rows, whole planes + scalars]`, in the precision of the net.
    pub(crate) whole: Tensor,
}

/// Turns packed rows into a net's input, padded with zero rows.
#[derive(Debug)]
pub(crate) struct Unpacker {
    encoding: EncodingId,
    device: Device,
    kind: Kind,
    bytes: Vec<u8>,
}

impl Unpacker {
    /// For rows of `encoding`, to tensors of `kind` on `device`.
    pub(crate) fn new(encoding: EncodingId, device: Device, kind: Kind) -> Self {
        Self { encoding, device, kind, bytes: Vec::new() }
    }

    /// Unpacks `rows`, whole rows one after another, to a batch of `shape` rows.
    ///
    /// Where bits are expanded follows from the device: a processor writes the few ones of a row
    /// faster than tensor operations do; a GPU receives the bits and expands them itself.
    ///
    /// # Panics
    ///
    /// If `rows` are not whole rows of the encoding, or more than `shape`.
    pub(crate) fn unpack(&mut self, rows: &[u8], shape: usize) -> Torch<Input> {
        let row_bytes = self.encoding.row_bytes();
        assert!(
            rows.len().is_multiple_of(row_bytes) && rows.len() <= shape * row_bytes,
            "{} bytes are not up to {shape} rows of {}",
            rows.len(),
            self.encoding
        );
        match self.device {
            Device::Cpu => self.unpack_here(rows, shape),
            Device::Cuda(_) => self.unpack_there(rows, shape),
        }
    }

    fn unpack_here(&mut self, rows: &[u8], shape: usize) -> Torch<Input> {
        let row_bytes = self.encoding.row_bytes();
        let size = element_bytes(self.kind);
        let length = shape.saturating_mul(SQUARES * PLANES1 * size);
        self.bytes.clear();
        // A `resize` that gets no memory ends the process.
        self.bytes.try_reserve_exact(length).map_err(|_| {
            let what = format!("the planes of {shape} rows: {length} bytes");
            TchError::Torch(format!("cannot allocate memory for {what}"))
        })?;
        self.bytes.resize(length, 0);
        let planes = self.bytes.chunks_exact_mut(SQUARES * PLANES1 * size);
        for (row, planes) in rows.chunks_exact(row_bytes).zip(planes) {
            for_each_one(&row[..PLANES1_BYTES], PLANES1 * SQUARES, |bit| {
                let (plane, square) = (bit / SQUARES, bit % SQUARES);
                let end = (square * PLANES1 + plane + 1) * size;
                // The upper half of 1.0 in fp32 is 1.0 in bf16, little-endian both.
                planes[end - 2..end].copy_from_slice(&[0x80, 0x3f]);
            });
        }
        let board =
            Tensor::f_from_data_size(&self.bytes, &sizes([shape, 9, 9, PLANES1]), self.kind)?
                .f_permute([0, 3, 1, 2])?;

        let width = self.encoding.planes2() + self.encoding.scalars();
        let mut whole = vec![0.0; shape * width];
        for (row, whole) in rows.chunks_exact(row_bytes).zip(whole.chunks_exact_mut(width)) {
            let (bits, scalars) = row[PLANES1_BYTES..].split_at(self.encoding.planes2_bytes());
            for_each_one(bits, self.encoding.planes2(), |plane| whole[plane] = 1.0);
            let (scalars, _) = scalars.as_chunks();
            for (whole, scalar) in whole[self.encoding.planes2()..].iter_mut().zip(scalars) {
                *whole = f32::from_le_bytes(*scalar);
            }
        }
        let whole = Tensor::f_from_slice(&whole)?.f_reshape(sizes([shape, width]))?;
        Ok(Input { board, whole: whole.f_to_kind(self.kind)? })
    }

    fn unpack_there(&self, rows: &[u8], shape: usize) -> Torch<Input> {
        let row_bytes = self.encoding.row_bytes();
        let filled = rows.len() / row_bytes;
        let packed = upload(rows, self.device)?
            .f_reshape(sizes([filled, row_bytes]))?
            .f_constant_pad_nd(sizes([0, 0, 0, shape - filled]))?;
        let masks = upload(&[1_u8, 2, 4, 8, 16, 32, 64, 128], self.device)?;
        let expand = |from: usize, bytes: usize, bits: usize| {
            packed
                .f_narrow(1, size(from), size(bytes))?
                .f_unsqueeze(-1)?
                .f_bitwise_and_tensor(&masks)?
                .f_ne(0)?
                .f_reshape(sizes([shape, bytes * 8]))?
                .f_narrow(1, 0, size(bits))?
                .f_to_kind(self.kind)
        };
        let board = expand(0, PLANES1_BYTES, PLANES1 * SQUARES)?
            .f_reshape(sizes([shape, PLANES1, 9, 9]))?
            .f_permute([0, 2, 3, 1])?
            .f_contiguous()?
            .f_permute([0, 3, 1, 2])?;
        let mut whole =
            expand(PLANES1_BYTES, self.encoding.planes2_bytes(), self.encoding.planes2())?;
        if self.encoding.scalars() > 0 {
            let scalars = packed
                .f_narrow(
                    1,
                    size(self.encoding.scalars_offset()),
                    size(4 * self.encoding.scalars()),
                )?
                .f_contiguous()?
                .f_view_dtype(Kind::Float)?
                .f_to_kind(self.kind)?;
            whole = Tensor::f_cat(&[whole, scalars], 1)?;
        }
        Ok(Input { board, whole })
    }
}

/// Calls `each` with the index of every bit that is set among the first `count`, least significant
/// first in a byte.
fn for_each_one(bytes: &[u8], count: usize, mut each: impl FnMut(usize)) {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for (index, word) in words.iter().chain(std::iter::once(&last)).enumerate() {
        let mut word = u64::from_le_bytes(*word);
        while word != 0 {
            let bit = index * 64 + word.trailing_zeros() as usize;
            if bit < count {
                each(bit);
            }
            word &= word - 1;
        }
    }
}

/// Bytes of a number; nets are computed in fp32 and bf16 only.
fn element_bytes(kind: Kind) -> usize {
    if kind == Kind::Float { 4 } else { 2 }
}

/// A length as LibTorch counts.
pub(crate) fn size(length: usize) -> i64 {
    i64::try_from(length).expect("no length exceeds half the address space")
}

/// A shape as LibTorch counts.
pub(crate) fn sizes<const N: usize>(shape: [usize; N]) -> [i64; N] {
    shape.map(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_rows;

    /// Board and whole planes as fp32 in the order of `keiko_encoding::unpack`.
    fn planes(input: &Input) -> Vec<f32> {
        let rows = input.board.size()[0];
        let board = input.board.to_kind(Kind::Float).reshape([rows, -1, 81]);
        let whole = input.whole.to_kind(Kind::Float).unsqueeze(-1).expand([-1, -1, 81], false);
        let all = Tensor::cat(&[board, whole], 1).reshape([-1]).to_device(tch::Device::Cpu);
        Vec::try_from(all).expect("the tensor holds floats")
    }

    #[test]
    fn both_ways_unpack_as_the_encoding_says_and_pad_with_zeros() {
        for encoding in EncodingId::ALL {
            let rows = random_rows(encoding, 3, 7);
            let mut expected = vec![0.0; 5 * encoding.planes() * SQUARES];
            let each = expected.chunks_exact_mut(encoding.planes() * SQUARES);
            for (row, planes) in rows.chunks_exact(encoding.row_bytes()).zip(each) {
                keiko_encoding::unpack(encoding, row, planes);
            }
            for device in Device::available() {
                let mut unpacker = Unpacker::new(encoding, device, Kind::Float);
                let there = unpacker.unpack_there(&rows, 5).expect("the device has memory");
                assert_eq!(planes(&there), expected, "{encoding} on {device} by tensors");
                let chosen = unpacker.unpack(&rows, 5).expect("the device has memory");
                assert_eq!(planes(&chosen), expected, "{encoding} on {device}");
            }
            let mut unpacker = Unpacker::new(encoding, Device::Cpu, Kind::BFloat16);
            let here = unpacker.unpack(&rows, 5).expect("there is memory");
            let there = unpacker.unpack_there(&rows, 5).expect("there is memory");
            assert_eq!(planes(&here), planes(&there), "{encoding} in bf16");
        }
    }
}
