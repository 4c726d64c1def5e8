//! A game forth and back: what is kept while it is played equals what is computed from scratch.

use keiko_encoding::{Context, EncodingId, encode, label, move_of_label};
use keiko_shogi::{DrawValues, Game, Handicap, MoveList, Position, Rules};

/// Starts beside the handicaps.
const STARTS: [&str; 8] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "k8/1P1L3S1/2R1N1B2/9/9/9/2b1n1r2/1s3l1p1/8K b - 1",
    "1+P+P+PK+P+P2/1+P1+RG+S1+P1/9/9/9/9/9/1+p1+b1g+s2/2+p+pk+p+p2 b RB2GS2N2L3Ps2n2l3p 1",
    "8k/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "6k2/9/9/9/9/9/9/9/K6R1 b - 1",
];

/// Bytes below this one play a move, the others take back moves.
const UNDO: u8 = 248;

/// Plays the game that `data` is: a byte for the start, then one for each step.
///
/// # Panics
/// Where a position is not the one from scratch.
pub fn run(data: &[u8]) {
    let Some((&start, steps)) = data.split_first() else { return };
    let start = usize::from(start) % (STARTS.len() + Handicap::ALL.len());
    let position = match STARTS.get(start) {
        Some(sfen) => Position::from_sfen(sfen).expect("the starts are right").0,
        None => Handicap::ALL[start - STARTS.len()].position(),
    };
    let mut game = Game::new(position, 1, Rules::STANDARD);
    let mut seen = vec![game.position().clone()];
    for &step in steps.iter().take(300) {
        if step >= UNDO {
            for _ in UNDO..=step {
                game.undo();
            }
            seen.truncate(game.ply() as usize + 1);
        } else {
            let mut moves = MoveList::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            // The listed order is free; an input must mean the same game whatever it is.
            moves.sort();
            let mv = moves[usize::from(step) * moves.len() / usize::from(UNDO)];
            let by_label =
                move_of_label(label(mv, game.position().side_to_move()), game.position());
            assert_eq!(by_label, Some(mv));
            game.play(mv);
            seen.push(game.position().clone());
        }
        check(&game, &seen);
    }
}

fn check(game: &Game, seen: &[Position]) {
    let position = game.position();
    assert_eq!(Some(position), seen.last());
    assert_eq!(position.key(), position.key_from_scratch());
    assert_eq!(position.checkers(), position.checkers_from_scratch());
    let (read, number) = Position::from_sfen(&game.sfen()).expect("a game's positions are right");
    assert_eq!(read, *position);
    let times = seen.iter().filter(|earlier| *earlier == position).count();
    let repetition = game.repetition();
    assert_eq!(repetition.occurrences as usize, times);
    assert_eq!(repetition.verdict.is_some(), times >= 4);
    let fresh = Game::new(read, number, Rules::STANDARD);
    for id in [EncodingId::Dlshogi57, EncodingId::Dlshogi119] {
        assert_eq!(row(id, game, 0), row(id, &fresh, 0xff));
    }
}

/// The row, written over bytes of `old`.
fn row(id: EncodingId, game: &Game, old: u8) -> Vec<u8> {
    let mut row = vec![old; id.row_bytes()];
    encode(id, game, &Context { draw_values: DrawValues::HALF }, &mut row);
    row
}
