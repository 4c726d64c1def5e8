//! The commands that need no run: what they print, and how they refuse.

mod common;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use common::{Scratch, files_below, keiko, tiny_config};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = keiko(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("keiko starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("keiko ends")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn perft_counts_the_start_position() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let done = run(&["perft", "--sfen", start, "--depth", "4"], "");
    assert!(done.status.success());
    assert!(text(&done).contains("719731"), "{}", text(&done));
    let divided = text(&run(&["perft", "--sfen", start, "--depth", "2", "--divide"], ""));
    assert!(divided.contains("7g7f: 30"), "{divided}");
}

#[test]
fn legal_moves_are_a_line_a_position() {
    let mated = "8k/8G/8P/9/9/9/9/9/8K w - 1";
    let done = run(&["legal"], &format!("startpos\n{mated}\n"));
    assert!(done.status.success(), "{}", errors(&done));
    let lines: Vec<String> = text(&done).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].split(' ').count(), 30);
    assert_eq!(lines[1], "");
}

#[test]
fn a_text_that_is_no_position_is_refused_with_what_is_wrong() {
    let short = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for command in [&["legal"][..], &["perft", "--depth", "1"], &["judge"]] {
        let done = run(&[command, &["--sfen", short]].concat(), "");
        assert_eq!(done.status.code(), Some(1), "{command:?}");
        let message = text(&done) + &errors(&done);
        assert!(message.contains("rank g has 8 squares instead of 9"), "{command:?}: {message}");
    }
}

#[test]
fn a_judge_answers_every_line_and_fails_for_a_bad_one() {
    let loops = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
    let input =
        format!("startpos\t{loops}\nnonsense\t7g7f\nstartpos\t7g7f 3c3d 8h2b\nstartpos\t7g7e\n");
    let done = run(&["judge"], &input);
    assert_eq!(done.status.code(), Some(1));
    let answers: Vec<serde_json::Value> =
        text(&done).lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["outcome"], "draw");
    assert_eq!(answers[0]["reason"], "sennichite");
    assert_eq!(answers[0]["ply"], 12);
    assert!(answers[1]["error"].is_string());
    assert_eq!(answers[2]["outcome"], "none");
    assert_eq!(answers[3]["outcome"], "white_wins");
    assert_eq!(answers[3]["reason"], "illegal_move");
}

#[test]
fn a_judge_follows_records_to_their_ends() {
    // Move 3 gives check, which move 4 leaves standing; the game goes on.
    let foul = "PI\n+\n+7776FU\n-3334FU\n+8833UM\n-8384FU\n+2726FU\n-8485FU\n";
    for (code, outcome, reason, ply) in [
        // Black resigns: White's foul of move 4 yields to it.
        ("%TORYO", "white_wins", "resignation", 6),
        ("%CHUDAN", "black_wins", "illegal_move", 4),
        ("%KACHI", "black_wins", "illegal_move", 4),
        ("%-ILLEGAL_ACTION", "black_wins", "illegal_move", 4),
        ("", "black_wins", "illegal_move", 4),
    ] {
        let done = run(&["judge", "-", "--from", "csa"], &format!("{foul}{code}\n"));
        assert!(done.status.success(), "{}{}", text(&done), errors(&done));
        let answer: serde_json::Value = serde_json::from_str(&text(&done)).expect("JSON");
        assert_eq!(answer["outcome"], outcome, "{code}: {answer}");
        assert_eq!(answer["reason"], reason, "{code}: {answer}");
        assert_eq!(answer["ply"], ply, "{code}: {answer}");
    }
    let lines = "startpos\t7g7f resign\nstartpos\t7g7f win\nstartpos\tresign 7g7f\n";
    let done = run(&["judge"], lines);
    let answers = text(&done);
    assert_eq!(
        answers.lines().take(2).collect::<Vec<_>>(),
        [
            "{\"outcome\":\"black_wins\",\"reason\":\"resignation\",\"ply\":1}",
            "{\"outcome\":\"black_wins\",\"reason\":\"failed_declaration\",\"ply\":1}"
        ]
    );
    assert!(answers.lines().nth(2).is_some_and(|line| line.contains("error")), "{answers}");
}

#[test]
fn records_are_converted() {
    let scratch = Scratch::new("convert");
    let at = |name: &str| scratch.path().join(name).display().to_string();
    let csa = "V2.2\nN+a\n'*c\nPI\n+\n+7776FU\nT1\n%TORYO\n/\nPI\n+\n%CHUDAN\n";
    fs::write(at("two.csa"), csa).expect("a record");
    let lines = run(&["convert", &at("two.csa"), &at("two.usi")], "");
    assert!(lines.status.success(), "{}", errors(&lines));
    assert_eq!(
        fs::read_to_string(at("two.usi")).expect("lines"),
        "startpos moves 7g7f\tblack=a\toutcome=black_wins\treason=resignation\tply=1\ttimes_ms=1000\n\
         startpos\treason=aborted\tply=0\n"
    );
    let notes = errors(&lines);
    assert!(notes.contains("comments of 1"), "{notes}");

    let refused = run(&["convert", &at("two.csa"), &at("two.kifu")], "");
    assert!(errors(&refused).contains("give --out a folder"), "{}", errors(&refused));
    let there = run(&["convert", &at("two.csa"), &at("two.usi")], "");
    assert!(errors(&there).contains("add --force"), "{}", errors(&there));
    fs::create_dir(at("out")).expect("a folder");
    let many = run(&["convert", &at("two.csa"), "--to", "kif", "--out", &at("out")], "");
    assert!(many.status.success(), "{}", errors(&many));
    let found = files_below(scratch.path());
    assert_eq!(found, ["out/two-0001.kifu", "out/two-0002.kifu", "two.csa", "two.usi"]);
    let back = run(&["convert", &at("out/two-0001.kifu"), "--to", "csa"], "");
    assert_eq!(text(&back) + "/\nV2.2\nPI\n+\n%CHUDAN\n", csa.replacen("/\nPI", "/\nV2.2\nPI", 1));

    std::os::unix::fs::symlink("two.usi", at("link.usi")).expect("a link");
    fs::write(at("link.usi.tmp"), "mine").expect("somebody's file");
    let through = run(&["convert", &at("two.csa"), &at("link.usi"), "--force"], "");
    assert!(through.status.success(), "{}", errors(&through));
    assert!(fs::symlink_metadata(at("link.usi")).expect("the link").is_symlink());
    assert_eq!(fs::read_to_string(at("link.usi.tmp")).expect("the file"), "mine");
    let device = run(&["convert", &at("two.csa"), "--to", "usi", "--out", "/dev/stdout"], "");
    assert!(
        device.status.success() && text(&device).starts_with("startpos"),
        "{}",
        errors(&device)
    );

    let bad = run(&["convert", "-", "--from", "csa", "--to", "kif"], "PI\n+\n+7775KI\n");
    assert_eq!(bad.status.code(), Some(1));
    assert!(errors(&bad).contains("-: line 3: move 1, \"+7775KI\""), "{}", errors(&bad));
    let stuck = run(&["convert", "-", "--from", "csa", "--to", "kif"], "PI\n+\n+7775FU\n");
    assert!(errors(&stuck).contains("line 3: move 1, \"+7775FU\", cannot be played"));
}

#[test]
fn shards_are_shown_and_exported() {
    let scratch = Scratch::new("shards");
    let at = |name: &str| scratch.path().join(name).to_string_lossy().into_owned();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/replay/version-1.games");
    let stats = text(&run(&["shards", "stats", golden, "--json"], ""));
    let stats: serde_json::Value = serde_json::from_str(&stats).expect("JSON");
    assert_eq!((stats["games"].as_u64(), stats["plies"].as_u64()), (Some(3), Some(43)));
    assert_eq!(stats["ends"]["resignation"], 3);
    let shown = text(&run(&["shards", "show", golden, "--game", "2", "--moves", "1"], ""));
    assert!(shown.starts_with("game ") && shown.contains("result "), "{shown}");
    let none = run(&["shards", "show", golden, "--game", "3"], "");
    assert!(errors(&none).contains("has 3 games: --game is from 0"), "{}", errors(&none));

    for (format, bytes) in [("hcpe3", 2430), ("hcpe", 19 * 38), ("psv", 19 * 40)] {
        let out = at(&format!("x.{format}"));
        let done = run(&["shards", "export", golden, "--to", format, "--out", &out], "");
        assert!(
            text(&done).contains(": 3 games, 19 positions"),
            "{}{}",
            text(&done),
            errors(&done)
        );
        assert_eq!(fs::metadata(&out).expect("the file").len(), bytes);
        let again = run(&["shards", "export", golden, "--to", format, "--out", &out], "");
        assert!(errors(&again).contains("add --force"), "{}", errors(&again));
    }
    fs::copy(golden, at("own.games")).expect("a file");
    let own = at("own.games");
    let over = run(&["shards", "export", &own, "--to", "usi", "--out", &own, "--force"], "");
    assert!(errors(&over).contains("is one of the shards that are read"), "{}", errors(&over));
    let twice = text(&run(&["shards", "stats", golden, golden, "--json"], ""));
    let twice: serde_json::Value = serde_json::from_str(&twice).expect("JSON");
    assert_eq!(twice["games"], 3, "each shard counts once");
    let both = text(&run(&["shards", "stats", golden, &own, "--json"], ""));
    let both: serde_json::Value = serde_json::from_str(&both).expect("JSON");
    let repeated =
        |stats: &serde_json::Value| stats["repeated_positions"].as_f64().expect("a share");
    assert!((repeated(&both) - (1.0 + repeated(&twice)) / 2.0).abs() < 1e-9, "{both} {twice}");
    let lines = run(&["shards", "export", golden, "--to", "usi", "--out", &at("x.usi")], "");
    assert!(lines.status.success(), "{}", errors(&lines));
    assert!(run(&["convert", &at("x.usi"), &at("x.csa")], "").status.success());
    let judged = text(&run(&["judge", &at("x.csa")], ""));
    assert_eq!(judged.lines().count(), 3, "{judged}");

    assert!(run(&["shards", "verify", golden], "").status.success());
    let mut damaged = fs::read(golden).expect("the shard");
    damaged[1000] ^= 1;
    fs::create_dir(at("games")).expect("a folder");
    fs::write(at("games/a.games"), &damaged).expect("a file");
    fs::copy(golden, at("games/b.games")).expect("a file");
    fs::remove_file(at("own.games")).expect("the file");
    let verified = run(&["shards", "verify", &at("")], "");
    assert_eq!(verified.status.code(), Some(1));
    let said = text(&verified);
    assert!(
        said.contains("a.games: ") && said.contains("2 shards, 1 damaged; 3 games, 0 "),
        "{said}"
    );
    fs::create_dir(at("empty")).expect("a folder");
    let empty = run(&["shards", "stats", &at("empty")], "");
    assert!(errors(&empty).contains("there are no shards"), "{}", errors(&empty));
}

#[test]
fn the_bench_is_its_golden_file() {
    let done = run(&["bench", "--json"], "");
    assert!(done.status.success(), "{}", errors(&done));
    let answer: serde_json::Value = serde_json::from_str(&text(&done)).expect("JSON");
    let found =
        format!("nodes {}\nhash {}\n", answer["nodes"], answer["hash"].as_str().expect("a hash"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/bench.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, &found).expect("a writable golden file");
    }
    assert_eq!(found, fs::read_to_string(path).expect("a golden file"));
}

#[test]
fn the_core_is_timed_at_what_is_asked_for() {
    let names = ["generate", "mate_in_one", "planes_f32", "planes_packed", "perft_start_d4_full"];
    let done = run(&[&["bench", "core", "--json", "--rounds", "1"], names.as_slice()].concat(), "");
    assert!(done.status.success(), "{}", errors(&done));
    let answer: serde_json::Value = serde_json::from_str(&text(&done)).expect("JSON");
    for name in names {
        assert!(answer["benches"][name]["median_ns"].as_f64() > Some(0.0), "{name}: {answer}");
    }
    assert_eq!(answer["benches"]["perft_start_d4_full"]["result"], 719_731);
    let unknown = run(&["bench", "core", "nonsense"], "");
    assert_eq!(unknown.status.code(), Some(1));
    assert!(errors(&unknown).contains("planes_packed"), "{}", errors(&unknown));
}

#[test]
fn a_bad_config_is_refused_by_name_and_nothing_is_made() {
    let scratch = Scratch::new("config");
    let config = scratch.path().join("bad.toml");
    let run_folder = scratch.path().join("run");
    let cases = [
        ("c_visit = 50.0", "c_vist = 50.0", "did you mean `c_visit`?"),
        ("generations = 2 ", "generations = 0 ", "generations must be at least 1"),
        ("games = 24 ", "games = 0 ", "first_generation.games"),
        ("c_scale = 1.0 ", "c_scale = -1.0 ", "search.gumbel.c_scale"),
        ("impasse = \"csa27\" ", "impasse = \"csa28\" ", "rules.impasse"),
        ("seed = 1 ", "", "seed"),
        ("elo1 = 80.0", "elo1 = -80.0", "elo1"),
        ("blocks = 1 ", "blocks = 0 ", "blocks"),
        (
            "fast_probability = 0.0 ",
            "fast_probability = 1.0 ",
            "first_generation.fast_probability must be below 1",
        ),
        ("min_rows = 200 ", "min_rows = 1441 ", "first_generation.games = 24 games of at most 60"),
        ("batch_rows = 32 ", "batch_rows = 5761 ", "one batch of trainer.batch_rows = 5761"),
        ("batch_rows = 32 ", "batch_rows = 1000000000000 ", "trainer.batch_rows must be from 2 to"),
        ("workers = 2 ", "workers = 65535 ", "selfplay.workers"),
        ("slots = 8 ", "slots = 4294967295 ", "gate.group.slots"),
        ("cap_pairs = 4 ", "cap_pairs = 4294967295 ", "gate.sprt.cap_pairs"),
        ("plies = 6\n\n[gate.sprt]", "plies = 65535\n\n[gate.sprt]", "gate.openings.plies"),
        ("batch_shape = 16\njishogi", "batch_shape = 1\njishogi", "gate.group.batch_shape"),
        (
            "batch_shape = 16                # rows",
            "batch_shape = 1 # rows",
            "selfplay.batch_shape",
        ),
        (
            "device = \"cpu\"                  # \"cpu\", \"cuda\", \"cuda:N\"\n",
            "device = \"gpu\"\n",
            "gpu",
        ),
    ];
    for (old, new, expected) in cases {
        fs::write(&config, tiny_config(&[(old, new)])).expect("a config");
        let mut command = keiko(&["train", "--config"]);
        let done = command.arg(&config).arg("--run").arg(&run_folder).output().expect("keiko runs");
        assert_eq!(done.status.code(), Some(1), "{new}");
        let message = errors(&done);
        assert!(message.contains("bad.toml") && message.contains(expected), "{new}: {message}");
        assert_eq!(files_below(scratch.path()), ["bad.toml"], "{new} left something behind");
    }
    let absent = run(&["train", "--config", "nowhere.toml", "--run", "nowhere"], "");
    assert!(errors(&absent).contains("nowhere.toml"));
    assert_eq!(errors(&absent).matches("No such file").count(), 1, "{}", errors(&absent));
}

/// How a run with these settings ends whose process may have 2.6 GB of addresses: what it says, as an error.
fn out_of_memory(name: &str, replacements: &[(&str, &str)]) -> String {
    let scratch = Scratch::new(name);
    let config = scratch.path().join("config.toml");
    fs::write(&config, tiny_config(replacements)).expect("a config");
    let keiko = keiko(&["train", "--config"]);
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 2600000; exec \"$@\"", "sh"]).arg(keiko.get_program());
    limited.args(keiko.get_args()).arg(&config).arg("--run").arg(scratch.path().join("run"));
    limited.env_remove("LD_LIBRARY_PATH").env_remove("LIBTORCH");
    let done = limited.output().expect("sh runs");
    let said = errors(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("keiko: ")).collect();
    let [error] = errors[..] else { panic!("{said}") };
    error.to_owned()
}

#[test]
fn memory_that_runs_out_ends_a_run_with_what_needs_less() {
    let wide = ("channels = 8                    #", "channels = 512 #");
    let games = ("games = 24                      # games\n", "games = 128\n");
    let a_game = ("max_rows_per_game = 16 ", "max_rows_per_game = 4096 ");
    let widest = ("channels = 8                    #", "channels = 1024 #");
    let window = ("min_rows = 200 ", "min_rows = 5000 ");
    let large_step = [widest, games, a_game, window, ("batch_rows = 32 ", "batch_rows = 4096 ")];
    let network = ("player = \"uniform\" ", "player = \"network\" ");
    let shape = ("batch_shape = 16                # rows", "batch_shape = 8192 # rows");
    let batches = ("batch_rows = 32 ", "batch_rows = 65536 ");
    let many = ("games = 24                      # games\n", "games = 600\n");
    let blocks = ("blocks = 1 ", "blocks = 50 ");
    for (name, settings, expected) in [
        (
            "memory-step",
            &large_step[..],
            [
                "training ran out of memory on cpu: lower trainer.batch_rows (4096)",
                "DefaultCPUAllocator",
            ],
        ),
        (
            "memory-evaluation",
            &[wide, network, shape],
            [
                "self-play ran out of memory on cpu: lower selfplay.batch_shape (8192)",
                "DefaultCPUAllocator",
            ],
        ),
        ("memory-net", &[wide, blocks], ["a net of 50x512", "lower network.blocks"]),
        ("memory-batches", &[batches, many], ["batches of 65536 rows", "lower trainer.batch_rows"]),
    ] {
        let error = out_of_memory(name, settings);
        assert!(expected.iter().all(|words| error.contains(words)), "{name}: {error}");
    }
}

#[test]
fn a_device_that_is_not_there_is_named_by_its_setting() {
    let scratch = Scratch::new("device");
    let (config, folder) = (scratch.path().join("config.toml"), scratch.path().join("run"));
    for (setting, key) in [
        (
            "device = \"cpu\"                  # \"cpu\", \"cuda\", \"cuda:N\", or",
            "inference.device",
        ),
        ("device = \"cpu\"                  # \"cpu\", \"cuda\", \"cuda:N\"\n", "trainer.device"),
    ] {
        let there_is_none = setting.replace("\"cpu\"   ", "\"cuda:99\"");
        fs::write(&config, tiny_config(&[(setting, &there_is_none)])).expect("a config");
        let mut train = keiko(&["train", "--config"]);
        let done = train.arg(&config).arg("--run").arg(&folder).output().expect("keiko runs");
        let said = errors(&done);
        assert_eq!(done.status.code(), Some(1), "{said}");
        let refused = format!("keiko: {key} = \"cuda:99\" cannot be had: ");
        assert!(said.starts_with(&refused) && said.contains("What is here: cpu"), "{said}");
        assert!(!folder.exists(), "nothing was begun");
    }
}

#[test]
fn the_doctor_says_by_its_exit_code_whether_a_model_can_be_used() {
    let golden = |name: &str| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
        root.join("dlshogi").join(name).display().to_string()
    };
    let text_file = run(&["doctor", &golden("README.md")], "");
    assert_eq!(text_file.status.code(), Some(1));
    assert!(text(&text_file).starts_with("fault  file: it is no whole ONNX file"));
    let library = run(&["doctor", &golden("toy57.onnx"), "--onnxruntime", "/nowhere/x.so"], "");
    assert_eq!(library.status.code(), Some(1));
    assert!(text(&library).contains("fault  ONNX Runtime: cannot load /nowhere/x.so"));
    // The program may be built and started far from the folder where the library is.
    let library = keiko_inference::find_onnx_runtime(None).expect("scripts/setup brings it");
    for model in ["toy57.onnx", "toy119.onnx"] {
        let at = library.to_string_lossy();
        let done = run(&["doctor", &golden(model), "--onnxruntime", &at], "");
        assert!(done.status.success(), "{}", text(&done));
        assert!(text(&done).contains("ok     speed: "), "{}", text(&done));
    }
}

#[test]
fn answers_that_nobody_takes_end_the_program_as_sigpipe_does() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut perft = keiko(&["perft", "--sfen", "startpos", "--depth", "1"]);
    let done = perft.stdout(writer).output().expect("keiko runs");
    assert_eq!((done.status.code(), errors(&done).as_str()), (Some(141), ""));
}

#[test]
fn a_pipe_given_as_a_file_whose_reader_leaves_is_said() {
    let scratch = Scratch::new("fifo");
    let fifo = scratch.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
    assert!(made.success());
    let name = fifo.to_str().expect("UTF-8");
    let games = scratch.path().join("games.usi");
    fs::write(&games, "startpos moves 7g7f\n".repeat(5000)).expect("games");
    let mut writer =
        keiko(&["convert", games.to_str().expect("UTF-8"), "--to", "csa", "--out", name]);
    let writer = writer.stderr(Stdio::piped()).spawn().expect("keiko runs");
    // Opening waits for the writer, which has more than a pipe holds.
    drop(fs::File::open(&fifo).expect("a reader"));
    let done = writer.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(1));
    assert!(errors(&done).contains(&format!("keiko: {name}: Broken pipe")), "{}", errors(&done));
}

#[test]
fn what_a_match_would_ignore_is_refused() {
    for extra in
        [&["--usi-go", "nodes 5"][..], &["--usi-option", "Threads=1"], &["--simulations", "5"]]
    {
        let args = ["match", "--model", "random", "--against", "greedy", "--pairs", "1"];
        let done = run(&[&args[..], extra].concat(), "");
        assert!(!done.status.success() && errors(&done).contains(extra[0]), "{}", errors(&done));
    }
}

#[test]
fn every_command_explains_itself() {
    for command in [
        "train", "selfplay", "learn", "gate", "match", "gauntlet", "openings", "export", "doctor",
        "report", "bench", "perft", "legal", "judge", "convert", "mate",
    ] {
        let help = run(&[command, "--help"], "");
        assert!(help.status.success());
        assert!(text(&help).contains("Usage: keiko"), "{}", text(&help));
    }
    assert_eq!(run(&["nonsense"], "").status.code(), Some(2));
}

#[test]
fn an_event_is_played_once_and_shown_again() {
    let scratch = Scratch::new("gauntlet");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/gauntlet/references.toml");
    let shipped = fs::read_to_string(shipped).expect("a config");
    let config = scratch.path().join("event.toml");
    let folder = scratch.path().join("event");
    let [config_name, folder_name] = [&config, &folder].map(|path| path.to_str().expect("UTF-8"));
    let gauntlet = ["gauntlet", config_name, "--out", folder_name];
    fs::write(&config, shipped.replace("games = 200 ", "games = 8 ")).expect("a config");
    let done = run(&gauntlet, "");
    assert!(done.status.success(), "{}", errors(&done));
    let table = text(&done);
    for part in ["greedy", "random = 0", "4 random quiet", "8 of 8 results by 8 games"] {
        assert!(table.contains(part), "no {part:?} in {table}");
    }
    let games = fs::read_to_string(folder.join("games.usi")).expect("games");
    assert_eq!(games.lines().count(), 8);
    for name in ["table.csv", "table.json", "results.pgn", "event.json"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    let again = run(&[&gauntlet[..], &["--json"]].concat(), "");
    let answer: serde_json::Value = serde_json::from_str(&text(&again)).expect("JSON");
    assert_eq!((&answer["finished"], &answer["games"]), (&8.into(), &8.into()));
    assert_eq!(fs::read_to_string(folder.join("games.usi")).expect("games"), games);

    fs::write(&config, shipped.replace("seed = 1 ", "seed = 2 ")).expect("a config");
    let refused = run(&gauntlet, "");
    assert_eq!(refused.status.code(), Some(1));
    assert!(errors(&refused).contains("schedule.seed was 1 and is 2 now"), "{}", errors(&refused));
    fs::write(&config, shipped.replace("replay_draws", "replay_drawn")).expect("a config");
    let misspelt = errors(&run(&gauntlet, ""));
    assert!(misspelt.contains("did you mean `replay_draws`?"), "{misspelt}");
}

/// A program in shell that declares these options and does this at every `go`.
fn engine(folder: &Path, options: &[&str], on_go: &str) -> PathBuf {
    let path = folder.join("engine");
    let options: Vec<String> = options
        .iter()
        .map(|name| format!("echo 'option name {name} type string default x'; "))
        .collect();
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case $line in usi) {}echo usiok;; isready) echo readyok;; \
         go*) {on_go};; quit) exit;; esac; done\n",
        options.concat()
    );
    fs::write(&path, script).expect("an engine");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

/// The released net.
const AYUMI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/ayumi");

/// From a folder above which ONNX Runtime is found.
fn at_home(arguments: &[&str]) -> std::process::Command {
    let mut command = keiko(arguments);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

#[test]
fn the_templates_of_events_fit_engines_with_their_options() {
    // As YaneuraOu with NNUE and dlshogi declare them, as far as the templates name them.
    let yaneuraou = [
        "Threads",
        "USI_Hash",
        "EvalDir",
        "BookFile",
        "NetworkDelay",
        "NetworkDelay2",
        "MinimumThinkingTime",
        "RoundUpToFullSecond",
        "EnteringKingRule",
        "MaxMovesToDraw",
    ];
    let dlshogi = [
        "DNN_Model",
        "DNN_Batch_Size",
        "UCT_Threads",
        "USI_Ponder",
        "OwnBook",
        "Resign_Threshold",
        "PV_Mate_Search_Threads",
        "Draw_Ply",
    ];
    for (name, options, results) in [("yaneuraou", &yaneuraou[..], 2), ("dlshogi", &dlshogi, 2)] {
        let scratch = Scratch::new(&format!("template-{name}"));
        let program = engine(scratch.path(), options, "echo bestmove resign");
        let file = format!("{}/../../configs/gauntlet/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let shipped = fs::read_to_string(file).expect("the template");
        let template: String = shipped
            .lines()
            .map(|line| match line.split_once(" = ").map(|(key, _)| key) {
                Some("command") => format!("command = {program:?}\n"),
                Some("directory") => format!("directory = {:?}\n", scratch.path()),
                Some("model") => format!("model = \"{AYUMI}\"\n"),
                Some("games") => format!("games = {results}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let config = scratch.path().join("event.toml");
        fs::write(&config, template).expect("a config");
        let out = scratch.path().join("event");
        let [config, out] = [&config, &out].map(|path| path.to_str().expect("a name of text"));
        let done = at_home(&["gauntlet", config, "--out", out]).output().expect("keiko runs");
        assert!(done.status.success(), "{name}: {}", errors(&done));
        let wanted = format!("{results} of {results} results");
        assert!(text(&done).contains(&wanted) && text(&done).contains("resignation 2"), "{done:?}");
    }
}

#[test]
fn nets_from_elsewhere_meet_without_a_run() {
    let done = at_home(&[
        "match",
        "--model",
        AYUMI,
        "--against",
        "random",
        "--pairs",
        "2",
        "--simulations",
        "2",
    ]);
    let done = { done }.output().expect("keiko runs");
    assert!(done.status.success(), "{}", errors(&done));
    assert!(text(&done).contains("from 2 random quiet openings of 6 plies (seed 1), no anchor"));
    for (arguments, said) in [
        (["match", "--against", "random", "--pairs", "2", "--seed", "1"], "needs --run"),
        (
            ["match", "--model", "/nowhere/net.onnx", "--against", "random", "--pairs", "2"],
            "no such file",
        ),
        (
            ["match", "--model", AYUMI, "--against-usi", "/nowhere/engine", "--pairs", "2"],
            "cannot start",
        ),
    ] {
        let refused = at_home(&arguments).output().expect("keiko runs");
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{arguments:?}");
        assert!(errors(&refused).contains(said), "{arguments:?}: {}", errors(&refused));
    }
}

#[test]
fn a_terminals_ctrl_c_stops_a_match_and_is_no_engines_crash() {
    use std::os::unix::process::CommandExt as _;
    let scratch = Scratch::new("match-ctrl-c");
    let seen = scratch.path().join("seen");
    let program = engine(scratch.path(), &[], &format!("echo $$ > {}; sleep 600", seen.display()));
    let arguments =
        ["match", "--model", AYUMI, "--pairs", "2", "--simulations", "2", "--against-usi"];
    let mut command = at_home(&arguments);
    command.arg(&program).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = command.spawn().expect("keiko runs");
    let start = std::time::Instant::now();
    let id = loop {
        match fs::read_to_string(&seen) {
            Ok(id) if id.ends_with('\n') => break id.trim().to_owned(),
            _ => assert!(start.elapsed().as_secs() < 120, "the engine has its turn"),
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    // As a terminal does: to all of the group in front.
    let group = format!("-{}", child.id());
    let kill = std::process::Command::new("kill").args(["-s", "INT", "--", &group]).status();
    assert!(kill.expect("kill runs").success());
    let done = child.wait_with_output().expect("it ends");
    assert!(!done.status.success() && done.stdout.is_empty(), "{done:?}");
    let said = errors(&done);
    assert!(said.contains("no result") && !said.contains("ended before"), "{said}");
    let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "the engine is gone: {state}");
}

#[test]
fn openings_are_made_once() {
    let scratch = Scratch::new("openings");
    let list = scratch.path().join("list.sfen");
    let make = ["openings", "make", "--count", "5", "--nodes", "2", "--max-bias", "0.5", "--out"];
    let make = [&make[..], &[list.to_str().expect("UTF-8")]].concat();
    let done = run(&make, "");
    assert!(done.status.success(), "{}", errors(&done));
    let lines = fs::read_to_string(&list).expect("a list");
    assert_eq!(lines.lines().filter(|line| line.starts_with("sfen ")).count(), 5, "{lines}");
    let again = run(&make, "");
    assert_eq!(again.status.code(), Some(1));
    assert!(errors(&again).contains("exists: add --force"), "{}", errors(&again));
}

#[test]
fn a_plan_says_what_a_machine_will_make_of_a_config() {
    let scratch = Scratch::new("plan");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, common::tiny_config(&[])).expect("a config");
    let config = config.display().to_string();
    let planned = run(&["plan", &config, "--only", "--seconds", "0.01", "--json"], "");
    assert!(planned.status.success(), "{}", errors(&planned));
    let plan: serde_json::Value = serde_json::from_str(&text(&planned)).expect("JSON");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let net = &plan["nets"][0];
    assert_eq!((&net["net"], &net["configured"]), (&"1x8".into(), &true.into()), "{plan}");
    assert!(
        number(&net["evaluations_per_second"])
            >= number(&net["evaluations_per_second_as_configured"])
    );
    // The games of that config end after 60 plies at most, and a ply has 4 simulations at most.
    let (plies, evaluations) =
        (number(&plan["plies_per_game"]), number(&plan["evaluations_per_game"]));
    assert!(
        (1.0..=60.0).contains(&plies) && (plies..=5.0 * plies).contains(&evaluations),
        "{plan}"
    );
    let games = number(&net["evaluations_per_second_as_configured"]) * 86400.0 / evaluations;
    assert!((number(&net["games_per_day"]) / games - 1.0).abs() < 1e-9, "{plan}");
    let refused = run(&["plan", &config, "--seconds", "0"], "");
    assert!(errors(&refused).contains("not from 0.01 to 60"), "{}", errors(&refused));
}
