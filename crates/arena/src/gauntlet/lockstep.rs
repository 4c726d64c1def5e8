//! Games among nets and reference players, many to a batch.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::Sender;
use keiko_encoding::EncodingId;
use keiko_formats::{GameLine, win_rate};
use keiko_inference::{Backend, BackendError, Uniform};
use keiko_mcts::{Noise, RootSummary, SearchLimit, SearchSettings};
use keiko_play::{
    Activity, Decision, Director, FinishedGame, Group, GroupSettings, NewGame, Next, Player, Turn,
};
use keiko_shogi::{Color, EndReason};
use keiko_usi::answer::Score;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::encounter::{GameResult, Task};
use super::event::EntrantPlayer;
use super::journal::{noted, tagged};
use super::pool::lots;
use super::{Event, GauntletError, Message, Opener};
use crate::contest::Contender;
use crate::referee::{MoveNote, ThinkingTime, Verdicts};

/// Rows of a batch at least: what LibTorch needs so that a row's answer does not depend on the batch.
const LEAST_SHAPE: usize = 16;

/// How much more than a draw a net may expect and still agree to count under the rule `jishogi24`.
const JISHOGI_THRESHOLD: f32 = 0.05;

/// Plays `tasks` and the games that follow them in their chains. Returns what went wrong.
pub(super) fn play(
    event: &Event,
    tasks: Vec<Task>,
    open: &Opener<'_>,
    interrupt: &AtomicBool,
    results: &Sender<Message>,
) -> Option<GauntletError> {
    let slots = event.settings.schedule.batch_games.min(tasks.len());
    let tasks = VecDeque::from(tasks);
    let mut seats = Seating::default();
    for (engine, entrant) in event.entrants.iter().enumerate() {
        let takes_part = tasks.iter().any(|task| task.encounter.engines.contains(&engine));
        // Programs keep their place in the list, but have no games here.
        let search =
            entrant.contender().map_or(Contender::NO_SEARCH, |contender| contender.search());
        let evaluator = if takes_part { Evaluator::of(&entrant.player) } else { Evaluator::None };
        if let Err(source) = seats.add(evaluator, search, || open(engine)) {
            let (name, source) = (entrant.name.clone(), Box::new(source));
            return Some(GauntletError::Open { name, source });
        }
    }
    let Seating { players, mut backends, .. } = seats;
    let settings = GroupSettings {
        slots,
        // A position waits for the net whose turn it is: each has its share of the games.
        batch_shape: slots.div_ceil(nets(event)).max(LEAST_SHAPE),
        jishogi_threshold: JISHOGI_THRESHOLD,
    };
    let mut group = Group::new(Lockstep { event, tasks, results }, players, settings);
    while !interrupt.load(Ordering::Relaxed) {
        match group.step(&mut backends) {
            // Nothing in play and nothing to come.
            Ok(Activity::Waiting | Activity::Finished) => break,
            Ok(Activity::Busy) => {}
            Err(error) => return Some(error.into()),
        }
    }
    None
}

/// What evaluates an engine's positions.
#[derive(PartialEq)]
enum Evaluator<'a> {
    /// Nothing that knows anything.
    None,
    /// The net of that file or folder. Engines of one net share its batches, which are the fuller for it.
    Net(&'a Path),
}

impl<'a> Evaluator<'a> {
    fn of(player: &'a EntrantPlayer) -> Self {
        match player {
            EntrantPlayer::Model { path, .. } => Evaluator::Net(path),
            EntrantPlayer::Reference(_) | EntrantPlayer::Program(_) => Evaluator::None,
        }
    }
}

/// How many nets the event knows, 1 at least.
fn nets(event: &Event) -> usize {
    let players = event.entrants.iter().map(|entrant| &entrant.player);
    let paths: BTreeSet<&Path> = players
        .filter_map(|player| match player {
            EntrantPlayer::Model { path, .. } => Some(path.as_path()),
            EntrantPlayer::Reference(_) | EntrantPlayer::Program(_) => None,
        })
        .collect();
    paths.len().max(1)
}

/// The players, in the order of the engines, and what they share.
#[derive(Default)]
struct Seating<'a> {
    players: Vec<Player>,
    backends: Vec<Box<dyn Backend>>,
    evaluators: Vec<Evaluator<'a>>,
}

impl<'a> Seating<'a> {
    fn add(
        &mut self,
        evaluator: Evaluator<'a>,
        search: SearchSettings,
        open: impl FnOnce() -> Result<Box<dyn Backend>, BackendError>,
    ) -> Result<(), BackendError> {
        let known = self.evaluators.iter().position(|known| *known == evaluator);
        if known.is_none() {
            self.backends.push(match evaluator {
                Evaluator::None => Box::new(Uniform::new(EncodingId::Dlshogi57)),
                Evaluator::Net(_) => open()?,
            });
            self.evaluators.push(evaluator);
        }
        let backend = known.unwrap_or(self.backends.len() - 1);
        self.players.push(Player { backend, search });
        Ok(())
    }
}

struct Lockstep<'a> {
    event: &'a Event,
    tasks: VecDeque<Task>,
    results: &'a Sender<Message>,
}

/// What belongs to one game.
struct Seat {
    task: Task,
    verdicts: Verdicts,
    /// The side that both engines see lost; it resigns at its next turn.
    lost: Option<Color>,
    /// What reference players draw by lot, by colour.
    lots: [Xoshiro256PlusPlus; 2],
    notes: Vec<MoveNote>,
}

impl Director for Lockstep<'_> {
    type State = Seat;

    fn next_game(&mut self) -> Next<Seat> {
        let Some(task) = self.tasks.pop_front() else {
            // A game in play may be drawn and played again.
            return Next::Later;
        };
        let lots = [Color::Black, Color::White].map(|side| lots(self.event, &task, side));
        Next::Game(Box::new(NewGame {
            game: self.event.openings[task.encounter.opening as usize].clone(),
            seats: task.engines(),
            // Searches without noise draw no random numbers.
            search_seeds: [0; 2],
            draw_values: self.event.rules.draw_values,
            state: Seat {
                task,
                verdicts: Verdicts::default(),
                lost: None,
                lots,
                notes: Vec::new(),
            },
        }))
    }

    fn limit(&mut self, _: &mut Seat, turn: Turn<'_>) -> SearchLimit {
        let entrant = &self.event.entrants[turn.player];
        let simulations = match (entrant.contender(), entrant.time) {
            (Some(Contender::Search(_)), ThinkingTime::Nodes { nodes }) => nodes,
            _ => 1,
        };
        SearchLimit {
            simulations: u32::try_from(simulations).unwrap_or(u32::MAX),
            noise: Noise::Off,
        }
    }

    fn decide(&mut self, seat: &mut Seat, turn: Turn<'_>, summary: &RootSummary) -> Decision {
        let side = turn.side();
        if seat.lost == Some(side) {
            return Decision::Resign;
        }
        let (mv, score) = match self.event.entrants[turn.player].contender() {
            Some(Contender::Reference(player)) => {
                (player.choose(turn.game, &mut seat.lots[side.index()]), None)
            }
            _ => {
                let cp = win_rate::centipawns(f64::from(summary.score));
                (summary.best, Some(Score::Centipawns(cp)))
            }
        };
        if let Some(rule) = &self.event.settings.adjudication {
            seat.lost = seat.verdicts.observe(side, score, rule);
        }
        if seat.lost == Some(side) {
            return Decision::Resign;
        }
        seat.notes.push(MoveNote::new(side, None, score));
        Decision::Play(mv)
    }

    fn finished(&mut self, game: FinishedGame<Seat>) {
        let FinishedGame { end, game, state: Seat { task, notes, .. }, .. } = game;
        let result = GameResult {
            encounter: task.encounter.number,
            replay: task.replay,
            engines: task.engines(),
            outcome: end.outcome,
            reason: end.reason,
            plies: end.ply,
            fault: None,
            // Nets do not resign of themselves.
            adjudicated: end.reason == EndReason::Resignation,
            left_ms: [0; 2],
        };
        if let Some(next) = self.event.replay_of(&result) {
            self.tasks.push_front(next);
        }
        let line =
            GameLine::new(game.start().clone(), game.start_move_number(), game.moves().to_vec());
        let line = tagged(noted(line, &notes), &result, self.event, None);
        // The receiver is gone only when the event has failed.
        let _ = self.results.send(Message::Game(Box::new((result, line))));
    }
}
