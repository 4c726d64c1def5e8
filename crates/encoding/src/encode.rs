//! From a game to a row.

mod attacks;
mod scalars;
mod view;
mod whole;

use keiko_shogi::{Game, Position};

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
    let view = View::new(game.position());
    let scalars = put_planes(id, &view, game.position(), row);
    if id == EncodingId::Keiko1 {
        let values = scalars::scalars(&view, game, context);
        for (bytes, value) in scalars.as_chunks_mut::<4>().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
    }
}

/// Writes the row of a position, whatever its game was: the same as [`encode`] for encodings without scalars.
///
/// # Panics
///
/// If `row` is not [`EncodingId::row_bytes`] long, or the encoding has scalars, which speak of the game.
pub fn encode_position(id: EncodingId, position: &Position, row: &mut [u8]) {
    assert_eq!(id.scalars(), 0, "a {id} row speaks of a game");
    put_planes(id, &View::new(position), position, row);
}

/// Writes all planes of a row; the bytes of its scalars are left.
fn put_planes<'r>(
    id: EncodingId,
    view: &View,
    position: &Position,
    row: &'r mut [u8],
) -> &'r mut [u8] {
    assert_eq!(row.len(), id.row_bytes(), "bytes of a {id} row");
    let mut board = BoardPlanes::new();
    attacks::put_board_planes(view, &mut board);
    board.write(&mut row[..PLANES1_BYTES]);

    let mut whole = whole::hands_and_check(view, position.in_check());
    if id != EncodingId::Dlshogi57 {
        whole |= whole::entering_kings(view);
    }
    let (bytes, scalars) = row[PLANES1_BYTES..].split_at_mut(id.planes2_bytes());
    bytes.copy_from_slice(&whole.to_le_bytes()[..bytes.len()]);
    scalars
}
