//! From a row to the planes a net reads.

use crate::id::{EncodingId, PLANES1, PLANES1_BYTES};

/// The eight values of every byte.
static BYTES: [[f32; 8]; 256] = bytes();

const fn bytes() -> [[f32; 8]; 256] {
    let mut table = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][bit] = 1.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Writes the planes of a row, shape `[planes, 81]`: board planes and whole planes as 0 or 1, scalars
/// as they are.
///
/// # Panics
///
/// If `row` is not [`EncodingId::row_bytes`] long, or `planes` not [`EncodingId::planes`] times 81.
pub fn unpack(id: EncodingId, row: &[u8], planes: &mut [f32]) {
    assert_eq!(row.len(), id.row_bytes(), "bytes of a {id} row");
    assert_eq!(planes.len(), id.planes() * 81, "values of {id} planes");
    let (board, whole) = planes.split_at_mut(PLANES1 * 81);
    let (eights, rest) = board.as_chunks_mut::<8>();
    for (values, &byte) in eights.iter_mut().zip(row) {
        *values = BYTES[usize::from(byte)];
    }
    rest.copy_from_slice(&BYTES[usize::from(row[PLANES1_BYTES - 1])][..rest.len()]);
    let bits = &row[PLANES1_BYTES..id.scalars_offset()];
    let scalars = row[id.scalars_offset()..].as_chunks::<4>().0;
    let (bit_planes, scalar_planes) = whole.split_at_mut(id.planes2() * 81);
    for (plane, values) in bit_planes.chunks_exact_mut(81).enumerate() {
        values.fill(f32::from(bits[plane / 8] >> (plane % 8) & 1));
    }
    for (values, &scalar) in scalar_planes.chunks_exact_mut(81).zip(scalars) {
        values.fill(f32::from_le_bytes(scalar));
    }
}
