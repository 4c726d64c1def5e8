//! The ONNX backend against nets whose outputs are known. Without ONNX Runtime there is nothing to
//! test: `scripts/setup` brings it.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use keiko_encoding::{Context, EncodingId, LABELS};
use keiko_inference::{
    Backend, BackendError, OnnxBackend, OnnxOptions, Placement, Provider, RequestBatch,
    find_onnx_runtime,
};
use keiko_model::{
    Activation, Architecture, Digest, OnnxMeta, OnnxOutputs, Role, Tensor, Weights, fold,
    reference, tensors, write_onnx,
};
use keiko_shogi::{Declaration, DrawValues, Game, ImpasseRule, MoveList, Position, Rules};
use serde_json::Value;

const CONTEXT: Context =
    Context { draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 } };

fn golden(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dlshogi").join(file)
}

fn lines(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(golden(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn games() -> Vec<Game> {
    let rules = Rules {
        impasse: ImpasseRule::Csa27,
        declaration: Declaration::Manual,
        max_plies: Some(512),
        handicap: None,
    };
    let game = |line: &Value| {
        let (position, number) = Position::from_sfen(line["sfen"].as_str().unwrap()).unwrap();
        Game::new(position, number, rules)
    };
    lines("positions.jsonl").iter().map(game).collect()
}

fn open(model: &Path) -> Option<Result<OnnxBackend, BackendError>> {
    let library = find_onnx_runtime(None)?;
    Some(OnnxBackend::open(model, &OnnxOptions { library, threads: 1 }))
}

fn assert_close(found: f32, expected: f32, what: &str) {
    assert!((found - expected).abs() <= 1e-5, "{what}: {found} instead of {expected}");
}

#[test]
fn dlshogis_nets_give_their_known_outputs() {
    let outputs = lines("toy_outputs.jsonl");
    for (file, encoding) in
        [("toy57.onnx", EncodingId::Dlshogi57), ("toy119.onnx", EncodingId::Dlshogi119)]
    {
        let Some(backend) = open(&golden(file)) else { return };
        let mut backend = backend.unwrap();
        assert_eq!((backend.encoding(), backend.fixed_shape()), (encoding, None));
        let games = games();
        let mut batch = RequestBatch::new(encoding, 32);
        let mut row = vec![0; encoding.row_bytes()];
        let labels: Vec<u16> = (0..LABELS as u16).collect();
        for game in &games {
            row.fill(0);
            keiko_encoding::encode(encoding, game, &CONTEXT, &mut row);
            batch.push_row(&row, &labels);
        }
        let response = backend.evaluate(batch).unwrap();
        for line in outputs.iter().filter(|line| line["model"] == file) {
            let id = line["id"].as_u64().unwrap() as usize;
            let number = |key: &str| line[key].as_f64().unwrap() as f32;
            let logits = response.logits_of(id);
            assert_close(logits[59], number("policy_59"), "logit of label 59");
            let sum: f32 = logits.iter().sum();
            assert!((sum - number("policy_sum")).abs() < 1e-4, "sum of logits: {sum}");
            let wdl = response.wdl()[id];
            assert_close(wdl.win, number("value"), "value");
            assert_close(wdl.draw, 0.0, "draw");
            assert_close(wdl.loss, 1.0 - number("value"), "loss");
        }
    }
}

fn architecture(encoding: EncodingId) -> Architecture {
    Architecture {
        encoding,
        blocks: 2,
        channels: 8,
        squeeze_excitation: 4,
        value_channels: 2,
        value_hidden: 6,
        activation: Activation::Swish,
    }
}

fn weights(architecture: &Architecture) -> Weights {
    let mut state = 1_u32;
    let mut signed = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let tensors: BTreeMap<String, Tensor> = tensors(architecture)
        .into_iter()
        .map(|spec| {
            let fan_in: usize = spec.shape[1..].iter().product();
            let values = (0..spec.len())
                .map(|_| match spec.role {
                    Role::Weight => signed() * 2.0 / (fan_in as f32).sqrt(),
                    Role::NormScale | Role::RunningVar => 1.0 + 0.5 * signed(),
                    Role::Bias | Role::NormShift | Role::RunningMean => 0.5 * signed(),
                })
                .collect();
            (spec.name, Tensor { shape: spec.shape, values })
        })
        .collect();
    Weights::new(architecture, tensors).unwrap()
}

#[test]
fn our_nets_give_the_outputs_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        (EncodingId::Dlshogi57, OnnxOutputs::Dlshogi),
        (EncodingId::Dlshogi119, OnnxOutputs::WithWdl),
        (EncodingId::Keiko1, OnnxOutputs::WithWdl),
    ];
    for (encoding, outputs) in cases {
        let architecture = architecture(encoding);
        let net = fold(&architecture, &weights(&architecture));
        let meta = OnnxMeta { weights_sha256: Digest::of(b"none"), outputs };
        let path = folder.path().join(format!("{encoding}.onnx"));
        std::fs::write(&path, write_onnx(&architecture, &net, &meta)).unwrap();
        let Some(backend) = open(&path) else { return };
        let mut backend = backend.unwrap();
        assert_eq!(backend.encoding(), encoding);
        let mut batch = RequestBatch::new(encoding, 20);
        for game in games() {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            batch.push(&game, &moves, &CONTEXT);
        }
        let response = backend.evaluate(batch).unwrap();
        for row in 0..response.request().len() {
            let expected = reference::forward(&architecture, &net, response.request().row(row));
            let labels = response.request().labels_of(row);
            for (&label, &logit) in labels.iter().zip(response.logits_of(row)) {
                assert_close(logit, expected.policy[usize::from(label)], "logit");
            }
            let wdl = response.wdl()[row];
            let [win, draw, loss] = match outputs {
                OnnxOutputs::WithWdl => expected.wdl,
                OnnxOutputs::Dlshogi => [expected.value(), 0.0, 1.0 - expected.value()],
            };
            assert_close(wdl.win, win, "win");
            assert_close(wdl.draw, draw, "draw");
            assert_close(wdl.loss, loss, "loss");
        }
    }
}

#[test]
fn a_row_depends_on_no_neighbour_in_the_same_shape() {
    let Some(backend) = open(&golden("toy119.onnx")) else { return };
    let mut backend = backend.unwrap();
    let games = games();
    let batch = |games: &[Game]| {
        let mut batch = RequestBatch::new(EncodingId::Dlshogi119, 16);
        for game in games {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            batch.push(game, &moves, &CONTEXT);
        }
        batch
    };
    let together = backend.evaluate(batch(&games[..16])).unwrap();
    for (row, game) in games[..16].iter().enumerate() {
        let alone = backend.evaluate(batch(std::slice::from_ref(game))).unwrap();
        assert_eq!(alone.logits_of(0), together.logits_of(row));
        assert_eq!(alone.wdl()[0], together.wdl()[row]);
    }
}

#[test]
fn what_is_no_model_is_an_error_that_names_the_file() {
    let Some(result) = open(&golden("README.md")) else { return };
    let error = result.unwrap_err();
    assert!(matches!(error, BackendError::Model { .. }), "{error}");
    assert!(error.to_string().ends_with("README.md is no model for shogi"), "{error}");
}

#[test]
fn what_no_net_needs_is_refused_before_the_library_is_loaded() {
    let mut bytes = std::fs::read(golden("toy57.onnx")).unwrap();
    let places: Vec<usize> =
        (0..bytes.len() - 4).filter(|&at| &bytes[at..at + 4] == b"Conv").collect();
    for at in places {
        bytes[at..at + 4].copy_from_slice(b"Loop");
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("strange.onnx");
    std::fs::write(&path, bytes).unwrap();
    let options = OnnxOptions { library: "/nowhere/libonnxruntime.so".into(), threads: 1 };
    let Err(BackendError::Model { source, .. }) = OnnxBackend::open(&path, &options) else {
        panic!("it was opened")
    };
    assert!(source.to_string().contains("is of the operator \"Loop\""), "{source}");
}

#[test]
fn a_provider_that_the_library_lacks_is_an_error_that_says_what_it_has() {
    let Some(library) = find_onnx_runtime(None) else { return };
    let options = OnnxOptions { library, threads: 1 };
    let model = golden("toy57.onnx");
    for provider in Provider::ALL {
        let placement = Placement { provider, device: 0, max_rows: 4 };
        match OnnxBackend::open_on(&model, &options, placement) {
            Ok(backend) => assert!(
                provider == Provider::Cpu || backend.name().contains(provider.name()),
                "{}",
                backend.name()
            ),
            Err(error @ BackendError::NoProvider { .. }) => {
                assert_ne!(provider, Provider::Cpu);
                let text = error.to_string();
                assert!(text.contains(&format!(" has no {provider}, only cpu")), "{text}");
            }
            // The library has it, this machine has no device.
            Err(error) => assert!(matches!(error, BackendError::Load { .. }), "{error}"),
        }
    }
}
