//! The bytes of a row, and who checks their number.

use keiko_encoding::{EncodingId, encode, mirror_row, unpack};
use keiko_shogi::Game;

use crate::support::{CONTEXT, RULES, row};

/// `RULES` and `CONTEXT` after 7g7f, White to move.
fn game() -> Game {
    let mut game = Game::startpos(RULES);
    game.play("7g7f".parse().unwrap());
    game
}

/// The bytes in hexadecimal, part by part.
fn text(row: &[u8]) -> String {
    let parts = [
        ("board planes", &row[..628], 32),
        ("whole planes", &row[628..643], 15),
        ("scalars", &row[643..], 4),
    ];
    let mut text = String::new();
    for (name, bytes, width) in parts {
        text.push_str(&format!("{name}\n"));
        for line in bytes.chunks(width) {
            let line: String = line.iter().map(|byte| format!("{byte:02x}")).collect();
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

#[test]
fn rows_have_exactly_these_bytes() {
    let golden = include_str!("../../../../tests/golden/encoding/row-keiko-1.txt");
    let found = text(&row(EncodingId::Keiko1, &game()));
    assert_eq!(found, golden, "rows of this form are stored: a change needs a new encoding id");
}

#[test]
fn encodings_share_the_start_of_a_row() {
    let [short, long, ours] = EncodingId::ALL.map(|id| row(id, &game()));
    assert_eq!(short[..635], long[..635]);
    // Plane 56 is the lowest bit of the eighth byte; the short row has no plane after it.
    assert_eq!(short[635], long[635] & 1);
    assert_eq!(long[..], ours[..643]);
}

#[test]
#[should_panic(expected = "bytes of a dlshogi-57 row")]
fn encode_refuses_a_row_of_another_length() {
    encode(EncodingId::Dlshogi57, &game(), &CONTEXT, &mut [0; 643]);
}

#[test]
#[should_panic(expected = "bytes of a keiko-1 row")]
fn unpack_refuses_a_row_of_another_length() {
    unpack(EncodingId::Keiko1, &[0; 643], &mut [0.0; 195 * 81]);
}

#[test]
#[should_panic(expected = "values of dlshogi-119 planes")]
fn unpack_refuses_planes_of_another_number() {
    unpack(EncodingId::Dlshogi119, &[0; 643], &mut [0.0; 180 * 81]);
}

#[test]
#[should_panic(expected = "bytes of a dlshogi-119 row")]
fn mirror_refuses_a_row_of_another_length() {
    mirror_row(EncodingId::Dlshogi119, &mut [0; 636]);
}
