use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use keiko_formats::{GameLine, SCORES_CP, TIMES_MS, per_move};
use keiko_shogi::Color;
use keiko_store::{LocalStore, LockError, PutError, RunLock, Store as _, StoreError};
use thiserror::Error;

use super::encounter::GameResult;
use super::{Event, Identity};
use crate::referee::{Fault, MoveNote};

/// The folder of an event: what it is (`event.json`), and its games (`games.usi`), a USI game line each, made durable one
/// by one. One process at a time.
#[derive(Debug)]
pub struct Journal {
    store: LocalStore,
    results: Vec<GameResult>,
    _lock: RunLock,
}

const EVENT: &str = "event.json";
const GAMES: &str = "games.usi";

/// Why an event's folder cannot be used. Nothing in it was changed.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Another process plays this event.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The folder or a file in it cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder is another event's.
    #[error(
        "{}: this event is another one: {key} was {there} and is {here} now; change it back, or give another folder",
        path.display()
    )]
    Other {
        /// The file that says what the folder's event is.
        path: PathBuf,
        /// What differs.
        key: String,
        /// Its value in the folder.
        there: String,
        /// Its value now.
        here: String,
    },
    /// The folder has files but no event.
    #[error("{}: not empty and no event's folder; give another one", .0.display())]
    Foreign(PathBuf),
    /// The folder has no event.
    #[error("{}: no event's folder: it has no event.json", .0.display())]
    NoEvent(PathBuf),
    /// A line is no game of this event.
    #[error("{}: line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

impl Journal {
    /// Opens an event's folder, which is made if it is not there, and reads the games so far. A line without an end,
    /// which a kill may leave, is cut off.
    ///
    /// # Errors
    /// The folder is another event's or another process's, or a game in it is damaged.
    pub fn open(
        folder: &Path,
        event: &Event,
        identity: &Identity,
    ) -> Result<Journal, JournalError> {
        // Hidden files are what a start that was killed may have left.
        let holds_files = std::fs::read_dir(folder).is_ok_and(|mut files| {
            files.any(|it| it.is_ok_and(|it| !it.file_name().to_string_lossy().starts_with('.')))
        });
        if holds_files && !folder.join(EVENT).is_file() {
            return Err(JournalError::Foreign(folder.to_owned()));
        }
        let store = LocalStore::create(folder)?;
        let lock = RunLock::acquire(folder, "gauntlet")?;
        match store.put_new(EVENT, identity.text().as_bytes()) {
            Ok(()) => {}
            Err(PutError::Exists { .. }) => check_same(&store, identity)?,
            Err(PutError::Store(error)) => return Err(error.into()),
        }
        let (results, whole) = read(&store, event)?;
        if let Some(whole) = whole {
            store.truncate(GAMES, whole)?;
        }
        Ok(Journal { store, results, _lock: lock })
    }

    /// The games so far in an event's folder, which may be in play. Nothing in it is changed.
    ///
    /// # Errors
    /// The folder is not that of this event, or a game in it is damaged.
    pub fn look(
        folder: &Path,
        event: &Event,
        identity: &Identity,
    ) -> Result<Vec<GameResult>, JournalError> {
        if !folder.join(EVENT).is_file() {
            return Err(JournalError::NoEvent(folder.to_owned()));
        }
        let store = LocalStore::open(folder)?;
        check_same(&store, identity)?;
        Ok(read(&store, event)?.0)
    }

    /// The games so far, in the order in which they ended.
    pub fn results(&self) -> &[GameResult] {
        &self.results
    }

    /// Writes a game down. It is durable when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn append(
        &mut self,
        result: &GameResult,
        line: &GameLine,
    ) -> Result<(), JournalError> {
        self.store.append(GAMES, &line.to_string())?;
        self.store.sync(GAMES)?;
        self.results.push(result.clone());
        Ok(())
    }

    /// Replaces a file beside the games that can be made again from them.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), JournalError> {
        Ok(self.store.put_status(name, text.as_bytes())?)
    }
}

/// Refuses another event.
fn check_same(store: &LocalStore, identity: &Identity) -> Result<(), JournalError> {
    let path = store.root().join(EVENT);
    let text = store.get(EVENT)?;
    let there = Identity::parse(&String::from_utf8_lossy(&text)).map_err(|error| {
        JournalError::Line { path: path.clone(), line: error.line(), what: error.to_string() }
    })?;
    let Some((key, there, here)) = there.difference(identity) else { return Ok(()) };
    let [key, there, here] = [key, there, here].map(str::to_owned);
    Err(JournalError::Other { path, key, there, here })
}

/// The games; and how many bytes their lines have, if a line without an end follows.
fn read(store: &LocalStore, event: &Event) -> Result<(Vec<GameResult>, Option<u64>), JournalError> {
    if !store.exists(GAMES)? {
        return Ok((Vec::new(), None));
    }
    let bytes = store.get(GAMES)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let path = store.root().join(GAMES);
    let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
    let (mut seen, mut results) = (BTreeSet::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        let failed = |what: String| JournalError::Line { path: path.clone(), line: number, what };
        let game = GameLine::parse(line).map_err(|error| failed(error.to_string()))?;
        let result = result_of(&game, event).map_err(failed)?;
        if !seen.insert((result.encounter, result.replay)) {
            return Err(failed("the game is there twice".to_owned()));
        }
        results.push(result);
    }
    Ok((results, (whole < bytes.len()).then_some(whole as u64)))
}

/// A game with what is known of its last moves, those that were not the opening's.
pub(super) fn noted(mut line: GameLine, notes: &[MoveNote]) -> GameLine {
    let opening = line.moves().len().saturating_sub(notes.len());
    let all = || std::iter::repeat_n(&MoveNote::NOTHING, opening).chain(notes);
    let tags = [
        (TIMES_MS, per_move(all().map(|note| note.time_ms))),
        (SCORES_CP, per_move(all().map(|note| note.black_cp))),
    ];
    for (key, value) in tags {
        if let Some(value) = value {
            line.add_tag(key, &value).expect("keys are plain, and values are numbers");
        }
    }
    line
}

/// A game with the tags that say what it was.
pub(super) fn tagged(
    mut line: GameLine,
    result: &GameResult,
    event: &Event,
    failure: Option<&str>,
) -> GameLine {
    let [black, white] = result.engines.map(|engine| event.entrants[engine].name.clone());
    let [black_ms, white_ms] = result.left_ms;
    let mut tags = vec![
        ("game", result.encounter.to_string()),
        ("replay", result.replay.to_string()),
        ("opening_number", event.encounter(result.encounter).opening.to_string()),
        ("black", black),
        ("white", white),
        ("outcome", result.outcome.name().to_owned()),
        ("reason", result.reason.to_string()),
        ("ply", result.plies.to_string()),
        ("left_ms", format!("{black_ms} {white_ms}")),
    ];
    if result.adjudicated {
        tags.push(("adjudicated", "true".to_owned()));
    }
    if let Some((color, fault)) = result.fault {
        tags.push(("fault", fault.name().to_owned()));
        tags.push(("faulty", color.to_string()));
        // What an engine said may hold anything.
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        tags.push(("failure", failure.unwrap_or_default().chars().map(plain).collect()));
    }
    for (key, value) in tags {
        line.add_tag(key, &value).expect("keys are plain, and values without control characters");
    }
    line
}

/// What the tags of a game say.
fn result_of(line: &GameLine, event: &Event) -> Result<GameResult, String> {
    let tag = |key: &str| line.tag(key).ok_or_else(|| format!("there is no tag {key}"));
    let number = |key: &str| -> Result<u32, String> {
        let text = tag(key)?;
        text.parse().map_err(|_| format!("tag {key}={text} is no number"))
    };
    let (encounter, replay) = (number("game")?, number("replay")?);
    if encounter >= event.encounters() {
        let all = event.encounters();
        return Err(format!(
            "game {encounter} of an event of {all}: schedule.games is smaller than it was"
        ));
    }
    let [first, second] = event.encounter(encounter).engines;
    let engines = if replay % 2 == 0 { [first, second] } else { [second, first] };
    for (key, engine) in [("black", engines[0]), ("white", engines[1])] {
        let (found, expected) = (tag(key)?, &event.entrants[engine].name);
        if found != expected {
            return Err(format!("{key} is {found:?} where {expected:?} has its turn"));
        }
    }
    let outcome = tag("outcome")?.parse().map_err(|error| format!("tag outcome: {error}"))?;
    let reason = tag("reason")?.parse().map_err(|error| format!("tag reason: {error}"))?;
    let left = tag("left_ms")?;
    let left_ms = left
        .split_once(' ')
        .and_then(|(black, white)| Some([black.parse().ok()?, white.parse().ok()?]))
        .ok_or_else(|| format!("tag left_ms={left} is not two numbers"))?;
    let fault = match line.tag("fault") {
        None => None,
        Some(name) => {
            let fault = Fault::named(name).ok_or_else(|| format!("unknown fault {name:?}"))?;
            let color: Color =
                tag("faulty")?.parse().map_err(|error| format!("faulty: {error}"))?;
            Some((color, fault))
        }
    };
    Ok(GameResult {
        encounter,
        replay,
        engines,
        outcome,
        reason,
        plies: number("ply")?,
        fault,
        adjudicated: line.tag("adjudicated").is_some(),
        left_ms,
    })
}
