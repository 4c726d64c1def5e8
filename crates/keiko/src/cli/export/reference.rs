//! What LibTorch computes, to compare other programs with.

use std::path::Path;

use anyhow::{Context as _, bail};
use keiko_encoding::{Context, EncodingId, LABELS, label};
use keiko_inference::{Backend as _, RequestBatch};
use keiko_network::{Device, Precision, TorchBackend, TorchOptions};
use keiko_shogi::{Game, Move, MoveList, Position};

use crate::run::{Model, Run};

/// A JSON list with an entry a position: `sfen`; `policy` (2187 logits), `wdl` and `value` by LibTorch in fp32, all
/// positions in one batch; `legal_labels`; and the inputs they were computed from: `input1_ones` and `input2_planes`,
/// where the planes have ones, and `input3`, the scalars.
pub(super) fn reference(run: &Run, model: &Model, list: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(list).with_context(|| list.display().to_string())?;
    let encoding = model.architecture().encoding;
    let context = Context { draw_values: run.config().rules.draw_values() };
    let labels: Vec<u16> = (0..LABELS as u16).collect();
    let mut cases = Vec::new();
    let lines =
        (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    for (number, sfen) in lines {
        let place = || format!("{} line {number}", list.display());
        let (position, ply) = Position::from_sfen(sfen).with_context(place)?;
        let game = Game::new(position, ply, run.config().rules.rules());
        let mut row = vec![0; encoding.row_bytes()];
        keiko_encoding::encode(encoding, &game, &context, &mut row);
        cases.push((sfen, game, row));
    }
    if cases.is_empty() {
        bail!("{} has no position", list.display());
    }
    let options = TorchOptions { device: Device::Cpu, precision: Precision::Fp32, threads: 1 };
    let mut backend = TorchBackend::new(model.architecture(), &model.folded(), options)?;
    let mut batch = RequestBatch::new(encoding, cases.len());
    cases.iter().for_each(|(_, _, row)| batch.push_row(row, &labels));
    let response = backend.evaluate(batch)?;
    let answers = cases.iter().enumerate().map(|(index, (sfen, game, row))| {
        let wdl = response.wdl()[index];
        let Inputs { board_ones, whole_planes, scalars } = Inputs::of(encoding, row);
        serde_json::json!({
            "sfen": sfen,
            "policy": response.logits_of(index),
            "value": wdl.score(0.5),
            "wdl": [wdl.win, wdl.draw, wdl.loss],
            "legal_labels": legal_labels(game),
            "input1_ones": board_ones,
            "input2_planes": whole_planes,
            "input3": scalars,
        })
    });
    Ok(serde_json::to_string(&answers.collect::<Vec<_>>())?)
}

/// A row as a program from outside feeds it.
struct Inputs {
    board_ones: Vec<usize>,
    whole_planes: Vec<usize>,
    scalars: Vec<f32>,
}

impl Inputs {
    fn of(encoding: EncodingId, row: &[u8]) -> Self {
        let mut planes = vec![0.0; encoding.planes() * 81];
        keiko_encoding::unpack(encoding, row, &mut planes);
        let (board, rest) = planes.split_at(encoding.planes1() * 81);
        let (whole, scalars) = rest.split_at(encoding.planes2() * 81);
        let ones = |values: &mut dyn Iterator<Item = &f32>| {
            values.enumerate().filter(|(_, value)| **value > 0.0).map(|(index, _)| index).collect()
        };
        Self {
            board_ones: ones(&mut board.iter()),
            whole_planes: ones(&mut whole.iter().step_by(81)),
            scalars: scalars.iter().step_by(81).copied().collect(),
        }
    }
}

fn legal_labels(game: &Game) -> Vec<u16> {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let side = game.position().side_to_move();
    moves.iter().map(|mv: &Move| label(*mv, side)).collect()
}
