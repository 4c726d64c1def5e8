//! Training data: what is read is written as the same bytes.

use keiko_formats::training::{GameReader, PositionFormat, PositionReader};

/// The first byte chooses the format, the rest is a file.
///
/// # Panics
/// Where a round trip fails.
pub fn run(data: &[u8]) {
    match data.split_first() {
        Some((0, file)) => positions(PositionFormat::Hcpe, file),
        Some((1, file)) => positions(PositionFormat::Psv, file),
        Some((_, file)) => games(file),
        None => {}
    }
}

fn positions(format: PositionFormat, file: &[u8]) {
    let mut written = Vec::new();
    for read in PositionReader::new(format, file) {
        let Ok(position) = read else { break };
        format.write(&position, &mut written).expect("a position that was read");
        // The last byte says nothing.
        let end = written.len() - 1;
        written[end] = file[end];
    }
    assert!(file.starts_with(&written), "other bytes");
}

fn games(file: &[u8]) {
    let mut written = Vec::new();
    for read in GameReader::new(file) {
        let Ok(game) = read else { break };
        game.write(&mut written).expect("a game that was read");
    }
    assert!(file.starts_with(&written), "other bytes");
}
