use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::GateMatch;
use crate::contest::ContestResult;
use crate::statistics::{Decision, EloInterval, Pentanomial, Trinomial};

/// The version of the file format.
const VERSION: u32 = 1;

/// The outcome of a gate match, `gate/<candidate>/verdict.toml`. Counts and Elo are the candidate's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Version of this file: 1.
    pub version: u32,
    /// SHA-256 of the candidate's model.
    pub candidate: String,
    /// SHA-256 of the champion's model.
    pub champion: String,
    /// Seed of the openings, in decimal: TOML's integers are too small for it.
    pub opening_seed: String,
    /// SHA-256 of everything else that determines the games.
    pub settings_sha256: String,
    /// Whether the candidate becomes champion.
    pub promoted: bool,
    /// How the test ended.
    pub decision: Decision,
    /// The log-likelihood ratio at the end.
    pub llr: f64,
    /// At or below this the candidate is rejected.
    pub llr_lower: f64,
    /// At or above this it is promoted.
    pub llr_upper: f64,
    /// Pairs by points: 0, ½, 1, 1½, 2 of 2.
    pub pairs: Pentanomial,
    /// Pairs that did not count because a game of theirs had been played before.
    pub repeated_pairs: u64,
    /// The advantage; absent if no pair counted.
    pub elo: Option<EloRange>,
    /// Games by result for the candidate.
    pub games: Trinomial,
    /// The same games by result for Black.
    pub black: Trinomial,
    /// Games by how they ended.
    pub reasons: BTreeMap<String, u64>,
}

/// An Elo advantage with its 95 % interval; infinite where every point was won or lost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EloRange {
    /// Lower end.
    pub low: f64,
    /// The estimate.
    pub estimate: f64,
    /// Upper end.
    pub high: f64,
}

/// Why a text is not a verdict.
#[derive(Debug, Error)]
pub enum VerdictError {
    /// It is not TOML with a verdict's keys.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// It is of a version this program does not know.
    #[error("version {0} is not known")]
    Version(u32),
}

impl Verdict {
    pub(super) fn of(game: &GateMatch<'_>, result: &ContestResult) -> Verdict {
        let sprt = &game.settings.sprt;
        let tally = &result.standing.tally;
        let elo = EloInterval::from_pairs(&tally.pairs).map(|elo| EloRange {
            low: elo.low.0,
            estimate: elo.estimate.0,
            high: elo.high.0,
        });
        Verdict {
            version: VERSION,
            candidate: game.candidate.to_owned(),
            champion: game.champion.to_owned(),
            opening_seed: game.opening_seed.to_string(),
            settings_sha256: game.settings_sha256(),
            promoted: result.decision.promotes(),
            decision: result.decision,
            llr: result.standing.llr,
            llr_lower: sprt.lower_bound(),
            llr_upper: sprt.upper_bound(),
            pairs: tally.pairs,
            repeated_pairs: tally.repeated_pairs,
            elo,
            games: tally.games,
            black: tally.black,
            reasons: tally.reasons.clone(),
        }
    }

    /// The text of the file.
    ///
    /// # Panics
    /// Never: every verdict can be written.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a verdict has only keys and values that TOML has")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// It is not a verdict of a known version.
    pub fn from_toml(text: &str) -> Result<Verdict, VerdictError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        match toml::from_str::<Head>(text)?.version {
            VERSION => Ok(toml::from_str(text)?),
            other => Err(VerdictError::Version(other)),
        }
    }

    /// The first field in which this is not the verdict of `game`. A verdict stays one when settings change later.
    pub(super) fn difference(&self, game: &GateMatch<'_>) -> Option<&'static str> {
        [
            ("candidate", self.candidate == game.candidate),
            ("champion", self.champion == game.champion),
        ]
        .into_iter()
        .find_map(|(field, same)| (!same).then_some(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict() -> Verdict {
        Verdict {
            version: VERSION,
            candidate: "aa".to_owned(),
            champion: "bb".to_owned(),
            opening_seed: u64::MAX.to_string(),
            settings_sha256: "cc".to_owned(),
            promoted: true,
            decision: Decision::AcceptH1,
            llr: 3.0,
            llr_lower: -2.5,
            llr_upper: 2.5,
            pairs: Pentanomial { counts: [0, 0, 1, 2, 3] },
            repeated_pairs: 1,
            elo: Some(EloRange { low: 10.0, estimate: 200.5, high: f64::INFINITY }),
            games: Trinomial { wins: 9, draws: 2, losses: 1 },
            black: Trinomial { wins: 6, draws: 2, losses: 4 },
            reasons: BTreeMap::from([("checkmate".to_owned(), 10), ("sennichite".to_owned(), 2)]),
        }
    }

    const TEXT: &str = r#"version = 1
candidate = "aa"
champion = "bb"
opening_seed = "18446744073709551615"
settings_sha256 = "cc"
promoted = true
decision = "accept_h1"
llr = 3.0
llr_lower = -2.5
llr_upper = 2.5
pairs = [0, 0, 1, 2, 3]
repeated_pairs = 1

[elo]
low = 10.0
estimate = 200.5
high = inf

[games]
wins = 9
draws = 2
losses = 1

[black]
wins = 6
draws = 2
losses = 4

[reasons]
checkmate = 10
sennichite = 2
"#;

    #[test]
    fn the_file_has_exactly_this_form() {
        assert_eq!(verdict().to_toml(), TEXT);
        assert_eq!(Verdict::from_toml(TEXT).unwrap(), verdict());
    }

    #[test]
    fn other_versions_and_unknown_keys_are_refused() {
        let newer = TEXT.replacen("version = 1", "version = 2\nmore = 3", 1);
        assert!(matches!(Verdict::from_toml(&newer), Err(VerdictError::Version(2))));
        let unknown = TEXT.replacen("version = 1", "version = 1\nmore = 3", 1);
        assert!(matches!(Verdict::from_toml(&unknown), Err(VerdictError::Toml(_))));
        assert!(Verdict::from_toml("").is_err());
    }
}
