//! Single games between any two players, by the clock and the rules.

use std::time::Instant;

use keiko_play::{Clock, Remaining, TimeControl};
use keiko_shogi::{Color, EndReason, Game, GameEnd, IllegalKind, Outcome};
use keiko_usi::answer::{Choice, MateScore, Score};
use keiko_usi::command::GameResult;

pub use adjudication::{Adjudication, Verdicts};
pub use fault::{Fault, PlayerFailure};
pub use player::Player;
pub use thinking_time::ThinkingTime;

mod adjudication;
mod fault;
mod player;
mod thinking_time;

/// How a refereed game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refereed {
    /// The end. A player that failed has lost: by time forfeit if it did not answer in time, by an illegal move if what
    /// it said is none, with the reason `aborted` otherwise.
    pub end: GameEnd,
    /// The player that failed, and how.
    pub failure: Option<(Color, PlayerFailure)>,
    /// Whether the loser resigned by adjudication.
    pub adjudicated: bool,
    /// The main time each side had left, by colour, in milliseconds; 0 where it has no clock.
    pub left_ms: [u64; 2],
    /// What is known of each move that was played, in order.
    pub notes: Vec<MoveNote>,
}

/// What is known of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveNote {
    /// The time it took, in milliseconds.
    pub time_ms: Option<u64>,
    /// What its player thought after it, in centipawns from Black's view; a mate counts as [`MATE_CP`].
    pub black_cp: Option<i32>,
}

/// The centipawns of a mate that was seen.
pub const MATE_CP: i32 = 30_000;

impl MoveNote {
    /// Nothing is known.
    pub const NOTHING: MoveNote = MoveNote { time_ms: None, black_cp: None };

    /// A move of `side`, whose player gives this score from its own side.
    pub fn new(side: Color, time_ms: Option<u64>, score: Option<Score>) -> MoveNote {
        let own = score.map(|score| match score {
            Score::Centipawns(cp) => cp.max(-i32::MAX),
            Score::Mate(MateScore::Wins(_)) => MATE_CP,
            Score::Mate(MateScore::Loses(_)) => -MATE_CP,
        });
        let black_cp = own.map(|cp| if side == Color::Black { cp } else { -cp });
        MoveNote { time_ms, black_cp }
    }
}

/// One player at the board.
#[derive(Debug)]
pub struct Seat<'a> {
    /// Who chooses the moves.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub time: ThinkingTime,
}

/// What a game is played under, besides its rules and the players' times.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// A move may be late by so much for the way between the programs, in milliseconds.
    pub margin_ms: u64,
    /// How long a search by nodes may take before the player counts as silent, in milliseconds.
    pub nodes_patience_ms: u64,
    /// When both players' scores end the game.
    pub adjudication: Option<Adjudication>,
    /// The main time at the start, by colour, in milliseconds, instead of that of the players' clocks.
    pub main_ms: Option<[u64; 2]>,
}

impl Conditions {
    /// No adjudication, full clocks, ten minutes for a search by nodes.
    pub const fn plain(margin_ms: u64) -> Conditions {
        let nodes_patience_ms = 600_000;
        Conditions { margin_ms, nodes_patience_ms, adjudication: None, main_ms: None }
    }
}

/// Plays `game` to its end; `seats` are by colour.
///
/// The clock runs while a player chooses. A declaration wins or loses by the rules of the game; an illegal move, an
/// unreadable answer and a player that fails lose.
pub fn play(game: &mut Game, seats: &mut [Seat<'_>; 2], conditions: &Conditions) -> Refereed {
    let clocks = [0, 1].map(|side| {
        let control = seats[side].time.control();
        let main_ms = conditions.main_ms.map_or(control.main_ms, |main| main[side]);
        Clock::new(TimeControl { main_ms, ..control })
    });
    let mut table = Table { clocks, conditions, verdicts: Verdicts::default(), notes: Vec::new() };
    let mut result = table.start(game, seats).unwrap_or_else(|| {
        loop {
            if let Some(end) = game.end() {
                break table.ended(end);
            }
            if let Some(result) = table.turn(game, seats) {
                break result;
            }
        }
    });
    result.notes = table.notes;
    for (color, seat) in [Color::Black, Color::White].into_iter().zip(seats) {
        seat.player.game_over(match result.end.outcome.winner() {
            None => GameResult::Draw,
            Some(winner) if winner == color => GameResult::Win,
            Some(_) => GameResult::Lose,
        });
    }
    result
}

/// A game in progress.
struct Table<'a> {
    /// By the colour of the player whose clock it is.
    clocks: [Clock; 2],
    conditions: &'a Conditions,
    verdicts: Verdicts,
    notes: Vec<MoveNote>,
}

impl Table<'_> {
    fn left(&self) -> [Remaining; 2] {
        [Color::Black, Color::White].map(|color| self.clocks[color.index()].remaining(color))
    }

    fn ended(&self, end: GameEnd) -> Refereed {
        let left_ms = self.left().map(|left| left.main_ms);
        Refereed { end, failure: None, adjudicated: false, left_ms, notes: Vec::new() }
    }

    fn failed(&self, game: &Game, side: Color, failure: PlayerFailure) -> Refereed {
        let end = match failure.fault {
            Fault::TimeLoss | Fault::Silence => game.forfeit(side),
            Fault::IllegalMove | Fault::Garbage => GameEnd {
                // No move was made that could count.
                ply: game.ply(),
                ..game.foul(IllegalKind::ImpossibleMove)
            },
            Fault::NotReady | Fault::Crash | Fault::Interrupted => GameEnd {
                outcome: Outcome::win_for(side.opponent()),
                reason: EndReason::Aborted,
                ply: game.ply(),
            },
        };
        Refereed { failure: Some((side, failure)), ..self.ended(end) }
    }

    fn start(&self, game: &Game, seats: &mut [Seat<'_>; 2]) -> Option<Refereed> {
        [Color::Black, Color::White].into_iter().zip(seats).find_map(|(color, seat)| {
            seat.player.new_game(game).err().map(|failure| self.failed(game, color, failure))
        })
    }

    /// One move; the end of the game if it brings it about.
    fn turn(&mut self, game: &mut Game, seats: &mut [Seat<'_>; 2]) -> Option<Refereed> {
        let side = game.position().side_to_move();
        let left = self.left();
        let Conditions { margin_ms, nodes_patience_ms, adjudication, .. } = *self.conditions;
        let seat = &mut seats[side.index()];
        let go = seat.time.go(side, left);
        let patience_ms = match seat.time.longest_ms(left[side.index()]) {
            Some(longest_ms) => longest_ms.saturating_add(margin_ms),
            None => nodes_patience_ms,
        };
        let started = Instant::now();
        let choice = match seat.player.choose(game, &go, patience_ms) {
            Ok(choice) => choice,
            Err(failure) => return Some(self.failed(game, side, failure)),
        };
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Some(late) = self.late(seat.time, side, elapsed_ms) {
            return Some(self.failed(game, side, late));
        }
        match choice {
            Choice::Move(mv) => {
                if let Err(kind) = game.position().classify(mv) {
                    let failure =
                        PlayerFailure::new(Fault::IllegalMove, format!("illegal move {mv}"));
                    // Whoever moves a piece of the other side has not moved in the other's stead.
                    let outcome = Outcome::win_for(side.opponent());
                    let end = GameEnd { outcome, ..game.foul(kind) };
                    return Some(Refereed { end, ..self.failed(game, side, failure) });
                }
                game.play(mv);
                self.notes.push(MoveNote::new(side, Some(elapsed_ms), seat.player.score()));
                let loser = adjudication
                    .and_then(|rule| self.verdicts.observe(side, seat.player.score(), &rule))?;
                // What the rules say of the position comes first.
                let end = game.end().is_none().then(|| game.resign(loser))?;
                Some(Refereed { adjudicated: true, ..self.ended(end) })
            }
            Choice::Resign => Some(self.ended(game.resign(side))),
            Choice::Win => {
                let left = time_left(seat.time, self.left()[side.index()]);
                Some(self.ended(game.declare(left)))
            }
            Choice::Unreadable(text) => {
                let text = format!("unreadable answer {text:?}");
                Some(self.failed(game, side, PlayerFailure::new(Fault::Garbage, text)))
            }
        }
    }

    /// Takes the time of a move off the clock, and says if it was too long.
    fn late(&mut self, time: ThinkingTime, side: Color, elapsed_ms: u64) -> Option<PlayerFailure> {
        let spent_ms = elapsed_ms.saturating_sub(self.conditions.margin_ms);
        let allowed_ms = match time {
            ThinkingTime::Clock(_) => {
                self.clocks[side.index()].spend(side, spent_ms).err()?.allowed_ms
            }
            ThinkingTime::MoveTime { ms } if spent_ms > ms => ms,
            ThinkingTime::MoveTime { .. } | ThinkingTime::Nodes { .. } => return None,
        };
        let text = format!("{elapsed_ms} ms for a move, {allowed_ms} ms were left");
        Some(PlayerFailure::new(Fault::TimeLoss, text))
    }
}

/// The time a declaration is made with; unknown where there is no clock.
fn time_left(time: ThinkingTime, left: Remaining) -> Option<u64> {
    matches!(time, ThinkingTime::Clock(TimeControl { .. })).then(|| left.longest_ms())
}
