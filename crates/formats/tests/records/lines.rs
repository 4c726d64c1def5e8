//! USI game lines and lists of SFENs.

use keiko_formats::{Ending, LARGEST_GAME_BYTES, Loss, Record, RecordFormat, RecordReader};
use keiko_shogi::{Color, Outcome};

use crate::support::{error, moves, read, read_all};

#[test]
fn every_common_form_is_read() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let text = format!(
        "# games\n\nstartpos moves 7g7f 3c3d\tblack=a b\tcandidate=black\tround=2\toutcome=draw\treason=\
         sennichite\tply=2\n{sfen}\nsfen {sfen} moves 3c3d resign\nposition startpos moves 7g7f win\r\n"
    );
    for format in [RecordFormat::Usi, RecordFormat::Sfen] {
        let games = read_all(text.as_bytes(), format).unwrap();
        let [first, second, third, fourth] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(first.header.player(Color::Black), Some("a b"));
        let tag = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(first.header.extra, [tag("candidate", "black"), tag("round", "2")]);
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
        "startpos moves 7g7f 3c3d\tblack=a b\tcandidate=black\tround=2\toutcome=draw\treason=sennichite\tply=2\n"
    );
    let other = read("startpos moves 7g7f\tply=7\n", RecordFormat::Usi);
    assert_eq!(other.header.extra, [("ply".to_owned(), "7".to_owned())]);
}

/// Each thing that a record may hold, alone.
#[test]
fn each_loss_is_told() {
    use Loss::{Comments, Ending, Fractions, Header, Times, Variations};
    let losses = |record: &Record| {
        use RecordFormat::{Csa, Csa3, Kif, Sfen, Usi};
        [Csa3, Csa, Kif, Usi, Sfen].map(|format| Vec::from_iter(format.losses(record)))
    };
    let none = Vec::new;
    for (before, after, csa, usi, sfen) in [
        ("", "", none(), none(), none()),
        ("N+a\n", "", none(), none(), vec![Header]),
        ("$メモ:x\n", "", none(), vec![Header], vec![Header]),
        ("'*c\n", "", none(), vec![Comments], vec![Comments]),
        ("", "T1\n", none(), none(), vec![Times]),
        ("", "T1.5\n", vec![Fractions], none(), vec![Times]),
        ("", "'*c\n", none(), vec![Comments], vec![Comments]),
        ("", "'** 123\n", none(), none(), vec![Comments]),
        ("", "'** 123 -3334FU\n", none(), vec![Comments], vec![Comments]),
        ("", "%TORYO\n", none(), none(), vec![Ending]),
        ("", "%TORYO\nT1\n", none(), vec![Times], vec![Times, Ending]),
        ("", "%TORYO\n'*c\n", none(), vec![Comments], vec![Comments, Ending]),
        ("", "%TORYO\n'** 123\n", none(), vec![Comments], vec![Comments, Ending]),
    ] {
        let record = read(&format!("V3.0\n{before}PI\n+\n+7776FU\n{after}"), RecordFormat::Csa);
        let expected = [none(), csa.clone(), csa, usi, sfen];
        assert_eq!(losses(&record), expected, "{before}{after}");
    }
    let branches = read("1 ７六歩(77)\n変化：1手\n1 ２六歩(27)\n", RecordFormat::Kif);
    assert!(losses(&branches).iter().all(|lost| *lost == [Variations]));
    let names = [Variations, Fractions, Times, Comments, Header, Ending].map(|it| it.to_string());
    let told = "variations, parts of a second, times, comments, header fields, results";
    assert_eq!(names.join(", "), told);
}

#[test]
fn files_are_known_by_their_extension() {
    for format in crate::support::ALL {
        let found = RecordFormat::of_extension(format.extension());
        let expected = if format == RecordFormat::Csa3 { RecordFormat::Csa } else { format };
        assert_eq!(found, Some(expected));
    }
    assert_eq!(RecordFormat::of_extension("KIF"), Some(RecordFormat::Kif));
    assert_eq!(RecordFormat::of_extension("txt"), None);
    for format in crate::support::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert_eq!(RecordFormat::Csa3.to_string(), "csa3");
    assert!("txt".parse::<RecordFormat>().is_err());
}

#[test]
fn nothing_follows_an_error() {
    let mut games = RecordReader::new(&b"startpos\nstratpos\nstartpos\n"[..], RecordFormat::Usi);
    assert!(games.next().unwrap().is_ok() && games.next().unwrap().is_err());
    assert_eq!(games.line(), 3);
    assert!(games.next().is_none());
}

#[test]
fn a_game_is_no_larger_than_the_largest() {
    let mut text = b"PI\n+\n'".to_vec();
    text.resize(LARGEST_GAME_BYTES - 1, b'x');
    text.push(b'\n');
    assert_eq!(read_all(&text, RecordFormat::Csa).unwrap().len(), 1);
    text.push(b'\n');
    let error = read_all(&text, RecordFormat::Csa).unwrap_err().to_string();
    assert!(error.starts_with("line 1: the game that begins here is larger"), "{error}");
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
