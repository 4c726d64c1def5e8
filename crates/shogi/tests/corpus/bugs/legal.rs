//! Bugs in the generation of moves.

use keiko_shogi::{
    Bitboard, IllegalKind, Move, PieceKind, Position, Square, parse_position, perft,
};

use super::{allows, legal, mv, position};

#[test]
fn bug_01_drop_pawn_mate_without_an_own_king() {
    assert!(!allows("8k/9/7+R1/9/9/9/9/9/9 b P 1", "P*1b"));
    assert!(!allows("8k/9/7+R1/9/9/9/9/9/K8 b P 1", "P*1b"));
}

#[test]
fn bug_02_dropped_pawn_shuts_an_own_line() {
    assert!(allows("7k1/5G2l/6B2/9/9/9/9/9/9 b NP 1", "P*2b"));
    assert!(allows(
        "ln1g3k1/5G2l/1+LspSp2p/2p1S2p1/2r3p2/p3P4/1P+BP1P+b1P/2GS5/L2K1G3 b NPr2n5p 79",
        "P*2b"
    ));
}

#[test]
fn bug_03_pinned_pieces_do_not_capture_the_dropped_pawn() {
    let position = position("R6gk/9/8S/9/9/9/9/7L1/8K b P 1");
    assert_eq!(position.classify(mv("P*1b")), Err(IllegalKind::Uchifuzume));
}

#[test]
fn bug_04_one_drop_pawn_mate_leaves_the_other_drops() {
    let moves = legal(&position("7lk/9/8S/9/9/9/9/7L1/8K b P 1"));
    assert_eq!(moves.len(), 85);
    assert!(!moves.contains(&"P*1b".to_owned()));
    assert_eq!(moves.iter().filter(|text| text.starts_with("P*")).count(), 68);
}

#[test]
fn bug_05_interposing_drop_pawn_mate() {
    let sfen = "3lkl3/3r4K/9/3NN4/B8/9/9/9/9 b P 1";
    assert!(!allows(sfen, "P*5b"));
    assert_eq!(legal(&position(sfen)).len(), 12);
}

#[test]
fn bug_06_enemy_pawns_do_not_close_a_file() {
    let sfen = "lr7/3skgg1+B/2n2s1pp/p1p1ppP2/3p1np2/1PPPP4/PS1G1P2P/2GS3R1/LNK4NL w L2pb 58";
    assert!(allows(sfen, "P*8d"));
}

#[test]
fn bug_07_bishop_moves_on_both_diagonals() {
    let sfen = "lnsg1g1nl/3k3r1/pppp1s1pp/b3p1p2/2PP1p2B/P3P3P/1P3PPP1/1S3K1R1/LN1G1GSNL w - 1";
    assert!(allows(sfen, "9d6g"));
}

#[test]
fn bug_08_moves_from_the_corners() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/8P/PPPPPPPP1/1B5R1/LNSGKGSNL w - 2";
    assert!(allows(sfen, "9a9b") && allows(sfen, "1a1b"));
}

#[test]
fn bug_09_taking_back_a_capture() {
    let (mut position, _, moves) = parse_position("startpos moves 7g7f 3c3d 8h2b+").unwrap();
    let mut undos = Vec::new();
    let mut texts = vec![position.to_sfen(1)];
    for &mv in &moves {
        undos.push(position.do_move(mv));
        texts.push(position.to_sfen(1));
    }
    let undo = undos.pop().unwrap();
    assert_eq!(undo.captured().map(|piece| piece.kind), Some(PieceKind::Bishop));
    position.undo_move(moves[2], undo);
    assert_eq!(position.to_sfen(1), texts[2]);
    position.do_move(moves[2]);
    assert_eq!(position.to_sfen(1), texts[3]);
}

#[test]
fn bug_10_king_captures_one_of_two_checkers() {
    let position = position("4k4/3+B5/3N5/9/9/9/9/9/K7L w - 1");
    assert!(position.checkers().is_many());
    assert_eq!(legal(&position), ["5a4a", "5a4b", "5a6b"]);
}

#[test]
fn bug_11_drops_in_check_must_block() {
    let sfen = "4k4/4r4/9/9/9/9/9/9/4K4 b GP 1";
    assert!(allows(sfen, "G*5e") && !allows(sfen, "G*4e"));
}

#[test]
fn bug_12_a_move_cannot_contradict_the_board() {
    // A move names squares or a dropped kind, never the moving or the captured piece, and its bits
    // cannot promote a drop.
    let promoted_drop = mv("P*5e").to_bits() | 1 << 14;
    assert_eq!(Move::from_bits(promoted_drop), None);
    assert!("P*5e+".parse::<Move>().is_err());
    assert!(!Position::startpos().is_legal(mv("P*5e")));
}

#[test]
fn n1_every_drop_square_is_tested() {
    assert!(!allows("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", "P*5b"));
    let sfen = "4p4/l+B1g1k2l/nn2s1bP1/1sP2P1R1/P1SpP1Rn1/3PG4/L+p3G1+p+p/5+l3/K1+p6 w Pgsn5p 144";
    assert!(!allows(sfen, "P*9h"));
    let sfen = "lkB4nl/8r/1sg5p/p1p2Bpp1/1pS2p3/Pp4P1P/3s1PN2/KG1+p5/LN6L b GSN5Prg 1";
    let (mut position, _) = Position::from_problem_sfen(sfen).unwrap();
    assert_eq!(perft(&mut position, 3), 5_069_379);
}

#[test]
fn n3_pinned_capturers_are_no_defence() {
    assert!(!allows("R6gk/9/8S/9/9/9/9/7L1/8K b P 1", "P*1b"));
}

#[test]
fn drop_pawn_mates_of_two_more_games() {
    for (sfen, illegal, count) in [
        (
            "+N8/lr6p/+B4pppl/1pgp1g2+P/l1k1P1PsP/pP1sG1s1G/1S3l2N/3+p1N2R/1K4NP+B b 3Pp 323",
            "P*7f",
            55,
        ),
        (
            "1+S2+B1+L2/kP2P2pP/1s+R2+S2l/pG5+R1/2P2P1Pp/3p2PG1/gg+p1+n+p1S1/1p+p+nlp1KB/1+l+n+n2+p2 b P 373",
            "P*9c",
            62,
        ),
    ] {
        assert!(!allows(sfen, illegal));
        assert_eq!(legal(&position(sfen)).len(), count);
    }
}

#[test]
fn n5_non_promotions_are_listed() {
    let moves = legal(&position("k8/1P1L3S1/2R1N1B2/9/9/9/2b1n1r2/1s3l1p1/8K b - 1"));
    for text in ["7c7b", "7c7b+", "3c2b", "3c2b+", "2b1c", "2b1c+"] {
        let expected = text != "3c2b" && text != "3c2b+";
        assert_eq!(moves.contains(&text.to_owned()), expected, "{text}");
    }
    let lance = legal(&position("k8/9/3L5/9/9/9/9/9/8K b - 1"));
    assert!(lance.contains(&"6c6b".to_owned()) && lance.contains(&"6c6b+".to_owned()));
    let pawn = legal(&position("k8/9/3P5/9/9/9/9/9/8K b - 1"));
    assert!(pawn.contains(&"6c6b".to_owned()) && pawn.contains(&"6c6b+".to_owned()));
}

#[test]
fn bug_40_first_moves_of_mates_by_non_promotion_are_legal() {
    assert!(allows("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", "4a2c"));
    assert!(allows("7nk/9/7Gp/6+RP1/9/9/1+p7/9/K8 b Pr2b3g4s3n4l14p 1", "2c2b"));
}

#[test]
fn bug_34_keys_do_not_depend_on_the_way() {
    let key = |moves: &str| {
        let (mut position, _, moves) = parse_position(&format!("startpos moves {moves}")).unwrap();
        for mv in moves {
            position.do_move(mv);
            assert_eq!(position.key(), position.key_from_scratch());
        }
        (position.key(), position.to_sfen(1))
    };
    let one = key("7g7f 3c3d 8h2b+ 3a2b B*8h 9c9d 2g2f 1c1d");
    let two = key("2g2f 3c3d 7g7f 1c1d 8h2b+ 3a2b B*8h 9c9d");
    assert_eq!(one, two);
    let other = key("7g7f 3c3d 8h2b+ 3a2b 2g2f 9c9d");
    assert_ne!(one.0, other.0);
}

#[test]
fn keys_tell_hands_and_sides_apart() {
    let keys: Vec<u64> = [
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b L 1",
        "4k4/9/9/9/9/4P4/9/9/4K4 b - 1",
        "4k4/9/9/9/9/4p4/9/9/4K4 b - 1",
    ]
    .iter()
    .map(|sfen| position(sfen).key())
    .collect();
    for (i, key) in keys.iter().enumerate() {
        assert!(!keys[..i].contains(key), "row {i}");
    }
}

#[test]
fn distant_pieces_give_check_through_the_border_of_files_7_and_8() {
    let position = position("k8/9/9/9/R8/9/9/9/K8 w - 1");
    assert_eq!(position.checkers(), Bitboard::of(Square::SQ_9E));
    let across = self::position("9/9/9/9/k7R/9/9/9/K8 w - 1");
    assert_eq!(across.checkers(), Bitboard::of(Square::SQ_1E));
}
