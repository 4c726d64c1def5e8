//! Files of nets: weights, ONNX, manifests.

use std::sync::OnceLock;

use keiko_encoding::{EncodingId, PLANES1};
use keiko_model::{
    Activation, Architecture, Digest, Manifest, OnnxMeta, OnnxOutputs, Weights, fold,
    read_onnx_info, write_onnx,
};

use super::{edit, memory};

/// The smallest net there is.
const TINY: Architecture = Architecture {
    encoding: EncodingId::Dlshogi57,
    blocks: 1,
    channels: 1,
    squeeze_excitation: 0,
    value_channels: 1,
    value_hidden: 1,
    activation: Activation::Relu,
};

/// Bytes of the length before the header of a safetensors file.
const LENGTH: usize = 8;

/// Reads `data` as weights: 0 and changes to a file, 1 and changes to a header with its right length and the data
/// after it, or anything else and a file.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the bytes explain.
pub fn weights(data: &[u8]) {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    let whole = FILE.get_or_init(|| Weights::initial(&TINY, 1).write_safetensors());
    let (length, rest) = whole.split_first_chunk::<LENGTH>().expect("a whole file");
    let (header, values) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let mut file = edit::bytes(data, &[whole, header]);
    if data.first() == Some(&1) {
        file = [&(file.len() as u64).to_le_bytes(), file.as_slice(), values].concat();
    }
    let read = memory::within(file.len(), 100, || Weights::read_safetensors(&file, &TINY));
    assert!(data != [0] && data != [1] || read.is_ok(), "a file that nothing is done to");
    let Ok(read) = read else { return };
    let written = read.write_safetensors();
    let again = Weights::read_safetensors(&written, &TINY).expect("a file of ours");
    assert_eq!(again, read);
    assert_eq!(written.len(), whole.len(), "the same tensors have one form");
}

/// Reads `data` as ONNX: 0 or 1 and changes to a file, or anything else and a file.
///
/// # Panics
/// Where more is kept than was there, or reading takes more memory than the bytes explain.
pub fn onnx(data: &[u8]) {
    static FILES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let [small, large] = FILES.get_or_init(|| {
        [EncodingId::Dlshogi57, EncodingId::Keiko1].map(|encoding| {
            let architecture = Architecture { encoding, squeeze_excitation: 1, ..TINY };
            let net = fold(&architecture, &Weights::initial(&architecture, 1));
            let meta = OnnxMeta { weights_sha256: Digest::of(b""), outputs: OnnxOutputs::WithWdl };
            write_onnx(&architecture, &net, &meta)
        })
    });
    let file = edit::bytes(data, &[small, large]);
    let read = memory::within(file.len(), 100, || read_onnx_info(&file));
    assert!(data != [0] && data != [1] || read.is_ok(), "a file that nothing is done to");
    let Ok(info) = read else { return };
    let harmless = info.check_harmless();
    assert!(data != [0] && data != [1] || harmless == Ok(()), "a file of ours: {harmless:?}");
    let values = || info.inputs.iter().chain(&info.outputs);
    let names: usize = values().map(|value| value.name.len()).sum();
    let dims: usize = values().map(|value| value.dims.len()).sum();
    let pairs: usize = info.metadata.iter().map(|(key, value)| key.len() + value.len()).sum();
    // What is no UTF-8 grows threefold.
    assert!(names + 2 * dims + pairs + info.producer.len() / 3 <= file.len(), "{info:?}");
    if let Ok(encoding) = info.encoding() {
        let channels = |name: &str| {
            let input = info.inputs.iter().find(|input| input.name == name);
            input.and_then(|input| input.dims.get(1).copied()).flatten()
        };
        assert_eq!(channels("input2"), Some(encoding.planes2() as u64));
        assert!(channels("input1").is_none_or(|it| it == PLANES1 as u64));
    }
    if let Ok(Some(architecture)) = info.architecture() {
        assert_eq!(architecture.validate(), Ok(()));
    }
}

/// Reads `data` as a manifest.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn manifest(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(read) = memory::within(text.len(), 1000, || Manifest::from_toml(text)) else { return };
    assert_eq!(read.architecture.validate(), Ok(()));
    let written = read.to_toml();
    let again = Manifest::from_toml(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, read, "{written}");
}
