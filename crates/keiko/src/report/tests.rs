use std::collections::BTreeMap;

use keiko_arena::gate::Verdict;
use keiko_arena::yardstick::Yardsticks;
use keiko_network::PerHead;
use keiko_trainer::event::HeldOutReport;

use super::{page, picture};
use crate::pipeline::{Chapter, Games, History};

const YARDSTICKS: &str = "version = 1\nscore_spread = 0.25\n[policy]\npositions = 1204\ntop1 = 0.09\nuniform = 0.04\n\
    label_frequency = 0.08\n[value]\npositions = 844\nsign = 0.53\nconstant = 0.5\n[mate_in_one]\npositions = 175\n\
    rate = 0.2\nuniform = 0.02\n[hanging]\npositions = 200\nrate = 0.1\nuniform = 0.03\n[pieces]\norder_held = 11\n\
    order_relations = 15\nexplained = 0.1\npawn = 0.01\nlance = 0.06\nknight = 0.08\nsilver = 0.1\ngold = 0.07\n\
    bishop = 0.07\nrook = nan\n";

fn verdict(pairs: [u64; 5], elo: [&str; 3], promoted: bool) -> Verdict {
    let [low, estimate, high] = elo;
    Verdict::from_toml(&format!(
        "version = 1\ncandidate = \"aa\"\nchampion = \"bb\"\nopening_seed = \"1\"\nsettings_sha256 = \"cc\"\n\
         promoted = {promoted}\ndecision = \"accept_h1\"\nllr = 3.0\nllr_lower = -2.9\nllr_upper = 2.9\n\
         pairs = {pairs:?}\nrepeated_pairs = 0\n[elo]\nlow = {low}\nestimate = {estimate}\nhigh = {high}\n\
         [games]\nwins = 9\ndraws = 2\nlosses = 1\n[black]\nwins = 6\ndraws = 2\nlosses = 4\n[reasons]\n"
    ))
    .expect("a verdict")
}

fn chapter(generation: u32) -> Chapter {
    let statistics = keiko_selfplay::Statistics::default();
    let ends = [("checkmate", 90), ("max_plies", 8), ("<b>", 2)];
    let ends = ends.map(|(name, count)| (name.to_owned(), count));
    Chapter {
        generation,
        step: 100,
        games: Games {
            games: 100,
            plies: 12345,
            ends: ends.into(),
            ..Games::of(generation, &statistics, &keiko_selfplay::Thresholds::NEVER)
        },
        heads: PerHead { reply: Some(2.5), plies_left: None, soft_policy: None },
        held_out: Some(HeldOutReport {
            step: 100,
            rows: 10,
            policy_loss: 3.7,
            policy_loss_uniform: 3.8,
            policy_target_entropy: f64::NAN,
            policy_accuracy: 0.05,
            value_loss: 0.9,
            value_loss_constant: 0.7,
            value_accuracy: 0.5,
        }),
        yardsticks: Some(Yardsticks::from_toml(YARDSTICKS).expect("yardsticks")),
        verdict: Some(match generation % 3 {
            0 => verdict([0, 0, 0, 0, 7], ["inf", "inf", "inf"], true),
            1 => verdict([7, 1, 0, 0, 0], ["-inf", "-400", "-200"], false),
            _ => verdict([0, 2, 3, 2, 1], ["-20", "60", "150"], true),
        }),
    }
}

fn history(generations: u32) -> History {
    History {
        name: "<script>&\"run\"".to_owned(),
        facts: vec![("state", "next is <i>".to_owned())],
        gate: "from 7 openings of <i>, no anchor".to_owned(),
        seconds: BTreeMap::from([("gate".to_owned(), 75.0)]),
        generations: (0..generations).map(chapter).collect(),
        warnings: vec!["warning: <i>".to_owned()],
    }
}

/// Every opened element is closed, in order; void elements of HTML aside.
fn assert_well_formed(text: &str) {
    let mut open = Vec::new();
    let body = text.split_once("<style>").expect("a style");
    let after = body.1.split_once("</style>").expect("its end").1;
    for part in format!("{}{after}", body.0).split('<').skip(1) {
        let tag = part.split_once('>').expect("the end of a tag").0;
        let name = tag.trim_start_matches('/').split(' ').next().expect("a name").to_owned();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && !["!doctype", "meta"].contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
}

#[test]
fn runs_of_any_length_are_shown_whole_and_safely() {
    for generations in [0, 1, 2, 60] {
        let history = history(generations);
        for text in [page(&history), picture(&history)] {
            assert_well_formed(&text);
            assert!(!text.contains("NaN") && !text.contains("inf\""), "{generations}");
            assert!(!text.contains("<script") && !text.contains("<b>\"") && !text.contains("<i>"));
            assert!(text.contains("&lt;script&gt;&amp;&quot;run&quot;"));
            let outside = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!outside.contains("http:") && !outside.contains("https:"));
        }
        assert_eq!(page(&history), page(&history.clone()));
        let conditions = "from 7 openings of &lt;i&gt;, no anchor";
        // No Elo without where it comes from: the ladder, and the table.
        let elos = if generations == 0 { 0 } else { 2 };
        assert_eq!(page(&history).matches(conditions).count(), elos);
        assert!(picture(&history).contains(conditions));
        assert_eq!(page(&history).contains("Losses of auxiliary heads"), generations > 0);
        assert!(page(&history).len() < 2_000_000);
    }
}

#[test]
fn a_candidate_without_measurements_is_shown_all_the_same() {
    let mut history = history(2);
    for chapter in &mut history.generations {
        (chapter.held_out, chapter.yardsticks, chapter.verdict) = (None, None, None);
    }
    assert_well_formed(&page(&history));
    assert!(page(&history).contains("No candidate has been judged yet."));
    assert!(picture(&history).contains("no candidate judged yet"));
}

#[test]
fn the_ladder_adds_promotions_and_stays_finite() {
    let rungs = super::ladder::rungs(&history(6));
    assert!(rungs.iter().all(|rung| rung.elo.is_finite() && rung.champion.is_finite()));
    assert!(
        (rungs[1].champion - rungs[0].elo).abs() < 1e-9,
        "a promoted candidate is the next champion"
    );
    assert!((rungs[2].champion - rungs[0].elo).abs() < 1e-9, "a rejected one is not");
    assert!(rungs[0].high.is_infinite() && rungs[0].elo > 400.0, "{:?}", rungs[0]);
    assert!((rungs[2].low - (rungs[2].champion - 20.0)).abs() < 1e-9);
}
