//! Random games and what the tests share.

use keiko_encoding::{Context, EncodingId, encode};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, Move, MoveList, Position, Rules};

pub(crate) const RULES: Rules = Rules {
    impasse: ImpasseRule::Csa27,
    declaration: Declaration::Manual,
    max_plies: Some(320),
    handicap: None,
};

pub(crate) const CONTEXT: Context =
    Context { draw_values: DrawValues { sennichite: 0.5, jishogi: 0.25, max_plies: 0.125 } };

/// SplitMix64, for choices that need not be good.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % end as u64) as usize
    }
}

/// A game of random moves that prefers captures and promotions, so that hands fill.
pub(crate) fn random_game(seed: u64, plies: usize) -> Game {
    let mut random = Random(seed);
    let mut game = Game::startpos(RULES);
    let mut moves = MoveList::new();
    for _ in 0..plies {
        legal_moves(&game, &mut moves);
        if moves.is_empty() {
            break;
        }
        let lively: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.is_promotion() || game.position().piece_at(mv.to()).is_some())
            .collect();
        let choice = if lively.is_empty() || random.below(5) < 2 { &moves[..] } else { &lively };
        game.play(choice[random.below(choice.len())]);
    }
    game
}

pub(crate) fn legal_moves(game: &Game, moves: &mut MoveList) {
    moves.clear();
    game.legal_moves(moves);
}

pub(crate) fn row(id: EncodingId, game: &Game) -> Vec<u8> {
    let mut row = vec![0xff; id.row_bytes()];
    encode(id, game, &CONTEXT, &mut row);
    row
}

pub(crate) fn game_of(sfen: &str) -> Game {
    let (position, move_number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, move_number, RULES)
}
