use crossbeam::channel::Sender;
use keiko_mcts::{Noise, RootSummary, SearchLimit};
use keiko_play::{Decision, Director, FinishedGame, NewGame, Next, ResignWatch, Turn};
use keiko_shogi::Color;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Contender, ContestSettings, Message, PlayedGame, Schedule};

/// Hands out the games of a contest to one thread's group and plays the best move of every search, or what a reference
/// player chooses.
pub(super) struct ContestDirector<'a, E> {
    settings: &'a ContestSettings,
    schedule: &'a Schedule<'a>,
    results: &'a Sender<Message<E>>,
}

/// What belongs to one game.
pub(super) struct Seat {
    pair: u32,
    first_player: Color,
    resign: ResignWatch,
    /// What reference players draw by lot.
    rng: Xoshiro256PlusPlus,
}

impl<'a, E> ContestDirector<'a, E> {
    pub(super) fn new(
        settings: &'a ContestSettings,
        schedule: &'a Schedule<'a>,
        results: &'a Sender<Message<E>>,
    ) -> ContestDirector<'a, E> {
        ContestDirector { settings, schedule, results }
    }
}

impl<E> Director for ContestDirector<'_, E> {
    type State = Seat;

    fn next_game(&mut self) -> Next<Seat> {
        let Some((pair, leg)) = self.schedule.take() else { return Next::Never };
        let (first_player, seats) =
            if leg == 0 { (Color::Black, [0, 1]) } else { (Color::White, [1, 0]) };
        let game = (u64::from(pair) << 1) | u64::from(leg);
        let rng = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed.rotate_left(32) ^ game);
        Next::Game(Box::new(NewGame {
            game: self.schedule.openings[pair as usize].clone(),
            seats,
            // Searches without noise draw no random numbers.
            search_seeds: [0; 2],
            draw_values: self.settings.draw_values,
            state: Seat { pair, first_player, resign: ResignWatch::default(), rng },
        }))
    }

    fn limit(&mut self, _: &mut Seat, turn: Turn<'_>) -> SearchLimit {
        let player = &self.settings.players[turn.player];
        let simulations = player.simulations(self.settings.simulations);
        SearchLimit { simulations, noise: Noise::Off }
    }

    fn decide(&mut self, seat: &mut Seat, turn: Turn<'_>, summary: &RootSummary) -> Decision {
        if let Contender::Reference(player) = self.settings.players[turn.player] {
            Decision::Play(player.choose(turn.game, &mut seat.rng))
        } else if seat.resign.observe(turn.side(), summary.score, &self.settings.resignation) {
            Decision::Resign
        } else {
            Decision::Play(summary.best)
        }
    }

    fn finished(&mut self, game: FinishedGame<Seat>) {
        let Seat { pair, first_player, .. } = game.state;
        let played = PlayedGame::new(pair, first_player, &game.game, game.end);
        // The receiver is gone only when the contest is over.
        let _ = self.results.send(Message::Game(Box::new(played)));
    }
}
