//! Random nets, rows and batches for tests: functions of a seed.

use std::collections::BTreeMap;

use keiko_encoding::{EncodingId, LABELS};
use keiko_inference::RequestBatch;
use keiko_model::{Activation, Architecture, Role, Tensor, Weights, tensors};
use keiko_replay::{Ahead, Batch};
use ndarray::{Array1, Array2};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A small net of `dlshogi-119` with ReLU.
pub(crate) fn architecture(blocks: u32, channels: u32, squeeze_excitation: u32) -> Architecture {
    Architecture {
        encoding: EncodingId::Dlshogi119,
        blocks,
        channels,
        squeeze_excitation,
        value_channels: 4,
        value_hidden: 16,
        activation: Activation::Relu,
    }
}

/// Weights in which no tensor is trivial, with outputs of the size that trained nets have.
pub(crate) fn random_weights(architecture: &Architecture, seed: u64) -> Weights {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut named = BTreeMap::new();
    for spec in tensors(architecture) {
        let fan_in: usize = spec.shape[1..].iter().product();
        let (centre, width) = match spec.role {
            Role::Weight => (0.0, (6.0 / fan_in as f32).sqrt()),
            Role::Bias | Role::NormShift | Role::RunningMean => (0.0, 0.2),
            Role::NormScale | Role::RunningVar => (1.0, 0.5),
        };
        let value = |_| centre + width * (rng.random::<f32>() * 2.0 - 1.0);
        let values = (0..spec.len()).map(value).collect();
        named.insert(spec.name, Tensor { shape: spec.shape, values });
    }
    Weights::new(architecture, named).expect("the shapes are the architecture's")
}

/// Rows with one bit in eight set, one after another.
pub(crate) fn random_rows(encoding: EncodingId, count: usize, seed: u64) -> Vec<u8> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut rows = Vec::new();
    for _ in 0..count {
        let start = rows.len();
        let bits = (0..encoding.scalars_offset())
            .map(|_| rng.random::<u8>() & rng.random::<u8>() & rng.random::<u8>());
        rows.extend(bits);
        // The bits that fill up the last byte of a part are 0.
        rows[start + 627] &= 0b11_1111;
        let unused = encoding.planes2_bytes() * 8 - encoding.planes2();
        if let Some(last) = rows.last_mut() {
            *last &= 0xff >> unused;
        }
        for _ in 0..encoding.scalars() {
            rows.extend(rng.random::<f32>().to_le_bytes());
        }
    }
    rows
}

/// A request for random labels of `rows`.
pub(crate) fn request(encoding: EncodingId, rows: &[u8], shape: usize) -> RequestBatch {
    let mut request = RequestBatch::new(encoding, shape);
    for row in rows.chunks_exact(encoding.row_bytes()) {
        // The labels depend on the row alone, so that rows can change places.
        let first = usize::from(row[0]) + usize::from(row[1]);
        let labels: Vec<u16> = (0..5 + first % 40)
            .map(|index| u16::try_from((first + 53 * index) % LABELS).expect("few labels"))
            .collect();
        request.push_row(row, &labels);
    }
    request
}

/// A batch of random rows with random targets. Row 0 has no value, row 1 no policy to learn.
pub(crate) fn batch(encoding: EncodingId, rows: usize, seed: u64) -> Batch {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(!seed);
    let packed = random_rows(encoding, rows, seed);
    let mut policy = Array2::zeros((rows, LABELS));
    let mut legal = Array2::from_shape_fn((rows, LABELS), |_| rng.random_range(0..2));
    let mut wdl = Array2::zeros((rows, 3));
    for row in 0..rows {
        let label = rng.random_range(0..LABELS - 1);
        policy[[row, label]] = 0.75;
        policy[[row, label + 1]] = 0.25;
        legal[[row, label]] = 1;
        legal[[row, label + 1]] = 1;
        wdl[[row, rng.random_range(0..3)]] = 1.0;
    }
    let weight =
        |without: usize| Array1::from_shape_fn(rows, |row| if row == without { 0.0 } else { 1.0 });
    Batch {
        rows: Array2::from_shape_vec((rows, encoding.row_bytes()), packed)
            .expect("the rows are whole"),
        policy,
        legal,
        wdl,
        policy_weight: weight(1),
        value_weight: weight(0),
        ahead: None,
    }
}

/// [`batch`] with what came after its rows. Row 2 has no reply, row 3 no plies left.
pub(crate) fn batch_with_ahead(encoding: EncodingId, rows: usize, seed: u64) -> Batch {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0xa4ead);
    let weight =
        |without: usize| Array1::from_shape_fn(rows, |row| if row == without { 0.0 } else { 1.0 });
    let mut reply = Array2::zeros((rows, LABELS));
    for row in (0..rows).filter(|&row| row != 2) {
        reply[[row, rng.random_range(0..LABELS)]] = 1.0;
    }
    let ahead = Ahead {
        reply,
        reply_weight: weight(2),
        plies_left: Array1::from_shape_fn(rows, |_| f32::from(rng.random_range(1..200_u16))),
        plies_left_weight: weight(3),
    };
    Batch { ahead: Some(ahead), ..batch(encoding, rows, seed) }
}
