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

#[test]
fn without_a_king_mates_are_looked_for_and_no_game_is_played() {
    let mut console = Console::hashed().ready();
    for (sfen, answers) in [
        ("3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1", &["checkmate "][..]),
        (
            "9/9/9/9/9/9/9/9/4K4 b 2R 1",
            &[
                "info string Error: position: white, who is to be mated, has no king",
                "checkmate nomate",
            ],
        ),
        (
            "9/9/9/9/9/9/9/9/9 w 2r 1",
            &[
                "info string Error: position: black, who is to be mated, has no king",
                "checkmate nomate",
            ],
        ),
    ] {
        console.send(&format!("position sfen {sfen}"));
        console.send("go mate infinite");
        for answer in answers {
            let said = console.line();
            assert!(said.starts_with(answer) && said != "checkmate timeout", "{sfen}: {said}");
        }
        for go in ["go nodes 8", "go infinite"] {
            console.send(go);
            let said = console.line();
            assert!(said.contains(" has no king, so no game"), "{sfen}: {said}");
            console.send("stop");
            assert!(console.line().ends_with(" pv resign"), "{sfen}");
            assert_eq!(console.line(), "bestmove resign", "{sfen}");
        }
    }
}
