use keiko_encoding::EncodingId;
use keiko_mcts::Wdl;

use crate::{Backend, BackendError, Finished, RequestBatch, ResponseBatch, Ticket};

/// Pseudo-random answers that are a pure function of seed, row bytes and label.
///
/// Integers are hashed and only then turned into floats by exact or correctly rounded operations, so the
/// answers are the same on every platform: what golden trees and tests of determinism need. Logits lie
/// in -2..2 in steps of 2^-22; win, draw and loss are three random weights divided by their sum.
#[derive(Debug)]
pub struct Hashed {
    encoding: EncodingId,
    seed: u64,
    finished: Finished,
}

impl Hashed {
    /// A hashed backend for rows of `encoding`; another seed is another function.
    #[must_use]
    pub fn new(encoding: EncodingId, seed: u64) -> Self {
        Self { encoding, seed, finished: Finished::default() }
    }
}

impl Backend for Hashed {
    fn encoding(&self) -> EncodingId {
        self.encoding
    }

    fn name(&self) -> String {
        format!("hashed-{}", self.seed)
    }

    fn submit(&mut self, batch: RequestBatch) -> Result<Ticket, BackendError> {
        batch.require(self.encoding)?;
        let mut logits = Vec::with_capacity(batch.labels().len());
        let mut wdl = Vec::with_capacity(batch.len());
        for index in 0..batch.len() {
            let hash = row_hash(self.seed, batch.row(index));
            logits.extend(batch.labels_of(index).iter().map(|&label| logit(hash, label)));
            wdl.push(wdl_of(hash));
        }
        Ok(self.finished.put(ResponseBatch::new(batch, logits, wdl)?))
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        self.finished.take(ticket)
    }
}

/// The finaliser of SplitMix64: a bijection of 64-bit words in which every input bit reaches every
/// output bit.
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Hash of a packed row, read as little-endian words with zeros after the end.
pub(crate) fn row_hash(seed: u64, row: &[u8]) -> u64 {
    let (words, rest) = row.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain(std::iter::once(&last)).fold(mix(seed), |hash, word| {
        mix(hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_add(0x9e37_79b9_7f4a_7c15)
    })
}

/// 24 bits, which a float holds exactly, scaled by a power of two.
fn logit(row_hash: u64, label: u16) -> f32 {
    let bits = mix(row_hash ^ (u64::from(label) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 40;
    bits as f32 / (1 << 22) as f32 - 2.0
}

fn wdl_of(row_hash: u64) -> Wdl {
    let bits = mix(!row_hash);
    let weight = |shift: u32| ((bits >> shift) & 0xffff) as f32 + 1.0;
    let (win, draw, loss) = (weight(0), weight(16), weight(32));
    let sum = win + draw + loss;
    Wdl { win: win / sum, draw: draw / sum, loss: loss / sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_function_never_changes() {
        let row: Vec<u8> = (0..=200).collect();
        let hash = row_hash(7, &row);
        let wdl = wdl_of(hash);
        let found =
            [logit(hash, 0), logit(hash, 2186), wdl.win, wdl.draw, wdl.loss].map(f32::to_bits);
        assert_eq!(found, [0x3f10_21ac, 0xbfdc_f202, 0x3e72_e8bc, 0x3ee7_66bb, 0x3e9f_24e7]);
    }

    #[test]
    fn each_byte_and_the_seed_matter() {
        let row = [0_u8; 21];
        let base = row_hash(1, &row);
        assert_ne!(base, row_hash(2, &row));
        for at in 0..row.len() {
            let mut other = row;
            other[at] = 1;
            assert_ne!(base, row_hash(1, &other), "byte {at}");
        }
    }

    #[test]
    fn logits_spread_over_their_range() {
        let logits: Vec<f32> = (0..2187).map(|label| logit(99, label)).collect();
        let mean = logits.iter().sum::<f32>() / logits.len() as f32;
        assert!(logits.iter().all(|logit| (-2.0..2.0).contains(logit)));
        assert!(mean.abs() < 0.1, "{mean}");
        assert!(logits.iter().any(|&logit| logit > 1.9) && logits.iter().any(|&l| l < -1.9));
    }
}
