//! The contract between rules and network: what a net is shown of a position, and how its policy
//! output names moves.
//!
//! A position becomes a *row*: a fixed number of bytes, one bit a square or a plane, with our own
//! scalars after them as `f32`. Rows are what requests, shards and batches carry; [`unpack()`] turns
//! one into the `f32` planes a net reads. Everything in a row is seen from the side to move: when
//! White moves, colours are swapped and the board is turned by 180 degrees. So are the
//! [`label()`]s, dlshogi's 2,187 move classes.
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
//!
//! ```
//! use keiko_encoding::{Context, EncodingId, encode, label, unpack};
//! use keiko_shogi::{Color, DrawValues, Game, Move, Rules, ImpasseRule, Declaration};
//!
//! let rules = Rules {
//!     impasse: ImpasseRule::Csa27,
//!     declaration: Declaration::Manual,
//!     max_plies: Some(320),
//!     handicap: None,
//! };
//! let game = Game::startpos(rules);
//! let context =
//!     Context { draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 } };
//! let id = EncodingId::Dlshogi57;
//! let mut row = vec![0; id.row_bytes()];
//! encode(id, &game, &context, &mut row);
//! let mut planes = vec![0.0; id.planes() * 81];
//! unpack(id, &row, &mut planes);
//! assert_eq!(planes[6], 1.0, "a pawn of the side to move on 1g");
//!
//! let push: Move = "7g7f".parse()?;
//! assert_eq!(label(push, Color::Black), 59);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod context;
mod encode;
mod id;
mod label;
mod mirror;
mod scalar;
mod unpack;

pub use context::Context;
pub use encode::{encode, encode_position};
pub use id::{EncodingId, PLANES1, PLANES1_BYTES, UnknownEncoding};
pub use label::{LABELS, label, move_of_label, turned_label};
pub use mirror::{mirror_label, mirror_row};
pub use scalar::Scalar;
pub use unpack::unpack;
