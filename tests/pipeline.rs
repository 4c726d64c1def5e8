//! The whole loop as a person runs it: games, training, gate, champion, stopped and gone on with.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{Scratch, files_below, keiko, tiny_config};

/// What a run has made, without what depends on the clock or the process: every file with its bytes.
fn made(run: &Path) -> Vec<(String, Vec<u8>)> {
    let by_clock = [
        "timing.jsonl",
        "report.html",
        "provenance.toml",
        "events/",
        "learner/",
        "config/",
        "status/",
        "lock",
    ];
    let mut found = files_below(run);
    found.retain(|name| !by_clock.iter().any(|part| name.contains(part)));
    found
        .into_iter()
        // The folder of a checkpoint begins with the learner's epoch, which counts starts.
        .filter(|name| !name.starts_with("checkpoints/"))
        .map(|name| {
            let bytes = fs::read(run.join(&name)).expect("a readable file");
            (name, bytes)
        })
        .collect()
}

fn assert_same(left: &Path, right: &Path) {
    let (left, right) = (made(left), made(right));
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&left), names(&right));
    for ((name, left), (_, right)) in left.iter().zip(&right) {
        assert!(left == right, "{name} differs");
    }
}

/// Starts a run, or goes on with it once it has begun, and kills it, until it comes to its end; says how often it was killed.
/// The first start has so many milliseconds, each later one so many more: every stage is met, and the run ends.
fn kill_until_done(run: &Path, [first, more]: [u64; 2], start: impl Fn(bool) -> Command) -> u64 {
    let mut kills = 0;
    loop {
        let resume = run.join("config/000000.toml").exists();
        let mut child = start(resume).spawn().expect("keiko starts");
        std::thread::sleep(Duration::from_millis(first + more * kills));
        if let Some(status) = child.try_wait().expect("a child") {
            assert!(status.success());
            return kills;
        }
        child.kill().expect("a child to kill");
        child.wait().expect("a killed child");
        kills += 1;
        assert!(kills < 60, "the run makes no progress");
    }
}

#[test]
fn the_same_config_and_seed_give_the_same_run_with_one_worker_and_with_two_on_two_devices() {
    let scratch = Scratch::new("workers");
    for workers in [1, 2] {
        let config = scratch.path().join(format!("{workers}.toml"));
        // Two workers, each on a device of its own.
        let devices = ["\"cpu\"", "[\"cpu\", \"cpu\"]"][workers - 1];
        let text = tiny_config(&[
            ("workers = 2 ", &format!("workers = {workers} ")),
            ("device = \"cpu\" ", &format!("device = {devices} ")),
        ]);
        fs::write(&config, text).expect("a config");
        // The run's name is in the manifests, so both runs have the same one.
        let run = scratch.path().join(workers.to_string()).join("run");
        let done = keiko(&["train", "--config"]).arg(&config).arg("--run").arg(&run).output();
        let done = done.expect("keiko runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(text.contains("champion: "), "{text}");
        assert!(
            text.contains("mate 1 (unif.)") && text.contains("log-odds of the value"),
            "{text}"
        );
        // Games of at most 60 plies between players that know nothing are drawn.
        for shown in [text, String::from_utf8_lossy(&done.stderr).into_owned()] {
            let warned = |line: &str| line.contains("warning: ") && line.contains("are drawn");
            assert!(shown.lines().any(warned), "{shown}");
        }
    }
    let [one, two] = ["1", "2"].map(|w| scratch.path().join(w).join("run"));
    let files = files_below(&one);
    let has = |start: &str| files.iter().any(|f| f.starts_with(start));
    for part in ["games/g000001/", "ingest/00000001", "candidates/000001", "champion/000000"] {
        assert!(has(part), "no {part} in {files:?}");
    }
    for name in ["verdict.toml", "yardsticks.toml"] {
        assert_eq!(files.iter().filter(|f| f.ends_with(name)).count(), 2, "{name}");
    }
    let events = files.iter().filter(|f| f.starts_with("events/"));
    let curve = b"yardsticks/policy_top1";
    let drawn = events
        .map(|f| fs::read(one.join(f)).expect("a readable file"))
        .any(|bytes| bytes.windows(curve.len()).any(|part| part == curve));
    assert!(drawn, "the yardsticks have no curve");
    // After the trainer's lines of a generation stand those of its games, yardsticks, warnings and verdict.
    let metrics = fs::read_to_string(one.join("metrics.jsonl")).expect("metrics");
    let mut events: Vec<String> = metrics
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|line| line["event"].as_str().expect("a name").to_owned())
        .collect();
    events.dedup();
    let generation =
        ["window", "steps", "held_out", "candidate", "games", "yardsticks", "warning", "verdict"];
    assert_eq!(events, [generation, generation].concat(), "{metrics}");
    assert_same(&one, &two);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_one_that_is_not() {
    let scratch = Scratch::new("kills");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[])).expect("a config");
    let [whole, killed] = ["whole", "killed"].map(|name| scratch.path().join(name).join("run"));
    let train = |run: &Path, resume: bool| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(run);
        if resume {
            command.arg("--resume");
        }
        command
    };
    assert!(train(&whole, false).output().expect("keiko runs").status.success());
    let kills = kill_until_done(&killed, [300, 250], |resume| train(&killed, resume));
    assert!(kills >= 2, "the run was killed only {kills} times");
    assert_same(&whole, &killed);
}

/// A run whose games begin from every source, with thresholds of resignation that follow from earlier games, is the
/// same with one worker and uninterrupted, and with two and killed in the midst of each generation's games.
#[test]
fn games_from_every_source_and_adapted_resignation_are_the_same_after_kills() {
    let scratch = Scratch::new("sources");
    let book = scratch.path().join("book.sfen");
    fs::write(&book, "# a book\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n")
        .expect("a book");
    let book_file = format!("book_file = \"{}\" ", book.display());
    let config = |workers: u32| {
        let path = scratch.path().join(format!("{workers}.toml"));
        let text = tiny_config(&[
            ("generations = 2 ", "generations = 3 "),
            ("max_plies = 60 ", "max_plies = 160 "),
            ("workers = 2 ", &format!("workers = {workers} ")),
            ("book = 0.0 ", "book = 0.2 "),
            ("book_file = \"\" ", &book_file),
            ("shuffled = 0.0 ", "shuffled = 0.2 "),
            ("fork = 0.0 ", "fork = 0.2 "),
            ("before_end = 0.0 ", "before_end = 0.2 "),
            ("threshold = 0.0                 # expected", "threshold = 0.5 # expected"),
            ("turns = 3 ", "turns = 1 "),
            ("played_out_share = 1.0 ", "played_out_share = 0.7 "),
            ("adapt = false ", "adapt = true "),
            ("target_wrong = 0.05 ", "target_wrong = 0.99 "),
            ("min_audited = 200 ", "min_audited = 5 "),
            ("step = 0.01 ", "step = 0.5 "),
            ("reply = 0.0 ", "reply = 0.15 "),
            ("plies_left = 0.0 ", "plies_left = 0.1 "),
            ("soft_policy = 0.0 ", "soft_policy = 1.0 "),
            ("surprise_weight = 0.0 ", "surprise_weight = 0.5 "),
            ("games = 0  ", "games = 50 "),
            ("min_games = 200 ", "min_games = 1 "),
        ]);
        fs::write(&path, text).expect("a config");
        path
    };
    let [whole, killed] = ["whole", "killed"].map(|name| scratch.path().join(name).join("run"));
    let train = |config: &Path, run: &Path| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(config).arg("--run").arg(run);
        if run.join("config").exists() {
            command.arg("--resume");
        }
        command
    };
    let (one, two) = (config(1), config(2));
    let done = train(&one, &whole).output().expect("keiko runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for generation in 0..3 {
        let mut child = train(&two, &killed).spawn().expect("keiko starts");
        while !killed.exists() || !has(&killed, &format!("games/g{generation:06}"), "0.games") {
            assert!(child.try_wait().expect("a child").is_none(), "{generation} was not met");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("a child to kill");
        child.wait().expect("a killed child");
    }
    assert!(train(&two, &killed).output().expect("keiko runs").status.success());
    assert_same(&whole, &killed);
    let stats = |generation: u32| -> serde_json::Value {
        let mut command = keiko(&["shards", "stats", "--json"]);
        let done = command.arg(whole.join(format!("games/g{generation:06}"))).output();
        serde_json::from_slice(&done.expect("keiko runs").stdout).expect("JSON")
    };
    let names = |generation: u32| -> Vec<String> {
        let stats = stats(generation);
        stats["starts"].as_object().expect("counts").keys().cloned().collect()
    };
    assert_eq!(names(0), ["book", "shuffled", "standard"], "there are no games to go on from yet");
    assert_eq!(names(2), ["before_end", "book", "fork", "shuffled", "standard"]);
    let plan = |generation: u32| -> toml::Table {
        let text = fs::read_to_string(whole.join(format!("plans/g{generation:06}.toml")));
        text.expect("a plan").parse().expect("TOML")
    };
    let threshold = |generation: u32| -> f64 {
        plan(generation)["thresholds"]["normal"].as_float().expect("a threshold")
    };
    let sennichite = |generation: u32| plan(generation).get("sennichite").map(|it| it.to_string());
    assert!(sennichite(0).is_none() && sennichite(2).is_some(), "{:?}", sennichite(2));
    let metrics = fs::read_to_string(whole.join("metrics.jsonl")).expect("metrics");
    for name in ["reply_loss", "soft_policy_loss", "effective_rows", "sennichite_value"] {
        assert!(metrics.contains(name), "{name}");
    }
    assert_relabelled(&scratch, &whole);
    assert!(threshold(0) == 0.0 && threshold(1) == 0.0 && threshold(2) > 0.0);
    let resigned = &stats(2)["resignations"]["normal"]["resigned"];
    assert!(resigned.as_u64().expect("a count") > 0, "{}", stats(2));
    let refused = |run: &Path, expected: &str| {
        let done = train(&one, run).output().expect("keiko runs");
        assert_eq!(done.status.code(), Some(1));
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(text.contains("book.sfen") && text.contains(expected), "{expected}: {text}");
    };
    let new = scratch.path().join("new");
    for (text, expected) in [
        ("", "is empty"),
        ("startpos\nstartpos moves 7g7e\n", "line 2"),
        ("startpos\n8k/8G/8P/9/9/9/9/9/8K w - 1\n", "line 2: the game is over there by checkmate"),
    ] {
        fs::write(&book, text).expect("a book");
        refused(&new, expected);
        assert!(!new.exists(), "nothing was begun");
    }
    fs::remove_file(&book).expect("a book");
    refused(&new, "No such file");
}

/// Searches the games of a run anew: new shards that the rules hold in, and nothing of the old ones is touched.
fn assert_relabelled(scratch: &Scratch, run: &Path) {
    let before = made(run);
    let out = scratch.path().join("anew");
    let relabel = |extra: &[&str]| {
        let mut command = keiko(&["shards", "relabel", "--model"]);
        command.arg(run).arg(run).arg("--out").arg(&out).args(extra);
        command.output().expect("keiko runs")
    };
    let done = relabel(&["--simulations", "4"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let new = made(&out);
    let shards = before.iter().filter(|file| file.0.starts_with("games/"));
    let names = shards.map(|file| file.0.replacen("games/", "", 1));
    let names: Vec<_> = names.chain(["relabelled.toml".to_owned()]).collect();
    assert_eq!(new.iter().map(|file| file.0.clone()).collect::<Vec<_>>(), names);
    assert!(made(run) == before);
    let stats = |path: &Path| -> serde_json::Value {
        let done = keiko(&["shards", "stats", "--json"]).arg(path).output().expect("keiko runs");
        serde_json::from_slice(&done.stdout).expect("JSON")
    };
    let (old, anew) = (stats(run), stats(&out));
    for same in ["games", "plies", "ends", "searches", "starts", "bad_games", "black_score"] {
        assert_eq!(old[same], anew[same], "{same}");
    }
    let models = |stats: &serde_json::Value| stats["models"].as_object().expect("counts").len();
    assert!(models(&old) > 1 && models(&anew) == 1, "{old} {anew}");

    let again = relabel(&[]);
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && said.contains("exists: name another folder"), "{said}");
    fs::remove_file(out.join(&new[0].0)).expect("a shard");
    assert!(relabel(&["--simulations", "4", "--resume"]).status.success());
    // Not with other labels among those that are there, and not over damage.
    let otherwise = relabel(&["--simulations", "5", "--resume"]);
    assert!(String::from_utf8_lossy(&otherwise.stderr).contains("made otherwise"), "{otherwise:?}");
    let damaged = files_below(&out).into_iter().find(|it| it.ends_with(".games"));
    let damaged = out.join(damaged.expect("a shard"));
    let whole = fs::read(&damaged).expect("a shard");
    fs::write(&damaged, &whole[..whole.len() / 2]).expect("damage");
    let refused = relabel(&["--simulations", "4", "--resume"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is damaged"), "{refused:?}");
    fs::write(&damaged, &whole).expect("the shard");
    assert!(made(&out) == new, "a shard is the same alone and among others");
    let inside = keiko(&["shards", "relabel", "--model"])
        .arg(run)
        .arg(run)
        .arg("--out")
        .arg(run.join("anew"))
        .output()
        .expect("keiko runs");
    assert!(String::from_utf8_lossy(&inside.stderr).contains("lies in the run"));
}

/// Whether a run has a file whose name begins and ends so.
fn has(run: &Path, start: &str, end: &str) -> bool {
    files_below(run).iter().any(|name| name.starts_with(start) && name.ends_with(end))
}

/// Verdicts so far.
fn verdicts(run: &Path) -> usize {
    files_below(run).iter().filter(|name| name.ends_with("verdict.toml")).count()
}

#[test]
fn a_run_that_is_stopped_in_each_stage_ends_as_one_that_is_not() {
    let scratch = Scratch::new("stops");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[])).expect("a config");
    let [whole, stopped] = ["whole", "stopped"].map(|name| scratch.path().join(name).join("run"));
    let train = |run: &Path, extra: &[&str]| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(run).args(extra).stderr(std::process::Stdio::piped());
        command
    };
    assert!(train(&whole, &[]).output().expect("keiko runs").status.success());
    type Mark = (&'static str, fn(&Path, usize) -> bool);
    let marks: [Mark; 5] = [
        ("self-play", |run, generation| has(run, &format!("games/g{generation:06}"), "1.games")),
        ("learning", |run, generation| {
            let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
            text.matches("\"event\":\"window\"").count() > generation
        }),
        ("yardsticks", |run, generation| has(run, "candidates/", &format!("{generation}.toml"))),
        ("gate", |run, generation| {
            let taken = files_below(run).iter().filter(|f| f.ends_with("yardsticks.toml")).count();
            taken > generation
        }),
        ("promotion", |run, generation| verdicts(run) > generation),
    ];
    for (generation, signal) in [(0, "-KILL"), (1, "-INT")] {
        for (stage, is_there) in marks {
            let extra: &[&str] = if stopped.join("config").exists() { &["--resume"] } else { &[] };
            let mut child = train(&stopped, extra).spawn().expect("keiko starts");
            while !stopped.exists() || !is_there(&stopped, generation) {
                assert!(child.try_wait().expect("a child").is_none(), "{stage} was not met");
                std::thread::sleep(Duration::from_millis(1));
            }
            let pid = child.id().to_string();
            let sent = std::process::Command::new("kill").args([signal, &pid]).status();
            assert!(sent.expect("kill runs").success());
            if signal == "-INT" {
                // As `timeout` and batch systems do, which mean the same by it.
                let again = std::process::Command::new("kill").args(["-TERM", &pid]).status();
                again.expect("kill runs");
            }
            let done = child.wait_with_output().expect("a child");
            let text = String::from_utf8_lossy(&done.stderr).into_owned();
            // A stage that was all but done may be finished by a clean stop.
            let is_done = verdicts(&stopped) == 2;
            assert!(done.status.success() == is_done || signal == "-KILL", "{stage}: {text}");
            if signal == "-INT" && !is_done {
                assert!(text.contains("go on with --resume"), "{stage}: {text}");
            }
        }
    }
    assert!(train(&stopped, &["--resume"]).output().expect("keiko runs").status.success());
    assert_same(&whole, &stopped);
}

#[test]
fn what_a_run_cannot_go_on_from_is_named_and_nothing_is_changed() {
    let scratch = Scratch::new("unfit");
    let config = scratch.path().join("tiny.toml");
    let run = scratch.path().join("run");
    let wide = ("min_rows = 200 ", "min_rows = 1000 ");
    let train = |generations: u32, extra: &[&str]| {
        let generations = format!("generations = {generations} ");
        let text = tiny_config(&[("generations = 2 ", &generations), wide]);
        fs::write(&config, text).expect("a config");
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra).output().expect("keiko runs")
    };
    assert!(train(1, &[]).status.success());
    let model = {
        let text = fs::read_to_string(run.join("champion/000000.toml")).expect("a champion");
        let table: toml::Table = text.parse().expect("TOML");
        table["model"].as_str().expect("a model").to_owned()
    };
    let settings = || fs::read_dir(run.join("config")).expect("settings").count();
    let refused = |name: &str, change: &dyn Fn(&Path), expected: &str| {
        let path = run.join(name);
        let bytes = fs::read(&path).expect("a file of the run");
        change(&path);
        let (before, starts) = (made(&run), settings());
        let done = train(2, &["--resume"]);
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{text}");
        let last = text.lines().last().expect("a message");
        assert!(last.contains(name) && last.contains(expected), "{last}");
        fs::write(&path, &bytes).expect("a file of the run");
        (before == made(&run) || !path.exists(), starts == settings())
    };
    let manifest = format!("models/{model}/manifest.toml");
    let other = |path: &Path| {
        let text = fs::read_to_string(path).expect("a manifest");
        let (_hash, text) = text.split_once('\n').expect("lines");
        fs::write(path, text.replace("dlshogi-119", "dlshogi-57")).expect("a manifest");
    };
    let (_, same) = refused(&manifest, &other, "architecture.encoding is dlshogi-57");
    assert!(same, "the settings were changed for a model that cannot be used");
    let weights = format!("models/{model}/weights.safetensors");
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).expect("a file");
    };
    assert!(refused(&weights, &flip, "is damaged").1);
    // Games that are still learnt from: the next ones are played first, so the settings are taken.
    refused("games/g000000/000005.games", &flip, "games/g000000/000005.games");
    let gone = |path: &Path| fs::remove_file(path).expect("a shard");
    refused("games/g000000/000005.games", &gone, "is gone, but the ingest log names it");
    // The ONNX follows from the weights.
    let onnx = run.join(format!("models/{model}/model.onnx"));
    let bytes = fs::read(&onnx).expect("an ONNX");
    fs::remove_file(&onnx).expect("an ONNX");
    assert!(train(2, &["--resume"]).status.success());
    assert_eq!(fs::read(&onnx).expect("an ONNX"), bytes);
}

#[test]
fn a_damaged_shard_that_is_to_enter_is_named_and_nothing_is_changed() {
    let scratch = Scratch::new("shard");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[])).expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    let mut child = train.arg(&config).arg("--run").arg(&run).spawn().expect("keiko starts");
    while !run.exists() || !has(&run, "games/g000000", "1.games") {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a child to kill");
    child.wait().expect("a killed child");
    let selfplay = keiko(&["selfplay", "--run"]).arg(&run).output().expect("keiko runs");
    let text = String::from_utf8_lossy(&selfplay.stderr).into_owned();
    assert!(selfplay.status.success() || text.contains("waits for"), "{text}");
    let shard = run.join("games/g000000/000001.games");
    let mut bytes = fs::read(&shard).expect("a shard");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&shard, bytes).expect("a shard");
    let before = made(&run);
    let done = keiko(&["learn", "--run"]).arg(&run).output().expect("keiko runs");
    assert_eq!(done.status.code(), Some(1));
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(text.matches("games/g000000/000001.games").count(), 1, "{text}");
    assert_eq!(text.matches("does not fit").count(), 1, "{text}");
    assert_eq!(made(&run), before);
}

#[test]
fn a_report_is_a_page_and_a_picture_and_leaves_the_run_as_it_was() {
    let scratch = Scratch::new("report");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    assert!(train.arg(&config).arg("--run").arg(&run).status().expect("keiko runs").success());
    let page = fs::read_to_string(run.join("report.html")).expect("training leaves a page");
    fs::remove_file(run.join("report.html")).expect("a page");
    let before = made(&run);
    let picture = scratch.path().join("run.svg");
    // Another process may have the run meanwhile.
    let lock = fs::File::open(run.join(".keiko.lock")).expect("a lock file");
    lock.lock().expect("a lock");
    let done = keiko(&["report", "--run"]).arg(&run).arg("--picture").arg(&picture).output();
    let done = done.expect("keiko runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let again = fs::read_to_string(run.join("report.html")).expect("a page");
    assert_eq!(again.matches("<svg").count(), page.matches("<svg").count());
    assert!(again.contains("all generations are done") && again.contains("are drawn"), "{again}");
    assert!(again.matches("<svg").count() >= 12 && !again.contains("NaN"));
    assert!(fs::read_to_string(&picture).expect("a picture").starts_with("<svg xmlns="));
    assert_eq!(made(&run), before);
    let absent = keiko(&["report", "--run", "nowhere"]).output().expect("keiko runs");
    let text = String::from_utf8_lossy(&absent.stderr).into_owned();
    assert!(text.contains("nowhere holds no run, it does not exist"), "{text}");
    let mut own = keiko(&["report", "--run"]);
    let done = own.arg(&run).arg("--picture").arg(run.join("metrics.jsonl")).output();
    let text = String::from_utf8_lossy(&done.expect("keiko runs").stderr).into_owned();
    assert!(text.contains("metrics.jsonl lies in the run"), "{text}");
    assert_eq!(made(&run), before);
}

#[test]
fn the_stages_one_by_one_make_the_same_run() {
    let scratch = Scratch::new("stages");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let [whole, staged] = ["whole", "staged"].map(|name| scratch.path().join(name).join("run"));
    let mut train = keiko(&["train", "--config"]);
    assert!(train.arg(&config).arg("--run").arg(&whole).status().expect("keiko runs").success());
    // A run is begun by `train`; stopped at once it has no games.
    let mut child = keiko(&["train", "--config"])
        .arg(&config)
        .arg("--run")
        .arg(&staged)
        .spawn()
        .expect("keiko");
    while !staged.join("config/000000.toml").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a child to kill");
    child.wait().expect("a killed child");
    for stage in ["selfplay", "learn", "gate"] {
        let stage_run = || keiko(&[stage, "--run"]).arg(&staged).output().expect("keiko runs");
        let done = stage_run();
        assert!(done.status.success(), "{stage}: {}", String::from_utf8_lossy(&done.stderr));
        if stage != "gate" {
            let again = stage_run();
            assert!(!again.status.success());
            assert!(String::from_utf8_lossy(&again.stderr).contains("waits for"));
        }
    }
    assert_same(&whole, &staged);
    let now = status(&staged);
    assert_eq!((&now["next"], &now["health"]), (&"done".into(), &"fine".into()), "{now}");
    assert_eq!((&now["beat"]["command"], &now["beat"]["ended"]), (&"gate".into(), &true.into()));
    let done = keiko(&["status"]).arg(&staged).output().expect("keiko runs");
    assert_eq!(done.status.code(), Some(0));
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(text.contains("all 1 generations are done") && text.contains(" GB free"), "{text}");
    let absent = keiko(&["status", "nowhere"]).output().expect("keiko runs");
    assert_eq!(absent.status.code(), Some(2));
}

#[test]
fn how_a_run_is_shows_from_outside_while_it_runs_and_after_a_kill() {
    let scratch = Scratch::new("status");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 999 ")]))
        .expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    let mut child = train.arg(&config).arg("--run").arg(&run).spawn().expect("keiko starts");
    while !run.join("config/000000.toml").exists() || !run.join("status/train.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let now = status(&run);
    assert_eq!((&now["running"], &now["beat"]["pid"]), (&true.into(), &child.id().into()), "{now}");
    assert!(now["hours_left"].as_f64().is_some_and(|hours| hours > 0.0), "{now}");
    child.kill().expect("a child to kill");
    child.wait().expect("a killed child");
    let now = status(&run);
    assert_eq!((&now["running"], &now["health"]), (&false.into(), &"attention".into()), "{now}");
    assert!(
        now["problems"][0]["text"].as_str().is_some_and(|it| it.contains("was killed")),
        "{now}"
    );
    fs::create_dir_all(run.join("candidates")).expect("a folder");
    fs::write(run.join("candidates/000000.toml"), "rubbish").expect("damage");
    let done = keiko(&["status"]).arg(&run).output().expect("keiko runs");
    assert_eq!(done.status.code(), Some(2));
}

#[test]
fn what_is_cleaned_away_is_not_missed() {
    let scratch = Scratch::new("clean");
    let config = |generations: &str| {
        let generations = format!("generations = {generations} ");
        let window =
            [("generations = 2 ", generations.as_str()), ("max_rows = 200000", "max_rows = 1500")];
        let path = scratch.path().join("tiny.toml");
        fs::write(&path, tiny_config(&window)).expect("a config");
        path
    };
    let runs = ["whole", "cleaned"].map(|name| scratch.path().join(name).join("run"));
    let train = |run: &Path, generations: &str, more: &[&str]| {
        let mut command = keiko(&["train", "--config"]);
        let done = command.arg(config(generations)).arg("--run").arg(run).args(more).output();
        let done = done.expect("keiko runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    let clean = |run: &Path, more: &[&str]| {
        let done = keiko(&["clean"]).arg(run).args(more).output().expect("keiko runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    for run in &runs {
        train(run, "6", &[]);
    }
    let before = made(&runs[1]);
    let would = clean(&runs[1], &["--dry-run", "--keep", "1"]);
    assert_eq!(made(&runs[1]), before);
    let freed = clean(&runs[1], &["--keep", "1"]);
    assert_eq!(freed.replace("freed", "would free"), would);
    let after = made(&runs[1]);
    let gone: Vec<&str> = before
        .iter()
        .filter(|object| !after.contains(object))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(gone.iter().any(|name| name.starts_with("games/g000000/")), "{gone:?}");
    assert!(gone.iter().any(|name| name.starts_with("models/")), "{gone:?}");
    assert!(gone.iter().all(|name| name.starts_with("games/") || name.starts_with("models/")));
    assert!(clean(&runs[1], &["--keep", "1"]).contains("freed 0.0 MB: 0 shards"));
    for run in &runs {
        train(run, "8", &["--resume"]);
    }
    let [mut whole, cleaned] = runs.map(|run| made(&run));
    whole.retain(|(name, _)| !gone.contains(&name.as_str()));
    assert!(whole == cleaned, "what follows differs");
}

/// What `keiko status --json` says.
fn status(run: &Path) -> serde_json::Value {
    let done = keiko(&["status", "--json"]).arg(run).output().expect("keiko runs");
    serde_json::from_slice(&done.stdout).expect("JSON")
}

#[test]
fn a_run_is_not_started_over_by_accident() {
    let scratch = Scratch::new("again");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let train = |extra: &[&str]| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra);
        command.output().expect("keiko runs")
    };
    let early = train(&["--resume"]);
    assert!(!early.status.success());
    assert!(String::from_utf8_lossy(&early.stderr).contains("holds no run"));
    assert!(train(&[]).status.success());
    let before = made(&run);
    let again = train(&[]);
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"));
    assert!(train(&["--resume"]).status.success());
    fs::write(&config, tiny_config(&[("seed = 1 ", "seed = 2 ")])).expect("a config");
    let other = train(&["--resume"]);
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains("seed 1 -> 2"));
    let larger = tiny_config(&[("shard_max_games = 4 ", "shard_max_games = 8 ")]);
    fs::write(&config, larger).expect("a config");
    let other = train(&["--resume"]);
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains("shard_max_games 4 -> 8"));
    let adamw = "\"adamw\"                  # \"adamw\" (beta1, beta2, epsilon) or \"sgd\" (momentum, Nesterov). AZ: sgd\nbeta1 = 0.9\nbeta2 = 0.999\nepsilon = 1e-8";
    fs::write(&config, tiny_config(&[(adamw, "\"sgd\"\nmomentum = 0.9")])).expect("a config");
    let other = train(&["--resume"]);
    assert!(!other.status.success());
    assert!(String::from_utf8_lossy(&other.stderr).contains("trainer.optimiser.name"));
    assert_eq!(made(&run), before);
}

#[test]
fn a_champion_is_exported_with_its_side_files() {
    let scratch = Scratch::new("export");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    assert!(train.arg(&config).arg("--run").arg(&run).status().expect("keiko runs").success());
    let out = scratch.path().join("kit/model.onnx");
    let export = |extra: &[&str]| {
        let mut command = keiko(&["export", "--run"]);
        command.arg(&run).arg("--out").arg(&out).args(extra).output().expect("keiko runs")
    };
    let done = export(&[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let files = files_below(&scratch.path().join("kit"));
    assert_eq!(files, ["eval_options.txt", "manifest.toml", "model.onnx", "model.onnx.ini"]);
    assert!(!export(&[]).status.success(), "files are replaced only when asked");
    assert!(export(&["--force"]).status.success());
    assert!(!export(&["--force", "--model", "zz"]).status.success());
    let model = fs::read(&out).expect("a model");
    let export_to = |out: &Path, extra: &[&str]| {
        let mut command = keiko(&["export", "--run"]);
        command.arg(&run).arg("--out").arg(out).args(extra).output().expect("keiko runs")
    };
    let before = made(&run);
    let own = export_to(&run.join("models/model.onnx"), &["--force"]);
    assert!(String::from_utf8_lossy(&own.stderr).contains("lies in the run"));
    assert_eq!(made(&run), before);
    let piped = export_to(Path::new("/dev/stdout"), &[]);
    assert!(piped.status.success() && piped.stdout == model, "a pipe gets the model alone");
    assert_kits_are_whole(&scratch, &run);
    // A run can be exported from while another process has it.
    let lock = fs::File::open(run.join(".keiko.lock")).expect("a lock file");
    lock.lock().expect("a lock");
    assert!(export(&["--force"]).status.success());
}

/// Kits with an engine that only looks like one: what it does is its own affair. Where there is no ONNX Runtime none is made. `scripts/check-kit` plays
/// with a real one.
fn assert_kits_are_whole(scratch: &Scratch, run: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let at = |name: &str| scratch.path().join(name);
    fs::write(at("engine"), "an engine").expect("a file");
    fs::write(at("library.so.1"), "a library").expect("a file");
    let Some(library) = keiko_inference::find_onnx_runtime(None) else { return };
    let may_run = |mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(at("engine"), mode).expect("permissions");
    };
    may_run(0o755);
    let export_with = |library: &Path, dir: &Path, extra: &[&str]| {
        let mut command = keiko(&["export", "--run"]);
        command.arg(run).arg("--kit").arg(dir).arg("--engine").arg(at("engine"));
        command.arg("--onnxruntime").arg(library).args(extra).output().expect("keiko runs")
    };
    let export = |dir: &Path, extra: &[&str]| export_with(&library, dir, extra);
    let kit = at("棋士 の kit");
    let done = export(&kit, &[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let files = files_below(&kit);
    let expected = [
        "LICENSE.txt",
        "MODEL.md",
        "README.ja.md",
        "README.md",
        "eval_options.txt",
        "keiko-usi",
        "libonnxruntime.so",
        "manifest.toml",
        "model.onnx",
        "model.onnx.ini",
    ];
    assert_eq!(files, expected);
    assert_eq!(fs::read(kit.join("keiko-usi")).expect("the engine"), b"an engine");
    let mode = fs::metadata(kit.join("keiko-usi")).expect("the engine").permissions().mode();
    assert_eq!(mode & 0o111, 0o111, "the engine can be run");
    let text = |name: &str| fs::read_to_string(kit.join(name)).expect("a text");
    let manifest: toml::Table = text("manifest.toml").parse().expect("TOML");
    for name in ["README.md", "README.ja.md", "MODEL.md"] {
        assert!(text(name).contains(manifest["name"].as_str().expect("a name")), "{name}");
        assert!(!text(name).contains('{'), "{name} has a gap that was not filled");
    }
    assert!(text("MODEL.md").contains(manifest["weights_sha256"].as_str().expect("a digest")));
    assert!(text("LICENSE.txt").contains("Microsoft"));

    let before = files_below(scratch.path());
    let refused = |done: std::process::Output, expected: &str| {
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && message.contains(expected), "{expected}: {message}");
        assert_eq!(files_below(scratch.path()), before, "{expected}");
    };
    refused(export(&kit, &[]), "exists: name a new folder");
    refused(export(&at("engine"), &[]), "exists: name a new folder");
    refused(export(&at("engine/kit"), &[]), "engine/kit");
    refused(export(&run.join("kit"), &[]), "lies in the run");
    let broken = export_with(&at("library.so.1"), &at("new"), &[]);
    refused(broken, "library.so.1: cannot load libonnxruntime.so");
    refused(export(&at("new"), &["--model", "zz"]), "no model");
    refused(export(&at("new"), &["--force"]), "cannot be used with");
    may_run(0o644);
    refused(export(&at("new"), &[]), "is no program");
    fs::remove_dir_all(&kit).expect("the kit");
}

#[test]
fn a_folder_with_something_else_is_left_alone_and_a_start_that_was_cut_short_is_made_again() {
    let scratch = Scratch::new("foreign");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let train = |extra: &[&str]| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra).output().expect("keiko runs")
    };
    fs::create_dir_all(run.join("config")).expect("a folder");
    fs::write(run.join(".notes.tmp"), "mine").expect("a file");
    for extra in [&[][..], &["--resume"]] {
        assert!(!train(extra).status.success());
        assert_eq!(files_below(&run), [".notes.tmp"]);
    }
    fs::remove_file(run.join(".notes.tmp")).expect("a file");
    assert!(train(&[]).status.success());
}

#[test]
fn a_run_goes_on_although_nobody_reads_its_output() {
    let scratch = Scratch::new("deaf");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let mut train = keiko(&["train", "--config"]);
    train.arg(&config).arg("--run").arg(scratch.path().join("run"));
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert!(train.stderr(writer).status().expect("keiko runs").success());
}

#[test]
fn after_a_damaged_checkpoint_training_comes_to_the_same_candidates() {
    let scratch = Scratch::new("damaged");
    let config = scratch.path().join("tiny.toml");
    let [whole, damaged] = ["whole", "damaged"].map(|name| scratch.path().join(name).join("run"));
    let train = |run: &Path, generations: u32, extra: &[&str]| {
        let generations = format!("generations = {generations} ");
        fs::write(&config, tiny_config(&[("generations = 2 ", &generations)])).expect("a config");
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(run).args(extra).output().expect("keiko runs")
    };
    assert!(train(&whole, 2, &[]).status.success());
    assert!(train(&damaged, 1, &[]).status.success());
    let newest = damaged.join("checkpoints/000000-0000000012/state.safetensors");
    let mut bytes = fs::read(&newest).expect("a checkpoint");
    *bytes.last_mut().expect("a state") ^= 1;
    fs::write(&newest, bytes).expect("a checkpoint");
    let done = train(&damaged, 2, &["--resume"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(String::from_utf8_lossy(&done.stderr).contains("000000-0000000012 is damaged"));
    let candidates = |run: &Path| {
        let read = |number| fs::read(run.join(format!("candidates/{number:06}.toml")));
        [0, 1].map(|number| read(number).expect("a candidate"))
    };
    assert_eq!(candidates(&whole), candidates(&damaged));
}

#[test]
fn a_run_that_lost_the_end_of_a_log_mends_it_or_says_so() {
    let scratch = Scratch::new("lost");
    let config = scratch.path().join("tiny.toml");
    let run = scratch.path().join("run");
    let train = |generations: u32, extra: &[&str]| {
        let generations = format!("generations = {generations} ");
        fs::write(&config, tiny_config(&[("generations = 2 ", &generations)])).expect("a config");
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra).output().expect("keiko runs")
    };
    assert!(train(1, &[]).status.success());
    let lose = |name: &str| {
        let entry = fs::read(run.join(name)).expect("an entry");
        fs::remove_file(run.join(name)).expect("an entry");
        entry
    };
    // The checkpoint knows the candidate, so it is entered again.
    let candidate = lose("candidates/000000.toml");
    assert!(train(1, &["--resume"]).status.success());
    assert_eq!(fs::read(run.join("candidates/000000.toml")).expect("an entry"), candidate);
    let ingest = lose("ingest/00000000.toml");
    let done = train(2, &["--resume"]);
    assert!(!done.status.success());
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(errors.contains("entry 0 of ingest is missing"), "{errors}");
    fs::write(run.join("ingest/00000000.toml"), ingest).expect("an entry");
    // No other file has the metrics: it is said what to do before anything is done, and that does it.
    lose("metrics.jsonl");
    let before = made(&run);
    let done = train(2, &["--resume"]);
    assert_eq!(done.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(errors.contains("metrics.jsonl lost its end: it has 0 of the "), "{errors}");
    assert_eq!(made(&run), before);
    let advice = errors.split('`').nth(1).expect("a command");
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", advice]).current_dir(&run).status().expect("a shell").success());
    let done = train(2, &["--resume"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(text.contains("candidate 1 "), "{text}");
}

#[test]
fn every_damaged_entry_of_a_log_is_named_with_what_to_do() {
    let scratch = Scratch::new("entries");
    let config = scratch.path().join("tiny.toml");
    let run = scratch.path().join("run");
    let train = |step: &str, extra: &[&str]| {
        let changes = [("generations = 2 ", "generations = 1 "), ("keep_checkpoints = 3", step)];
        fs::write(&config, tiny_config(&changes)).expect("a config");
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra).output().expect("keiko runs")
    };
    assert!(train("keep_checkpoints = 3", &[]).status.success());
    // A second entry of the settings.
    assert!(train("keep_checkpoints = 4", &["--resume"]).status.success());
    let whole = made(&run);
    let refused = |name: &str, what: &str, bytes: Option<&[u8]>, expected: &[&str]| {
        let path = run.join(name);
        let held = fs::read(&path).expect("an entry");
        match bytes {
            Some(bytes) => fs::write(&path, bytes).expect("an entry"),
            None => fs::remove_file(&path).expect("an entry"),
        }
        // No stage of a run that is done reads the ingest log.
        let ingest = name.starts_with("ingest");
        let command = if ingest { ["clean", "--dry-run"] } else { ["selfplay", "--run"] };
        let done = keiko(&command).arg(&run).output().expect("keiko runs");
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        let last = text.lines().find(|line| line.starts_with("keiko: ")).unwrap_or_default();
        assert_eq!(done.status.code(), Some(1), "{name} {what}: {text}");
        assert!(!text.contains("panicked"), "{name} {what}: {text}");
        for words in expected {
            assert!(text.contains(words), "{name} {what}: {text}");
        }
        assert!(last.contains("put"), "{name} {what}: {text}");
        fs::write(&path, held).expect("an entry");
        assert_eq!(made(&run), whole, "{name} {what}");
    };
    for name in [
        "candidates/000000.toml",
        "champion/000000.toml",
        "config/000001.toml",
        "ingest/00000000.toml",
    ] {
        let held = fs::read(run.join(name)).expect("an entry");
        refused(name, "empty", Some(b""), &[name, "is damaged"]);
        refused(name, "cut", Some(&held[..held.len() / 3]), &[name, "is damaged"]);
        refused(name, "no text", Some(b"\xff\xfe"), &[name, "is damaged"]);
        let mut flipped = held.clone();
        *flipped.last_mut().expect("bytes") ^= 4;
        refused(name, "flipped", Some(&flipped), &[name, "is damaged"]);
        let longer = [b"no_such_key = 1\n", held.as_slice()].concat();
        refused(name, "with another key", Some(&longer), &[name, "no_such_key"]);
    }
    let other = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(run.join(name)).expect("an entry");
        // As of a program that wrote something wrong: without the line that says what was written.
        let (_, text) = text.split_once('\n').expect("lines");
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1).into_bytes()
    };
    // A model that is not there: what names it is named as well.
    for name in ["candidates/000000.toml", "champion/000000.toml"] {
        let entry = other(name, "model = \"", "model = \"0");
        let log = name.split('/').next().expect("a folder");
        refused(name, "of another model", Some(&entry), &[log, "models/0"]);
    }
    let entry = other("candidates/000000.toml", "number = 0", "number = 1");
    refused("candidates/000000.toml", "of another place", Some(&entry), &["number 1 at place 0"]);
    refused("champion/000000.toml", "gone", None, &["the folder champion has no entry"]);
    refused(
        "config/000001.toml",
        "gone",
        None,
        &["config/000001.toml is missing", "delete provenance.toml"],
    );
    refused("config/000000.toml", "gone", None, &["entry 0 of config is missing"]);
    let claims = fs::read_dir(run.join("learner")).expect("claims").count();
    assert!(claims >= 1);
    fs::write(run.join("learner/000007.toml"), "").expect("a claim");
    let done = keiko(&["learn", "--run"]).arg(&run).output().expect("keiko runs");
    assert!(!String::from_utf8_lossy(&done.stderr).contains("panicked"));
    fs::remove_file(run.join("learner/000007.toml")).expect("a claim");
    // With the note of the last start gone, older settings are gone on with.
    fs::remove_file(run.join("config/000001.toml")).expect("an entry");
    fs::remove_file(run.join("provenance.toml")).expect("a note");
    let done = keiko(&["selfplay", "--run"]).arg(&run).output().expect("keiko runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_run_that_is_moved_away_stops_and_is_not_begun_anew() {
    let scratch = Scratch::new("moved");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[])).expect("a config");
    let [run, elsewhere] = ["run", "elsewhere"].map(|name| scratch.path().join(name));
    let train = |run: &Path, extra: &[&str]| {
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(run).args(extra).stderr(std::process::Stdio::piped());
        command
    };
    let child = train(&run, &[]).spawn().expect("keiko starts");
    while !run.exists() || !has(&run, "games/g000000", "0.games") {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::rename(&run, &elsewhere).expect("a moved run");
    let done = child.wait_with_output().expect("a child");
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{text}");
    assert!(text.contains("is not the folder any more that was opened"), "{text}");
    assert!(!run.exists(), "{:?}", files_below(&run));
    assert!(train(&elsewhere, &["--resume"]).output().expect("keiko runs").status.success());
}

#[test]
fn matches_with_every_kind_of_player_are_counted_and_come_out_the_same_again() {
    let scratch = Scratch::new("match");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    assert!(train.arg(&config).arg("--run").arg(&run).status().expect("keiko runs").success());
    let play = |extra: &[&str]| {
        let mut command = keiko(&["match", "--run"]);
        command.arg(&run).args(["--json", "--pairs", "3"]).args(extra);
        command.output().expect("keiko runs")
    };
    let result = |extra: &[&str]| -> serde_json::Value {
        let done = play(extra);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        serde_json::from_slice(&done.stdout).expect("JSON")
    };
    let before = made(&run);
    let games = |found: &serde_json::Value| -> u64 {
        ["wins", "draws", "losses"]
            .iter()
            .map(|it| found["games"][it].as_u64().expect("a count"))
            .sum()
    };
    let candidates = files_below(&run.join("candidates"));
    assert_eq!(candidates.len(), 1);
    let greedy = result(&["--against", "greedy"]);
    assert_eq!(games(&greedy), 6);
    assert_eq!(greedy["second"], "greedy");
    assert_eq!(greedy["seed"], 1);
    assert_eq!(greedy, result(&["--against", "greedy"]));
    let other = result(&["--against", "greedy", "--model", "greedy", "--seed", "2"]);
    assert_eq!((&other["first"], games(&other)), (&serde_json::json!("greedy"), 6));
    // A net against itself: what one wins the other loses, and a test sees no difference.
    let itself = result(&[
        "--model",
        "champion",
        "--against",
        "untrained",
        "--simulations",
        "2",
        "--sprt",
        "0,50",
    ]);
    assert!((itself["score"].as_f64().expect("a score") - 0.5).abs() < 1e-9, "{itself}");
    assert_eq!(itself["simulations"], 2);
    assert!(itself["sprt"]["decision"].is_string(), "{itself}");
    for (arguments, expected) in [
        (
            ["--against", "zz"],
            "none of `champion`, `untrained`, `random` and `greedy`: no model of",
        ),
        (["--against", ""], "models of"),
        (["--model", "zz"], "required"),
    ] {
        let done = play(&arguments);
        assert!(!done.status.success());
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let bad = play(&["--against", "random", "--sprt", "50"]);
    assert!(String::from_utf8_lossy(&bad.stderr).contains("two numbers"));
    assert_eq!(made(&run), before, "a match leaves the run as it was");
}

#[test]
fn a_usi_engine_is_met_and_one_that_fails_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new("match-usi");
    let config = scratch.path().join("tiny.toml");
    fs::write(&config, tiny_config(&[("generations = 2 ", "generations = 1 ")])).expect("a config");
    let run = scratch.path().join("run");
    let mut train = keiko(&["train", "--config"]);
    assert!(train.arg(&config).arg("--run").arg(&run).status().expect("keiko runs").success());
    let play = |answer: &str, extra: &[&str]| {
        let engine = scratch.path().join("engine");
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in\nusi) echo usiok;;\nisready) echo readyok;;\n\
             'go nodes 7') echo {answer};;\nquit) exit;;\nesac; done\n"
        );
        fs::write(&engine, script).expect("an engine");
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("a program");
        let mut command = keiko(&["match", "--pairs", "2", "--usi-go", "nodes 7", "--run"]);
        command
            .arg(&run)
            .arg("--against-usi")
            .arg(&engine)
            .args(extra)
            .output()
            .expect("keiko runs")
    };
    let resigns = play("bestmove resign", &[]);
    let text = String::from_utf8_lossy(&resigns.stdout).into_owned();
    assert!(resigns.status.success(), "{}", String::from_utf8_lossy(&resigns.stderr));
    assert!(text.contains(": 4-0-0 (won-drawn-lost)") && text.contains("resignation 4"), "{text}");
    let fouls = play("bestmove 5e5e", &[]);
    assert!(!fouls.status.success());
    let text = String::from_utf8_lossy(&fouls.stdout).into_owned();
    assert!(text.contains("failure") && text.contains("engine: "), "{text}");
    let unknown = play("bestmove resign", &["--usi-option", "Skil Level=3"]);
    assert!(!unknown.status.success());
    assert!(unknown.stdout.is_empty(), "no result");
    let text = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(text.contains("no option \"Skil Level\"") && text.contains("--against-usi"), "{text}");
}

#[test]
fn learning_from_files_that_is_killed_and_stopped_ends_as_one_that_is_not() {
    let scratch = Scratch::new("learn");
    let at = |name: &str| scratch.path().join(name);
    fs::write(at("tiny.toml"), tiny_config(&[])).expect("a config");
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 8e8f 8g8f 8b8f";
    let moves: Vec<&str> = moves.split(' ').collect();
    // Games of every length, one of which the clock decided.
    let lines: String = (1..=200)
        .map(|number: usize| {
            let plies = 1 + number % moves.len();
            let loser = if plies.is_multiple_of(2) { "white_wins" } else { "black_wins" };
            let reason = if number == 7 { "time_forfeit" } else { "resignation" };
            let moves = moves[..plies].join(" ");
            format!("startpos moves {moves}\toutcome={loser}\treason={reason}\n")
        })
        .collect();
    fs::write(at("games.usi"), &lines).expect("games");
    fs::write(at("test.usi"), lines.split_inclusive('\n').skip(190).collect::<String>())
        .expect("games");
    let [whole, killed] = ["whole", "killed"].map(|name| at(name).join("run"));
    let learn = |run: &Path, extra: &[&str]| {
        let mut command = keiko(&["learn", "--config"]);
        command.arg(at("tiny.toml")).arg("--run").arg(run).arg("--data").arg(at("games.usi"));
        command.arg("--held-out").arg(at("test.usi")).args(["--epochs", "12"]).args(extra);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command
    };
    let done = learn(&whole, &[]).output().expect("keiko runs");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(text.contains("read 2400 records") && text.contains("time forfeit 12"), "{text}");
    assert!(text.contains("top-1") && text.contains("model.onnx"), "{text}");
    type Mark = fn(&Path) -> bool;
    let marks: [(Mark, &str); 4] = [
        (|run| has(run, "checkpoints/", "/state.toml"), "-KILL"),
        (|run| has(run, "candidates/", "000001.toml"), "-KILL"),
        (|run| has(run, "candidates/", "000003.toml"), "-INT"),
        (|run| has(run, "candidates/", "000005.toml"), "-KILL"),
    ];
    for (is_there, signal) in marks {
        let extra: &[&str] = if killed.join("data").exists() { &["--resume"] } else { &[] };
        let mut child = learn(&killed, extra).spawn().expect("keiko starts");
        while !killed.exists() || !is_there(&killed) {
            assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
            std::thread::sleep(Duration::from_millis(1));
        }
        let pid = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("kill runs").success());
        let done = child.wait_with_output().expect("a child");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success(), "{said}");
        assert!(signal == "-KILL" || said.contains("go on with --resume"), "{said}");
    }
    let done = learn(&killed, &["--resume"]).output().expect("keiko runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let again = String::from_utf8_lossy(&done.stdout).replace("killed", "whole");
    assert_eq!(again, text);
    assert_same(&whole, &killed);

    // Other files, another use of the run, and a run that plays.
    // One of the same length.
    fs::write(at("games.usi"), lines.replace("7g7f 3c3d", "2g2f 3c3d")).expect("games");
    let other = learn(&killed, &["--resume"]).output().expect("keiko runs");
    let said = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(!other.status.success() && said.contains("is not what the run has learnt"), "{said}");
    let run = killed.display().to_string();
    for command in [["selfplay", "--run", &run], ["report", "--run", &run]] {
        let refused = keiko(&command).output().expect("keiko runs");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains("learns from files"), "{said}");
    }
    let onnx = at("out.onnx").display().to_string();
    let exported = keiko(&["export", "--run", &run, "--out", &onnx]).output().expect("keiko runs");
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
}

/// A branch begins with the other run's window, and with its model where the net is the same; another net learns from
/// that window first. Both are their own functions of config, seed and origin, kills or not.
#[test]
fn a_run_branches_off_from_another_with_the_same_net_and_with_a_larger_one() {
    let scratch = Scratch::new("branches");
    let train = |name: &str, text: &str, extra: &[&str]| {
        let config = scratch.path().join("branch.toml");
        fs::write(&config, text).expect("a config");
        let run = scratch.path().join(name).join("run");
        let mut command = keiko(&["train", "--config"]);
        command.arg(&config).arg("--run").arg(&run).args(extra);
        (command, run)
    };
    let finish = |name: &str, text: &str, extra: &[&str]| {
        let (mut command, run) = train(name, text, extra);
        let done = command.output().expect("keiko runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        run
    };
    let base = finish("base", &tiny_config(&[]), &[]);
    let from = base.to_str().expect("plain text");
    let named = |run: &Path, folder: &str, number: &str, key: &str| -> String {
        let text = fs::read_to_string(run.join(folder).join(number)).expect("an entry");
        let table: toml::Table = toml::from_str(&text).expect("TOML");
        table[key].as_str().map_or_else(|| table[key].to_string(), str::to_owned)
    };
    let champions = fs::read_dir(base.join("champion")).expect("champions").count();
    let champion = named(&base, "champion", &format!("{:06}.toml", champions - 1), "model");

    let same = finish("same", &tiny_config(&[("seed = 1 ", "seed = 2 ")]), &["--from", from]);
    assert_eq!(named(&same, "champion", "000000.toml", "model"), champion);
    for (folder, there) in [("g000001", true), ("g000002", true), ("g000003", false)] {
        assert_eq!(same.join("games").join(folder).exists(), there, "{folder}");
    }
    let (old, copied) = (base.join("games/g000001"), same.join("games/g000001"));
    for file in files_below(&copied) {
        assert_eq!(fs::read(old.join(&file)).unwrap(), fs::read(copied.join(&file)).unwrap());
    }
    let first = named(&same, "candidates", "000000.toml", "entries");
    assert_eq!(first, "1");

    // Another net, from a model that is not the champion.
    let larger = tiny_config(&[("channels = 8 ", "channels = 16 "), ("seed = 1 ", "seed = 3 ")]);
    let untrained = named(&base, "champion", "000000.toml", "model");
    let of_model = format!("{from}@{}", &untrained[..10]);
    let whole = finish("whole", &larger, &["--from", &of_model]);
    assert_ne!(named(&whole, "champion", "000000.toml", "model"), untrained);
    let killed = scratch.path().join("killed").join("run");
    kill_until_done(&killed, [400, 300], |resume| {
        let extra: &[&str] = if resume { &["--resume"] } else { &["--from", &of_model] };
        train("killed", &larger, extra).0
    });
    assert_same(&whole, &killed);

    let refused = |text: &str, from: &str, says: &str| {
        let (mut command, run) = train("refused", text, &["--from", from]);
        let done = command.output().expect("keiko runs");
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && error.contains(says), "{error}");
        assert!(!run.join("config").exists());
    };
    let other = tiny_config(&[("encoding = \"dlshogi-119\"", "encoding = \"dlshogi-57\"")]);
    refused(&other, from, "network.encoding is dlshogi-57");
    refused(&larger, &format!("{from}@zzz"), "no model of");
    refused(&larger, &format!("{from}-nowhere"), "holds no run");
}
