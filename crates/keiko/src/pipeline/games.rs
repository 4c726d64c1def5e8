//! The games of a generation in figures.

use std::collections::BTreeMap;

use keiko_selfplay::{GameClass, ResignCounts, Statistics, Thresholds};
use serde::{Deserialize, Serialize};

/// What the games of a generation look like; a line of `metrics.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Games {
    /// The generation.
    pub(crate) generation: u32,
    /// Games played.
    pub(crate) games: u64,
    /// Moves in all games, random opening moves included.
    pub(crate) plies: u64,
    /// Positions with a full search: those whose policy can be learnt.
    pub(crate) full_searches: u64,
    /// Share of games that were drawn, 0 to 1.
    pub(crate) draw_rate: f64,
    /// Black's mean score, a draw counted as one half, 0 to 1.
    pub(crate) black_score: f64,
    /// What a sennichite was worth to Black, where that followed earlier games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sennichite_value: Option<f32>,
    /// Games that have the start and the moves of an earlier one.
    pub(crate) duplicates: u64,
    /// Games whose records break the rules; in no other figure.
    pub(crate) bad_games: u64,
    /// Games by where they began; empty in lines of older programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) starts: BTreeMap<String, u64>,
    /// What resignation did, by the class of the game; empty in lines of older programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) resignations: BTreeMap<String, Resignations>,
    /// Where search and result say something else than the net did, by [`keiko_selfplay::Lessons::figures`]; empty
    /// in lines of older programs and where no net played.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) lessons: BTreeMap<String, f64>,
    /// Games played on past the resignation threshold in which a side would have resigned.
    pub(crate) would_resign: u64,
    /// Of these, those that this side did not lose.
    pub(crate) wrong_resignations: u64,
    /// Games by how they ended.
    pub(crate) ends: BTreeMap<String, u64>,
}

/// What resignation did to the games of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resignations {
    /// Expected score below which a turn counted as lost; 0 where nobody resigned.
    pub(crate) threshold: f32,
    /// Games played on in which a side would have resigned.
    pub(crate) would_resign: u64,
    /// Of these, those that this side did not lose.
    pub(crate) wrong: u64,
    /// Games that ended by resignation.
    pub(crate) resigned: u64,
}

impl Resignations {
    /// Their names and values, for curves.
    pub(crate) fn figures(&self) -> [(&'static str, f64); 4] {
        [
            ("threshold", f64::from(self.threshold)),
            ("would_resign", self.would_resign as f64),
            ("wrong", self.wrong as f64),
            ("resigned", self.resigned as f64),
        ]
    }
}

impl Games {
    /// The figures of a generation's games, in which sides resigned by these thresholds.
    pub(crate) fn of(generation: u32, games: &Statistics, thresholds: &Thresholds) -> Self {
        let counted = |counts: &BTreeMap<&'static str, u64>| {
            counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        let resignations: BTreeMap<String, Resignations> = GameClass::ALL
            .into_iter()
            .map(|class| {
                let ResignCounts { would_resign, wrong, resigned } = games.resignations(class);
                let threshold = thresholds.of(class);
                let figures = Resignations { threshold, would_resign, wrong, resigned };
                (class.name().to_owned(), figures)
            })
            .collect();
        Self {
            generation,
            games: games.games(),
            plies: games.plies(),
            full_searches: games.full_searches(),
            draw_rate: games.draw_rate(),
            black_score: games.black_score(),
            sennichite_value: None,
            duplicates: games.duplicates(),
            bad_games: games.bad_games(),
            starts: counted(games.starts()),
            would_resign: resignations.values().map(|it| it.would_resign).sum(),
            wrong_resignations: resignations.values().map(|it| it.wrong).sum(),
            resignations,
            lessons: games
                .lessons()
                .figures()
                .into_iter()
                .map(|(name, mean)| (name.to_owned(), mean))
                .collect(),
            ends: counted(games.ends()),
        }
    }

    /// Mean plies of a game; 0 without games.
    pub(crate) fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Share of the games that ended for a reason, 0 to 1.
    pub(crate) fn share(&self, reason: &str) -> f64 {
        let count = self.ends.get(reason).copied().unwrap_or(0);
        count as f64 / self.games.max(1) as f64
    }

    /// The reasons for which games ended, with their shares, 0 to 1.
    pub(crate) fn shares(&self) -> impl Iterator<Item = (&str, f64)> {
        self.ends.keys().map(|reason| (reason.as_str(), self.share(reason)))
    }
}
