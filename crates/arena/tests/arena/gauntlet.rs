//! Events of reference players and hashing nets: schedules, resuming, replays, tables.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use keiko_arena::gauntlet::{
    self, Ended, Event, EventRules, GameResult, Identity, Journal, Standings, Table, pgn,
};
use keiko_formats::GameLine;
use keiko_inference::{Backend, BackendError, EncodingId, Hashed};
use keiko_mcts::{GumbelSettings, PuctSettings, RootKind, SearchSettings};
use keiko_shogi::{Declaration, DrawValues, EndReason, ImpasseRule, Rules};

const SEARCH: SearchSettings = SearchSettings {
    mate_in_one: true,
    declaration: true,
    max_nodes: 1000,
    gumbel: GumbelSettings { max_considered: 4, ..GumbelSettings::PAPER },
    ..SearchSettings::BARE
};

const REFERENCES: &str = "[[engine]]\nname = \"random\"\nreference = \"random\"\nanchor = 0.0\n\
                          [[engine]]\nname = \"greedy\"\nreference = \"greedy\"\n\
                          [[engine]]\nname = \"net\"\nmodel = \"/dev/null\"\nnodes = 4\n";

struct Schedule {
    kind: &'static str,
    games: u32,
    concurrency: u32,
    replay: &'static str,
    openings: String,
    max_plies: u16,
}

fn plain() -> Schedule {
    Schedule {
        kind: "kind = \"round_robin\"",
        games: 8,
        concurrency: 2,
        replay: "replay_draws = \"off\"\nreplay_time = \"fresh\"\nmax_replays = 0",
        openings: "source = \"random\"\nplies = 6".to_owned(),
        max_plies: 80,
    }
}

fn event(engines: &str, schedule: &Schedule, rest: &str) -> Result<Event, String> {
    let Schedule { kind, games, concurrency, replay, openings, max_plies } = schedule;
    let text = format!(
        "{engines}[schedule]\n{kind}\ngames = {games}\nconcurrency = {concurrency}\nbatch_games = 8\n\
         margin_ms = 0\nstart_patience_ms = 60000\nnodes_patience_ms = 60000\nseed = 7\n{replay}\n\
         [schedule.openings]\n{openings}\n{rest}"
    );
    let rules = EventRules {
        rules: Rules {
            impasse: ImpasseRule::Csa27,
            declaration: Declaration::Automatic,
            max_plies: Some(*max_plies),
            handicap: None,
        },
        draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 },
        search: Some(SEARCH),
    };
    let settings = toml::from_str(&text).map_err(|error| error.to_string())?;
    Event::new(settings, rules).map_err(|error| error.to_string())
}

fn open(engine: usize) -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(Hashed::new(EncodingId::Dlshogi57, engine as u64)))
}

fn journal(event: &Event, folder: &Path) -> Result<Journal, String> {
    let identity = Identity::of(event).expect("readable files");
    Journal::open(folder, event, &identity).map_err(|error| error.to_string())
}

/// Plays until so many games of this call are written down.
fn play(event: &Event, folder: &Path, at_most: usize) -> (Ended, Vec<GameResult>) {
    let mut journal = journal(event, folder).unwrap();
    let (stop, mut seen) = (AtomicBool::new(false), 0);
    let ended = gauntlet::run(event, &mut journal, &open, &stop, |_| {
        // The first call comes before the first game.
        stop.store(seen >= at_most, Ordering::Relaxed);
        seen += 1;
    });
    (ended.unwrap(), journal.results().to_vec())
}

fn sorted(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("games.usi")).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn an_event_that_is_killed_twice_has_the_games_of_one_that_is_not() {
    let event = event(REFERENCES, &Schedule { games: 20, ..plain() }, "").unwrap();
    let [whole, broken] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert_eq!(play(&event, whole.path(), usize::MAX).0, Ended::Complete);
    assert_eq!(play(&event, broken.path(), 5).0, Ended::Stopped);
    // What a kill in the middle of a line leaves.
    let games = broken.path().join("games.usi");
    let mut text = std::fs::read_to_string(&games).unwrap();
    text.push_str("startpos moves 7g7f\tga");
    std::fs::write(&games, text).unwrap();
    assert_eq!(play(&event, broken.path(), 6).0, Ended::Stopped);
    let (ended, results) = play(&event, broken.path(), usize::MAX);
    assert_eq!((ended, results.len()), (Ended::Complete, 60));
    assert_eq!(sorted(broken.path()), sorted(whole.path()));
    // Once more plays nothing.
    assert_eq!(play(&event, broken.path(), usize::MAX), (Ended::Complete, results));
    for line in sorted(whole.path()) {
        let game = GameLine::parse(&line).unwrap();
        assert!(game.tag("black").is_some() && game.tag("reason").is_some());
        let scores = game.tag("scores_cp").map(|scores| scores.split(' ').count());
        let net = game.tag("black") == Some("net") || game.tag("white") == Some("net");
        assert_eq!(scores, net.then_some(game.moves().len()), "{line}");
        assert!(game.tag("opening_number").is_some(), "`opening` would be its name in CSA and KIF");
    }
}

#[test]
fn an_event_in_play_can_be_looked_at() {
    let event = event(REFERENCES, &Schedule { games: 4, ..plain() }, "").unwrap();
    let identity = Identity::of(&event).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = Journal::look(folder.path(), &event, &identity).unwrap_err().to_string();
    assert!(error.contains("no event's folder"), "{error}");
    play(&event, folder.path(), usize::MAX);
    let held = journal(&event, folder.path()).unwrap();
    assert!(journal(&event, folder.path()).unwrap_err().contains("is held by pid"));
    let games = folder.path().join("games.usi");
    let mut text = std::fs::read_to_string(&games).unwrap();
    text.push_str("startpos moves 7g7f\tga");
    std::fs::write(&games, &text).unwrap();
    assert_eq!(Journal::look(folder.path(), &event, &identity).unwrap(), held.results());
    assert_eq!(std::fs::read_to_string(&games).unwrap(), text);
}

#[test]
fn every_opening_is_played_by_both_sides_and_more_games_keep_the_first() {
    let few = event(REFERENCES, &plain(), "").unwrap();
    let more = event(REFERENCES, &Schedule { games: 10, concurrency: 1, ..plain() }, "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (_, first) = play(&few, folder.path(), usize::MAX);
    let (ended, all) = play(&more, folder.path(), usize::MAX);
    assert_eq!((ended, all.len()), (Ended::Complete, 30));
    assert_eq!(all[..24], first[..]);
    for encounter in (0..30).step_by(2) {
        let [one, other] = [encounter, encounter + 1].map(|number| more.encounter(number));
        assert_eq!(one.opening, other.opening);
        assert_eq!(one.engines, [other.engines[1], other.engines[0]]);
    }
    // Fewer games than there are is an error, not a loss.
    let error = journal(&few, folder.path()).unwrap_err();
    assert!(error.contains("schedule.games is smaller"), "{error}");
}

#[test]
fn a_model_may_search_in_its_own_way() {
    let with = |search: &str| {
        let engines = format!("{REFERENCES}search = {search}\n");
        event(&engines, &plain(), "")
    };
    let own = with("{ root = \"puct\", puct = { c_init = 1.5 } }").unwrap();
    let gauntlet::EntrantPlayer::Model { search, .. } = &own.entrants[2].player else { panic!() };
    let puct = PuctSettings { c_init: 1.5, ..SEARCH.puct };
    assert_eq!(*search, SearchSettings { root: RootKind::Puct, puct, ..SEARCH });
    let folder = tempfile::tempdir().unwrap();
    journal(&own, folder.path()).unwrap();
    let other = with("{ root = \"puct\", puct = { c_init = 1.25 } }").unwrap();
    let error = journal(&other, folder.path()).unwrap_err();
    assert!(error.contains("engine.net.search.puct.c_init was 1.5 and is 1.25 now"), "{error}");
    for (search, said) in [
        ("{ rot = \"puct\" }", "engine \"net\": search: unknown field `rot`"),
        ("{ puct = { c_init = -1.0 } }", "search.puct.c_init"),
        ("{ puct = 3 }", "engine \"net\": search: invalid type"),
        ("3", "engine \"net\": search: invalid type"),
    ] {
        let error = with(search).unwrap_err();
        assert!(error.contains(said), "{search}: {error}");
    }
    let engines = REFERENCES.replace("\"greedy\"\n[[", "\"greedy\"\nsearch = {}\n[[");
    assert!(event(&engines, &plain(), "").unwrap_err().contains("search is for a model only"));
}

#[test]
fn another_event_is_refused_by_the_key_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let first = event(REFERENCES, &plain(), "").unwrap();
    play(&first, folder.path(), usize::MAX);
    for (old, new, key) in [
        ("nodes = 4", "nodes = 5", "engine.net.nodes was 4 and is 5 now"),
        ("greedy", "greedier", "engine.greed"),
    ] {
        let engines = if key.contains("nodes") {
            REFERENCES.replace(old, new)
        } else {
            REFERENCES.replace("name = \"greedy\"", "name = \"greedier\"")
        };
        let other = event(&engines, &plain(), "").unwrap();
        let error = journal(&other, folder.path()).unwrap_err();
        assert!(error.contains(key) && error.contains("another folder"), "{error}");
    }
    let longer = event(REFERENCES, &Schedule { max_plies: 90, ..plain() }, "").unwrap();
    let error = journal(&longer, folder.path()).unwrap_err();
    assert!(error.contains("rules.max_plies was 80 and is 90 now"), "{error}");
    // Another anchor is another reading of the same games.
    let anchored =
        event(&REFERENCES.replace("anchor = 0.0", "anchor = 500.0"), &plain(), "").unwrap();
    journal(&anchored, folder.path()).unwrap();
    let foreign = tempfile::tempdir().unwrap();
    std::fs::write(foreign.path().join("notes"), "mine").unwrap();
    assert!(journal(&first, foreign.path()).unwrap_err().contains("not empty"));
}

#[test]
fn a_damaged_game_is_named_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let event = event(REFERENCES, &plain(), "").unwrap();
    play(&event, folder.path(), usize::MAX);
    let games = folder.path().join("games.usi");
    let text = std::fs::read_to_string(&games).unwrap();
    let second = text.lines().nth(1).unwrap();
    for (new, said) in [
        ("nonsense".to_owned(), "line 2: expected `startpos`"),
        (second.replace("\tgame=", "\tgame=9"), "line 2"),
        (second.replace("outcome=", "outcome=x"), "line 2: tag outcome"),
        (text.lines().next().unwrap().to_owned(), "line 2: the game is there twice"),
    ] {
        std::fs::write(&games, text.replacen(second, &new, 1)).unwrap();
        let error = journal(&event, folder.path()).unwrap_err();
        assert!(error.contains(said), "{new}: {error}");
    }
}

/// Two programs that move their kings to and fro, and so draw by sennichite after twelve moves, each a little slowly.
fn shufflers(limit: &str) -> String {
    let script = "while read -r line; do case $line in usi) echo usiok;; isready) echo readyok;; \
                  position*) set -- $line; k=$(($# - 3));; \
                  go*) sleep SLEEP; case $((k % 4)) in 1) m=5a5b;; 2) m=5h5i;; 3) m=5b5a;; *) m=5i5h;; esac; \
                  [ $k -lt 0 ] && m=5i5h; echo bestmove $m;; quit) exit;; esac; done";
    let engine = |name, sleep| {
        let script = script.replace("SLEEP", sleep);
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"/bin/sh\"\nargs = [\"-c\", '{script}']\n{limit}\n"
        )
    };
    engine("a", "0.01") + &engine("b", "0.05")
}

/// An event of two pairs of games, all from the ordinary start.
fn shuffling(limit: &str, replay: &'static str, max_plies: u16) -> (tempfile::TempDir, Event) {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.txt");
    std::fs::write(&list, "startpos\n").unwrap();
    let openings = format!("source = \"file\"\npath = \"{}\"", list.display());
    let schedule = Schedule { games: 2, replay, max_plies, openings, ..plain() };
    let event = event(&shufflers(limit), &schedule, "").unwrap();
    (folder, event)
}

#[test]
fn drawn_games_are_played_again_with_sides_and_clocks_reversed() {
    let clock = "main_ms = 600000\nbyoyomi_ms = 1000";
    for (replay, fresh, chain) in [
        ("replay_draws = \"off\"\nreplay_time = \"remaining\"\nmax_replays = 2", None, 1),
        ("replay_draws = \"sennichite\"\nreplay_time = \"remaining\"\nmax_replays = 2", None, 3),
        ("replay_draws = \"all\"\nreplay_time = \"fresh\"\nmax_replays = 1", Some(600_000), 2),
        ("replay_draws = \"all\"\nreplay_time = 300\nmax_replays = 1", Some(300_000), 2),
    ] {
        let (list, event) = shuffling(clock, replay, 100);
        let folder = list.path().join("event");
        // Broken off after the first game: the chain goes on with the clocks that were written down.
        play(&event, &folder, 1);
        let (ended, results) = play(&event, &folder, usize::MAX);
        assert_eq!((ended, results.len()), (Ended::Complete, 2 * chain), "{replay}");
        for result in &results {
            assert_eq!(result.reason, EndReason::Sennichite);
            let [black, white] = event.encounter(result.encounter).engines;
            let expected = if result.replay % 2 == 0 { [black, white] } else { [white, black] };
            assert_eq!(result.engines, expected, "{replay}");
            let before = results
                .iter()
                .find(|it| it.encounter == result.encounter && it.replay + 1 == result.replay);
            if let Some(before) = before {
                for side in [0, 1] {
                    let had = fresh.unwrap_or(before.left_ms[1 - side]);
                    // Six moves, of at least 10 ms or 50 ms each.
                    let used = [60, 300][result.engines[side]];
                    let left = result.left_ms[side];
                    assert!(left + used <= had, "{replay}: {left} of {had}");
                }
            }
        }
        // A chain is one result, drawn like its last game.
        let standings = Standings::of(&event, &results);
        assert_eq!((standings.finished(), standings.games()), (2, 2 * chain as u64));
        assert_eq!(standings.of_pairing(0).1.counts, [0, 0, 1, 0, 0]);
    }
}

#[test]
fn nothing_is_played_again_after_the_longest_game() {
    let replay = "replay_draws = \"all\"\nreplay_time = \"fresh\"\nmax_replays = 2";
    let (list, event) = shuffling("nodes = 1", replay, 8);
    let (ended, results) = play(&event, &list.path().join("event"), usize::MAX);
    assert_eq!((ended, results.len()), (Ended::Complete, 2));
    assert!(results.iter().all(|it| it.reason == EndReason::MaxPlies));
}

#[test]
fn schedules_say_who_meets_whom() {
    let four = "[[engine]]\nname = \"a\"\nreference = \"random\"\n[[engine]]\nname = \"b\"\nreference = \"random\"\n\
                [[engine]]\nname = \"c\"\nreference = \"random\"\n[[engine]]\nname = \"d\"\nreference = \"random\"\n";
    for (kind, pairings) in [
        ("kind = \"round_robin\"", &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][..]),
        ("kind = \"gauntlet\"", &[[0, 1], [0, 2], [0, 3]]),
        ("kind = \"gauntlet\"\nchallengers = [\"d\", \"b\"]", &[[1, 0], [1, 2], [3, 0], [3, 2]]),
        ("kind = \"ladder\"", &[[0, 1], [1, 2], [2, 3]]),
    ] {
        let event = event(four, &Schedule { kind, ..plain() }, "").unwrap();
        assert_eq!(event.pairings, pairings, "{kind}");
    }
}

#[test]
fn settings_that_do_not_fit_are_named() {
    let bad = |engines: &str, schedule: &Schedule, rest: &str| {
        event(engines, schedule, rest).err().unwrap_or_else(|| "no error".to_owned())
    };
    let with = |old: &str, new: &str| REFERENCES.replace(old, new);
    for (engines, said) in [
        (with("name = \"net\"", "name = \"greedy\""), "the same name"),
        (with("nodes = 4", ""), "one limit is wanted"),
        (with("nodes = 4", "nodes = 4\nbyoyomi_ms = 5"), "one limit is wanted"),
        (with("nodes = 4", "increment_ms = 5"), "needs a main_ms"),
        (with("nodes = 4", "nodes = 4\nargs = [\"x\"]"), "args is for a command only"),
        (
            with("reference = \"greedy\"", "reference = \"greedy\"\nnodes = 5"),
            "nodes: leave it out",
        ),
        (
            with("reference = \"greedy\"", "reference = \"greedy\"\nmain_ms = 5"),
            "main_ms: leave it out",
        ),
        (with("reference = \"greedy\"", "reference = \"clever\""), "random\" or \"greedy"),
        (with("reference = \"greedy\"", ""), "exactly one of"),
        (with("nodes = 4", "nods = 4"), "nods"),
    ] {
        let error = bad(&engines, &plain(), "");
        assert!(error.contains(said), "{said}: {error}");
    }
    let odd = Schedule { games: 7, ..plain() };
    assert!(bad(REFERENCES, &odd, "").contains("schedule.games"));
    let nobody = Schedule { kind: "kind = \"gauntlet\"\nchallengers = [\"x\"]", ..plain() };
    assert!(bad(REFERENCES, &nobody, "").contains("\"x\" is none of the engines"));
    for kind in [
        "kind = \"ladder\"\nchallengers = [\"net\"]",
        "kind = \"round_robin\"\nchallengers = [\"net\"]",
    ] {
        let text = bad(REFERENCES, &Schedule { kind, ..plain() }, "");
        assert!(text.contains("schedule.challengers must be left out unless"), "{text}");
    }
    let sprt = "[sprt]\nscale = \"normalized\"\nelo0 = 0\nelo1 = 5\nalpha = 0.05\nbeta = 0.05\nmin_pairs = 4\n";
    assert!(bad(REFERENCES, &plain(), sprt).contains("of two engines, not of 3"));
}

#[test]
fn a_test_of_two_ends_early_and_is_resumed_as_decided() {
    let two = "[[engine]]\nname = \"greedy\"\nreference = \"greedy\"\n\
               [[engine]]\nname = \"random\"\nreference = \"random\"\n";
    let sprt = "[sprt]\nscale = \"logistic\"\nelo0 = 0\nelo1 = 200\nalpha = 0.05\nbeta = 0.05\nmin_pairs = 4\n";
    let schedule = Schedule { games: 400, max_plies: 200, ..plain() };
    let event = event(two, &schedule, sprt).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (ended, results) = play(&event, folder.path(), usize::MAX);
    assert_eq!(ended, Ended::Complete);
    assert!(results.len() < 400, "{}", results.len());
    assert_eq!(play(&event, folder.path(), usize::MAX).1.len(), results.len());
}

#[test]
fn no_rating_stands_without_anchors_and_openings() {
    let event = event(REFERENCES, &plain(), "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut journal = journal(&event, folder.path()).unwrap();
    let stop = AtomicBool::new(false);
    let (mut text, mut csv, mut json, mut games) =
        (String::new(), String::new(), serde_json::Value::Null, String::new());
    gauntlet::run(&event, &mut journal, &open, &stop, |standings: &Standings<'_>| {
        let table = Table::of(standings);
        (text, csv, json, games) = (table.text(), table.csv(), table.json(), pgn(standings));
    })
    .unwrap();
    let (anchors, openings) = ("random = 0", "4 random quiet openings of 6 plies (seed 7)");
    for part in [anchors, openings, "24 of 24 results by 24 games", "Davidson"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(csv.lines().skip(1).all(|line| line.contains(anchors) && line.contains(openings)));
    assert_eq!(csv.lines().count(), 4);
    assert_eq!(
        (json["anchors"].as_str(), json["openings"].as_str()),
        (Some(anchors), Some(openings))
    );
    assert_eq!(json["engines"].as_array().unwrap().len(), 3);
    assert_eq!(games.matches("[Result ").count(), 24);
    assert!(games.contains("[White \"random\"]\n[Black \"greedy\"]"));
}
