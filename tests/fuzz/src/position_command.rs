//! The position command: what is accepted can be played, and written again.

use keiko_shogi::{Game, Move, Rules, parse_position};

/// Reads `data` as a position command.
///
/// # Panics
/// Where the round trip fails.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok((start, number, moves)) = parse_position(text) else { return };
    let mut game = Game::new(start.clone(), number, Rules::STANDARD);
    for &mv in &moves {
        assert!(game.position().is_legal(mv));
        game.play(mv);
    }
    let words: Vec<String> = game.moves().iter().map(Move::to_string).collect();
    let written = format!("position sfen {} moves {}", game.start_sfen(), words.join(" "));
    assert_eq!(parse_position(&written), Ok((start.clone(), number, moves)));
    while game.ply() > 0 {
        game.undo();
    }
    assert_eq!(*game.position(), start);
}
