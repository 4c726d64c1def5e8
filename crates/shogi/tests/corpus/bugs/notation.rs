//! Bugs in reading and writing positions.

use keiko_shogi::{
    Color, Move, ParsePositionError, PieceKind, Position, SfenError, parse_position,
};

use super::position;

#[test]
fn bug_13_two_digit_counts_in_hand() {
    let position = position("7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert_eq!(position.hand(Color::White).count(PieceKind::Pawn), 17);
    assert_eq!(position.to_sfen(1), "7k1/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
}

#[test]
fn bug_14_hands_are_written_with_counts() {
    for hands in ["ppp", "3p", "p2p", "2pp"] {
        let position = position(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"));
        assert_eq!(position.to_sfen(1), "4k4/9/9/9/9/9/9/9/4K4 b 3p 1");
    }
}

#[test]
fn bug_15_garbage_is_an_error() {
    assert!(parse_position("position sfen sfen").is_err());
    let error = parse_position("position startpos moves abc").unwrap_err();
    assert!(matches!(error, ParsePositionError::BadMove { number: 1, .. }));
    for text in ["", "position", "position foo", "sfen", "startpos 7g7f"] {
        assert!(parse_position(text).is_err(), "{text}");
    }
}

#[test]
fn bug_16_no_moves() {
    for text in ["position startpos", "position startpos moves", "startpos", " startpos moves "] {
        let (start, number, moves) = parse_position(text).unwrap();
        assert_eq!((start, number, moves), (Position::startpos(), 1, Vec::<Move>::new()));
    }
}

#[test]
fn bug_17_only_the_word_moves_starts_the_moves() {
    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    for text in [
        format!("sfen {SFEN} 1 foo 7g7f"),
        format!("sfen {SFEN} 1 7g7f"),
        format!("sfen {SFEN} foo 7g7f"),
        format!("sfen {SFEN} 7g7f"),
        "startpos foo 7g7f".to_owned(),
    ] {
        let error = parse_position(&text).unwrap_err();
        assert!(matches!(error, ParsePositionError::ExpectedMoves(_)), "{text}: {error}");
    }
    let (_, number, moves) = parse_position(&format!("sfen {SFEN} moves 7g7f")).unwrap();
    assert_eq!((number, moves.len()), (1, 1));
}

#[test]
fn bug_18_move_numbers_above_one() {
    const SFEN: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 51";
    let (start, number, moves) =
        parse_position(&format!("sfen {SFEN} moves 7g7f 3c3d 8h2b+ 3a2b")).unwrap();
    assert_eq!(start.to_sfen(number), SFEN);
    let texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    assert_eq!(texts, ["7g7f", "3c3d", "8h2b+", "3a2b"]);
}

#[test]
fn bug_19_underscores_are_refused_with_a_message() {
    let text = "ln1gkg2l/2s4s1/p1pp+Bpnpp/1r4p2/7P1/P8/2GPPPP1P/2S6/LN2KG+r1L_b_BPsn3p_1";
    let error = Position::from_sfen(text).unwrap_err();
    assert_eq!(error, SfenError::MissingField("side to move"));
}

#[test]
fn n11_wrong_rank_lengths_are_errors() {
    for placement in ["9/9/9/9/9/9/9/9/8", "9/9/9/9/9/9/9/9/91", "9/9/9/9/9/9/9/9/9P"] {
        let error = Position::from_sfen(&format!("{placement} b - 1")).unwrap_err();
        assert!(matches!(error, SfenError::RankLength { rank: 'i', .. }), "{placement}: {error}");
    }
}
