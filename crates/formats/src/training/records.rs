use std::io::Read;

use super::TrainingDataError;

/// A source of records, one after the other: their numbers, where they begin, and the end after an error.
#[derive(Debug)]
pub(super) struct Records<R> {
    source: R,
    number: u64,
    offset: u64,
    is_over: bool,
}

impl<R: Read> Records<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, number: 0, offset: 0, is_over: false }
    }

    /// The record that `read` makes, none at the end of the source; nothing follows an error.
    pub(super) fn next<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Option<T>, TrainingDataError>,
    ) -> Option<Result<T, TrainingDataError>> {
        if self.is_over {
            return None;
        }
        self.number += 1;
        let (number, offset) = (self.number, self.offset);
        let record = read(self).map_err(|source| {
            self.is_over = true;
            TrainingDataError::Record { number, offset, source: Box::new(source) }
        });
        record.transpose()
    }

    /// Reads until the buffer is full or the source at its end; how many bytes.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, TrainingDataError> {
        let filled = fill(&mut self.source, buffer)?;
        self.offset += filled as u64;
        Ok(filled)
    }

    /// As many bytes as are wanted.
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], TrainingDataError> {
        let mut bytes = [0; N];
        if self.fill(&mut bytes)? < N { Err(TrainingDataError::Short) } else { Ok(bytes) }
    }
}

/// Reads until the buffer is full or the source at its end; how many bytes.
pub(super) fn fill(source: &mut impl Read, buffer: &mut [u8]) -> Result<usize, TrainingDataError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}
