use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use keiko_mcts::{MateLimits, Noise, RootKind, SearchLimit, SearchSettings};
use keiko_shogi::{Color, Declaration, DrawValues, Game, Move, Rules};

use super::job::{Job, SearchJob};
use super::mate::UNLIMITED_NODES;
use super::mate_thread::MateSettings;
use super::report::ReportSettings;
use super::searching::{Release, Searching};
use super::{Engine, Work, instant_answer};
use crate::answer::Answer;
use crate::command::{Command, Go, MateLimit, Times, Unusable};
use crate::options::Options;

/// Moves that the search for a mate may play for each simulation of a search by nodes: about as long as it takes.
const MATE_NODES_PER_SIMULATION: u64 = 10;
/// The fewest and the most of them.
const MATE_NODES: (u64, u64) = (10_000, 1_000_000);

/// Beginning a search.
impl<W: Write> Engine<'_, W> {
    /// Says what of a `go` cannot be used, and what comes of that.
    pub(super) fn warn_of_unusable(&mut self, command: &Command, line: &str) -> io::Result<()> {
        let (name, starts) = match command {
            Command::Go(_) => ("go", true),
            Command::PonderHit(_) => ("ponderhit", false),
            _ => return Ok(()),
        };
        let rest = line.trim_start().strip_prefix(name).unwrap_or("");
        let (go, unusable) = Go::read(rest);
        if unusable.is_empty() {
            return Ok(());
        }
        let at_once = go.movetime_ms == Some(0) || go.mate == Some(MateLimit::Number(0));
        let instead = match starts && at_once {
            true => "left out, and the answer comes at once",
            false => "left out, and the rest counts",
        };
        let list: Vec<String> = unusable.iter().map(Unusable::to_string).collect();
        self.say(&Answer::message(format!("Error: {name}: {}: {instead}", list.join(", "))))
    }

    pub(super) fn go(&mut self, go: Go, asked: Instant) -> io::Result<()> {
        if let Some(limit) = go.mate {
            return self.go_mate(limit, asked);
        }
        let Some(game) = self.game_with_kings()? else {
            let mut searching = Searching::new(go, Game::startpos(self.rules()), asked);
            searching.finished = Some(searching.resignation());
            return self.answer(Box::new(searching));
        };
        self.warn_of_illegal(&go.searchmoves, &game)?;
        let mut searching = Searching::new(go, game, asked);
        searching.finished = instant_answer::find(&searching.game, &searching.go)
            .or_else(|| self.book_answer(&searching));
        if searching.finished.is_some() {
            return self.answer(Box::new(searching));
        }
        searching.start_clock(&self.options);
        self.load_or_search(Box::new(searching));
        Ok(())
    }

    fn warn_of_illegal(&mut self, moves: &[Move], game: &Game) -> io::Result<()> {
        let Some(illegal) = moves.iter().find(|&&mv| !game.position().is_legal(mv)) else {
            return Ok(());
        };
        let text = format!("Error: go: searchmoves: {illegal} is illegal: left out");
        self.say(&Answer::message(text))
    }

    /// Gives the answer that a search has, once it may be given.
    pub(super) fn answer(&mut self, searching: Box<Searching>) -> io::Result<()> {
        match &mut self.work {
            Work::Loading(loading) => loading.search = Some(searching),
            _ => self.work = Work::Searching(searching),
        }
        self.release()
    }

    /// Gives a search to the search thread.
    pub(super) fn search(&mut self, mut searching: Box<Searching>) {
        self.searches += 1;
        searching.id = self.searches;
        let job = self.job(&searching);
        // The search thread lives as long as its queue; should it be gone, its end is reported as an event.
        let _ = self.jobs.send(Job::Search(Box::new(job)));
        self.new_game = false;
        self.work = Work::Searching(searching);
    }

    fn job(&self, searching: &Searching) -> SearchJob {
        let options = &self.options;
        let go = &searching.go;
        let cap = |limit: u64| u32::try_from(limit.max(1)).unwrap_or(u32::MAX);
        let nodes_limit = (options.nodes_limit > 0).then_some(u64::from(options.nodes_limit));
        let fixed = go.nodes.into_iter().chain(nodes_limit).min();
        let most = u64::from(options.node_limit);
        let simulations = cap(fixed.map_or(most, |fixed| fixed.min(most)));
        let timed = !go.times.is_empty() || go.movetime_ms.is_some();
        let is_fixed = fixed.is_some() && !timed && !go.infinite && !go.ponder;
        SearchJob {
            id: searching.id,
            game: searching.game.clone(),
            settings: search_settings(searching, options),
            draw_values: self.draw_values(searching.game.position().side_to_move()),
            limit: SearchLimit { simulations, noise: Noise::Off },
            is_fixed,
            mate: self.mate_settings(is_fixed.then_some(simulations)),
            batch_size: options.batch_size as usize,
            depth: go.depth,
            searchmoves: go.searchmoves.clone(),
            forget: self.new_game,
            report: ReportSettings::of(options, go),
            control: Arc::clone(&searching.control),
            temperature: options.softmax_temperature_percent as f32 / 100.0,
        }
    }

    /// How to look for a mate beside a search, which may have a fixed number of simulations.
    fn mate_settings(&self, simulations: Option<u32>) -> Option<MateSettings> {
        let plies = u16::try_from(self.options.mate_plies).ok().filter(|&plies| plies > 0)?;
        let (least, most) = MATE_NODES;
        let nodes = simulations.map_or(UNLIMITED_NODES, |simulations| {
            (u64::from(simulations) * MATE_NODES_PER_SIMULATION).clamp(least, most)
        });
        let hash_mib = self.options.mate_hash_mib;
        Some(MateSettings { limits: MateLimits { nodes, plies }, hash_mib })
    }

    pub(super) fn ponder_hit(&mut self, times: Times, at: Instant) -> io::Result<()> {
        let options = &self.options;
        let searching = match &mut self.work {
            Work::Searching(searching) => searching,
            Work::Loading(loading) => match &mut loading.search {
                Some(searching) => searching,
                None => return Ok(()),
            },
            Work::Idle => return Ok(()),
        };
        if searching.release == Release::OnPonderHit {
            searching.release = Release::AtOnce;
            if !times.is_empty() {
                searching.go.times = times;
            }
            searching.start_clock_at(at, options);
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

/// The settings of a search. One that may go on for ever, shows several lines or searches some moves only, chooses by PUCT:
/// sequential halving narrows to few moves, and needs an end for that. Pondering will have one. A search of some moves must not find a win at the root by a move that is not to be searched.
fn search_settings(searching: &Searching, options: &Options) -> SearchSettings {
    let mut settings = options.search_settings();
    let go = &searching.go;
    let limited = go.nodes.is_some() || options.nodes_limit > 0 || go.movetime_ms.is_some();
    let ends = limited || go.ponder || !go.times.is_empty();
    if !ends || go.infinite || options.multi_pv > 1 || !go.searchmoves.is_empty() {
        settings.root = RootKind::Puct;
    }
    let moves = &go.searchmoves;
    if moves.is_empty() {
        return settings;
    }
    let game = &searching.game;
    settings.mate_in_one &= game.position().mate_in_one().is_none_or(|mv| moves.contains(&mv));
    settings.declaration &= game.try_move().is_none_or(|mv| moves.contains(&mv));
    // A move without a prior must not look as good as the whole.
    settings.puct.root_fpu_reduction = 1.0;
    settings
}
