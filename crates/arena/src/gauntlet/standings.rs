use std::collections::BTreeMap;

use keiko_shogi::Color;

use super::encounter::{GameResult, Task};
use super::event::Event;
use crate::referee::Fault;
use crate::statistics::{
    Decision, GamePoints, PairScore, Pentanomial, RatingPool, Sprt, Trinomial,
};
use crate::tally;

/// How an event stands: one result for each chain of games that is over.
#[derive(Debug, Clone)]
pub struct Standings<'e> {
    event: &'e Event,
    /// The last game of each encounter, by number.
    last: BTreeMap<u32, GameResult>,
    finished: u32,
    games: u64,
    faults: BTreeMap<(usize, Fault), u64>,
    reasons: BTreeMap<String, u64>,
    adjudicated: u64,
    sprt: Option<Sprt>,
    /// The first opening that the test has not counted.
    next_opening: u32,
}

impl<'e> Standings<'e> {
    /// Those of an event before its first game.
    pub fn new(event: &'e Event) -> Standings<'e> {
        let pairs = event.settings.schedule.games / 2;
        // The settings are validated: there is no other reason to have no test.
        let sprt =
            event.settings.sprt.and_then(|it| Sprt::on_scale(it.settings(pairs), it.scale).ok());
        Standings {
            event,
            last: BTreeMap::new(),
            finished: 0,
            games: 0,
            faults: BTreeMap::new(),
            reasons: BTreeMap::new(),
            adjudicated: 0,
            sprt,
            next_opening: 0,
        }
    }

    /// Those of an event after these games.
    pub fn of(event: &'e Event, results: &[GameResult]) -> Standings<'e> {
        let mut standings = Standings::new(event);
        results.iter().for_each(|result| standings.add(result));
        standings
    }

    /// The event.
    pub fn event(&self) -> &'e Event {
        self.event
    }

    /// Takes in a game.
    pub(super) fn add(&mut self, result: &GameResult) {
        self.games += 1;
        *self.reasons.entry(result.reason.to_string()).or_default() += 1;
        self.adjudicated += u64::from(result.adjudicated);
        if let Some((color, fault)) = result.fault {
            *self.faults.entry((result.engines[color.index()], fault)).or_default() += 1;
        }
        let later = self.last.get(&result.encounter).is_some_and(|it| it.replay > result.replay);
        if !later {
            self.finished += u32::from(self.event.replay_of(result).is_none());
            self.last.insert(result.encounter, result.clone());
        }
        self.test();
    }

    /// Gives the sequential test the pairs that are due.
    fn test(&mut self) {
        let Some(mut sprt) = self.sprt.take() else { return };
        while sprt.decision().is_none() {
            let first = self.next_opening * 2;
            let Some([one, other]) = self.pair_points(first, self.event.pairings[0][0]) else {
                break;
            };
            sprt.update(Some(PairScore::new(one, other)));
            self.next_opening += 1;
        }
        self.sprt = Some(sprt);
    }

    /// What an encounter and the next are worth to an engine of theirs, once both are over.
    fn pair_points(&self, first: u32, engine: usize) -> Option<[GamePoints; 2]> {
        let points = |number: u32| {
            let result = self.result(number)?;
            let has_black = result.engines[0] == engine;
            let color = if has_black { Color::Black } else { Color::White };
            Some(tally::points(result.outcome, color))
        };
        Some([points(first)?, points(first + 1)?])
    }

    /// The result of an encounter: its last game, if no other follows.
    fn result(&self, number: u32) -> Option<&GameResult> {
        self.last.get(&number).filter(|last| self.event.replay_of(last).is_none())
    }

    /// The results so far, by encounter.
    pub fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.last.values().filter(|last| self.event.replay_of(last).is_none())
    }

    /// What is still to be played, the next game of chains that were broken off included; nothing once the sequential
    /// test has decided.
    pub(super) fn missing(&self) -> Vec<Task> {
        if self.decision().is_some() {
            return Vec::new();
        }
        let task = |number: u32| match self.last.get(&number) {
            Some(last) => self.event.replay_of(last),
            None => {
                let encounter = self.event.encounter(number);
                Some(Task { encounter, replay: 0, main_ms: None })
            }
        };
        (0..self.event.encounters()).filter_map(task).collect()
    }

    /// Whether nothing is left to be played.
    pub fn is_over(&self) -> bool {
        self.decision().is_some() || self.finished == self.event.encounters()
    }

    /// Encounters that are over.
    pub fn finished(&self) -> u32 {
        self.finished
    }

    /// Games played, those that were played again included.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games by how they ended.
    pub fn reasons(&self) -> &BTreeMap<String, u64> {
        &self.reasons
    }

    /// Games that ended by adjudication.
    pub fn adjudicated(&self) -> u64 {
        self.adjudicated
    }

    /// How often each engine failed.
    pub fn faults(&self) -> &BTreeMap<(usize, Fault), u64> {
        &self.faults
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// How the sequential test ended. That all pairs are counted is no early end.
    pub fn decision(&self) -> Option<Decision> {
        self.sprt.as_ref().and_then(Sprt::decision)
    }

    /// The pool of all results, ready to be rated.
    pub fn pool(&self) -> RatingPool {
        let anchors = self.event.entrants.iter().map(|entrant| entrant.anchor).collect();
        let mut pool = RatingPool::new(anchors);
        for result in self.results() {
            pool.add(result.engines[0], result.engines[1], result.outcome);
        }
        pool
    }

    /// An engine's results with Black, then with White.
    pub fn of_engine(&self, engine: usize) -> [Trinomial; 2] {
        let mut counts = [Trinomial::default(); 2];
        for result in self.results() {
            for color in [Color::Black, Color::White] {
                if result.engines[color.index()] == engine {
                    counts[color.index()].add(tally::points(result.outcome, color));
                }
            }
        }
        counts
    }

    /// The first engine's results in a pairing: by game, and by pair of games with one opening.
    pub fn of_pairing(&self, pairing: usize) -> (Trinomial, Pentanomial) {
        let (mut games, mut pairs) = (Trinomial::default(), Pentanomial::default());
        let pairings = self.event.pairings.len();
        let openings = self.event.settings.schedule.games as usize / 2;
        for opening in 0..openings {
            let first = u32::try_from(2 * (opening * pairings + pairing)).unwrap_or(u32::MAX - 1);
            if let Some(points) = self.pair_points(first, self.event.pairings[pairing][0]) {
                points.into_iter().for_each(|it| games.add(it));
                pairs.add(PairScore::new(points[0], points[1]));
            }
        }
        (games, pairs)
    }
}
