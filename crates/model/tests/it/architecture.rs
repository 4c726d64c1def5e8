//! Architectures read from text, and the tensors they have.

use std::collections::BTreeSet;

use keiko_encoding::EncodingId;
use keiko_model::{Activation, Architecture, ArchitectureError, tensors};

use crate::support::tiny;

const TEXT: &str = r#"encoding = "keiko-1"
blocks = 5
channels = 64
squeeze_excitation = 8
value_channels = 8
value_hidden = 128
activation = "swish"
"#;

#[test]
fn text_round_trips() {
    let architecture: Architecture = toml::from_str(TEXT).unwrap();
    assert_eq!(architecture.encoding, EncodingId::Keiko1);
    assert_eq!(architecture.activation, Activation::Swish);
    assert_eq!(toml::to_string(&architecture).unwrap(), TEXT);
    assert_eq!(architecture.short_name(), "5x64-se8-swish");
}

#[test]
fn every_field_is_needed_and_no_other_is_known() {
    for line in TEXT.lines() {
        let without = TEXT.replace(&format!("{line}\n"), "");
        let error = toml::from_str::<Architecture>(&without).unwrap_err();
        let field = line.split(' ').next().unwrap();
        assert!(error.message().contains(field), "{field}: {error}");
    }
    let error = toml::from_str::<Architecture>(&format!("{TEXT}width = 3\n")).unwrap_err();
    assert!(error.message().contains("width"), "{error}");
}

#[test]
fn numbers_outside_their_range_are_named() {
    let cases = [
        ("blocks = 5", "blocks = 0", "blocks is 0"),
        ("blocks = 5", "blocks = 129", "blocks is 129"),
        ("channels = 64", "channels = 1025", "channels is 1025"),
        ("squeeze_excitation = 8", "squeeze_excitation = 65", "squeeze_excitation is 65"),
        ("value_channels = 8", "value_channels = 257", "value_channels is 257"),
        ("value_hidden = 128", "value_hidden = 0", "value_hidden is 0"),
        ("keiko-1", "keiko-0", "unknown encoding \"keiko-0\""),
        ("swish", "tanh", "tanh"),
    ];
    for (old, new, expected) in cases {
        let text = TEXT.replacen(&format!("\n{old}"), &format!("\n{new}"), 1);
        let text = if text == TEXT { TEXT.replace(old, new) } else { text };
        let error = toml::from_str::<Architecture>(&text).unwrap_err();
        assert!(error.message().contains(expected), "{new}: {error}");
    }
    let large = Architecture { blocks: 128, channels: 1024, ..tiny(EncodingId::Dlshogi57) };
    assert!(matches!(large.validate(), Err(ArchitectureError::TooLarge { .. })));
}

#[test]
fn tensors_have_unique_names_and_the_expected_size() {
    let architecture = tiny(EncodingId::Dlshogi57);
    let specs = tensors(&architecture);
    let names: BTreeSet<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names.len(), specs.len());
    // Input, two blocks of two convolutions and a gate, policy, value head.
    let input = 6 * 119 * 9 + 4 * 6;
    let block = 2 * (6 * 6 * 9 + 4 * 6) + (3 * 6 + 3) + (6 * 3 + 6);
    let policy = 27 * 6 + 2187;
    let value = 2 * 6 + 4 * 2 + (5 * 2 * 81 + 5) + (3 * 5 + 3);
    assert_eq!(architecture.parameters(), input + 2 * block + policy + value);
}
