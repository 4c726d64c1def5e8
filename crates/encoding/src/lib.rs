//! The contract between rules and network: what a net is shown of a position, and how its policy
//! output names moves.
//!
//! A position becomes a *row*: a fixed number of bytes, one bit a square or a plane, with our own
//! scalars after them as `f32`. Rows are what requests, shards and batches carry; [`unpack`] turns
//! one into the `f32` planes a net reads. Everything in a row is seen from the side to move: when
//! White moves, colours are swapped and the board is turned by 180 degrees. So are the
//! [`label`]s, dlshogi's 2,187 move classes.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | board planes | [`PLANES1_BYTES`] | plane `p`, square `s` is bit `p * 81 + s` |
//! | whole planes | [`EncodingId::planes2_bytes`] | plane `p` is bit `p` |
//! | scalars | 4 × [`EncodingId::scalars`] | little-endian `f32`, see [`Scalar`] |
//!
//! Bit `i` of a part is bit `i % 8` (least significant first) of its byte `i / 8`; the unused high
//! bits of a part's last byte are 0. Parts follow each other without padding.
//!
//! This crate knows the rules of `keiko-shogi` and nothing of tensors, search or batches.

mod bits;
mod id;
mod mirror;
mod scalar;
mod unpack;

pub use id::{EncodingId, PLANES1, PLANES1_BYTES, UnknownEncoding};
pub use mirror::{mirror_label, mirror_row};
pub use scalar::Scalar;
pub use unpack::unpack;

/// Number of move labels: 27 classes of move times 81 squares to move to.
pub const LABELS: usize = 27 * 81;
