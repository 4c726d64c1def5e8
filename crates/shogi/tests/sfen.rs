//! SFEN and position text: what is accepted, and what is wrong with the rest.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

use keiko_shogi::{
    Color, IllegalKind, Move, MoveList, ParsePositionError, PieceKind, Position, SfenError, Square,
    parse_position, perft_full,
};

const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

fn error(text: &str) -> SfenError {
    Position::from_sfen(text).unwrap_err()
}

#[test]
fn the_start_position_is_written_as_read() {
    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(Position::startpos().to_sfen(1), START);
    assert_eq!(Position::from_sfen(START), Ok((Position::startpos(), 1)));
}

#[test]
fn missing_numbers_space_and_loose_hands_are_accepted() {
    for text in [
        "4k4/9/9/9/9/9/9/9/4K4 w RB2P2gsp",
        "  4k4/9/9/9/9/9/9/9/4K4  w  sg2PgRBp  1 ",
        "4k4/9/9/9/9/9/9/9/4K4 w PgRsPgBp 1\n",
        "4k4/9/9/9/9/9/9/9/4K4 w p2gPsPBR 1",
    ] {
        let (position, number) = Position::from_sfen(text).unwrap();
        assert_eq!(position.to_sfen(number), "4k4/9/9/9/9/9/9/9/4K4 w RB2P2gsp 1", "{text}");
    }
}

#[test]
fn kings_may_be_missing() {
    let (position, _) = Position::from_sfen("9/9/9/9/9/9/9/9/9 b 18P 1").unwrap();
    assert_eq!((position.king(Color::Black), position.king(Color::White)), (None, None));
    assert!(position.has_legal_move() && !position.in_check());
}

#[test]
fn each_mistake_has_its_error() {
    assert_eq!(error(""), SfenError::MissingField("placement"));
    assert_eq!(error(KINGS), SfenError::MissingField("side to move"));
    assert_eq!(error(&format!("{KINGS} b")), SfenError::MissingField("hands"));
    assert_eq!(error(&format!("{KINGS} b - 1 x")), SfenError::TrailingText("x".to_owned()));
    assert_eq!(error("9/9 b - 1"), SfenError::RankCount(2));
    assert_eq!(error("9/9/9/9/9/9/9/9/9/9 b - 1"), SfenError::RankCount(10));
    let short = SfenError::RankLength { rank: 'b', squares: 8 };
    assert_eq!(error("9/8/9/9/9/9/9/9/9 b - 1"), short);
    let long = SfenError::RankLength { rank: 'a', squares: 10 };
    assert_eq!(error("91/9/9/9/9/9/9/9/9 b - 1"), long);
    let unknown = |letter| SfenError::UnknownPiece { rank: 'a', letter };
    assert_eq!(error("x8/9/9/9/9/9/9/9/9 b - 1"), unknown('x'));
    assert_eq!(error("0p8/9/9/9/9/9/9/9/9 b - 1"), unknown('0'));
    assert_eq!(error("歩8/9/9/9/9/9/9/9/9 b - 1"), unknown('歩'));
    let promotion = |found: &str| SfenError::BadPromotion { rank: 'a', found: found.to_owned() };
    assert_eq!(error("+G8/9/9/9/9/9/9/9/9 b - 1"), promotion("G"));
    assert_eq!(error("+k8/9/9/9/9/9/9/9/9 b - 1"), promotion("k"));
    assert_eq!(error("++p8/9/9/9/9/9/9/9/9 b - 1"), promotion("+"));
    assert_eq!(error("+9/9/9/9/9/9/9/9/9 b - 1"), promotion("9"));
    assert_eq!(error("9+/9/9/9/9/9/9/9/9 b - 1"), promotion(""));
    assert_eq!(error(&format!("{KINGS} x - 1")), SfenError::SideToMove("x".to_owned()));
    assert_eq!(error(&format!("{KINGS} b K 1")), SfenError::UnknownHandPiece('K'));
    assert_eq!(error(&format!("{KINGS} b P- 1")), SfenError::UnknownHandPiece('-'));
    for (hands, count) in
        [("2", "2"), ("0P", "0"), ("19P", "19"), ("P3", "3"), ("99999999999P", "99999999999")]
    {
        let wrong = SfenError::HandCount(count.to_owned());
        assert_eq!(error(&format!("{KINGS} b {hands} 1")), wrong);
    }
    for number in ["0", "-1", "x", "+1", "4294967296"] {
        let wrong = SfenError::MoveNumber(number.to_owned());
        assert_eq!(error(&format!("{KINGS} b - {number}")), wrong);
    }
    let too_many =
        |kind: PieceKind, count| SfenError::TooManyPieces { kind, count, in_set: kind.in_set() };
    assert_eq!(error(&format!("{KINGS} b 3R 1")), too_many(PieceKind::Rook, 3));
    assert_eq!(error("4k4/9/+r8/9/9/9/9/9/4K4 b Rr 1"), too_many(PieceKind::Rook, 3));
    assert_eq!(error(&format!("{KINGS} b 10P9p 1")), too_many(PieceKind::Pawn, 19));
    assert_eq!(error("4k4/9/9/9/9/9/9/9/3K1K3 b - 1"), SfenError::TwoKings(Color::Black));
}

#[test]
fn set_ups_that_no_game_reaches_are_only_for_problems() {
    let nifu = SfenError::Nifu { color: Color::White, file: 8 };
    let dead =
        SfenError::DeadEnd { color: Color::Black, kind: PieceKind::Knight, square: Square::SQ_3B };
    let check = SfenError::OpponentInCheck(Color::White);
    for (text, expected) in [
        ("4k4/9/1p7/1p7/9/9/9/9/4K4 b - 1", nifu),
        ("4k4/6N2/9/9/9/9/9/9/4K4 b - 1", dead),
        ("4k4/9/9/9/9/9/9/9/4R3K b - 1", check),
    ] {
        assert_eq!(error(text), expected);
        let (position, _) = Position::from_problem_sfen(text).unwrap();
        assert_eq!(position.to_sfen(1), text);
    }
    assert!(Position::from_sfen("4k4/9/1+p7/1p7/9/9/9/9/4K4 b - 1").is_ok());
}

#[test]
fn a_standing_check_is_seen_after_another_move() {
    let text = "4k4/9/9/9/9/9/9/9/4R3K b P 1";
    let (mut position, _) = Position::from_problem_sfen(text).unwrap();
    assert!(!position.is_legal("5i5a".parse().unwrap()), "a king is never captured");
    let undo = position.do_move("P*1e".parse().unwrap());
    assert_eq!(position.checkers().first(), Some(Square::SQ_5I));
    position.undo_move("P*1e".parse().unwrap(), undo);
    assert_eq!(position.to_sfen(1), text);
}

#[test]
fn a_king_is_not_captured_where_it_gives_check_itself() {
    let text = "8k/6gGK/6g1G/8s/9/9/9/9/9 b P 1";
    let (position, _) = Position::from_problem_sfen(text).unwrap();
    assert_eq!(position.checkers().first(), Some(Square::SQ_1A));
    assert!(!position.has_legal_move());
    for text in ["9/4kK3/9/9/9/9/9/9/5R3 b G 1", "9/4kK3/5G3/9/9/9/9/9/9 b - 1"] {
        let (mut position, _) = Position::from_problem_sfen(text).unwrap();
        let legal: Vec<Move> = Move::all().filter(|&mv| position.is_legal(mv)).collect();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        moves.sort();
        assert_eq!(moves.to_vec(), legal, "{text}");
        assert!(perft_full(&mut position, 2) > 0);
    }
}

#[test]
fn pawns_on_their_last_rank_stay_there() {
    for text in
        ["P8/9/9/9/9/9/9/9/9 b - 1", "8P/9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/p7p w - 1"]
    {
        let (position, _) = Position::from_problem_sfen(text).unwrap();
        assert!(!position.has_legal_move(), "{text}");
        assert_eq!(position.count_legal_moves(), 0, "{text}");
    }
}

#[test]
fn a_dropped_pawn_mates_although_it_could_be_captured_where_another_check_stands() {
    for (text, drop) in [
        ("6RGk/3K3+S1/1g3NPg+l/8G/9/9/9/9/9 b P 1", "P*1b"),
        ("9/9/9/9/9/g8/+LGpn3G1/1+s3k3/Kgr6 w p 1", "P*9h"),
    ] {
        let (position, _) = Position::from_problem_sfen(text).unwrap();
        let drop = drop.parse().unwrap();
        assert_eq!(position.classify(drop), Err(IllegalKind::Uchifuzume), "{text}");
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        assert!(!moves.contains(&drop), "{text}");
    }
}

#[test]
fn lists_hold_the_moves_of_every_problem() {
    let text = "R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let mut moves = MoveList::new();
    Position::from_sfen(text).unwrap().0.legal_moves(&mut moves);
    assert_eq!(moves.len(), 599);
    assert!(moves.remaining_capacity() > 0);
}

#[test]
fn illegal_moves_of_a_position_are_named() {
    let text = "position startpos moves 7g7f 3c3d 8h2b 8b1b P*5e";
    let error = parse_position(text).unwrap_err();
    let expected = ParsePositionError::IllegalMove {
        number: 4,
        mv: "8b1b".parse().unwrap(),
        kind: IllegalKind::ImpossibleMove,
    };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), "move 4, 8b1b, is illegal: impossible_move");
    for word in ["resign", "win", "rep_inf"] {
        let error = parse_position(&format!("startpos moves 7g7f {word}")).unwrap_err();
        assert!(matches!(error, ParsePositionError::BadMove { number: 2, .. }), "{error}");
    }
}
