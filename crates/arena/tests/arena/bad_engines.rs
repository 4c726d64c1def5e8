//! Events with engines that fail in every way there is: shell scripts beside a reference player.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use keiko_arena::gauntlet::{self, Ended, Event, EventRules, Identity, Journal, Standings, Table};
use keiko_arena::referee::{
    self, Conditions, Fault, Player as _, PlayerFailure, Seat, ThinkingTime,
};
use keiko_arena::usi_player::{UsiEngine, UsiPlayer};
use keiko_inference::{Backend, BackendError, EncodingId, Uniform};
use keiko_shogi::{Declaration, DrawValues, EndReason, Game, ImpasseRule, Rules};

/// A USI engine in shell. It plays the first moves of a game by a list and resigns after them; what it does at its n-th
/// `go` instead comes from the test. `sleep` goes on after the shell has ended: a child that must not be left behind.
fn script(on_go: &str) -> String {
    format!(
        "n=0; while read -r line; do case \"$line\" in \
         usi) echo 'id name bad'; echo 'option name Kind type string default x'; echo usiok;; \
         isready) echo readyok;; \
         go*) n=$((n+1)); {on_go};; \
         quit) exit;; esac; done"
    )
}

fn engine(on_go: &str) -> UsiEngine {
    UsiEngine {
        name: "bad".to_owned(),
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".to_owned(), script(on_go)],
        directory: None,
        options: Vec::new(),
        usi_patience_ms: 60_000,
        ready_patience_ms: 60_000,
    }
}

/// The faults there are, what does them, and how the game then ends.
const FAULTS: [(&str, Fault, &str); 9] = [
    ("exit 7", Fault::Crash, "exit code 7"),
    ("kill -SEGV $$", Fault::Crash, "signal 11"),
    ("exec >&-", Fault::Crash, "closed its output"),
    ("true", Fault::Silence, "nor to stop"),
    ("echo hello; echo world", Fault::Garbage, "world"),
    ("echo bestmove banana", Fault::Garbage, "banana"),
    ("echo bestmove 1a1b", Fault::IllegalMove, "1a1b"),
    ("while read -r stop; do echo bestmove resign; break; done", Fault::TimeLoss, "told to stop"),
    ("while echo info depth 1 score cp 1 pv 7g7f; do :; done", Fault::Silence, "nor to stop"),
];

/// Reads the clock far too slowly for a test, so that it is not what ends a game.
fn after(ms: u64) -> Conditions {
    Conditions { nodes_patience_ms: ms, ..Conditions::plain(0) }
}

/// Whether a process group has members.
fn is_alive(group: u32) -> bool {
    let listed = Command::new("ps").args(["-eo", "pgid,stat"]).output().expect("ps runs");
    String::from_utf8_lossy(&listed.stdout).lines().any(|line| {
        let mut words = line.split_whitespace();
        let same = words.next() == Some(group.to_string().as_str());
        same && words.next().is_some_and(|state| !state.starts_with('Z'))
    })
}

#[test]
fn every_fault_has_its_name_and_leaves_no_process() {
    for (on_go, fault, text) in FAULTS {
        // A child of the engine, which nobody but us can end.
        // It keeps the engine's output open, unless that is what the fault is about.
        let output = if on_go.contains(">&-") { ">/dev/null" } else { "" };
        let mut bad = UsiPlayer::new(engine(&format!("sleep 1000 {output} & {on_go}")));
        let game = Game::startpos(Rules::STANDARD);
        bad.new_game(&game).unwrap();
        let group = bad.process_id().unwrap();
        assert!(is_alive(group));
        let mut good = UsiPlayer::new(engine("echo bestmove 3c3d"));
        let time = ThinkingTime::Nodes { nodes: 1 };
        let mut seats = [Seat { player: &mut bad, time }, Seat { player: &mut good, time }];
        let result = referee::play(&mut game.clone(), &mut seats, &after(300));
        let (color, PlayerFailure { fault: found, text: said }) = result.failure.unwrap();
        assert_eq!((color.index(), found), (0, fault), "{on_go}: {said}");
        assert!(said.contains(text), "{on_go}: {said}");
        drop(bad);
        assert!(!is_alive(group), "{on_go} left a process");
    }
}

#[test]
fn an_engine_that_does_not_listen_is_ended_all_the_same() {
    // It says what is wanted without reading, and does not mind signals that can be ignored.
    let deaf =
        "trap '' TERM INT HUP; echo usiok; echo readyok; sleep 1000 & while :; do sleep 1; done";
    let arguments = vec!["-c".to_owned(), deaf.to_owned()];
    let mut player = UsiPlayer::new(UsiEngine { arguments, ..engine("") });
    let game = Game::startpos(Rules::STANDARD);
    // Its first `readyok` came before it was asked; nothing is waited for longer than it takes.
    player.new_game(&game).unwrap();
    let group = player.process_id().unwrap();
    drop(player);
    assert!(!is_alive(group));
}

/// An event of `bad` against the greedy reference player.
fn event(on_go: &str, extra: &str, games: u32) -> Event {
    let quoted = script(on_go);
    let text = format!(
        "[[engine]]\nname = \"bad\"\ncommand = \"/bin/sh\"\nargs = [\"-c\", '''{quoted}''']\n{extra}\n\
         [[engine]]\nname = \"greedy\"\nreference = \"greedy\"\nanchor = 0.0\n\
         [schedule]\nkind = \"round_robin\"\ngames = {games}\nconcurrency = 2\nbatch_games = 4\nmargin_ms = 0\n\
         start_patience_ms = 60000\nnodes_patience_ms = 400\nseed = 1\nreplay_draws = \"off\"\nreplay_time = \"fresh\"\nmax_replays = 0\n\
         [schedule.openings]\nsource = \"random\"\nplies = 4\n"
    );
    let rules = Rules {
        impasse: ImpasseRule::Csa27,
        declaration: Declaration::Automatic,
        max_plies: Some(60),
        handicap: None,
    };
    let draw_values = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };
    let rules = EventRules { rules, draw_values, search: None };
    Event::new(toml::from_str(&text).unwrap(), rules).unwrap()
}

fn play(event: &Event, folder: &Path) -> (Ended, Vec<gauntlet::GameResult>, String) {
    let identity = Identity::of(event).unwrap();
    let mut journal = Journal::open(folder, event, &identity).unwrap();
    let open = |_| -> Result<Box<dyn Backend>, BackendError> {
        Ok(Box::new(Uniform::new(EncodingId::Dlshogi57)))
    };
    let mut table = String::new();
    let mut watch = |standings: &Standings<'_>| table = Table::of(standings).text();
    let stop = AtomicBool::new(false);
    let ended = gauntlet::run(event, &mut journal, &open, &stop, &mut watch).unwrap();
    (ended, journal.results().to_vec(), table)
}

#[test]
fn an_event_goes_on_past_every_fault() {
    for (on_go, fault, _) in FAULTS {
        let event = event(on_go, "nodes = 1", 2);
        let folder = tempfile::tempdir().unwrap();
        let (ended, results, table) = play(&event, folder.path());
        assert_eq!((ended, results.len()), (Ended::Complete, 2), "{on_go}");
        for result in &results {
            let (color, found) = result.fault.unwrap();
            assert_eq!((result.engines[color.index()], found), (0, fault), "{on_go}");
            assert_eq!(result.outcome.winner(), Some(color.opponent()), "{on_go}");
        }
        assert!(table.contains(&format!("{fault} 2")), "{on_go}: {table}");
    }
}

#[test]
fn a_crash_now_and_then_costs_only_those_games() {
    // It resigns at once, but crashes at the second `go` of every process.
    let event = event("[ $n = 2 ] && exit 1; echo bestmove resign", "byoyomi_ms = 60000", 6);
    let folder = tempfile::tempdir().unwrap();
    let (ended, results, _) = play(&event, folder.path());
    assert_eq!((ended, results.len()), (Ended::Complete, 6));
    let crashed = results.iter().filter(|it| it.fault.is_some()).count();
    let resigned = results.iter().filter(|it| it.reason == EndReason::Resignation).count();
    assert!(crashed >= 2 && resigned >= 2, "{results:?}");
    assert_eq!(crashed + resigned, 6);
}

/// Why an event cannot be played; it has no result then.
fn failure(event: &Event) -> String {
    let folder = tempfile::tempdir().unwrap();
    let identity = Identity::of(event).unwrap();
    let mut journal = Journal::open(folder.path(), event, &identity).unwrap();
    let open = |_| -> Result<Box<dyn Backend>, BackendError> {
        Ok(Box::new(Uniform::new(EncodingId::Dlshogi57)))
    };
    let stop = AtomicBool::new(false);
    let error = gauntlet::run(event, &mut journal, &open, &stop, |_| ()).unwrap_err();
    assert!(journal.results().is_empty());
    error.to_string()
}

#[test]
fn a_program_that_cannot_start_is_an_error_and_not_a_result() {
    for (extra, said) in [
        ("nodes = 1\noptions = { Threads = 1 }", "the engine has no option \"Threads\""),
        ("nodes = 1\ndirectory = \"/nowhere\"", "cannot start /bin/sh"),
    ] {
        let event = event("echo bestmove resign", extra, 2);
        let error = failure(&event);
        assert!(error.starts_with("engine \"bad\"") && error.contains(said), "{error}");
    }
}

/// What an engine takes is looked at before it is told, and what it says before it fails is handed on.
#[test]
fn options_out_of_range_and_last_words_are_told() {
    let script = "while read -r line; do case $line in \
                  usi) echo option name Level type spin default 1 min 1 max 4; echo usiok;; \
                  isready) echo info string Error: no net; exit 3;; esac; done";
    for (level, said) in [
        (9, "option \"Level\" takes a whole number from 1 to 4, not \"9\""),
        (2, "the engine ended before readyok (exit code 3); it said: Error: no net"),
    ] {
        let mut event = event("", &format!("nodes = 1\noptions = {{ Level = {level} }}"), 2);
        event.settings.engine[0].args[1] = script.to_owned();
        let event = Event::new(event.settings, event.rules).unwrap();
        let error = failure(&event);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn games_in_this_process_and_games_of_programs_are_one_event() {
    let mut settings = event("echo bestmove resign", "nodes = 1", 4);
    let mut random = settings.settings.engine[1].clone();
    (random.name, random.reference) = ("random".to_owned(), Some("random".to_owned()));
    random.anchor = None;
    settings.settings.engine.push(random);
    let event = Event::new(settings.settings, settings.rules).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (ended, results, _) = play(&event, folder.path());
    assert_eq!((ended, results.len()), (Ended::Complete, 12));
    assert!(results.iter().all(|it| it.fault.is_none()), "{results:?}");
    // Those in this process come first.
    assert!(results[..4].iter().all(|it| !it.engines.contains(&0)), "{results:?}");
}

#[test]
fn an_interrupted_game_is_not_waited_for() {
    let event = event("true", "byoyomi_ms = 3600000", 2);
    let folder = tempfile::tempdir().unwrap();
    let identity = Identity::of(&event).unwrap();
    let mut journal = Journal::open(folder.path(), &event, &identity).unwrap();
    let open = |_| -> Result<Box<dyn Backend>, BackendError> {
        Ok(Box::new(Uniform::new(EncodingId::Dlshogi57)))
    };
    let stop = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        gauntlet::run(&event, &mut journal, &open, &stop, |_| ()).unwrap()
    });
    assert_eq!((ended, journal.results().len()), (Ended::Stopped, 0));
}
