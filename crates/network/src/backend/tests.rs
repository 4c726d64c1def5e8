use keiko_inference::{OnnxBackend, OnnxOptions, find_onnx_runtime};
use keiko_model::{Activation, Digest, OnnxMeta, OnnxOutputs, fold, reference, write_onnx};

use super::*;
use crate::testing::{architecture, random_rows, random_weights, request};

fn options(device: Device, precision: Precision) -> TorchOptions {
    TorchOptions { device, precision, threads: 1 }
}

fn backend(architecture: &Architecture, options: TorchOptions) -> TorchBackend {
    let folded = fold(architecture, &random_weights(architecture, 11));
    TorchBackend::new(architecture, &folded, options).expect("the device can be had")
}

/// Architectures that together have every part a net may have.
fn architectures() -> Vec<Architecture> {
    let mut nets = Vec::new();
    for (encoding, activation, gate) in [
        (EncodingId::Dlshogi57, Activation::Swish, 0),
        (EncodingId::Dlshogi119, Activation::Relu, 0),
        (EncodingId::Keiko1, Activation::Relu, 4),
        (EncodingId::Dlshogi119, Activation::Swish, 8),
    ] {
        nets.push(Architecture { encoding, activation, ..architecture(2, 16, gate) });
    }
    nets
}

/// The largest errors of logits, relative to max(1, |x|), and of probabilities.
fn errors(architecture: &Architecture, options: TorchOptions) -> (f32, f32) {
    let folded = fold(architecture, &random_weights(architecture, 11));
    let rows = random_rows(architecture.encoding, 7, 5);
    let response = backend(architecture, options)
        .evaluate(request(architecture.encoding, &rows, 16))
        .expect("the batch can be computed");
    let (mut logits, mut probabilities) = (0.0_f32, 0.0_f32);
    for row in 0..7 {
        let expected = reference::forward(architecture, &folded, response.request().row(row));
        let labels = response.request().labels_of(row);
        for (found, &label) in response.logits_of(row).iter().zip(labels) {
            let expected = expected.policy[usize::from(label)];
            logits = logits.max((found - expected).abs() / expected.abs().max(1.0));
        }
        let Wdl { win, draw, loss } = response.wdl()[row];
        for (found, expected) in [win, draw, loss].into_iter().zip(expected.wdl) {
            probabilities = probabilities.max((found - expected).abs());
        }
    }
    (logits, probabilities)
}

#[test]
fn answers_are_those_of_the_reference() {
    for device in Device::available() {
        for architecture in architectures() {
            let (logits, wdl) = errors(&architecture, options(device, Precision::Fp32));
            assert!(logits < 1e-3 && wdl < 1e-3, "fp32 on {device}: {logits} {wdl}");
            let (logits, wdl) = errors(&architecture, options(device, Precision::Bf16));
            assert!(logits < 0.05 && wdl < 0.05, "bf16 on {device}: {logits} {wdl}");
        }
    }
}

#[test]
fn exported_nets_are_computed_alike_by_onnx_runtime() {
    let Some(library) = find_onnx_runtime(None) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let outputs = OnnxOutputs::WithWdl;
    for (number, architecture) in architectures().into_iter().enumerate() {
        let encoding = architecture.encoding;
        let net = fold(&architecture, &random_weights(&architecture, 11));
        let meta = OnnxMeta { weights_sha256: Digest::of(b"weights"), outputs };
        let path = folder.path().join(format!("{number}.onnx"));
        std::fs::write(&path, write_onnx(&architecture, &net, &meta)).expect("a file");
        let onnx = OnnxOptions { library: library.clone(), threads: 1 };
        let mut onnx = OnnxBackend::open(&path, &onnx).expect("a model");
        let mut torch = backend(&architecture, options(Device::Cpu, Precision::Fp32));
        for shape in [1, 16] {
            let rows = random_rows(encoding, shape, 5);
            let ours = torch.evaluate(request(encoding, &rows, shape)).expect("an answer");
            let theirs = onnx.evaluate(request(encoding, &rows, shape)).expect("an answer");
            for (ours, theirs) in ours.logits().iter().zip(theirs.logits()) {
                let most = 1e-4 * ours.abs().max(1.0);
                assert!((ours - theirs).abs() <= most, "{architecture:?}: {ours} {theirs}");
            }
            for (ours, theirs) in ours.wdl().iter().zip(theirs.wdl()) {
                let apart =
                    [ours.win - theirs.win, ours.draw - theirs.draw, ours.loss - theirs.loss];
                assert!(apart.iter().all(|d| d.abs() <= 1e-4), "{architecture:?}: {apart:?}");
            }
        }
    }
}

#[test]
fn a_row_is_answered_alike_whatever_its_place_and_neighbours() {
    let architecture = architecture(2, 32, 8);
    let encoding = architecture.encoding;
    let rows = random_rows(encoding, 16, 5);
    let mut reversed = Vec::new();
    for row in rows.chunks_exact(encoding.row_bytes()).rev() {
        reversed.extend_from_slice(row);
    }
    for device in Device::available() {
        for precision in [Precision::Fp32, Precision::Bf16] {
            let mut backend = backend(&architecture, options(device, precision));
            let mut evaluate = |rows: &[u8]| {
                backend.evaluate(request(encoding, rows, 16)).expect("the batch can be computed")
            };
            let full = evaluate(&rows);
            let turned = evaluate(&reversed);
            let few = evaluate(&rows[..3 * encoding.row_bytes()]);
            for row in 0..16 {
                assert_eq!(full.logits_of(row), turned.logits_of(15 - row), "{precision:?}");
                assert_eq!(full.wdl()[row], turned.wdl()[15 - row], "{precision:?}");
            }
            for row in 0..3 {
                assert_eq!(full.logits_of(row), few.logits_of(row), "{precision:?}");
                assert_eq!(full.wdl()[row], few.wdl()[row], "{precision:?}");
            }
        }
    }
}

#[test]
fn tickets_are_collected_once_in_any_order() {
    let architecture = architecture(1, 8, 0);
    let encoding = architecture.encoding;
    let mut backend = backend(&architecture, options(Device::Cpu, Precision::Fp32));
    let batch = |seed| request(encoding, &random_rows(encoding, 2, seed), 4);
    let first = backend.submit(batch(1)).expect("the batch can be computed");
    let second = backend.submit(batch(2)).expect("the batch can be computed");
    assert_eq!(backend.collect(second).expect("it is outstanding").into_request(), batch(2));
    assert_eq!(backend.collect(first).expect("it is outstanding").into_request(), batch(1));
    assert!(matches!(backend.collect(first), Err(BackendError::UnknownTicket(_))));
    let other = request(EncodingId::Keiko1, &[], 4);
    assert!(matches!(backend.submit(other), Err(BackendError::Encoding { .. })));
}

#[test]
fn the_name_says_device_and_precision() {
    let backend = backend(&architecture(1, 8, 0), options(Device::Cpu, Precision::Fp32));
    assert_eq!(backend.name(), "torch-cpu-fp32");
}

#[test]
fn a_batch_that_memory_is_refused_is_an_error_and_the_next_one_is_computed() {
    let architecture = architecture(1, 8, 0);
    let encoding = architecture.encoding;
    let mut backend = backend(&architecture, options(Device::Cpu, Precision::Fp32));
    let rows = random_rows(encoding, 2, 3);
    for shape in [1 << 35, 1 << 45] {
        let error = backend.evaluate(request(encoding, &rows, shape)).expect_err("petabytes");
        let source = std::error::Error::source(&error).expect("a cause");
        let cause = source.downcast_ref::<TorchError>().expect("of LibTorch");
        assert!(matches!(cause, TorchError::OutOfMemory(_)), "{shape}: {cause}");
    }
    backend.evaluate(request(encoding, &rows, 4)).expect("the batch can be computed");
}
