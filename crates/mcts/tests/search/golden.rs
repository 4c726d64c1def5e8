//! Whole root results as text, with the hashed evaluator. `UPDATE_GOLDEN=1` writes them anew.

use std::fmt::Write;
use std::path::Path;

use keiko_mcts::{RootKind, RootSummary};
use keiko_shogi::{Game, Rules};

use crate::hashed::hashed;
use crate::support::{MIDDLE, game, noisy, quiet, run, search, settings};

fn listing(summary: &RootSummary) -> String {
    let mut text = format!(
        "best {} simulations {} proven {:?} wdl {:.4} {:.4} {:.4}\n",
        summary.best,
        summary.simulations,
        summary.proven,
        summary.wdl.win,
        summary.wdl.draw,
        summary.wdl.loss
    );
    let mut moves = summary.moves.clone();
    moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
    for root_move in moves.iter().take(12) {
        let proof = root_move.proof.map_or(String::new(), |proof| format!(" {proof:?}"));
        writeln!(
            text,
            "{:6} visits {:3} score {:.4} prior {:.4} policy {:.4}{proof}",
            root_move.mv.to_string(),
            root_move.visits,
            root_move.score,
            root_move.prior,
            root_move.policy
        )
        .unwrap();
    }
    text
}

fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert_eq!(actual, expected, "{name}: run with UPDATE_GOLDEN=1 if the change is meant");
}

fn positions() -> [(&'static str, Game); 3] {
    let endgame = "ln1skg1nl/1r1sg2b1/ppp1GSppp/3p1p3/9/9/PPPPPPPPP/1B5R1/LN1GK2NL b Sp 1";
    [
        ("startpos", Game::startpos(Rules::STANDARD)),
        ("middle", game(MIDDLE)),
        ("endgame", game(endgame)),
    ]
}

#[test]
fn gumbel_trees() {
    let mut text = String::new();
    for (name, game) in positions() {
        for simulations in [16, 200] {
            let mut search = search(game.clone(), &settings(RootKind::Gumbel));
            let quiet = run(&mut search, quiet(simulations), hashed);
            writeln!(text, "# {name}, {simulations} simulations\n{}", listing(&quiet)).unwrap();
        }
        let mut search = search(game, &settings(RootKind::Gumbel));
        let noisy = run(&mut search, noisy(64), hashed);
        writeln!(text, "# {name}, 64 simulations with noise\n{}", listing(&noisy)).unwrap();
    }
    check("gumbel.txt", &text);
}

#[test]
fn puct_trees() {
    let mut text = String::new();
    for (name, game) in positions() {
        let mut with_noise = search(game.clone(), &settings(RootKind::Puct));
        let noisy = run(&mut with_noise, noisy(64), hashed);
        let mut without = search(game, &settings(RootKind::Puct));
        let quiet = run(&mut without, quiet(200), hashed);
        writeln!(text, "# {name}, 200 simulations\n{}", listing(&quiet)).unwrap();
        writeln!(text, "# {name}, 64 simulations with noise\n{}", listing(&noisy)).unwrap();
    }
    check("puct.txt", &text);
}
