//! USI's lines in both directions, and the files beside a net.

use keiko_shogi::Rules;
use keiko_usi::answer::{Answer, OptionKind};
use keiko_usi::command::{Command, Go, SetOption};
use keiko_usi::options::{NetFile, Options};

use super::memory;

/// Reads the first line of `data` as a command.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn command(data: &[u8]) {
    let Some(line) = first_line(data) else { return };
    let read = memory::within(line.len(), 200, || Command::parse(&line));
    let Ok(Some(command)) = read else { return };
    let written = command.to_string();
    assert_eq!(Command::parse(&written).as_ref(), Ok(&Some(command.clone())), "{written:?}");
    match command {
        Command::Position(text) => {
            if let Ok((game, _)) = text.game_as_asked(Rules::STANDARD) {
                assert!(game.moves().len() <= text.moves.len());
            }
        }
        Command::Go(go) => {
            let rest = line.trim_start().trim_start_matches("go");
            assert_eq!(Go::read(rest).0, go, "{line:?}");
        }
        Command::SetOption(SetOption { name, value: Some(value) }) => {
            let mut options = Options::defaults();
            let set = options.set(&name, &value);
            assert!(set.is_ok() || options == Options::defaults(), "{line:?}");
            takes_its_values(&options);
        }
        _ => {}
    }
}

/// Reads the first line of `data` as an engine's.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than the text explains.
pub fn answer(data: &[u8]) {
    let Some(line) = first_line(data) else { return };
    let Some(answer) = memory::within(line.len(), 200, || Answer::parse(&line)) else { return };
    let written = answer.to_string();
    assert_eq!(Answer::parse(&written), Some(answer), "{line:?} became {written:?}");
}

/// Reads `data` as a file beside a net: 0 and `eval_options.txt`, or anything else and `NET.ini`.
///
/// # Panics
/// Where settings do not come back, an option takes a value that it says it does not take, or reading takes more memory
/// than the text explains.
pub fn net_files(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let file = if first == 0 { NetFile::EvalOptions } else { NetFile::Ini };
    let read = memory::within(text.len(), 1000, || file.parse(&text));
    assert!(read.problems.iter().all(|problem| problem.starts_with("line ")), "{read:?}");
    let pairs = read.settings.iter().map(|it| format!("{}={}", it.name, it.value));
    for (pair, setting) in pairs.zip(&read.settings) {
        assert!(!setting.name.is_empty() && !setting.value.is_empty(), "{setting:?}");
        // An `option` line may name what `Name=value` cannot.
        if setting.name.contains('=') || setting.name.starts_with(['#', '/']) {
            continue;
        }
        let again = file.parse(&pair);
        assert!(pair.starts_with("option ") || again.settings == [setting.clone()], "{pair:?}");
    }
    let defaults = Options::defaults();
    takes_its_values(&defaults.with_net(&defaults, &read.settings).0);
}

fn takes_its_values(options: &Options) {
    for option in options.declarations() {
        let value = match &option.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. }
            | OptionKind::Text { default }
            | OptionKind::File { default } => default.clone(),
            OptionKind::Button => continue,
        };
        assert_eq!(option.kind.check(&value), Ok(()), "{}", option.name);
    }
}

/// The text up to the first end of line.
fn first_line(data: &[u8]) -> Option<String> {
    String::from_utf8_lossy(data).lines().next().map(str::to_owned)
}
