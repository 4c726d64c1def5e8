//! Records: bytes, round trips, and what the rules say.

use keiko_replay::{
    GameRecord, MAX_RECORD_BYTES, RecordError, SearchKind, StartSource, StoredPolicy, StoredWdl,
};
use keiko_shogi::{Declaration, EndReason, ImpasseRule, Move, Outcome};
use proptest::prelude::*;

use crate::support::{START, random_game};

fn short_game() -> GameRecord {
    let mut game = random_game("s", 2, START);
    game.seed = 5;
    game.start_source = StartSource::Opening { line: 9 };
    game.plies.clear();
    game.plies.push(keiko_replay::PlyRecord {
        mv: "7g7f".parse().unwrap(),
        model: 1,
        search: SearchKind::Full,
        raw_wdl: StoredWdl::new(1, 2, 65532).unwrap(),
        root_wdl: StoredWdl::DRAW,
        root_visits: 16,
        policy: StoredPolicy::new(vec![("7g7f".parse().unwrap(), 65535)]).unwrap(),
        raw_policy: StoredPolicy::EMPTY,
    });
    game.rules.max_plies = Some(1);
    (game.outcome, game.end) = (Outcome::Draw, EndReason::MaxPlies);
    game
}

/// The bytes of version 1 never change.
#[test]
fn version_1_is_these_bytes() {
    let game = short_game();
    game.validate().unwrap();
    let mut bytes = vec![1];
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend(u64::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    text(&mut bytes, "s");
    bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]); // index, seed
    bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]); // models
    text(&mut bytes, "a");
    text(&mut bytes, "b");
    text(&mut bytes, "dlshogi-57");
    text(&mut bytes, "csa27");
    bytes.extend([1, 1, 1, 0, 0]); // automatic, at most one ply, no handicap
    bytes.extend([0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e, 0, 0, 0, 0x3f]); // draw values
    bytes.extend([2, 0, 0, 0, 9, 0, 0, 0]); // line 9 of the openings
    text(&mut bytes, START);
    bytes.extend([2, 10]); // draw by the maximum of plies
    bytes.extend([1, 1, 17, 0, 0]); // played on, Black at ply 17, White never
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]); // plies
    bytes.extend([0x3b, 0x1e, 1, 0, 2]); // 7g7f by model 1, full search
    bytes.extend([1, 0, 2, 0, 0xfc, 0xff, 0, 0, 0xff, 0xff, 0, 0]); // raw value, root value
    bytes.extend([16, 0, 0, 0]); // visits
    bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 0x3b, 0x1e, 0xff, 0xff]); // policy
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0]); // raw policy
    assert_eq!(game.to_bytes().unwrap(), bytes);
    assert_eq!(GameRecord::from_bytes(&bytes).unwrap(), game);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_come_back(index in any::<u64>()) {
        let game = random_game("gen-0001", index, START);
        game.validate().unwrap();
        let bytes = game.to_bytes().unwrap();
        let back = GameRecord::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&back, &game);
        prop_assert_eq!(back.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn arbitrary_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = GameRecord::from_bytes(&bytes);
        bytes.insert(0, 1);
        if let Ok(game) = GameRecord::from_bytes(&bytes) {
            prop_assert_eq!(game.to_bytes().unwrap(), bytes);
        }
    }
}

#[test]
fn every_truncation_is_an_error_and_every_flip_is_one_or_another_record() {
    let game = short_game();
    let mut bytes = game.to_bytes().unwrap();
    for len in 0..bytes.len() {
        assert!(GameRecord::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
    }
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(other) = GameRecord::from_bytes(&bytes) {
            let _ = other.validate();
            assert_ne!(other, game, "bit {bit}");
            assert_eq!(other.to_bytes().unwrap(), bytes, "bit {bit}");
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    bytes.extend([0, 0]);
    assert!(matches!(GameRecord::from_bytes(&bytes), Err(RecordError::Trailing(2))));
    bytes[0] = 2;
    assert!(matches!(GameRecord::from_bytes(&bytes), Err(RecordError::Version(2))));
}

#[test]
fn the_largest_record_comes_back_and_none_is_larger() {
    let mut game = short_game();
    let room = MAX_RECORD_BYTES - game.to_bytes().unwrap().len();
    game.models[0].push_str(&"a".repeat(room));
    let bytes = game.to_bytes().unwrap();
    assert_eq!(bytes.len(), MAX_RECORD_BYTES);
    assert!(GameRecord::from_bytes(&bytes).unwrap() == game);
    game.models[0].push('a');
    let larger = game.to_bytes();
    assert!(matches!(larger, Err(RecordError::TooLarge(bytes)) if bytes == MAX_RECORD_BYTES + 1));
}

#[test]
fn a_game_has_no_more_plies_than_two_bytes_count() {
    let mut game = short_game();
    game.plies.resize(usize::from(u16::MAX), game.plies[0].clone());
    assert!(matches!(game.validate(), Err(RecordError::PlayedOn { ply: 1, .. })));
    game.plies.push(game.plies[0].clone());
    assert!(matches!(game.validate(), Err(RecordError::Field { field: "plies", .. })));
}

#[test]
fn starts_are_named_as_in_the_settings() {
    let (stream, index, ply) = ("s".to_owned(), 1, 2);
    let before_end = StartSource::BeforeEnd { stream: stream.clone(), index, ply };
    let sources = [
        StartSource::Standard,
        StartSource::Handicap,
        StartSource::Opening { line: 1 },
        StartSource::Shuffled { number: 1 },
        StartSource::Branch { stream, index, ply },
        before_end,
    ];
    let names = ["standard", "handicap", "book", "shuffled", "fork", "before_end"];
    assert_eq!(sources.each_ref().map(StartSource::name), names);
    let earlier = sources.each_ref().map(|source| source.earlier_game().is_some());
    assert_eq!(earlier, [false, false, false, false, true, true]);
}

/// A length that claims more than there is must not be believed.
#[test]
fn huge_lengths_do_not_allocate() {
    let bytes = short_game().to_bytes().unwrap();
    for at in 1..bytes.len() - 8 {
        for huge in [u64::MAX, 1 << 40, 1 << 23] {
            let mut bad = bytes.clone();
            bad[at..at + 8].copy_from_slice(&huge.to_le_bytes());
            let _ = GameRecord::from_bytes(&bad);
        }
    }
}

type Change = fn(&mut GameRecord);

#[test]
fn what_breaks_the_rules_is_found() {
    // 24 plies at least, ended by the maximum of plies: a draw.
    let good = (0..).map(|i| random_game("s", i, START)).find(|g| g.end == EndReason::MaxPlies);
    let good = good.unwrap();
    good.validate().unwrap();
    let changes: [(&str, Change); 20] = [
        ("no such move", |g| g.plies[3].mv = Move::from_bits(0x0001).unwrap()),
        ("ply left out", |g| drop(g.plies.remove(4))),
        ("ply twice", |g| g.plies.insert(4, g.plies[4].clone())),
        ("last ply missing", |g| drop(g.plies.pop())),
        ("a win", |g| g.outcome = Outcome::BlackWins),
        ("another reason", |g| g.end = EndReason::Sennichite),
        ("resigned after the end", |g| {
            let black_moves = g.plies.len().is_multiple_of(2);
            g.outcome = if black_moves { Outcome::WhiteWins } else { Outcome::BlackWins };
            g.end = EndReason::Resignation;
        }),
        ("aborted", |g| g.end = EndReason::Aborted),
        ("longer allowed", |g| g.rules.max_plies = Some(100)),
        ("shorter allowed", |g| g.rules.max_plies = Some(10)),
        ("no model", |g| g.models.clear()),
        ("one model", |g| drop(g.models.pop())),
        ("a hostile model", |g| g.models[0] = "../x".to_owned()),
        ("a hostile stream", |g| g.stream = "a/b".to_owned()),
        ("a draw value", |g| g.draw_values.jishogi = f32::NAN),
        ("a start", |g| g.start = "9/9 b - 1".to_owned()),
        ("another start", |g| g.start = START.replace(" b ", " w ")),
        ("visits", |g| g.plies.iter_mut().for_each(|ply| ply.root_visits = 0)),
        ("policies", |g| g.plies.iter_mut().for_each(|p| p.policy = StoredPolicy::EMPTY)),
        ("policies moved", |g| g.plies[0].raw_policy = g.plies[1].raw_policy.clone()),
    ];
    for (what, change) in changes {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(bad.validate().is_err(), "{what}");
    }
}

#[test]
fn the_loser_is_the_one_who_resigns() {
    let mut game = (0..)
        .map(|i| random_game("s", i, START))
        .find(|game| game.end == EndReason::Resignation && game.plies.len() % 2 == 1)
        .unwrap();
    assert_eq!(game.outcome, Outcome::BlackWins, "White was to move");
    game.validate().unwrap();
    for outcome in [Outcome::WhiteWins, Outcome::Draw] {
        game.outcome = outcome;
        assert!(matches!(game.validate(), Err(RecordError::End { .. })));
    }
}

#[test]
fn a_declared_end_is_one_by_the_rules() {
    let ends = |impasse: ImpasseRule, start: &str, reason: EndReason| {
        let mut game = short_game();
        game.plies.clear();
        game.start = start.to_owned();
        game.rules.max_plies = None;
        (game.rules.impasse, game.rules.declaration) = (impasse, Declaration::Manual);
        game.end = reason;
        let outcomes = [Outcome::BlackWins, Outcome::WhiteWins, Outcome::Draw];
        let holds = |&outcome: &Outcome| GameRecord { outcome, ..game.clone() }.validate().is_ok();
        outcomes.into_iter().filter(holds).collect::<Vec<_>>()
    };
    let one = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1";
    let both = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/4+p+p+p+p+p/3+p+p+p3/8k b 2R4S2b4g4n4l 1";
    let (black, white, draw) = (Outcome::BlackWins, Outcome::WhiteWins, Outcome::Draw);
    for (rule, start, reason, outcome) in [
        (ImpasseRule::Csa27, one, EndReason::NyugyokuDeclaration, black),
        (ImpasseRule::Csa24, one, EndReason::NyugyokuDeclaration, draw),
        (ImpasseRule::Csa27, both, EndReason::FailedDeclaration, white),
        (ImpasseRule::Jishogi24, both, EndReason::Jishogi, draw),
    ] {
        assert_eq!(ends(rule, start, reason), [outcome], "{rule} {reason}");
    }
    assert_eq!(ends(ImpasseRule::Csa27, one, EndReason::FailedDeclaration), []);
    assert_eq!(ends(ImpasseRule::Csa27, both, EndReason::Jishogi), []);
}
