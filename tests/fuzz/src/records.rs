//! Records of games: what is read in one format is written in each, and reads back as the same game.

use keiko_formats::{Record, RecordFormat, RecordReader};

/// Every format.
const FORMATS: [RecordFormat; 5] = [
    RecordFormat::Csa,
    RecordFormat::Csa3,
    RecordFormat::Kif,
    RecordFormat::Usi,
    RecordFormat::Sfen,
];

/// Reads `data` as CSA.
///
/// # Panics
/// Where a round trip fails.
pub fn csa(data: &[u8]) {
    run(data, RecordFormat::Csa);
}

/// Reads `data` as KIF.
///
/// # Panics
/// Where a round trip fails.
pub fn kif(data: &[u8]) {
    run(data, RecordFormat::Kif);
}

/// Reads `data` as game lines of USI moves.
///
/// # Panics
/// Where a round trip fails.
pub fn usi(data: &[u8]) {
    run(data, RecordFormat::Usi);
}

fn run(data: &[u8], format: RecordFormat) {
    for read in RecordReader::new(data, format) {
        match read {
            Ok(record) => FORMATS.iter().for_each(|&target| check(&record, target)),
            Err(error) => assert!(error.to_string().starts_with("line "), "{error}"),
        }
    }
}

fn check(record: &Record, format: RecordFormat) {
    let text = format.write(record);
    let again: Result<Vec<_>, _> = RecordReader::new(text.as_bytes(), format).collect();
    let again = again.unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
    let [again] = again.as_slice() else { panic!("{} games\n{text}", again.len()) };
    assert_eq!(again.game().start_sfen(), record.game().start_sfen(), "{format}\n{text}");
    assert_eq!(again.moves(), record.moves(), "{format}\n{text}");
    if record.unplayable().is_none() && format != RecordFormat::Sfen {
        assert_eq!(again.ending, record.ending, "{format}\n{text}");
    }
}
