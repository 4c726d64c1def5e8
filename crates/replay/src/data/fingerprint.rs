//! Telling files from each other.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::FileExt as _;

use keiko_store::Sha256;

/// Files up to this size are hashed whole.
const WHOLE_BYTES: u64 = 4 << 30;

/// Of larger ones so many pieces are hashed, spread evenly over the file, the first and the last bytes among them.
const PIECES: u64 = 64;
const PIECE_BYTES: u64 = 1 << 20;

/// The hash of a file of `bytes` bytes: of all of it, or where that takes long of its size and pieces.
pub(super) fn fingerprint(file: &File, bytes: u64) -> io::Result<Sha256> {
    if bytes <= WHOLE_BYTES {
        let mut from_start = file;
        from_start.rewind()?;
        return Sha256::of_reader(&mut from_start.take(bytes));
    }
    let mut sample = bytes.to_le_bytes().to_vec();
    let mut piece = vec![0; PIECE_BYTES as usize];
    for number in 0..PIECES {
        let place = u128::from(bytes - PIECE_BYTES) * u128::from(number) / u128::from(PIECES - 1);
        file.read_exact_at(&mut piece, place as u64)?;
        sample.extend_from_slice(Sha256::of(&piece).as_bytes());
    }
    Ok(Sha256::of(&sample))
}
