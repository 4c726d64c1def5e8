use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};

use keiko_shogi::{Color, Game, Move, MoveList, Position, Rules};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use super::balance;
use crate::reference::Reference;
use crate::tally;

/// Which openings [`make`] makes.
#[derive(Debug, Clone, PartialEq)]
pub struct MakeSettings {
    /// Different openings wanted; one and its mirror image count as the same.
    pub count: usize,
    /// Moves of an opening, each number as likely.
    pub plies: RangeInclusive<u32>,
    /// How far Black's expected score may be from one half, 0..=0.5.
    pub max_bias: f64,
    /// Another number gives other openings.
    pub seed: u64,
}

/// How far a search for openings has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MakeCounts {
    /// Openings found.
    pub found: usize,
    /// Tries that ended in a position that is not quiet, or in a game that is over.
    pub not_quiet: u64,
    /// Positions that were there already, or their mirror images.
    pub repeated: u64,
    /// Positions that favour a side.
    pub unbalanced: u64,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum MakeError<E: std::error::Error + 'static> {
    /// The mover or the judge failed.
    #[error(transparent)]
    Player(E),
    /// Tries beyond all reason found too few.
    #[error(
        "{} of {wanted} openings after {tries} tries that found no more ({} were not quiet, {} repeated or mirrored, {} \
         unbalanced): ask for fewer or longer ones, or allow more bias",
        counts.found, counts.not_quiet, counts.repeated, counts.unbalanced
    )]
    TooFew {
        /// What was found.
        counts: MakeCounts,
        /// What was wanted.
        wanted: usize,
        /// Tries since the last one that was found.
        tries: u64,
    },
    /// The caller broke it off.
    #[error("the search for openings was interrupted")]
    Interrupted,
}

/// Pawns that a side's pieces may be worth more than the other's, whatever the judge says.
const MAX_MATERIAL: i64 = 1;

/// How many tries in a row may find nothing.
const MAX_TRIES: u64 = 20_000;

/// Makes openings from the ordinary start. `mover` chooses the moves, `judge` says what Black may expect, 0..=1; only
/// quiet positions with even material (see [`OpeningSettings::Random`](super::OpeningSettings)) are judged. `watch` sees how far it has come
/// and may break it off. A function of the settings and of what the two answer.
///
/// # Errors
/// One of them fails, or there are too few such openings.
pub fn make<E: std::error::Error + 'static>(
    settings: &MakeSettings,
    rules: Rules,
    mut mover: impl FnMut(&Game, &mut Xoshiro256PlusPlus) -> Result<Move, E>,
    mut judge: impl FnMut(&Game, &mut Xoshiro256PlusPlus) -> Result<f64, E>,
    mut watch: impl FnMut(&MakeCounts) -> ControlFlow<()>,
) -> Result<Vec<Game>, MakeError<E>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let (mut seen, mut openings) = (BTreeSet::new(), Vec::new());
    let (mut counts, mut tries) = (MakeCounts::default(), 0);
    while openings.len() < settings.count {
        if watch(&counts).is_break() {
            return Err(MakeError::Interrupted);
        }
        tries += 1;
        if tries > MAX_TRIES {
            let wanted = settings.count;
            return Err(MakeError::TooFew { counts, wanted, tries: MAX_TRIES });
        }
        let mut game = Game::startpos(rules);
        for _ in 0..rng.random_range(settings.plies.clone()) {
            if game.end().is_some() {
                break;
            }
            let mv = mover(&game, &mut rng).map_err(MakeError::Player)?;
            game.play(mv);
        }
        if !settings.plies.contains(&game.ply())
            || game.end().is_some()
            || !balance::is_quiet(game.position())
        {
            counts.not_quiet += 1;
            continue;
        }
        if !seen.insert(unmirrored(game.position())) {
            counts.repeated += 1;
            continue;
        }
        if balance::material(game.position()).abs() > MAX_MATERIAL {
            counts.unbalanced += 1;
            continue;
        }
        let score = judge(&game, &mut rng).map_err(MakeError::Player)?;
        if (score - 0.5).abs() > settings.max_bias {
            counts.unbalanced += 1;
            continue;
        }
        openings.push(game);
        (counts.found, tries) = (openings.len(), 0);
    }
    Ok(openings)
}

/// One text for a position and its mirror image.
fn unmirrored(position: &Position) -> String {
    position.to_sfen(1).min(position.mirrored().to_sfen(1))
}

/// Any legal move that captures nothing, or any at all where there is no other.
///
/// # Panics
/// There is no legal move.
pub fn random_quiet_move(game: &Game, rng: &mut Xoshiro256PlusPlus) -> Move {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let all = moves.len();
    let quiet = |mv: &Move| game.position().piece_at(mv.to()).is_none();
    if moves.iter().any(quiet) {
        moves.retain(|mv| quiet(mv));
    }
    debug_assert!(all > 0, "the game is not over");
    moves[rng.random_range(0..moves.len())]
}

/// A number from 0 up to 1, for movers that draw a move by its probability.
pub fn share(rng: &mut Xoshiro256PlusPlus) -> f64 {
    rng.random()
}

/// Black's share of the points in games that the greedy reference player plays against itself from here; of nothing worth
/// once `goes_on`, which is asked for every game, says no.
pub fn greedy_score(
    game: &Game,
    games: u32,
    rng: &mut Xoshiro256PlusPlus,
    goes_on: impl Fn() -> bool,
) -> f64 {
    let half_points: u32 = (0..games)
        .take_while(|_| goes_on())
        .map(|_| {
            let mut game = game.clone();
            let end = loop {
                match game.end() {
                    Some(end) => break end,
                    None => game.play(Reference::Greedy.choose(&game, rng)),
                }
            };
            u32::from(tally::points(end.outcome, Color::Black).half_points())
        })
        .sum();
    f64::from(half_points) / f64::from(2 * games.max(1))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn settings(count: usize, max_bias: f64) -> MakeSettings {
        MakeSettings { count, plies: 8..=24, max_bias, seed: 3 }
    }

    fn made(settings: &MakeSettings) -> Result<Vec<Game>, MakeError<Infallible>> {
        let rules = Rules { max_plies: Some(120), ..Rules::STANDARD };
        make(
            settings,
            rules,
            |game, rng| Ok(random_quiet_move(game, rng)),
            |game, rng| Ok(greedy_score(game, 4, rng, || true)),
            |_| ControlFlow::Continue(()),
        )
    }

    #[test]
    fn openings_are_quiet_balanced_and_no_mirror_images_of_each_other() {
        let openings = made(&settings(20, 0.25)).unwrap();
        let texts: BTreeSet<String> =
            openings.iter().map(|game| unmirrored(game.position())).collect();
        assert_eq!(texts.len(), 20);
        for game in &openings {
            assert!((8..=24).contains(&game.ply()));
            assert!(balance::is_quiet(game.position()));
            assert!(balance::material(game.position()).abs() <= 1);
        }
        assert!(openings.iter().any(|game| game.ply() != openings[0].ply()));
        let again = made(&settings(20, 0.25)).unwrap();
        assert!(again.iter().zip(&openings).all(|(a, b)| a.sfen() == b.sfen()));
    }

    #[test]
    fn a_position_and_its_mirror_image_have_one_text() {
        let (position, _) = Position::from_sfen(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
        )
        .unwrap();
        assert_ne!(position.to_sfen(1), position.mirrored().to_sfen(1));
        assert_eq!(unmirrored(&position), unmirrored(&position.mirrored()));
    }

    #[test]
    fn a_judge_that_is_never_content_ends_the_search() {
        let made: Result<_, MakeError<Infallible>> = make(
            &MakeSettings { plies: 2..=2, ..settings(5, 0.1) },
            Rules::STANDARD,
            |game, rng| Ok(random_quiet_move(game, rng)),
            |_, _| Ok(0.9),
            |_| ControlFlow::Continue(()),
        );
        let error = made.unwrap_err().to_string();
        assert!(error.starts_with("0 of 5 openings after 20000 tries"), "{error}");
    }
}
