//! The file itself and what it says of its inputs and outputs.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use keiko_encoding::EncodingId;
use keiko_model::{
    Digest, MAX_ONNX_BYTES, ONNX_OPSETS, OnnxInfo, OnnxRefused, OnnxTensor, read_onnx_info,
};

use super::findings::Findings;

/// The newest operator set that TensorRT 8.6 and DirectML read.
const SAFE_OPSET: i64 = 17;

/// A model that other parts can look at further.
pub(super) struct Model {
    /// What the file says of itself.
    pub(super) info: OnnxInfo,
    /// Which planes it reads.
    pub(super) encoding: EncodingId,
    /// Digest of the file.
    pub(super) sha256: Digest,
}

/// Looks at the file; `None` if there is nothing that could be run.
pub(super) fn examine(path: &Path, findings: &mut Findings<'_>) -> anyhow::Result<Option<Model>> {
    let bytes = match read_bounded(path, MAX_ONNX_BYTES) {
        Ok(bytes) => bytes,
        Err(problem) => {
            findings.fault("file", &problem)?;
            return Ok(None);
        }
    };
    let info = match read_onnx_info(&bytes) {
        Ok(info) => info,
        Err(error) => {
            let text = format!("it is no whole ONNX file ({error}): copy or export it again");
            findings.fault("file", &text)?;
            return Ok(None);
        }
    };
    if let Some(tensor) = &info.external_tensor {
        let text = format!(
            "the data of tensor {tensor:?} are in another file, which engines do not read: save the model as one file"
        );
        findings.fault("file", &text)?;
        return Ok(None);
    }
    findings.ok("file", &format!("{} bytes, all in one file", bytes.len()))?;
    form(&info, findings)?;
    match &info.refused {
        None => findings.ok("operators", "those of nets for shogi")?,
        // What the form is wrong with was said there.
        Some(OnnxRefused::Opset { .. }) => return Ok(None),
        Some(refused) => {
            findings.fault("operators", &format!("{refused}; keiko-usi does not load it"))?;
            return Ok(None);
        }
    }
    let encoding = match info.encoding() {
        Ok(encoding) => encoding,
        Err(error) => {
            let text = format!(
                "{error}: dlshogi's form has the inputs input1 [batch, 62, 9, 9] and input2 [batch, 57 or 119, 9, 9] \
                 and the outputs output_policy [batch, 2187] and output_value [batch, 1], all of 32-bit floats"
            );
            findings.fault("inputs and outputs", &text)?;
            return Ok(None);
        }
    };
    interface(&info, encoding, findings)?;
    identity(&info, encoding, findings)?;
    Ok(Some(Model { info, encoding, sha256: Digest::of(&bytes) }))
}

/// The bytes of a plain file that is neither empty nor longer than `most`, or what is wrong with it.
pub(super) fn read_bounded(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{} does not exist", path.display()),
        _ => format!("{}: {error}", path.display()),
    };
    let found = path.metadata().map_err(wrong)?;
    if !found.is_file() {
        return Err(format!("{} is no file", path.display()));
    }
    let too_long = || format!("{} has more than {most} bytes", path.display());
    if found.len() > most as u64 {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(wrong)?;
    // It may grow while it is read.
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(wrong)?;
    match bytes.len() {
        0 => Err(format!("{} is empty", path.display())),
        length if length > most => Err(too_long()),
        _ => Ok(bytes),
    }
}

fn form(info: &OnnxInfo, findings: &mut Findings<'_>) -> std::io::Result<()> {
    let by = if info.producer.is_empty() { "an unknown program" } else { &info.producer };
    let text = format!("opset {}, IR version {}, written by {by}", info.opset, info.ir_version);
    if !ONNX_OPSETS.contains(&info.opset) {
        findings.fault("form", &format!("{text}: export it with opset {SAFE_OPSET}"))
    } else if info.opset > SAFE_OPSET {
        let newer = format!("{text}: TensorRT 8.6 and DirectML read no opset above {SAFE_OPSET}");
        findings.note("form", &newer)
    } else {
        findings.ok("form", &text)
    }
}

fn interface(
    info: &OnnxInfo,
    encoding: EncodingId,
    findings: &mut Findings<'_>,
) -> std::io::Result<()> {
    let names = |list: &[OnnxTensor]| -> String {
        list.iter().map(|tensor| tensor.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (inputs, outputs) = (names(&info.inputs), names(&info.outputs));
    findings.ok("planes", &format!("those of {encoding}"))?;
    match info.fixed_batch() {
        None => findings.ok("batch", "of any size")?,
        Some(size) => {
            let text = format!(
                "only of {size}, and engines ask for other sizes: export it with axis 0 dynamic, named batch_size"
            );
            findings.fault("batch", &text)?;
        }
    }
    let text = format!("{inputs} -> {outputs}");
    let dlshogi = "input1, input2 -> output_policy, output_value";
    if encoding == EncodingId::Keiko1 {
        findings.ok("inputs and outputs", &format!("{text}; keiko-usi alone reads these"))
    } else if text == dlshogi {
        findings.ok("inputs and outputs", &text)
    } else {
        findings.note(
            "inputs and outputs",
            &format!("{text}: dlshogi's TensorRT engine wants {dlshogi} and no others"),
        )
    }
}

/// What the file says of where it comes from.
fn identity(
    info: &OnnxInfo,
    encoding: EncodingId,
    findings: &mut Findings<'_>,
) -> std::io::Result<()> {
    let architecture = match info.architecture() {
        Ok(Some(architecture)) => architecture,
        Ok(None) => return findings.note("identity", "none: another program wrote the file"),
        Err(error) => return findings.fault("identity", &format!("{error}: export it again")),
    };
    if architecture.encoding != encoding {
        let text = format!(
            "its architecture reads {}, its inputs are those of {encoding}: export it again",
            architecture.encoding
        );
        return findings.fault("identity", &text);
    }
    let text = format!(
        "by its own words weights {}, {} blocks of {} channels",
        info.weights_sha256().unwrap_or("unknown"),
        architecture.blocks,
        architecture.channels
    );
    findings.ok("identity", &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_within_bounds_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        assert_eq!(read_bounded(&at("three", b"abc"), 3), Ok(b"abc".to_vec()));
        for (path, end) in [
            (at("four", b"abcd"), "four has more than 3 bytes"),
            (at("none", b""), "none is empty"),
            (dir.path().join("absent"), "absent does not exist"),
            (dir.path().to_owned(), "is no file"),
            ("/dev/zero".into(), "/dev/zero is no file"),
        ] {
            let problem = read_bounded(&path, 3).unwrap_err();
            assert!(problem.ends_with(end), "{problem}");
        }
    }
}
