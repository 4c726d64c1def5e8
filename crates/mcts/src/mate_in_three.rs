use keiko_shogi::{Game, Move, MoveList};

/// Looks for mates of three plies by checks: a check after every answer to which there is a mate in
/// one.
#[derive(Clone, Debug)]
pub(crate) struct MateInThree {
    /// Moves that one look may play.
    max_nodes: u32,
    /// The answers to one check.
    answers: MoveList,
}

impl MateInThree {
    pub(crate) fn new(max_nodes: u32) -> Self {
        Self { max_nodes, answers: MoveList::new() }
    }

    /// Whether one of `moves`, the legal ones, begins such a mate or mates at once. A line in which
    /// the game ends otherwise is none.
    pub(crate) fn is_there(&mut self, game: &mut Game, moves: &[Move]) -> bool {
        let mut left = self.max_nodes;
        moves.iter().any(|&mv| {
            game.position().gives_check(mv)
                && is_after(game, mv, &mut left, |game, left| self.answers_lose(game, left))
        })
    }

    /// Whether the side to move, which is in check, is mated now or by the second next ply.
    fn answers_lose(&mut self, game: &mut Game, left: &mut u32) -> bool {
        self.answers.clear();
        game.legal_moves(&mut self.answers);
        if !self.answers.is_empty() && game.end_with_moves().is_some() {
            return false;
        }
        self.answers.iter().all(|&mv| is_after(game, mv, left, |game, _| mates_at_once(game)))
    }
}

fn mates_at_once(game: &Game) -> bool {
    game.end_with_moves().is_none() && game.position().mate_in_one().is_some()
}

/// What `look` says after a move; false if no move is left.
fn is_after(
    game: &mut Game,
    mv: Move,
    left: &mut u32,
    look: impl FnOnce(&mut Game, &mut u32) -> bool,
) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    game.play(mv);
    let found = look(game, left);
    game.undo();
    found
}

#[cfg(test)]
mod tests {
    use keiko_shogi::Rules;

    use super::*;
    use crate::{MateLimits, MateSolver};

    /// Random games give few mates in three, but hundreds of games give some.
    #[test]
    fn finds_what_the_solver_of_longer_mates_finds() {
        let (mut look, mut solver) = (MateInThree::new(10_000), MateSolver::new(1 << 12));
        let mut state = 1_u64;
        let mut mates = 0;
        for _ in 0..40 {
            let mut game = Game::startpos(Rules::STANDARD);
            for _ in 0..200 {
                let mut moves = MoveList::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() || game.end().is_some() {
                    break;
                }
                let limits = MateLimits { nodes: 1_000_000, plies: 3 };
                let expected = solver.first_move(&mut game, limits).is_some();
                assert_eq!(look.is_there(&mut game, &moves), expected, "{}", game.sfen());
                mates += u32::from(expected && game.position().mate_in_one().is_none());
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(moves[(state >> 33) as usize % moves.len()]);
            }
        }
        assert!(mates > 20, "only {mates} mates in three");
    }

    #[test]
    fn no_more_moves_are_played_than_allowed() {
        let sfen = "lns+R4l/1p1p5/p1pkppB1p/6p2/1R7/6P1P/P1PPnPS2/2+b1G1g2/L3K1sNL b 2GS3Pnp 51";
        let (position, number) = keiko_shogi::Position::from_sfen(sfen).unwrap();
        let mut game = Game::new(position, number, Rules::STANDARD);
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let found: Vec<bool> =
            [0, 1, 200].map(|nodes| MateInThree::new(nodes).is_there(&mut game, &moves)).into();
        assert_eq!(found, [false, false, true]);
    }
}
