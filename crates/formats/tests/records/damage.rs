//! Damaged records: no panic, and an error names a line.

use keiko_formats::RecordFormat;
use proptest::prelude::*;

use crate::laws::{cases, next, random_record};
use crate::support::{ALL, read_all};

/// What damage puts in: bytes that mean something to some format.
const PIECES: [&str; 20] = [
    "\n",
    "/",
    ",",
    "'",
    "%TORYO",
    "+",
    "-",
    "P+00AL",
    "P1",
    "T",
    "T99999999999999999999",
    "変化：1手",
    "同",
    "打",
    "(77)",
    "：",
    "手数＝4294967295",
    "\u{0}",
    "$MOVE_NUMBER:4294967295\n",
    "moves",
];

fn damaged(text: &str, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut pick = |count: usize| (next(&mut state) % count.max(1) as u64) as usize;
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=pick(4) {
        let at = pick(bytes.len());
        let end = (at + 1 + pick(30)).min(bytes.len());
        match pick(6) {
            0 => bytes.truncate(at),
            1 => bytes.drain(at..end).for_each(drop),
            2 => bytes[at..end].reverse(),
            3 => bytes.iter_mut().skip(at).take(1).for_each(|b| *b ^= 1 << pick(8)),
            4 => drop(bytes.splice(at..at, PIECES[pick(PIECES.len())].bytes())),
            _ => {
                let copy = bytes[at..end].to_vec();
                let to = pick(bytes.len());
                drop(bytes.splice(to..to, copy));
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Reads bytes as every format: what is read can be written in all, and errors name their line.
fn survives(bytes: &[u8]) {
    for format in ALL {
        match read_all(bytes, format) {
            Ok(records) => {
                for record in records {
                    for target in ALL {
                        let text = target.write(&record);
                        let again = read_all(text.as_bytes(), target)
                            .unwrap_or_else(|e| panic!("{e}\n{text}"));
                        assert_eq!(again.len(), 1, "{target}\n{text}");
                        assert_eq!(again[0].moves(), record.moves(), "{target}\n{text}");
                        assert_eq!(again[0].game().start_sfen(), record.game().start_sfen());
                    }
                }
            }
            Err(error) => {
                let text = error.to_string();
                let number = text.strip_prefix("line ").and_then(|rest| rest.split(':').next());
                assert!(number.is_some_and(|n| n.parse::<u32>().is_ok()), "{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn of_whole_records(seed in any::<u64>(), plies in 0u32..12) {
        let record = random_record(seed, plies, 1);
        for format in ALL {
            survives(&damaged(&format.write(&record), seed));
        }
    }

    #[test]
    fn in_shift_jis(seed in any::<u64>()) {
        let text = RecordFormat::Kif.write(&random_record(seed, 6, 1));
        let mut bytes = encoding_rs::SHIFT_JIS.encode(&text).0.into_owned();
        let at = (seed % bytes.len() as u64) as usize;
        bytes[at] ^= (seed >> 32) as u8;
        survives(&bytes);
    }

    #[test]
    fn of_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survives(&bytes);
    }
}
