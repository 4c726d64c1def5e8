//! One finished game, with what the search saw.

use keiko_encoding::EncodingId;
use keiko_shogi::{DrawValues, EndReason, Outcome, Rules};

mod audit;
mod codes;
mod error;
mod ply;
mod start;
mod validate;
mod wire;

pub use audit::ResignAudit;
pub use error::RecordError;
pub use ply::{PlyRecord, SearchKind};
pub use start::StartSource;
pub(crate) use validate::is_name;
pub use wire::{MAX_RECORD_BYTES, RECORD_VERSION};

/// The id, in place of a model's, of search that plays without a net. Its values are no targets.
pub const UNIFORM: &str = "uniform";

/// A game record, version 1.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The stream that the game belongs to (a generation, or one start of one process): 1 to 64 of
    /// the characters `A-Z a-z 0-9 . _ -`.
    pub stream: String,
    /// The game's number in its stream; `(stream, index)` names it in the whole run.
    pub index: u64,
    /// The seed that the game was played with.
    pub seed: u64,
    /// The models that searched it, by id (1 to 80 characters as in a stream); plies point here.
    pub models: Vec<String>,
    /// The encoding that the models read.
    pub encoding: EncodingId,
    /// The rules in force, with the maximum plies.
    pub rules: Rules,
    /// What draws were worth to the searches.
    pub draw_values: DrawValues,
    /// Where the start position came from.
    pub start_source: StartSource,
    /// The start position as SFEN with its move number.
    pub start: String,
    /// The result.
    pub outcome: Outcome,
    /// Why the game ended.
    pub end: EndReason,
    /// What resignation did, or would have done.
    pub resign_audit: ResignAudit,
    /// The moves in order.
    pub plies: Vec<PlyRecord>,
}

impl GameRecord {
    /// Stream and number of the game that decides whether this one is held out: its own, or those of the
    /// earlier game that it shares positions with.
    #[must_use]
    pub fn origin(&self) -> (&str, u64) {
        self.start_source.earlier_game().unwrap_or((&self.stream, self.index))
    }

    /// Whether a side lost by a fault that says nothing of the position: by the clock, or by a foul. Such a result is no
    /// value target.
    #[must_use]
    pub fn is_decided_by_fault(&self) -> bool {
        matches!(
            self.end,
            EndReason::TimeForfeit | EndReason::IllegalMove(_) | EndReason::FailedDeclaration
        )
    }

    /// How many plies were searched in the given way.
    #[must_use]
    pub fn plies_searched(&self, kind: SearchKind) -> u32 {
        self.plies.iter().map(|ply| u32::from(ply.search == kind)).sum()
    }
}
