//! Learning from files: `keiko learn --data`.

mod plan;
mod watch;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use keiko_replay::IngestLog;
use keiko_replay::data::{DataFile, DataKind, DataSet, Reading};
use keiko_trainer::{Lessons, Studied, Study, TensorBoard, TrainError};

use self::plan::{Plan, PlanLog};
use self::watch::Watcher;
use crate::memory;
use crate::pipeline::Pipeline;
use crate::progress::Console;
use crate::run::{Champion, Role, Run};

/// Refuses a run that was begun to learn from files, with what else there is to do.
pub(crate) fn refuse(run: &Run, instead: &str) -> anyhow::Result<()> {
    if PlanLog::new(run.store()).newest()?.is_some() {
        bail!("{} learns from files and plays no games: {instead}", run.dir().display());
    }
    Ok(())
}

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// Files to learn from; none to go on with those of the run.
    pub(crate) data: &'a [PathBuf],
    /// Files to measure on.
    pub(crate) held_out: &'a [PathBuf],
    /// What files hold whose extension does not tell.
    pub(crate) kind: Option<DataKind>,
    /// Times that all files are read.
    pub(crate) epochs: Option<u32>,
    /// Steps after which it ends.
    pub(crate) steps: Option<u64>,
}

/// Who watches, and may stop it.
pub(crate) struct Watched<'a, W> {
    pub(crate) console: Console,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) out: &'a mut W,
}

/// Files that were walked through.
#[derive(Debug)]
pub(crate) struct Files {
    data: Vec<DataFile>,
    held_out: Vec<DataFile>,
}

/// Walks through the files that were named.
pub(crate) fn open_files(asked: &Asked<'_>, console: &Console) -> anyhow::Result<Files> {
    let open = |paths: &[PathBuf]| -> anyhow::Result<Vec<DataFile>> {
        let open = |path: &PathBuf| Ok(DataFile::open(path, asked.kind)?);
        paths.iter().map(open).collect()
    };
    if !asked.data.is_empty() {
        console.line("looking through the files");
    }
    Ok(Files { data: open(asked.data)?, held_out: open(asked.held_out)? })
}

/// Learns from files in a run, and sums up what came of it.
pub(crate) fn learn<W: Write>(
    run: &Run,
    files: Files,
    asked: &Asked<'_>,
    watched: Watched<'_, W>,
) -> anyhow::Result<ExitCode> {
    run.config().open_devices()?;
    memory::check_room(run.config())?;
    let Watched { console, stop, out } = watched;
    let log = PlanLog::new(run.store());
    let (files, plan) = match log.newest()? {
        None if files.data.is_empty() || has_games(run)? => {
            bail!("{} was not begun with --data", run.dir().display())
        }
        None => {
            let plan = Plan::new(&files, asked);
            (files, plan)
        }
        Some(before) => before.go_on(files, asked)?,
    };
    log.append(&plan)?;
    let lessons = lessons(run, files, &plan);
    console.line(&format!(
        "run {}: learns from {}, net {} ({} parameters) on {}",
        run.dir().display(),
        plan.describe(lessons.files.rows()),
        run.config().network.short_name(),
        run.config().network.parameters(),
        run.config().trainer.device,
    ));
    let mut board = TensorBoard::create(&run.dir().join("events"))?;
    let total = plan.steps_at_most(lessons.files.rows(), run.config().trainer.batch_rows);
    let display = console.stage("learning", total).beating(run.pulse(), 0);
    let mut watcher = Watcher::new(console, display);
    let mut crowned = crown_newest(run);
    let mut watch = |event: &keiko_trainer::Event| {
        board.record(event);
        watcher.see(event);
        if let keiko_trainer::Event::Candidate(candidate) = event {
            let champion =
                Champion { model: candidate.model.clone(), candidate: Some(candidate.number) };
            crowned = run.crown(&champion);
        }
    };
    let explain = |error: TrainError| memory::explain(error.into(), Role::Learner, run.config());
    let study = Study::open(run.store(), run.training()?, lessons, &mut watch);
    let mut study = study.map_err(explain)?;
    let studied = study.train(stop, &mut watch).map_err(explain)?;
    crowned?;
    watcher.finish(study.steps());
    board.flush();
    write!(out, "{}", Pipeline::look(run, console, stop).study_summary(&study.counts())?)?;
    match studied {
        Studied::Finished(_) => Ok(ExitCode::SUCCESS),
        Studied::Stopped => {
            console.line("stopped; go on with --resume");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Whether a run has games of its own.
fn has_games(run: &Run) -> anyhow::Result<bool> {
    let entered = IngestLog::new(run.store()).len()?;
    Ok(entered > 0 || !run.store().list_after("games", "")?.is_empty())
}

/// Makes the newest candidate the champion, where a kill came before that.
fn crown_newest(run: &Run) -> anyhow::Result<()> {
    match keiko_trainer::candidates(run.store())?.pop() {
        Some(it) => run.crown(&Champion { model: it.model, candidate: Some(it.number) }),
        None => Ok(()),
    }
}

fn lessons(run: &Run, files: Files, plan: &Plan) -> Lessons {
    let config = run.config();
    let set = |files: Vec<DataFile>| {
        let reading = Reading {
            encoding: config.network.encoding,
            rules: config.rules.rules(),
            draw_values: config.rules.draw_values(),
            drop_value_of: config.replay.drop_value_of.clone(),
            centipawns_per_log_odds: config.replay.data.centipawns_per_log_odds,
            max_bad: config.replay.max_bad_games,
        };
        DataSet::new(files, reading)
    };
    let held_out = (!files.held_out.is_empty()).then(|| set(files.held_out));
    Lessons { files: set(files.data), held_out, epochs: plan.epochs, steps: plan.steps }
}
