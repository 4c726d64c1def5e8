//! Bugs in how games end.

use keiko_shogi::{EndReason, Game, ImpasseRule, Outcome, Rules, parse_position};

use super::{mv, position};
use crate::repetition::{expected_end, replay};
use crate::rows::rows;

/// A row of the table of repetitions by its name.
fn row(name: &str) -> Vec<String> {
    rows("repetition.tsv").into_iter().find(|row| row[0] == name).unwrap()
}

/// Replays a row and returns its end, which must be the one of the table.
fn end_of(name: &str) -> Option<(Outcome, EndReason)> {
    let row = row(name);
    let (_, ends) = replay(&row[1], &row[2]);
    let ply: usize = row[3].parse().unwrap();
    assert_eq!(ends[ply], expected_end(&row[4]), "{name}");
    assert!(ends[..ply].iter().all(Option::is_none), "{name}");
    ends[ply]
}

const BLACK_CHECKED: Option<(Outcome, EndReason)> =
    Some((Outcome::WhiteWins, EndReason::PerpetualCheck));
const DRAWN: Option<(Outcome, EndReason)> = Some((Outcome::Draw, EndReason::Sennichite));

#[test]
fn bug_27_the_checking_side_loses() {
    assert_eq!(end_of("perp-black-tomove"), BLACK_CHECKED);
}

#[test]
fn bug_28_whoever_closes_the_loop() {
    assert_eq!(end_of("perp-incheck-pos"), BLACK_CHECKED);
    assert_eq!(end_of("horse-perp"), BLACK_CHECKED);
}

#[test]
fn bug_29_long_cycles_and_no_early_verdict() {
    assert_eq!(end_of("long-cycle-18"), DRAWN);
    assert_eq!(end_of("long-cycle-36"), DRAWN);
    assert_eq!(end_of("perp-black-2x"), None);
}

#[test]
fn bug_30_repetition_counts_from_the_root_of_the_game() {
    let row = row("start-4fold");
    let text = format!("position sfen {} moves {}", row[1], row[2]);
    let (start, number, moves) = parse_position(&text).unwrap();
    let mut game = Game::new(start, number, Rules::STANDARD);
    moves.into_iter().for_each(|mv| game.play(mv));
    assert_eq!(game.end().map(|end| end.reason), Some(EndReason::Sennichite));
}

#[test]
fn bug_31_repetition_belongs_to_the_path() {
    // The same position, once with and once without a repeated history.
    let mut plain = Game::startpos(Rules::STANDARD);
    let mut repeated = plain.clone();
    for text in ["5i5h", "5a5b", "5h5i", "5b5a"] {
        repeated.play(mv(text));
    }
    for text in ["7g7f", "3c3d"] {
        plain.play(mv(text));
        repeated.play(mv(text));
    }
    assert_eq!(plain.position().key(), repeated.position().key());
    assert_eq!(plain.repetition().occurrences, 1);
    assert_eq!(repeated.repetition().occurrences, 1);
    repeated.undo();
    repeated.undo();
    assert_eq!(repeated.repetition().occurrences, 2);
}

#[test]
fn bug_32_a_line_through_the_fourth_occurrence_loses() {
    let (mut game, ends) = replay("6k2/9/9/9/9/9/9/9/K6R1 b - 1", &row("perp-plain")[2]);
    assert_eq!(ends[12], BLACK_CHECKED);
    // The verdict stands whatever could follow.
    let end = game.end().unwrap();
    assert_eq!(game.position().side_to_move(), keiko_shogi::Color::Black);
    game.undo();
    assert_eq!(game.end(), None);
    assert_eq!(end.ply, 12);
}

#[test]
fn n6_a_root_in_check_is_part_of_the_cycle() {
    assert_eq!(end_of("start-in-check-g"), BLACK_CHECKED);
    assert_eq!(end_of("mix1-BBB"), Some((Outcome::BlackWins, EndReason::PerpetualCheck)));
}

#[test]
fn n7_counter_checks_of_the_defender_do_not_matter() {
    assert_eq!(end_of("mix1-AAA"), BLACK_CHECKED);
    assert_eq!(end_of("mix3-AAA"), BLACK_CHECKED);
}

#[test]
fn n8_a_draw_does_not_outlast_its_position() {
    let (mut game, ends) = replay(&row("start-4fold")[1], &row("start-4fold")[2]);
    assert_eq!(ends[12], DRAWN);
    game.play(mv("7g7f"));
    assert_eq!(game.end(), None);
}

#[test]
fn n9_all_three_loops_count_and_hands_must_be_equal() {
    for name in ["quiet-then-check", "check-quiet-check", "mix1-ABA", "mix1-BBA", "mix1-AAB"] {
        assert_eq!(end_of(name), DRAWN, "{name}");
    }
    assert_eq!(end_of("hands-differ"), None);
}

/// Declares at the position of a row of the table of impasses.
fn declared(name: &str, impasse: ImpasseRule) -> (Outcome, EndReason) {
    let row = rows("impasse.tsv").into_iter().find(|row| row[0] == name).unwrap();
    let game = Game::new(position(&row[1]), 1, Rules { impasse, ..Rules::STANDARD });
    let end = game.declare(None);
    (end.outcome, end.reason)
}

const FAILED: (Outcome, EndReason) = (Outcome::WhiteWins, EndReason::FailedDeclaration);
const DECLARED: (Outcome, EndReason) = (Outcome::BlackWins, EndReason::NyugyokuDeclaration);

#[test]
fn bug_35_the_king_counts_neither_as_piece_nor_as_points() {
    assert_eq!(declared("b-king-not-counted", ImpasseRule::Csa27), FAILED);
    assert_eq!(declared("b27-one-short", ImpasseRule::Csa27), FAILED);
}

#[test]
fn bug_36_big_pieces_in_the_zone_count_five() {
    assert_eq!(declared("b-big-in-zone", ImpasseRule::Csa27), DECLARED);
}

#[test]
fn bug_37_the_rule_set_decides() {
    assert_eq!(declared("b28-exact", ImpasseRule::Csa27), DECLARED);
    let drawn = (Outcome::Draw, EndReason::NyugyokuDeclaration);
    assert_eq!(declared("b28-exact", ImpasseRule::Csa24), drawn);
}

#[test]
fn bug_38_a_failed_declaration_loses() {
    assert_eq!(declared("b27-one-short", ImpasseRule::Csa27), FAILED);
}

#[test]
fn bug_39_declarable_positions_are_seen() {
    let row = rows("impasse.tsv").into_iter().find(|row| row[0] == "b28-exact").unwrap();
    let game = Game::new(position(&row[1]), 1, Rules::STANDARD);
    assert_eq!(game.can_declare(), Some(Outcome::BlackWins));
    assert_eq!(game.end(), None);
}

#[test]
fn bug_48_games_at_the_limit_end_at_their_last_ply() {
    let mut game = Game::startpos(Rules { max_plies: Some(4), ..Rules::STANDARD });
    for text in ["7g7f", "3c3d", "2g2f"] {
        game.play(mv(text));
        assert_eq!(game.end(), None);
    }
    game.play(mv("8c8d"));
    let end = game.end().unwrap();
    assert_eq!((end.outcome, end.reason, end.ply), (Outcome::Draw, EndReason::MaxPlies, 4));
}
