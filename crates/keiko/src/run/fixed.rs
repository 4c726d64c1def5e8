//! What may change between two starts of a run.

use anyhow::bail;
use toml::{Table, Value};

use crate::config::RunConfig;

/// Keys that the games and nets of a run depend on; they stay as they were. A shard's number says which
/// games it holds only together with the size of shards, and a checkpoint is of one optimiser.
const FIXED: [&str; 7] = [
    "seed",
    "pipeline.mode",
    "rules",
    "network",
    "first_generation",
    "selfplay.shard_max_games",
    "trainer.optimiser.name",
];

/// The differences of two configs, a line each.
///
/// # Errors
/// A key that must stay has changed.
pub(super) fn differences(old: &RunConfig, new: &RunConfig) -> anyhow::Result<Vec<String>> {
    let heads = |config: &RunConfig| config.trainer.heads.heads();
    if heads(old) != heads(new) {
        bail!(
            "trainer.heads: a run keeps the heads it began with, each with any weight above 0: start a new run, or branch one \
             off with --from"
        );
    }
    let (old, new) = (Table::try_from(old)?, Table::try_from(new)?);
    let mut lines = Vec::new();
    compare("", &Value::Table(old), &Value::Table(new), &mut lines);
    let fixed = |line: &&String| {
        let key = line.split(' ').next().unwrap_or_default();
        FIXED
            .iter()
            .any(|f| key.strip_prefix(f).is_some_and(|r| r.is_empty() || r.starts_with('.')))
    };
    let refused: Vec<String> = lines.iter().filter(fixed).cloned().collect();
    if !refused.is_empty() {
        bail!(
            "this would change what the run's data mean: {}; start a new run",
            refused.join(", ")
        );
    }
    Ok(lines)
}

fn compare(key: &str, old: &Value, new: &Value, lines: &mut Vec<String>) {
    match (old, new) {
        (Value::Table(old), Value::Table(new)) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort();
            keys.dedup();
            for name in keys {
                let path = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                match (old.get(name), new.get(name)) {
                    (Some(old), Some(new)) => compare(&path, old, new, lines),
                    (Some(old), None) => lines.push(format!("{path} {old} -> absent")),
                    (None, Some(new)) => lines.push(format!("{path} absent -> {new}")),
                    (None, None) => {}
                }
            }
        }
        _ if old == new => {}
        _ => lines.push(format!("{key} {old} -> {new}")),
    }
}
