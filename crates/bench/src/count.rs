//! Counting the leaves of the tree of legal moves.

use keiko_shogi::{MoveList, Position};

use crate::Done;

/// A position with many drops.
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// The position with the most legal moves, 593.
pub const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// From where and how deep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    /// `None` for the start of an even game.
    pub(crate) sfen: Option<&'static str>,
    pub(crate) depth: usize,
}

impl Count {
    fn start(self) -> (Position, Vec<MoveList>) {
        let position = match self.sfen {
            Some(sfen) => Position::from_sfen(sfen).expect("the SFEN is right").0,
            None => Position::startpos(),
        };
        (position, (0..self.depth).map(|_| MoveList::new()).collect())
    }
}

/// Lists the moves of the last ply and takes their number.
pub(crate) fn listed(count: Count) -> Done {
    let (mut position, mut lists) = count.start();
    let result = count_listed(&mut position, &mut lists);
    Done { result, units: result }
}

/// Plays the moves of the last ply too.
pub(crate) fn played(count: Count) -> Done {
    let (mut position, mut lists) = count.start();
    let result = count_played(&mut position, &mut lists);
    Done { result, units: result }
}

fn count_listed(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_last_mut() else { return 1 };
    list.clear();
    position.legal_moves(list);
    if rest.is_empty() {
        return list.len() as u64;
    }
    let mut leaves = 0;
    for &mv in list.iter() {
        let undo = position.do_move(mv);
        leaves += count_listed(position, rest);
        position.undo_move(mv, undo);
    }
    leaves
}

fn count_played(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, rest)) = lists.split_last_mut() else { return 1 };
    list.clear();
    position.legal_moves(list);
    let mut leaves = 0;
    for &mv in list.iter() {
        let undo = position.do_move(mv);
        leaves += count_played(position, rest);
        position.undo_move(mv, undo);
    }
    leaves
}
