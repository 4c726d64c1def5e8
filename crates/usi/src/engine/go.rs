use std::io::{self, Write};
use std::sync::Arc;

use keiko_mcts::{Noise, SearchLimit};
use keiko_shogi::{Color, Declaration, DrawValues, Rules};

use super::control::Control;
use super::job::{Job, SearchJob};
use super::report::ReportSettings;
use super::searching::{Release, Searching};
use super::{Engine, WhenLoaded, Work, instant_answer};
use crate::answer::{Answer, BestMove, Choice};
use crate::command::{Command, Go, Times};

/// Beginning a search.
impl<W: Write> Engine<'_, W> {
    pub(super) fn go(&mut self, go: Go) -> io::Result<()> {
        if let Some(limit) = go.mate {
            return self.go_mate(limit);
        }
        // Checked when the position came; only other rules since then can make it fail.
        let game = match self.position.game(self.rules()) {
            Ok(game) => game,
            Err(error) => {
                self.say(&Answer::message(format!("Error: position: {error}")))?;
                return self.say(&Answer::BestMove(BestMove::new(Choice::Resign)));
            }
        };
        let release = if go.infinite {
            Release::OnStop
        } else if go.ponder {
            Release::OnPonderHit
        } else {
            Release::AtOnce
        };
        if let Some(finished) = instant_answer::find(&game, &go) {
            let searching = Searching::answered(finished, release, go, game);
            self.work = Work::Searching(Box::new(searching));
            return self.release();
        }
        if self.loaded.is_none() {
            self.waiting.push_front(Command::Go(go));
            self.load(WhenLoaded::Go);
            return Ok(());
        }
        let control = Arc::new(Control::default());
        let mut searching = Searching::started(Arc::clone(&control), release, go, game);
        if searching.release == Release::AtOnce {
            searching.start_clock(&self.options);
        }
        self.searches += 1;
        searching.id = self.searches;
        let job = self.job(&searching);
        let _ = self.jobs.send(Job::Search(Box::new(job)));
        self.new_game = false;
        self.work = Work::Searching(Box::new(searching));
        Ok(())
    }

    fn job(&self, searching: &Searching) -> SearchJob {
        let options = &self.options;
        let go = &searching.go;
        let cap = |limit: u64| u32::try_from(limit.max(1)).unwrap_or(u32::MAX);
        let limits = [Some(u64::from(options.node_limit)), go.nodes];
        let fixed = (options.nodes_limit > 0).then_some(u64::from(options.nodes_limit));
        let simulations = limits.into_iter().chain([fixed]).flatten().map(cap).min();
        let mut settings = options.search_settings();
        if !go.searchmoves.is_empty() {
            // A mate by another move would end the search of those asked for.
            settings.root_mate_nodes = 0;
        }
        SearchJob {
            id: searching.id,
            game: searching.game.clone(),
            settings,
            draw_values: self.draw_values(searching.game.position().side_to_move()),
            limit: SearchLimit { simulations: simulations.unwrap_or(u32::MAX), noise: Noise::Off },
            batch_size: options.batch_size as usize,
            depth: go.depth,
            searchmoves: go.searchmoves.clone(),
            forget: self.new_game,
            report: ReportSettings::of(options, go),
            control: Arc::clone(&searching.control),
            temperature: options.softmax_temperature_percent as f32 / 100.0,
        }
    }

    pub(super) fn ponder_hit(&mut self, times: Times) -> io::Result<()> {
        let Work::Searching(searching) = &mut self.work else { return Ok(()) };
        if searching.release == Release::OnPonderHit {
            searching.release = Release::AtOnce;
            if !times.is_empty() {
                searching.go.times = times;
            }
            searching.start_clock(&self.options);
        }
        self.release()
    }

    pub(super) fn rules(&self) -> Rules {
        Rules {
            impasse: self.options.impasse,
            declaration: Declaration::Manual,
            max_plies: (self.options.max_plies > 0).then_some(self.options.max_plies),
            handicap: None,
        }
    }

    /// Draw values when the engine plays `side`: the option for that side says what a draw is worth to the engine.
    fn draw_values(&self, side: Color) -> DrawValues {
        let share = |permille: u32| permille as f32 / 1000.0;
        let to_black = match side {
            Color::Black => share(self.options.draw_value_black_permille),
            Color::White => 1.0 - share(self.options.draw_value_white_permille),
        };
        DrawValues { sennichite: to_black, jishogi: to_black, max_plies: to_black }
    }
}
