use std::fmt::Write as _;

use keiko_shogi::Outcome;

use super::Standings;

/// The results as PGN without moves, which Ordo and BayesElo rate. PGN's White is the side that moves first, which is
/// Black (sente). A chain of drawn games is its last one.
pub fn pgn(standings: &Standings<'_>) -> String {
    let mut text = String::new();
    for result in standings.results() {
        let [first, second] = result.engines.map(|it| &standings.event().entrants[it].name);
        let score = match result.outcome {
            Outcome::BlackWins => "1-0",
            Outcome::WhiteWins => "0-1",
            Outcome::Draw => "1/2-1/2",
        };
        let escaped = |name: &str| name.replace('\\', "\\\\");
        let _ = write!(
            text,
            "[Event \"keiko gauntlet\"]\n[Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{score}\"]\n\
             [Termination \"{}\"]\n[PlyCount \"{}\"]\n\n{score}\n\n",
            result.encounter + 1,
            escaped(first),
            escaped(second),
            result.reason,
            result.plies,
        );
    }
    text
}
