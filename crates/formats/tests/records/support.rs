//! What the tests share.

use keiko_formats::{ReadError, Record, RecordFormat, RecordReader};
use keiko_shogi::{Handicap, Position};

pub(crate) const ALL: [RecordFormat; 5] = [
    RecordFormat::Csa,
    RecordFormat::Csa3,
    RecordFormat::Kif,
    RecordFormat::Usi,
    RecordFormat::Sfen,
];

/// Every game of a text.
pub(crate) fn read_all(bytes: &[u8], format: RecordFormat) -> Result<Vec<Record>, ReadError> {
    RecordReader::new(bytes, format).collect()
}

/// The one game of a text.
pub(crate) fn read(text: &str, format: RecordFormat) -> Record {
    let mut games = read_all(text.as_bytes(), format).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// What is wrong with a text.
pub(crate) fn error(text: &str, format: RecordFormat) -> String {
    match read_all(text.as_bytes(), format) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("read: {text}"),
    }
}

/// The moves in USI notation.
pub(crate) fn moves(record: &Record) -> String {
    let texts: Vec<String> = record.moves().iter().map(ToString::to_string).collect();
    texts.join(" ")
}

/// Start positions of every kind: the even one, every handicap, and set-ups with hands.
pub(crate) fn starts() -> Vec<Position> {
    const SFENS: [&str; 5] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        "1+P+P+PK+P+P2/1+P1+RG+S1+P1/9/9/9/9/9/1+p1+b1g+s2/2+p+pk+p+p2 b RB2GS2N2L3Ps2n2l3p 1",
        "k8/1P1L3S1/2R1N1B2/9/9/9/2b1n1r2/1s3l1p1/8K b - 1",
    ];
    let problems = SFENS.iter().map(|sfen| Position::from_sfen(sfen).unwrap().0);
    problems.chain(Handicap::ALL.map(Handicap::position)).collect()
}
