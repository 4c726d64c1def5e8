//! Games in which a program or a clock takes part, one on each thread.

use std::collections::VecDeque;
use std::sync::Mutex;

use crossbeam::channel::Sender;
use keiko_formats::GameLine;

use super::encounter::{GameResult, Task};
use super::event::EntrantPlayer;
use super::journal::{noted, tagged};
use super::pool::Pool;
use super::{Event, GauntletError, Message};
use crate::referee::{self, Conditions, Fault, Seat};

/// The games that no thread has begun.
pub(super) struct Queue(Mutex<VecDeque<Task>>);

impl Queue {
    pub(super) fn new(tasks: Vec<Task>) -> Queue {
        Queue(Mutex::new(tasks.into()))
    }

    fn take(&self) -> Option<Task> {
        self.0.lock().expect("nobody panics with the queue").pop_front()
    }
}

/// One thread: plays chains of games until there are none, or it is interrupted. Returns what went wrong.
pub(super) fn play(
    event: &Event,
    queue: &Queue,
    pool: &Pool<'_>,
    results: &Sender<Message>,
) -> Option<GauntletError> {
    while let Some(first) = queue.take() {
        let mut task = Some(first);
        while let Some(now) = task {
            if pool.is_interrupted() {
                return None;
            }
            let (result, line) = match game(event, &now, pool) {
                Ok(Some(game)) => game,
                Ok(None) => return None,
                Err(error) => return Some(error),
            };
            task = event.replay_of(&result);
            // The receiver is gone only when the event has failed.
            let _ = results.send(Message::Game(Box::new((result, line))));
        }
    }
    None
}

/// One game; none if it was interrupted.
fn game(
    event: &Event,
    task: &Task,
    pool: &Pool<'_>,
) -> Result<Option<(GameResult, GameLine)>, GauntletError> {
    let engines = task.engines();
    let [mut black, mut white] = [pool.take(task, 0)?, pool.take(task, 1)?];
    let schedule = &event.settings.schedule;
    let conditions = Conditions {
        margin_ms: schedule.margin_ms,
        nodes_patience_ms: schedule.nodes_patience_ms,
        adjudication: event.settings.adjudication,
        main_ms: task.main_ms,
    };
    let mut game = event.openings[task.encounter.opening as usize].clone();
    let mut seats = [
        Seat { player: &mut *black, time: event.entrants[engines[0]].time },
        Seat { player: &mut *white, time: event.entrants[engines[1]].time },
    ];
    let refereed = referee::play(&mut game, &mut seats, &conditions);
    pool.give_back(engines[0], black);
    pool.give_back(engines[1], white);
    if let Some((color, failure)) = &refereed.failure {
        let entrant = &event.entrants[engines[color.index()]];
        if failure.fault == Fault::Interrupted {
            return Ok(None);
        }
        if matches!(entrant.player, EntrantPlayer::Model { .. }) && failure.fault == Fault::Crash {
            let (name, text) = (entrant.name.clone(), failure.text.clone());
            return Err(GauntletError::Model { name, text });
        }
    }
    let result = GameResult {
        encounter: task.encounter.number,
        replay: task.replay,
        engines,
        outcome: refereed.end.outcome,
        reason: refereed.end.reason,
        plies: refereed.end.ply,
        fault: refereed.failure.as_ref().map(|(color, failure)| (*color, failure.fault)),
        adjudicated: refereed.adjudicated,
        left_ms: refereed.left_ms,
    };
    let text = refereed.failure.as_ref().map(|(_, failure)| failure.text.as_str());
    let line = GameLine::new(game.start().clone(), game.start_move_number(), game.moves().to_vec());
    let line = noted(line, &refereed.notes);
    Ok(Some((result.clone(), tagged(line, &result, event, text))))
}
