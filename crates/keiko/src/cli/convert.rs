//! `keiko convert`: records of games from one format to another.

mod sink;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use keiko_formats::{Loss, Record, RecordFormat};

use crate::records::{format_of, is_standard, open};
use sink::Sink;

/// Arguments of `keiko convert`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Formats: csa (V2.2), csa3 (CSA V3.0), kif (UTF-8 or Shift-JIS is read, UTF-8 written), usi (a game a \
line, with tags), sfen (a start a line, with its moves). By extension: .csa .kif .kifu .usi .sfen.\n\n\
What a format cannot hold is named once on standard error. Of variations the main line is kept. A game with a move \
that the pieces do not allow is refused; other fouls are kept.\n\n\
Examples:\n  keiko convert game.csa game.kifu\n  keiko convert *.kif --to csa --out all.csa\n  \
keiko convert all.csa --to kif --out folder/\n  keiko convert - --from usi --to csa3 < games.usi"
)]
pub(super) struct Args {
    /// The records to read, - for standard input. Without --to, the last is the file to write.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format to write: csa, csa3, kif, usi or sfen.
    #[arg(long, value_name = "FORMAT")]
    to: Option<RecordFormat>,
    /// Where to write with --to: a file, or a folder (with / at its end where it is new), which gets a file for each game.
    /// Without it, standard output.
    #[arg(long, value_name = "PATH", requires = "to")]
    out: Option<PathBuf>,
    /// The format to read, where a file's extension does not tell it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<RecordFormat>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// Reads game by game and writes each at once.
pub(super) fn run(
    args: &Args,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let (files, target, format) = plan(args)?;
    let mut sink = match target {
        Some(path) if path.is_dir() => Sink::folder(path, args.force),
        Some(path) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            std::fs::create_dir_all(path).with_context(|| path.display().to_string())?;
            Sink::folder(path, args.force)
        }
        Some(path) if !is_standard(path) => Sink::file(path, args.force)?,
        _ => Sink::standard(out),
    };
    let mut lost: BTreeMap<Loss, u64> = BTreeMap::new();
    for path in files {
        let place = || path.display().to_string();
        let mut games = open(path, args.from, input)?.peekable();
        if games.peek().is_none() {
            bail!("{}: there is no game in it", place());
        }
        let mut number = 0;
        while let Some(record) = games.next() {
            let record = record.with_context(place)?;
            whole(&record).with_context(place)?;
            number += 1;
            for loss in format.losses(&record) {
                *lost.entry(loss).or_default() += 1;
            }
            let alone = number == 1 && games.peek().is_none();
            sink.put(&record, format, path, (!alone).then_some(number))?;
        }
    }
    sink.finish()?;
    for (loss, games) in lost {
        // Where nobody reads it, the games are written all the same.
        let _ = writeln!(
            std::io::stderr(),
            "keiko: note: {loss} of {games} game(s) left out: {format} has no place for them"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// The files to read, where to write (`None`: standard output), and the format.
fn plan(args: &Args) -> anyhow::Result<(&[PathBuf], Option<&Path>, RecordFormat)> {
    if let Some(format) = args.to {
        return Ok((&args.files, args.out.as_deref(), format));
    }
    match args.files.as_slice() {
        [_] | [] => bail!("nothing says what to write: name a second file, or add --to"),
        [files @ .., target] => match format_of(target) {
            Some(format) => Ok((files, Some(target), format)),
            None => bail!(
                "{}: the name does not tell the format to write: add --to and --out",
                target.display()
            ),
        },
    }
}

/// Refuses a record that could not be replayed to its end.
fn whole(record: &Record) -> anyhow::Result<()> {
    let Some(foul) = record.unplayable() else { return Ok(()) };
    bail!(
        "line {}: move {}, {:?}, cannot be played ({}), nor any after it: correct the record, or see `keiko judge`",
        foul.line,
        record.moves().len() + 1,
        foul.text,
        foul.kind
    )
}
