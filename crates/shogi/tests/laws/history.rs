//! Repetition found by chains equals repetition found by looking at everything.

use keiko_shogi::{EndReason, Game, Move, Outcome, Position, Rules};
use proptest::prelude::*;

use crate::cases::cases;
use crate::random_game::random_game;

/// The verdict by the words of the rule, over the list of all positions.
fn verdict(positions: &[Position], checks: &[bool]) -> Option<(Outcome, EndReason)> {
    let last = positions.last()?;
    let times: Vec<usize> = (0..positions.len()).filter(|&i| positions[i] == *last).collect();
    let first = *times.get(times.len().checked_sub(4)?)?;
    let mover = !last.side_to_move();
    let all_checks = |start: usize| {
        let mut moves = checks[first + 1..].iter().rev().skip(start).step_by(2).peekable();
        moves.peek().is_some() && moves.all(|&check| check)
    };
    Some(match (all_checks(0), all_checks(1)) {
        (true, false) => (Outcome::win_for(!mover), EndReason::PerpetualCheck),
        (false, true) => (Outcome::win_for(mover), EndReason::PerpetualCheck),
        _ => (Outcome::Draw, EndReason::Sennichite),
    })
}

/// Few pieces and few moves each, so that positions recur often.
fn small_game(start: &str, choices: &[u8]) -> Game {
    let (position, _) = Position::from_sfen(start).unwrap();
    let mut game = Game::new(position, 1, Rules::STANDARD);
    for &choice in choices {
        let mut moves = keiko_shogi::MoveList::new();
        game.legal_moves(&mut moves);
        moves.sort();
        let checks = moves.iter().filter(|&&mv| game.position().gives_check(mv));
        let checks: Vec<Move> = checks.copied().collect();
        let pool = if choice >= 32 && !checks.is_empty() { &checks[..] } else { &moves[..] };
        if pool.is_empty() {
            break;
        }
        game.play(pool[usize::from(choice) % pool.len().min(2)]);
    }
    game
}

/// Every position of a game, and whether the move before it gave check.
fn trace(game: &Game) -> (Vec<Position>, Vec<bool>) {
    let mut position = game.start().clone();
    let mut positions = vec![position.clone()];
    for &mv in game.moves() {
        position.do_move(mv);
        positions.push(position.clone());
    }
    let checks = positions.iter().map(Position::in_check).collect();
    (positions, checks)
}

fn check_game(game: &Game) -> Result<bool, TestCaseError> {
    let (positions, checks) = trace(game);
    let mut replayed = Game::new(game.start().clone(), 1, *game.rules());
    let mut repeated = false;
    for ply in 0..positions.len() {
        if ply > 0 {
            replayed.play(game.moves()[ply - 1]);
        }
        let found = replayed.repetition();
        let same = positions[..=ply].iter().filter(|&earlier| *earlier == positions[ply]);
        prop_assert_eq!(found.occurrences as usize, same.count());
        let expected = verdict(&positions[..=ply], &checks[..=ply]);
        repeated |= expected.is_some();
        prop_assert_eq!(found.verdict.map(|end| (end.outcome, end.reason)), expected);
    }
    Ok(repeated)
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn repetition_is_that_of_the_rule(
        start in prop::sample::select(vec![
            "6k2/9/9/9/9/9/9/9/K6R1 b - 1",
            "3+r5/9/6+l2/2S1k4/2+b6/9/9/g2K1S3/9 b - 1",
            "9/6+n2/9/3+b5/5k3/3+bR4/6K2/9/9 b - 1",
            "8k/9/9/9/9/9/9/9/K8 b - 1",
        ]),
        choices in prop::collection::vec(any::<u8>(), 40..160),
    ) {
        check_game(&small_game(start, &choices))?;
    }

    #[test]
    fn undoing_restores_the_repetition(game in random_game(120)) {
        let played = game.walk(|_, _| ());
        let mut replayed = Game::new(played.start().clone(), 1, Rules::STANDARD);
        let mut states = vec![replayed.repetition()];
        for &mv in played.moves() {
            replayed.play(mv);
            states.push(replayed.repetition());
        }
        while replayed.ply() > 0 {
            prop_assert_eq!(Some(replayed.repetition()), states.pop());
            replayed.undo();
        }
        prop_assert_eq!(replayed.position(), played.start());
    }
}

#[test]
fn the_small_games_do_repeat() {
    let choices: Vec<u8> = (0..120).map(|i| [40u8, 2, 40, 2][i % 4]).collect();
    let game = small_game("6k2/9/9/9/9/9/9/9/K6R1 b - 1", &choices);
    assert!(check_game(&game).unwrap());
}
