use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use keiko_inference::{ONNX_RUNTIME_FILE, find_onnx_runtime};
use keiko_shogi::{Game, Move, MoveList, Rules};

/// A running `keiko-usi` with the toy network of the golden files.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// `None` on a machine without ONNX Runtime.
    fn start() -> Option<Process> {
        let library = find_onnx_runtime(None)?;
        let model =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dlshogi/toy57.onnx");
        let mut child = Command::new(env!("CARGO_BIN_EXE_keiko-usi"))
            .arg("--model")
            .arg(model)
            .arg("--onnxruntime")
            .arg(library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Some(Process { child, input, output })
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "no {start:?} before the end");
            if line.starts_with(start) {
                return line.trim_end().to_owned();
            }
        }
    }

    /// Waits for the process to end by itself.
    fn ends(mut self) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < Duration::from_secs(5), "the process does not end");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Only of use when a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_session_with_a_real_model() {
    let Some(mut engine) = Process::start() else { return };
    engine.send("usi");
    assert!(engine.wait_for("id name").starts_with("id name keiko"));
    engine.wait_for("usiok");
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("usinewgame");
    engine.send("position startpos");
    engine.send("go nodes 50");
    let info = engine.wait_for("info depth");
    assert!(info.contains(" nodes 50 ") && info.contains(" score cp "), "{info}");
    // The toy network has one opinion: 7g7f.
    assert_eq!(engine.wait_for("bestmove"), "bestmove 7g7f");
    engine.send("gameover win");
    engine.send("quit");
    engine.ends();
}

#[test]
fn quit_ends_a_running_search() {
    let Some(mut engine) = Process::start() else { return };
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("go infinite");
    engine.send("quit");
    engine.ends();
}

#[test]
fn quit_ends_the_engine_before_and_while_it_loads() {
    for lines in [&["quit"][..], &["usi", "quit"], &["isready", "quit"]] {
        let Some(mut engine) = Process::start() else { return };
        for line in lines {
            engine.send(line);
        }
        engine.ends();
    }
}

#[test]
fn the_end_of_input_ends_the_engine() {
    for lines in [&[][..], &["go infinite"], &["isready"]] {
        let Some(mut engine) = Process::start() else { return };
        for line in lines {
            engine.send(line);
        }
        engine.input = None;
        engine.ends();
    }
}

/// Runs the program without a GUI.
fn alone(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_keiko-usi"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn a_file_named_on_the_command_line_must_be_there() {
    for argument in ["--model", "--onnxruntime"] {
        let output = alone(&[argument, "nothere"]);
        assert!(!output.status.success(), "{argument}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(text, format!("keiko-usi: {argument} nothere: there is no such file\n"));
    }
    assert!(alone(&[]).status.success());
}

#[test]
fn two_models_on_two_devices_play_as_one() {
    let Some(mut engine) = Process::start() else { return };
    let other = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dlshogi");
    for line in ["Threads value 2", "UCT_Threads value 1", "UCT_Threads2 value 1"] {
        engine.send(&format!("setoption name {line}"));
    }
    engine
        .send(&format!("setoption name DNN_Model2 value {}", other.join("toy119.onnx").display()));
    engine.send("isready");
    let line = engine.wait_for("info string Error");
    assert!(line.contains("toy119.onnx: it reads dlshogi-119, the first device's reads"), "{line}");
    engine.send(&format!("setoption name DNN_Model2 value {}", other.join("toy57.onnx").display()));
    engine.send("isready");
    engine.wait_for("readyok");
    engine.send("go nodes 50");
    let info = engine.wait_for("info depth");
    assert!(info.contains(" nodes 50 "), "{info}");
    // Which device answers first is by chance, and so is the choice between the best moves.
    let best = engine.wait_for("bestmove");
    let best = best.trim_start_matches("bestmove ").parse::<Move>();
    let mut legal = MoveList::new();
    Game::startpos(Rules::STANDARD).legal_moves(&mut legal);
    assert!(best.as_ref().is_ok_and(|best| legal.contains(best)), "{best:?}");
    engine.send("quit");
    engine.ends();
}

#[test]
fn what_is_missing_is_an_error_and_nothing_steps_in_until_it_is_mended() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dlshogi");
    let toy57 = golden.join("toy57.onnx").display().to_string();
    for (option, bad, error, good) in [
        ("DNN_Provider", "directml", " has no directml, only cpu", "cpu"),
        ("DNN_Model", "nowhere.onnx", "cannot load nowhere.onnx: there is no such file", &toy57),
    ] {
        let Some(mut engine) = Process::start() else { return };
        engine.send(&format!("setoption name {option} value {bad}"));
        engine.send("isready");
        let line = engine.wait_for("info string");
        assert!(line.contains(error), "{line}");
        engine.send("go nodes 5");
        assert_eq!(engine.wait_for("bestmove"), "bestmove resign");
        engine.send(&format!("setoption name {option} value {good}"));
        engine.send("isready");
        engine.wait_for("readyok");
        engine.send("quit");
        engine.ends();
    }
}

#[test]
fn engine_library_and_model_work_wherever_their_folder_is() {
    let Some(library) = find_onnx_runtime(None) else { return };
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("将棋 エンジン (copy)");
    std::fs::create_dir(&folder).unwrap();
    let toy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dlshogi/toy119.onnx");
    let program = folder.join("keiko-usi");
    for (from, name) in [
        (Path::new(env!("CARGO_BIN_EXE_keiko-usi")), "keiko-usi"),
        (&library, ONNX_RUNTIME_FILE),
        (&toy, "model.onnx"),
    ] {
        std::fs::copy(from, folder.join(name)).unwrap();
    }
    let set_mode = |mode| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode(0o555);
    // As a GUI may start it: from elsewhere, and without anything in the environment.
    let mut child = Command::new(&program)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    let output = BufReader::new(child.stdout.take().unwrap());
    let mut engine = Process { child, input, output };
    for line in ["usi", "isready", "position startpos", "go nodes 20"] {
        engine.send(line);
    }
    engine.wait_for("readyok");
    assert!(engine.wait_for("bestmove").len() > "bestmove ".len());
    engine.send("quit");
    engine.ends();
    let files = std::fs::read_dir(&folder).unwrap().count();
    set_mode(0o755);
    assert_eq!(files, 3, "it writes nothing beside itself");
}
