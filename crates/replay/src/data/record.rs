//! Records of games as rows.

use keiko_formats::Record;
use keiko_shogi::{Game, Rules};

use super::decode::Decoded;
use super::rows::Target;
use super::verdict::{Dropped, verdict};
use super::{DataCounts, Reading};

/// Adds the positions of a game, each with the move that was played, unless its result is not to be learnt.
pub(super) fn push(done: &mut Decoded, reading: &Reading, record: &Record) {
    let rules = Rules { handicap: record.game().rules().handicap, ..reading.rules };
    let end = match verdict(record, rules) {
        Ok(end) => end,
        Err(dropped) => return *counter(&mut done.counts, dropped) += 1,
    };
    let start = record.game();
    let mut game = Game::new(start.start().clone(), start.start_move_number(), rules);
    for &mv in record.moves().iter().take(end.ply as usize) {
        let target = Target {
            policy: &[(mv, 1)],
            outcome: end.outcome,
            value_counts: reading.value_counts(end.reason),
            score: None,
        };
        done.count(&target);
        done.rows.push_game(reading, &game, target);
        game.play(mv);
    }
}

fn counter(counts: &mut DataCounts, dropped: Dropped) -> &mut u64 {
    match dropped {
        Dropped::TimeForfeit => &mut counts.time_forfeits,
        Dropped::Crash => &mut counts.crashes,
        Dropped::Illegal => &mut counts.illegal,
        Dropped::Unfinished => &mut counts.unfinished,
        Dropped::NoResult => &mut counts.no_result,
    }
}
