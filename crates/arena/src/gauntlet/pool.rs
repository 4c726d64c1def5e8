use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use keiko_shogi::{Color, Game};
use keiko_usi::answer::Choice;
use keiko_usi::command::{GameResult, Go};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::encounter::Task;
use super::event::EntrantPlayer;
use super::shared::Shared;
use super::{Event, GauntletError, Opener};
use crate::referee::{Fault, Player, PlayerFailure, ThinkingTime};
use crate::reference::Reference;
use crate::search_player::{SearchPlayer, SearchPlayerSettings};
use crate::usi_player::UsiPlayer;

/// Engines between two games. A program goes on running for its next game, wherever that is; of those that wait only
/// the newest are kept, so that at most four processes a game at once are alive.
pub(super) struct Pool<'a> {
    event: &'a Event,
    open: &'a Opener<'a>,
    interrupt: &'a Arc<AtomicBool>,
    idle: Mutex<Vec<(usize, Box<Seated>)>>,
    evaluators: Mutex<BTreeMap<usize, Shared>>,
}

/// A player that any thread may take.
type Seated = dyn Player + Send;

/// Positions that a net by the clock evaluates at once. One by nodes has one, so that it is as strong here as in
/// lockstep.
const LEAVES: usize = 8;

impl<'a> Pool<'a> {
    pub(super) fn new(
        event: &'a Event,
        open: &'a Opener<'a>,
        interrupt: &'a Arc<AtomicBool>,
    ) -> Pool<'a> {
        Pool { event, open, interrupt, idle: Mutex::default(), evaluators: Mutex::default() }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Starts each program of `tasks` once, so that a wrong path or option is an error and not a thousand lost games.
    /// Returns what went wrong.
    pub(super) fn prepare(&self, tasks: &[Task]) -> Option<GauntletError> {
        let engines: BTreeSet<usize> =
            tasks.iter().flat_map(|task| task.encounter.engines).collect();
        for engine in engines {
            let entrant = &self.event.entrants[engine];
            if let EntrantPlayer::Program(program) = &entrant.player {
                let mut player =
                    UsiPlayer::interruptible(program.clone(), Arc::clone(self.interrupt));
                if let Err(failure) = player.new_game(&self.event.openings[0]) {
                    if failure.fault == Fault::Interrupted {
                        return None;
                    }
                    let (name, text) = (entrant.name.clone(), failure.text);
                    return Some(GauntletError::Start { name, text });
                }
                self.give_back(engine, Box::new(player));
            }
        }
        None
    }

    /// The engine of one side of a game.
    pub(super) fn take(&self, task: &Task, side: usize) -> Result<Box<Seated>, GauntletError> {
        let engine = task.engines()[side];
        let entrant = &self.event.entrants[engine];
        let color = if side == 0 { Color::Black } else { Color::White };
        let mut idle = self.idle.lock().expect("nobody panics with the pool");
        if let Some(place) = idle.iter().rposition(|(waiting, _)| *waiting == engine) {
            return Ok(idle.remove(place).1);
        }
        drop(idle);
        Ok(match &entrant.player {
            EntrantPlayer::Program(program) => {
                Box::new(UsiPlayer::interruptible(program.clone(), Arc::clone(self.interrupt)))
            }
            EntrantPlayer::Model { search, .. } => {
                let by_nodes = matches!(entrant.time, ThinkingTime::Nodes { .. });
                let settings = SearchPlayerSettings {
                    search: *search,
                    simulations: 1,
                    leaves: if by_nodes { 1 } else { LEAVES },
                    draw_values: self.event.rules.draw_values,
                };
                let backend = self.evaluator(engine)?;
                let interrupt = Arc::clone(self.interrupt);
                Box::new(SearchPlayer::new(entrant.name.clone(), backend, settings, interrupt))
            }
            EntrantPlayer::Reference(reference) => {
                let lots = lots(self.event, task, color);
                Box::new(ReferencePlayer { reference: *reference, lots })
            }
        })
    }

    /// The evaluator that all games of a net share.
    fn evaluator(&self, engine: usize) -> Result<Shared, GauntletError> {
        let mut evaluators = self.evaluators.lock().expect("nobody panics with the pool");
        if let Some(shared) = evaluators.get(&engine) {
            return Ok(shared.handle());
        }
        let name = || self.event.entrants[engine].name.clone();
        let backend = (self.open)(engine)
            .map_err(|source| GauntletError::Open { name: name(), source: Box::new(source) })?;
        let shared = Shared::new(backend);
        let handle = shared.handle();
        evaluators.insert(engine, shared);
        Ok(handle)
    }

    pub(super) fn give_back(&self, engine: usize, player: Box<Seated>) {
        if matches!(self.event.entrants[engine].player, EntrantPlayer::Reference(_)) {
            return;
        }
        let most = 2 * self.event.settings.schedule.concurrency.max(1);
        let mut idle = self.idle.lock().expect("nobody panics with the pool");
        idle.push((engine, player));
        let leaving: Vec<_> =
            if idle.len() > most { idle.drain(..1).collect() } else { Vec::new() };
        drop(idle);
        // An engine may take its time to leave; nobody else need wait for it.
        drop(leaving);
    }
}

/// What a reference player draws by lot in one game: of the seed, the game and the side.
pub(super) fn lots(event: &Event, task: &Task, side: Color) -> Xoshiro256PlusPlus {
    let replay = u64::from(task.replay) << 1;
    let game = (u64::from(task.encounter.number) << 16) | replay | side.index() as u64;
    Xoshiro256PlusPlus::seed_from_u64(event.settings.schedule.seed.rotate_left(48) ^ game)
}

/// A rule of thumb at the board.
#[derive(Debug)]
struct ReferencePlayer {
    reference: Reference,
    lots: Xoshiro256PlusPlus,
}

impl Player for ReferencePlayer {
    fn name(&self) -> String {
        self.reference.name().to_owned()
    }

    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Go, _: u64) -> Result<Choice, PlayerFailure> {
        Ok(Choice::Move(self.reference.choose(game, &mut self.lots)))
    }

    fn game_over(&mut self, _: GameResult) {}
}
