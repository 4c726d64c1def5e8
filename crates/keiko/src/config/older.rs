//! Configs of runs that an older program began.

use keiko_formats::win_rate::CENTIPAWNS_PER_LOG_ODDS;
use toml::{Table, Value};

/// Keys that came later, each with the value that does what programs did before there was the key.
const LATER: [(&str, Value); 32] = [
    ("watchdog_minutes", Value::Integer(0)),
    ("search.mate_in_three_nodes", Value::Integer(0)),
    ("search.superior_repetition", Value::Boolean(false)),
    ("search.stop.decided", Value::Boolean(false)),
    ("search.stop.min_kld_gain", Value::Float(0.0)),
    ("search.stop.kld_interval_visits", Value::Integer(100)),
    ("search.puct.forced_playouts", Value::Float(0.0)),
    ("search.puct.lcb_stdevs", Value::Float(0.0)),
    ("selfplay.growth.simulations", Value::Integer(16)),
    ("selfplay.growth.generations", Value::Integer(0)),
    ("selfplay.starts.book", Value::Float(0.0)),
    ("selfplay.starts.book_file", Value::String(String::new())),
    ("selfplay.starts.shuffled", Value::Float(0.0)),
    ("selfplay.starts.fork", Value::Float(0.0)),
    ("selfplay.starts.before_end", Value::Float(0.0)),
    ("selfplay.starts.before_end_plies", Value::Integer(20)),
    ("selfplay.resignation.adapt", Value::Boolean(false)),
    ("selfplay.resignation.target_wrong", Value::Float(0.05)),
    ("selfplay.resignation.min_audited", Value::Integer(200)),
    ("selfplay.resignation.audited_games", Value::Integer(2000)),
    ("selfplay.resignation.step", Value::Float(0.01)),
    ("trainer.heads.reply", Value::Float(0.0)),
    ("trainer.heads.plies_left", Value::Float(0.0)),
    ("trainer.heads.soft_policy", Value::Float(0.0)),
    ("selfplay.replayed_draws.games", Value::Integer(0)),
    ("selfplay.replayed_draws.min_games", Value::Integer(200)),
    ("selfplay.replayed_draws.max_off", Value::Float(0.1)),
    ("replay.surprise_weight", Value::Float(0.0)),
    ("replay.data.shuffle_rows", Value::Integer(200_000)),
    ("replay.data.centipawns_per_log_odds", Value::Float(CENTIPAWNS_PER_LOG_ODDS)),
    ("pipeline.max_ahead", Value::Float(2.0)),
    ("pipeline.max_stale", Value::Integer(0)),
];

/// The config with the keys it lacks because they came later. Where a whole section lacks that was always there, it is no
/// such config, and stays as it is.
pub(super) fn completed(mut config: Table) -> Table {
    if config.contains_key("generations") {
        config.entry("pipeline").or_insert_with(|| Value::Table(Table::new()));
    }
    let sync = ("pipeline.mode", Value::String("sync".to_owned()));
    for (path, value) in LATER.into_iter().chain([sync]) {
        if !path.contains('.') && config.contains_key("generations") {
            config.entry(path).or_insert(value);
            continue;
        }
        let mut names = path.split('.');
        let section = names.next().and_then(|name| config.get_mut(name));
        let Some(mut table) = section.and_then(Value::as_table_mut) else { continue };
        let mut names = names.peekable();
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                table.entry(name).or_insert(value);
                break;
            }
            let inner = table.entry(name).or_insert_with(|| Value::Table(Table::new()));
            match inner.as_table_mut() {
                Some(inner) => table = inner,
                None => break,
            }
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_and_what_is_missing_is_as_before() {
        let table = |text: &str| text.parse::<Table>().expect("TOML");
        let old = "generations = 1\n[search]\nroot = 1\n[search.puct]\nlcb_stdevs = 5.0";
        let new = completed(table(old));
        assert_eq!(new["watchdog_minutes"], Value::Integer(0));
        let search = &new["search"];
        assert_eq!(search["root"], Value::Integer(1));
        assert_eq!(search["mate_in_three_nodes"], Value::Integer(0));
        assert_eq!(search["stop"]["decided"], Value::Boolean(false));
        assert_eq!(search["puct"]["lcb_stdevs"], Value::Float(5.0));
        assert_eq!(completed(new.clone()), new);
        for other in ["", "search = 3", "[other]\nx = 1"] {
            assert_eq!(completed(table(other)), table(other));
        }
        let odd = completed(table("[search]\nstop = 3"));
        assert_eq!(odd["search"]["stop"], Value::Integer(3));
    }
}
