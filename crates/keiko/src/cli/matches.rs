//! `keiko match`.

mod player;
mod report;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow, bail};
use keiko_arena::contest::{self, ContestError, ContestSettings};
use keiko_arena::openings::{self, OpeningSettings};
use keiko_arena::referee::{Fault, Player as _, Seat, ThinkingTime};
use keiko_arena::search_player::{SearchPlayer, SearchPlayerSettings};
use keiko_arena::statistics::SprtSettings;
use keiko_arena::usi_match;
use keiko_arena::usi_player::{UsiEngine, UsiPlayer};
use keiko_replay::seed;
use keiko_shogi::Game;

use super::stop;
use crate::config::RunConfig;
use crate::memory;
use crate::progress::Console;
use crate::run::Run;
use player::Player;
use report::{Report, Sprt};

/// Arguments of `keiko match`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A player is `champion`, `untrained` (the run's net before training), the sha256 of a model of the run or the \
beginning of one, the path of an ONNX file or of a model's folder, `random` (any legal move) or `greedy` (a mate in one, \
else the largest capture or promotion, else any move). Without a run, rules, search, simulations and openings are those \
of configs/demo.toml. Every opening is played twice with colours swapped; the same arguments give the same games, whatever \
the number of workers, but for those of a USI engine.\n\n\
Examples:\n  keiko match --run data/runs/demo --against greedy --pairs 100\n  \
keiko match --run data/runs/demo --against untrained --pairs 200 --sprt 0,100\n  \
keiko match --model models/ayumi --against greedy --pairs 100\n  \
keiko match --run data/runs/demo --against-usi engine --usi-option 'Threads=1' --usi-go 'nodes 1000' --pairs 20"
)]
pub(super) struct Args {
    /// The folder of the run whose nets and settings are wanted.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Who is tested.
    #[arg(long, value_name = "PLAYER", default_value = "champion")]
    model: String,
    /// The opponent.
    #[arg(
        long,
        value_name = "PLAYER",
        conflicts_with = "against_usi",
        required_unless_present = "against_usi"
    )]
    against: Option<String>,
    /// The opponent: a USI engine.
    #[arg(long, value_name = "PROGRAM")]
    against_usi: Option<PathBuf>,
    /// An option of the USI engine; may be given again.
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "against")]
    usi_option: Vec<String>,
    /// How long the USI engine thinks: `nodes N` or `movetime MS`.
    #[arg(long, value_name = "GO", conflicts_with = "against", default_value = "nodes 1000", value_parser = thinking_time)]
    usi_go: ThinkingTime,
    /// Pairs of games; with --sprt, at most so many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Simulations a move. Without it, those of the gate.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    simulations: Option<u32>,
    /// End as soon as a sequential test between two Elo differences (alpha = beta = 0.05) has decided.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Another number gives other openings and other random moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON; an infinite Elo is null.
    #[arg(long)]
    json: bool,
}

/// A match that is ready to be played.
struct Match<'a> {
    args: &'a Args,
    run: Option<&'a Run>,
    config: &'a RunConfig,
    first: Player,
    openings: Vec<Game>,
    sprt: SprtSettings,
    console: Console,
    stop: &'a Arc<AtomicBool>,
}

/// The settings of matches without a run.
const DEMO: &str = include_str!("../../../../configs/demo.toml");

/// How late a USI engine's answer may be for the way between the programs, in milliseconds.
const MARGIN_MS: u64 = 1000;

/// How long a USI engine may take to start, in milliseconds.
const USI_PATIENCE_MS: u64 = 60_000;

/// Plays the match and prints what came out.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let console = Console::new();
    let sprt = sprt(args)?;
    let run = args.run.as_ref().map(|dir| Run::look(dir)).transpose()?;
    let usual = match &run {
        Some(run) => run.config().clone(),
        None => RunConfig::parse(Path::new("configs/demo.toml"), DEMO)?,
    };
    let config = &usual;
    config.open_devices()?;
    let what = "games in play are dropped, and there is no result";
    let stop = stop::on_signal_saying(console, what)?;
    let first = Player::named(run.as_ref(), &args.model, &config.inference).context("--model")?;
    let openings = match openings(args, config, &stop) {
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(stopped(console)),
        openings => openings?,
    };
    let run = run.as_ref();
    let match_ = Match { args, run, config, first, openings, sprt, console, stop: &stop };
    let report = match &args.against_usi {
        Some(program) => match_.play_usi(program),
        None => match_.play(),
    };
    let report = report.map_err(|error| {
        let lower = memory::rows_of_gate(config);
        memory::explain_work(error, "the match", &config.inference.device, &lower)
    })?;
    let Some(report) = report else {
        return Ok(stopped(console));
    };
    if args.json {
        writeln!(out, "{}", report.json())?;
    } else {
        write!(out, "{}", report.text())?;
    }
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn stopped(console: Console) -> ExitCode {
    console.line("stopped before the match was over: no result");
    ExitCode::FAILURE
}

impl Match<'_> {
    fn simulations(&self) -> u32 {
        self.args.simulations.unwrap_or(self.config.gate.simulations)
    }

    /// Against a net or a reference player; none if it was stopped.
    fn play(&self) -> anyhow::Result<Option<Report>> {
        let config = self.config;
        let name = self.args.against.as_deref().context("no --against")?;
        let second = Player::named(self.run, name, &config.inference).context("--against")?;
        if self.args.simulations.is_some() && !self.first.searches() && !second.searches() {
            bail!("--simulations: neither {} nor {name} searches: leave it out", self.first.name);
        }
        let settings = ContestSettings {
            players: [&self.first, &second].map(|player| player.contender(config.search)),
            seed: self.args.seed,
            simulations: self.simulations(),
            group: config.gate.group,
            resignation: config.gate.resignation,
            draw_values: config.rules.draw_values(),
            sprt: self.sprt,
            workers: config.selfplay.workers,
        };
        let mut display = self.console.stage("match", u64::from(self.args.pairs));
        let result = contest::run(
            &settings,
            &self.openings,
            |_| Ok::<_, keiko_inference::BackendError>([self.first.open()?, second.open()?]),
            |standing| {
                let tally = &standing.tally;
                display.update(tally.pairs.pairs() + tally.repeated_pairs, "pairs");
                self.go_on()
            },
        );
        let result = match result {
            Ok(result) => result,
            Err(ContestError::Interrupted) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let sprt = Sprt { settings: self.sprt, llr: result.standing.llr };
        let report = self.report(second.name.clone(), result.standing.tally, sprt);
        display.finish(&report.line());
        Ok(Some(report))
    }

    /// Against a program; none if it was stopped.
    fn play_usi(&self, program: &Path) -> anyhow::Result<Option<Report>> {
        let config = self.config;
        let Player { name, who } = &self.first;
        let search = match who {
            player::Who::Net(_) => config.search,
            player::Who::Reference(_) => {
                bail!("--model {name}: only a net can play against a USI engine")
            }
        };
        let settings = SearchPlayerSettings {
            search,
            simulations: self.simulations(),
            leaves: 1,
            draw_values: config.rules.draw_values(),
        };
        let backend = self.first.open()?;
        let mut ours = SearchPlayer::new(name.clone(), backend, settings, Arc::clone(self.stop));
        let engine = UsiEngine {
            name: program.display().to_string(),
            program: program.to_owned(),
            arguments: Vec::new(),
            directory: None,
            options: options(&self.args.usi_option)?,
            usi_patience_ms: USI_PATIENCE_MS,
            ready_patience_ms: USI_PATIENCE_MS,
        };
        let mut theirs = UsiPlayer::interruptible(engine, Arc::clone(self.stop));
        // A wrong path or option is an error, and not a game won.
        match theirs.new_game(&self.openings[0]) {
            Ok(()) => {}
            Err(failure) if failure.fault == Fault::Interrupted => return Ok(None),
            Err(failure) => bail!("--against-usi {}: {failure}", program.display()),
        }
        let nodes = u64::from(self.simulations());
        let mut seats = [
            Seat { player: &mut ours, time: ThinkingTime::Nodes { nodes } },
            Seat { player: &mut theirs, time: self.args.usi_go },
        ];
        let mut display = self.console.stage("match", u64::from(self.args.pairs));
        let (mut stopped, mut pairs) = (false, 0);
        let result = usi_match::run(&mut seats, &self.openings, MARGIN_MS, |result| {
            pairs += 1;
            display.update(u64::from(pairs), "pairs");
            let llr = self.sprt.llr(&result.tally.pairs);
            let within = self.sprt.lower_bound() < llr && llr < self.sprt.upper_bound();
            let decided = pairs >= self.sprt.min_pairs && !within;
            // A program that fails says nothing about strength.
            let failed = !result.failures.is_empty();
            let over = decided || failed || pairs == self.args.pairs;
            stopped = !over && self.go_on().is_break();
            if over || stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let Some(result) = result.filter(|_| !stopped) else { return Ok(None) };
        let sprt = Sprt { settings: self.sprt, llr: self.sprt.llr(&result.tally.pairs) };
        let mut report = self.report(program.display().to_string(), result.tally, sprt);
        let failure = |(game, contender, text): &(usize, usize, String)| {
            let who = [&report.first, &report.second][*contender];
            format!("game {game}: {who}: {text}")
        };
        report.failures = result.failures.iter().map(failure).collect();
        display.finish(&report.line());
        Ok(Some(report))
    }

    fn report(&self, second: String, tally: keiko_arena::tally::Tally, sprt: Sprt) -> Report {
        Report {
            first: self.first.name.clone(),
            second,
            simulations: self.simulations(),
            seed: self.args.seed,
            openings: openings_name(self.args, self.config),
            tally,
            sprt: self.args.sprt.is_some().then_some(sprt),
            failures: Vec::new(),
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The openings of the gate's kind.
fn openings(args: &Args, config: &RunConfig, stop: &AtomicBool) -> anyhow::Result<Vec<Game>> {
    let (seed, rules) = (seed::derive(args.seed, "match", 0), config.rules.rules());
    let count = args.pairs as usize;
    Ok(match &config.gate.openings {
        OpeningSettings::Random { plies } => {
            let goes_on = || !stop.load(Ordering::Relaxed);
            openings::random_while(seed, *plies, count, rules, goes_on)?
        }
        OpeningSettings::File { path } => {
            let place = || format!("gate.openings.path {path}");
            let text = std::fs::read_to_string(path).with_context(place)?;
            openings::from_text(&text, seed, count, rules).with_context(place)?
        }
    })
}

/// The openings in words.
fn openings_name(args: &Args, config: &RunConfig) -> String {
    let named = config.gate.openings.described(args.pairs as usize);
    format!("{named} (seed {})", args.seed)
}

/// Pairs before which the sequential test does not end a match.
const MIN_PAIRS: u32 = 5;

/// The sequential test; one that never ends early where none was asked for.
fn sprt(args: &Args) -> anyhow::Result<SprtSettings> {
    let never = SprtSettings {
        elo0: 0.0,
        elo1: 1.0,
        alpha: 0.05,
        beta: 0.05,
        min_pairs: args.pairs,
        cap_pairs: args.pairs,
    };
    let Some(text) = &args.sprt else { return Ok(never) };
    let wanted = || anyhow!("--sprt {text}: two numbers are wanted, as in 0,100");
    let (low, high) = text.split_once(',').ok_or_else(wanted)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| wanted());
    let settings = SprtSettings {
        elo0: number(low)?,
        elo1: number(high)?,
        min_pairs: MIN_PAIRS.min(args.pairs),
        ..never
    };
    settings.validate().context("--sprt")?;
    Ok(settings)
}

fn options(texts: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let parse = |text: &String| {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| anyhow!("--usi-option {text}: NAME=VALUE is wanted"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    texts.iter().map(parse).collect()
}

fn thinking_time(text: &str) -> Result<ThinkingTime, String> {
    let wanted = || "`nodes N` or `movetime MS` is wanted".to_owned();
    let (word, number) = text.trim().split_once(' ').ok_or_else(wanted)?;
    let number: u64 = number.trim().parse().map_err(|_| wanted())?;
    match word {
        "nodes" if number > 0 => Ok(ThinkingTime::Nodes { nodes: number }),
        "movetime" if number > 0 => Ok(ThinkingTime::MoveTime { ms: number }),
        _ => Err(wanted()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_thinks_by_nodes_or_time() {
        assert_eq!(thinking_time("nodes 1000").unwrap(), ThinkingTime::Nodes { nodes: 1000 });
        assert_eq!(thinking_time("movetime 50").unwrap(), ThinkingTime::MoveTime { ms: 50 });
        for bad in ["", "nodes", "nodes x", "nodes 0", "depth 3"] {
            assert!(thinking_time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn options_are_split_at_the_first_equals_sign() {
        let found = options(&["Skill Level=-5".to_owned(), "Path=a=b".to_owned()]).unwrap();
        let expected = [("Skill Level", "-5"), ("Path", "a=b")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(options(&["Threads".to_owned()]).is_err());
    }
}
