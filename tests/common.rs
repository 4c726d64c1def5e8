//! What the tests of the programs share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, to be run from a folder that is not the repository, without LibTorch's variables.
pub(crate) fn keiko(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keiko"));
    command.args(arguments).current_dir(std::env::temp_dir());
    command.env_remove("LD_LIBRARY_PATH").env_remove("LIBTORCH");
    command
}

/// A folder of one test, removed with it.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder for the test `name`.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a scratch folder");
        Self(folder)
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The text of the tests' config with replacements, each of which must apply.
pub(crate) fn tiny_config(replacements: &[(&str, &str)]) -> String {
    let mut text = include_str!("configs/tiny.toml").to_owned();
    for (old, new) in replacements {
        assert!(text.contains(old), "the config has no {old:?}");
        text = text.replacen(old, new, 1);
    }
    text
}

/// All files below `folder`, by their paths in it, in order.
pub(crate) fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder_now) = open.pop() {
        for entry in fs::read_dir(&folder_now).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let inside = path.strip_prefix(folder).expect("below the folder");
                found.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}
