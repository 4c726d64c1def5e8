//! From a game to a row.

mod attacks;
mod scalars;
mod view;
mod whole;

use keiko_shogi::Game;

use crate::bits::BoardPlanes;
use crate::context::Context;
use crate::id::{EncodingId, PLANES1_BYTES};
use view::View;

/// Writes the row of the game's current position.
///
/// # Panics
///
/// If `row` is not [`EncodingId::row_bytes`] long.
pub fn encode(id: EncodingId, game: &Game, context: &Context, row: &mut [u8]) {
    assert_eq!(row.len(), id.row_bytes(), "bytes of a {id} row");
    let position = game.position();
    let view = View::new(position);
    let mut board = BoardPlanes::new();
    attacks::put_board_planes(&view, &mut board);
    board.write(&mut row[..PLANES1_BYTES]);

    let mut whole = whole::hands_and_check(&view, position.in_check());
    if id != EncodingId::Dlshogi57 {
        whole |= whole::entering_kings(&view);
    }
    let (bytes, scalars) = row[PLANES1_BYTES..].split_at_mut(id.planes2_bytes());
    bytes.copy_from_slice(&whole.to_le_bytes()[..bytes.len()]);
    if id == EncodingId::Keiko1 {
        let values = scalars::scalars(&view, game, context);
        for (bytes, value) in scalars.as_chunks_mut::<4>().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
    }
}
