use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::answer::{Answer, OptionKind};

/// The value that a file beside a net gives to an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetSetting {
    /// The option.
    pub name: String,
    /// Its value, not checked.
    pub value: String,
}

/// No file of settings is longer.
const MAX_BYTES: u64 = 1 << 16;

/// What the files beside a net say of it: `NET.ini`, as dlshogi reads it, before `eval_options.txt` in the same folder, as
/// YaneuraOu does. A file that does not exist says nothing.
///
/// # Errors
/// The file that cannot be read.
pub fn read_net_files(model: &Path) -> Result<Vec<NetSetting>, (PathBuf, io::Error)> {
    let mut ini = model.as_os_str().to_owned();
    ini.push(".ini");
    let (ini, other) = (PathBuf::from(ini), model.with_file_name("eval_options.txt"));
    let mut settings = Vec::new();
    settings.extend(text_of(&ini)?.split_whitespace().filter_map(pair));
    settings.extend(text_of(&other)?.lines().filter_map(line));
    Ok(settings)
}

fn text_of(path: &Path) -> Result<String, (PathBuf, io::Error)> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err((path.to_owned(), error)),
        Ok(_) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

fn pair(text: &str) -> Option<NetSetting> {
    let (name, value) = text.split_once('=')?;
    Some(NetSetting { name: name.trim().to_owned(), value: value.trim().to_owned() })
}

/// A line `NAME=VALUE`, `NAME VALUE` or `option name NAME type .. default VALUE ..`.
fn line(line: &str) -> Option<NetSetting> {
    let line = line.trim();
    if let Some(Answer::Option(option)) = Answer::parse(line) {
        let value = match option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. }
            | OptionKind::Text { default }
            | OptionKind::File { default } => default,
            OptionKind::Button => return None,
        };
        return Some(NetSetting { name: option.name, value });
    }
    pair(line).or_else(|| {
        let (name, value) = line.split_once(char::is_whitespace)?;
        Some(NetSetting { name: name.to_owned(), value: value.trim().to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_are_read_in_all_their_forms() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.onnx");
        assert_eq!(read_net_files(&model).unwrap(), []);
        std::fs::write(folder.path().join("model.onnx.ini"), "C_init=1 junk\r\nC_base=2\n")
            .unwrap();
        let text = "C_init 3\n\nEval_Coef=4\nword\noption name C_base_root type spin default 5 min 1 max 9\n";
        std::fs::write(folder.path().join("eval_options.txt"), text).unwrap();
        let found = read_net_files(&model).unwrap();
        let found: Vec<_> = found.iter().map(|s| (s.name.as_str(), s.value.as_str())).collect();
        assert_eq!(
            found,
            [
                ("C_init", "1"),
                ("C_base", "2"),
                ("C_init", "3"),
                ("Eval_Coef", "4"),
                ("C_base_root", "5")
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("model.onnx.ini")).unwrap();
        let (path, _) = read_net_files(&folder.path().join("model.onnx")).unwrap_err();
        assert!(path.ends_with("model.onnx.ini"), "{}", path.display());
    }
}
