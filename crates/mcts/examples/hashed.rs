//! Answers what the tests' hashed evaluator says of positions: `tests/golden/search_by_mctx.py` lets mctx search them.
//!
//! Each line of the input is `SFEN|MOVE MOVE ..`, the answer `SFEN|WIN DRAW LOSS MOVE LOGIT MOVE LOGIT ..` of
//! the position after the moves, or `end` where the game is over.

#[path = "../tests/search/hash.rs"]
mod hash;

use std::io::{BufRead, Write};

use keiko_shogi::{Game, MoveList, Position, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (sfen, moves) = line.split_once('|').ok_or("a line without |")?;
        let (position, number) = Position::from_sfen(sfen)?;
        let mut game = Game::new(position, number, Rules::STANDARD);
        for mv in moves.split_whitespace() {
            game.play(mv.parse()?);
        }
        if game.end().is_some() {
            writeln!(out, "end")?;
            continue;
        }
        let mut list = MoveList::new();
        game.legal_moves(&mut list);
        let (logits, wdl) = hash::evaluation(game.position(), &list);
        write!(out, "{}|{} {} {}", game.sfen(), wdl.win, wdl.draw, wdl.loss)?;
        for (mv, logit) in list.iter().zip(logits) {
            write!(out, " {mv} {logit}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
