use super::RatingPool;

/// Which players can be compared by their games.
///
/// An edge leads from a player to each one it gained points against. Players that reach each other have a finite most
/// likely difference; the anchors, whose differences are given, are one node.
pub(super) struct Connection {
    /// Whether the row's player reaches the column's.
    reaches: Vec<Vec<bool>>,
    /// A player of the rated component.
    root: usize,
    rated: Vec<bool>,
}

impl Connection {
    pub(super) fn of(pool: &RatingPool) -> Connection {
        let players = pool.anchors.len();
        let mut reaches = vec![vec![false; players]; players];
        let anchors: Vec<usize> = (0..players).filter(|&it| pool.anchors[it].is_some()).collect();
        for &one in &anchors {
            for &other in &anchors {
                reaches[one][other] = true;
            }
        }
        for (player, row) in reaches.iter_mut().enumerate() {
            row[player] = true;
        }
        for (&(black, white), &[wins, draws, losses]) in &pool.results {
            reaches[black][white] |= wins + draws > 0;
            reaches[white][black] |= losses + draws > 0;
        }
        for middle in 0..players {
            let onward = reaches[middle].clone();
            for row in &mut reaches {
                if row[middle] {
                    row.iter_mut().zip(&onward).for_each(|(cell, &more)| *cell |= more);
                }
            }
        }
        let together = |one: usize, other: usize| reaches[one][other] && reaches[other][one];
        let size = |one: usize| (0..players).filter(|&other| together(one, other)).count();
        // The first of the largest components where there is no anchor.
        let largest = || (0..players).max_by_key(|&it| (size(it), std::cmp::Reverse(it)));
        let root = anchors.first().copied().or_else(largest).unwrap_or(0);
        let rated = (0..players).map(|it| together(root, it)).collect();
        Connection { reaches, root, rated }
    }

    /// By player, whether it is rated.
    pub(super) fn rated(&self) -> &[bool] {
        &self.rated
    }

    /// Whether a player that is not rated is above those that are; none if no games lead there.
    pub(super) fn above(&self, player: usize) -> Option<bool> {
        if self.reaches[player][self.root] {
            Some(true)
        } else {
            self.reaches[self.root][player].then_some(false)
        }
    }
}
