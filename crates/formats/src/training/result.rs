use keiko_shogi::Outcome;

use super::TrainingDataError;

/// How a game ended, as far as training data say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// Why, if it is one of the reasons that dlshogi marks; psv and older hcpe mark none.
    pub reason: Option<ResultReason>,
}

/// The reasons that dlshogi marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultReason {
    /// Sennichite, perpetual checks included.
    Sennichite,
    /// A declaration.
    Declaration,
    /// The maximum of plies.
    MaxPlies,
}

const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::BlackWins, Outcome::WhiteWins];
const REASONS: [(u8, ResultReason); 3] = [
    (0x04, ResultReason::Sennichite),
    (0x08, ResultReason::Declaration),
    (0x10, ResultReason::MaxPlies),
];

impl GameResult {
    /// The byte of hcpe and hcpe3.
    pub(super) fn byte(self) -> u8 {
        let outcome = OUTCOMES.iter().position(|&it| it == self.outcome).unwrap_or_default() as u8;
        let flag = REASONS.iter().find(|(_, reason)| Some(*reason) == self.reason);
        outcome | flag.map_or(0, |(flag, _)| *flag)
    }

    pub(super) fn of_byte(byte: u8) -> Result<GameResult, TrainingDataError> {
        let unknown = TrainingDataError::Result(byte);
        let Some(&outcome) = OUTCOMES.get(usize::from(byte & 3)) else { return Err(unknown) };
        let reason = match byte & !3 {
            0 => None,
            flag => match REASONS.iter().find(|(it, _)| *it == flag) {
                Some((_, reason)) => Some(*reason),
                None => return Err(unknown),
            },
        };
        Ok(GameResult { outcome, reason })
    }
}
