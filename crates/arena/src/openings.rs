//! The positions that a match starts from: one for each pair of games, no two alike.

use std::collections::BTreeSet;

use keiko_formats::Opening;
use keiko_shogi::{Game, MoveList, Rules};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use make::{MakeCounts, MakeError, MakeSettings, greedy_score, make, random_quiet_move, share};

mod balance;
mod make;

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", rename_all = "snake_case", deny_unknown_fields)]
pub enum OpeningSettings {
    /// Random legal moves from the ordinary start, kept if the position they lead to is quiet: nobody is in
    /// check, nothing has been captured, nobody can mate at once, and no piece can be captured for nothing or by
    /// one worth less.
    Random {
        /// Moves played, at least 1.
        plies: u32,
    },
    /// Lines of a text file, in an order given by the seed.
    File {
        /// The file, an opening list as [`Opening`] reads it.
        path: String,
    },
}

impl OpeningSettings {
    /// A set of `count` of them in words, as it must stand beside every Elo.
    pub fn described(&self, count: usize) -> String {
        match self {
            OpeningSettings::Random { plies } => {
                format!("{count} random quiet openings of {plies} plies")
            }
            OpeningSettings::File { path } => format!("{count} openings of {path}"),
        }
    }
}

/// Why there are no openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// Random openings without moves would all be the same.
    #[error("plies must be at least 1")]
    NoPlies,
    /// There are fewer different openings than pairs to play.
    #[error("{found} different openings for {needed} pairs")]
    TooFew {
        /// Different openings found.
        found: usize,
        /// Pairs to play.
        needed: usize,
    },
    /// The caller broke it off.
    #[error("the search for openings was interrupted")]
    Interrupted,
    /// The file is not a list of openings.
    #[error(transparent)]
    List(#[from] keiko_formats::OpeningError),
    /// A line of the file is a game that has already ended.
    #[error("line {line}: the game is over there")]
    Over {
        /// Line number, from 1.
        line: u32,
    },
}

/// How many random tries an opening may take before the search for more is given up.
const TRIES_PER_OPENING: usize = 10_000;

/// `count` different random openings of `plies` moves; a function of its arguments only.
///
/// # Errors
/// `plies` is 0, or so small that there are not `count` different ones.
pub fn random(
    seed: u64,
    plies: u32,
    count: usize,
    rules: Rules,
) -> Result<Vec<Game>, OpeningError> {
    random_while(seed, plies, count, rules, || true)
}

/// As [`random`], as long as `goes_on` says so, which is asked for every opening.
///
/// # Errors
/// As [`random`]; or it was interrupted.
pub fn random_while(
    seed: u64,
    plies: u32,
    count: usize,
    rules: Rules,
    goes_on: impl Fn() -> bool,
) -> Result<Vec<Game>, OpeningError> {
    if plies == 0 {
        return Err(OpeningError::NoPlies);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut seen = BTreeSet::new();
    let mut openings = Vec::with_capacity(count);
    while openings.len() < count {
        if !goes_on() {
            return Err(OpeningError::Interrupted);
        }
        let next = (0..TRIES_PER_OPENING).find_map(|_| {
            let game = random_game(&mut rng, plies, rules)?;
            seen.insert(game.position().to_sfen(1)).then_some(game)
        });
        let Some(game) = next else {
            return Err(OpeningError::TooFew { found: openings.len(), needed: count });
        };
        openings.push(game);
    }
    Ok(openings)
}

fn random_game(rng: &mut Xoshiro256PlusPlus, plies: u32, rules: Rules) -> Option<Game> {
    let mut game = Game::startpos(rules);
    for _ in 0..plies {
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        moves.retain(|mv| game.position().piece_at(mv.to()).is_none());
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
    }
    (game.end().is_none() && balance::is_quiet(game.position())).then_some(game)
}

/// The first `count` different openings of a list, in an order given by `seed`.
///
/// # Errors
/// A line is not a position of a game that can go on, or there are not `count` different ones.
pub fn from_text(
    text: &str,
    seed: u64,
    count: usize,
    rules: Rules,
) -> Result<Vec<Game>, OpeningError> {
    let mut seen = BTreeSet::new();
    let mut openings = Vec::new();
    for Opening { line, start, move_number, moves } in Opening::parse_all(text)? {
        let mut game = Game::new(start, move_number, rules);
        moves.into_iter().for_each(|mv| game.play(mv));
        if game.end().is_some() {
            return Err(OpeningError::Over { line });
        }
        if seen.insert(game.position().to_sfen(1)) {
            openings.push(game);
        }
    }
    if openings.len() < count {
        return Err(OpeningError::TooFew { found: openings.len(), needed: count });
    }
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    openings.truncate(count);
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(games: &[Game]) -> Vec<String> {
        games.iter().map(Game::sfen).collect()
    }

    #[test]
    fn random_openings_are_different_quiet_and_a_function_of_the_seed() {
        let openings = random(7, 6, 300, Rules::STANDARD).unwrap();
        let unique: BTreeSet<String> =
            openings.iter().map(|game| game.position().to_sfen(1)).collect();
        assert_eq!(unique.len(), 300);
        for game in &openings {
            assert_eq!(game.ply(), 6);
            assert!(!game.position().in_check());
            assert!(game.position().mate_in_one().is_none());
        }
        assert_eq!(lines(&openings), lines(&random(7, 6, 300, Rules::STANDARD).unwrap()));
        assert_ne!(lines(&openings), lines(&random(8, 6, 300, Rules::STANDARD).unwrap()));
        let fewer = random(7, 6, 100, Rules::STANDARD).unwrap();
        assert_eq!(lines(&fewer), lines(&openings[..100]));
    }

    #[test]
    fn there_are_only_thirty_openings_of_one_move() {
        let error = random(1, 1, 31, Rules::STANDARD).unwrap_err();
        assert!(matches!(error, OpeningError::TooFew { needed: 31, .. }), "{error}");
        assert_eq!(random(1, 0, 1, Rules::STANDARD).unwrap_err(), OpeningError::NoPlies);
        let stopped = random_while(1, 6, 9, Rules::STANDARD, || false);
        assert_eq!(stopped.unwrap_err(), OpeningError::Interrupted);
    }

    #[test]
    fn a_list_is_shuffled_and_transpositions_count_once() {
        let text = "# book\n\nstartpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 3c3d 7g7f\n\
                    startpos\nlnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n";
        let openings = from_text(text, 3, 3, Rules::STANDARD).unwrap();
        assert_eq!(openings.len(), 3);
        let error = from_text(text, 3, 4, Rules::STANDARD).unwrap_err();
        assert_eq!(error, OpeningError::TooFew { found: 3, needed: 4 });
    }

    #[test]
    fn a_bad_line_is_named() {
        let bad = |text: &str| from_text(text, 1, 1, Rules::STANDARD).unwrap_err().to_string();
        assert!(bad("startpos\nstartpos moves 7g7e\n").starts_with("line 2"));
        assert!(bad("what\n").starts_with("line 1"));
        let mated = "sfen 8k/8G/8P/9/9/9/9/9/8K w - 1";
        assert_eq!(bad(mated), "line 1: the game is over there");
    }

    #[test]
    fn settings_have_two_forms() {
        #[derive(Deserialize)]
        struct Table {
            openings: OpeningSettings,
        }
        let read = |text: &str| toml::from_str::<Table>(text).map(|table| table.openings);
        let random = read("[openings]\nsource = \"random\"\nplies = 8\n").unwrap();
        assert_eq!(random, OpeningSettings::Random { plies: 8 });
        let file = read("[openings]\nsource = \"file\"\npath = \"a.sfen\"\n").unwrap();
        assert_eq!(file, OpeningSettings::File { path: "a.sfen".to_owned() });
        assert!(read("[openings]\nsource = \"random\"\nplies = 8\npath = \"x\"\n").is_err());
    }
}
