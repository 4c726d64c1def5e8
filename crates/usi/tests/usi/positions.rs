//! Positions that cannot be played.

use keiko_shogi::{Game, Move, Position, Rules};

use crate::console::Console;

fn best(console: &mut Console) -> String {
    console.send("go nodes 8");
    console.wait_for("bestmove")
}

fn is_legal(answer: &str, game: &Game) -> bool {
    let mv: Move = answer.strip_prefix("bestmove ").unwrap().parse().unwrap();
    game.position().is_legal(mv)
}

#[test]
fn the_position_before_a_broken_line_stands_and_is_said_to() {
    let mut game = Game::startpos(Rules::STANDARD);
    game.play("7g7f".parse().unwrap());
    for bad in [
        "position",
        "position sfen",
        "position starpos",
        "position startpos moves 7g7f 7g7f",
        "position startpos moves 7g7f 3c3",
        "position lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7e 3c3d",
    ] {
        let mut console = Console::hashed().ready();
        console.send("position startpos moves 7g7f");
        console.send(bad);
        assert!(console.line().starts_with("info string Error: position: "), "{bad}");
        console.send("go nodes 8");
        let said = console.line();
        assert!(said.starts_with("info string Error: position refused ("), "{bad}: {said}");
        assert!(said.ends_with(": searching the position before it"), "{bad}: {said}");
        assert!(is_legal(&console.wait_for("bestmove"), &game), "{bad}");
        // The next good one makes good.
        console.send("position startpos moves 7g7f");
        console.send("go nodes 8");
        assert!(console.line().starts_with("info depth"), "{bad}");
    }
}

#[test]
fn a_position_of_another_game_that_cannot_be_played_is_resigned() {
    let mut console = Console::hashed().ready();
    for bad in [
        "position sfen 9/9/9 b - 1",
        "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1 b - 1 moves 7g7f",
        "position sfen 4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1",
        "position sfen 8k/9/8P/9/9/9/9/9/8K b G 1 moves 1c1d",
    ] {
        console.send("position startpos");
        console.send(bad);
        console.send("go nodes 8");
        let said = console.wait_for("info string Error: position refused");
        assert!(said.ends_with("nothing can be searched"), "{bad}: {said}");
        assert!(console.line().ends_with(" pv resign"), "{bad}");
        assert_eq!(console.line(), "bestmove resign", "{bad}");
        console.send("go mate infinite");
        assert_eq!(console.wait_for("checkmate"), "checkmate timeout", "{bad}");
        console.send("go infinite");
        console.wait_for("info string");
        console.send("stop");
        assert_eq!(console.wait_for("bestmove"), "bestmove resign", "{bad}");
    }
    console.send("position startpos");
    assert_ne!(best(&mut console), "bestmove resign");
}

#[test]
fn an_illegal_move_that_the_gui_has_played_is_played() {
    let mut console = Console::hashed().ready();
    console.send("position startpos moves 7g7f 2g2f");
    assert_eq!(console.line(), "info string Error: position: move 2 (2g2f) is illegal");
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 3";
    let (position, number) = Position::from_sfen(sfen).unwrap();
    let game = Game::new(position, number, Rules::STANDARD);
    assert!(is_legal(&best(&mut console), &game));
}

#[test]
fn what_is_refused_keeps_its_place_among_the_lines() {
    let mut console = Console::hashed().ready();
    for line in [
        "position startpos",
        "go infinite",
        "go nodes 4",
        "position sfen 9/9/9 b - 1",
        "position startpos moves 7g7f",
        "go nodes 4",
    ] {
        console.send(line);
    }
    let lines = console.until_ready();
    assert!(
        !lines.iter().any(|line| line.contains("refused") || line.contains("resign")),
        "{lines:?}"
    );
}
