//! A reader of little-endian fields that cannot run over the end.

#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'b> {
    rest: &'b [u8],
}

impl<'b> Bytes<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (head, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*head)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A text with its length in one byte before it.
    pub(super) fn text(&mut self) -> Option<&'b str> {
        let [len] = self.array()?;
        std::str::from_utf8(self.take(usize::from(len))?).ok()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}
