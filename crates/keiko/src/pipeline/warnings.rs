//! What in a generation's games and net means that a run goes wrong.

use keiko_arena::yardstick::Yardsticks;

use super::games::Games;

/// More draws than this teach little.
const MAX_DRAW_RATE: f64 = 0.40;

/// Games that end at the maximum of plies have no result to learn.
const MAX_UNFINISHED: f64 = 0.25;

/// Black's score outside this is a sign of broken labels or of openings that decide the game.
const BLACK_SCORE: std::ops::RangeInclusive<f64> = 0.40..=0.60;

/// A net whose scores spread less than this says the same of every position.
const MIN_SPREAD: f64 = 0.05;

/// A line for everything that is out of bounds.
pub(super) fn of(games: &Games, yardsticks: Option<&Yardsticks>) -> Vec<String> {
    bounds(&Figures {
        draw_rate: games.draw_rate,
        unfinished: games.share("max_plies"),
        black_score: games.black_score,
        spread: yardsticks.map(|it| it.score_spread),
    })
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
struct Figures {
    draw_rate: f64,
    unfinished: f64,
    black_score: f64,
    spread: Option<f64>,
}

/// A figure beside its bound: with so many digits, or as many as tell them apart.
fn beside(figure: f64, bound: f64, digits: usize) -> String {
    let texts = (digits..17).map(|digits| format!("{figure:.digits$}"));
    let mut telling = texts.filter(|text| text.parse() != Ok(bound));
    telling.next().unwrap_or_else(|| figure.to_string())
}

fn bounds(figures: &Figures) -> Vec<String> {
    let percent = |share: f64| 100.0 * share;
    let mut lines = Vec::new();
    if figures.draw_rate > MAX_DRAW_RATE {
        let (found, most) = (percent(figures.draw_rate), percent(MAX_DRAW_RATE));
        let found = beside(found, most, 1);
        lines.push(format!("{found} % of the games are drawn, more than {most:.0} %"));
    }
    if figures.unfinished > MAX_UNFINISHED {
        let (found, most) = (percent(figures.unfinished), percent(MAX_UNFINISHED));
        let found = beside(found, most, 1);
        lines.push(format!(
            "{found} % of the games reach the maximum of plies, more than {most:.0} %"
        ));
    }
    if !BLACK_SCORE.contains(&figures.black_score) {
        let found = percent(figures.black_score);
        let (low, high) = (percent(*BLACK_SCORE.start()), percent(*BLACK_SCORE.end()));
        let found = beside(found, if found < low { low } else { high }, 1);
        lines.push(format!("Black scores {found} %, outside {low:.0} to {high:.0} %"));
    }
    if let Some(spread) = figures.spread.filter(|&it| it < MIN_SPREAD) {
        let spread = beside(spread, MIN_SPREAD, 3);
        lines.push(format!(
            "the expected scores of the net spread by {spread} only, less than {MIN_SPREAD}"
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use keiko_selfplay::{Statistics, Thresholds};

    use super::*;

    const FINE: Figures =
        Figures { draw_rate: 0.4, unfinished: 0.25, black_score: 0.6, spread: Some(0.05) };

    #[test]
    fn bounds_themselves_are_fine() {
        assert_eq!(bounds(&FINE), Vec::<String>::new());
        assert_eq!(bounds(&Figures { black_score: 0.4, spread: None, ..FINE }).len(), 0);
    }

    #[test]
    fn each_figure_has_its_warning() {
        let cases = [
            (Figures { draw_rate: 0.62, ..FINE }, "62.0 % of the games are drawn"),
            (Figures { unfinished: 0.26, ..FINE }, "26.0 % of the games reach the maximum"),
            (Figures { black_score: 0.39, ..FINE }, "Black scores 39.0 %, outside 40 to 60 %"),
            (Figures { black_score: 0.61, ..FINE }, "Black scores 61.0 %"),
            (Figures { spread: Some(0.049), ..FINE }, "spread by 0.049 only, less than 0.05"),
            (Figures { spread: Some(0.049_98), ..FINE }, "spread by 0.04998 only, less than 0.05"),
            (Figures { draw_rate: 0.4003, ..FINE }, "40.03 % of the games are drawn, more than 40"),
            (Figures { black_score: 0.3998, ..FINE }, "Black scores 39.98 %, outside 40 to 60 %"),
        ];
        for (figures, expected) in cases {
            let lines = bounds(&figures);
            assert!(lines.len() == 1 && lines[0].contains(expected), "{lines:?}");
        }
    }

    #[test]
    fn games_are_counted() {
        // No games: nothing to warn of.
        let none = Games::of(0, &Statistics::default(), &Thresholds::NEVER);
        assert_eq!(of(&none, None), Vec::<String>::new());
    }
}
