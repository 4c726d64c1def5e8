use std::cmp::Reverse;
use std::time::Duration;

use keiko_formats::win_rate;
use keiko_mcts::{Proof, RootMove, RootSummary};
use keiko_shogi::{Color, DrawValues, EndReason, Game, Move, Outcome};

use crate::answer::{BestMove, Choice, Info, MateScore, Score};
use crate::command::Go;
use crate::options::Options;

/// The answer of a search, with the lines that go before it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finished {
    pub(super) infos: Vec<Info>,
    pub(super) best: BestMove,
}

/// How a search's findings are told.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReportSettings {
    /// Lines shown.
    lines: usize,
    /// Time between two reports; `None` shows the last one only.
    pub(super) interval: Option<Duration>,
    /// Win rate at or below which to resign; `None` is never.
    resign_at: Option<f64>,
    /// Whether the answer names a move to ponder on.
    ponder: bool,
    /// Centipawns of one unit of log-odds.
    eval_coef: f64,
}

impl ReportSettings {
    pub(super) fn of(options: &Options, go: &Go) -> ReportSettings {
        let interval = u64::from(options.pv_interval_ms);
        let resigns = options.resign_threshold_permille > 0 && !go.infinite;
        ReportSettings {
            lines: options.multi_pv as usize,
            interval: (interval > 0).then(|| Duration::from_millis(interval)),
            resign_at: resigns.then(|| f64::from(options.resign_threshold_permille) / 1000.0),
            ponder: options.ponder,
            eval_coef: f64::from(options.eval_coef),
        }
    }

    /// Whether lines of other moves than the best are shown.
    pub(super) fn shows_others(&self) -> bool {
        self.lines > 1
    }
}

/// A search's findings at one moment.
pub(super) struct Findings<'a> {
    /// The position searched.
    pub(super) game: &'a Game,
    pub(super) draw_values: DrawValues,
    pub(super) summary: &'a RootSummary,
    /// The line expected after a move of the root, that move first.
    pub(super) variation: &'a dyn Fn(Move) -> Vec<Move>,
    pub(super) elapsed: Duration,
    /// The only moves to answer with; empty means all.
    pub(super) searchmoves: &'a [Move],
    /// A mate that was found beside the search; empty if there is none.
    pub(super) mate: &'a [Move],
}

impl Findings<'_> {
    /// The moves in the order of preference: a mate first, then the search's own choice, then by proof, visits and prior.
    fn ranked(&self) -> Vec<&RootMove> {
        let summary = self.summary;
        let mut moves: Vec<&RootMove> = summary
            .moves
            .iter()
            .filter(|root| self.searchmoves.is_empty() || self.searchmoves.contains(&root.mv))
            .collect();
        if moves.is_empty() {
            moves = summary.moves.iter().collect();
        }
        let proof = |root: &RootMove| match root.proof {
            Some(Proof::Win) => 2,
            Some(Proof::Loss) => 0,
            _ => 1,
        };
        moves.sort_by(|a, b| {
            let key = |root: &RootMove| {
                Reverse((self.mates(root), root.mv == summary.best, proof(root), root.visits))
            };
            key(a).cmp(&key(b)).then(b.prior.total_cmp(&a.prior)).then(a.mv.cmp(&b.mv))
        });
        moves
    }

    fn mates(&self, root: &RootMove) -> bool {
        self.mate.first() == Some(&root.mv)
    }

    /// The line that begins with a move, which is never empty.
    fn line(&self, root: &RootMove) -> Vec<Move> {
        if self.mates(root) {
            return self.mate.to_vec();
        }
        let line = (self.variation)(root.mv);
        if line.is_empty() { vec![root.mv] } else { line }
    }

    /// One line for each of the best moves.
    pub(super) fn infos(&self, settings: &ReportSettings) -> Vec<Info> {
        let time_ms = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX);
        let nodes = u64::from(self.summary.simulations);
        let nps = nodes as f64 / self.elapsed.as_secs_f64().max(1e-3);
        let ranked = self.ranked();
        let numbered = settings.lines > 1;
        (1..)
            .zip(ranked.iter().take(settings.lines))
            .map(|(rank, root)| {
                let pv = self.line(root);
                Info {
                    depth: Some(u32::try_from(pv.len()).unwrap_or(u32::MAX)),
                    time_ms: Some(time_ms),
                    nodes: Some(nodes),
                    nps: Some(nps as u64),
                    multipv: numbered.then_some(rank),
                    score: Some(self.score(root, &pv, settings)),
                    pv,
                    ..Info::default()
                }
            })
            .collect()
    }

    fn score(&self, root: &RootMove, pv: &[Move], settings: &ReportSettings) -> Score {
        if self.mates(root) {
            return Score::Mate(MateScore::Wins(u32::try_from(pv.len()).ok()));
        }
        match root.proof {
            Some(Proof::Win) => Score::Mate(MateScore::Wins(self.mate_plies(pv))),
            Some(Proof::Loss) => Score::Mate(MateScore::Loses(self.mate_plies(pv))),
            _ => {
                let rate = f64::from(root.score);
                Score::Centipawns(centipawns(rate, settings.eval_coef))
            }
        }
    }

    /// The length of the line if it ends in mate.
    fn mate_plies(&self, pv: &[Move]) -> Option<u32> {
        let mut game = self.game.clone();
        for &mv in pv {
            game.play(mv);
        }
        let end = game.end()?;
        let mate = matches!(end.reason, EndReason::Checkmate | EndReason::NoLegalMove);
        mate.then(|| u32::try_from(pv.len()).unwrap_or(u32::MAX))
    }

    /// Whether the side to move can declare a draw that is worth more to it than playing on.
    fn declares_draw(&self, best: &RootMove) -> bool {
        let to_black = self.draw_values.jishogi;
        let worth = match self.game.position().side_to_move() {
            Color::Black => to_black,
            Color::White => 1.0 - to_black,
        };
        best.score < worth && self.game.can_declare() == Some(Outcome::Draw)
    }

    /// The answer: the best move, a declaration, or resignation.
    pub(super) fn finish(&self, settings: &ReportSettings) -> Finished {
        let infos = self.infos(settings);
        let Some(best) = self.ranked().into_iter().next() else {
            return Finished { infos, best: BestMove::new(Choice::Resign) };
        };
        let mates = self.mates(best);
        if !mates && self.declares_draw(best) {
            return Finished { infos, best: BestMove::new(Choice::Win) };
        }
        if !mates && settings.resign_at.is_some_and(|limit| f64::from(best.score) <= limit) {
            return Finished { infos, best: BestMove::new(Choice::Resign) };
        }
        let reply = self.line(best).get(1).copied();
        let ponder = reply.filter(|_| settings.ponder);
        Finished { infos, best: BestMove { choice: Choice::Move(best.mv), ponder } }
    }
}

/// A win rate in centipawns, at so many of one unit of log-odds.
fn centipawns(rate: f64, coefficient: f64) -> i32 {
    let usual = f64::from(win_rate::centipawns(rate));
    let limit = f64::from(win_rate::CENTIPAWN_LIMIT);
    let scaled = usual * coefficient / win_rate::CENTIPAWNS_PER_LOG_ODDS;
    scaled.clamp(-limit, limit).round() as i32
}
