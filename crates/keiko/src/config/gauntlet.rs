//! The config of an event: `keiko gauntlet`.

use std::path::Path;

use keiko_arena::gauntlet::{
    EngineSettings, EventRules, GauntletSettings, GauntletSprt, ScheduleSettings,
};
use keiko_arena::referee::Adjudication;
use keiko_mcts::SearchSettings;
use serde::{Deserialize, Serialize};

use super::{ConfigError, InferenceSection, RulesSection, unknown_key};

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
            .map_err(|error| ConfigError::Parse(unknown_key::explain(path, &error)))?;
        config.check().map_err(|what| ConfigError::Range { path: path.to_owned(), what })?;
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
        match self.inference {
            Some(inference) => inference.check(),
            None => match self.engine.iter().find(|engine| engine.model.is_some()) {
                Some(engine) => Err(format!(
                    "engine {:?} is a model: a section [inference] is wanted",
                    engine.name
                )),
                None => Ok(()),
            },
        }
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
}
