//! Which learner may write.

use keiko_store::{NumberedLog, Store};
use serde::{Deserialize, Serialize};

use crate::TrainError;

/// The folder of the log of claims.
const FOLDER: &str = "learner";

/// A learner's claim to be the only one: the newest entry of the numbered log. A learner that lost
/// its claim notices when it next checks and writes nothing any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Epoch(u32);

/// An entry of the log; its place is the epoch.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    epoch: u32,
}

impl Epoch {
    /// Claims the next epoch of the run in `store`.
    pub(crate) fn claim(store: &dyn Store) -> Result<Self, TrainError> {
        let log = NumberedLog::new(store, FOLDER);
        let epoch = log.len()?;
        let claim = toml::to_string(&Claim { epoch }).expect("a number has a text");
        log.append(epoch, claim.as_bytes())?;
        Ok(Self(epoch))
    }

    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// Fails if a later epoch was claimed.
    pub(crate) fn check(self, store: &dyn Store) -> Result<(), TrainError> {
        let newest = NumberedLog::new(store, FOLDER).len()?.saturating_sub(1);
        if newest == self.0 { Ok(()) } else { Err(TrainError::Stale { epoch: self.0, newest }) }
    }
}

#[cfg(test)]
mod tests {
    use keiko_store::LocalStore;

    use super::*;

    #[test]
    fn a_later_claim_makes_the_earlier_one_stale() {
        let dir = tempfile::tempdir().unwrap();
        let store = LocalStore::open(dir.path()).unwrap();
        let first = Epoch::claim(&store).unwrap();
        first.check(&store).unwrap();
        let second = Epoch::claim(&store).unwrap();
        assert_eq!((first.number(), second.number()), (0, 1));
        second.check(&store).unwrap();
        let stale = first.check(&store);
        assert!(matches!(stale, Err(TrainError::Stale { epoch: 0, newest: 1 })));
    }
}
