//! Training data: what is read is written as the same bytes, but for a position whose pieces that are not on the board
//! came in another order.

use keiko_formats::packed;
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

fn positions(format: PositionFormat, mut file: &[u8]) {
    for read in PositionReader::new(format, file) {
        let Ok(position) = read else { break };
        let mut written = Vec::new();
        format.write(&position, &mut written).expect("a position that was read");
        assert_eq!(format.read(&written).ok(), Some(position));
        // The last byte says nothing.
        let rest = packed::BYTES..written.len() - 1;
        assert_eq!(file[rest.clone()], written[rest], "other bytes");
        file = &file[written.len()..];
    }
}

fn games(mut file: &[u8]) {
    for read in GameReader::new(file) {
        let Ok(game) = read else { break };
        let mut written = Vec::new();
        game.write(&mut written).expect("a game that was read");
        let again = GameReader::new(&*written).next().and_then(Result::ok);
        assert_eq!(again, Some(game));
        assert_eq!(file[packed::BYTES..written.len()], written[packed::BYTES..], "other bytes");
        file = &file[written.len()..];
    }
}
