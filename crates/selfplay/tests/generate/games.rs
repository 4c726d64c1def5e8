use keiko_replay::{GameRecord, SearchKind};
use keiko_selfplay::{GameClass, Opening, OpeningChoice, ResignAudit, Settings};
use keiko_shogi::{EndReason, Outcome};

use crate::shards::Shards;
use crate::{Case, ENCODING, NOBODY, SETTINGS, played, run};

#[test]
fn every_game_of_the_quota_is_there_once_and_in_order() {
    let shards = played(&Case::default());
    let indices: Vec<u64> = shards.games().iter().map(|game| game.index).collect();
    assert_eq!(indices, (0..23).collect::<Vec<u64>>());
    let sizes: Vec<usize> = shards.shards.values().map(Vec::len).collect();
    assert_eq!(sizes, [5, 5, 5, 5, 3]);
}

#[test]
fn records_keep_the_rules_and_survive_their_bytes() {
    for choice in [OpeningChoice::Uniform, OpeningChoice::Policy] {
        let opening = Opening { choice, ..SETTINGS.opening };
        let settings = Settings { opening, ..SETTINGS };
        for game in played(&Case { settings, ..Case::default() }).games() {
            game.validate().unwrap();
            assert_eq!(&GameRecord::from_bytes(&game.to_bytes().unwrap()).unwrap(), game);
            assert_eq!(game.models, ["hashed-3"]);
            assert_eq!((game.stream.as_str(), game.encoding), ("gen-000001", ENCODING));
        }
    }
}

#[test]
fn openings_are_random_and_not_searched() {
    let shards = played(&Case::default());
    let lengths: Vec<usize> = shards
        .games()
        .iter()
        .map(|game| game.plies.iter().take_while(|ply| ply.search == SearchKind::None).count())
        .collect();
    assert!((0..=6).all(|length| lengths.contains(&length)), "{lengths:?}");
    for game in shards.games() {
        let later = game.plies.iter().skip_while(|ply| ply.search == SearchKind::None);
        assert!(later.clone().all(|ply| ply.search != SearchKind::None && ply.root_visits > 0));
    }
}

#[test]
fn full_and_fast_searches_are_told_apart() {
    let shards = played(&Case::default());
    let plies: Vec<_> = shards.games().into_iter().flat_map(|game| &game.plies).collect();
    let count = |kind| plies.iter().filter(|ply| ply.search == kind).count();
    let (full, fast) = (count(SearchKind::Full), count(SearchKind::Fast));
    assert!(full.abs_diff(fast) < (full + fast) / 5, "{full} full, {fast} fast");
    for ply in plies {
        assert_eq!(ply.policy.is_empty(), ply.search != SearchKind::Full);
        let most = match ply.search {
            SearchKind::None => 0,
            SearchKind::Fast => 3,
            SearchKind::Full => 5,
        };
        assert!(ply.root_visits <= most);
    }
}

#[test]
fn statistics_are_those_of_the_records() {
    let mut shards = Shards::default();
    let report = run(&Case::default(), &mut shards).unwrap();
    let statistics = report.statistics;
    let games = shards.games();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!((statistics.games(), statistics.plies()), (23, plies as u64));
    assert_eq!(statistics.ends().values().sum::<u64>(), 23);
    let at_max = games.iter().filter(|game| game.end == EndReason::MaxPlies).count() as u64;
    assert_eq!(statistics.ends().get("max_plies").copied().unwrap_or(0), at_max);
    assert_eq!(statistics.duplicates(), 0);
    let wins = games.iter().filter(|game| game.outcome == Outcome::BlackWins).count();
    let draws = games.iter().filter(|game| game.outcome == Outcome::Draw).count();
    let score = (wins as f64 + 0.5 * draws as f64) / 23.0;
    assert!((statistics.black_score() - score).abs() < 1e-12);
}

#[test]
fn resignations_are_audited() {
    let resignation = ResignAudit { threshold: 0.45, turns: 2, played_out_share: 0.5, ..NOBODY };
    let settings = Settings { resignation, ..SETTINGS };
    let mut shards = Shards::default();
    let report = run(&Case { settings, games: 40, ..Case::default() }, &mut shards).unwrap();
    let mut resigned = 0;
    for game in shards.games() {
        game.validate().unwrap();
        let audit = &game.resign_audit;
        let noted = audit.black_ply.is_some() || audit.white_ply.is_some();
        if game.end == EndReason::Resignation {
            resigned += 1;
            assert!(!audit.played_on && noted);
            let loser =
                if game.outcome == Outcome::WhiteWins { audit.black_ply } else { audit.white_ply };
            assert_eq!(loser.map(usize::from), Some(game.plies.len()));
        } else {
            assert!(audit.played_on || !noted);
        }
    }
    let statistics = report.statistics;
    assert!(resigned > 5, "{resigned}");
    let counts = statistics.resignations(GameClass::Normal);
    assert!(statistics.played_on() > 10 && counts.would_resign > 5);
    assert!(counts.wrong <= counts.would_resign);
    assert_eq!(counts.resigned, resigned);
}
