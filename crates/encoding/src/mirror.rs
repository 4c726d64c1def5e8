//! The left-right mirror: shogi's rules do not know left from right.
//!
//! Its law: the row of a mirrored game is the mirrored row of the game, and the label of a mirrored
//! move the mirrored label of the move. Hands, check, camps and scalars do not change.

use crate::LABELS;
use crate::bits::{BoardPlanes, mirrored};
use crate::id::{EncodingId, PLANES1, PLANES1_BYTES};

/// Mirrors a row in place.
///
/// # Panics
///
/// If `row` is not [`EncodingId::row_bytes`] long.
pub fn mirror_row(id: EncodingId, row: &mut [u8]) {
    assert_eq!(row.len(), id.row_bytes(), "bytes of a {id} row");
    let bytes = &mut row[..PLANES1_BYTES];
    let planes = BoardPlanes::read(bytes);
    let mut result = BoardPlanes::new();
    for plane in 0..PLANES1 {
        result.put(plane, mirrored(planes.get(plane)));
    }
    result.write(bytes);
}

/// The classes of [`label()`](crate::label()) with left and right exchanged.
const CLASSES: [u16; 27] = [
    0, 2, 1, 4, 3, 5, 7, 6, 9, 8, 10, 12, 11, 14, 13, 15, 17, 16, 19, 18, 20, 21, 22, 23, 24, 25,
    26,
];

/// The labels of the mirrored moves.
static LABELS_MIRRORED: [u16; LABELS] = {
    let mut labels = [0; LABELS];
    let mut label = 0;
    while label < LABELS {
        let (class, file, rank) = (label / 81, label % 81 / 9, label % 9);
        labels[label] = CLASSES[class] * 81 + ((8 - file) * 9 + rank) as u16;
        label += 1;
    }
    labels
};

/// The label of the mirrored move. Its own inverse.
///
/// # Panics
///
/// If `label` is not below [`crate::LABELS`].
#[inline]
pub fn mirror_label(label: u16) -> u16 {
    LABELS_MIRRORED[usize::from(label)]
}
