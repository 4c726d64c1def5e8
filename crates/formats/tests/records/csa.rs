//! CSA.

use keiko_formats::{Clock, Ending, RecordFormat, RecordReason};
use keiko_shogi::{Color, EndReason, Handicap, IllegalKind, Outcome, Position};

use crate::support::{error, moves, read, read_all};

const GAME: &str = "\
'CSA encoding=UTF-8
V3.0
N+先手の人
N-White
$EVENT:A cup
$SITE:Tokyo
$START_TIME:2024/05/14 10:00:00
$END_TIME:2024/05/14 11:00:00
$TIME+:600+30+0
$TIME-:0.5+0+10
$MAX_MOVES:256
'*before the game
'skipped by programs
PI
+
+7776FU
T1.25
'** 123 -3334FU +2726FU
'*a comment
-3334FU,T3
%TORYO
T0.5
'*after the end
";

#[test]
fn a_whole_record() {
    let record = read(GAME, RecordFormat::Csa);
    assert_eq!(moves(&record), "7g7f 3c3d");
    assert_eq!(record.header.player(Color::Black), Some("先手の人"));
    assert_eq!(record.header.player(Color::White), Some("White"));
    assert_eq!(record.header.event.as_deref(), Some("A cup"));
    assert_eq!(record.header.started.as_deref(), Some("2024/05/14 10:00:00"));
    let clock = |main_ms, byoyomi_ms, increment_ms| Clock { main_ms, byoyomi_ms, increment_ms };
    assert_eq!(
        record.header.clocks,
        [Some(clock(600_000, 30_000, 0)), Some(clock(500, 0, 10_000))]
    );
    assert_eq!(record.header.extra, [("MAX_MOVES".to_owned(), "256".to_owned())]);
    assert_eq!(record.comments, ["before the game", "skipped by programs"]);
    let [first, second] = record.notes() else { panic!("{record:?}") };
    assert_eq!((first.time_ms, second.time_ms), (Some(1_250), Some(3_000)));
    let evaluation = first.evaluation.as_ref().unwrap();
    assert_eq!(evaluation.black_cp, 123);
    assert_eq!(evaluation.line, ["3c3d".parse().unwrap(), "2g2f".parse().unwrap()]);
    assert_eq!(first.comments, ["a comment"]);
    assert_eq!(record.ending, Some(Ending::resigned(Color::Black)));
    assert_eq!(record.end_note.time_ms, Some(500));
    assert_eq!(record.end_note.comments, ["after the end"]);
    let written = RecordFormat::Csa3.write(&record);
    assert!(written.starts_with("'CSA encoding=UTF-8\nV3.0\nN+先手の人\n"), "{written}");
    assert!(
        written.contains("+7776FU\nT1.25\n'** 123 -3334FU +2726FU\n'*a comment\n"),
        "{written}"
    );
    assert_eq!(read(&written, RecordFormat::Csa3), record);
    let whole = RecordFormat::Csa.write(&record);
    assert!(whole.starts_with("V2.2\n") && whole.contains("+7776FU\nT1\n"), "{whole}");
}

#[test]
fn a_clock_may_be_that_of_one_side() {
    let clock = Clock { main_ms: 60_000, byoyomi_ms: 0, increment_ms: 0 };
    for (side, clocks) in
        [("+", [Some(clock), None]), ("-", [None, Some(clock)]), ("", [Some(clock); 2])]
    {
        let record = read(&format!("$TIME{side}:60+0+0\nPI\n+\n"), RecordFormat::Csa);
        assert_eq!(record.header.clocks, clocks, "{side}");
    }
}

#[test]
fn shift_jis_is_read() {
    let mut bytes = b"V2.2\r\nN+".to_vec();
    bytes.extend(b"\x90\xe6\x8e\xe8\r\nPI\r\n+\r\n+7776FU\r\n%CHUDAN\r\n");
    let games = read_all(&bytes, RecordFormat::Csa).unwrap();
    assert_eq!(games[0].header.player(Color::Black), Some("先手"));
    assert_eq!(games[0].ending.unwrap().reason, RecordReason::Known(EndReason::Aborted));
}

#[test]
fn games_are_separated() {
    let text = "V2.2\nPI\n+\n+2726FU\n%TORYO\n/\nN+b\nPI\n+\n+7776FU\n/\n'nothing\n/\n";
    let games = read_all(text.as_bytes(), RecordFormat::Csa).unwrap();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["2g2f", "7g7f"]);
    assert_eq!(games[1].ending, None);
    let broken = text.replace("+7776FU", "+7775KA");
    assert!(error(&broken, RecordFormat::Csa).starts_with("line 10: move 1, \"+7775KA\": "));
}

#[test]
fn starts_of_every_kind() {
    let ranks = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
                 P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
                 P5 * * * * * * * * *\nP6 *  *  *  *  *  *  *  *  *\n\
                 P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
                 P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n";
    assert_eq!(*read(ranks, RecordFormat::Csa).game().start(), Position::startpos());
    let problem = read("P-11OU\nP+12KI13FU00HI00HI\nP-00AL\n-\n", RecordFormat::Csa);
    let sfen = "8k/8G/8P/9/9/9/9/9/9 w 2R2b3g4s4n4l17p 1";
    assert_eq!(problem.game().start_sfen(), sfen);
    let four = read("PI82HI22KA91KY11KY\n-\n", RecordFormat::Csa);
    assert_eq!(*four.game().start(), Handicap::FourPiece.position());
    for (text, message) in [
        ("PI22HI\n+\n", "line 1: expected squares with the pieces there"),
        ("P1-KY\n+\n", "line 1: expected nine squares"),
        ("P+00OU\n+\n", "line 1: expected squares with pieces"),
        ("P+55FU55KI\n+\n", "line 1: expected an empty square"),
        ("P+55HI54HI53HI\n+\n", "line 2: bad start position: 3 pieces of the kind Rook"),
        ("P+55HI\nP-51OU\n+\n", "line 3: bad start position: white is in check"),
        ("+\n", "line 1: the record ends before its start position"),
        ("hello\n", "line 1: expected a start position, found \"hello\""),
        ("$:x\nPI\n+\n", "line 1: expected $KEY:value"),
        ("$MOVE_NUMBER:0\nPI\n+\n", "line 1: expected a move number before the start"),
        ("V2.2\nPI\n", "line 2: the record ends before the side to move"),
        ("V9\nPI\n+\n", "line 1: expected a version from V1 to V3.0, found \"V9\""),
    ] {
        let found = error(text, RecordFormat::Csa);
        assert!(found.starts_with(message), "{text:?}: {found}");
    }
}

#[test]
fn fouls_stay_in_the_record() {
    let text = "PI\n+\n+7776FU\n-3334FU\n+0055FU\n-4344FU\n%-ILLEGAL_ACTION\n";
    let record = read(text, RecordFormat::Csa);
    // No pawn is in hand: nothing can be replayed from there on.
    let unplayable = record.unplayable().unwrap();
    assert_eq!((unplayable.line, unplayable.moves), (5, 2));
    assert_eq!(record.ending.unwrap().outcome, Some(Outcome::BlackWins));
    // The position is no longer that of the record: what follows only counts.
    let follows = text.replace("-4344FU", "-3334FU\n+2726FU");
    assert_eq!(read(&follows, RecordFormat::Csa).unplayable().unwrap().moves, 3);
    assert_eq!(read(&follows, RecordFormat::Csa).side_to_move(), Color::White);
    assert_eq!(record.side_to_move(), Color::Black);
    for (drop, kind) in [
        ("+0055OU", IllegalKind::ImpossibleMove),
        ("+0055TO", IllegalKind::PromotedDrop),
        ("-0055FU", IllegalKind::OutOfTurn),
    ] {
        let record = read(&format!("PI\n+\n{drop}\n"), RecordFormat::Csa);
        assert_eq!(record.unplayable().map(|it| it.kind), Some(kind), "{drop}");
    }
    let text = "PI\n+\n+7776FU\n+2726FU\n-3334FU\n%TORYO\n";
    let record = read(text, RecordFormat::Csa);
    assert_eq!(moves(&record), "7g7f 2g2f 3c3d");
    assert_eq!(record.game().first_foul().map(|end| end.outcome), Some(Outcome::WhiteWins));
    assert!(RecordFormat::Csa.write(&record).contains("+7776FU\n+2726FU\n-3334FU\n"));
}

#[test]
fn errors_name_the_line() {
    for (line, message) in [
        ("+7776KA", "move 1, \"+7776KA\": another piece stands on the origin"),
        ("+3334FU", "move 1, \"+3334FU\": the piece on the origin is the other side's"),
        ("+77", "move 1, \"+77\": not a move such as +7776FU"),
        ("+7776ZZ", "move 1, \"+7776ZZ\": unknown piece"),
        ("+7706FU", "move 1, \"+7706FU\": the target is no square"),
        ("T1", "expected a time such as T12 after a move"),
        ("%FOO", "expected the code of an end, such as %TORYO, found \"%FOO\""),
        ("hello", "expected a move, a time or an end, found \"hello\""),
        ("+0055FU\n+77", "move 1, \"+77\": not a move such as +7776FU"),
        ("$MOVE_NUMBER:5", "expected a move number before the start"),
        ("+7776FU\n%TORYO\n-3334FU", ""),
        ("+7776FU\nT-1", ""),
    ] {
        let found = error(&format!("V2.2\nPI\n+\n{line}\n"), RecordFormat::Csa);
        let number = 3 + line.lines().count();
        assert!(found.starts_with(&format!("line {number}: {message}")), "{line:?}: {found}");
    }
    let found = read_all(b"V2.2\nN+\xff\xff\n", RecordFormat::Csa).unwrap_err().to_string();
    assert_eq!(found, "line 2: the bytes are neither UTF-8 nor Shift-JIS");
}
