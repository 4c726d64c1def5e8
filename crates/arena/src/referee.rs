//! Single games between any two players, by the clock and the rules.

use std::time::Instant;

use keiko_play::{Clock, Remaining, TimeControl};
use keiko_shogi::{Color, EndReason, Game, GameEnd, IllegalKind, Outcome};
use keiko_usi::answer::Choice;
use keiko_usi::command::GameResult;

pub use player::{Player, PlayerFailure};
pub use thinking_time::ThinkingTime;

mod player;
mod thinking_time;

/// How a refereed game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refereed {
    /// The end. A player that failed has lost: by time forfeit if it was late, with the reason `aborted` otherwise.
    pub end: GameEnd,
    /// The player that failed, and how.
    pub failure: Option<(Color, String)>,
}

/// One player at the board.
#[derive(Debug)]
pub struct Seat<'a> {
    /// Who chooses the moves.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub time: ThinkingTime,
}

/// Plays `game` to its end; `seats` are by colour. A move may be late by `margin_ms` for the way between the programs.
///
/// The clock runs while a player chooses. A declaration wins or loses by the rules of the game; an illegal move, an
/// unreadable answer and a player that fails lose.
pub fn play(game: &mut Game, seats: &mut [Seat<'_>; 2], margin_ms: u64) -> Refereed {
    let mut clocks = [0, 1].map(|side| Clock::new(seats[side].time.control()));
    let result = start(game, seats).unwrap_or_else(|| {
        loop {
            if let Some(end) = game.end() {
                break Refereed { end, failure: None };
            }
            if let Some(result) = turn(game, seats, &mut clocks, margin_ms) {
                break result;
            }
        }
    });
    for (color, seat) in [Color::Black, Color::White].into_iter().zip(seats) {
        seat.player.game_over(match result.end.outcome.winner() {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Lose,
        });
    }
    result
}

fn start(game: &Game, seats: &mut [Seat<'_>; 2]) -> Option<Refereed> {
    [Color::Black, Color::White].into_iter().zip(seats).find_map(|(color, seat)| {
        seat.player.new_game(game).err().map(|failure| failed(game, color, &failure))
    })
}

/// One move; the end of the game if it brings it about.
fn turn(
    game: &mut Game,
    seats: &mut [Seat<'_>; 2],
    clocks: &mut [Clock; 2],
    margin_ms: u64,
) -> Option<Refereed> {
    let side = game.position().side_to_move();
    let left = [Color::Black, Color::White].map(|color| clocks[color.index()].remaining(color));
    let seat = &mut seats[side.index()];
    let go = seat.time.go(side, left);
    let patience_ms = seat.time.longest_ms(left[side.index()]).saturating_add(margin_ms);
    let started = Instant::now();
    let choice = match seat.player.choose(game, &go, patience_ms) {
        Ok(choice) => choice,
        Err(failure) => return Some(failed(game, side, &failure)),
    };
    let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    if let Some(late) = late(seat.time, &mut clocks[side.index()], (side, elapsed_ms, margin_ms)) {
        return Some(failed(game, side, &late));
    }
    let plain = |end| Some(Refereed { end, failure: None });
    match choice {
        Choice::Move(mv) => match game.position().classify(mv) {
            Ok(()) => {
                game.play(mv);
                None
            }
            Err(kind) => Some(Refereed {
                end: game.foul(kind),
                failure: Some((side, format!("illegal move {mv}"))),
            }),
        },
        Choice::Resign => plain(game.resign(side)),
        Choice::Win => {
            plain(game.declare(time_left(seat.time, clocks[side.index()].remaining(side))))
        }
        Choice::Unreadable(text) => Some(Refereed {
            // No move was made that could count.
            end: GameEnd { ply: game.ply(), ..game.foul(IllegalKind::ImpossibleMove) },
            failure: Some((side, format!("unreadable answer {text:?}"))),
        }),
    }
}

/// Takes the time of a move off the clock, and says if it was too long.
fn late(
    time: ThinkingTime,
    clock: &mut Clock,
    (side, elapsed_ms, margin_ms): (Color, u64, u64),
) -> Option<PlayerFailure> {
    let spent_ms = elapsed_ms.saturating_sub(margin_ms);
    let allowed_ms = match time {
        ThinkingTime::Clock(_) => clock.spend(side, spent_ms).err()?.allowed_ms,
        ThinkingTime::MoveTime { ms } if spent_ms > ms => ms,
        ThinkingTime::MoveTime { .. } | ThinkingTime::Nodes { .. } => return None,
    };
    Some(PlayerFailure::Late { allowed_ms })
}

/// The time a declaration is made with; unknown where there is no clock.
fn time_left(time: ThinkingTime, left: Remaining) -> Option<u64> {
    matches!(time, ThinkingTime::Clock(TimeControl { .. })).then(|| left.longest_ms())
}

fn failed(game: &Game, side: Color, failure: &PlayerFailure) -> Refereed {
    let end = match failure {
        PlayerFailure::Late { .. } => game.forfeit(side),
        PlayerFailure::Broken(_) => GameEnd {
            outcome: Outcome::win_for(side.opponent()),
            reason: EndReason::Aborted,
            ply: game.ply(),
        },
    };
    Refereed { end, failure: Some((side, failure.to_string())) }
}
