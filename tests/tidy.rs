//! Repository rules: the arrows between crates, where `unsafe` may stand, what the top level shows, whose code comes in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The arrows the map allows: a crate and the crates of ours that it may use.
const ARROWS: [(&str, &[&str]); 16] = [
    ("shogi", &[]),
    ("store", &[]),
    ("formats", &["shogi"]),
    ("encoding", &["shogi"]),
    ("mcts", &["shogi"]),
    ("model", &["encoding"]),
    ("inference", &["shogi", "encoding", "mcts", "model"]),
    ("play", &["shogi", "encoding", "mcts", "inference"]),
    ("bench", &["shogi", "encoding", "mcts", "inference", "play"]),
    ("replay", &["shogi", "encoding", "formats", "store"]),
    ("network", &["encoding", "model", "inference", "replay"]),
    ("selfplay", &["shogi", "encoding", "store", "formats", "mcts", "inference", "play", "replay"]),
    ("usi", &["shogi", "encoding", "formats", "model", "mcts", "inference", "play"]),
    ("arena", &["shogi", "encoding", "store", "formats", "mcts", "inference", "play", "usi"]),
    ("trainer", &["encoding", "store", "replay", "model", "network"]),
    ("keiko", &["*"]),
];

/// The licences under which code of others comes in: none asks anything of those who use keiko but to name it.
const LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The beginnings of names of crates that talk to a network, which nothing here does.
const NETWORK: [&str; 9] =
    ["curl", "hyper", "native-tls", "openssl", "reqwest", "rustls", "tokio", "ureq", "webpki"];

/// The two modules where `unsafe` may be expected.
const UNSAFE_MODULES: [&str; 2] = ["crates/shogi/src/simd", "crates/network/src/shim"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every file below `folder` whose name ends with `ending`.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                open.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn arrows_between_crates_point_down() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let mut folders = BTreeSet::new();
    for entry in fs::read_dir(root().join("crates")).expect("crates/") {
        let path = entry.expect("an entry").path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let manifest: toml::Table = read(&path.join("Cargo.toml")).parse().expect("TOML");
        let arrows =
            allowed.get(name.as_str()).unwrap_or_else(|| panic!("{name} is not on the map"));
        for section in ["dependencies", "build-dependencies"] {
            let Some(table) = manifest.get(section).and_then(|t| t.as_table()) else { continue };
            for ours in table.keys().filter_map(|k| k.strip_prefix("keiko-")) {
                assert!(
                    arrows.contains(&"*") || arrows.contains(&ours),
                    "crates/{name} may not use {ours}"
                );
            }
            if name != "network" {
                assert!(!table.contains_key("tch"), "only network names tch, not {name}");
            }
        }
        folders.insert(name);
    }
    assert_eq!(folders, allowed.keys().map(|k| (*k).to_owned()).collect::<BTreeSet<_>>());
}

#[test]
fn the_map_lists_every_crate() {
    let map = read(&root().join("crates/README.md"));
    for (name, _) in ARROWS {
        assert!(map.contains(&format!("`{name}`")), "crates/README.md does not name `{name}`");
    }
}

#[test]
fn unsafe_stands_in_two_modules_only() {
    for path in files(&root().join("crates"), ".rs") {
        let inside =
            path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let excused = UNSAFE_MODULES.iter().any(|m| inside.starts_with(m));
        let text = read(&path);
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().expect("a first part");
            let word =
                code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == "unsafe");
            assert!(excused || !word, "{inside}:{}: unsafe outside its modules", number + 1);
        }
    }
}

#[test]
fn no_unfinished_work_is_tracked() {
    let words = ["TO", "FIX", "XX"].map(|w| match w {
        "TO" => format!("{w}DO"),
        "FIX" => format!("{w}ME"),
        _ => format!("{w}X"),
    });
    for folder in ["crates", "tests", "scripts", "configs"] {
        for path in files(&root().join(folder), "") {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let rust = path.extension().is_some_and(|e| e == "rs");
            for (number, line) in text.lines().enumerate() {
                let place = format!("{}:{}", path.display(), number + 1);
                assert!(!words.iter().any(|w| line.contains(w.as_str())), "{place}: unfinished");
                assert!(
                    !rust || !line.trim_start().starts_with("#[ignore"),
                    "{place}: ignored test"
                );
            }
        }
    }
}

#[test]
fn every_crate_follows_the_workspace() {
    for (name, _) in ARROWS {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name} sets its own lints");
        assert!(manifest.contains("publish.workspace = true"), "{name} could be published");
        assert!(
            !manifest.contains("[features]"),
            "{name} has features: behaviour is configuration"
        );
    }
}

#[test]
fn the_top_level_shows_only_what_belongs_there() {
    let expected = [
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE",
        "README.md",
        "configs",
        "crates",
        "data",
        "models",
        "scripts",
        "tests",
    ];
    for entry in fs::read_dir(root()).expect("the root") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let known = name.starts_with('.') || name == "target" || expected.contains(&name.as_str());
        assert!(known, "{name} does not belong at the top level");
    }
}

#[test]
fn the_table_of_faults_names_tests_that_are_there() {
    let sources: String = ["crates", "tests"]
        .iter()
        .flat_map(|folder| files(&root().join(folder), ".rs"))
        .map(|path| read(&path))
        .collect();
    let table = read(&root().join("tests/README.md"));
    let names: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .filter(|name| name.contains('_') && !name.contains(['/', '.']) && *name != "auto_da_alloc")
        .collect();
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(sources.contains(&format!("fn {name}(")), "no test is named {name}");
    }
    let targets = files(&root().join("tests/fuzz/fuzz_targets"), ".rs");
    let targets = targets.iter().map(|path| path.file_stem().expect("a name").to_string_lossy());
    let named = table.split('`').filter_map(|name| name.strip_prefix("fuzz/"));
    let named: BTreeSet<&str> = named.filter(|name| !name.is_empty()).collect();
    assert_eq!(targets.collect::<BTreeSet<_>>(), named.into_iter().map(Into::into).collect());
}

#[test]
fn locked_packages_are_ours_or_from_crates_io_with_their_checksum() {
    let locks = files(&root(), "Cargo.lock");
    assert!(locks.len() >= 2, "{locks:?}");
    for path in locks {
        let lock: toml::Table = read(&path).parse().expect("TOML");
        let packages = lock["package"].as_array().expect("packages");
        for package in packages {
            let text = |key: &str| package.get(key).and_then(toml::Value::as_str);
            let name = text("name").expect("a name");
            let place = format!("{}: {name}", path.display());
            assert!(!NETWORK.iter().any(|word| name.starts_with(word)), "{place} is for networks");
            match text("source") {
                None => assert!(name.starts_with("keiko"), "{place} is a folder and not ours"),
                Some(source) => {
                    let index = "registry+https://github.com/rust-lang/crates.io-index";
                    assert_eq!(source, index, "{place}");
                    assert!(text("checksum").is_some_and(|it| it.len() == 64), "{place}");
                }
            }
        }
    }
}

#[test]
fn licences_of_others_allow_every_use() {
    // What is built here has been downloaded; nothing more is asked for.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value =
        serde_json::from_slice(&metadata.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name}: no licence"));
        assert!(is_allowed(licence), "{name}: {licence}");
    }
    for refused in ["GPL-3.0-only", "MIT AND LGPL-2.1", "(MIT OR ISC) AND MPL-2.0", ""] {
        assert!(!is_allowed(refused), "{refused}");
    }
}

/// Whether an SPDX expression lets one choose allowed licences. Its brackets are passed over, as if every `OR` bound more
/// than every `AND`, which never allows more than the expression does.
fn is_allowed(licence: &str) -> bool {
    let plain = licence.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|any| any.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}
