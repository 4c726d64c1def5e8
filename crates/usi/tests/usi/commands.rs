use std::time::{Duration, Instant};

use keiko_inference::{EncodingId, Uniform};
use keiko_shogi::{Game, Move, Rules};
use keiko_usi::engine::{LoadError, LoadedModel, ModelRequest};

use crate::console::Console;
use crate::stubborn::Stubborn;

fn best_move(line: &str) -> Move {
    line.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap().parse().unwrap()
}

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

fn stubborn() -> (Console, crossbeam::channel::Sender<()>) {
    let (backend, permits) = Stubborn::new();
    let mut backend = Some(backend);
    let console =
        Console::with(move |_: &ModelRequest| Ok(LoadedModel::new(backend.take().unwrap())));
    (console.ready(), permits)
}

#[test]
fn an_infinite_search_answers_only_after_stop() {
    let mut console = Console::hashed().ready();
    console.send("setoption name NodesLimit value 5");
    console.send("go infinite");
    // Five nodes are searched at once; the answer is held back all the same.
    assert_eq!(console.line_within(Duration::from_millis(150)), None);
    console.send("stop");
    assert!(console.line().starts_with("info depth"));
    assert!(console.line().starts_with("bestmove "));
    console.send("stop");
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn what_cannot_be_used_of_a_go_is_named_and_the_go_is_answered() {
    let mut console = Console::hashed().ready();
    for (go, complaint, answer) in [
        (
            "go nodes 5 foo",
            "the word \"foo\" is unknown: left out, and the rest counts",
            "bestmove",
        ),
        (
            "go nodes 5 btime 1s",
            "btime needs a number and has \"1s\": left out, and the rest counts",
            "bestmove",
        ),
        (
            "go btime x wtime",
            "btime needs a number and has \"x\", wtime has no number: left out, and the answer comes at once",
            "bestmove",
        ),
        (
            "go nodes many",
            "nodes needs a number and has \"many\": left out, and the answer comes at once",
            "bestmove",
        ),
        (
            "go mate soon",
            "mate needs a number and has \"soon\": left out, and the answer comes at once",
            "checkmate",
        ),
        ("go nodes 5 searchmoves 7g7f 1a1b", "searchmoves: 1a1b is illegal: left out", "bestmove"),
    ] {
        console.send(go);
        let said = console.line();
        assert!(said.starts_with("info string Error: go: "), "{said}");
        assert!(said.ends_with(complaint), "{said}");
        console.wait_for(answer);
    }
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn a_long_search_is_stopped_at_once() {
    let mut console = Console::hashed().ready();
    for end in ["stop", "gameover lose", "gameover draw"] {
        console.send("go infinite");
        console.send(end);
        console.wait_for("info depth");
        assert!(console.line().starts_with("bestmove "), "{end}");
        assert_eq!(console.until_ready(), [""; 0], "{end}");
    }
}

#[test]
fn commands_for_the_next_game_may_come_during_a_search() {
    let mut console = Console::hashed().ready();
    console.send("go infinite");
    console.send("gameover win");
    console.send("isready");
    console.send("usinewgame");
    console.send("position startpos moves 7g7f");
    console.send("go nodes 10");
    console.wait_for("bestmove");
    assert_eq!(console.line(), "readyok");
    let line = console.wait_for("bestmove");
    let mut game = Game::startpos(Rules::STANDARD);
    game.play("7g7f".parse().unwrap());
    assert!(game.position().is_legal(best_move(&line)), "{line}");
    assert_eq!(console.close(), [""; 0]);
}

#[test]
fn each_go_has_one_best_move() {
    let mut console = Console::hashed().ready();
    for _ in 0..5 {
        console.send("go infinite");
        console.send("go nodes 3");
        console.send("position startpos moves 2g2f");
        console.send("go ponder btime 1000 wtime 1000");
        console.send("stop");
        console.send("go mate infinite");
    }
    let lines = console.until_ready();
    assert_eq!(best_moves(&lines), 15, "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| *line == "checkmate nomate").count(), 5);
}

#[test]
fn any_order_of_commands_is_answered_in_full() {
    let commands = [
        "usi",
        "isready",
        "usinewgame",
        "position startpos moves 7g7f",
        "position startpos moves 7g7f 3c3d 8h2b+",
        "position startpos moves 7g7e",
        "position sfen 8k/9/8P/9/9/9/9/9/8K b G 1",
        "setoption name DNN_Batch_Size value 2",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
        "setoption name EnteringKingRule value csa24",
        "go infinite",
        "go ponder btime 100 wtime 100",
        "go nodes 5",
        "go btime 0 wtime 0 byoyomi 130",
        "go depth 2",
        "go mate 100",
        "ponderhit",
        "ponderhit btime 0 wtime 0 byoyomi 130",
        "stop",
        "gameover lose",
    ];
    // A linear congruential generator is random enough to choose commands.
    let mut state = 1_u64;
    for _ in 0..200 {
        let mut console = Console::hashed();
        let (mut searches, mut mates, mut ready) = (0, 0, 0);
        for _ in 0..40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let command = commands[(state >> 33) as usize % commands.len()];
            console.send(command);
            match command {
                "isready" => ready += 1,
                "go mate 100" => mates += 1,
                go if go.starts_with("go ") => searches += 1,
                _ => {}
            }
        }
        console.send("stop");
        console.send("isready");
        let mut lines = Vec::new();
        while lines.iter().filter(|line| *line == "readyok").count() <= ready {
            lines.push(console.line());
        }
        let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!(count("bestmove "), searches, "{lines:#?}");
        assert_eq!(count("checkmate "), mates, "{lines:#?}");
        assert_eq!(console.until_ready(), [""; 0]);
    }
}

#[test]
fn pondering_waits_for_the_hit_or_for_stop() {
    let mut console = Console::hashed().ready();
    console.send("setoption name NodesLimit value 5");
    console.send("go ponder btime 1000 wtime 1000 byoyomi 0");
    assert_eq!(console.line_within(Duration::from_millis(100)), None);
    console.send("ponderhit");
    console.wait_for("bestmove");
    console.send("setoption name NodesLimit value 0");
    console.send("go ponder");
    console.send("ponderhit btime 0 wtime 0 byoyomi 300");
    let started = Instant::now();
    console.wait_for("bestmove");
    assert!(started.elapsed() < Duration::from_millis(2000));
    console.send("go ponder");
    console.send("stop");
    console.wait_for("bestmove");
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn a_clock_is_kept_even_when_the_evaluator_hangs() {
    let (mut console, permits) = stubborn();
    console.send("position startpos moves 7g7f");
    console.send("setoption name NetworkDelay value 100");
    console.send("go btime 0 wtime 0 byoyomi 300");
    let started = Instant::now();
    assert!(console.line().starts_with("info string"));
    assert!(console.line().starts_with("info depth 0"));
    let line = console.line();
    assert!(started.elapsed() < Duration::from_millis(1000));
    let mut game = Game::startpos(Rules::STANDARD);
    game.play("7g7f".parse().unwrap());
    assert!(game.position().is_legal(best_move(&line)), "{line}");
    // The late search is not heard of again, and the next one is served.
    drop(permits);
    console.send("go nodes 2");
    console.wait_for("info depth");
    assert!(console.line().starts_with("bestmove"));
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn a_late_search_tells_what_it_had_found() {
    let (mut console, permits) = stubborn();
    // One batch is evaluated, the next one hangs.
    permits.send(()).unwrap();
    console.send("go btime 0 wtime 0 byoyomi 500");
    assert!(console.line().starts_with("info string"));
    let info = console.line();
    let pv = info.split_once(" pv ").map(|(_, pv)| pv.split(' ').next().unwrap());
    assert!(info.contains(" score cp "), "{info}");
    assert_eq!(console.line(), format!("bestmove {}", pv.unwrap()));
    drop(permits);
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn stop_is_answered_even_when_the_evaluator_hangs() {
    let (mut console, permits) = stubborn();
    console.send("go infinite");
    console.send("stop");
    console.wait_for("bestmove ");
    drop(permits);
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn moves_by_the_clock_are_in_time() {
    let mut console = Console::hashed().ready();
    for (go, limit_ms) in [
        ("go movetime 200", 200),
        ("go btime 0 wtime 0 byoyomi 300", 300),
        ("go btime 400 wtime 400", 400),
        ("go btime 1 wtime 1", 200),
        ("go btime 1000 wtime 1000 binc 100 winc 100", 1000),
        ("go btime 0 wtime 0 byoyomi 0", 200),
    ] {
        let started = Instant::now();
        console.send(go);
        console.wait_for("bestmove");
        let elapsed = started.elapsed();
        // A machine under load may wake us late.
        assert!(elapsed < Duration::from_millis(limit_ms + 500), "{go}: {elapsed:?}");
    }
}

#[test]
fn main_time_is_used_without_byoyomi_and_with_it() {
    let mut console = Console::hashed().ready();
    for go in ["go btime 20000 wtime 20000 byoyomi 500", "go btime 20000 wtime 20000 byoyomi 0"] {
        let started = Instant::now();
        console.send(go);
        console.wait_for("bestmove");
        assert!(started.elapsed() > Duration::from_millis(100), "{go}");
    }
}

#[test]
fn whole_games_are_legal_and_the_tree_is_reused() {
    let mut console = Console::hashed().ready();
    console.send("setoption name MaxMovesToDraw value 60");
    let mut game = Game::startpos(Rules { max_plies: Some(60), ..Rules::STANDARD });
    let mut text = "position startpos moves".to_owned();
    while game.end().is_none() {
        console.send(&text);
        console.send("go nodes 20");
        let line = console.wait_for("bestmove ");
        if line == "bestmove win" || line == "bestmove resign" {
            break;
        }
        let mv = best_move(&line);
        assert!(game.position().is_legal(mv), "{mv} after {text}");
        game.play(mv);
        text = format!("{text} {mv}");
    }
    assert!(game.ply() > 10, "{text}");
}

#[test]
fn garbage_is_survived() {
    let mut console = Console::hashed();
    console.send_bytes(b"\xff\xfe\x00 usi\n\n\r\n   \ngo go go\n");
    // A bare search without limits runs until it is stopped.
    console.send("stop");
    console.wait_for("bestmove");
    console.send_bytes(b"position\nposition sfen\nsetoption\nsetoption name\nponderhit x\n");
    console.send(&"x".repeat(100_000));
    console.send("position startpos moves 7g7f 7g7f");
    console.send_bytes(b"go nodes 1\r\n");
    console.wait_for("bestmove");
    console.send_bytes(b"usi");
    let rest = console.close();
    assert!(rest.last().is_some_and(|line| line == "usiok"), "{rest:?}");
}

#[test]
fn a_model_that_does_not_load_is_reported_and_go_is_still_answered() {
    let mut console = Console::with(|request: &ModelRequest| {
        Err(LoadError { path: request.devices[0].path.clone(), reason: "it is broken".into() })
    });
    console.send("isready");
    assert_eq!(console.line(), "info string Error: cannot load model.onnx: it is broken");
    console.send("go nodes 10");
    console.wait_for("info string Error");
    assert!(console.line().ends_with(" pv resign"));
    assert_eq!(console.line(), "bestmove resign");
    console.send("quit");
    assert_eq!(console.close(), [""; 0]);
}

#[test]
fn the_model_is_loaded_again_only_when_its_options_change() {
    let (loads, counted) = crossbeam::channel::unbounded();
    let mut console = Console::with(move |request: &ModelRequest| {
        loads.send((request.devices[0].path.clone(), request.threads)).unwrap();
        Ok(LoadedModel::new(Uniform::new(EncodingId::Dlshogi119)))
    });
    for line in [
        "isready",
        "isready",
        "setoption name Resign_Threshold value 5",
        "isready",
        "setoption name DNN_Model value other name.onnx",
        "setoption name Threads value 3",
        "isready",
        "isready",
    ] {
        console.send(line);
        if line == "isready" {
            console.wait_for("readyok");
        }
    }
    let loads: Vec<_> = counted.try_iter().collect();
    assert_eq!(loads, [("model.onnx".into(), 1), ("other name.onnx".into(), 3)]);
}

#[test]
fn a_loader_that_panics_does_not_silence_the_engine() {
    let (backend, permits) = Stubborn::new();
    drop(permits);
    let mut backends = vec![backend];
    let mut console = Console::with(move |_: &ModelRequest| {
        Ok(LoadedModel::new(backends.pop().expect("the loader has one backend")))
    })
    .ready();
    console.send("setoption name Threads value 2");
    console.send("go nodes 4");
    console.wait_for("bestmove");
    console.send("isready");
    let line = console.wait_for("info string Error");
    assert!(line.contains("panicked"), "{line}");
    console.send("go nodes 4");
    assert_eq!(console.wait_for("bestmove"), "bestmove resign");
}

#[test]
fn the_end_of_input_ends_the_engine_during_a_search() {
    let mut console = Console::hashed().ready();
    console.send("go infinite");
    let started = Instant::now();
    assert_eq!(best_moves(&console.close()), 0);
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_mate_is_played_without_a_search() {
    let mut console = Console::hashed().ready();
    // Searches that play want both kings.
    console.send(&format!("position sfen {}", MATES[0].replace("9/9/9 b", "9/9/K8 b")));
    console.send("go nodes 1000");
    let info = console.wait_for("info depth");
    assert!(info.contains(" score mate 3 pv 9f5b"), "{info}");
    assert!(console.line().starts_with("bestmove 9f5b"));
    console.send("go nodes 1000 searchmoves 5c5b");
    assert!(console.wait_for("bestmove").starts_with("bestmove 5c5b"));
}

/// A mate in 3; a mate in 17, which takes a while; and a position that nobody has solved.
const MATES: [&str; 3] = [
    "3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1",
    "8l/1R2S1kgr/3pp2p1/p2nlpp1p/5ns2/2+BPl3P/1PNK1PP2/1GGS2S2/5G1NL b B3P3p 1",
    "3B2p1p/l5g2/6np1/p2RpS2k/1pp1gbsP1/P1n3g1l/LP3+p2L/K4p3/1NR3N2 b GS2Ps4p 137",
];

/// A mate in 7.
const LONG_MATE: &str =
    "ln1g3+Rl/2sk1s+P2/2ppppb1p/p1b3p2/8P/P4P3/2PPP1P2/1+r2GS3/LN+p2KGNL w GN2Ps 36";

#[test]
fn a_mate_is_looked_for_beside_the_search_and_ends_it() {
    let mut console = Console::hashed().ready();
    console.send(&format!("position sfen {LONG_MATE}"));
    for go in ["go infinite", "go btime 600000 wtime 600000"] {
        console.send("usinewgame");
        console.send(go);
        let info = match go {
            // It has ended by itself, and waits to be asked.
            "go infinite" => {
                assert_eq!(console.line_within(Duration::from_millis(1500)), None);
                console.send("stop");
                console.line()
            }
            _ => console.wait_for("info depth"),
        };
        assert!(info.contains(" score mate 7 pv "), "{go}: {info}");
        console.wait_for("bestmove");
    }
    // None is looked for, or none so long.
    for plies in [0, 5] {
        console.send(&format!("setoption name Mate_Root_Search value {plies}"));
        console.send("usinewgame");
        console.send("go nodes 30");
        let info = console.wait_for("info depth");
        assert!(info.contains(" score cp "), "{plies}: {info}");
    }
}

#[test]
fn a_search_by_nodes_finds_the_same_every_time() {
    let mut console = Console::hashed().ready();
    let mut answers = Vec::new();
    for sfen in MATES.iter().chain(&MATES) {
        console.send("usinewgame");
        console.send(&format!("position sfen {sfen}"));
        console.send("go nodes 300");
        let info = console.wait_for("info depth");
        answers.push((info.split_once(" score ").unwrap().1.to_owned(), console.line()));
    }
    assert_eq!(answers[..3], answers[3..]);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut console = Console::hashed().ready();
    console.send("setoption name MultiPV value 5");
    console.send("go nodes 200 searchmoves 9g9f 1g1f 9g9e");
    let illegal = "info string Error: go: searchmoves: 9g9e is illegal: left out";
    assert_eq!(console.line(), illegal);
    let lines: Vec<String> = (0..2).map(|_| console.line()).collect();
    for (line, other) in [(0, 1), (1, 0)] {
        let pv = lines[line].split_once(" pv ").unwrap().1;
        assert!(pv.starts_with("9g9f ") || pv.starts_with("1g1f "), "{lines:?}");
        assert_ne!(pv.get(..4), lines[other].split_once(" pv ").unwrap().1.get(..4));
        // Half of the nodes each, about, which makes a line and not only a move.
        assert!(pv.split(' ').count() > 2, "{lines:?}");
    }
    assert!(console.line().starts_with("bestmove "));
    console.send("go nodes 100 searchmoves 9g9e");
    assert_eq!(console.line(), illegal);
    assert_eq!((0..5).filter(|_| console.line().contains(" multipv ")).count(), 5);
}

#[test]
fn a_line_too_long_is_said_to_be() {
    let mut console = Console::hashed().ready();
    console.send(&"position startpos moves 7g7f ".repeat(100_000));
    assert_eq!(console.line(), "info string Error: a line is too long to be a command");
    assert_eq!(console.until_ready(), [""; 0]);
}

#[test]
fn mates_are_answered_and_searches_for_them_stopped() {
    let mut console = Console::hashed();
    console.send(&format!("position sfen {}", MATES[0]));
    console.send("go mate 10000");
    let line = console.wait_for("checkmate");
    assert!(line.starts_with("checkmate 9f5b ") && line.split(' ').count() == 4, "{line}");
    console.send("position startpos");
    console.send("go mate infinite");
    assert_eq!(console.line(), "checkmate nomate");
    for sfen in &MATES[1..] {
        console.send(&format!("position sfen {sfen}"));
        console.send("go mate nodes 2000");
        assert_eq!(console.line(), "checkmate timeout");
    }
    let started = Instant::now();
    console.send("go mate 200");
    assert_eq!(console.line(), "checkmate timeout");
    assert!(started.elapsed() < Duration::from_millis(5000), "{:?}", started.elapsed());
    console.send("go mate infinite");
    assert_eq!(console.line_within(Duration::from_millis(100)), None);
    console.send("stop");
    assert_eq!(console.line(), "checkmate timeout");
    console.send("go mate infinite");
    console.send("go nodes 3");
    assert_eq!(console.line(), "checkmate timeout");
    console.wait_for("bestmove");
    console.send("go mate infinite");
    assert_eq!(console.close(), [""; 0]);
}
