use keiko_inference::EncodingId;
use keiko_mcts::{RootMove, RootSummary, Wdl};
use keiko_play::{FinishedGame, PlyTrace};
use keiko_replay::{
    GameRecord, PlyRecord, PolicyError, SearchKind, StoredPolicy, StoredWdl, WdlError,
};
use keiko_shogi::Move;

use crate::director::GameState;
use crate::generate::Generation;

/// Why a finished game is no record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A value of the search is no distribution over win, draw and loss.
    #[error("ply {ply}: {source}")]
    Wdl {
        /// The ply, from 0.
        ply: usize,
        /// What is wrong.
        source: WdlError,
    },
    /// A policy is no distribution over the legal moves.
    #[error("ply {ply}: {source}")]
    Policy {
        /// The ply, from 0.
        ply: usize,
        /// What is wrong.
        source: PolicyError,
    },
}

/// The record of a finished game. Moves before the first search, those of an earlier game among them, are plies
/// without a search.
pub(crate) fn of_game(
    generation: &Generation<'_>,
    encoding: EncodingId,
    finished: FinishedGame<GameState>,
) -> Result<GameRecord, RecordError> {
    let FinishedGame { end, game, plies: trace, state } = finished;
    let moves = game.moves();
    let unsearched = moves.len() - trace.len();
    let mut plies: Vec<PlyRecord> = moves[..unsearched].iter().map(|&mv| opening(mv)).collect();
    for (ply, &kind) in trace.iter().zip(&state.searches) {
        plies.push(searched(plies.len(), ply, kind)?);
    }
    Ok(GameRecord {
        stream: generation.stream.to_owned(),
        index: state.index,
        seed: state.seed,
        models: vec![generation.model.to_owned()],
        encoding,
        rules: generation.rules,
        draw_values: generation.draw_values,
        start_source: state.source,
        start: game.start_sfen(),
        outcome: end.outcome,
        end: end.reason,
        resign_audit: state.audit,
        plies,
    })
}

fn opening(mv: Move) -> PlyRecord {
    PlyRecord {
        mv,
        model: 0,
        search: SearchKind::None,
        raw_wdl: StoredWdl::DRAW,
        root_wdl: StoredWdl::DRAW,
        root_visits: 0,
        policy: StoredPolicy::EMPTY,
        raw_policy: StoredPolicy::EMPTY,
    }
}

/// The policy of a fast search is not kept: nothing learns from it.
fn searched(ply: usize, trace: &PlyTrace, search: SearchKind) -> Result<PlyRecord, RecordError> {
    let PlyTrace { mv, summary, .. } = trace;
    let policy = |share| stored_policy(ply, summary, share);
    let is_full = search == SearchKind::Full;
    Ok(PlyRecord {
        mv: *mv,
        model: 0,
        search,
        raw_wdl: stored_wdl(ply, summary.raw_wdl)?,
        root_wdl: stored_wdl(ply, summary.wdl)?,
        root_visits: if search == SearchKind::None { 0 } else { root_visits(summary) },
        policy: if is_full { policy(|root_move| root_move.policy)? } else { StoredPolicy::EMPTY },
        raw_policy: policy(|root_move| root_move.prior)?,
    })
}

/// A value at ply `ply` as it is stored.
pub(crate) fn stored_wdl(ply: usize, wdl: Wdl) -> Result<StoredWdl, RecordError> {
    let Wdl { win, draw, loss } = wdl;
    StoredWdl::from_shares([win, draw, loss]).map_err(|source| RecordError::Wdl { ply, source })
}

/// A policy at ply `ply` as it is stored.
pub(crate) fn stored_policy(
    ply: usize,
    summary: &RootSummary,
    share: fn(&RootMove) -> f32,
) -> Result<StoredPolicy, RecordError> {
    let pairs: Vec<(Move, f32)> =
        summary.moves.iter().map(|root_move| (root_move.mv, share(root_move))).collect();
    StoredPolicy::from_shares(&pairs).map_err(|source| RecordError::Policy { ply, source })
}

/// The root's own visit and those of its moves.
pub(crate) fn root_visits(summary: &RootSummary) -> u32 {
    1 + summary.moves.iter().map(|root_move| root_move.visits).sum::<u32>()
}
