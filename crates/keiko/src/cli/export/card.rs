//! The card of a model: what it is, how it was trained, how strong it is.

use std::fmt::Write as _;

use keiko_arena::gate::Verdict;
use keiko_encoding::EncodingId;
use keiko_model::{Manifest, tensors};

use crate::config::RunConfig;
use crate::run::Run;

/// What a model's card tells.
#[derive(Debug)]
pub(super) struct Card {
    manifest: Manifest,
    config: RunConfig,
    verdict: Option<Verdict>,
}

/// A file of a kit.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its name.
    pub(super) name: String,
    /// Its length.
    pub(super) bytes: usize,
    /// Digest of its bytes.
    pub(super) sha256: String,
}

impl Card {
    /// The card of a model of a run.
    pub(super) fn of(run: &Run, sha256: &str) -> anyhow::Result<Self> {
        Ok(Self {
            manifest: run.manifest(sha256)?,
            config: run.config().clone(),
            verdict: run.verdict(sha256)?,
        })
    }

    /// The model's name.
    pub(super) fn name(&self) -> &str {
        &self.manifest.name
    }

    /// The card as Markdown, with a list of files.
    pub(super) fn text(&self, files: &[Entry]) -> String {
        let mut text = format!(
            "# {}\n\nA net for shogi, trained by keiko from zero on games against itself: no game of a person or of \
             another program was learnt from.\n\n",
            self.name()
        );
        let facts = [
            ("weights (SHA-256)", self.manifest.weights_sha256.to_string()),
            ("net", self.net()),
            ("input planes", self.planes()),
            ("trained", self.training()),
            ("rules", self.rules()),
        ];
        text.push_str("| | |\n|---|---|\n");
        for (name, value) in facts {
            let _ = writeln!(text, "| {name} | {value} |");
        }
        let _ = write!(text, "\n## How strong it is\n\n{}\n", self.strength());
        text.push_str(
            "\n## What it is not good for\n\nHandicap games and composed positions, which it was not trained on. It has \
             no book. Its win rates are those of games against itself.\n\n## Files\n\n| file | bytes | SHA-256 |\n|---|---|---|\n",
        );
        for Entry { name, bytes, sha256 } in files {
            let _ = writeln!(text, "| {name} | {bytes} | {sha256} |");
        }
        text.push_str(
            "\n## Licence\n\n`LICENSE.txt` has the licences of the programs. That of the net is for whoever trained it to say.\n",
        );
        text
    }

    fn net(&self) -> String {
        let net = &self.manifest.architecture;
        let parameters: usize = tensors(net)
            .iter()
            .filter(|tensor| tensor.role.is_trained())
            .map(keiko_model::TensorSpec::len)
            .sum();
        let gate = match net.squeeze_excitation {
            0 => String::new(),
            channels => format!(", squeeze-excitation of {channels}"),
        };
        format!(
            "{} blocks of {} channels{gate}, {:?}, {parameters} parameters",
            net.blocks, net.channels, net.activation
        )
        .to_lowercase()
    }

    fn planes(&self) -> String {
        let readers = match self.manifest.architecture.encoding {
            EncodingId::Dlshogi57 => {
                "dlshogi without entering-king planes, FukauraOu with ModelArchitecture dlshogi-WCSC28"
            }
            EncodingId::Dlshogi119 => {
                "dlshogi with entering-king planes, FukauraOu with ModelArchitecture dlshogi-WCSC35"
            }
            EncodingId::Keiko1 => "keiko-usi alone",
        };
        format!("{}: {readers}", self.manifest.architecture.encoding)
    }

    fn training(&self) -> String {
        let lineage = &self.manifest.lineage;
        format!(
            "run {}, {} steps on {} rows from {} shards of games, searches of {} simulations, settings {}",
            lineage.run,
            lineage.step,
            lineage.rows,
            lineage.shards,
            self.config.selfplay.simulations,
            lineage.config_sha256
        )
    }

    fn rules(&self) -> String {
        let rules = &self.config.rules;
        let end = match rules.max_plies {
            0 => "no limit of plies".to_owned(),
            plies => format!("a draw after {plies} plies"),
        };
        format!("impasse {}, {end}", rules.impasse)
    }

    fn strength(&self) -> String {
        let Some(verdict) = &self.verdict else {
            return "It played no match in its run.".to_owned();
        };
        let games = &verdict.games;
        let elo = verdict.elo.map_or_else(String::new, |elo| {
            format!(
                ", Elo {:+.0} (95 %: {:+.0} to {:+.0})",
                elo.estimate + 0.0,
                elo.low + 0.0,
                elo.high + 0.0
            )
        });
        format!(
            "Against the run's champion before it, {}, at {} simulations a move: {}-{}-{} (won-drawn-lost){elo}. An Elo \
             between nets of one run says little about other opponents.",
            verdict.champion.get(..8).unwrap_or(&verdict.champion),
            self.config.gate.simulations,
            games.wins,
            games.draws,
            games.losses
        )
    }
}
