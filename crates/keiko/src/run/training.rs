//! What training depends on beside the data.

use keiko_encoding::{Context, label};
use keiko_shogi::{Game, MoveList, Position};
use keiko_trainer::{Probe, Setup};

use super::Run;

/// Positions whose outputs every model's manifest holds: the start, a middle game with White to move, a
/// check, an ending with many pieces in hand.
const PROBES: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1g1g1nl/1r3ksb1/p3pp1pp/2s3p2/9/PB1p5/1PKPPPPPP/6SR1/LNS4NL w 3P2g 30",
    "lnsg3nl/1r2ks+P+R1/ppppgpp1p/4p4/8P/9/PPPPPPP2/1B7/LNSGKGSNL w BP 20",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
];

impl Run {
    /// The settings of the trainer.
    pub(crate) fn training(&self) -> anyhow::Result<Setup> {
        let config = &self.config;
        Ok(Setup {
            settings: config.trainer.clone(),
            replay: config.replay.clone(),
            architecture: config.network.clone(),
            seed: config.seed,
            run: self.name(),
            config_sha256: self.config_sha256,
            branch: self.branch()?,
            probes: PROBES.iter().map(|sfen| self.probe(sfen)).collect::<Result<_, _>>()?,
            watchdog: self.watchdog.clone(),
        })
    }

    pub(super) fn probe(&self, sfen: &str) -> anyhow::Result<Probe> {
        let (position, number) = Position::from_sfen(sfen)?;
        let game = Game::new(position, number, self.config.rules.rules());
        let encoding = self.config.network.encoding;
        let mut row = vec![0; encoding.row_bytes()];
        let context = Context { draw_values: self.config.rules.draw_values() };
        keiko_encoding::encode(encoding, &game, &context, &mut row);
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let side = game.position().side_to_move();
        let labels = moves.iter().map(|&mv| label(mv, side)).collect();
        Ok(Probe { position: sfen.to_owned(), row, labels })
    }
}
