//! The side of rsshogi.

use std::cell::RefCell;
use std::hint::black_box;

use keiko_bench::{Done, Inputs};
use keiko_peers::theirs::{game, moves, position};
use keiko_peers::{Doing, perfts, serve};
use rsshogi::board::{self, Move32List, Position, generate_legal_all_move32, perft::compute_perft};
use rsshogi::mate::solve_mate_in_one;
use rsshogi::types::Move32;

fn main() {
    let positions: Vec<Position> = Inputs::sfens().map(position).collect();
    let pairs: RefCell<Vec<(Position, Vec<Move32>)>> =
        RefCell::new(positions.iter().map(|p| (p.clone(), moves(p))).collect());
    let random = keiko_bench::random_games(Inputs::PLAYOUTS, Inputs::PLAYOUT_SEED);
    let games: Vec<Vec<Move32>> = random.iter().map(game).collect();
    let mut works = perfts(bulk, full);
    let others: Vec<(&str, Doing<'_>)> = vec![
        ("generate", Box::new(|| generate(&positions))),
        ("make_unmake", Box::new(|| make_unmake(&mut pairs.borrow_mut()))),
        ("playout_ply", Box::new(|| play(&games))),
        ("mate_in_one", Box::new(|| mates(&positions))),
    ];
    works.extend(others);
    serve(works);
}

fn bulk(sfen: &str, depth: u32) -> Done {
    let result = compute_perft(&mut position(sfen), depth as u8);
    Done { result, units: result }
}

fn full(sfen: &str, depth: u32) -> Done {
    let mut lists: Vec<Move32List> = (0..depth).map(|_| Move32List::new()).collect();
    let result = count_played(&mut position(sfen), &mut lists);
    Done { result, units: result }
}

fn count_played(position: &mut Position, lists: &mut [Move32List]) -> u64 {
    let Some((list, rest)) = lists.split_last_mut() else { return 1 };
    list.clear();
    generate_legal_all_move32(position, list);
    let mut leaves = 0;
    for &mv in list.iter() {
        position.apply_move32(mv);
        leaves += count_played(position, rest);
        // SAFETY: it is the move that was applied last.
        unsafe { position.undo_move32_unchecked(mv) };
    }
    leaves
}

fn generate(positions: &[Position]) -> Done {
    let mut list = Move32List::new();
    let mut result = 0;
    for _ in 0..20 {
        result = 0;
        for position in positions {
            list.clear();
            generate_legal_all_move32(position, &mut list);
            result += black_box(&list).len() as u64;
        }
    }
    Done { result, units: 20 * positions.len() as u64 }
}

fn make_unmake(pairs: &mut [(Position, Vec<Move32>)]) -> Done {
    let (mut result, mut units) = (0, 0);
    for (position, moves) in pairs {
        for &mv in moves.iter() {
            position.apply_move32(mv);
            result += u64::from(black_box(&*position).is_in_check());
            // SAFETY: it is the move that was applied last.
            unsafe { position.undo_move32_unchecked(mv) };
        }
        units += moves.len() as u64;
    }
    Done { result, units }
}

fn play(games: &[Vec<Move32>]) -> Done {
    let mut list = Move32List::new();
    let (mut result, mut units) = (0, 0);
    let start = board::hirate_position();
    for game in games {
        let mut position = start.clone();
        position.init_stack();
        for &mv in game {
            list.clear();
            generate_legal_all_move32(&position, &mut list);
            if list.is_empty() || position.repetition_counter() >= 3 {
                break;
            }
            result += black_box(&list).len() as u64;
            position.apply_move32(mv);
            units += 1;
        }
    }
    Done { result, units }
}

fn mates(positions: &[Position]) -> Done {
    let (mut result, mut units) = (0, 0);
    for _ in 0..20 {
        result = 0;
        for (number, position) in (1..).zip(positions) {
            if !position.is_in_check() {
                units += 1;
                result += if solve_mate_in_one(position).is_some() { number } else { 0 };
            }
        }
    }
    Done { result, units }
}
