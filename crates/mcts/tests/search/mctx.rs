//! Whole searches against the same searches by mctx; tests/golden/README.md says how they were made.

use keiko_mcts::{Rescale, RootKind, RootSummary, Search};
use keiko_shogi::DrawValues;

use crate::hashed::hashed;
use crate::support::{game, mv, noisy, run, settings};

/// What mctx found: moves with visits, score and policy.
struct Case {
    name: String,
    summary: RootSummary,
    best: String,
    score: f32,
    visited: Vec<(String, u32, f32, f32)>,
}

/// Runs our search of a case's header.
fn search(header: &str) -> Case {
    let words: Vec<&str> = header.split_whitespace().collect();
    let value = |key: &str| words[1 + words.iter().position(|word| *word == key).unwrap()];
    let mut settings = settings(RootKind::Gumbel);
    settings.mate_in_one = false;
    settings.declaration = false;
    settings.gumbel.max_considered = value("considered").parse().unwrap();
    settings.gumbel.c_scale = value("c_scale").parse().unwrap();
    settings.gumbel.rescale =
        if value("rescale") == "min_max" { Rescale::MinMax } else { Rescale::None };
    let (_, sfen) = header.split_once("sfen ").unwrap();
    let seed = value("seed").parse().unwrap();
    let mut search = Search::new(game(sfen), &settings, DrawValues::HALF, seed);
    let summary = run(&mut search, noisy(value("simulations").parse().unwrap()), hashed);
    Case {
        name: header.to_owned(),
        summary,
        best: value("best").to_owned(),
        score: value("score").parse().unwrap(),
        visited: Vec::new(),
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for line in include_str!("../golden/mctx.txt").lines() {
        if line.starts_with("case") {
            cases.push(search(line));
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| words[index].parse::<f32>().unwrap();
        let visits = words[1].parse().unwrap();
        let case: &mut Case = cases.last_mut().unwrap();
        case.visited.push((words[0].to_owned(), visits, number(2), number(3)));
    }
    cases
}

#[test]
fn visits_scores_and_policy_are_those_of_mctx() {
    let cases = cases();
    assert_eq!(cases.len(), 60);
    for case in cases {
        let near = |ours: f32, theirs: f32| (ours - theirs).abs() < 5e-6;
        assert_eq!(case.summary.best, mv(&case.best), "{}", case.name);
        assert!(near(case.summary.score, case.score), "{}", case.name);
        let visited = case.summary.moves.iter().filter(|m| m.visits > 0).count();
        assert_eq!(visited, case.visited.len(), "{}", case.name);
        for (text, visits, score, policy) in &case.visited {
            let ours = crate::support::root_move(&case.summary, text);
            assert_eq!(ours.visits, *visits, "{text} in {}", case.name);
            assert!(near(ours.score, *score), "{text} in {}", case.name);
            assert!(near(ours.policy, *policy), "{text} in {}", case.name);
        }
    }
}
