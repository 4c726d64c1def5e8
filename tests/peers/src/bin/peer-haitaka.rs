//! The side of haitaka, which copies boards instead of taking moves back, counts sets of moves
//! without listing them, and knows neither repetition nor mates.

use std::hint::black_box;

use haitaka::{Board, Move};
use keiko_bench::{Done, Inputs};
use keiko_peers::{Doing, perfts, serve};

fn main() {
    let boards: Vec<Board> = Inputs::sfens().map(board).collect();
    let moves: Vec<Vec<Move>> = boards.iter().map(moves).collect();
    let mut works = perfts(bulk, full);
    let others: Vec<(&str, Doing<'_>)> = vec![
        ("generate", Box::new(|| generate(&boards))),
        ("make_unmake", Box::new(|| make(&boards, &moves))),
    ];
    works.extend(others);
    serve(works);
}

fn board(sfen: &str) -> Board {
    Board::from_sfen(sfen).expect("the positions are right")
}

fn moves(board: &Board) -> Vec<Move> {
    let mut list = Vec::new();
    board.generate_moves(|moves| {
        list.extend(moves);
        false
    });
    list
}

fn bulk(sfen: &str, depth: u32) -> Done {
    let result = count(&board(sfen), depth, 1);
    Done { result, units: result }
}

fn full(sfen: &str, depth: u32) -> Done {
    let result = count(&board(sfen), depth, 0);
    Done { result, units: result }
}

/// Leaves; those of the last `unplayed` plies are counted without being played.
fn count(board: &Board, depth: u32, unplayed: u32) -> u64 {
    let mut leaves = 0;
    if depth == 0 {
        return 1;
    }
    board.generate_moves(|moves| {
        if depth == unplayed {
            leaves += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut board = board.clone();
                board.play_unchecked(mv);
                leaves += count(&board, depth - 1, unplayed);
            }
        }
        false
    });
    leaves
}

fn generate(boards: &[Board]) -> Done {
    let mut list: Vec<Move> = Vec::with_capacity(640);
    let mut result = 0;
    for _ in 0..20 {
        result = 0;
        for board in boards {
            list.clear();
            board.generate_moves(|moves| {
                list.extend(moves);
                false
            });
            result += black_box(&list).len() as u64;
        }
    }
    Done { result, units: 20 * boards.len() as u64 }
}

fn make(boards: &[Board], moves: &[Vec<Move>]) -> Done {
    let (mut result, mut units) = (0, 0);
    for (board, moves) in boards.iter().zip(moves) {
        for &mv in moves {
            let mut board = board.clone();
            board.play_unchecked(mv);
            result += u64::from(!black_box(&board).checkers().is_empty());
        }
        units += moves.len() as u64;
    }
    Done { result, units }
}
