use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::answer::{Answer, OptionKind};

/// The value that a file beside a net gives to an option.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NetSetting {
    /// The option.
    pub name: String,
    /// Its value, not checked.
    pub value: String,
}

/// No file of settings is longer.
const MAX_BYTES: u64 = 1 << 16;

/// What files beside a net say of it, and what is wrong with them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetSettings {
    /// The settings, in the order of the text; of those of one name the last counts.
    pub settings: Vec<NetSetting>,
    /// What cannot be used, each with its line.
    pub problems: Vec<String>,
}

/// A file beside a net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetFile {
    /// `NET.ini`, as dlshogi reads it: `Name=value`, separated by white space.
    Ini,
    /// `eval_options.txt`, as FukauraOu reads it: `Name=value`, `Name value` or USI's `option name .. default ..` a line,
    /// and comments after `#` or `//`.
    EvalOptions,
}

impl NetFile {
    /// Where it is for the net at `model`.
    pub fn path(self, model: &Path) -> PathBuf {
        match self {
            NetFile::Ini => {
                let mut path = model.as_os_str().to_owned();
                path.push(".ini");
                PathBuf::from(path)
            }
            NetFile::EvalOptions => model.with_file_name("eval_options.txt"),
        }
    }

    /// Reads its text.
    pub fn parse(self, text: &str) -> NetSettings {
        let mut read = NetSettings::default();
        for (line, text) in (1..).zip(text.lines()) {
            match self {
                NetFile::Ini => {
                    for word in text.split_whitespace() {
                        let wanted = || format!("{word:?} is not Name=value");
                        read.add(line, pair(word).ok_or_else(wanted));
                    }
                }
                NetFile::EvalOptions => {
                    let text = text.trim();
                    let is_comment = text.starts_with('#') || text.starts_with("//");
                    if !text.is_empty() && !is_comment {
                        let wanted = || format!("{text:?} is not `Name value`");
                        read.add(line, of_line(text).ok_or_else(wanted));
                    }
                }
            }
        }
        read
    }
}

impl NetSettings {
    fn add(&mut self, line: u32, setting: Result<NetSetting, String>) {
        let problem = match setting {
            Err(problem) => Some(problem),
            Ok(NetSetting { name, value }) if name.is_empty() || value.is_empty() => {
                Some("an option without a name or a value".to_owned())
            }
            Ok(setting) => {
                let twice = self.settings.iter().any(|other| other.name == setting.name);
                let problem = twice.then(|| format!("{} is there twice", setting.name));
                self.settings.push(setting);
                problem
            }
        };
        self.problems.extend(problem.map(|problem| format!("line {line}: {problem}")));
    }
}

/// What the files beside a net say of it: `NET.ini` before `eval_options.txt` in the same folder. A file that does not
/// exist says nothing; the problems name the file.
///
/// # Errors
/// The file that cannot be read.
pub fn read_net_files(model: &Path) -> Result<NetSettings, (PathBuf, io::Error)> {
    let mut all = NetSettings::default();
    for file in [NetFile::Ini, NetFile::EvalOptions] {
        let path = file.path(model);
        let read = file.parse(&text_of(&path)?);
        all.settings.extend(read.settings);
        let named = |problem| format!("{}: {problem}", path.display());
        all.problems.extend(read.problems.into_iter().map(named));
    }
    Ok(all)
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
fn of_line(line: &str) -> Option<NetSetting> {
    if line.starts_with("option ") {
        let Some(Answer::Option(option)) = Answer::parse(line) else { return None };
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

    fn pairs(read: &NetSettings) -> Vec<(&str, &str)> {
        read.settings.iter().map(|s| (s.name.as_str(), s.value.as_str())).collect()
    }

    #[test]
    fn both_files_are_read_in_all_their_forms() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.onnx");
        assert_eq!(read_net_files(&model).unwrap(), NetSettings::default());
        std::fs::write(NetFile::Ini.path(&model), "C_init=1 junk\r\nC_base=2\n").unwrap();
        let text = "# constants\nC_init 3\n\nEval_Coef = 4\nword\n// more\n\
                    option name C_base_root type spin default 5 min 1 max 9\n";
        std::fs::write(NetFile::EvalOptions.path(&model), text).unwrap();
        let found = read_net_files(&model).unwrap();
        let expected = [
            ("C_init", "1"),
            ("C_base", "2"),
            ("C_init", "3"),
            ("Eval_Coef", "4"),
            ("C_base_root", "5"),
        ];
        assert_eq!(pairs(&found), expected);
        let problems: Vec<&str> =
            found.problems.iter().map(|it| it.rsplit_once('/').unwrap().1).collect();
        assert_eq!(
            problems,
            [
                "model.onnx.ini: line 1: \"junk\" is not Name=value",
                "eval_options.txt: line 5: \"word\" is not `Name value`"
            ]
        );
    }

    #[test]
    fn what_is_no_setting_is_named_with_its_line() {
        for (file, text, problem) in [
            (NetFile::Ini, "C_init", "line 1: \"C_init\" is not Name=value"),
            (NetFile::Ini, "a=1\n=2", "line 2: an option without a name or a value"),
            (NetFile::Ini, "a=", "line 1: an option without a name or a value"),
            (NetFile::Ini, "a=1\na=1", "line 2: a is there twice"),
            (NetFile::EvalOptions, "C_init", "line 1: \"C_init\" is not `Name value`"),
            (NetFile::EvalOptions, "a 1\na 2", "line 2: a is there twice"),
            (
                NetFile::EvalOptions,
                "option name a type button",
                "line 1: \"option name a type button\" is not `Name value`",
            ),
        ] {
            assert_eq!(file.parse(text).problems, [problem], "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("model.onnx.ini")).unwrap();
        let (path, _) = read_net_files(&folder.path().join("model.onnx")).unwrap_err();
        assert!(path.ends_with("model.onnx.ini"), "{}", path.display());
    }
}
