use std::collections::BTreeSet;
use std::ops::Range;

/// The indices of the games that one group has to play, in ascending order.
///
/// Game `i` belongs to group `i mod groups`; games whose shard is published are left out.
#[derive(Debug)]
pub(crate) struct Indices {
    games: Range<u64>,
    next: u64,
    groups: u64,
    shard_games: u64,
    published: BTreeSet<u64>,
}

impl Indices {
    pub(crate) fn new(
        games: Range<u64>,
        (group, groups): (u64, u64),
        shard_games: u64,
        published: &BTreeSet<u64>,
    ) -> Self {
        let behind = (group + groups - games.start % groups) % groups;
        let next = games.start + behind;
        let mut indices = Self { games, next, groups, shard_games, published: published.clone() };
        indices.skip_published();
        indices
    }

    pub(crate) fn peek(&self) -> Option<u64> {
        (self.next < self.games.end).then_some(self.next)
    }

    pub(crate) fn advance(&mut self) {
        self.next += self.groups;
        self.skip_published();
    }

    /// The number of the shard that holds game `index`.
    pub(crate) fn shard_of(&self, index: u64) -> u64 {
        (index - self.games.start) / self.shard_games
    }

    fn skip_published(&mut self) {
        while self.next < self.games.end && self.published.contains(&self.shard_of(self.next)) {
            self.next += self.groups;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(games: Range<u64>, group: (u64, u64), published: &[u64]) -> Vec<u64> {
        let published = published.iter().copied().collect();
        let mut indices = Indices::new(games, group, 4, &published);
        std::iter::from_fn(|| {
            let index = indices.peek();
            indices.advance();
            index
        })
        .collect()
    }

    #[test]
    fn groups_divide_the_range() {
        assert_eq!(all(10..20, (0, 3), &[]), [12, 15, 18]);
        assert_eq!(all(10..20, (1, 3), &[]), [10, 13, 16, 19]);
        assert_eq!(all(10..20, (2, 3), &[]), [11, 14, 17]);
    }

    #[test]
    fn published_shards_are_left_out() {
        assert_eq!(all(10..20, (0, 1), &[0, 2]), [14, 15, 16, 17]);
        assert_eq!(all(10..20, (1, 3), &[1]), [10, 13, 19]);
        assert_eq!(all(10..20, (1, 3), &[0, 1, 2]), [0; 0]);
    }
}
