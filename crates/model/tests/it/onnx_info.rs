//! What ONNX files say of themselves, and bytes that pretend to be ONNX files.

use keiko_encoding::EncodingId;
use keiko_model::{Digest, OnnxInfoError, OnnxMeta, OnnxOutputs, fold, read_onnx_info, write_onnx};
use proptest::prelude::*;

use crate::support::{random_weights, tiny};

const TOY57: &[u8] = include_bytes!("../../../../tests/golden/dlshogi/toy57.onnx");
const TOY119: &[u8] = include_bytes!("../../../../tests/golden/dlshogi/toy119.onnx");

fn ours(encoding: EncodingId, outputs: OnnxOutputs) -> Vec<u8> {
    let architecture = tiny(encoding);
    let net = fold(&architecture, &random_weights(&architecture, 1));
    write_onnx(&architecture, &net, &OnnxMeta { weights_sha256: Digest::of(b"weights"), outputs })
}

#[test]
fn other_programs_nets_are_known_by_their_shapes() {
    for (bytes, encoding) in [(TOY57, EncodingId::Dlshogi57), (TOY119, EncodingId::Dlshogi119)] {
        let info = read_onnx_info(bytes).unwrap();
        assert_eq!(info.encoding(), Ok(encoding));
        assert_eq!((info.ir_version, info.opset), (8, 17));
        assert_eq!(info.fixed_batch(), None);
        assert_eq!(info.architecture(), Ok(None));
        assert!(!info.has_wdl());
    }
}

#[test]
fn our_nets_say_what_they_are() {
    for encoding in EncodingId::ALL {
        for outputs in [OnnxOutputs::Dlshogi, OnnxOutputs::WithWdl] {
            let info = read_onnx_info(&ours(encoding, outputs)).unwrap();
            assert_eq!(info.encoding(), Ok(encoding));
            assert_eq!(info.architecture(), Ok(Some(tiny(encoding))));
            assert_eq!(info.weights_sha256(), Some(Digest::of(b"weights").to_string().as_str()));
            assert_eq!(info.producer, "keiko");
            let wdl = encoding == EncodingId::Keiko1 || outputs == OnnxOutputs::WithWdl;
            assert_eq!(info.has_wdl(), wdl);
            assert_eq!(info.outputs.len(), if wdl { 3 } else { 2 });
        }
    }
}

#[test]
fn a_net_of_another_form_is_named() {
    let mut info = read_onnx_info(TOY57).unwrap();
    info.inputs[1].dims[1] = Some(58);
    assert!(matches!(info.encoding(), Err(OnnxInfoError::Shape { name, .. }) if name == "input2"));

    let mut info = read_onnx_info(TOY57).unwrap();
    info.outputs.pop();
    assert_eq!(info.encoding(), Err(OnnxInfoError::Missing("output_value")));

    let mut info = read_onnx_info(TOY57).unwrap();
    info.inputs[0].is_f32 = false;
    assert!(matches!(info.encoding(), Err(OnnxInfoError::Shape { name, .. }) if name == "input1"));

    let mut info = read_onnx_info(&ours(EncodingId::Dlshogi57, OnnxOutputs::Dlshogi)).unwrap();
    info.metadata.insert("keiko.encoding".to_owned(), "dlshogi-119".to_owned());
    assert!(matches!(info.encoding(), Err(OnnxInfoError::Metadata { .. })));
    info.metadata.insert("keiko.architecture".to_owned(), "blocks = 5".to_owned());
    assert!(matches!(info.architecture(), Err(OnnxInfoError::Metadata { .. })));
}

#[test]
fn fixed_batches_are_seen() {
    let mut info = read_onnx_info(TOY57).unwrap();
    info.inputs[0].dims[0] = Some(1);
    assert_eq!(info.fixed_batch(), Some(1));
}

/// A field of a message: the number and the bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    [&[number << 3 | 2, (length & 0x7f) as u8 | 0x80, (length >> 7) as u8], bytes].concat()
}

#[test]
fn weights_in_other_files_are_seen() {
    let tensor = |rest: &[u8]| [field(8, b"w"), rest.to_vec()].concat();
    let location = field(13, &[field(1, b"location"), field(2, b"../w.bin")].concat());
    for (tensor, external) in [
        (tensor(&location), Some("w")),
        (tensor(&[14 << 3, 1]), Some("w")),
        (tensor(&[14 << 3, 0]), None),
        (tensor(&[]), None),
    ] {
        let within = field(1, &field(5, &field(5, &tensor)));
        let deeper = field(1, &field(5, &field(6, &field(5, &tensor))));
        let sparse = field(15, &field(1, &tensor));
        for graph in [field(5, &tensor), within, deeper, sparse] {
            let info = read_onnx_info(&field(7, &graph)).unwrap();
            assert_eq!(info.external_tensor.as_deref(), external, "{graph:?}");
        }
    }
    assert_eq!(read_onnx_info(TOY57).unwrap().external_tensor, None);
    let mut nested = Vec::new();
    for _ in 0..40 {
        nested = field(1, &field(5, &field(6, &nested)));
    }
    let nested = read_onnx_info(&field(7, &nested));
    assert_eq!(nested, Err(OnnxInfoError::TooMuch("graphs within graphs")));
    let broken = read_onnx_info(&field(7, &field(5, &[0x4a, 9])));
    assert_eq!(broken, Err(OnnxInfoError::Malformed("tensor")));
}

#[test]
fn no_prefix_panics() {
    for length in 0..TOY57.len() {
        if let Ok(info) = read_onnx_info(&TOY57[..length]) {
            // Only a cut between two fields leaves a message, which lacks what comes after.
            assert!(info.opset == 0, "{length}");
        }
    }
    assert!(read_onnx_info(&[]).is_err());
}

#[test]
fn floods_are_refused() {
    // A graph of 5,000 empty inputs, and 300 different metadata entries.
    let inputs = [0x5a, 0].repeat(5000);
    let mut bytes = vec![0x3a, (inputs.len() & 0x7f | 0x80) as u8, (inputs.len() >> 7) as u8];
    bytes.extend_from_slice(&inputs);
    assert_eq!(read_onnx_info(&bytes), Err(OnnxInfoError::TooMuch("inputs")));
    let mut bytes = Vec::new();
    for index in 0..300_u32 {
        bytes.extend_from_slice(&[0x72, 5, 0x0a, 3]);
        bytes.extend_from_slice(format!("{index:03}").as_bytes());
    }
    assert_eq!(read_onnx_info(&bytes), Err(OnnxInfoError::TooMuch("metadata")));
    // A length of 2^64 - 1.
    let bytes = [0x3a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1];
    assert_eq!(read_onnx_info(&bytes), Err(OnnxInfoError::Malformed("model")));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(info) = read_onnx_info(&bytes) {
            let _ = (info.encoding(), info.architecture());
        }
    }

    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((0..TOY57.len(), any::<u8>()), 1..8)) {
        let mut bytes = TOY57.to_vec();
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        if let Ok(info) = read_onnx_info(&bytes) {
            let _ = (info.encoding(), info.architecture());
        }
    }
}
