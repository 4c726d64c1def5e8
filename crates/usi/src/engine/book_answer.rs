use std::io::Write;

use super::Engine;
use super::report::Finished;
use super::searching::Searching;
use crate::answer::{BestMove, Choice, Info, Score};

/// Moves of the opening book.
impl<W: Write> Engine<'_, W> {
    /// The book's answer, if the book is to be used and knows the position. What is analysed is searched.
    pub(super) fn book_answer(&self, searching: &Searching) -> Option<Finished> {
        let go = &searching.go;
        if !self.options.own_book || go.infinite || !go.searchmoves.is_empty() {
            return None;
        }
        let book = self.book.as_ref()?.book.as_ref()?;
        let position = searching.game.position();
        let known = match self.options.best_book_move {
            true => book.best(position),
            false => book.by_chance(position, scramble(self.searches, std::process::id())),
        }?;
        let mut after = searching.game.clone();
        after.play(known.mv);
        let reply = known.reply.filter(|&reply| after.position().is_legal(reply));
        let info = Info {
            depth: Some(0),
            time_ms: Some(0),
            nodes: Some(0),
            nps: Some(0),
            score: Some(Score::Centipawns(known.score.unwrap_or(0))),
            pv: [known.mv].into_iter().chain(reply).collect(),
            ..Info::default()
        };
        let ponder = reply.filter(|_| self.options.ponder);
        let best = BestMove { choice: Choice::Move(known.mv), ponder };
        Some(Finished { infos: vec![info], best })
    }
}

/// Another number for each search of each process (the finaliser of splitmix64).
fn scramble(search: u64, process: u32) -> u64 {
    let mut z = search.wrapping_add(u64::from(process) << 32).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
