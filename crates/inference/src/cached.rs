use std::collections::BTreeMap;

use keiko_encoding::EncodingId;
use keiko_mcts::Wdl;

use crate::hashed::row_hash;
use crate::{Backend, BackendError, RequestBatch, ResponseBatch, Ticket};

/// A backend that remembers the answers of another one.
///
/// The key is the whole packed row with its labels, compared byte by byte; the hash only chooses the
/// place. So two positions share an answer only if the network itself cannot tell them apart: where the
/// encoding has a repetition count or a ply, other counts and plies are other entries. The table has a
/// fixed number of places and a new row replaces what its place held, so what is remembered is a function of
/// the requests alone. A row's answer may differ between shapes of a batch, so the shape is part of the key.
#[derive(Debug)]
pub struct Cached<B> {
    inner: B,
    places: Vec<Option<Entry>>,
    pending: BTreeMap<u64, Pending>,
    next: u64,
    hits: u64,
    misses: u64,
}

#[derive(Debug, Clone)]
struct Entry {
    shape: usize,
    row: Box<[u8]>,
    labels: Box<[u16]>,
    logits: Box<[f32]>,
    wdl: Wdl,
}

#[derive(Debug)]
struct Pending {
    request: RequestBatch,
    sources: Vec<Source>,
    /// The rows that the inner backend computes; `None` when every row was known.
    inner: Option<Ticket>,
}

#[derive(Debug)]
enum Source {
    Known {
        logits: Box<[f32]>,
        wdl: Wdl,
    },
    /// A row of the inner batch.
    Computed(usize),
}

impl<B: Backend> Cached<B> {
    /// Remembers up to `rows` rows of `inner`.
    ///
    /// # Panics
    /// When `rows` is 0.
    #[must_use]
    pub fn new(inner: B, rows: usize) -> Self {
        assert!(rows > 0, "a cache holds at least one row");
        Self {
            inner,
            places: vec![None; rows],
            pending: BTreeMap::new(),
            next: 0,
            hits: 0,
            misses: 0,
        }
    }

    /// Rows that were answered without computing them again.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Rows that were computed.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses
    }

    fn place(&self, hash: u64) -> usize {
        (hash % self.places.len() as u64) as usize
    }

    fn known(&self, hash: u64, request: &RequestBatch, index: usize) -> Option<&Entry> {
        self.places[self.place(hash)].as_ref().filter(|entry| {
            entry.shape == request.shape()
                && *entry.row == *request.row(index)
                && *entry.labels == *request.labels_of(index)
        })
    }

    fn remember(&mut self, computed: &ResponseBatch) {
        let request = computed.request();
        for index in 0..request.len() {
            let row = request.row(index);
            let place = self.place(row_hash(0, row));
            self.places[place] = Some(Entry {
                shape: request.shape(),
                row: row.into(),
                labels: request.labels_of(index).into(),
                logits: computed.logits_of(index).into(),
                wdl: computed.wdl()[index],
            });
        }
    }
}

impl<B: Backend> Backend for Cached<B> {
    fn encoding(&self) -> EncodingId {
        self.inner.encoding()
    }

    fn name(&self) -> String {
        format!("{}, cached", self.inner.name())
    }

    fn submit(&mut self, request: RequestBatch) -> Result<Ticket, BackendError> {
        request.require(self.encoding())?;
        let mut misses = RequestBatch::new(self.encoding(), request.shape());
        let mut hashes = Vec::with_capacity(request.len());
        let mut sources = Vec::with_capacity(request.len());
        for index in 0..request.len() {
            let (row, labels) = (request.row(index), request.labels_of(index));
            let hash = row_hash(0, row);
            if let Some(entry) = self.known(hash, &request, index) {
                sources.push(Source::Known { logits: entry.logits.clone(), wdl: entry.wdl });
                continue;
            }
            let twin = (0..misses.len()).find(|&at| {
                hashes[at] == hash && misses.row(at) == row && misses.labels_of(at) == labels
            });
            sources.push(Source::Computed(twin.unwrap_or(misses.len())));
            if twin.is_none() {
                misses.push_row(row, labels);
                hashes.push(hash);
            }
        }
        self.misses += misses.len() as u64;
        self.hits += (request.len() - misses.len()) as u64;
        let inner = if misses.is_empty() { None } else { Some(self.inner.submit(misses)?) };
        let ticket = Ticket(self.next);
        self.next += 1;
        self.pending.insert(ticket.0, Pending { request, sources, inner });
        Ok(ticket)
    }

    fn collect(&mut self, ticket: Ticket) -> Result<ResponseBatch, BackendError> {
        let Pending { request, sources, inner } =
            self.pending.remove(&ticket.0).ok_or(BackendError::UnknownTicket(ticket.0))?;
        let computed = inner.map(|ticket| self.inner.collect(ticket)).transpose()?;
        let mut logits = Vec::with_capacity(request.labels().len());
        let mut wdl = Vec::with_capacity(request.len());
        for source in &sources {
            match (source, &computed) {
                (Source::Known { logits: known, wdl: triple }, _) => {
                    logits.extend_from_slice(known);
                    wdl.push(*triple);
                }
                (&Source::Computed(at), Some(computed)) => {
                    logits.extend_from_slice(computed.logits_of(at));
                    wdl.push(computed.wdl()[at]);
                }
                (Source::Computed(_), None) => {
                    unreachable!("a computed row has a batch that it was computed in")
                }
            }
        }
        if let Some(computed) = &computed {
            self.remember(computed);
        }
        ResponseBatch::new(request, logits, wdl)
    }
}
