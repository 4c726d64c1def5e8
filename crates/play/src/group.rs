mod lane;
mod slot;

use keiko_inference::Backend;
use serde::{Deserialize, Serialize};

use crate::{Director, Next, PlayError, Player};
use lane::{Lane, Owner};
use slot::{Search, Slot, Step};

/// The sizes of a [`Group`] and the one rule of play it applies by itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupSettings {
    /// Games played at the same time.
    pub slots: usize,
    /// Rows of every batch after padding. More leaves than that become several batches.
    pub batch_shape: usize,
    /// How much more than the draw a side may expect and still agree to count, 0..=1; see
    /// [`JishogiAgreement`](crate::JishogiAgreement). Of meaning under the rule `jishogi24` only.
    pub jishogi_threshold: f32,
}

/// Work done by a group so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupCounts {
    /// Games that ended.
    pub games: u64,
    /// Searched moves that were played.
    pub plies: u64,
    /// Rows that were sent to a backend, padding not counted.
    pub evaluations: u64,
    /// Batches that were sent to a backend.
    pub batches: u64,
}

/// What a group did with its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Leaves are out for evaluation.
    Busy,
    /// No game is in play; the director will have more later.
    Waiting,
    /// No game is in play and there will be none.
    Finished,
}

/// Games in lockstep; see the [crate documentation](crate).
#[derive(Debug)]
pub struct Group<D: Director> {
    director: D,
    players: Vec<Player>,
    settings: GroupSettings,
    slots: Vec<Option<Slot<D::State>>>,
    lanes: Vec<Lane>,
    counts: GroupCounts,
}

impl<D: Director> Group<D> {
    /// A group without games; the first step asks `director` for them.
    #[must_use]
    pub fn new(director: D, players: Vec<Player>, settings: GroupSettings) -> Self {
        Self {
            director,
            players,
            settings,
            slots: (0..settings.slots).map(|_| None).collect(),
            lanes: Vec::new(),
            counts: GroupCounts::default(),
        }
    }

    /// The director.
    #[must_use]
    pub fn director(&self) -> &D {
        &self.director
    }

    /// The director, to take out what it has gathered.
    pub fn director_mut(&mut self) -> &mut D {
        &mut self.director
    }

    /// Work done so far.
    #[must_use]
    pub fn counts(&self) -> GroupCounts {
        self.counts
    }

    /// One step: [`submit`](Self::submit), then [`collect`](Self::collect).
    ///
    /// # Errors
    /// As these two.
    pub fn step<B: Backend>(&mut self, backends: &mut [B]) -> Result<Activity, PlayError> {
        let activity = self.submit(backends)?;
        self.collect(backends)?;
        Ok(activity)
    }

    /// Fills free slots, takes every game to its next leaf, playing the moves that fall due, and sends the
    /// leaves off. Answers that are still out must be collected first.
    ///
    /// # Errors
    /// When a backend fails or the director chooses an illegal move. The group is then of no more use.
    ///
    /// # Panics
    /// When a player names a backend that is not there.
    pub fn submit<B: Backend>(&mut self, backends: &mut [B]) -> Result<Activity, PlayError> {
        if self.lanes.is_empty() {
            let shape = self.settings.batch_shape;
            self.lanes = backends.iter().map(|backend| Lane::new(backend, shape)).collect();
        }
        let mut more = false;
        for index in 0..self.slots.len() {
            more |= self.advance(index)?;
        }
        for (lane, backend) in self.lanes.iter_mut().zip(backends) {
            self.counts.evaluations += lane.rows() as u64;
            self.counts.batches += lane.submit(backend)? as u64;
        }
        Ok(match (self.slots.iter().any(Option::is_some), more) {
            (true, _) => Activity::Busy,
            (false, true) => Activity::Waiting,
            (false, false) => Activity::Finished,
        })
    }

    /// Waits for the answers and hands them to the games.
    ///
    /// # Errors
    /// When a backend fails or answers nonsense. The group is then of no more use.
    pub fn collect<B: Backend>(&mut self, backends: &mut [B]) -> Result<(), PlayError> {
        for (lane, backend) in self.lanes.iter_mut().zip(backends) {
            lane.collect(backend, |owner, evaluation| match &mut self.slots[owner.slot] {
                Some(slot) => slot.search_mut().apply(owner.leaf, evaluation),
                None => Ok(()),
            })?;
        }
        Ok(())
    }

    /// Takes one slot to its next leaf. False when the slot stays free for ever.
    fn advance(&mut self, index: usize) -> Result<bool, PlayError> {
        loop {
            let Some(slot) = &mut self.slots[index] else {
                match self.director.next_game() {
                    Next::Game(new) => {
                        let slot =
                            Slot::start(*new, &self.players, self.settings.jishogi_threshold);
                        self.slots[index] = Some(slot);
                        self.begin_turn(index)?;
                        continue;
                    }
                    Next::Later => return Ok(true),
                    Next::Never => return Ok(false),
                }
            };
            let lane = &mut self.lanes[self.players[slot.player()].backend];
            match slot.select(|leaf, context| {
                lane.push(leaf.game, leaf.moves, context, Owner { slot: index, leaf: leaf.id });
            }) {
                Search::Leaf => return Ok(true),
                Search::Stalled => return Err(PlayError::Stalled { ply: slot.game().ply() }),
                Search::Done => match slot.finish_turn(&mut self.director)? {
                    Step::Played => {
                        self.counts.plies += 1;
                        self.begin_turn(index)?;
                    }
                    Step::Ended(end) => self.finish(index, end),
                },
            }
        }
    }

    /// Begins the search of the next move, unless the game is over.
    fn begin_turn(&mut self, index: usize) -> Result<(), PlayError> {
        if let Some(slot) = &mut self.slots[index]
            && let Some(end) = slot.begin_turn(&mut self.director)?
        {
            self.finish(index, end);
        }
        Ok(())
    }

    fn finish(&mut self, index: usize, end: keiko_shogi::GameEnd) {
        if let Some(slot) = self.slots[index].take() {
            self.counts.games += 1;
            self.director.finished(slot.finish(end));
        }
    }
}
