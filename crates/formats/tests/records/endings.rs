//! Every way for a game to end has its code in every format, and reads back.

use keiko_formats::{Ending, Record, RecordFormat, RecordReason};
use keiko_shogi::{EndReason, IllegalKind, Outcome, Position};

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
    for (word, reason, outcome) in [
        ("不戦勝", "walkover", Some(Outcome::WhiteWins)),
        ("不戦敗", "walkover", Some(Outcome::BlackWins)),
        ("反則勝ち", "illegal_move", Some(Outcome::WhiteWins)),
        ("入玉勝ち", "nyugyoku_declaration", Some(Outcome::WhiteWins)),
        ("不詰", "no_mate", None),
    ] {
        let record = read(&format!("1 ７六歩(77)\n2 {word}\n"), RecordFormat::Kif);
        let ending = record.ending.unwrap();
        assert_eq!(
            (ending.reason.to_string().as_str(), ending.outcome),
            (reason, outcome),
            "{word}"
        );
    }
}

#[test]
fn a_reason_that_its_code_denies_is_a_comment() {
    let text = "PI\n+\n+7776FU\n%TORYO\n'end_reason:sennichite draw\n";
    let record = read(text, RecordFormat::Csa);
    assert_eq!(record.ending.unwrap().reason.to_string(), "resignation");
    assert_eq!(record.end_note.comments, ["end_reason:sennichite draw"]);
}
