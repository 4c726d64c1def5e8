//! `keiko export`: a model for the programs that play.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use keiko_encoding::{Context, EncodingId, LABELS, label};
use keiko_inference::{Backend as _, RequestBatch};
use keiko_mcts::SearchSettings;
use keiko_network::{Device, Precision, TorchBackend, TorchOptions};
use keiko_shogi::{Game, Move, MoveList, Position};

use super::output::Output;
use crate::run::{Model, Run};

/// Centipawns for a doubling of the odds, by natural logarithm, that dlshogi's data use.
const EVAL_COEF: u32 = 756;

/// Arguments of `keiko export`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes OUT, and beside it what engines look for: OUT.ini (dlshogi), eval_options.txt \
(FukauraOu) and manifest.toml (where the model comes from). A device or a pipe, such as /dev/stdout, gets \
the model alone.\n\n\
Example: keiko export --run data/runs/demo --out model/model.onnx"
)]
pub(super) struct Args {
    /// The run's folder.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Which model: its sha256, or the beginning of it. Without it, the champion.
    #[arg(long, value_name = "SHA256")]
    model: Option<String>,
    /// The ONNX file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Also write what LibTorch computes for the SFENs of a list, as JSON, to compare other programs with.
    #[arg(long, value_name = "SFEN-FILE")]
    reference: Option<PathBuf>,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// Writes the files and says which.
pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let run = Run::look(&args.run)?;
    let sha256 = match &args.model {
        Some(start) => run.model_named(start)?,
        None => run.champions().current()?.model,
    };
    let model = run.model(&sha256)?;
    let asked = Output::at(&args.out)?;
    if asked.is_stream() {
        if args.reference.is_some() {
            bail!("--reference writes a file beside --out: name a plain file there");
        }
        asked.write(&model.onnx())?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = args.out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = args.out.file_name().context("--out names no file")?.to_string_lossy();
    let mut files = vec![
        (args.out.clone(), model.onnx()),
        (folder.join(format!("{name}.ini")), options(&run.config().search, "=").into_bytes()),
        (folder.join("eval_options.txt"), eval_options(&run.config().search, &model).into_bytes()),
        (folder.join("manifest.toml"), run.manifest(&sha256)?.to_toml().into_bytes()),
    ];
    if let Some(list) = &args.reference {
        let json = reference(&run, &model, list)?;
        files.push((folder.join(format!("{name}.reference.json")), json.into_bytes()));
    }
    let files = files
        .into_iter()
        .map(|(path, bytes)| Ok((Output::at(&path)?, bytes)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    for (file, _) in &files {
        file.check_free(args.force)?;
    }
    for (file, bytes) in &files {
        file.write(bytes)?;
        writeln!(out, "{}", file.path().display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The search constants that the model was trained with, under dlshogi's option names.
fn options(search: &SearchSettings, equals: &str) -> String {
    let percent = |value: f32| (value * 100.0).round() as u32;
    let puct = &search.puct;
    [
        ("Softmax_Temperature", percent(puct.policy_temperature)),
        ("C_init", percent(puct.c_init)),
        ("C_base", puct.c_base as u32),
        ("C_fpu_reduction", percent(puct.fpu_reduction)),
        ("C_init_root", percent(puct.root_c_init)),
        ("C_base_root", puct.root_c_base as u32),
        ("C_fpu_reduction_root", percent(puct.root_fpu_reduction)),
        ("Eval_Coef", EVAL_COEF),
    ]
    .iter()
    .map(|(name, value)| format!("{name}{equals}{value}\n"))
    .collect()
}

/// FukauraOu's file: the same constants, and which planes the model reads.
fn eval_options(search: &SearchSettings, model: &Model) -> String {
    let planes = match model.architecture().encoding {
        EncodingId::Dlshogi57 => "ModelArchitecture dlshogi-WCSC28\n",
        EncodingId::Dlshogi119 => "ModelArchitecture dlshogi-WCSC35\n",
        EncodingId::Keiko1 => "",
    };
    format!("{planes}{}", options(search, " "))
}

/// A JSON list of `{sfen, policy: [2187 logits], value}` by LibTorch in fp32.
fn reference(run: &Run, model: &Model, list: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(list).with_context(|| list.display().to_string())?;
    let options = TorchOptions { device: Device::Cpu, precision: Precision::Fp32, threads: 1 };
    let mut backend = TorchBackend::new(model.architecture(), &model.folded(), options)?;
    let context = Context { draw_values: run.config().rules.draw_values() };
    let mut answers = Vec::new();
    let lines =
        (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    for (number, sfen) in lines {
        let place = || format!("{} line {number}", list.display());
        let (position, ply) = Position::from_sfen(sfen).with_context(place)?;
        let game = Game::new(position, ply, run.config().rules.rules());
        let mut row = vec![0; model.architecture().encoding.row_bytes()];
        keiko_encoding::encode(model.architecture().encoding, &game, &context, &mut row);
        let labels: Vec<u16> = (0..LABELS as u16).collect();
        let mut batch = RequestBatch::new(model.architecture().encoding, 1);
        batch.push_row(&row, &labels);
        let response = backend.evaluate(batch)?;
        let wdl = response.wdl()[0];
        answers.push(serde_json::json!({
            "sfen": sfen,
            "policy": response.logits_of(0),
            "value": wdl.score(0.5),
            "legal_labels": legal_labels(&game),
        }));
    }
    Ok(serde_json::to_string(&answers)?)
}

fn legal_labels(game: &Game) -> Vec<u16> {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let side = game.position().side_to_move();
    moves.iter().map(|mv: &Move| label(*mv, side)).collect()
}
