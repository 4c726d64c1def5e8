//! Does everything that a store can do, round after round, and prints each promise once the store has made it: for
//! those who kill it meanwhile, cut the power or let the disk fail, and then look whether the promises were kept.
//!
//! usage: `promises FOLDER ROUNDS`. Started again it goes on with the round that was cut short.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use keiko_store::{LocalStore, LogError, NumberedLog, Replacement, RunLock, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, rounds] = &arguments[..] else {
        return Err("usage: promises FOLDER ROUNDS".into());
    };
    let folder = Path::new(folder);
    let store = LocalStore::create(folder)?;
    let _lock = RunLock::acquire(folder, "torture")?;
    let log = NumberedLog::new(&store, "log");
    let first = log.len()?;
    // Lines that no entry of the log speaks of are those of the round that was cut short.
    store.truncate("lines.txt", lines(first))?;
    for round in first..rounds.parse()? {
        let bytes = content(round);
        store.put_same(&format!("objects/{round:03}"), &bytes)?;
        promise(&format!("object {round}"))?;
        store.put_status("status/now.json", &bytes)?;
        store.append("lines.txt", &format!("line {round:03}"))?;
        store.sync("lines.txt")?;
        promise(&format!("line {round}"))?;
        let mut replacement = Replacement::create(&folder.join("replaced.bin"))?;
        replacement.write(&bytes[..bytes.len() / 2])?;
        replacement.write(&bytes[bytes.len() / 2..])?;
        replacement.publish()?;
        promise(&format!("replacement {round}"))?;
        if let Some(old) = round.checked_sub(3) {
            promise(&format!("deleting {old}"))?;
            store.delete(&format!("objects/{old:03}"))?;
        }
        match log.append(round, format!("round = {round}\n").as_bytes()) {
            Ok(()) | Err(LogError::Exists { .. }) => promise(&format!("entry {round}"))?,
            Err(error) => return Err(error.into()),
        }
    }
    promise("done")
}

/// What a round writes: enough for some pages.
fn content(round: u32) -> Vec<u8> {
    format!("{round:03}\n").repeat(3000).into_bytes()
}

/// The length of so many lines.
fn lines(count: u32) -> u64 {
    u64::from(count) * "line 000\n".len() as u64
}

/// Says what holds from now on, at once.
fn promise(text: &str) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
