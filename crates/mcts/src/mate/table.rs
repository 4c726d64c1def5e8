use keiko_shogi::Move;

use super::entry::Entry;
use super::numbers::Numbers;
use super::place::Place;

/// Entries that a position may be stored in.
const WAYS: usize = 4;

/// A table of fixed size from positions to their numbers. What does not fit displaces what cost least.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    /// Number of the search, from 1; entries of others count as unused.
    search: u32,
}

impl Table {
    /// A table of at least `entries` entries, and of four at least.
    pub(super) fn new(entries: usize) -> Self {
        let entries = entries.max(WAYS).next_power_of_two();
        Self { entries: vec![Entry::EMPTY; entries], search: 0 }
    }

    /// Forgets everything.
    pub(super) fn begin_search(&mut self) {
        if self.search == u32::MAX {
            self.entries.fill(Entry::EMPTY);
            self.search = 0;
        }
        self.search += 1;
    }

    fn start(&self, board: u64) -> usize {
        board as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    fn of_board(&self, board: u64) -> impl Iterator<Item = &Entry> {
        let start = self.start(board);
        let bucket = &self.entries[start..start + WAYS];
        bucket.iter().filter(move |entry| entry.search == self.search && entry.board == board)
    }

    /// What is known of a position. A mate holds with more pieces in the attacker's hand as well, a
    /// refutation with fewer: drop-pawn mates do not depend on hands.
    pub(super) fn get(&self, place: Place) -> Option<Numbers> {
        let mut found = None;
        for entry in self.of_board(place.board) {
            let numbers = entry.numbers;
            let same = entry.hand == place.hand;
            let free = numbers.is_refuted() && !numbers.is_bound_to_path();
            if numbers.is_mate() && place.hand.covers(entry.hand)
                || free && entry.hand.covers(place.hand)
                || numbers.is_bound_to_path() && same && entry.path == place.path
            {
                return Some(numbers);
            }
            if same && !numbers.is_refuted() && !numbers.is_mate() {
                found = Some(numbers);
            }
        }
        found
    }

    /// The move that mates, where the attacker moves and the mate is in the table.
    pub(super) fn mate(&self, place: Place) -> Option<Move> {
        let mates = |entry: &&Entry| entry.numbers.is_mate() && place.hand.covers(entry.hand);
        self.of_board(place.board).find(mates)?.mate
    }

    /// Stores what is known of a position, in place of what was known before.
    pub(super) fn put(&mut self, place: Place, numbers: Numbers, work: u32, mate: Option<Move>) {
        let path = if numbers.is_bound_to_path() { place.path } else { 0 };
        let Place { board, hand, .. } = place;
        let entry = Entry { board, path, hand, numbers, search: self.search, work, mate };
        let start = self.start(board);
        let bucket = &mut self.entries[start..start + WAYS];
        let search = entry.search;
        let same = |old: &Entry| {
            old.search == search && old.board == board && old.hand == hand && old.path == path
        };
        let slot = bucket.iter().position(same).unwrap_or_else(|| {
            let worth = |old: &Entry| if old.search == search { old.work + 1 } else { 0 };
            (0..WAYS).min_by_key(|&slot| worth(&bucket[slot])).unwrap_or(0)
        });
        bucket[slot] = entry;
    }
}
