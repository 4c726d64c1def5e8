use keiko_encoding::{Context, EncodingId};
use keiko_shogi::{Game, Move};

use crate::{Backend, BackendError};

/// Positions to evaluate: one packed row and the labels of the legal moves for each.
///
/// The buffers are kept by [`clear`](Self::clear), and the request comes back inside its
/// [`ResponseBatch`](crate::ResponseBatch), so that a loop allocates nothing once they have grown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBatch {
    encoding: EncodingId,
    /// Bytes of a row; 0 where nobody reads the rows.
    row_bytes: usize,
    rows: Vec<u8>,
    labels: Vec<u16>,
    offsets: Vec<u32>,
    shape: usize,
    capacity: usize,
}

impl RequestBatch {
    /// An empty batch that is computed as `shape` rows, whatever the number of real ones.
    ///
    /// # Panics
    /// When `shape` is 0.
    #[must_use]
    pub fn new(encoding: EncodingId, shape: usize) -> Self {
        assert!(shape > 0, "a batch has room for at least one row");
        Self {
            encoding,
            row_bytes: encoding.row_bytes(),
            rows: Vec::new(),
            labels: Vec::new(),
            offsets: vec![0],
            shape,
            capacity: shape,
        }
    }

    /// An empty batch as `backend` reads it: without the bytes of the rows where it does not look at them.
    ///
    /// # Panics
    /// When `shape` is 0.
    #[must_use]
    pub fn new_for<B: Backend + ?Sized>(backend: &B, shape: usize) -> Self {
        let batch = Self::new(backend.encoding(), shape);
        let row_bytes = if backend.reads_rows() { batch.row_bytes } else { 0 };
        Self { row_bytes, ..batch }
    }

    /// Adds the current position of `game`; `moves` are its legal moves, in the order in which the
    /// logits will come back.
    ///
    /// # Panics
    /// When the batch is full.
    pub fn push(&mut self, game: &Game, moves: &[Move], context: &Context) {
        let encoding = self.encoding;
        let row = self.push_zeroed_row();
        if !row.is_empty() {
            keiko_encoding::encode(encoding, game, context, row);
        }
        let side = game.position().side_to_move();
        self.labels.extend(moves.iter().map(|&mv| keiko_encoding::label(mv, side)));
        self.close_row();
    }

    /// Adds a row that is already packed.
    ///
    /// # Panics
    /// When the batch is full or the row's length is not that of this batch's rows.
    pub fn push_row(&mut self, row: &[u8], labels: &[u16]) {
        self.push_zeroed_row().copy_from_slice(row);
        self.labels.extend_from_slice(labels);
        self.close_row();
    }

    fn push_zeroed_row(&mut self) -> &mut [u8] {
        assert!(!self.is_full(), "the batch is full at {} rows", self.capacity);
        let start = self.rows.len();
        self.rows.resize(start + self.row_bytes, 0);
        &mut self.rows[start..]
    }

    fn close_row(&mut self) {
        let end = u32::try_from(self.labels.len()).expect("a batch holds fewer than 2^32 labels");
        self.offsets.push(end);
    }

    /// Makes the batch be computed as just the rows it holds. For searches that are alone with their
    /// backend: nobody else's batches must be alike.
    pub fn trim(&mut self) {
        self.shape = self.len().max(1);
    }

    /// Removes all rows, keeps the buffers, and undoes [`trim`](Self::trim).
    pub fn clear(&mut self) {
        self.shape = self.capacity;
        self.rows.clear();
        self.labels.clear();
        self.offsets.truncate(1);
    }

    /// How the rows are encoded.
    #[must_use]
    pub fn encoding(&self) -> EncodingId {
        self.encoding
    }

    /// Says whether a backend that reads `encoding` can read this batch.
    ///
    /// # Errors
    /// When the batch has another encoding.
    pub fn require(&self, encoding: EncodingId) -> Result<(), BackendError> {
        if self.encoding == encoding {
            Ok(())
        } else {
            Err(BackendError::Encoding { expected: encoding, found: self.encoding })
        }
    }

    /// Rows after padding: the batch size to compute with.
    #[must_use]
    pub fn shape(&self) -> usize {
        self.shape
    }

    /// Real rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no real row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no row fits any more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.len() == self.capacity
    }

    /// All packed rows, one after another, [`EncodingId::row_bytes`] bytes each; no padding. Empty where the backend
    /// that the batch was made for reads none.
    #[must_use]
    pub fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// The packed bytes of one row.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, index: usize) -> &[u8] {
        &self.rows[index * self.row_bytes..(index + 1) * self.row_bytes]
    }

    /// The labels of all rows, one row after another.
    #[must_use]
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// Where each row's labels begin in [`labels`](Self::labels), and the total: one more entry than rows.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The range of one row in [`labels`](Self::labels).
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn label_range(&self, index: usize) -> std::ops::Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// The labels of one row.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn labels_of(&self, index: usize) -> &[u16] {
        &self.labels[self.label_range(index)]
    }
}
