//! Which charts a run has.

use keiko_arena::yardstick::Yardsticks;
use keiko_trainer::event::HeldOutReport;

use super::axis::Unit;
use super::chart::{Chart, Curve, Look};
use crate::pipeline::{Chapter, History};

use Look::{Best, Ignorance, Measured};

/// A curve of the yardsticks: its name, its look and how it is read.
type OfYardsticks = (&'static str, Look, fn(&Yardsticks) -> f64);

/// A curve of the losses on held-out games.
type OfLosses = (&'static str, Look, fn(&HeldOutReport) -> f64);

/// A curve of the games.
type OfGames = (&'static str, Look, fn(&Chapter) -> f64);

/// The title, the note and the unit of a chart.
type Head = (&'static str, &'static str, Unit);

/// The four charts that tell the most: what the nets know without a search.
pub(super) fn telling(history: &History) -> [Chart; 4] {
    [
        yardsticks(
            history,
            (
                "Plays the move of the game",
                "How often the policy's first move was the one played in the games of data/yardsticks; most frequent: of the labels in the other games.",
                Unit::Percent,
            ),
            &[
                ("net", Measured(0), |it| it.policy.top1),
                ("most frequent", Ignorance, |it| it.policy.label_frequency),
                ("any legal move", Ignorance, |it| it.policy.uniform),
            ],
        ),
        yardsticks(
            history,
            (
                "Finds a mate in one",
                "How often the policy's first move mates where a mate in one is there.",
                Unit::Percent,
            ),
            &[
                ("net", Measured(0), |it| it.mate_in_one.rate),
                ("any legal move", Ignorance, |it| it.mate_in_one.uniform),
            ],
        ),
        yardsticks(
            history,
            (
                "Takes a hanging piece",
                "How often the policy's first move takes for nothing a piece that hangs.",
                Unit::Percent,
            ),
            &[
                ("net", Measured(0), |it| it.hanging.rate),
                ("any legal move", Ignorance, |it| it.hanging.uniform),
            ],
        ),
        yardsticks(
            history,
            (
                "Names the winner",
                "How often the value prefers the side that won the game.",
                Unit::Percent,
            ),
            &[
                ("net", Measured(0), |it| it.value.sign),
                ("always one side", Ignorance, |it| it.value.constant),
            ],
        ),
    ]
}

/// The other charts of what the nets know.
pub(super) fn knowledge(history: &History) -> Vec<Chart> {
    let mut pieces = yardsticks(
        history,
        (
            "Worth of a piece",
            "Log-odds of winning that the value gives for one piece more.",
            Unit::Signed,
        ),
        &[],
    );
    for kind in 0..7 {
        let of = |it: &Yardsticks| it.pieces.named()[kind].1;
        let name = history.generations.iter().find_map(|it| it.yardsticks.as_ref());
        let name = name.map_or("", |it| it.pieces.named()[kind].0);
        pieces.curves.push(Curve::new(name, Measured(kind), measured(history, of)));
    }
    vec![
        losses(
            history,
            (
                "Policy loss, held-out games",
                "Cross entropy in nats; the least possible is the entropy of the targets.",
                Unit::Number,
            ),
            &[
                ("net", Measured(0), |it| it.policy_loss),
                ("equal chances", Ignorance, |it| it.policy_loss_uniform),
                ("least possible", Best, |it| it.policy_target_entropy),
            ],
        ),
        losses(
            history,
            (
                "Value loss, held-out games",
                "Cross entropy of win, draw and loss in nats. Above the dashed line the value overfits.",
                Unit::Number,
            ),
            &[
                ("net", Measured(0), |it| it.value_loss),
                ("mean result", Ignorance, |it| it.value_loss_constant),
            ],
        ),
        heads(history),
        yardsticks(
            history,
            (
                "Spread of the value",
                "Standard deviation of the expected score; near 0 it says the same everywhere.",
                Unit::Number,
            ),
            &[("net", Measured(0), |it| it.score_spread), ("a constant", Ignorance, |_| 0.0)],
        ),
        yardsticks(
            history,
            (
                "Order of the pieces",
                "Of 15 pairs among pawn < knight < silver < gold < bishop < rook, those the value has right.",
                Unit::Number,
            ),
            &[
                ("net", Measured(0), |it| f64::from(it.pieces.order_held)),
                ("by chance", Ignorance, |it| f64::from(it.pieces.order_relations) / 2.0),
                ("all", Best, |it| f64::from(it.pieces.order_relations)),
            ],
        ),
        pieces,
    ]
}

/// The losses of the heads that only training has; nothing to show where it has none.
fn heads(history: &History) -> Chart {
    let points = |head: keiko_model::Head| {
        let chapters = history.generations.iter();
        chapters.filter_map(move |it| Some((it.generation, (*it.heads.of(head))?)))
    };
    let names = ["reply", "plies left", "soft policy"];
    let curves = (0..).zip(keiko_model::Head::ALL).zip(names);
    chart(
        (
            "Losses of auxiliary heads",
            "While training, at a generation's end: cross entropy in nats, of plies left Huber's loss in units of 20 plies.",
            Unit::Number,
        ),
        curves.map(|((colour, head), name)| Curve::new(name, Measured(colour), points(head))),
    )
}

/// The charts of the games, without the one of how they ended.
pub(super) fn games(history: &History) -> Vec<Chart> {
    vec![
        of_games(
            history,
            ("Draws and Black's score", "A draw is half a point for Black.", Unit::Percent),
            &[
                ("Black's score", Measured(0), |it| it.games.black_score),
                ("draws", Measured(1), |it| it.games.draw_rate),
                ("even", Ignorance, |_| 0.5),
            ],
        ),
        of_games(
            history,
            ("Length", "Mean plies of a game.", Unit::Number),
            &[("plies", Measured(0), |it| it.games.mean_plies())],
        ),
    ]
}

fn chart((title, note, unit): Head, curves: impl Iterator<Item = Curve>) -> Chart {
    Chart { title: title.to_owned(), note: note.to_owned(), unit, curves: curves.collect() }
}

fn measured(
    history: &History,
    of: impl Fn(&Yardsticks) -> f64,
) -> impl Iterator<Item = (u32, f64)> {
    let chapters = history.generations.iter();
    chapters.filter_map(move |it| Some((it.generation, of(it.yardsticks.as_ref()?))))
}

fn yardsticks(history: &History, head: Head, curves: &[OfYardsticks]) -> Chart {
    chart(
        head,
        curves.iter().map(|&(name, look, of)| Curve::new(name, look, measured(history, of))),
    )
}

fn losses(history: &History, head: Head, curves: &[OfLosses]) -> Chart {
    let points = |of: fn(&HeldOutReport) -> f64| {
        let chapters = history.generations.iter();
        chapters.filter_map(move |it| Some((it.generation, of(it.held_out.as_ref()?))))
    };
    chart(head, curves.iter().map(|&(name, look, of)| Curve::new(name, look, points(of))))
}

fn of_games(history: &History, head: Head, curves: &[OfGames]) -> Chart {
    let points =
        |of: fn(&Chapter) -> f64| history.generations.iter().map(move |it| (it.generation, of(it)));
    chart(head, curves.iter().map(|&(name, look, of)| Curve::new(name, look, points(of))))
}
