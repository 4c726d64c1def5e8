//! Matches with USI engines: pairs of games, one after another, with every failure kept.

use std::ops::ControlFlow;

use keiko_shogi::{Color, Game};

use crate::contest::PlayedGame;
use crate::referee::{self, Conditions, Fault, Seat};
use crate::tally::Tally;

/// What a match came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// The counts, from the first contender's side.
    pub tally: Tally,
    /// The games in order.
    pub games: Vec<PlayedGame>,
    /// What went wrong: the game's index, the contender that failed (0 or 1), and how.
    pub failures: Vec<(usize, usize, String)>,
}

/// Plays each opening twice with colours swapped; the first of the `contenders` has Black in the first game. `watch` sees
/// the result after every pair and says whether to go on. None if a game was interrupted.
pub fn run(
    contenders: &mut [Seat<'_>; 2],
    openings: &[Game],
    margin_ms: u64,
    mut watch: impl FnMut(&MatchResult) -> ControlFlow<()>,
) -> Option<MatchResult> {
    let mut result = MatchResult::default();
    for (pair, opening) in (0..).zip(openings) {
        let mut interrupted = false;
        let games = [Color::Black, Color::White].map(|first_player| {
            let mut game = opening.clone();
            let mut seats = contenders
                .each_mut()
                .map(|seat| Seat { player: &mut *seat.player, time: seat.time });
            if first_player == Color::White {
                seats.reverse();
            }
            let refereed = referee::play(&mut game, &mut seats, &Conditions::plain(margin_ms));
            if let Some((side, failure)) = refereed.failure {
                interrupted |= failure.fault == Fault::Interrupted;
                let index = 2 * pair as usize + first_player.index();
                result.failures.push((index, usize::from(side != first_player), failure.text));
            }
            PlayedGame::new(pair, first_player, &game, refereed.end)
        });
        if interrupted {
            return None;
        }
        result.tally.add(&games);
        result.games.extend(games);
        if watch(&result).is_break() {
            break;
        }
    }
    Some(result)
}
