//! Every way for a game to end has its code in every format, and reads back.

use keiko_formats::{Ending, Record, RecordFormat, RecordReason};
use keiko_shogi::{Color, EndReason, IllegalKind, Outcome, Position};

use crate::support::read;

const FORMATS: [RecordFormat; 4] =
    [RecordFormat::Csa, RecordFormat::Csa3, RecordFormat::Kif, RecordFormat::Usi];

#[test]
fn every_ending_comes_back() {
    let outcomes = [None, Some(Outcome::BlackWins), Some(Outcome::WhiteWins), Some(Outcome::Draw)];
    for moves in ["", "7g7f", "7g7f 3c3d 8h3c+ 8c8d"] {
        let mut record = Record::new(Position::startpos(), 1);
        for word in moves.split_ascii_whitespace() {
            record.push(word.parse().unwrap()).unwrap();
        }
        for (reason, outcome) in RecordReason::all().flat_map(|r| outcomes.map(|o| (r, o))) {
            record.ending = Some(Ending { reason, outcome });
            for format in FORMATS {
                let text = format.write(&record);
                assert_eq!(read(&text, format), record, "{format}\n{text}");
            }
        }
    }
}

#[test]
fn the_codes_are_those_of_the_formats() {
    use EndReason::{
        Aborted, Checkmate, FailedDeclaration, IllegalMove, Jishogi, MaxPlies, NyugyokuDeclaration,
        PerpetualCheck, Resignation, Sennichite, TimeForfeit, Try,
    };
    let (black, white, draw) = (Outcome::BlackWins, Outcome::WhiteWins, Outcome::Draw);
    let nifu = IllegalMove(IllegalKind::Nifu);
    // White is to move.
    for (reason, outcome, csa, kif) in [
        (Checkmate, Some(black), "%TSUMI", "詰み"),
        (Resignation, Some(black), "%TORYO", "投了"),
        (TimeForfeit, Some(black), "%TIME_UP", "切れ負け"),
        (nifu, Some(black), "%-ILLEGAL_ACTION", "反則負け"),
        (nifu, Some(white), "%+ILLEGAL_ACTION", "反則勝ち"),
        (PerpetualCheck, Some(white), "%+ILLEGAL_ACTION", "反則勝ち"),
        (FailedDeclaration, Some(black), "%ILLEGAL_MOVE", "反則負け"),
        (Sennichite, Some(draw), "%SENNICHITE", "千日手"),
        (NyugyokuDeclaration, Some(white), "%KACHI", "入玉勝ち"),
        (NyugyokuDeclaration, Some(draw), "%HIKIWAKE", "持将棋"),
        (Try, Some(white), "%KACHI", "入玉勝ち"),
        (Jishogi, Some(draw), "%JISHOGI", "持将棋"),
        (MaxPlies, Some(draw), "%MAX_MOVES", "持将棋"),
        (Aborted, None, "%CHUDAN", "中断"),
    ] {
        let mut record = Record::new(Position::startpos(), 1);
        record.push("7g7f".parse().unwrap()).unwrap();
        record.ending = Some(Ending { reason: RecordReason::Known(reason), outcome });
        let text = RecordFormat::Csa.write(&record);
        assert!(text.contains(&format!("+7776FU\n{csa}\n")), "{reason}: {text}");
        let text = RecordFormat::Kif.write(&record);
        assert!(text.contains(&format!("   2 {kif}\n")), "{reason}: {text}");
    }
}

#[test]
fn codes_say_who_lost() {
    // White is to move.
    for (code, reason, outcome) in [
        ("%TORYO", "resignation", Some(Outcome::BlackWins)),
        ("%TIME_UP", "time_forfeit", Some(Outcome::BlackWins)),
        ("%ILLEGAL_MOVE", "illegal_move", Some(Outcome::BlackWins)),
        ("%KACHI", "nyugyoku_declaration", Some(Outcome::WhiteWins)),
        ("%HIKIWAKE", "nyugyoku_declaration", Some(Outcome::Draw)),
        ("%TSUMI", "checkmate", Some(Outcome::BlackWins)),
        ("%FUZUMI", "no_mate", None),
        ("%MATTA", "take_back", None),
        ("%ERROR", "error", None),
    ] {
        let record = read(&format!("PI\n+\n+7776FU\n{code}\n"), RecordFormat::Csa);
        let ending = record.ending.unwrap();
        assert_eq!(
            (ending.reason.to_string().as_str(), ending.outcome),
            (reason, outcome),
            "{code}"
        );
    }
}

/// White is to move.
#[test]
fn words_say_who_lost() {
    use EndReason::{
        Aborted, Checkmate, Jishogi, MaxPlies, NyugyokuDeclaration, Resignation, Sennichite,
        TimeForfeit,
    };
    use RecordReason::{Error, Foul, Known, NoMate, TakeBack, Unknown, Walkover};
    let (black, white) = (Some(Outcome::BlackWins), Some(Outcome::WhiteWins));
    let draw = Some(Outcome::Draw);
    for (words, reason, outcome) in [
        (&["投了"][..], Known(Resignation), black),
        (&["切れ負け", "時間切れ"], Known(TimeForfeit), black),
        (&["詰み", "詰"], Known(Checkmate), black),
        (&["入玉勝ち", "宣言勝ち", "入玉宣言勝ち"], Known(NyugyokuDeclaration), white),
        (&["反則負け"], Foul, black),
        (&["反則勝ち"], Foul, white),
        (&["不戦敗"], Walkover, black),
        (&["不戦勝"], Walkover, white),
        (&["千日手"], Known(Sennichite), draw),
        (&["持将棋"], Known(Jishogi), draw),
        (&["最大手数", "最大手数到達"], Known(MaxPlies), draw),
        (&["引き分け"], Unknown, draw),
        (&["中断"], Known(Aborted), None),
        (&["不詰"], NoMate, None),
        (&["待った"], TakeBack, None),
        (&["エラー"], Error, None),
    ] {
        for word in words {
            let record = read(&format!("1 ７六歩(77)\n2 {word}\n"), RecordFormat::Kif);
            assert_eq!(record.ending, Some(Ending { reason, outcome }), "{word}");
        }
    }
    for (reason, outcome, word) in [
        (Foul, black, "反則負け"),
        (Foul, white, "反則勝ち"),
        (Walkover, black, "不戦敗"),
        (Walkover, white, "不戦勝"),
    ] {
        let mut record = after_one_move();
        record.ending = Some(Ending { reason, outcome });
        let text = RecordFormat::Kif.write(&record);
        assert!(text.contains(&format!("   2 {word}\n")), "{text}");
    }
    for color in Color::ALL {
        assert_eq!(Ending::declared(color).outcome, Some(Outcome::win_for(color)));
    }
}

fn after_one_move() -> Record {
    let mut record = Record::new(Position::startpos(), 1);
    record.push("7g7f".parse().unwrap()).unwrap();
    record
}

/// What is written under the moves, and what it means where no line of a move tells the end. White is to move.
#[test]
fn the_line_under_the_moves_says_who_won() {
    use EndReason::{
        Aborted, FailedDeclaration, Jishogi, MaxPlies, NyugyokuDeclaration, PerpetualCheck,
        Resignation, Sennichite, TimeForfeit, Try,
    };
    use RecordReason::{Foul, Known, Unknown};
    let (black, white) = (Some(Outcome::BlackWins), Some(Outcome::WhiteWins));
    let draw = Some(Outcome::Draw);
    let (resigned, entered) = (Known(Resignation), Known(NyugyokuDeclaration));
    let nifu = Known(EndReason::IllegalMove(IllegalKind::Nifu));
    for (reason, outcome, words, told) in [
        (resigned, black, "先手の勝ち", resigned),
        (Unknown, white, "後手の勝ち", Unknown),
        (Known(TimeForfeit), black, "時間切れにより先手の勝ち", Known(TimeForfeit)),
        (entered, white, "後手の入玉勝ち", entered),
        (Known(Try), white, "後手の入玉勝ち", entered),
        (nifu, black, "後手の反則負け", Foul),
        (Known(PerpetualCheck), white, "先手の反則負け", Foul),
        (Known(FailedDeclaration), black, "後手の反則負け", Foul),
        (Foul, white, "先手の反則負け", Foul),
        (Known(Sennichite), draw, "千日手", Known(Sennichite)),
        (Known(MaxPlies), draw, "持将棋", Known(Jishogi)),
        (Known(Aborted), None, "中断", Known(Aborted)),
    ] {
        let mut record = after_one_move();
        record.ending = Some(Ending { reason, outcome });
        let text = RecordFormat::Kif.write(&record);
        assert!(text.contains(&format!("まで1手で{words}\n")), "{reason}: {text}");
        let read = read(&format!("1 ７六歩(77)\nまで1手で{words}\n"), RecordFormat::Kif);
        assert_eq!(read.ending, Some(Ending { reason: told, outcome }), "{words}");
    }
    let claimed = read("1 ７六歩(77)\nまで1手で後手の反則勝ち\n", RecordFormat::Kif);
    assert_eq!(claimed.ending, Some(Ending { reason: Foul, outcome: white }));
    let mut silent = after_one_move();
    silent.ending = Some(Ending { reason: Unknown, outcome: None });
    assert!(!RecordFormat::Kif.write(&silent).contains("まで"));
}

#[test]
fn a_mate_and_a_lack_of_moves_are_told_apart() {
    for (pieces, reason) in
        [("12KI23OU", EndReason::Checkmate), ("13KE23OU", EndReason::NoLegalMove)]
    {
        let start = format!("P-11OU\nP+{pieces}\n-\n");
        let expected =
            Ending { reason: RecordReason::Known(reason), outcome: Some(Outcome::BlackWins) };
        let mut record = read(&format!("{start}%TSUMI\n"), RecordFormat::Csa);
        assert_eq!(record.ending, Some(expected), "{pieces}");
        record.ending = None;
        let text = RecordFormat::Kif.write(&record) + "まで0手で先手の勝ち\n";
        assert_eq!(read(&text, RecordFormat::Kif).ending, Some(expected), "{text}");
    }
}

#[test]
fn a_reason_that_its_code_denies_is_a_comment() {
    let text = "PI\n+\n+7776FU\n%TORYO\n'end_reason:sennichite draw\n";
    let record = read(text, RecordFormat::Csa);
    assert_eq!(record.ending.unwrap().reason.to_string(), "resignation");
    assert_eq!(record.end_note.comments, ["end_reason:sennichite draw"]);
}
