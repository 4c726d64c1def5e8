//! Positions in 32 bytes, against other programs' bytes and by law.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use keiko_formats::packed::{PackedError, PackedListError, Packing};
use keiko_shogi::Position;
use proptest::prelude::*;

use walk::walk;

#[path = "common/walk.rs"]
mod walk;

const BOTH: [(Packing, &str); 2] = [(Packing::Hcp, "hcp"), (Packing::PackedSfen, "psfen")];

/// SFEN and bytes of the 20 golden positions.
fn golden(key: &str) -> Vec<(String, [u8; 32])> {
    let text = include_str!("../../../tests/golden/dlshogi/positions.jsonl");
    let rows = text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let hex = row[key].as_str().unwrap();
        let byte = |i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap();
        (row["sfen"].as_str().unwrap().to_owned(), std::array::from_fn(byte))
    });
    rows.collect()
}

#[test]
fn the_golden_bytes() {
    for (packing, key) in BOTH {
        let golden = golden(key);
        assert_eq!(golden.len(), 20);
        for (sfen, bytes) in &golden {
            let (position, _) = Position::from_sfen(sfen).unwrap();
            assert_eq!(packing.encode(&position).as_ref(), Ok(bytes), "{sfen}");
            assert_eq!(packing.decode(bytes), Ok(position), "{sfen}");
        }
        let list: Vec<u8> = golden.iter().flat_map(|(_, bytes)| *bytes).collect();
        assert_eq!(packing.decode_list(&list).unwrap().len(), 20);
    }
}

#[test]
fn lists_must_be_whole() {
    let (_, start) = golden("hcp")[0].clone();
    assert_eq!(Packing::Hcp.decode_list(&[]), Err(PackedListError::Empty));
    assert_eq!(Packing::Hcp.decode_list(&start[1..]), Err(PackedListError::Length(31)));
    let error = Packing::Hcp.decode_list(&[start, [0xff; 32]].concat()).unwrap_err();
    assert!(error.to_string().starts_with("position 2 (from 1): "), "{error}");
}

#[test]
fn positions_without_both_kings_are_refused() {
    let (position, _) = Position::from_sfen("9/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    assert_eq!(Packing::Hcp.encode(&position), Err(PackedError::Kings));
    let (_, mut bytes) = golden("hcp")[0].clone();
    // Bits 1 to 7 are Black's king, bits 8 to 14 White's.
    let white_king = bytes[1] & 0x7f;
    bytes[0] = bytes[0] & 1 | white_king << 1;
    assert_eq!(Packing::Hcp.decode(&bytes), Err(PackedError::Kings));
    bytes[0] = bytes[0] & 1 | 81 << 1;
    assert_eq!(Packing::Hcp.decode(&bytes), Err(PackedError::Kings));
}

#[test]
fn the_missing_pieces_must_complete_the_set() {
    let start = golden("hcp")[0].0.replace("LNSGKGSNL b", "1NSGKGSNL b");
    let (position, _) = Position::from_sfen(&start).unwrap();
    let mut bytes = Packing::Hcp.encode(&position).unwrap();
    assert_eq!(Packing::Hcp.decode(&bytes), Ok(position));
    // The last five bits say that a lance is missing; now they say a knight, of which there are four.
    bytes[31] ^= 1 << 4;
    assert_eq!(Packing::Hcp.decode(&bytes), Err(PackedError::Set));
    // Now they begin a code of seven bits.
    bytes[31] = bytes[31] & 7 | 0b01111 << 3;
    assert_eq!(Packing::Hcp.decode(&bytes), Err(PackedError::Code(251)));
}

#[test]
fn every_flipped_bit_is_an_error_or_another_position() {
    for (packing, key) in BOTH {
        for (sfen, whole) in golden(key) {
            let mut bytes = whole;
            for bit in 0..256 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                if let Ok(position) = packing.decode(&bytes) {
                    assert_ne!(position.to_sfen(1), sfen, "bit {bit}");
                }
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::array::uniform32(any::<u8>())) {
        for (packing, _) in BOTH {
            let _ = packing.decode(&bytes);
        }
    }

    #[test]
    fn positions_of_random_games_come_back(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..150)) {
        let position = walk(&choices, |_, _| ());
        for (packing, _) in BOTH {
            let bytes = packing.encode(&position).unwrap();
            prop_assert_eq!(packing.decode(&bytes), Ok(position.clone()));
        }
    }
}
