use std::io::Write;
use std::process::ExitCode;

use keiko_replay::ShardReader;

use super::Paths;

/// Arguments of `keiko shards verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A line for each shard that is damaged and each game that breaks the rules; the exit code is 1 \
if there is one."
)]
pub(in super::super) struct Args {
    #[command(flatten)]
    paths: Paths,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let shards = args.paths.shards()?;
    let (mut good, mut bad, mut damaged) = (0_u64, 0_u64, 0_u64);
    for path in &shards {
        let games = std::fs::read(path).map_err(anyhow::Error::from).and_then(|bytes| {
            let shard = ShardReader::open(&bytes)?;
            Ok(shard.read_all()?)
        });
        match games {
            Ok(games) => {
                for (number, game) in games.into_iter().enumerate() {
                    match game {
                        Ok(_) => good += 1,
                        Err(error) => {
                            bad += 1;
                            writeln!(out, "{}: game {number}: {error}", path.display())?;
                        }
                    }
                }
            }
            Err(error) => {
                damaged += 1;
                writeln!(out, "{}: {error:#}", path.display())?;
            }
        }
    }
    writeln!(
        out,
        "{} shards, {damaged} damaged; {good} games, {bad} that break the rules",
        shards.len()
    )?;
    Ok(if bad + damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
