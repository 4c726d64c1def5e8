mod work;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use keiko_replay::{ShardHeader, ShardReader};
use keiko_selfplay::Relabel;
use keiko_store::{LocalStore, PutError, Store, check_key};

use self::work::Work;
use super::super::model::Model;
use super::super::stop;
use super::Paths;
use crate::memory;
use crate::progress::Console;
use crate::run::{self, Source};

/// Arguments of `keiko shards relabel`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Games stay as they were played: moves, result and where they began. What their searches saw becomes what \
the model sees, without noise, by the settings of its run; plies that were not searched stay as they are. A new shard is \
written for each old one as OUT/STREAM/NAME, with the stream and the numbers of its games, so that held-out games stay \
held out; its header names the model, and the games still name who searched them before. A run that is to learn from \
them takes them as games/STREAM/NAME; games of a stream that it has already are refused there.\n\n\
Examples:\n  keiko shards relabel --model data/runs/new data/runs/old --out anew\n  \
keiko shards relabel --model data/runs/new@1a2b3c4d games/ --out anew --simulations 64"
)]
pub(in super::super) struct Args {
    #[command(flatten)]
    paths: Paths,
    /// The run, whose champion it is, or RUN@MODEL with the first characters of another model's sha256.
    #[arg(long, value_name = "RUN[@MODEL]")]
    model: String,
    /// Simulations of a search; fast searches get no more than they had. 0 makes only the net's own policy and value anew.
    #[arg(long, value_name = "N", default_value_t = 0)]
    simulations: u32,
    /// The folder for the new shards.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Go on where an earlier call was stopped: shards that are in OUT already stay, the others are made.
    #[arg(long)]
    resume: bool,
}

/// The file in the folder of new shards that says how they are made.
const HOW: &str = "relabelled.toml";

/// A shard to make anew.
struct Job {
    path: PathBuf,
    /// Where it goes, below the folder of all.
    key: String,
    /// Its header, of the old shard.
    header: ShardHeader,
    games: u32,
}

/// Finds the model, makes the shards, and says how many.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let source = Source::parse(&args.model).context("--model")?;
    let (run, sha256) = (source.run(), source.model());
    let config = run.config();
    let model = Model::read(&run.dir().join("models").join(sha256), &config.inference)?;
    let folder = std::path::absolute(&args.out)?;
    let folder = folder.canonicalize().unwrap_or(folder);
    if let Some(run) = run::holding(&folder.join("shard")) {
        bail!("{} lies in the run {}: name another folder", args.out.display(), run.display());
    }
    let mut jobs = jobs(&args.paths, &args.out)?;
    let there = |job: &Job| args.out.join(&job.key).exists();
    let all = jobs.len();
    match jobs.iter().find(|job| there(job)) {
        Some(job) if !args.resume => bail!(
            "{} exists: name another folder, or add --resume to make only what is missing",
            args.out.join(&job.key).display()
        ),
        _ => {
            for job in jobs.iter().filter(|job| there(job)) {
                check_whole(&args.out.join(&job.key))?;
            }
            jobs.retain(|job| !there(job));
        }
    }
    let console = Console::new();
    let what = "shards that are not finished are dropped";
    let stop = stop::on_signal_saying(console, what)?;
    let store = LocalStore::create(&args.out)?;
    note_how(&store, args, sha256)?;
    let how = Relabel {
        model: sha256,
        search: &config.search,
        simulations: args.simulations,
        batch_shape: config.selfplay.batch_shape,
    };
    let work = Work { jobs: &jobs, how, model: &model, workers: config.selfplay.workers };
    let made = work.perform(&store, console, &stop).map_err(|error| {
        let lower = memory::rows_of_selfplay(config);
        memory::explain_work(error, "relabelling", &config.inference.device, &lower)
    })?;
    let stopped = stop.load(Ordering::Relaxed) && made.shards < jobs.len();
    writeln!(
        out,
        "{}: {} of {all} shards made, {} there before; {} games, {} plies, {} games that break the rules left out",
        args.out.display(),
        made.shards,
        all - jobs.len(),
        made.sum.games,
        made.sum.plies,
        made.bad
    )?;
    if stopped {
        console.line("stopped; go on with --resume");
    }
    Ok(if stopped { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Notes how the folder's shards are made, or compares with the note of an earlier call: they are all made alike.
fn note_how(store: &dyn Store, args: &Args, model: &str) -> anyhow::Result<()> {
    let how = format!("model = \"{model}\"\nsimulations = {}\n", args.simulations);
    match store.put_same(HOW, how.as_bytes()) {
        Err(PutError::Exists { .. }) => {
            let before = String::from_utf8_lossy(&store.get(HOW)?).into_owned();
            let (before, how) = (before.trim().replace('\n', ", "), how.trim().replace('\n', ", "));
            bail!(
                "the shards of {} are made otherwise, {before}, and not {how} ({HOW}): name another folder",
                args.out.display()
            )
        }
        other => Ok(other?),
    }
}

/// Refuses a shard of an earlier call that is damaged.
fn check_whole(path: &Path) -> anyhow::Result<()> {
    let place = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(place)?;
    let whole = ShardReader::open(&bytes).and_then(|shard| shard.read_all());
    let damaged = || format!("{} is damaged: delete it, and --resume makes it anew", place());
    for game in whole.with_context(damaged)? {
        game.with_context(damaged)?;
    }
    Ok(())
}

/// The shards that are to be read, each with where it goes.
fn jobs(paths: &Paths, out: &Path) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let mut keys = BTreeMap::new();
    for path in paths.shards()? {
        let place = || path.display().to_string();
        let bytes = std::fs::read(&path).with_context(place)?;
        let shard = ShardReader::open(&bytes).with_context(place)?;
        let name = path.file_name().with_context(place)?.to_string_lossy();
        let header = shard.header().clone();
        let key = format!("{}/{name}", header.stream);
        check_key(&key).with_context(|| format!("{}: its name", path.display()))?;
        if let Some(other) = keys.insert(key.clone(), path.clone()) {
            let target = out.join(&key);
            bail!(
                "{} and {} would both become {}: make them anew one after the other, into different folders",
                other.display(),
                path.display(),
                target.display()
            );
        }
        let games = shard.summary().games;
        jobs.push(Job { path, key, header, games });
    }
    Ok(jobs)
}
