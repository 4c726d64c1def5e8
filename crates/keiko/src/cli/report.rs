//! `keiko report`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;

use super::export::write_whole;
use crate::pipeline::Pipeline;
use crate::progress::Console;
use crate::report;
use crate::run::Run;

/// Arguments of `keiko report`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes RUN/report.html: one file, to be opened with a browser from anywhere. `keiko train` does so too \
before every stage and at its end. The run may be running meanwhile.\n\n\
Example: keiko report --run data/runs/demo --picture demo.svg"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Also write a small picture of the run, as SVG.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Writes the files and says which.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let run = Run::look(&args.run)?;
    let stop = AtomicBool::new(false);
    let pipeline = Pipeline::look(&run, Console::new(), &stop);
    let history = pipeline.history()?;
    pipeline.write_page(&history)?;
    writeln!(out, "{}", run.dir().join(report::PAGE).display())?;
    if let Some(path) = &args.picture {
        let place = || path.display().to_string();
        write_whole(path, report::picture(&history).as_bytes()).with_context(place)?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
