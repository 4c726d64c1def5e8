//! What ONNX files say of themselves, and bytes that pretend to be ONNX files.

use keiko_encoding::EncodingId;
use keiko_model::{
    Digest, OnnxInfoError, OnnxMeta, OnnxOutputs, OnnxRefused, fold, read_onnx_info, write_onnx,
};
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
    assert!(length < 1 << 14);
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
fn nets_ask_for_nothing_that_is_refused() {
    let ayumi = include_bytes!("../../../../models/ayumi/model.onnx");
    for bytes in [TOY57, TOY119, ayumi] {
        assert_eq!(read_onnx_info(bytes).unwrap().check_harmless(), Ok(()));
    }
    for encoding in EncodingId::ALL {
        let info = read_onnx_info(&ours(encoding, OnnxOutputs::WithWdl)).unwrap();
        assert_eq!(info.check_harmless(), Ok(()));
    }
    // What other exporters make of residual nets and of transformers, some with other operator sets at hand.
    for op in [
        "BatchNormalization",
        "LayerNormalization",
        "ReduceMean",
        "Tanh",
        "Clip",
        "Split",
        "Slice",
        "Gather",
        "Shape",
        "Constant",
        "ConstantOfShape",
        "Expand",
        "Where",
        "Cast",
        "Erf",
        "Pow",
        "Unsqueeze",
        "Transpose",
    ] {
        let sets =
            [opset(17), field(8, &[field(1, b"com.microsoft"), vec![16, 1]].concat())].concat();
        let info = read_onnx_info(&[sets, field(7, &node(op, &[]))].concat()).unwrap();
        assert_eq!(info.check_harmless(), Ok(()), "{op}");
    }
}

fn opset(version: u8) -> Vec<u8> {
    field(8, &[16, version])
}

/// A node in a graph, with more fields.
fn node(op: &str, rest: &[u8]) -> Vec<u8> {
    field(1, &[field(4, op.as_bytes()), field(3, b"it"), rest.to_vec()].concat())
}

#[test]
fn what_no_net_needs_is_refused_by_node() {
    let of = |op: &str| OnnxRefused::Operator { op: op.to_owned(), node: "it".to_owned() };
    let mut cases: Vec<(Vec<u8>, OnnxRefused)> = Vec::new();
    for op in [
        "If",
        "Loop",
        "Scan",
        "RandomNormal",
        "NonZero",
        "Tile",
        "Resize",
        "SequenceAt",
        "relu",
        "Relu ",
        "",
    ] {
        cases.push((field(7, &node(op, &[])), of(op)));
    }
    // Of a field that is given twice the last one counts; of a message that is, both.
    cases.push((field(7, &node("Relu", &field(4, b"Loop"))), of("Loop")));
    cases.push(([field(7, &node("If", &[])), field(7, &node("Relu", &[]))].concat(), of("If")));
    let (op, node_name) = ("Relu".to_owned(), "it".to_owned());
    for domain in ["com.microsoft", "ai.onnx.ml", "ai.onnx "] {
        let (op, node_name) = (op.clone(), node_name.clone());
        let refused = OnnxRefused::Domain { domain: domain.to_owned(), op, node: node_name };
        cases.push((field(7, &node("Relu", &field(7, domain.as_bytes()))), refused));
    }
    for number in [6, 11] {
        let refused = OnnxRefused::Subgraph { op: op.clone(), node: node_name.clone() };
        cases.push((field(7, &node("Relu", &field(5, &field(number, &[])))), refused));
    }
    let function = [&[0xca, 1, 3], &field(1, b"f")[..1], &[1, b'f'][..]].concat();
    cases.push((function, OnnxRefused::Function { name: "f".to_owned() }));
    cases.push((opset(6), OnnxRefused::Opset { version: 6 }));
    cases.push((opset(22), OnnxRefused::Opset { version: 22 }));
    for (bytes, refused) in cases {
        let file = [opset(17), field(7, &[]), bytes].concat();
        let info = read_onnx_info(&file).unwrap();
        assert_eq!(info.check_harmless(), Err(OnnxInfoError::Refused(refused)));
    }
    let none = read_onnx_info(&field(7, &node("Relu", &[]))).unwrap();
    assert_eq!(none.refused, Some(OnnxRefused::Opset { version: 0 }));
    let outside = field(7, &field(5, &[field(8, b"w"), vec![14 << 3, 1]].concat()));
    let info = read_onnx_info(&[opset(17), outside].concat()).unwrap();
    assert_eq!(info.check_harmless(), Err(OnnxInfoError::External { tensor: "w".to_owned() }));
    let (op, node) = ("Loop".to_owned(), "it".to_owned());
    let text = OnnxRefused::Operator { op, node }.to_string();
    assert!(text.contains("node \"it\" is of the operator \"Loop\""), "{text}");
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
    let mut bytes = opset(17);
    for _ in 0..70 {
        bytes.extend_from_slice(&field(7, &node("Relu", &[]).repeat(1000)));
    }
    assert_eq!(read_onnx_info(&bytes), Err(OnnxInfoError::TooMuch("operations")));
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
