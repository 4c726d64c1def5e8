//! Self-play, learner and gate at once, in threads of one process and in processes that are killed.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use common::{Scratch, files_below, keiko, tiny_config};

const ASYNC: (&str, &str) = ("mode = \"sync\" ", "mode = \"async\" ");

fn table(run: &Path, name: &str) -> toml::Table {
    let text = fs::read_to_string(run.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    text.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn text<'a>(table: &'a toml::Table, key: &str) -> &'a str {
    table[key].as_str().expect("a text")
}

fn number(table: &toml::Table, key: &str) -> i64 {
    table[key].as_integer().expect("a number")
}

/// The files of a log, in order.
fn log(run: &Path, folder: &str) -> Vec<toml::Table> {
    let names = files_below(&run.join(folder));
    names.iter().map(|name| table(run, &format!("{folder}/{name}"))).collect()
}

fn shards(run: &Path) -> Vec<String> {
    let games = run.join("games");
    if !games.exists() {
        return Vec::new();
    }
    let found = files_below(&games).into_iter().filter(|name| name.ends_with(".games"));
    found.map(|name| format!("games/{name}")).collect()
}

/// Published games of a run in which nobody plays: the last ones may be on their way to the disk.
fn settled_games(run: &Path) -> u64 {
    loop {
        let before = games(run);
        std::thread::sleep(Duration::from_millis(500));
        if games(run) == before {
            return before;
        }
    }
}

/// Published games, as the shards themselves count them.
fn games(run: &Path) -> u64 {
    let done = keiko(&["shards", "stats", "--json"]).arg(run.join("games")).output();
    let done = done.expect("keiko runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let stats: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    stats["games"].as_u64().expect("a count")
}

/// What a branch comes from: the model that it begins with, where it has the same net, its first stream's number and the
/// games of the other run.
#[derive(Default)]
struct Origin {
    model: Option<String>,
    first_stream: usize,
    shards: BTreeSet<String>,
}

impl Origin {
    fn of(run: &Path) -> Self {
        if !run.join("origin.toml").exists() {
            return Self::default();
        }
        let origin = table(run, "origin.toml");
        let weights = origin["weights"].as_bool().expect("a truth");
        let shards = origin["shards"].as_array().expect("shards");
        let key = |shard: &toml::Value| text(shard.as_table().expect("a shard"), "key").to_owned();
        Self {
            model: weights.then(|| text(&origin, "model").to_owned()),
            first_stream: usize::try_from(number(&origin, "streams")).expect("a count"),
            shards: shards.iter().map(key).collect(),
        }
    }
}

/// What holds in every run in `async` mode, however often its processes were killed. Gives the number of streams.
fn assert_nothing_is_lost_or_doubled(run: &Path, generations: usize) -> usize {
    let origin = Origin::of(run);
    let mut entered = BTreeSet::new();
    let mut indices: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for entry in log(run, "ingest") {
        for shard in entry["shards"].as_array().expect("shards") {
            let shard = shard.as_table().expect("a shard");
            assert!(entered.insert(text(shard, "key").to_owned()), "{} twice", text(shard, "key"));
            if origin.shards.contains(text(shard, "key")) {
                continue;
            }
            let (first, last) = (number(shard, "first_index"), number(shard, "last_index"));
            assert_eq!(number(shard, "games"), last - first + 1, "{shard}");
            let stream = indices.entry(text(shard, "stream").to_owned()).or_default();
            for index in first..=last {
                assert!(stream.insert(index), "game {index} of {} twice", text(shard, "stream"));
            }
        }
        if entered.len() <= origin.shards.len() {
            assert!(
                entered == origin.shards,
                "the first entry of a branch is the other run's games"
            );
        }
    }
    let mut shards = shards(run);
    let there: BTreeSet<String> = shards.iter().cloned().collect();
    assert!(entered.is_subset(&there), "{:?} were lost", entered.difference(&there));
    shards.retain(|key| !origin.shards.contains(key));
    // Numbers of shards and of games have no gap. What no entry names waits for the learner.
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for key in &shards {
        let stream = key.split('/').nth(1).expect("a stream");
        let number = numbers.entry(stream).or_default();
        assert_eq!(*key, format!("games/{stream}/{number:06}.games"));
        *number += 1;
    }
    for (stream, indices) in &indices {
        assert!(indices.iter().copied().eq(0..indices.len() as i64), "{stream}: {indices:?}");
    }
    let candidates = log(run, "candidates");
    assert_eq!(candidates.len(), generations);
    let models: BTreeSet<&str> = candidates.iter().map(|it| text(it, "model")).collect();
    assert_eq!(models.len(), generations);
    // Every stream began with the newest candidate.
    let streams = log(run, "streams");
    for stream in &streams {
        let model = match usize::try_from(number(stream, "candidates")).expect("a count") {
            0 => origin.model.as_deref().unwrap_or("uniform"),
            count => text(&candidates[count - 1], "model"),
        };
        assert_eq!(text(stream, "model"), model);
    }
    for stream in numbers.keys() {
        let number: usize = stream[1..].parse().expect("a number");
        let own = number.checked_sub(origin.first_stream);
        assert!(own.is_some_and(|own| own < streams.len()), "{stream} was not claimed");
    }
    let metrics = fs::read_to_string(run.join("metrics.jsonl")).expect("metrics");
    let lines = |event: &str, key: &str| -> Vec<u64> {
        let lines = metrics.lines().map(|line| -> serde_json::Value {
            serde_json::from_str(line).expect("a line of JSON")
        });
        let of_event = lines.filter(|line| line["event"] == event);
        of_event.map(|line| line[key].as_u64().expect("a number")).collect()
    };
    let all: Vec<u64> = (0..generations as u64).collect();
    for (event, key) in
        [("candidate", "number"), ("verdict", "generation"), ("games", "generation")]
    {
        assert_eq!(lines(event, key), all, "{event}");
    }
    streams.len()
}

/// A process at work whose messages go to a file.
struct Process {
    child: Child,
    said: PathBuf,
}

impl Process {
    fn start(run: &Path, command: &str, said: &Path) -> Self {
        let mut program = keiko(&[command, "--run"]);
        program.arg(run);
        Self::of(program, said)
    }

    /// All roles in threads.
    fn train(config: &Path, run: &Path, extra: &[&str], said: &Path) -> Self {
        let mut program = keiko(&["train", "--config"]);
        program.arg(config).arg("--run").arg(run).args(extra);
        Self::of(program, said)
    }

    fn of(mut program: Command, said: &Path) -> Self {
        program.stdout(Stdio::null()).stderr(File::create(said).expect("a file"));
        Self { child: program.spawn().expect("keiko starts"), said: said.to_owned() }
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.said).expect("what it said")
    }

    /// Waits until it says something.
    fn says(&mut self, words: &str) {
        while !self.said().contains(words) {
            let ended = self.child.try_wait().expect("a child");
            assert!(
                ended.is_none() || self.said().contains(words),
                "no {words:?}: {}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn kill(&mut self) {
        self.child.kill().expect("a child to kill");
        self.child.wait().expect("a killed child");
    }

    fn ends(&mut self) -> ExitStatus {
        self.child.wait().expect("a child")
    }

    /// Waits until it does not know itself whether something is so.
    fn waits_until(&mut self, is_so: impl Fn() -> bool) {
        while !is_so() {
            let ended = self.child.try_wait().expect("a child");
            assert!(ended.is_none() || is_so(), "it ended before: {}", self.said());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn stop(self) {
        self.stop_by("-INT", "stopped; the same command goes on");
    }

    fn stop_by(mut self, signal: &str, last: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("kill runs").success());
        assert_eq!(self.ends().code(), Some(1), "{}", self.said());
        assert!(self.said().contains("stopping: "), "{}", self.said());
        assert!(self.said().contains(last), "{}", self.said());
    }
}

/// Begins a run that nobody goes on with.
fn begun(scratch: &Scratch, replacements: &[(&str, &str)]) -> PathBuf {
    let (config, run) = (scratch.path().join("config.toml"), scratch.path().join("run"));
    fs::write(&config, tiny_config(replacements)).expect("a config");
    begin(&config, &run, &[]);
    run
}

/// Begins a run that nobody goes on with yet.
fn begin(config: &Path, run: &Path, extra: &[&str]) {
    let mut train = Process::train(config, run, extra, &config.with_extension("begun.txt"));
    train.waits_until(|| run.join("provenance.toml").exists());
    train.kill();
}

/// So many files there are in a folder of a run.
fn count(run: &Path, folder: &str) -> usize {
    let folder = run.join(folder);
    if folder.exists() { files_below(&folder).len() } else { 0 }
}

#[test]
fn all_stages_at_once_in_one_process_come_to_an_end() {
    let scratch = Scratch::new("at-once");
    let (config, run) = (scratch.path().join("config.toml"), scratch.path().join("run"));
    let generations = ("generations = 2 ", "generations = 3 ");
    fs::write(&config, tiny_config(&[ASYNC, generations])).expect("a config");
    let train = |extra: &[&str]| {
        let mut train = keiko(&["train", "--config"]);
        train.arg(&config).arg("--run").arg(&run).args(extra).output().expect("keiko runs")
    };
    let done = train(&[]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let summary = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(summary.contains("candidate 2 ") && summary.contains("champion: "), "{summary}");
    for words in [
        "training waits for games: ",
        "gate waits for the learner: candidate 0 is to come",
        "self-play: stream s000001: ",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(assert_nothing_is_lost_or_doubled(&run, 3) >= 2);
    let timing = fs::read_to_string(run.join("timing.jsonl")).expect("timing");
    for name in [
        "staleness",
        "queue_games",
        "learner_waited",
        "selfplay_waited",
        "training waits for games",
    ] {
        assert!(timing.contains(&format!("\"{name}\"")), "{name}: {timing}");
    }
    let events: Vec<Vec<u8>> = files_below(&run.join("events"))
        .iter()
        .map(|name| fs::read(run.join("events").join(name)).expect("a readable file"))
        .collect();
    for curve in [
        "pipeline/staleness",
        "pipeline/queue_games",
        "pipeline/learner_waited",
        "pipeline/gate_waited",
    ] {
        let is_drawn =
            |bytes: &Vec<u8>| bytes.windows(curve.len()).any(|it| it == curve.as_bytes());
        assert!(events.iter().any(is_drawn), "{curve} has no curve");
    }
    let status = keiko(&["status"]).arg(&run).output().expect("keiko runs");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    // Whoever goes on with a run that is done changes nothing.
    let kept =
        ["games", "ingest", "learner", "candidates", "models", "gate", "streams", "metrics.jsonl"];
    let files = || -> Vec<(String, Vec<u8>)> {
        let names = files_below(&run);
        let kept = names.into_iter().filter(|name| kept.iter().any(|it| name.starts_with(it)));
        kept.map(|name| (name.clone(), fs::read(run.join(name)).expect("a file"))).collect()
    };
    let before = files();
    assert!(train(&["--resume"]).status.success());
    assert!(files() == before, "a run that is done was changed");
    // The mode says what the data mean.
    fs::write(&config, tiny_config(&[generations])).expect("a config");
    let other = train(&["--resume"]);
    let text = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(!other.status.success() && text.contains("pipeline.mode"), "{text}");
}

#[test]
fn processes_that_are_killed_again_and_again_lose_no_game_and_double_none() {
    let scratch = Scratch::new("killed-at-once");
    let run = begun(&scratch, &[ASYNC, ("generations = 2 ", "generations = 3 ")]);
    let commands = ["selfplay", "selfplay", "learn", "gate"];
    let mut starts = 0;
    let mut start = |command: &str| {
        starts += 1;
        Process::start(&run, command, &scratch.path().join(format!("{command}-{starts}.txt")))
    };
    let mut processes = commands.map(&mut start);
    // Each is killed when something new is there, in turn.
    type Mark = fn(&Path) -> usize;
    let marks: [(usize, usize, Mark); 8] = [
        (0, 2, |run| shards(run).len()),
        (2, 1, |run| count(run, "ingest")),
        (3, 1, |run| count(run, "candidates")),
        (2, 1, |run| count(run, "candidates")),
        (1, 9, |run| shards(run).len()),
        (3, 1, |run| files_below(run).iter().filter(|it| it.ends_with("yardsticks.toml")).count()),
        (2, 2, |run| count(run, "ingest")),
        (0, 13, |run| shards(run).len()),
    ];
    for (victim, least, count) in marks {
        while count(&run) < least {
            std::thread::sleep(Duration::from_millis(1));
        }
        processes[victim].kill();
        processes[victim] = start(commands[victim]);
    }
    for mut process in processes {
        assert!(process.ends().success(), "{}", process.said());
        assert!(process.said().contains("all generations are done"), "{}", process.said());
    }
    assert!(assert_nothing_is_lost_or_doubled(&run, 3) >= 3);
    let status = keiko(&["status"]).arg(&run).output().expect("keiko runs");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
}

#[test]
fn self_play_stays_within_its_limits_and_a_second_learner_is_refused() {
    let scratch = Scratch::new("limits");
    let one_ahead = ("max_ahead = 2.0 ", "max_ahead = 1.0 ");
    let strict = ("mode = \"soft\" ", "mode = \"strict\" ");
    let run =
        begun(&scratch, &[ASYNC, one_ahead, strict, ("generations = 2 ", "generations = 9 ")]);
    let start =
        |command: &str, name: &str| Process::start(&run, command, &scratch.path().join(name));
    // Alone, self-play makes the first generation and no more; a second one has nothing to do.
    let mut players = [start("selfplay", "first.txt"), start("selfplay", "second.txt")];
    for player in &mut players {
        player.says("self-play waits for the learner: the games of the first generation are there");
    }
    let first = settled_games(&run);
    // Neither knows what the other has in play: games count when they are published.
    assert!((24..=2 * 24).contains(&first), "{first} games");
    let status = keiko(&["status", "--json"]).arg(&run).output().expect("keiko runs");
    let state: serde_json::Value = serde_json::from_slice(&status.stdout).expect("JSON");
    let names: Vec<&str> = state["at_work"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["selfplay-0", "selfplay-1"], "{state}");
    let problems = state["problems"].to_string();
    assert!(problems.contains("nobody learns") && problems.contains("nobody judges"), "{problems}");
    let [mut player, second] = players;
    second.stop();
    // Its candidate has no verdict: with max_stale = 0 nobody plays by the old champion meanwhile.
    let mut learner = start("learn", "learner.txt");
    learner.says("training waits for games: ");
    player.says("self-play waits for the gate: 1 candidates have no verdict");
    assert_eq!(games(&run), first);
    let refused = keiko(&["learn", "--run"]).arg(&run).output().expect("keiko runs");
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1));
    assert!(text.contains(".learner.lock is held by pid"), "{text}");
    // Where the lock does not hold, as between machines, the newer claim does.
    fs::remove_file(run.join(".learner.lock")).expect("a lock");
    let mut newer = start("learn", "newer.txt");
    assert_eq!(learner.ends().code(), Some(1));
    assert!(learner.said().contains("epoch"), "{}", learner.said());
    newer.says("training waits for games: ");
    newer.stop();
    // The verdict is there, nobody learns: self-play makes one generation and no more.
    let mut gate = start("gate", "gate.txt");
    gate.says("gate waits for the learner: candidate 1 is to come");
    player.says("games wait to be learnt from (pipeline.max_ahead)");
    let ahead = settled_games(&run) - first;
    assert!((24..24 + 4).contains(&ahead), "{ahead} games");
    gate.stop();
    player.stop();
}

#[test]
fn a_run_of_threads_that_is_asked_to_stop_ends_whole_and_goes_on() {
    let scratch = Scratch::new("stopped-at-once");
    let (config, run) = (scratch.path().join("config.toml"), scratch.path().join("run"));
    let generations = ("generations = 2 ", "generations = 4 ");
    fs::write(&config, tiny_config(&[ASYNC, generations])).expect("a config");
    let said = scratch.path().join("said.txt");
    type Mark = fn(&Path) -> bool;
    let marks: [(&str, Mark); 4] = [
        ("-TERM", |run| shards(run).len() > 1),
        ("-INT", |run| count(run, "ingest") > 0),
        ("-TERM", |run| count(run, "candidates") > 0),
        ("-TERM", |run| count(run, "gate") > 0),
    ];
    let mut extra: &[&str] = &[];
    for (signal, mark) in marks {
        let mut train = Process::train(&config, &run, extra, &said);
        train.waits_until(|| mark(&run));
        train.stop_by(signal, "stopped; go on with --resume");
        extra = &["--resume"];
        // Whoever was stopped in training left a checkpoint, and nobody has a role any more.
        assert!(count(&run, "ingest") == 0 || count(&run, "checkpoints") > 0);
        let status = keiko(&["status", "--json"]).arg(&run).output().expect("keiko runs");
        let state: serde_json::Value = serde_json::from_slice(&status.stdout).expect("JSON");
        assert_eq!(state["at_work"].as_array().map(Vec::len), Some(0), "{state}");
        let verified = keiko(&["shards", "verify"]).arg(run.join("games")).output();
        assert!(verified.expect("keiko runs").status.success(), "a shard is not whole");
    }
    let mut train = Process::train(&config, &run, extra, &said);
    assert!(train.ends().success(), "{}", train.said());
    assert!(assert_nothing_is_lost_or_doubled(&run, 4) >= 4);
}

#[test]
fn where_one_role_fails_all_end_with_its_error() {
    let scratch = Scratch::new("failed-at-once");
    let (config, said) = (scratch.path().join("config.toml"), scratch.path().join("said.txt"));
    let run = begun(&scratch, &[ASYNC, ("generations = 2 ", "generations = 3 ")]);
    // Where a folder should be is a file: self-play cannot begin a stream, the learner cannot begin, the gate has no
    // place for what it finds.
    for folder in ["streams", "learner", "gate"] {
        let (place, aside) = (run.join(folder), scratch.path().join("aside"));
        let moved = place.exists();
        if moved {
            fs::rename(&place, &aside).expect("a folder to move");
        }
        fs::write(&place, "no folder").expect("a file");
        let mut train = Process::train(&config, &run, &["--resume"], &said);
        assert_eq!(train.ends().code(), Some(1), "{}", train.said());
        let said = train.said();
        let errors: Vec<&str> = said.lines().filter(|it| it.starts_with("keiko: ")).collect();
        assert!(matches!(errors[..], [error] if error.contains(folder)), "{folder}: {said}");
        assert!(!said.contains("panicked"), "{said}");
        fs::remove_file(&place).expect("the file");
        if moved {
            fs::rename(&aside, &place).expect("a folder to move");
        }
    }
    let mut train = Process::train(&config, &run, &["--resume"], &said);
    assert!(train.ends().success(), "{}", train.said());
    assert!(assert_nothing_is_lost_or_doubled(&run, 3) >= 2);
}

#[test]
fn a_branch_goes_on_with_all_stages_at_once_however_often_it_is_killed() {
    let scratch = Scratch::new("branch-at-once");
    let path = |name: &str| scratch.path().join(name);
    let (config, origin, branch) = (path("config.toml"), path("run"), path("branch"));
    fs::write(&config, tiny_config(&[ASYNC])).expect("a config");
    let mut train = Process::train(&config, &origin, &[], &path("said.txt"));
    assert!(train.ends().success(), "{}", train.said());
    let from = origin.display().to_string();

    // The same net: a player alone waits for the games of the other run, then plays by that one's model. The first
    // candidate takes so many steps that the learner is killed before it.
    let steps = ("max_steps_per_generation = 12", "max_steps_per_generation = 200");
    fs::write(&config, tiny_config(&[ASYNC, steps])).expect("a config");
    begin(&config, &branch, &["--from", &from]);
    let start = |command: &str| Process::start(&branch, command, &path(&format!("{command}.txt")));
    let mut player = start("selfplay");
    player.says("self-play waits for the learner: the games of ");
    assert_eq!(count(&branch, "games"), 0);
    let mut learner = start("learn");
    learner.waits_until(|| count(&branch, "games") > 0);
    learner.kill();
    let mut learner = start("learn");
    learner.waits_until(|| branch.join("ingest/00000000.toml").exists());
    learner.kill();
    player.says("games wait to be learnt from (pipeline.max_ahead)");
    assert_eq!(number(&log(&branch, "streams")[0], "candidates"), 0);
    player.kill();
    let everybody = ["selfplay", "learn", "gate"].map(start);
    for mut process in everybody {
        assert!(process.ends().success(), "{}", process.said());
    }
    assert!(assert_nothing_is_lost_or_doubled(&branch, 2) >= 1);

    // Another net: nobody plays before it has learnt from them. This one branches off from a branch.
    let (wide, from) = (path("wide"), branch.display().to_string());
    let channels = ("channels = 8                    #", "channels = 16 #");
    fs::write(&config, tiny_config(&[ASYNC, channels])).expect("a config");
    let mut train = Process::train(&config, &wide, &["--from", &from], &path("wide.txt"));
    train.waits_until(|| count(&wide, "checkpoints") > 0);
    train.kill();
    let mut train = Process::train(&config, &wide, &["--resume"], &path("wide.txt"));
    train.waits_until(|| count(&wide, "streams") > 0);
    train.kill();
    let mut train = Process::train(&config, &wide, &["--resume"], &path("wide.txt"));
    assert!(train.ends().success(), "{}", train.said());
    assert!(assert_nothing_is_lost_or_doubled(&wide, 2) >= 1);
    for stream in log(&wide, "streams") {
        assert!(number(&stream, "candidates") > 0, "{stream}");
    }
}
