//! `keiko report`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::output::Output;
use crate::pipeline::Pipeline;
use crate::progress::Console;
use crate::report;
use crate::run::Run;
use crate::study;

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
    let picture = args.picture.as_deref().map(Output::at).transpose()?;
    let run = Run::look(&args.run)?;
    study::refuse(&run, "its figures are in metrics.jsonl, its curves in events/")?;
    let stop = AtomicBool::new(false);
    let pipeline = Pipeline::look(&run, Console::new(), &stop);
    let history = pipeline.history()?;
    pipeline.write_page(&history)?;
    let mut written = vec![run.dir().join(report::PAGE)];
    if let Some(picture) = &picture {
        picture.write(report::picture(&history).as_bytes())?;
        if picture.is_stream() {
            // The names would follow the picture where that is standard output.
            return Ok(ExitCode::SUCCESS);
        }
        written.push(picture.path().to_owned());
    }
    for path in written {
        writeln!(out, "{}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}
