//! Planes, labels and legal moves of the golden positions.

use std::collections::BTreeMap;

use keiko_encoding::{EncodingId, label, move_of_label, unpack};
use keiko_shogi::{Move, MoveList};
use serde_json::Value;

use crate::support::{game_of, legal_moves, row};

const POSITIONS: &str = include_str!("../../../../tests/golden/dlshogi/positions.jsonl");
const FEATURES: &str = include_str!("../../../../tests/golden/dlshogi/features.jsonl");

fn lines(text: &str) -> Vec<Value> {
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 20);
    lines
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect()
}

#[test]
fn planes_are_dlshogis_bit_for_bit() {
    for case in lines(FEATURES) {
        let game = game_of(case["sfen"].as_str().unwrap());
        for (id, key) in [
            (EncodingId::Dlshogi57, "input2_57_planes"),
            (EncodingId::Dlshogi119, "input2_119_planes"),
            (EncodingId::Keiko1, "input2_119_planes"),
        ] {
            let mut expected = vec![0.0_f32; (id.planes1() + id.planes2()) * 81];
            for index in numbers(&case["input1_ones"]) {
                expected[index] = 1.0;
            }
            for plane in numbers(&case[key]) {
                expected[(62 + plane) * 81..][..81].fill(1.0);
            }
            let mut planes = vec![f32::NAN; id.planes() * 81];
            unpack(id, &row(id, &game), &mut planes);
            for (index, (found, expected)) in planes.iter().zip(&expected).enumerate() {
                assert!(
                    found.to_bits() == expected.to_bits(),
                    "{} {id} plane {} square {}: {found}",
                    case["name"],
                    index / 81,
                    index % 81
                );
            }
        }
    }
}

#[test]
fn legal_moves_and_labels_are_dlshogis() {
    for case in lines(POSITIONS) {
        let game = game_of(case["sfen"].as_str().unwrap());
        let position = game.position();
        let mut moves = MoveList::new();
        legal_moves(&game, &mut moves);
        let found: BTreeMap<String, (u64, u64)> = moves
            .iter()
            .map(|&mv| {
                let label = label(mv, position.side_to_move());
                (mv.to_string(), (u64::from(mv.to_bits()), u64::from(label)))
            })
            .collect();
        let expected: BTreeMap<String, (u64, u64)> = case["legal"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                let number = |key: &str| entry[key].as_u64().unwrap();
                (entry["usi"].as_str().unwrap().to_owned(), (number("move16"), number("label")))
            })
            .collect();
        assert_eq!(found, expected, "{}", case["name"]);
        for (usi, (_, label)) in expected {
            let mv: Move = usi.parse().unwrap();
            assert_eq!(move_of_label(label as u16, position), Some(mv), "{} {usi}", case["name"]);
        }
        assert_eq!(position.in_check(), case["in_check"].as_bool().unwrap());
    }
}

/// The entering-king planes of a side about the limits of what they show, as cshogi 1.1.0 sets them:
/// more than ten pieces or more points than needed set none.
#[test]
fn planes_of_entering_kings_end_where_dlshogis_do() {
    let bare = "9/9/9/4k4/9/9/9/9/4K4";
    let camp = |rank_c: &str| {
        let pawns = "+P+P+P+P+P+P+P+P+P";
        format!("{pawns}/{rank_c}/9/9/9/4k4/9/9/4K4 b - 1")
    };
    let own_first = 57;
    let opponent_first = 57 + 31;
    for (sfen, expected) in [
        (camp("9"), vec![own_first + 2, own_first + 30]),
        (camp("+P8"), vec![own_first + 1, own_first + 29]),
        (camp("+P+P7"), vec![own_first + 28]),
        (format!("{bare} b 8P 1"), vec![]),
        (format!("{bare} b 9P 1"), vec![own_first + 30]),
        (format!("{bare} w 8p 1"), vec![own_first + 30]),
        (format!("{bare} b 8p 1"), vec![opponent_first + 30]),
        (format!("{bare} b 18P4G4S2N 1"), vec![own_first + 11]),
        (format!("{bare} b 18P4G4S3N 1"), vec![]),
        (format!("{bare} w 18P4G4S2N 1"), vec![opponent_first + 11]),
        (format!("{bare} w 18p4g4sn 1"), vec![own_first + 11]),
        (format!("{bare} w 18p4g4s2n 1"), vec![]),
    ] {
        let id = EncodingId::Dlshogi119;
        let mut planes = vec![f32::NAN; id.planes() * 81];
        unpack(id, &row(id, &game_of(&sfen)), &mut planes);
        let set = |plane: &usize| planes[(62 + plane) * 81] > 0.0;
        assert_eq!((57..119).filter(set).collect::<Vec<_>>(), expected, "{sfen}");
    }
}
