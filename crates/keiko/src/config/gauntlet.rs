//! The config of an event: `keiko gauntlet`.

use std::path::Path;

use keiko_arena::gauntlet::{
    EngineSettings, EventRules, GauntletSettings, GauntletSprt, ScheduleSettings,
};
use keiko_arena::referee::Adjudication;
use keiko_mcts::SearchSettings;
use serde::{Deserialize, Serialize};

use super::{ConfigError, InferenceSection, RulesSection, place, unknown_key};

/// Everything that determines an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GauntletConfig {
    /// The engines.
    pub(crate) engine: Vec<EngineSettings>,
    /// How the event is played.
    pub(crate) schedule: ScheduleSettings,
    /// The rules of its games.
    pub(crate) rules: RulesSection,
    /// When both engines' scores end a game; never without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) adjudication: Option<Adjudication>,
    /// The sequential test of an event of two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<GauntletSprt>,
    /// How models are computed, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) inference: Option<InferenceSection>,
    /// How models search, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) search: Option<SearchSettings>,
}

impl GauntletConfig {
    /// Reads and checks a config file.
    ///
    /// # Errors
    /// Names the file, and the key with the nearest one known, or the value out of range.
    pub(crate) fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let config: Self = toml::from_str(&text)
            .map_err(|error| ConfigError::Parse(unknown_key::explain(path, &text, &error)))?;
        config.check().map_err(|what| {
            let names =
                |engine: &EngineSettings| what.starts_with(&format!("engine {:?}", engine.name));
            let engine = config.engine.iter().position(names);
            let within = engine.map_or_else(String::new, |index| format!("engine[{index}]."));
            let what = place::with_line(&text, &what, &within);
            ConfigError::Range { path: path.to_owned(), what }
        })?;
        Ok(config)
    }

    /// The arena's part.
    pub(crate) fn settings(&self) -> GauntletSettings {
        GauntletSettings {
            engine: self.engine.clone(),
            schedule: self.schedule.clone(),
            adjudication: self.adjudication,
            sprt: self.sprt,
        }
    }

    /// The rules of the games, and how nets search.
    pub(crate) fn event_rules(&self) -> EventRules {
        EventRules {
            rules: self.rules.rules(),
            draw_values: self.rules.draw_values(),
            search: self.search,
        }
    }

    fn check(&self) -> Result<(), String> {
        self.rules.check()?;
        self.settings().validate().map_err(|error| error.to_string())?;
        if let Some(search) = &self.search {
            search.validate().map_err(|error| error.to_string())?;
        }
        let model = self.engine.iter().find(|engine| engine.model.is_some());
        for (section, is_there) in
            [("inference", self.inference.is_some()), ("search", self.search.is_some())]
        {
            match model {
                Some(engine) if !is_there => {
                    let name = &engine.name;
                    return Err(format!(
                        "engine {name:?} is a model: a section [{section}] is wanted"
                    ));
                }
                None if is_there => {
                    return Err(format!(
                        "[{section}] is for models, and no engine is one: leave it out"
                    ));
                }
                _ => {}
            }
        }
        self.inference.as_ref().map_or(Ok(()), InferenceSection::check)
    }
}

#[cfg(test)]
mod tests {
    use keiko_arena::gauntlet::{EngineKind, GauntletSettings};

    use super::*;

    #[test]
    fn the_events_that_come_with_the_program_are_right() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/gauntlet");
        let mut files = 0;
        for entry in std::fs::read_dir(folder).expect("configs/gauntlet") {
            let path = entry.expect("an entry").path();
            let config = GauntletConfig::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let settings: GauntletSettings = config.settings();
            assert!(!settings.pairings().expect("checked").is_empty());
            for engine in &config.engine {
                if let EngineKind::Program(program) = engine.kind().expect("checked") {
                    assert!(!program.is_empty());
                }
            }
            files += 1;
        }
        assert!(files >= 4, "{files}");
    }

    #[test]
    fn every_error_names_the_key_and_the_line() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/gauntlet/strength.toml");
        let text = std::fs::read_to_string(path).expect("a config");
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("event.toml");
        let line = |text: &str, of: &str| {
            1 + text[..text.find(of).expect("it is there")].matches('\n').count()
        };
        for (old, new, key) in [
            ("kind = \"round_robin\"", "kind = \"robin\"", "schedule.kind"),
            ("kind = \"round_robin\"", "kind = 3", "schedule.kind"),
            ("games = 40 ", "games = \"40\"", "schedule.games"),
            ("games = 40 ", "games = 41", "schedule.games"),
            ("plies = 8", "plies = \"8\"", "schedule.openings"),
            ("plies = 8", "plies = 0", "schedule.openings.plies"),
            ("replay_time = \"remaining\"", "replay_time = 1.5", "schedule.replay_time"),
            (
                "Threads = 1, USI_Hash = 16",
                "Threads = 1.5, USI_Hash = 16",
                "engine[4].options.Threads",
            ),
            ("c_init = 1.25\nc_base", "c_init = true\nc_base", "search.puct.c_init"),
            ("c_visit = 50.0", "c_visit = -50.0", "search.gumbel.c_visit"),
            ("reference = \"greedy\"", "reference = \"greedy\"\nnodes = 7", "nodes"),
        ] {
            let bad = text.replacen(old, new, 1);
            assert_ne!(bad, text, "{old}");
            std::fs::write(&path, &bad).expect("a file");
            let error = GauntletConfig::read(&path).expect_err(new).to_string();
            assert!(error.contains(key), "{new}: {error}");
            let changed = new.lines().find(|line| !old.contains(line)).expect("a change");
            let line = format!("line {}", line(&bad, changed));
            assert!(error.contains(&line) || key == "schedule.openings", "{line}: {error}");
        }
    }
}
