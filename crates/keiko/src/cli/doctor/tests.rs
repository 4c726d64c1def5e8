//! Models with one thing wrong each, and models with nothing wrong.

use std::fs;
use std::path::Path;

use keiko_encoding::EncodingId;
use keiko_model::{
    Activation, Architecture, Digest, Folded, Lineage, MANIFEST_VERSION, Manifest, OnnxMeta,
    OnnxOutputs, SelfTest, Weights, fold, write_onnx,
};
use tempfile::TempDir;

use super::*;

const TOY57: &[u8] = include_bytes!("../../../../../tests/golden/dlshogi/toy57.onnx");
const TOY119: &[u8] = include_bytes!("../../../../../tests/golden/dlshogi/toy119.onnx");

/// What is printed of a model file, without the speed.
fn found(path: &Path) -> String {
    let mut out = Vec::new();
    let mut findings = Findings::new(&mut out);
    let args = Args { model: path.to_owned(), onnxruntime: None };
    examine(&args, &mut findings).unwrap();
    findings.finish().unwrap();
    String::from_utf8(out).unwrap()
}

fn found_in(bytes: &[u8]) -> String {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("model.onnx");
    fs::write(&path, bytes).unwrap();
    found(&path)
}

fn has_onnx_runtime() -> bool {
    find_onnx_runtime(None).is_some()
}

fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes.to_vec();
    let places = bytes.windows(old.len()).enumerate().filter(|(_, window)| *window == old);
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    assert!(!places.is_empty());
    for place in places {
        bytes[place..place + new.len()].copy_from_slice(new);
    }
    bytes
}

fn architecture(encoding: EncodingId) -> Architecture {
    Architecture {
        encoding,
        blocks: 1,
        channels: 8,
        squeeze_excitation: 4,
        value_channels: 2,
        value_hidden: 8,
        activation: Activation::Swish,
    }
}

/// A net of ours and its file.
fn ours(encoding: EncodingId, outputs: OnnxOutputs) -> (Folded, Vec<u8>) {
    let architecture = architecture(encoding);
    let net = fold(&architecture, &Weights::initial(&architecture, 3));
    let meta = OnnxMeta { weights_sha256: Digest::of(b"weights"), outputs };
    let file = write_onnx(&architecture, &net, &meta);
    (net, file)
}

/// A folder with a net of ours and all that belongs beside it.
fn complete(encoding: EncodingId, outputs: OnnxOutputs) -> TempDir {
    let dir = TempDir::new().unwrap();
    let (net, file) = ours(encoding, outputs);
    fs::write(dir.path().join("model.onnx"), file).unwrap();
    fs::write(dir.path().join("model.onnx.ini"), "C_init=125\nEval_Coef=756\n").unwrap();
    let planes = match encoding {
        EncodingId::Dlshogi57 => "ModelArchitecture dlshogi-WCSC28\n",
        EncodingId::Dlshogi119 => "ModelArchitecture dlshogi-WCSC35\n",
        EncodingId::Keiko1 => "",
    };
    let eval = format!("{planes}C_init 125\nEval_Coef 756\n");
    fs::write(dir.path().join("eval_options.txt"), eval).unwrap();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let row = outputs::row(encoding, start).unwrap();
    let test =
        SelfTest::compute(&architecture(encoding), &net, (start, row.as_slice()), &[59, 1000]);
    let manifest = Manifest {
        version: MANIFEST_VERSION,
        name: "net".to_owned(),
        weights_sha256: Digest::of(b"weights"),
        onnx_sha256: None,
        architecture: architecture(encoding),
        lineage: Lineage {
            run: "run".to_owned(),
            step: 7,
            rows: 224,
            shards: 2,
            config_sha256: Digest::of(b"config"),
        },
        self_tests: vec![test],
    };
    fs::write(dir.path().join("manifest.toml"), manifest.to_toml()).unwrap();
    dir
}

#[test]
fn models_of_every_form_have_no_faults() {
    if !has_onnx_runtime() {
        return;
    }
    for toy in [TOY57, TOY119] {
        let text = found_in(toy);
        assert!(text.ends_with("\nno faults\n"), "{text}");
        assert!(text.contains("note   identity: none"), "{text}");
        assert!(text.contains("note   manifest: none"), "{text}");
    }
    for encoding in EncodingId::ALL {
        for outputs in [OnnxOutputs::Dlshogi, OnnxOutputs::WithWdl] {
            let dir = complete(encoding, outputs);
            let text = found(&dir.path().join("model.onnx"));
            assert!(text.ends_with("\nno faults\n"), "{text}");
            assert!(text.contains("ok     manifest: net: run run, step 7, 224 rows"), "{text}");
            let tested = text.contains("ok     self-tests: the outputs on 1 positions");
            assert_eq!(tested, encoding != EncodingId::Keiko1, "{text}");
            let more_outputs = text.contains("note   inputs and outputs");
            let wdl = outputs == OnnxOutputs::WithWdl && encoding != EncodingId::Keiko1;
            assert_eq!(more_outputs, wdl, "{text}");
        }
    }
}

#[test]
fn bytes_that_are_no_model_are_a_fault_and_no_panic() {
    let mut random = 1_u32;
    let mut noise = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    };
    let mut files: Vec<Vec<u8>> = (0..40).map(|n| (0..n * 7).map(|_| noise()).collect()).collect();
    files.extend((0..TOY57.len()).step_by(1637).map(|length| TOY57[..length].to_vec()));
    // Fields of 2^64 - 1 and of 2^62 bytes.
    files.push(vec![0x3a, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
    files.push(vec![0x3a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40]);
    for bytes in files {
        let text = found_in(&bytes);
        assert!(text.starts_with("fault  file: ") || text.contains("\nfault  "), "{text}");
        assert!(text.ends_with("1 fault\n") || text.ends_with("2 faults\n"), "{text}");
    }
    let absent = found(Path::new("/nowhere/model.onnx"));
    assert_eq!(absent, "fault  file: /nowhere/model.onnx does not exist\n1 fault\n");
}

#[test]
fn what_the_file_says_of_itself_is_checked() {
    let field = |number: u8, bytes: &[u8]| [&[number << 3 | 2, bytes.len() as u8], bytes].concat();
    let outside = field(7, &field(5, &[field(8, b"w"), vec![14 << 3, 1]].concat()));
    for (bytes, expected) in [
        ([TOY57, &outside].concat(), "fault  file: the data of tensor \"w\" are in another file"),
        (
            replaced(TOY57, b"output_value", b"output_valve"),
            "fault  inputs and outputs: no input or output is called output_value: dlshogi's form",
        ),
        ([TOY57, &field(8, &[16, 5])].concat(), "fault  form: opset 5"),
        ([TOY57, &field(8, &[16, 22])].concat(), "fault  form: opset 22"),
        ([TOY57, &field(8, &[16, 21])].concat(), "note   form: opset 21"),
        (
            [TOY57, &field(7, &field(1, &[field(4, b"Loop"), field(3, b"it")].concat()))].concat(),
            "fault  operators: node \"it\" is of the operator \"Loop\"",
        ),
        (
            replaced(TOY57, b"\x0a\x0c\x12\x0abatch_size", b"\x0a\x0c\x08\x04\x1a\x08fixed__4"),
            "fault  batch: only of 4, and engines ask for other sizes",
        ),
    ] {
        let text = found_in(&bytes);
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn what_cannot_be_computed_is_named() {
    if !has_onnx_runtime() {
        return;
    }
    let text = found_in(&replaced(TOY57, b"Conv", b"Cony"));
    assert!(text.contains("is of the operator \"Cony\"") && !text.contains("Runtime"), "{text}");
    let text = found_in(&replaced(TOY57, b"Conv", b"Gemm"));
    assert!(text.contains("fault  ONNX Runtime: cannot load "), "{text}");
    let text = found_in(&replaced(TOY57, b"Sigmoid", b"Flatten"));
    assert!(text.contains("fault  outputs: ") && text.contains("with the sigmoid"), "{text}");
    let architecture = architecture(EncodingId::Dlshogi119);
    let (mut net, _) = ours(EncodingId::Dlshogi119, OnnxOutputs::Dlshogi);
    net.policy.bias[700] = f32::NAN;
    let meta = OnnxMeta { weights_sha256: Digest::of(b"weights"), outputs: OnnxOutputs::Dlshogi };
    let text = found_in(&write_onnx(&architecture, &net, &meta));
    assert!(text.contains("fault  outputs: logit NaN in row 0 is not finite"), "{text}");
    let args = Args { model: "x".into(), onnxruntime: Some("/nowhere/libonnxruntime.so".into()) };
    let mut out = Vec::new();
    // The library that another test has loaded serves here as well.
    assert!(open(&args, &mut Findings::new(&mut out)).unwrap().is_none());
    assert!(String::from_utf8(out).unwrap().starts_with("fault  ONNX Runtime: cannot load "));
}

/// What is printed of a whole model after `change` to a file beside it.
fn after(file: &str, change: impl Fn(String) -> String) -> String {
    let dir = complete(EncodingId::Dlshogi57, OnnxOutputs::Dlshogi);
    let path = dir.path().join(file);
    let before = fs::read_to_string(&path).unwrap();
    let changed = change(before.clone());
    assert_ne!(changed, before);
    fs::write(&path, changed).unwrap();
    found(&dir.path().join("model.onnx"))
}

#[test]
fn options_that_do_not_fit_are_a_fault() {
    if !has_onnx_runtime() {
        return;
    }
    for (file, old, new, expected) in [
        ("model.onnx.ini", "=125", "=126", "options: C_init is 126 for dlshogi and 125 for Fuk"),
        ("model.onnx.ini", "=125", "", "dlshogi's options: "),
        ("eval_options.txt", "756", "7.5", "options: Eval_Coef is 7.5, not a whole number"),
        ("eval_options.txt", "Eval_Coef 756", "Eval_Coef", "FukauraOu's options: "),
        ("eval_options.txt", "WCSC28", "WCSC35", "options: ModelArchitecture is dlshogi-WCSC35"),
    ] {
        let text = after(file, |text| text.replacen(old, new, 1));
        let expected = format!("\nfault  {expected}");
        assert!(text.contains(&expected) && text.ends_with("\n1 fault\n"), "{expected}: {text}");
    }
}

#[test]
fn a_manifest_that_does_not_fit_is_a_fault() {
    if !has_onnx_runtime() {
        return;
    }
    let changed = |change: fn(&mut Manifest)| {
        after("manifest.toml", |text| {
            let mut manifest = Manifest::from_toml(&text).unwrap();
            change(&mut manifest);
            manifest.to_toml()
        })
    };
    for (text, expected) in [
        (changed(|m| m.weights_sha256 = Digest::of(b"x")), "manifest: it is of the model "),
        (changed(|m| m.architecture.blocks = 2), "manifest: its architecture is not that of"),
        (changed(|m| m.self_tests[0].logits[0] += 0.5), "self-tests: logit of label 59 on "),
        (changed(|m| m.self_tests[0].position = "9".to_owned()), "self-tests: \"9\": "),
        (after("manifest.toml", |text| text.replace("name = ", "nam = ")), "manifest: "),
        (after("manifest.toml", |_| "#".repeat(2 << 20)), "manifest: "),
    ] {
        let expected = format!("\nfault  {expected}");
        assert!(text.contains(&expected) && text.ends_with("\n1 fault\n"), "{expected}: {text}");
    }
}

#[test]
fn a_file_that_is_not_the_exported_one_is_a_fault() {
    if !has_onnx_runtime() {
        return;
    }
    let dir = complete(EncodingId::Dlshogi57, OnnxOutputs::Dlshogi);
    let at = |name: &str| dir.path().join(name);
    let (onnx, text) =
        (fs::read(at("model.onnx")).unwrap(), fs::read_to_string(at("manifest.toml")).unwrap());
    for (bytes, fault) in [(&onnx[..], false), (b"another", true)] {
        let mut manifest = Manifest::from_toml(&text).unwrap();
        manifest.onnx_sha256 = Some(Digest::of(bytes));
        fs::write(at("manifest.toml"), manifest.to_toml()).unwrap();
        let found = found(&at("model.onnx"));
        assert_eq!(
            found.contains("fault  manifest: it was exported with the file "),
            fault,
            "{found}"
        );
        assert_eq!(found.ends_with("\nno faults\n"), !fault, "{found}");
    }
}
