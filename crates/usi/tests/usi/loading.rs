//! What the engine does while it loads, and what it makes of what it has loaded.

use std::fs;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Sender};
use keiko_inference::{EncodingId, Hashed};
use keiko_usi::engine::{LoadError, LoadedModel, ModelRequest};
use keiko_usi::options::NetSetting;

use crate::console::Console;

/// An engine whose model is loaded only when it is let.
fn slow() -> (Console, Sender<bool>) {
    let (permits, gate) = channel::unbounded();
    let console = Console::with(move |request: &ModelRequest| match gate.recv() {
        Ok(true) => Ok(LoadedModel::new(Hashed::new(EncodingId::Dlshogi57, 1))),
        _ => {
            let path = request.devices[0].path.clone();
            Err(LoadError { path, reason: "it is broken".into() })
        }
    });
    (console, permits)
}

#[test]
fn a_clock_is_kept_while_the_model_loads() {
    let (mut console, permits) = slow();
    for before in ["usinewgame", "isready"] {
        console.send(before);
        let started = Instant::now();
        console.send("go btime 0 wtime 0 byoyomi 200");
        assert!(console.line().contains("still loading"));
        assert!(console.line().starts_with("info depth 0"));
        assert!(console.line().starts_with("bestmove "));
        assert!(started.elapsed() < Duration::from_millis(1000));
    }
    permits.send(true).unwrap();
    console.wait_for("readyok");
    console.send("go nodes 5");
    console.wait_for("bestmove");
}

#[test]
fn a_search_waits_for_its_model_and_may_be_stopped_before() {
    let (mut console, permits) = slow();
    console.send("go infinite");
    assert_eq!(console.line_within(Duration::from_millis(50)), None);
    console.send("stop");
    console.wait_for("bestmove");
    console.send("go ponder");
    console.send("ponderhit btime 0 wtime 0 byoyomi 60000");
    console.send("go nodes 3");
    console.wait_for("bestmove");
    permits.send(true).unwrap();
    assert!(console.wait_for("info depth").contains(" nodes 3 "));
    console.wait_for("bestmove");
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn a_mate_needs_no_model() {
    let (mut console, permits) = slow();
    console.send("position sfen 3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1");
    for before in ["usinewgame", "isready", "go infinite"] {
        console.send(before);
        console.send("go mate 10000");
        let said = console.wait_for("checkmate");
        assert_eq!(said.split(' ').count(), 4, "{before}: {said}");
    }
    console.send("go mate infinite");
    console.wait_for("checkmate");
    console.send("position startpos");
    console.send("go nodes 3");
    permits.send(true).unwrap();
    console.wait_for("readyok");
    console.wait_for("bestmove");
}

#[test]
fn a_ready_engine_is_promised_only_when_the_model_is_there() {
    let (mut console, permits) = slow();
    console.send("isready");
    permits.send(false).unwrap();
    assert!(console.line().starts_with("info string Error: cannot load model.onnx"));
    assert_eq!(console.line_within(Duration::from_millis(50)), None);
    permits.send(true).unwrap();
    assert_eq!(console.until_ready(), ["info string model: hashed-1"]);
}

#[test]
fn what_the_net_says_counts_where_the_gui_has_said_nothing() {
    let mut console = Console::with(|_: &ModelRequest| {
        let mut model = LoadedModel::new(Hashed::new(EncodingId::Dlshogi57, 1));
        for (name, value) in [("Eval_Coef", "1000"), ("Softmax_Temperature", "x")] {
            model
                .settings
                .settings
                .push(NetSetting { name: name.to_owned(), value: value.to_owned() });
        }
        Ok(model)
    });
    let mut score = |lines: &[&str]| {
        for line in lines {
            console.send(line);
        }
        console.send("go nodes 1");
        let info = console.wait_for("info depth");
        console.wait_for("bestmove");
        info.split_once(" cp ").unwrap().1.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let by_net = score(&["usinewgame", "isready"]);
    let by_gui = score(&["usinewgame", "setoption name Eval_Coef value 500"]);
    assert!((by_net / by_gui - 2.0).abs() < 0.1, "{by_net} {by_gui}");
    let again = score(&["usinewgame", "setoption name Eval_Coef value 756"]);
    assert!((again - by_net).abs() < 1.0, "{again} {by_net}");
}

#[test]
fn a_bad_setting_beside_the_model_is_named() {
    let mut console = Console::with(|_: &ModelRequest| {
        let mut model = LoadedModel::new(Hashed::new(EncodingId::Dlshogi57, 1));
        model
            .settings
            .settings
            .push(NetSetting { name: "C_init".to_owned(), value: "fast".to_owned() });
        model.settings.problems.push("model.onnx.ini: line 1: no".to_owned());
        Ok(model)
    });
    let said = console.until_ready();
    assert_eq!(said[1], "info string Error: beside the model: model.onnx.ini: line 1: no");
    assert_eq!(
        said[2],
        "info string Error: beside the model: C_init takes a number from 1 to 1000, not \"fast\""
    );
}

#[test]
fn a_book_is_played_from_and_never_when_analysing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    fs::write(&path, "startpos moves 1g1f 9c9d 1f1e\nstartpos moves 1g1f 9c9d\n").unwrap();
    let mut console = Console::hashed().ready();
    console.send(&format!("setoption name BookFile value {}", path.display()));
    console.send("setoption name USI_OwnBook value true");
    console.send("setoption name USI_Ponder value true");
    let said = console.until_ready();
    assert!(said[0].starts_with("info string book: 3 positions of "), "{said:?}");
    assert_eq!(console.until_ready(), [""; 0]);
    console.send("go btime 60000 wtime 60000");
    assert!(console.wait_for("info depth").contains(" pv 1g1f 9c9d"));
    assert_eq!(console.line(), "bestmove 1g1f ponder 9c9d");
    for best in ["false", "true"] {
        console.send(&format!("setoption name Best_Book_Move value {best}"));
        console.send("position startpos moves 1g1f 9c9d");
        console.send("go ponder");
        assert_eq!(console.line_within(Duration::from_millis(50)), None);
        console.send("ponderhit");
        assert_eq!(console.wait_for("bestmove"), "bestmove 1f1e");
    }
    for go in ["go nodes 8 searchmoves 2g2f", "go infinite"] {
        console.send("position startpos");
        console.send(go);
        console.send("stop");
        assert_ne!(console.wait_for("bestmove").split(' ').nth(1), Some("1g1f"), "{go}");
    }
}

#[test]
fn a_book_that_cannot_be_used_is_named_and_the_engine_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.txt");
    let mut console = Console::hashed().ready();
    console.send("setoption name OwnBook value true");
    assert_eq!(
        console.until_ready(),
        ["info string Error: OwnBook is true and Book_File names no book"]
    );
    console.send(&format!("setoption name Book_File value {}", path.display()));
    let said = console.until_ready();
    assert!(said[0].starts_with("info string Error: cannot load the book "), "{said:?}");
    fs::write(&path, "startpos moves 1a1b\n").unwrap();
    let said = console.until_ready();
    assert!(said[0].contains("book.txt: line 1: "), "{said:?}");
    console.send("go nodes 3");
    console.wait_for("bestmove");
}
