//! Games as the training data of other programs.

use keiko_formats::training::{
    EvaluatedPosition, GameResult, ResultReason, SearchedGame, SearchedPly,
};
use keiko_formats::win_rate::centipawns;
use keiko_shogi::EndReason;

use crate::record::{GameRecord, PlyRecord, RecordError, SearchKind};

impl GameRecord {
    /// As a record of dlshogi's hcpe3. Plies of full searches have candidates, whose visits are the units of the policy
    /// (they sum to 65,535); the others are there to be played only. Values are those of the search.
    ///
    /// # Errors
    ///
    /// [`RecordError::Start`] if the start position is none.
    pub fn to_searched_game(&self) -> Result<SearchedGame, RecordError> {
        let game = self.start_game()?;
        let plies = self.plies.iter().map(|ply| SearchedPly {
            mv: ply.mv,
            score: score(ply),
            candidates: match ply.search {
                SearchKind::Full => ply.policy.pairs().to_vec(),
                SearchKind::Fast | SearchKind::None => Vec::new(),
            },
        });
        Ok(SearchedGame {
            start: game.position().clone(),
            result: self.result(),
            opponent: None,
            plies: plies.collect(),
        })
    }

    /// The positions of full searches, each with the search's value and the move of the largest share of its policy.
    ///
    /// # Errors
    ///
    /// [`RecordError::Start`] if the start position is none.
    pub fn to_positions(&self) -> Result<Vec<EvaluatedPosition>, RecordError> {
        let mut game = self.start_game()?;
        let mut positions = Vec::new();
        for (number, ply) in (game.start_move_number()..).zip(&self.plies) {
            if ply.search == SearchKind::Full {
                let best = ply.policy.pairs().iter().max_by_key(|&&(_, units)| units);
                positions.push(EvaluatedPosition {
                    position: game.position().clone(),
                    move_number: u16::try_from(number).ok(),
                    score: score(ply),
                    best: best.map(|&(mv, _)| mv),
                    result: self.result(),
                });
            }
            game.play(ply.mv);
        }
        Ok(positions)
    }

    fn result(&self) -> GameResult {
        let reason = match self.end {
            EndReason::Sennichite => Some(ResultReason::Sennichite),
            EndReason::NyugyokuDeclaration => Some(ResultReason::Declaration),
            EndReason::MaxPlies => Some(ResultReason::MaxPlies),
            EndReason::PerpetualCheck
            | EndReason::Jishogi
            | EndReason::Try
            | EndReason::Checkmate
            | EndReason::NoLegalMove
            | EndReason::Resignation
            | EndReason::TimeForfeit
            | EndReason::IllegalMove(_)
            | EndReason::FailedDeclaration
            | EndReason::Aborted => None,
        };
        GameResult { outcome: self.outcome, reason }
    }
}

/// The search's value in centipawns; 0 where nothing was searched.
fn score(ply: &PlyRecord) -> i16 {
    if ply.search == SearchKind::None {
        return 0;
    }
    let [win, draw, _] = ply.root_wdl.shares();
    // Within 30,000 either way.
    centipawns(f64::from(win) + 0.5 * f64::from(draw)) as i16
}
