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

pub(super) struct BitReader {
    /// With eight bytes more, so that eight can be read from anywhere.
    bytes: [u8; BYTES + 8],
    at: usize,
}

impl BitReader {
    pub(super) fn new(bytes: &[u8; BYTES]) -> Self {
        let mut padded = [0; BYTES + 8];
        padded[..BYTES].copy_from_slice(bytes);
        Self { bytes: padded, at: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn is_empty(&self) -> bool {
        self.at == 8 * BYTES
    }

    /// The next `len` bits, at most 32, the first one lowest, if there are that many.
    #[inline]
    pub(super) fn take(&mut self, len: u32) -> Option<u32> {
        let bits = self.peek(len)?;
        self.at += len as usize;
        Some(bits)
    }

    /// Takes the bits of `code` if they are next.
    #[inline]
    pub(super) fn take_code(&mut self, code: Code) -> bool {
        let next = self.peek(code.len) == Some(code.bits);
        if next {
            self.at += code.len as usize;
        }
        next
    }

    /// The next eight bits, with zeros beyond the end; they stay.
    #[inline]
    pub(super) fn next_byte(&self) -> u8 {
        let two = [self.bytes[self.at / 8], self.bytes[self.at / 8 + 1]];
        (u16::from_le_bytes(two) >> (self.at % 8)) as u8
    }

    /// Passes over `len` bits, if there are that many.
    #[inline]
    pub(super) fn skip(&mut self, len: usize) -> bool {
        let there = self.at + len <= 8 * BYTES;
        if there {
            self.at += len;
        }
        there
    }

    #[inline]
    fn peek(&self, len: u32) -> Option<u32> {
        let eight = self.bytes[self.at / 8..].first_chunk()?;
        let bits = (u64::from_le_bytes(*eight) >> (self.at % 8)) & ((1 << len) - 1);
        (self.at + len as usize <= 8 * BYTES).then_some(bits as u32)
    }
}
