use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::console::Console;

/// Golden conversations: `>` the GUI, `<` the engine, `#` a comment. Times are written `_`.
#[test]
fn conversations_are_as_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "usi"));
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let found = talk(&text, update);
        if update {
            fs::write(&path, found).unwrap();
        } else {
            assert_eq!(found, text, "{}", path.display());
        }
    }
}

/// Plays the GUI's lines and returns the conversation with what the engine really said.
fn talk(script: &str, update: bool) -> String {
    let mut console = Console::hashed();
    let mut found = String::new();
    let mut lines = script.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('<') {
            continue;
        }
        found += &format!("{line}\n");
        let Some(command) = line.strip_prefix("> ") else { continue };
        console.send(command);
        let mut expected = 0;
        while lines.next_if(|line| line.starts_with('<')).is_some() {
            expected += 1;
        }
        if update {
            while let Some(answer) = console.line_within(Duration::from_millis(300)) {
                found += &format!("< {}\n", without_times(&answer));
            }
        } else {
            for _ in 0..expected {
                found += &format!("< {}\n", without_times(&console.line()));
            }
        }
    }
    for extra in console.close() {
        found += &format!("< {}\n", without_times(&extra));
    }
    found
}

/// Replaces the numbers after `time` and `nps`.
fn without_times(line: &str) -> String {
    let mut hide = false;
    let words = line.split(' ').map(|word| {
        let shown = if hide { "_" } else { word };
        hide = line.starts_with("info ") && matches!(word, "time" | "nps");
        shown
    });
    words.collect::<Vec<_>>().join(" ")
}
