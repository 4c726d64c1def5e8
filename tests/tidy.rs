//! Repository rules: the arrows between crates, where `unsafe` may stand, what the top level shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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
}
