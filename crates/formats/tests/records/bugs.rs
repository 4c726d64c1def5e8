//! Known bugs of other programs in reading records, by their number in `tests/corpus/bug-log.md`.

use keiko_formats::RecordFormat;
use keiko_shogi::{Color, Handicap, Outcome, PieceKind, Position};

use crate::support::{moves, read};

#[test]
fn bug_20_pi() {
    let even = read("V2.2\nPI\n+\n", RecordFormat::Csa);
    assert_eq!(*even.game().start(), Position::startpos());
    let two = read("V2.2\nPI82HI22KA\n-\n", RecordFormat::Csa);
    assert_eq!(*two.game().start(), Handicap::TwoPiece.position());
}

#[test]
fn bug_21_and_22_several_pieces_in_hand() {
    let record = read("P-51OU\nP+59OU\nP+00FU00KI00KI\n+\n", RecordFormat::Csa);
    let hand = record.game().start().hand(Color::Black);
    assert_eq!((hand.count(PieceKind::Pawn), hand.count(PieceKind::Gold)), (1, 2));
    assert_eq!(record.game().start_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b 2GP 1");
}

#[test]
fn bug_23_whose_foul_it_was() {
    for (code, outcome) in
        [("%+ILLEGAL_ACTION", Outcome::WhiteWins), ("%-ILLEGAL_ACTION", Outcome::BlackWins)]
    {
        for moves in ["+7776FU\n-3334FU\n", "+7776FU\n", ""] {
            let record = read(&format!("PI\n+\n{moves}{code}\n"), RecordFormat::Csa);
            assert_eq!(record.ending.unwrap().outcome, Some(outcome));
        }
    }
}

#[test]
fn bug_24_and_26_comments_beside_moves() {
    let text = "手合割：平手\n   1 ７六歩(77)\n**解析 0 ▲３四歩(33) 2 ３四歩(33)\n*more\n   2 ３四歩(33)\n*its own\n";
    let record = read(text, RecordFormat::Kif);
    assert_eq!(moves(&record), "7g7f 3c3d");
    assert_eq!(record.notes()[0].comments, ["*解析 0 ▲３四歩(33) 2 ３四歩(33)", "more"]);
    assert_eq!(record.notes()[1].comments, ["its own"]);
}

#[test]
fn bug_25_spaces_in_hands() {
    let diagram = |space: &str| {
        let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7);
        format!(
            "後手の持駒：飛{space}角{space}金四{space}\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n{empty}\
             | ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n先手番\n"
        )
    };
    for space in [" ", "\u{3000}", ""] {
        let record = read(&diagram(space), RecordFormat::Kif);
        assert_eq!(record.game().start_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b rb4g 1");
    }
}
