//! How games end: the order of events, fouls, and what the players do.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

use keiko_shogi::{
    Color, Declaration, EndReason, Game, GameEnd, Handicap, IllegalKind, ImpasseRule, Move,
    Outcome, Position, Rules,
};

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn game(sfen: &str, rules: Rules) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, rules)
}

fn summary(end: Option<GameEnd>) -> Option<(Outcome, EndReason, u32)> {
    end.map(|end| (end.outcome, end.reason, end.ply))
}

#[test]
fn mate_and_stalemate_lose() {
    let mated = game("7Gk/7G1/9/9/9/9/9/9/K8 w - 1", Rules::STANDARD);
    assert_eq!(summary(mated.end()), Some((Outcome::BlackWins, EndReason::Checkmate, 0)));
    let stuck = game("8k/6G2/7+R1/9/9/9/9/9/K8 w - 1", Rules::STANDARD);
    assert_eq!(summary(stuck.end()), Some((Outcome::BlackWins, EndReason::NoLegalMove, 0)));
}

#[test]
fn mate_comes_before_the_maximum_of_plies() {
    let rules = Rules { max_plies: Some(1), ..Rules::STANDARD };
    let mut mating = game("7nk/9/8P/9/9/9/9/9/K8 b G 1", rules);
    mating.play(mv("G*1b"));
    assert_eq!(summary(mating.end()), Some((Outcome::BlackWins, EndReason::Checkmate, 1)));
    let mut quiet = game("7nk/9/8P/9/9/9/9/9/K8 b G 1", rules);
    quiet.play(mv("G*5e"));
    assert_eq!(summary(quiet.end()), Some((Outcome::Draw, EndReason::MaxPlies, 1)));
}

#[test]
fn repetition_comes_before_the_maximum_of_plies() {
    let mut game = Game::startpos(Rules { max_plies: Some(12), ..Rules::STANDARD });
    for text in ["5i5h", "5a5b", "5h5i", "5b5a"].into_iter().cycle().take(12) {
        assert_eq!(game.end(), None);
        game.play(mv(text));
    }
    assert_eq!(summary(game.end()), Some((Outcome::Draw, EndReason::Sennichite, 12)));
}

#[test]
fn the_maximum_of_plies_comes_before_an_automatic_declaration() {
    let sfen = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1";
    let automatic = Rules { declaration: Declaration::Automatic, ..Rules::STANDARD };
    let declared = (Outcome::BlackWins, EndReason::NyugyokuDeclaration, 0);
    assert_eq!(summary(game(sfen, automatic).end()), Some(declared));
    let limited = Rules { max_plies: Some(0), ..automatic };
    let drawn = (Outcome::Draw, EndReason::MaxPlies, 0);
    assert_eq!(summary(game(sfen, limited).end()), Some(drawn));
    assert_eq!(game(sfen, Rules::STANDARD).end(), None);
}

#[test]
fn automatic_declarations_never_settle_for_a_draw() {
    let sfen = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1";
    let rules = Rules {
        impasse: ImpasseRule::Csa24,
        declaration: Declaration::Automatic,
        ..Rules::STANDARD
    };
    assert_eq!(game(sfen, rules).can_declare(), Some(Outcome::Draw));
    assert_eq!(game(sfen, rules).end(), None);
}

#[test]
fn fouls_are_kept_and_found_later() {
    let mut game = Game::startpos(Rules::STANDARD);
    game.play(mv("7g7f"));
    game.play(mv("3c3d"));
    game.play(mv("8h2b+"));
    game.play(mv("3a2b"));
    assert_eq!(game.play_any(mv("B*5a")), Err(IllegalKind::ImpossibleMove));
    assert_eq!(game.ply(), 4);
    game.play(mv("2g2f"));
    // The bishop gives check from 7g, and Black does not see it.
    game.play(mv("B*7g"));
    let before = game.clone();
    assert_eq!(game.play_any(mv("2f2e")), Ok(Some(IllegalKind::KingInCheck)));
    let foul = (Outcome::WhiteWins, EndReason::IllegalMove(IllegalKind::KingInCheck), 7);
    assert_eq!(summary(game.end()), Some(foul));
    assert_eq!(game.play_any(mv("8b8a")), Err(IllegalKind::ImpossibleMove));
    game.play(mv("8c8d"));
    assert_eq!(game.end(), None, "play went on");
    assert!(game.position().in_check(), "the check still stands");
    assert_eq!(summary(game.first_foul()), Some(foul));
    game.undo();
    game.undo();
    assert_eq!(game.position(), before.position());
    assert_eq!(game.first_foul(), None);
}

#[test]
fn a_move_out_of_turn_loses_for_the_side_that_moves_twice() {
    let mut game = Game::startpos(Rules::STANDARD);
    game.play(mv("7g7f"));
    assert_eq!(game.position().classify(mv("2g2f")), Err(IllegalKind::OutOfTurn));
    let expected = (Outcome::WhiteWins, EndReason::IllegalMove(IllegalKind::OutOfTurn), 2);
    assert_eq!(summary(Some(game.foul(IllegalKind::OutOfTurn))), Some(expected));
    assert_eq!(game.play_any(mv("2g2f")), Ok(Some(IllegalKind::OutOfTurn)));
    assert_eq!(summary(game.end()), Some(expected));
    assert_eq!(game.position().side_to_move(), Color::White);
    game.play(mv("3c3d"));
    game.play(mv("8h2b+"));
    assert_eq!(summary(game.first_foul()), Some(expected));
    for _ in 0..4 {
        game.undo();
    }
    assert_eq!(*game.position(), Position::startpos());
}

#[test]
fn double_pawns_and_dead_ends_can_be_played_as_fouls() {
    let sfen = "4k4/9/9/9/9/9/4P4/9/4K4 b NP 1";
    for (text, kind) in [("P*5d", IllegalKind::Nifu), ("N*1a", IllegalKind::DeadEnd)] {
        let mut game = game(sfen, Rules::STANDARD);
        assert_eq!(game.play_any(mv(text)), Ok(Some(kind)));
        let end = game.end().unwrap();
        assert_eq!((end.outcome, end.reason.illegal_kind()), (Outcome::WhiteWins, Some(kind)));
        assert_eq!(end.csa_code(), "%+ILLEGAL_ACTION");
        assert_eq!(end.kif_code(Color::White), "反則勝ち");
        assert_eq!(end.kif_code(Color::Black), "反則負け");
        game.undo();
        assert_eq!(game.sfen(), sfen);
    }
}

#[test]
fn players_resign_and_overstep() {
    let game = Game::startpos(Rules::STANDARD);
    let resigned = (Outcome::WhiteWins, EndReason::Resignation, 0);
    assert_eq!(summary(Some(game.resign(Color::Black))), Some(resigned));
    let late = (Outcome::BlackWins, EndReason::TimeForfeit, 0);
    assert_eq!(summary(Some(game.forfeit(Color::White))), Some(late));
}

#[test]
fn agreement_needs_both_kings_inside_and_a_rule_that_knows_it() {
    let both = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/4+p+p+p+p+p/3+p+p+p3/8k b 2R3S2b4gs4n4l 1";
    let rules = |impasse| Rules { impasse, ..Rules::STANDARD };
    let white = (Outcome::WhiteWins, EndReason::Jishogi, 0);
    for impasse in ImpasseRule::ALL {
        let expected = matches!(
            impasse,
            ImpasseRule::Jishogi24 | ImpasseRule::Count27 | ImpasseRule::AmateurWest
        );
        let end = summary(game(both, rules(impasse)).agree());
        assert_eq!(end, expected.then_some(white), "{impasse}");
        assert_eq!(Game::startpos(rules(impasse)).agree(), None, "{impasse}");
    }
}

#[test]
fn points_given_away_count_for_white() {
    // Black 30, White 24: with a rook and a lance given, White has 30 too.
    let sfen = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/4+p+p+p+p+p/3+p+p+p3/8k b R4G4S4N2bL2l 1";
    let rules = |impasse, handicap| Rules { impasse, handicap, ..Rules::STANDARD };
    let given = Some(Handicap::RookLance);
    let outcome = |impasse, handicap| game(sfen, rules(impasse, handicap)).agree().unwrap().outcome;
    let position = Position::from_sfen(sfen).unwrap().0;
    assert_eq!(Color::ALL.map(|color| position.points(color)), [28, 20]);
    assert_eq!(outcome(ImpasseRule::Jishogi24, None), Outcome::BlackWins);
    assert_eq!(outcome(ImpasseRule::Jishogi24, given), Outcome::Draw);
    assert_eq!(outcome(ImpasseRule::Count27, given), Outcome::BlackWins);
    assert_eq!(outcome(ImpasseRule::AmateurWest, given), Outcome::BlackWins);
}

#[test]
fn amateur_west_counts_when_a_side_is_wholly_inside() {
    let rules = Rules { impasse: ImpasseRule::AmateurWest, ..Rules::STANDARD };
    let inside = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/4+p+p+p+p+p/3+p+p+p3/8k b 2R3S2b4gs4n4l 1";
    let end = game(inside, rules).declare(None);
    assert_eq!(summary(Some(end)), Some((Outcome::WhiteWins, EndReason::Jishogi, 0)));
    let outside = "K+P+P+P+P+P3/+P+P+P+P5/9/+P8/9/9/4+p+p+p+p+p/3+p+p+p3/8k b 2R3S2b4gs4n4l 1";
    let end = game(outside, rules).declare(None);
    assert_eq!(end.reason, EndReason::FailedDeclaration);
    let automatic = Rules { declaration: Declaration::Automatic, ..rules };
    let end = game(inside, automatic).end();
    assert_eq!(summary(end), Some((Outcome::WhiteWins, EndReason::Jishogi, 0)));
    assert_eq!(game(outside, automatic).end(), None);
}

#[test]
fn a_try_ends_the_game_only_as_a_move() {
    let rules = Rules { impasse: ImpasseRule::Try, ..Rules::STANDARD };
    let mut there = game("4K4/9/9/9/9/9/9/9/k8 b - 1", rules);
    assert_eq!(there.end(), None, "standing on the goal at the start is no try");
    there.play(mv("5a5b"));
    there.play(mv("9i9h"));
    assert_eq!(there.can_declare(), Some(Outcome::BlackWins));
    there.play(mv("5b5a"));
    assert_eq!(summary(there.end()), Some((Outcome::BlackWins, EndReason::Try, 3)));
    let csa = Rules::STANDARD;
    let mut there = game("9/4K4/9/9/9/9/9/9/k8 b - 1", csa);
    there.play(mv("5b5a"));
    assert_eq!(there.end(), None);
}

#[test]
fn handicap_games_start_with_white() {
    for handicap in Handicap::ALL {
        let game = Game::startpos(Rules { handicap: Some(handicap), ..Rules::STANDARD });
        assert_eq!(game.position().side_to_move(), Color::White);
        assert_eq!(game.start_sfen(), handicap.sfen());
        assert_eq!(game.end(), None);
    }
}

#[test]
fn reasons_have_codes_in_csa_and_kif_records() {
    let end = |outcome, reason| GameEnd { outcome, reason, ply: 9 };
    for (reason, csa, kif) in [
        (EndReason::Checkmate, "%TSUMI", "詰み"),
        (EndReason::Resignation, "%TORYO", "投了"),
        (EndReason::TimeForfeit, "%TIME_UP", "切れ負け"),
        (EndReason::Sennichite, "%SENNICHITE", "千日手"),
        (EndReason::NyugyokuDeclaration, "%KACHI", "入玉勝ち"),
        (EndReason::FailedDeclaration, "%ILLEGAL_MOVE", "反則負け"),
        (EndReason::Jishogi, "%JISHOGI", "持将棋"),
        (EndReason::MaxPlies, "%MAX_MOVES", "持将棋"),
        (EndReason::Aborted, "%CHUDAN", "中断"),
    ] {
        assert_eq!((reason.csa_code(), reason.kif_code()), (csa, kif));
        let end = end(Outcome::WhiteWins, reason);
        assert_eq!((end.csa_code(), end.kif_code(Color::Black)), (csa, kif));
    }
    for side in [Color::Black, Color::White] {
        let drawn = end(Outcome::Draw, EndReason::NyugyokuDeclaration);
        assert_eq!((drawn.csa_code(), drawn.kif_code(side)), ("%HIKIWAKE", "持将棋"));
    }
    let perpetual = end(Outcome::BlackWins, EndReason::PerpetualCheck);
    assert_eq!(perpetual.csa_code(), "%-ILLEGAL_ACTION");
    assert_eq!(perpetual.kif_code(Color::White), "反則負け");
    assert_eq!(perpetual.kif_code(Color::Black), "反則勝ち");
}
