//! USI game lines and lists of SFENs.

use keiko_formats::{Ending, Loss, RecordFormat};
use keiko_shogi::{Color, Outcome};

use crate::support::{error, moves, read, read_all};

#[test]
fn every_common_form_is_read() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let text = format!(
        "# games\n\nstartpos moves 7g7f 3c3d\tblack=a b\tcandidate=black\toutcome=draw\treason=\
         sennichite\tply=2\n{sfen}\nsfen {sfen} moves 3c3d resign\nposition startpos moves 7g7f win\r\n"
    );
    for format in [RecordFormat::Usi, RecordFormat::Sfen] {
        let games = read_all(text.as_bytes(), format).unwrap();
        let [first, second, third, fourth] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(first.header.player(Color::Black), Some("a b"));
        assert_eq!(first.header.extra, [("candidate".to_owned(), "black".to_owned())]);
        assert_eq!(first.ending.unwrap().outcome, Some(Outcome::Draw));
        assert_eq!(first.ending.unwrap().reason.to_string(), "sennichite");
        assert_eq!((second.game().start_sfen().as_str(), second.moves().len()), (sfen, 0));
        assert_eq!(third.ending, Some(Ending::resigned(Color::Black)));
        assert_eq!(
            (moves(fourth), fourth.ending),
            ("7g7f".to_owned(), Some(Ending::declared(Color::White)))
        );
    }
    let again = RecordFormat::Usi.write(&read_all(text.as_bytes(), RecordFormat::Usi).unwrap()[0]);
    assert_eq!(
        again,
        "startpos moves 7g7f 3c3d\tblack=a b\tcandidate=black\toutcome=draw\treason=sennichite\tply=2\n"
    );
}

#[test]
fn losses_are_told() {
    let record = read("V3.0\nN+a\n$メモ:x\n'*c\nPI\n+\n+7776FU\nT1.5\n%TORYO\n", RecordFormat::Csa);
    let losses = |format: RecordFormat| Vec::from_iter(format.losses(&record));
    assert_eq!(losses(RecordFormat::Csa3), []);
    assert_eq!(losses(RecordFormat::Csa), [Loss::Fractions]);
    assert_eq!(losses(RecordFormat::Kif), [Loss::Fractions]);
    assert_eq!(losses(RecordFormat::Usi), [Loss::Comments, Loss::Header]);
    assert_eq!(
        losses(RecordFormat::Sfen),
        [Loss::Times, Loss::Comments, Loss::Header, Loss::Ending]
    );
}

#[test]
fn errors_name_the_line() {
    for (line, message) in [
        ("startpos moves 7g7f 7g", "line 2: move 2: not a move: \"7g\""),
        ("startpos moves resign 7g7f", "line 2: expected nothing after resign or win"),
        ("startpos 7g7f", "line 2: expected `moves`, found \"7g7f\""),
        ("stratpos", "line 2: expected `startpos` or `sfen`, found \"stratpos\""),
        ("9/9 b - 1", "line 2: bad sfen: "),
        ("startpos\tA=x", "line 2: tag \"A=x\" is not key=value"),
        ("startpos\tx", "line 2: tag \"x\" is not key=value"),
    ] {
        let found = error(&format!("startpos\n{line}\n"), RecordFormat::Usi);
        assert!(found.starts_with(message), "{line:?}: {found}");
    }
}

#[test]
fn times_and_scores_of_moves_are_read_if_there_is_a_word_for_each() {
    let game = "startpos moves 7g7f 3c3d";
    let record = read(&format!("{game}\ttimes_ms=- 1500\tscores_cp=12 -30\n"), RecordFormat::Usi);
    let csa = RecordFormat::Csa.write(&record);
    assert!(csa.contains("+7776FU\n'** 12\n-3334FU\nT1\n'** -30\n"), "{csa}");
    let kif = RecordFormat::Kif.write(&record);
    assert!(kif.contains("( 0:01/00:00:01)\n** -30\n"), "{kif}");
    for tag in ["times_ms=1", "times_ms=1 x", "scores_cp=1 2 3"] {
        let line = format!("{game}\t{tag}\n");
        let (key, value) = tag.split_once('=').unwrap();
        let record = read(&line, RecordFormat::Usi);
        assert_eq!(record.header.extra, [(key.to_owned(), value.to_owned())]);
        assert!(record.notes().iter().all(|note| note.time_ms.is_none()));
    }
}
