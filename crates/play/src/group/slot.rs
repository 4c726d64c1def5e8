use keiko_inference::Context;
use keiko_mcts::{Leaf, Search as Tree, Selection};
use keiko_shogi::{Color, Declaration, DrawValues, Game, GameEnd, Outcome};

use crate::{
    Decision, Director, FinishedGame, JishogiAgreement, NewGame, PlayError, Player, PlyTrace, Turn,
};

/// One game in play.
#[derive(Debug)]
pub(super) struct Slot<S> {
    game: Game,
    seats: [usize; 2],
    /// One tree for each colour, or a single one for a player that has both sides.
    trees: Vec<Tree>,
    context: Context,
    agreement: JishogiAgreement,
    plies: Vec<PlyTrace>,
    state: S,
}

/// Where a search stands.
pub(super) enum Search {
    Leaf,
    Done,
    Stalled,
}

/// What a searched turn led to.
pub(super) enum Step {
    Played,
    Ended(GameEnd),
}

impl<S> Slot<S> {
    pub(super) fn start(new: NewGame<S>, players: &[Player], jishogi_threshold: f32) -> Self {
        let NewGame { game, seats, search_seeds, draw_values, state } = new;
        let tree = |color: Color| {
            let settings = &players[seats[color.index()]].search;
            Tree::new(game.clone(), settings, draw_values, search_seeds[color.index()])
        };
        let trees = if seats[0] == seats[1] {
            vec![tree(Color::Black)]
        } else {
            vec![tree(Color::Black), tree(Color::White)]
        };
        Self {
            game,
            seats,
            trees,
            context: Context { draw_values },
            agreement: JishogiAgreement::new(jishogi_threshold),
            plies: Vec::new(),
            state,
        }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The player to move.
    pub(super) fn player(&self) -> usize {
        self.seats[self.side().index()]
    }

    fn side(&self) -> Color {
        self.game.position().side_to_move()
    }

    fn draw_values(&self) -> DrawValues {
        self.context.draw_values
    }

    /// The tree of the side to move.
    pub(super) fn search_mut(&mut self) -> &mut Tree {
        let index = if self.trees.len() == 1 { 0 } else { self.side().index() };
        &mut self.trees[index]
    }

    pub(super) fn select(&mut self, send: impl FnOnce(Leaf<'_>, &Context)) -> Search {
        let context = self.context;
        match self.search_mut().select() {
            Selection::Leaf(leaf) => {
                send(leaf, &context);
                Search::Leaf
            }
            Selection::Done => Search::Done,
            Selection::Wait => Search::Stalled,
        }
    }

    /// Begins the search of a turn, or returns how the game has ended before it.
    pub(super) fn begin_turn<D: Director<State = S>>(
        &mut self,
        director: &mut D,
    ) -> Result<Option<GameEnd>, PlayError> {
        if let Some(end) = self.game.end().or_else(|| self.declared()) {
            return Ok(Some(end));
        }
        let turn = turn(&self.game, &self.seats, &self.plies);
        let limit = director.limit(&mut self.state, turn);
        self.search_mut().begin(limit)?;
        Ok(None)
    }

    /// Where declarations are manual, a side that wins by one makes it.
    fn declared(&self) -> Option<GameEnd> {
        let wins = self.game.rules().declaration == Declaration::Manual
            && self.game.can_declare() == Some(Outcome::win_for(self.side()));
        wins.then(|| self.game.declare(None))
    }

    /// Where declarations are manual, a side that expects less than the draw it can declare makes it.
    fn declared_draw(&self, score: f32) -> Option<GameEnd> {
        let draws = self.game.rules().declaration == Declaration::Manual
            && self.game.can_declare() == Some(Outcome::Draw);
        (draws && score < self.jishogi_worth()).then(|| self.game.declare(None))
    }

    /// What a jishogi is worth to the side to move.
    fn jishogi_worth(&self) -> f32 {
        match self.side() {
            Color::Black => self.draw_values().jishogi,
            Color::White => 1.0 - self.draw_values().jishogi,
        }
    }

    /// Ends the search of a turn and plays what the director decides.
    pub(super) fn finish_turn<D: Director<State = S>>(
        &mut self,
        director: &mut D,
    ) -> Result<Step, PlayError> {
        let summary = self.search_mut().summary();
        let draw_values = self.draw_values();
        let score = summary.wdl.score(self.jishogi_worth());
        let agreed = self.agreement.observe(&self.game, summary.wdl, draw_values);
        if let Some(end) = agreed.or_else(|| self.declared_draw(score)) {
            return Ok(Step::Ended(end));
        }
        let turn = turn(&self.game, &self.seats, &self.plies);
        let (side, player) = (turn.side(), turn.player);
        let mv = match director.decide(&mut self.state, turn, &summary) {
            Decision::Play(mv) => mv,
            Decision::Resign => return Ok(Step::Ended(self.game.resign(side))),
        };
        if !self.game.position().is_legal(mv) {
            return Err(PlayError::IllegalMove { mv, ply: self.game.ply() });
        }
        self.game.play(mv);
        for tree in &mut self.trees {
            tree.advance(mv);
        }
        self.plies.push(PlyTrace { mv, player, summary });
        Ok(Step::Played)
    }

    pub(super) fn finish(self, end: GameEnd) -> FinishedGame<S> {
        FinishedGame { end, game: self.game, plies: self.plies, state: self.state }
    }
}

fn turn<'a>(game: &'a Game, seats: &[usize; 2], plies: &[PlyTrace]) -> Turn<'a> {
    let player = seats[game.position().side_to_move().index()];
    let searched_plies = u32::try_from(plies.len()).expect("a game has fewer than 2^32 plies");
    Turn { game, player, searched_plies }
}
