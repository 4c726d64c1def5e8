//! Weights as safetensors files, and files that pretend to be.

use keiko_encoding::EncodingId;
use keiko_model::{
    Architecture, Digest, ReadWeightsError, Role, Tensor, Weights, WeightsError, tensors,
};
use proptest::prelude::*;
use safetensors::SafeTensors;

use crate::support::{Random, random_tensors, random_weights, tiny};

fn architecture() -> Architecture {
    tiny(EncodingId::Dlshogi57)
}

/// A file with the header and the data given.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

fn read(bytes: &[u8]) -> Result<Weights, ReadWeightsError> {
    Weights::read_safetensors(bytes, &architecture())
}

/// Header and data of a good file.
fn parts() -> (String, Vec<u8>) {
    let bytes = random_weights(&architecture(), 1).write_safetensors();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    (String::from_utf8(bytes[8..8 + length].to_vec()).unwrap(), bytes[8 + length..].to_vec())
}

#[test]
fn files_round_trip() {
    for encoding in EncodingId::ALL {
        let architecture = tiny(encoding);
        let weights = random_weights(&architecture, 1);
        let bytes = weights.write_safetensors();
        assert_eq!(Weights::read_safetensors(&bytes, &architecture).unwrap(), weights);
    }
}

#[test]
fn the_format_is_that_of_the_safetensors_library() {
    let weights = random_weights(&architecture(), 1);
    let bytes = weights.write_safetensors();
    let views = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(views.len(), tensors(&architecture()).len());
    for spec in tensors(&architecture()) {
        let view = views.tensor(&spec.name).unwrap();
        assert_eq!(view.shape(), spec.shape);
        let first = f32::from_le_bytes(view.data()[..4].try_into().unwrap());
        assert_eq!(first.to_bits(), weights.get(&spec.name).unwrap().values[0].to_bits());
    }
}

#[test]
fn initial_weights_follow_from_the_seed_to_the_last_bit() {
    let digest = |seed| Digest::of(&Weights::initial(&architecture(), seed).write_safetensors());
    assert_eq!(
        digest(1).to_string(),
        "5b956f35a5ed3e2acdfc56e64a650b109d765b5b9d7fdce5831d62d23c75d026"
    );
    assert_ne!(digest(1), digest(2));
}

#[test]
fn initial_weights_are_spread_as_their_fan_in_wants() {
    let architecture = Architecture { channels: 32, ..architecture() };
    let weights = Weights::initial(&architecture, 3);
    for spec in tensors(&architecture) {
        let values = &weights.get(&spec.name).unwrap().values;
        if spec.role == Role::Weight && values.len() > 5000 {
            let fan_in: usize = spec.shape[1..].iter().product();
            let square: f32 = values.iter().map(|x| x * x).sum::<f32>() / values.len() as f32;
            let ratio = square * fan_in as f32 / 2.0;
            assert!((0.9..1.1).contains(&ratio), "{}: {ratio}", spec.name);
        }
    }
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let (header, data) = parts();
    let good = file(&header, &data);
    assert!(read(&good).is_ok());
    for length in [u64::MAX, 1 << 63, 1 << 32, (1 << 20) + 1, good.len() as u64] {
        let mut bad = good.clone();
        bad[..8].copy_from_slice(&length.to_le_bytes());
        assert!(matches!(read(&bad), Err(ReadWeightsError::HeaderLength { .. })), "{length}");
    }
    assert!(matches!(read(&good[..7]), Err(ReadWeightsError::TooShort(7))));
    let longer = file(&header, &[data.as_slice(), &[0]].concat());
    assert!(matches!(read(&longer), Err(ReadWeightsError::DataLength { .. })));
}

#[test]
fn headers_of_other_nets_are_refused() {
    let (header, data) = parts();
    let change = |old: &str, new: &str| {
        assert!(header.contains(old), "{old}");
        read(&file(&header.replacen(old, new, 1), &data)).unwrap_err()
    };
    let error = change("value.output.bias", "value.output.bIas");
    assert!(matches!(
        error,
        ReadWeightsError::Weights(WeightsError::Missing { ref name }) if name == "value.output.bias"
    ));
    let error = change(r#""shape":[3,5]"#, r#""shape":[5,3]"#);
    assert!(matches!(
        error,
        ReadWeightsError::Weights(WeightsError::Shape { ref name, .. })
            if name == "value.output.weight"
    ));
    let error = change(r#""dtype":"F32""#, r#""dtype":"I32""#);
    assert!(matches!(error, ReadWeightsError::Dtype { .. }));
    // Sizes and offsets that overflow.
    for shape in ["[18446744073709551615,5]", "[4611686018427387904,4]", "[-1,5]", "[1e300]"] {
        let error = change(r#""shape":[3,5]"#, &format!(r#""shape":{shape}"#));
        assert!(matches!(error, ReadWeightsError::Header(_)), "{shape}: {error}");
    }
    let error = change(r#""data_offsets":[0,"#, r#""data_offsets":[18446744073709551615,"#);
    assert!(matches!(error, ReadWeightsError::Header(_)), "{error}");
    assert!(matches!(read(&file("{}", &[])), Err(ReadWeightsError::Weights(_))));
    assert!(matches!(read(&file("[", &[])), Err(ReadWeightsError::Header(_))));
    // Sizes whose sum with the header's length does not fit into 64 bits.
    let size = (1_u64 << 61) - 1;
    let huge: Vec<String> = (0..8)
        .map(|index| {
            let (start, end) = (index * size, (index + 1) * size);
            format!(r#""{index}":{{"dtype":"U8","shape":[{size}],"data_offsets":[{start},{end}]}}"#)
        })
        .collect();
    let huge = format!("{{{}}}", huge.join(","));
    assert!(matches!(read(&file(&huge, &[])), Err(ReadWeightsError::DataLength { .. })));
}

#[test]
fn further_tensors_are_refused() {
    let (header, data) = parts();
    let (start, end) = (data.len(), data.len() + 4);
    let extra = format!(r#","zzz":{{"dtype":"F32","shape":[1],"data_offsets":[{start},{end}]}}}}"#);
    let header = format!("{}{extra}", header.trim_end().strip_suffix('}').unwrap());
    let error = read(&file(&header, &[data.as_slice(), &[0; 4]].concat())).unwrap_err();
    assert!(matches!(
        error,
        ReadWeightsError::Weights(WeightsError::Unexpected { ref name }) if name == "zzz"
    ));
}

#[test]
fn values_no_net_can_have_are_refused() {
    let architecture = architecture();
    let change = |name: &str, value: f32| {
        let mut named = random_tensors(&architecture, &mut Random(4));
        named.get_mut(name).unwrap().values[1] = value;
        Weights::new(&architecture, named)
    };
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let name = "policy.bias".to_owned();
        assert_eq!(change("policy.bias", value), Err(WeightsError::NotFinite { name, index: 1 }));
    }
    let name = "value.norm.running_var".to_owned();
    assert_eq!(
        change("value.norm.running_var", -1e-9),
        Err(WeightsError::NegativeVariance { name, index: 1 })
    );
    let mut named = random_tensors(&architecture, &mut Random(4));
    named.insert("value.output.bias".to_owned(), Tensor { shape: vec![3], values: vec![0.0] });
    assert!(matches!(Weights::new(&architecture, named), Err(WeightsError::Shape { .. })));
}

#[test]
fn no_prefix_of_a_file_is_a_file() {
    let (header, data) = parts();
    let good = file(&header, &data);
    for length in (0..header.len() + 64).chain([good.len() - 1]) {
        assert!(read(&good[..length]).is_err(), "{length}");
    }
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(changes in proptest::collection::vec((0_usize..8000, any::<u8>()), 1..8)) {
        let (header, data) = parts();
        let mut bytes = file(&header, &data);
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn arbitrary_headers_never_panic(header in "[\\[\\]{}:,\"a-z0-9_F]{0,80}", data in proptest::collection::vec(any::<u8>(), 0..32)) {
        prop_assert!(read(&file(&header, &data)).is_err());
    }
}
