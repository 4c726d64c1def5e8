//! The scalars of our own encoding.

use keiko_encoding::{Context, EncodingId, Scalar, encode, unpack};
use keiko_shogi::{DrawValues, Game, ImpasseRule, Position, Rules};

use crate::support::{CONTEXT, RULES, game_of};

const ID: EncodingId = EncodingId::Keiko1;

/// The value of a scalar's plane, which is the same on all squares.
fn value(game: &Game, context: &Context, scalar: Scalar) -> f32 {
    let mut row = vec![0; ID.row_bytes()];
    encode(ID, game, context, &mut row);
    let mut planes = vec![f32::NAN; ID.planes() * 81];
    unpack(ID, &row, &mut planes);
    let index = Scalar::ALL.iter().position(|&other| other == scalar).unwrap();
    let plane = &planes[(ID.planes1() + ID.planes2() + index) * 81..][..81];
    assert!(plane.iter().all(|value| value.to_bits() == plane[0].to_bits()));
    plane[0]
}

fn assert_close(found: f32, expected: f32, what: impl std::fmt::Debug) {
    assert!((found - expected).abs() < 1e-6, "{what:?}: {found}, expected {expected}");
}

#[test]
fn repetitions_are_counted_in_thirds() {
    let mut game = Game::startpos(RULES);
    for round in 0..3 {
        let expected = round as f32 / 3.0;
        assert_close(value(&game, &CONTEXT, Scalar::Repetition), expected, round);
        for usi in ["2h3h", "8b7b", "3h2h", "7b8b"] {
            game.play(usi.parse().unwrap());
        }
    }
    assert_close(value(&game, &CONTEXT, Scalar::Repetition), 1.0, "fourth");
}

#[test]
fn progress_is_plies_over_the_maximum() {
    for (max_plies, expected) in [(Some(8), 0.25), (Some(2), 1.0), (Some(1), 1.0), (None, 0.0)] {
        let mut game = Game::startpos(Rules { max_plies, ..RULES });
        game.play("7g7f".parse().unwrap());
        game.play("3c3d".parse().unwrap());
        assert_close(value(&game, &CONTEXT, Scalar::Progress), expected, max_plies);
    }
}

#[test]
fn points_are_those_of_a_declaration_and_of_a_count() {
    // Entering kings of either colour to move, and the start position.
    let sfens = [
        "2K+R1+B3/+P+P+PG+PS3/1+P1N5/9/9/9/3ppp3/4k4/4r4 b B3G2S2N3L9Psnl 201",
        "4R4/4K4/3PPP3/9/9/9/5n1+p1/3s+pg+p+p+p/3+b1+r1k1 w SNLb3g2s2n3l9p 202",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ];
    for sfen in sfens {
        let game = game_of(sfen);
        let position = game.position();
        let (us, them) = (position.side_to_move(), position.side_to_move().opponent());
        for (scalar, points) in [
            (Scalar::OwnDeclarationPoints, position.zone_points(us)),
            (Scalar::OpponentDeclarationPoints, position.zone_points(them)),
            (Scalar::OwnTotalPoints, position.points(us)),
            (Scalar::OpponentTotalPoints, position.points(them)),
        ] {
            assert_close(value(&game, &CONTEXT, scalar), points as f32 / 27.0, (sfen, scalar));
        }
    }
    let start = game_of(sfens[2]);
    assert_close(value(&start, &CONTEXT, Scalar::OwnTotalPoints), 1.0, "half of all points");
    assert_close(value(&start, &CONTEXT, Scalar::OwnDeclarationPoints), 0.0, "nothing entered");
}

#[test]
fn draw_values_are_seen_from_the_side_to_move() {
    let draw_values = DrawValues { sennichite: 0.25, jishogi: 0.5, max_plies: 1.0 };
    let context = Context { draw_values };
    let mut game = Game::startpos(RULES);
    let read = |game: &Game| {
        [Scalar::White, Scalar::SennichiteValue, Scalar::JishogiValue, Scalar::MaxPliesValue]
            .map(|scalar| value(game, &context, scalar))
    };
    assert_eq!(read(&game).map(f32::to_bits), [0.0, 0.25, 0.5, 1.0].map(f32::to_bits));
    game.play("7g7f".parse().unwrap());
    assert_eq!(read(&game).map(f32::to_bits), [1.0, 0.75, 0.5, 0.0].map(f32::to_bits));
}

#[test]
fn the_impasse_rule_is_indicated_by_family() {
    use ImpasseRule::*;
    let families = [Scalar::Declaration27, Scalar::Declaration24, Scalar::Count, Scalar::Try];
    for (impasse, family) in [
        (Csa27, Some(0)),
        (Csa27h, Some(0)),
        (Csa24, Some(1)),
        (Csa24h, Some(1)),
        (Jishogi24, Some(2)),
        (Count27, Some(2)),
        (AmateurWest, Some(2)),
        (Try, Some(3)),
        (TryBoth, Some(3)),
        (None, Option::None),
    ] {
        let game = Game::startpos(Rules { impasse, ..RULES });
        for (index, scalar) in families.into_iter().enumerate() {
            let expected = if family == Some(index) { 1.0 } else { 0.0 };
            assert_close(value(&game, &CONTEXT, scalar), expected, (impasse, scalar));
        }
    }
}

#[test]
fn a_row_depends_on_the_position_alone_but_for_repetition_and_progress() {
    let mut game = Game::startpos(RULES);
    for usi in ["7g7f", "3c3d", "2g2f"] {
        game.play(usi.parse().unwrap());
    }
    let (position, _) = Position::from_sfen(&game.position().to_sfen(4)).unwrap();
    let fresh = Game::new(position, 4, RULES);
    for scalar in Scalar::ALL {
        if scalar != Scalar::Progress {
            let [old, new] = [&game, &fresh].map(|game| value(game, &CONTEXT, scalar));
            assert_close(old, new, scalar);
        }
    }
}
