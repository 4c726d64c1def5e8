use keiko_replay::{GameRecord, IngestEntry, IngestLog, IngestedShard, UNIFORM};
use keiko_selfplay::{
    Audit, GameClass, Plan, PlanError, ReplayedDraws, ResignAudit, Settings, ShardSink as _,
    Starts, Stream, Thresholds,
};
use keiko_shogi::{DrawValues, EndReason, Outcome};
use keiko_store::{LocalStore, Sha256, Store};

use crate::stored::header_of;
use crate::{Case, NOBODY, SETTINGS, played};

/// Thresholds that the tests' short games with their even scores lead to.
const ADAPTING: ResignAudit = ResignAudit {
    threshold: 0.5,
    turns: 2,
    played_out_share: 0.5,
    adapt: true,
    target_wrong: 0.99,
    min_audited: 10,
    audited_games: 40,
    step: 0.5,
};

fn fixed(threshold: f32, played_out_share: f32) -> Settings {
    let resignation = ResignAudit { threshold, turns: 2, played_out_share, ..NOBODY };
    Settings { resignation, ..SETTINGS }
}

/// What is noted while a game is played is what the audit of its record finds.
#[test]
fn the_audit_of_a_record_comes_to_what_was_noted() {
    let games = played(&Case { settings: fixed(0.4, 1.0), games: 40, ..Case::default() });
    let mut noted = 0;
    for game in games.games() {
        let mut audit = Audit::default();
        audit.add(game);
        let counts = audit.counts(GameClass::Normal, &Thresholds::all(0.4), 2);
        let is_noted =
            game.resign_audit.black_ply.is_some() || game.resign_audit.white_ply.is_some();
        assert_eq!(counts.would_resign, u64::from(is_noted));
        noted += counts.would_resign;
    }
    assert!((5..40).contains(&noted), "{noted} of 40");
}

/// A store with a generation of 40 games in its ingest log.
fn begun(games: &[GameRecord]) -> (tempfile::TempDir, LocalStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::create(folder.path()).unwrap();
    let mut stream = Stream::new(&store, header_of("gen-000001"));
    stream.publish(0, games).unwrap();
    let (line, bad) = IngestedShard::examine(&store, "games/gen-000001/000000.games").unwrap();
    assert_eq!(bad, 0);
    IngestLog::new(&store).append(0, &IngestEntry { shards: vec![line] }).unwrap();
    (folder, store)
}

fn games(settings: Settings) -> Vec<GameRecord> {
    let shards = played(&Case { settings, games: 40, ..Case::default() });
    shards.games().into_iter().cloned().collect()
}

/// Games that were played out, each lost by the side that would have had the last move.
fn decided() -> Vec<GameRecord> {
    let mut games = games(fixed(0.0, 1.0));
    for game in &mut games {
        game.plies.pop();
        game.end = EndReason::Resignation;
        let black_loses = game.plies.len().is_multiple_of(2);
        game.outcome = if black_loses { Outcome::WhiteWins } else { Outcome::BlackWins };
    }
    games
}

#[test]
fn a_plan_follows_from_the_games_before_and_stays() {
    let (_folder, store) = begun(&decided());
    let settings = Settings { resignation: ADAPTING, ..SETTINGS };
    let plan = |stream, previous, settings: &Settings| {
        Plan::of_stream(&store, stream, previous, settings, None).unwrap()
    };
    let first = plan("gen-000002", None, &settings);
    assert_eq!((first.entries, first.audited_games), (1, 40));
    assert!(first.thresholds.normal > 0.2, "{first:?}");
    assert!(first.thresholds.long == 0.0 && first.thresholds.entering_king == 0.0, "{first:?}");
    // Whatever happens later, this stream has this plan.
    let other = Settings { resignation: NOBODY, ..SETTINGS };
    let before = store.get("plans/gen-000002.toml").unwrap();
    IngestLog::new(&store).append(1, &IngestEntry::default()).unwrap();
    assert_eq!(plan("gen-000002", None, &other), first);
    assert_eq!(store.get("plans/gen-000002.toml").unwrap(), before);
    assert_eq!(Plan::stored(&store, "gen-000002").unwrap(), Some(first.clone()));
    // The next one rises from there.
    let careful = ResignAudit { step: 0.01, ..ADAPTING };
    let low = ResignAudit { adapt: false, threshold: 0.3, ..ADAPTING };
    plan("gen-000003", Some("gen-000002"), &Settings { resignation: low, ..SETTINGS });
    let risen =
        plan("gen-000004", Some("gen-000003"), &Settings { resignation: careful, ..SETTINGS });
    let normal = risen.thresholds.normal;
    assert!((0.305..=0.315).contains(&normal) || normal <= first.thresholds.normal, "{normal}");
    assert_eq!(risen.entries, 2);
}

#[test]
fn games_that_were_not_played_out_or_not_by_a_net_are_no_audit() {
    let settings = Settings { resignation: ADAPTING, ..SETTINGS };
    let thresholds = |games: &[GameRecord]| {
        let (_folder, store) = begun(games);
        Plan::of_stream(&store, "gen-000002", None, &settings, None).unwrap().thresholds
    };
    assert_eq!(thresholds(&games(fixed(0.0, 0.0))), Thresholds::NEVER);
    assert!(thresholds(&decided()).normal > 0.0);
    let mut by_search = decided();
    by_search.iter_mut().for_each(|game| game.models = vec![UNIFORM.to_owned()]);
    let mut audit = Audit::default();
    by_search.iter().for_each(|game| audit.add(game));
    assert!(audit.is_empty());
}

#[test]
fn forks_know_the_newest_entry_of_the_log_alone() {
    let (_folder, store) = begun(&games(fixed(0.0, 1.0)));
    let starts = Starts { fork: 0.5, ..Starts::ORDINARY };
    let settings = Settings { starts, ..SETTINGS };
    let plan = Plan::of_stream(&store, "gen-000002", None, &settings, None).unwrap();
    assert_eq!(plan.past_games(&store).unwrap().len(), 40);
    IngestLog::new(&store).append(1, &IngestEntry::default()).unwrap();
    let again = Plan::of_stream(&store, "gen-000002", None, &settings, None).unwrap();
    assert_eq!(again.past_games(&store).unwrap().len(), 40, "games that came later are not known");
    let next = Plan::of_stream(&store, "gen-000003", None, &settings, None).unwrap();
    assert!(next.past_games(&store).unwrap().is_empty());
    assert!(Plan { past_games: 0, ..plan.clone() }.past_games(&store).unwrap().is_empty());
    // A game less would make another game of each that goes on.
    store.delete("games/gen-000001/000000.games").unwrap();
    let error = plan.past_games(&store).unwrap_err().to_string();
    assert!(error.starts_with("0 of the 40 earlier games are there"), "{error}");
}

#[test]
fn what_a_plan_cannot_be_made_of_is_named() {
    let (folder, store) = begun(&games(fixed(0.0, 1.0)));
    let settings = Settings { resignation: ADAPTING, ..SETTINGS };
    let book = Some(Sha256::of(b"a book"));
    Plan::of_stream(&store, "gen-000002", None, &settings, book).unwrap();
    let other = Some(Sha256::of(b"another"));
    let error = Plan::of_stream(&store, "gen-000002", None, &settings, other).unwrap_err();
    assert!(error.to_string().contains("the games of gen-000002 began with"), "{error}");
    assert!(matches!(error, PlanError::Book { .. }));
    let shard = folder.path().join("games/gen-000001/000000.games");
    let mut bytes = std::fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&shard, &bytes).unwrap();
    let error = Plan::of_stream(&store, "gen-000003", None, &settings, None).unwrap_err();
    assert!(error.to_string().starts_with("games/gen-000001/000000.games is not the shard"));
    assert!(Plan::stored(&store, "gen-000003").unwrap().is_none());
    std::fs::remove_file(&shard).unwrap();
    let gone = Plan::of_stream(&store, "gen-000003", None, &settings, None).unwrap();
    assert_eq!(gone.thresholds, Thresholds::NEVER);
    std::fs::write(folder.path().join("plans/gen-000004.toml"), "entries = -1\n").unwrap();
    let error = Plan::of_stream(&store, "gen-000004", None, &settings, None).unwrap_err();
    assert!(error.to_string().starts_with("plans/gen-000004.toml is damaged ("), "{error}");
}

/// Each class resigns by its own threshold.
#[test]
fn a_class_without_a_threshold_never_resigns() {
    let thresholds = Thresholds { normal: 0.0, long: 0.5, entering_king: 0.5 };
    let settings = fixed(0.5, 0.0);
    let case = Case { settings, thresholds: Some(thresholds), games: 40, ..Case::default() };
    let games = played(&case);
    assert!(games.games().iter().all(|game| game.end != EndReason::Resignation));
}

#[test]
fn a_sennichite_that_is_played_again_follows_blacks_score() {
    let games = decided();
    let (_folder, store) = begun(&games);
    let replayed_draws = ReplayedDraws { games: 30, min_games: 10, max_off: 0.5 };
    let settings = Settings { replayed_draws, ..SETTINGS };
    let plan = Plan::of_stream(&store, "gen-000002", None, &settings, None).unwrap();
    let newest = games.iter().rev().take(30);
    let black = newest.filter(|game| game.outcome == Outcome::BlackWins).count();
    let value = plan.sennichite.unwrap();
    assert!((value - (1.0 - black as f32 / 30.0)).abs() < 1e-6, "{value} after {black} of 30");
    let fixed = DrawValues { sennichite: 0.5, jishogi: 0.25, max_plies: 0.75 };
    assert_eq!(plan.draw_values(fixed), DrawValues { sennichite: value, ..fixed });
    // Whatever happens later, this stream has this value.
    let again = Plan::of_stream(&store, "gen-000002", None, &SETTINGS, None).unwrap();
    assert_eq!(again.sennichite.map(f32::to_bits), Some(value.to_bits()));

    let few = ReplayedDraws { min_games: 31, ..replayed_draws };
    let few = Settings { replayed_draws: few, ..SETTINGS };
    for (stream, settings) in [("gen-000003", &few), ("gen-000004", &SETTINGS)] {
        let plan = Plan::of_stream(&store, stream, None, settings, None).unwrap();
        assert_eq!(plan.sennichite, None);
        assert_eq!(plan.draw_values(fixed), fixed);
        let text = store.get(&format!("plans/{stream}.toml")).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains("sennichite"));
    }
    // Games that a fault decided tell nothing of the sides.
    let mut faults = games;
    faults.iter_mut().for_each(|game| game.end = EndReason::TimeForfeit);
    let (_folder, store) = begun(&faults);
    let plan = Plan::of_stream(&store, "gen-000002", None, &settings, None).unwrap();
    assert_eq!(plan.sennichite, None);
}
