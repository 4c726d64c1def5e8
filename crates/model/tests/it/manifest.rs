//! Manifests as text, and the self-tests in them.

use keiko_encoding::EncodingId;
use keiko_model::{
    Digest, Lineage, MANIFEST_VERSION, Manifest, ManifestError, SelfTest, Tolerance, fold,
};

use crate::support::{random_weights, tiny};

fn manifest() -> Manifest {
    let architecture = tiny(EncodingId::Dlshogi57);
    let weights = random_weights(&architecture, 5);
    let net = fold(&architecture, &weights);
    let row = vec![0x5a; architecture.encoding.row_bytes()];
    let self_test = SelfTest::compute(&architecture, &net, ("a position", &row), &[59, 0, 2186]);
    Manifest {
        version: MANIFEST_VERSION,
        name: "tiny".to_owned(),
        weights_sha256: Digest::of(&weights.write_safetensors()),
        onnx_sha256: None,
        architecture,
        lineage: Lineage {
            run: "test".to_owned(),
            step: 12,
            rows: 3072,
            shards: 4,
            config_sha256: Digest::of(b"config"),
        },
        self_tests: vec![self_test],
    }
}

#[test]
fn text_round_trips_to_the_last_bit() {
    let manifest = manifest();
    let text = manifest.to_toml();
    let read = Manifest::from_toml(&text).unwrap();
    assert_eq!(read, manifest);
    assert_eq!(read.to_toml(), text);
}

#[test]
fn a_later_version_is_called_that() {
    let text = manifest().to_toml().replacen("version = 1", "version = 2\nnew_field = 3", 1);
    assert!(matches!(Manifest::from_toml(&text), Err(ManifestError::Version(2))));
}

#[test]
fn unknown_fields_are_named() {
    let text = manifest().to_toml().replacen("step = 12", "step = 12\nsteps = 13", 1);
    let Err(ManifestError::Toml(error)) = Manifest::from_toml(&text) else {
        panic!("an unknown field was accepted");
    };
    assert!(error.message().contains("steps"), "{error}");
}

#[test]
fn impossible_self_tests_are_refused() {
    let good = manifest();
    type Change = fn(&mut SelfTest);
    let changes: [Change; 4] = [
        |test| test.labels.push(1),
        |test| test.labels[0] = 2187,
        |test| test.logits[1] = f32::NAN,
        |test| test.wdl[0] += 0.5,
    ];
    for change in changes {
        let mut bad = good.clone();
        change(&mut bad.self_tests[0]);
        let error = Manifest::from_toml(&bad.to_toml()).unwrap_err();
        assert!(matches!(error, ManifestError::SelfTest { index: 0, .. }), "{error}");
    }
}

#[test]
fn self_tests_find_what_differs() {
    let test = &manifest().self_tests[0];
    assert_eq!(test.check(&test.logits, test.wdl, Tolerance::F32), Ok(()));
    let mut logits = test.logits.clone();
    logits[2] += 0.01 * logits[2].abs().max(1.0);
    let error = test.check(&logits, test.wdl, Tolerance::F32).unwrap_err();
    assert_eq!(error.output, "logit of label 2186");
    let error = test.check(&logits[..2], test.wdl, Tolerance::F32).unwrap_err();
    assert_eq!(error.output, "logit of label 2186");
    let [win, draw, loss] = test.wdl;
    let error = test.check(&test.logits, [win, f32::NAN, loss], Tolerance::F32).unwrap_err();
    assert_eq!((error.output.as_str(), error.expected), ("draw", draw));
}
