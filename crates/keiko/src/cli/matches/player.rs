use keiko_arena::contest::Contender;
use keiko_arena::reference::Reference;
use keiko_encoding::EncodingId;
use keiko_inference::{Backend, BackendError};
use keiko_mcts::SearchSettings;

use crate::pipeline::Evaluator;
use crate::run::Run;

/// A player of a match.
pub(super) struct Player {
    /// What it is called in results.
    pub(super) name: String,
    /// What it is.
    pub(super) who: Who,
}

/// What a player is.
pub(super) enum Who {
    /// A net of the run.
    Net(Evaluator),
    /// A rule of thumb.
    Reference(Reference),
}

impl Player {
    /// The player that a person means by `name`.
    pub(super) fn named(run: &Run, name: &str) -> anyhow::Result<Self> {
        if let Some(player) = Reference::ALL.into_iter().find(|it| it.name() == name) {
            return Ok(Self { name: name.to_owned(), who: Who::Reference(player) });
        }
        let sha256 = match name {
            "champion" => run.champions().current()?.model,
            "untrained" => run.champions().untrained()?.model,
            start => run.model_named(start)?,
        };
        let net = Evaluator::net(&run.model(&sha256)?, run.config().inference);
        let short = &sha256[..12];
        let name = match name {
            "champion" | "untrained" => format!("{name} ({short})"),
            _ => short.to_owned(),
        };
        Ok(Self { name, who: Who::Net(net) })
    }

    /// The player as the arena knows it.
    pub(super) fn contender(&self, search: SearchSettings) -> Contender {
        match self.who {
            Who::Net(_) => Contender::Search(search),
            Who::Reference(player) => Contender::Reference(player),
        }
    }

    /// An evaluator for one worker.
    pub(super) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        match &self.who {
            Who::Net(net) => net.open(),
            // A rule of thumb asks nobody; any evaluator will do.
            Who::Reference(_) => Evaluator::Uniform(EncodingId::Dlshogi57).open(),
        }
    }
}
