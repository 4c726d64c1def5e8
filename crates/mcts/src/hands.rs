use keiko_shogi::{Game, Hand, Position};

use crate::Proof;

/// The boards of a game, the path of a search included, with the hands on them: for finding positions in which
/// nothing but the hands has changed.
#[derive(Clone, Debug)]
pub(crate) struct Hands {
    /// By ply from the start: the key of placement and side to move, and the hand of that side.
    boards: Vec<(u64, Hand)>,
}

impl Hands {
    /// Those of a game from its start to where it stands.
    pub(crate) fn of(game: &Game) -> Self {
        let mut hands = Self { boards: Vec::with_capacity(512) };
        let mut replay = Game::new(game.start().clone(), game.start_move_number(), *game.rules());
        hands.push(replay.position());
        for &mv in game.moves() {
            if replay.play_any(mv).is_err() {
                break;
            }
            hands.push(replay.position());
        }
        hands
    }

    pub(crate) fn push(&mut self, position: &Position) {
        let side = position.side_to_move();
        self.boards.push((position.board_key(), position.hand(side)));
    }

    /// Takes the last `plies` back.
    pub(crate) fn undo(&mut self, plies: usize) {
        self.boards.truncate(self.boards.len() - plies);
    }

    /// Whether the side to move at the last position has come back to a board with more in hand (a win) or with
    /// less (a loss). All pieces are somewhere, so what one side has more the other has less.
    pub(crate) fn verdict(&self) -> Option<Proof> {
        let (&(key, hand), earlier) = self.boards.split_last()?;
        let same_board = earlier.iter().rev().filter(|(board, _)| *board == key);
        same_board.map(|&(_, before)| before).find(|&before| before != hand).and_then(|before| {
            if hand.covers(before) {
                Some(Proof::Win)
            } else {
                before.covers(hand).then_some(Proof::Loss)
            }
        })
    }
}
