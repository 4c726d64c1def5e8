//! Whole searches against the same searches by mctx; tests/golden/README.md says how they were made.

use keiko_mcts::{Rescale, RootKind, RootMove, RootSummary, Search, SearchSettings};
use keiko_shogi::DrawValues;

use crate::hashed::hashed;
use crate::support::{game, mv, noisy, root_move, run, settings};

/// How far our single precision may be from mctx's double precision.
const NEAR: f32 = 1e-5;

/// A search and what mctx found.
struct Case {
    header: String,
    visited: Vec<Visited>,
}

/// A move of the root that mctx visited.
struct Visited {
    mv: String,
    visits: u32,
    score: f32,
    weight: f32,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("../golden/mctx.txt").lines() {
        if line.starts_with("case") {
            cases.push(Case { header: line.to_owned(), visited: Vec::new() });
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [mv, visits, score, weight] = words[..] else { panic!("{line}") };
        cases.last_mut().unwrap().visited.push(Visited {
            mv: mv.to_owned(),
            visits: visits.parse().unwrap(),
            score: score.parse().unwrap(),
            weight: weight.parse().unwrap(),
        });
    }
    cases
}

impl Case {
    fn value(&self, key: &str) -> &str {
        let mut words = self.header.split_whitespace();
        words.find(|word| *word == key).unwrap();
        words.next().unwrap()
    }

    fn number(&self, key: &str) -> f32 {
        self.value(key).parse().unwrap()
    }

    fn settings(&self) -> SearchSettings {
        let mut settings = settings(RootKind::Gumbel);
        settings.mate_in_one = false;
        settings.declaration = false;
        settings.gumbel.max_considered = self.value("considered").parse().unwrap();
        settings.gumbel.c_scale = self.number("c_scale");
        settings.gumbel.scale = self.number("scale");
        if self.value("rescale") == "min_max" {
            settings.gumbel.rescale = Rescale::MinMax;
        }
        settings
    }

    fn search(&self) -> RootSummary {
        let (_, sfen) = self.header.split_once("sfen ").unwrap();
        let seed = self.value("seed").parse().unwrap();
        let mut search = Search::new(game(sfen), &self.settings(), DrawValues::HALF, seed);
        run(&mut search, noisy(self.value("simulations").parse().unwrap()), hashed)
    }

    /// The completed Q of an unvisited move, from its policy: softmax(logits + sigma(completed Q)) says how far
    /// it is from that of a visited one. Nothing where no unvisited move has a policy above 0.
    fn completed(&self, summary: &RootSummary) -> Option<f32> {
        let (visited, unvisited): (Vec<&RootMove>, Vec<&RootMove>) =
            summary.moves.iter().partition(|m| m.visits > 0);
        let highest = |moves: Vec<&RootMove>| {
            moves.into_iter().max_by(|a, b| a.policy.total_cmp(&b.policy)).copied()
        };
        let (known, unknown) = (highest(visited)?, highest(unvisited)?);
        if unknown.policy < f32::MIN_POSITIVE {
            return None;
        }
        let settings = self.settings().gumbel;
        let most = summary.moves.iter().map(|m| m.visits).max()?;
        let scale = (settings.c_visit + most as f32) * settings.c_scale;
        let range = match settings.rescale {
            Rescale::None => 1.0,
            Rescale::MinMax => {
                let scores = self.visited.iter().map(|visited| visited.score);
                let all = scores.chain([self.number("mixed")]);
                all.clone().fold(0.0, f32::max) - all.fold(1.0, f32::min)
            }
        };
        let log = |part: f32, whole: f32| f64::from(part).ln() - f64::from(whole).ln();
        let distance = log(unknown.policy, known.policy) - log(unknown.prior, known.prior);
        Some(known.score + range / scale * distance as f32)
    }
}

#[test]
fn visits_scores_and_policy_are_those_of_mctx() {
    let cases = cases();
    assert!(cases.len() >= 200, "{} cases", cases.len());
    let (mut completed, mut few_moves) = (0, 0);
    for case in cases {
        let name = &case.header;
        let summary = case.search();
        let near = |ours: f32, theirs: f32, what: &str| {
            assert!((ours - theirs).abs() < NEAR, "{what}: {ours}, not {theirs}, in {name}");
        };
        assert_eq!(summary.best, mv(case.value("best")), "{name}");
        near(summary.score, case.number("score"), "score");
        let unvisited = || summary.moves.iter().filter(|m| m.visits == 0);
        assert_eq!(summary.moves.len() - unvisited().count(), case.visited.len(), "{name}");
        for Visited { mv, visits, score, weight } in &case.visited {
            let ours = root_move(&summary, mv);
            assert_eq!(ours.visits, *visits, "{mv} in {name}");
            near(ours.score, *score, mv);
            near(ours.policy, *weight, mv);
        }
        near(unvisited().map(|m| m.policy).sum(), case.number("unvisited"), "unvisited moves");
        if let Some(ours) = case.completed(&summary) {
            near(ours, case.number("mixed"), "completed Q");
            completed += 1;
        }
        few_moves += u32::from(summary.moves.len() <= 8);
    }
    assert!(completed >= 100, "{completed} cases tell the completed Q of an unvisited move");
    assert!(few_moves >= 40, "{few_moves} positions with few moves");
}
