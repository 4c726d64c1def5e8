use std::path::Path;

use anyhow::{Context as _, bail};
use keiko_arena::contest::Contender;
use keiko_arena::reference::Reference;
use keiko_encoding::EncodingId;
use keiko_inference::{Backend, BackendError, Uniform};
use keiko_mcts::SearchSettings;

use crate::cli::model::Model;
use crate::config::InferenceSection;
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
    /// A net of the run, or one from elsewhere.
    Net(Model),
    /// A rule of thumb.
    Reference(Reference),
}

impl Player {
    /// The player that a person means by `name`: a reference player, a net of the run, or a file or folder.
    pub(super) fn named(
        run: Option<&Run>,
        name: &str,
        inference: &InferenceSection,
    ) -> anyhow::Result<Self> {
        if let Some(player) = Reference::ALL.into_iter().find(|it| it.name() == name) {
            return Ok(Self { name: name.to_owned(), who: Who::Reference(player) });
        }
        let of_run = ["champion", "untrained"].contains(&name);
        if !of_run && Path::new(name).exists() {
            let who = Who::Net(Model::read(Path::new(name), inference)?);
            return Ok(Self { name: name.to_owned(), who });
        }
        let Some(run) = run else {
            bail!(
                "{name}: there is no such file or folder; a net of a run needs --run, others are `random` and `greedy`"
            );
        };
        let sha256 = match name {
            "champion" => run.champions().current()?.model,
            "untrained" => run.champions().untrained()?.model,
            start => run.model_named(start).context(
                "it is no file and no folder, and none of `champion`, `untrained`, `random` and `greedy`",
            )?,
        };
        let who = Who::Net(Model::read(&run.dir().join("models").join(&sha256), inference)?);
        let short = &sha256[..12];
        let name = if of_run { format!("{name} ({short})") } else { short.to_owned() };
        Ok(Self { name, who })
    }

    /// The player as the arena knows it.
    pub(super) fn contender(&self, search: SearchSettings) -> Contender {
        match self.who {
            Who::Net(_) => Contender::Search(search),
            Who::Reference(player) => Contender::Reference(player),
        }
    }

    /// Whether it looks ahead.
    pub(super) fn searches(&self) -> bool {
        matches!(self.who, Who::Net(_))
    }

    /// An evaluator for one worker.
    pub(super) fn open(&self) -> Result<Box<dyn Backend>, BackendError> {
        match &self.who {
            Who::Net(net) => net.open(),
            // A rule of thumb asks nobody; any evaluator will do.
            Who::Reference(_) => Ok(Box::new(Uniform::new(EncodingId::Dlshogi57))),
        }
    }
}
