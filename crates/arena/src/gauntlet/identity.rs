use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use keiko_store::Sha256;
use serde_json::{Value, json};

use super::event::{EntrantPlayer, Event};

/// All that an event's results depend on, as a list of keys and values: an event can be resumed only where it is the
/// same. How many games there are, how many are played at once and which ratings are fixed is not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity(BTreeMap<String, String>);

/// Keys of the settings that may change from one start to the next.
const FREE: [&str; 5] = [
    "schedule.games",
    "schedule.concurrency",
    "schedule.batch_games",
    "schedule.start_patience_ms",
    "schedule.nodes_patience_ms",
];

impl Identity {
    /// That of an event. Files of engines are read for their hashes; a program that is looked for in the `PATH` has
    /// none.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    ///
    /// # Panics
    /// Never: settings are plain data, which can be written.
    pub fn of(event: &Event) -> Result<Identity, (PathBuf, std::io::Error)> {
        let settings = serde_json::to_value(&event.settings).expect("settings are plain data");
        let mut list = BTreeMap::new();
        flatten("", &settings, &mut list);
        list.retain(|key, _| !FREE.contains(&key.as_str()));
        for entrant in &event.entrants {
            list.remove(&format!("engine.{}.anchor", entrant.name));
        }
        let rules = event.rules.rules;
        let draws = event.rules.draw_values;
        let rules = json!({
            "impasse": rules.impasse.to_string(),
            "declaration": rules.declaration.to_string(),
            "max_plies": rules.max_plies,
            "handicap": rules.handicap.map(|handicap| handicap.to_string()),
            "draw_values": [draws.sennichite, draws.jishogi, draws.max_plies],
        });
        flatten("rules", &rules, &mut list);
        if event.entrants.iter().any(|it| matches!(it.player, EntrantPlayer::Model { .. })) {
            let search = serde_json::to_value(event.rules.search).expect("settings are plain data");
            flatten("search", &search, &mut list);
        }
        if let Some(sha256) = event.openings_sha256 {
            list.insert("schedule.openings.sha256".to_owned(), sha256.to_string());
        }
        for entrant in &event.entrants {
            let path = match &entrant.player {
                EntrantPlayer::Model { path, .. } => weights(path),
                EntrantPlayer::Program(engine) if engine.program.is_file() => {
                    engine.program.clone()
                }
                _ => continue,
            };
            let bytes = std::fs::read(&path).map_err(|error| (path, error))?;
            let key = format!("engine.{}.sha256", entrant.name);
            list.insert(key, Sha256::of(&bytes).to_string());
        }
        Ok(Identity(list))
    }

    /// As a JSON object.
    ///
    /// # Panics
    /// Never: texts can be written.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(&self.0).expect("texts can be written");
        format!("{text}\n")
    }

    /// Reads what [`text`](Self::text) writes.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(text: &str) -> Result<Identity, serde_json::Error> {
        serde_json::from_str(text).map(Identity)
    }

    /// The first key that is not the same, with its value there and here.
    pub fn difference<'a>(&'a self, other: &'a Identity) -> Option<(&'a str, &'a str, &'a str)> {
        let nothing = "(not given)";
        self.0.keys().chain(other.0.keys()).find_map(|key| {
            let value = |of: &'a Identity| of.0.get(key).map_or(nothing, String::as_str);
            (value(self) != value(other)).then(|| (key.as_str(), value(self), value(other)))
        })
    }
}

/// The file of a model that says which one it is.
pub(super) fn weights(path: &Path) -> PathBuf {
    let inside = path.join("weights.safetensors");
    if inside.is_file() {
        inside
    } else if path.is_dir() {
        path.join("model.onnx")
    } else {
        path.to_owned()
    }
}

/// The leaves of a value by their paths; engines go by their names.
fn flatten(path: &str, value: &Value, list: &mut BTreeMap<String, String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| flatten(&below(key), value, list));
        }
        Value::Array(items) if path == "engine" => {
            for (index, item) in items.iter().enumerate() {
                let name = item["name"].as_str().unwrap_or_default();
                flatten(&below(name), item, list);
                // Their order is part of the schedule.
                list.insert(format!("engine.{name}.place"), (index + 1).to_string());
            }
        }
        Value::Null => {}
        leaf => {
            list.insert(path.to_owned(), leaf.to_string());
        }
    }
}
