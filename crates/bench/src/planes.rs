//! Input planes.

use std::hint::black_box;

use keiko_encoding::{Context, EncodingId, encode, unpack};
use keiko_shogi::DrawValues;

use crate::{Done, Inputs};

/// How often the positions are gone through.
const TIMES: u64 = 10;

const CONTEXT: Context = Context { draw_values: DrawValues::HALF };

/// Packed rows of the encoding `dlshogi-57`.
pub(crate) fn packed(inputs: &mut Inputs) -> Done {
    rows(EncodingId::Dlshogi57, inputs)
}

/// Packed rows of the encoding `keiko-1`.
pub(crate) fn packed_keiko_1(inputs: &mut Inputs) -> Done {
    rows(EncodingId::Keiko1, inputs)
}

fn rows(id: EncodingId, inputs: &Inputs) -> Done {
    let mut row = vec![0; id.row_bytes()];
    let mut result = 0_u64;
    for _ in 0..TIMES {
        result = 0;
        for (number, game) in inputs.games.iter().enumerate() {
            encode(id, game, &CONTEXT, &mut row);
            let bytes = black_box(&row)[number % (id.row_bytes() / 8) * 8..]
                .first_chunk()
                .expect("eight bytes");
            result = result.rotate_left(7) ^ u64::from_le_bytes(*bytes);
        }
    }
    Done { result, units: TIMES * inputs.games.len() as u64 }
}

/// Planes of the encoding `dlshogi-57` as the net reads them.
pub(crate) fn unpacked(inputs: &mut Inputs) -> Done {
    let id = EncodingId::Dlshogi57;
    let (mut row, mut planes) = (vec![0; id.row_bytes()], vec![0.0; id.planes() * 81]);
    let mut result = 0;
    for _ in 0..TIMES {
        result = 0;
        for (number, game) in inputs.games.iter().enumerate() {
            encode(id, game, &CONTEXT, &mut row);
            unpack(id, &row, &mut planes);
            let some = &black_box(&planes)[number % 119 * 81..][..81];
            result += some.iter().map(|&value| value as u64).sum::<u64>();
        }
    }
    Done { result, units: TIMES * inputs.games.len() as u64 }
}

/// The planes of the encoding `dlshogi-57`, every value looked at: to be compared with others'.
pub(crate) fn sum(inputs: &mut Inputs) -> Done {
    let id = EncodingId::Dlshogi57;
    let (mut row, mut planes) = (vec![0; id.row_bytes()], vec![0.0; id.planes() * 81]);
    let mut result = 0;
    for game in &inputs.games {
        encode(id, game, &CONTEXT, &mut row);
        unpack(id, &row, &mut planes);
        result +=
            (1..).zip(&planes).filter(|&(_, &value)| value > 0.5).map(|(at, _)| at).sum::<u64>();
    }
    Done { result, units: inputs.games.len() as u64 }
}
