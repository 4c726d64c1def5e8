//! Planes as text that a person can check: `tests/golden/encoding/planes.txt`.
//!
//! Run with `UPDATE_GOLDEN=1` to write the file anew.

use std::fmt::Write as _;
use std::path::Path;

use keiko_encoding::{EncodingId, Scalar, unpack};
use keiko_shogi::{Game, PieceKind};

use crate::support::{game_of, row};

const SFENS: [&str; 2] = [
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
];

fn plane_name(plane: usize) -> String {
    let side = if plane < 31 { "own" } else { "opponent's" };
    match plane % 31 {
        kind @ 0..14 => format!("{side} {:?}", PieceKind::ALL[kind]),
        kind @ 14..28 => format!("{side} {:?} attacks", PieceKind::ALL[kind - 14]),
        count => format!("{side} attacks, {} or more", count - 27),
    }
}

/// Boards as the side to move sees them: file 9 to 1 from left to right, its own camp below.
fn boards(planes: &[f32]) -> String {
    let mut text = String::new();
    let shown: Vec<usize> =
        (0..62).filter(|plane| planes[plane * 81..][..81].contains(&1.0)).collect();
    for group in shown.chunks(3) {
        let names = group.iter().map(|&plane| format!("{:<34}", plane_name(plane)));
        writeln!(text, "{}", names.collect::<String>().trim_end()).unwrap();
        for rank in 0..9 {
            let line: String = group
                .iter()
                .map(|&plane| {
                    let squares = (0..9).rev().map(|file| {
                        if planes[plane * 81 + file * 9 + rank] > 0.0 { '#' } else { '.' }
                    });
                    format!("{:<34}", squares.collect::<String>())
                })
                .collect();
            writeln!(text, "{}", line.trim_end()).unwrap();
        }
        text.push('\n');
    }
    text
}

fn report(sfen: &str, game: &Game) -> String {
    let id = EncodingId::Keiko1;
    let mut planes = vec![0.0; id.planes() * 81];
    unpack(id, &row(id, game), &mut planes);
    let mut text = format!("{sfen}\nBoard planes not shown are empty.\n\n{}", boards(&planes));
    let first = |plane: usize| planes[plane * 81];
    let bits = |range: std::ops::Range<usize>| -> String {
        range.map(|plane| if first(62 + plane) > 0.0 { '1' } else { '0' }).collect()
    };
    for (side, start) in [("own", 0), ("opponent's", 28)] {
        let mut line = format!("{side} hand:");
        let mut plane = start;
        for (name, count) in [("P", 8), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)]
        {
            write!(line, " {name} {}", bits(plane..plane + count)).unwrap();
            plane += count;
        }
        writeln!(text, "{line}").unwrap();
    }
    writeln!(text, "in check: {}", bits(56..57)).unwrap();
    for (side, start) in [("own", 57), ("opponent's", 88)] {
        writeln!(
            text,
            "{side} king entered: {} pieces missing: {} points missing: {}",
            bits(start..start + 1),
            bits(start + 1..start + 11),
            bits(start + 11..start + 31),
        )
        .unwrap();
    }
    for (index, scalar) in Scalar::ALL.into_iter().enumerate() {
        writeln!(text, "{scalar:?}: {}", first(181 + index)).unwrap();
    }
    text
}

#[test]
fn planes_are_as_reviewed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/encoding/planes.txt");
    let found: Vec<String> = SFENS.iter().map(|sfen| report(sfen, &game_of(sfen))).collect();
    let found = found.join("\n");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), found);
}
