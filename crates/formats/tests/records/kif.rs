//! KIF.

use keiko_formats::{Clock, Ending, Record, RecordFormat, RecordReason};
use keiko_shogi::{Color, EndReason, Handicap, IllegalKind, Outcome, Position};

use crate::support::{error, moves, read, read_all};

const GAME: &str = "\
# ---- Kifu for Windows V7 棋譜ファイル ----
開始日時：2023/01/01(日) 10:00:00
棋戦：A cup
持ち時間：1時間30分
秒読み：30秒
備考：a note
手合割：平手　　
先手：Black
後手：白
手数----指手---------消費時間--
*before
   1 ７六歩(77)   ( 0:16/00:00:16)
   2 ３四歩(33)   ( 1:00/00:01:00)+
*one
*two
   3 ２二角成(88) ( 0:03/00:00:19)
   4 同　銀(31)
&mark
   5 ５五角打     (75:03/01:15:22)
   6 投了         ( 0:01/00:01:01)
*end
まで5手で先手の勝ち

変化：2手
   2 ８四歩(83)   ( 0:01/00:00:01)

変化：4手
   4 投了
";

#[test]
fn a_whole_record() {
    let record = read(GAME, RecordFormat::Kif);
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b B*5e");
    assert_eq!(record.header.player(Color::White), Some("白"));
    assert_eq!(record.header.started.as_deref(), Some("2023/01/01 10:00:00"));
    let clock = Clock { main_ms: 5_400_000, byoyomi_ms: 30_000, increment_ms: 0 };
    assert_eq!(record.header.clock(), Some(clock));
    assert_eq!(record.header.extra, [("NOTE".to_owned(), "a note".to_owned())]);
    assert_eq!(record.comments, ["before"]);
    let times: Vec<_> = record.notes().iter().map(|note| note.time_ms).collect();
    assert_eq!(times, [Some(16_000), Some(60_000), Some(3_000), None, Some(4_503_000)]);
    assert_eq!(record.notes()[1].comments, ["one", "two"]);
    assert_eq!(record.notes()[3].comments, ["&mark"]);
    assert_eq!(record.ending, Some(Ending::resigned(Color::White)));
    assert_eq!(record.end_note.comments, ["end"]);
    assert_eq!(record.variations(), 2);
    let written = RecordFormat::Kif.write(&record);
    for part in [
        "   1 ７六歩(77)   ( 0:16/00:00:16)\n",
        "   4 同　銀(31)\n",
        "   5 ５五角打     (75:03/01:15:22)\n",
        "持ち時間：1時間30分\n秒読み：30秒\n備考：a note\n手合割：平手\n先手：Black\n",
        "まで5手で先手の勝ち\n",
    ] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let csa = RecordFormat::Csa.write(&record);
    assert!(csa.contains("$TIME_LIMIT:01:30+30\n$NOTE:a note\n"), "{csa}");
    let bytes = encoding_rs::SHIFT_JIS.encode(GAME).0;
    assert_eq!(read_all(&bytes, RecordFormat::Kif).unwrap(), [record]);
}

#[test]
fn starts_of_every_kind() {
    for handicap in Handicap::ALL {
        let text = format!("手合割：{}\n下手：a\n上手：b\n   1 中断\n", handicap.kif_name());
        let record = read(&text, RecordFormat::Kif);
        assert_eq!(*record.game().start(), handicap.position());
        assert_eq!(record.header.player(Color::White), Some("b"));
    }
    let even = read("先手：a\n", RecordFormat::Kif);
    assert_eq!((even.game().start(), even.ending), (&Position::startpos(), None));
    let diagram = "後手の持駒：飛 角　金　銀二　桂　香三 歩十五\n\
                     ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
                   |v香v桂 ・ ・ ・ ・ ・ ・ ・|一\n| ・ ・ ・ 馬 ・ ・ 龍 ・ ・|二\n\
                   | ・ ・v玉 ・v歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
                   | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|六\n\
                   | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
                   | ・ ・v金 ・v全 ・ ・ ・ ・|九\n+---------------------------+\n\
                   先手の持駒：なし\n手数＝171  ▲６二角成  まで\n後手番\n";
    let sfen = "ln7/3+B2+R2/2k1p4/9/9/4K4/9/9/2g1+s4 w rbg2sn3l15p 172";
    assert_eq!(read(diagram, RecordFormat::Kif).game().start_sfen(), sfen);
    for (old, new, message) in [
        ("|v香v桂 ・", "|v香v桂", "line 4: expected nine squares"),
        ("|五", "|六", "line 8: expected the ranks in order"),
        ("歩十五", "歩十十", "line 1: expected pieces with their numbers"),
        ("銀二", "銀六", "line 16: bad start position: 7 pieces of the kind Silver"),
        ("手数＝171", "手数＝x", "line 15: expected a number of moves"),
        ("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n", "line 13: expected nine ranks"),
    ] {
        let found = error(&diagram.replace(old, new), RecordFormat::Kif);
        assert!(found.starts_with(message), "{new}: {found}");
    }
}

#[test]
fn promoted_pieces_have_two_names() {
    let (position, _) = Position::from_sfen("4k4/9/9/9/9/2+L1+N1+S2/9/9/4K4 b - 1").unwrap();
    let start = RecordFormat::Kif.write(&Record::new(position, 1));
    for (names, square, mv) in [
        (["成香", "杏"], "７五{}(76)", "7f7e"),
        (["成桂", "圭"], "５五{}(56)", "5f5e"),
        (["成銀", "全"], "３五{}(36)", "3f3e"),
    ] {
        for name in names {
            let text = format!("{start}   1 {}\n", square.replace("{}", name));
            assert_eq!(moves(&read(&text, RecordFormat::Kif)), mv, "{name}");
        }
    }
    for (drop, kind) in
        [("５五馬打", IllegalKind::PromotedDrop), ("５五玉打", IllegalKind::ImpossibleMove)]
    {
        let record = read(&format!("   1 {drop}\n"), RecordFormat::Kif);
        assert_eq!(record.unplayable().map(|it| it.kind), Some(kind), "{drop}");
    }
}

#[test]
fn moves_are_numbered_from_where_the_game_begins() {
    for (head, first, number) in
        [("", 1, 1), ("", 5, 5), ("手数＝170\n", 1, 171), ("手数＝170\n", 3, 171)]
    {
        let text = format!("{head}{first} ７六歩(77)\n{} ３四歩(33)\n", first + 1);
        let record = read(&text, RecordFormat::Kif);
        assert_eq!(
            (record.game().start_move_number(), record.moves().len()),
            (number, 2),
            "{text}"
        );
    }
}

#[test]
fn a_time_that_is_none_stays_text() {
    for (time, ms) in [
        ("1時間", Some(3_600_000)),
        ("1時間 2分3秒", Some(3_723_000)),
        ("30分x", None),
        ("30", None),
        ("", None),
    ] {
        let record = read(&format!("持ち時間：{time}\n   1 ７六歩(77)\n"), RecordFormat::Kif);
        assert_eq!(record.header.clock().map(|clock| clock.main_ms), ms, "{time}");
    }
}

#[test]
fn what_stands_under_the_moves_may_be_all_there_is() {
    let with = |summary: &str| {
        let text = format!("手合割：平手\n 1 ２六歩(27)\n{summary}\n");
        let record = read(&text, RecordFormat::Kif);
        (record.ending, record.notes()[0].comments.clone())
    };
    assert_eq!(with("まで1手で先手の勝ち").0, Some(Ending::resigned(Color::White)));
    let time = with("まで1手で時間切れにより先手の勝ち").0.unwrap();
    assert_eq!(time.reason.to_string(), "time_forfeit");
    assert_eq!(with("まで1手で千日手").0.unwrap().outcome, Some(Outcome::Draw));
    assert_eq!(with("まで、1手で後手の勝ち").0.unwrap().outcome, Some(Outcome::WhiteWins));
    assert_eq!(with("まで1手").0, None);
    assert_eq!(with("まで1手").1, ["まで1手"]);
    let foul = with("まで1手で先手の反則負け").0.unwrap();
    assert_eq!(
        (foul.reason.to_string(), foul.loser()),
        ("illegal_move".to_owned(), Some(Color::Black))
    );
}

#[test]
fn the_kind_of_a_foul_is_found() {
    let text = "手合割：平手\n 1 ７六歩(77)\n 2 ３四歩(33)\n 3 ２六歩(27)\n 4 ８八角成(22)\n 5 ４八銀(39)\n 6 反則勝ち\n";
    let record = read(text, RecordFormat::Kif);
    assert_eq!(record.ending.unwrap().reason.to_string(), "illegal_move");
    let nifu = text.replace(
        " 5 ４八銀(39)\n 6",
        " 5 同　銀(79)\n 6 ４二銀(31)\n 7 ７五角打\n 8 ８四歩(83)\n 9",
    );
    let nifu = nifu.replace("９ 反則勝ち", "");
    let record = read(&nifu, RecordFormat::Kif);
    assert_eq!(record.ending.unwrap().loser(), Some(Color::White));
    let check =
        "手合割：平手\n 1 ７六歩(77)\n 2 ３四歩(33)\n 3 ３三角成(88)\n 4 ８四歩(83)\n 5 反則勝ち\n";
    let record = read(check, RecordFormat::Kif);
    let known = keiko_formats::RecordReason::Known(EndReason::IllegalMove(
        keiko_shogi::IllegalKind::KingInCheck,
    ));
    assert_eq!(record.ending.unwrap().reason, known);
    // That of White is no reason for Black to lose.
    let other = read(&check.replace("反則勝ち", "反則負け"), RecordFormat::Kif).ending.unwrap();
    assert_eq!((other.reason, other.loser()), (RecordReason::Foul, Some(Color::Black)));
}

#[test]
fn errors_name_the_line() {
    for (line, message) in [
        ("   1 ７六角(77)", "move 1, \"７六角(77)\": another piece stands on the origin"),
        ("   1 同　歩(77)", "move 1, \"同\\u{3000}歩(77)\": 同 without a move before"),
        ("   1 ７六歩", "move 1, \"７六歩\": no origin"),
        ("   1 ７六歩(77) (x)", "move 1, \"７六歩(77) (x)\": what follows is no time"),
        ("   1 ７六歩(77)(99999999999999999:00/)", "move 1, "),
        ("   1 投票", "move 1, \"投票\": not a move"),
        ("   1 0六歩(77)", "move 1, \"0六歩(77)\": not a move"),
        ("   1 ７六成金(77)", "move 1, \"７六成金(77)\": unknown piece"),
        ("4294967295 ７六歩(77)", "expected the number of a move"),
        ("   1 ７六歩(77)\n手数＝1", "expected the start position before the moves"),
        ("   0 ７六歩(77)", "expected the number of a move"),
        ("   1 ７六歩(77)\n   3 ３四歩(33)", "expected the number of the next move"),
        ("   1 投了\n   2 ７六歩(77)", "expected nothing but comments after the end"),
        ("   1 ７六歩(77)\n手合割：平手", "expected the start position before the moves"),
        ("▲７六歩 △３四歩", "expected a header, a move or a comment"),
        ("手合割：九枚落ち", "expected 平手, その他 or the name of a handicap"),
    ] {
        let found = error(&format!("先手：a\n後手：b\n{line}\n"), RecordFormat::Kif);
        let number = 2 + line.lines().count();
        assert!(found.starts_with(&format!("line {number}: {message}")), "{line:?}: {found}");
    }
    let found = error("手合割：その他\n先手：a\n", RecordFormat::Kif);
    assert_eq!(found, "line 2: the record ends before the diagram that 手合割：その他 asks for");
}
