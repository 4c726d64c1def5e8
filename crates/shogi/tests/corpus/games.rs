//! Whole games.

use keiko_shogi::{EndReason, Game, Move, Outcome, Position, Rules, parse_position};

use crate::rows::rows;

#[test]
fn recorded_games_end_as_recorded() {
    for row in rows("games/games.tsv") {
        let [id, result, termination, plies, sfen, moves] = row.as_slice() else {
            panic!("{row:?}")
        };
        let (start, number, moves) =
            parse_position(&format!("position sfen {sfen} moves {moves}")).unwrap();
        let mut game = Game::new(start, number, Rules::STANDARD);
        for mv in moves {
            assert_eq!(game.end(), None, "{id} after {} plies", game.ply());
            game.play(mv);
        }
        assert_eq!(game.ply().to_string(), *plies, "{id}");
        let outcome: Outcome = result.parse().unwrap();
        let end = match termination.as_str() {
            "resign" => {
                assert_eq!(game.end(), None, "{id}");
                game.resign(!outcome.winner().unwrap())
            }
            "declaration" => {
                assert_eq!(game.end(), None, "{id}");
                game.declare(None)
            }
            _ => game.end().unwrap(),
        };
        let reason = match termination.as_str() {
            "resign" => EndReason::Resignation,
            "declaration" => EndReason::NyugyokuDeclaration,
            // The table has one word for both ways to be without a legal move.
            _ if game.position().in_check() => EndReason::Checkmate,
            _ => EndReason::NoLegalMove,
        };
        assert_eq!((end.outcome, end.reason, end.ply), (outcome, reason, game.ply()), "{id}");
    }
}

#[test]
fn replayed_games_reach_their_final_position() {
    for row in rows("games/replay-only.tsv") {
        let [plies, last, moves] = row.as_slice() else { panic!("{row:?}") };
        let mut game = Game::startpos(Rules::STANDARD);
        for text in moves.split_whitespace() {
            let mv: Move = text.parse().unwrap();
            assert!(game.position().is_legal(mv), "{row:?} {mv}");
            game.play(mv);
        }
        assert_eq!(game.ply().to_string(), *plies);
        assert_eq!(game.sfen(), format!("{last} {}", game.ply() + 1));
        while game.ply() > 0 {
            game.undo();
        }
        assert_eq!(*game.position(), Position::startpos());
    }
}
