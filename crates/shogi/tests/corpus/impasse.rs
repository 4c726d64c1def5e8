//! Impasse rules.

use keiko_shogi::{
    Color, Declaration, EndReason, Game, Handicap, ImpasseRule, Outcome, Position, Rules,
};

use crate::rows::rows;

/// The handicap that a row is about, by its name.
fn handicap(name: &str) -> Option<Handicap> {
    match name {
        _ if name.starts_with("h2piece") => Some(Handicap::TwoPiece),
        _ if name.starts_with("h4piece") => Some(Handicap::FourPiece),
        _ if name.starts_with("hlance") => Some(Handicap::Lance),
        _ => None,
    }
}

fn game(sfen: &str, rules: Rules) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, rules)
}

/// Declares under a rule and returns who wins and why.
fn declared(game: &Game) -> (Outcome, EndReason) {
    let end = game.declare(Some(1));
    assert_eq!(end.ply, 0);
    (end.outcome, end.reason)
}

#[test]
fn declarations_counts_and_tries_agree() {
    for row in rows("impasse.tsv") {
        let [name, sfen, rule, expected, _] = row.as_slice() else { panic!("{row:?}") };
        if rule == "points" {
            let (position, _) = Position::from_sfen(sfen).unwrap();
            let [black, white] = Color::ALL.map(|color| position.points(color));
            assert_eq!(&format!("black={black} white={white}"), expected, "{name}");
            continue;
        }
        let impasse: ImpasseRule = rule.parse().unwrap();
        let rules = Rules { impasse, handicap: handicap(name), ..Rules::STANDARD };
        let game = game(sfen, rules);
        if matches!(impasse, ImpasseRule::Jishogi24 | ImpasseRule::Count27) {
            let end = game.agree().unwrap();
            assert_eq!(
                (end.outcome.name(), end.reason),
                (&**expected, EndReason::Jishogi),
                "{name}"
            );
            continue;
        }
        let us = game.position().side_to_move();
        let (win, loss) = (Outcome::win_for(us), Outcome::win_for(!us));
        let is_try = matches!(impasse, ImpasseRule::Try | ImpasseRule::TryBoth);
        let right = if is_try { EndReason::Try } else { EndReason::NyugyokuDeclaration };
        let verdict = match expected.as_str() {
            "no" => (loss, EndReason::FailedDeclaration),
            "draw" => (Outcome::Draw, right),
            _ => (win, right),
        };
        assert_eq!(declared(&game), verdict, "{name} {rule}");
        assert_eq!(game.can_declare().is_some(), expected != "no", "{name} {rule}");

        let out_of_time = game.declare(Some(0));
        assert_eq!((out_of_time.outcome, out_of_time.reason), (loss, EndReason::FailedDeclaration));

        let automatic = Rules { declaration: Declaration::Automatic, ..rules };
        let end = Game::new(game.position().clone(), 1, automatic).end();
        let wins = expected.starts_with("win");
        assert_eq!(
            end.map(|end| (end.outcome, end.reason)),
            wins.then_some((win, right)),
            "{name}"
        );

        if let Some(mv) = expected.strip_prefix("win ") {
            assert_eq!(game.try_move().unwrap().to_string(), mv, "{name}");
            let mut game = game.clone();
            game.play(mv.parse().unwrap());
            let end = game.end().unwrap();
            assert_eq!((end.outcome, end.reason, end.ply), (win, EndReason::Try, 1), "{name}");
        }
    }
}
