//! Streams of 256 bits, lowest bit of a byte first.

use super::BYTES;
use super::codes::Code;

#[derive(Default)]
pub(super) struct BitWriter {
    bytes: [u8; BYTES],
    len: usize,
}

impl BitWriter {
    /// Adds the `len` lowest bits of `bits`, the lowest first. Bits beyond the end only count.
    pub(super) fn put(&mut self, bits: u32, len: u32) {
        for i in 0..len {
            if let Some(byte) = self.bytes.get_mut(self.len / 8) {
                *byte |= ((bits >> i & 1) as u8) << (self.len % 8);
            }
            self.len += 1;
        }
    }

    pub(super) fn put_code(&mut self, code: Code) {
        self.put(code.bits, code.len);
    }

    /// The bytes, if exactly all bits were put.
    pub(super) fn finish(self) -> Option<[u8; BYTES]> {
        (self.len == 8 * BYTES).then_some(self.bytes)
    }
}

pub(super) struct BitReader<'b> {
    bytes: &'b [u8; BYTES],
    at: usize,
}

impl<'b> BitReader<'b> {
    pub(super) fn new(bytes: &'b [u8; BYTES]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == 8 * BYTES
    }

    /// The next `len` bits, the first one lowest, if there are that many.
    pub(super) fn take(&mut self, len: u32) -> Option<u32> {
        let bits = self.peek(len)?;
        self.at += len as usize;
        Some(bits)
    }

    /// Takes the bits of `code` if they are next.
    pub(super) fn take_code(&mut self, code: Code) -> bool {
        let next = self.peek(code.len) == Some(code.bits);
        if next {
            self.at += code.len as usize;
        }
        next
    }

    fn peek(&self, len: u32) -> Option<u32> {
        (0..len).try_fold(0, |bits, i| {
            let at = self.at + i as usize;
            let byte = self.bytes.get(at / 8)?;
            Some(bits | u32::from(byte >> (at % 8) & 1) << i)
        })
    }
}
