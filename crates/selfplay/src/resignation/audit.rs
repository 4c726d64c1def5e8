use keiko_play::{ResignWatch, Resignation};
use keiko_replay::{GameRecord, SearchKind, UNIFORM};
use keiko_shogi::{Color, Outcome};

use super::watch::may_resign;
use super::{ClassWatch, GameClass, ResignCounts, Thresholds};

/// Games that were played out, of which is known turn by turn who would have resigned at which threshold.
#[derive(Debug, Default)]
pub struct Audit {
    pub(super) games: Vec<AuditedGame>,
}

/// A game that was played out.
#[derive(Debug)]
pub(super) struct AuditedGame {
    pub(super) turns: Vec<AuditedTurn>,
    pub(super) outcome: Outcome,
}

/// A turn that was searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuditedTurn {
    pub(super) side: Color,
    pub(super) class: GameClass,
    /// The score that the side expected; none where it may not resign.
    pub(super) score: Option<f32>,
}

impl Audit {
    /// Takes a game if it was played out, by a net: search without one knows next to nothing.
    pub fn add(&mut self, record: &GameRecord) {
        if !record.resign_audit.played_on || record.models.iter().any(|model| model == UNIFORM) {
            return;
        }
        let Ok(mut game) = record.start_game() else { return };
        let mut watch = ClassWatch::default();
        let mut turns = Vec::new();
        for ply in &record.plies {
            watch.see(game.position());
            if ply.search != SearchKind::None {
                turns.push(AuditedTurn {
                    side: game.position().side_to_move(),
                    class: watch.class(game.ply()),
                    score: may_resign(&game).then(|| ply.root_wdl.score()),
                });
            }
            game.play(ply.mv);
        }
        self.games.push(AuditedGame { turns, outcome: record.outcome });
    }

    /// Games in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Of the games that would have been resigned in a class, how many, and how many wrongly, with these
    /// thresholds and so many lost turns in a row.
    #[must_use]
    pub fn counts(&self, class: GameClass, thresholds: &Thresholds, turns: u32) -> ResignCounts {
        let mut counts = ResignCounts::default();
        for game in &self.games {
            if let Some((side, found)) = game.first_resignation(thresholds, turns)
                && found == class
            {
                counts.would_resign += 1;
                counts.wrong += u64::from(game.outcome != Outcome::win_for(!side));
            }
        }
        counts
    }
}

impl AuditedGame {
    /// Who would have resigned first, and in which class the game was then.
    fn first_resignation(&self, thresholds: &Thresholds, turns: u32) -> Option<(Color, GameClass)> {
        let mut watch = ResignWatch::default();
        self.turns.iter().find_map(|&AuditedTurn { side, class, score }| {
            let threshold = if score.is_some() { thresholds.of(class) } else { 0.0 };
            let resignation = Resignation { threshold, turns };
            let resigns = watch.observe(side, score.unwrap_or(1.0), &resignation);
            resigns.then_some((side, class))
        })
    }
}
