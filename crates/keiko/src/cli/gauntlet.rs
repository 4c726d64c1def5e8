//! `keiko gauntlet`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use keiko_arena::gauntlet::{
    self, Ended, EntrantPlayer, Event, Identity, Journal, Standings, Table, pgn,
};

use super::model::Model;
use super::output::Output;
use super::stop;
use crate::config::{GauntletConfig, InferenceSection};
use crate::memory;
use crate::progress::{Console, Stage};

/// Arguments of `keiko gauntlet`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "configs/gauntlet/ has ready events and templates. Every game is kept as soon as it is over: after \
Ctrl-C or a kill the same command goes on where it was, and plays nothing once the event is over. The folder then holds \
games.usi (a USI line a game, with what each move took and its score where known), table.csv, table.json and results.pgn (for Ordo and BayesElo; White is the side that \
moves first).\n\nExamples:\n  keiko gauntlet configs/gauntlet/references.toml --out data/runs/references\n  \
mkdir kif; keiko convert data/runs/references/games.usi --to kif --out kif    # a file a game; or csa"
)]
pub(super) struct Args {
    /// The event, a TOML file.
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// The event's folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Play nothing and write nothing, only show the games so far, also of an event that is being played.
    #[arg(long)]
    table: bool,
    /// Print JSON instead of the table.
    #[arg(long)]
    json: bool,
}

/// Time between two live tables.
const TABLE_EVERY: Duration = Duration::from_millis(500);

/// Lines of a live table at most: a terminal has no more.
const LIVE_LINES: usize = 30;

/// Plays what is missing of the event and prints the table.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let console = Console::new();
    let config = GauntletConfig::read(&args.config)?;
    let place = || args.config.display().to_string();
    let event = Event::new(config.settings(), config.event_rules()).with_context(place)?;
    let identity = Identity::of(&event)
        .map_err(|(path, error)| anyhow!("{}: {error}", path.display()))
        .with_context(place)?;
    if args.table {
        let results = Journal::look(&args.out, &event, &identity)?;
        print(&Table::of(&Standings::of(&event, &results)), args, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let models = models(&event, config.inference.as_ref()).with_context(place)?;
    // Runs stay as they are.
    Output::at(&args.out.join("event.json"))?;
    let mut journal = Journal::open(&args.out, &event, &identity)?;
    let what = "games in play are dropped; the same command goes on with the rest";
    let stop = stop::on_signal_saying(console, what)?;
    let ended = play(&event, &mut journal, &models, console, &stop).map_err(|error| {
        let settings = &config.schedule;
        let (games, concurrency) = (settings.batch_games, settings.concurrency);
        let lower =
            format!("schedule.batch_games ({games}) or schedule.concurrency ({concurrency})");
        match &config.inference {
            Some(inference) => {
                memory::explain_work(error, "the gauntlet", &inference.device, &lower)
            }
            None => error,
        }
    })?;
    let standings = Standings::of(&event, journal.results());
    let table = Table::of(&standings);
    write_files(&journal, &standings, &table)?;
    print(&table, args, out)?;
    if ended == Ended::Stopped {
        console.line("stopped before the event was over: the same command goes on with it");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(table: &Table<'_>, args: &Args, out: &mut impl Write) -> std::io::Result<()> {
    match args.json {
        true => writeln!(out, "{}", table.json()),
        false => write!(out, "{}", table.text()),
    }
}

/// The nets of an event, by the numbers of their engines.
fn models(
    event: &Event,
    inference: Option<&InferenceSection>,
) -> anyhow::Result<BTreeMap<usize, Model>> {
    let mut models = BTreeMap::new();
    for (engine, entrant) in event.entrants.iter().enumerate() {
        if let EntrantPlayer::Model { path, .. } = &entrant.player {
            let place = || format!("engine {:?}", entrant.name);
            let inference = inference.context("a section [inference] is wanted")?;
            models.insert(engine, Model::read(path, inference).with_context(place)?);
        }
    }
    Ok(models)
}

fn play(
    event: &Event,
    journal: &mut Journal,
    models: &BTreeMap<usize, Model>,
    console: Console,
    stop: &AtomicBool,
) -> anyhow::Result<Ended> {
    let mut display = console.table("gauntlet", u64::from(event.encounters()));
    let mut shown: Option<Instant> = None;
    let ended =
        gauntlet::run(event, journal, &|engine| models[&engine].open(), stop, |standings| {
            if shown.is_none_or(|shown| shown.elapsed() >= TABLE_EVERY) {
                shown = Some(Instant::now());
                show(&mut display, standings);
            }
        });
    let games = journal.results().len();
    let how = match &ended {
        Ok(Ended::Complete) => "over",
        _ if stop.load(Ordering::Relaxed) => "stopped",
        _ => "broken off",
    };
    display.finish(&format!("{how} after {games} games"));
    Ok(ended?)
}

fn show(display: &mut Stage, standings: &Standings<'_>) {
    let text = if display.has_bar() {
        let text = Table::of(standings).text();
        text.lines().take(LIVE_LINES).collect::<Vec<_>>().join("\n")
    } else {
        let faults: u64 = standings.faults().values().sum();
        format!("results, {faults} faults")
    };
    display.update(u64::from(standings.finished()), &text);
}

/// Writes every file that is made from the results. Formats of games are made from `games.usi` by `keiko convert`.
fn write_files(
    journal: &Journal,
    standings: &Standings<'_>,
    table: &Table<'_>,
) -> anyhow::Result<()> {
    journal.write("table.csv", &table.csv())?;
    journal.write("table.json", &format!("{:#}\n", table.json()))?;
    journal.write("results.pgn", &pgn(standings))?;
    Ok(())
}
