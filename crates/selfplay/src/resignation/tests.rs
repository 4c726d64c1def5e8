use keiko_replay::{
    GameRecord, PlyRecord, ResignAudit as Noted, SearchKind, StartSource, StoredPolicy, StoredWdl,
};
use keiko_shogi::{
    Color, Declaration, DrawValues, EndReason, Game, ImpasseRule, Outcome, Position, Rules,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::audit::{AuditedGame, AuditedTurn};
use super::watch::may_resign;
use super::{Audit, GameClass, LONG_PLIES, Thresholds, Watch};
use crate::settings::ResignAudit;

const ADAPTING: ResignAudit = ResignAudit {
    threshold: 0.3,
    turns: 2,
    played_out_share: 0.25,
    adapt: true,
    target_wrong: 0.05,
    min_audited: 200,
    audited_games: 6000,
    step: 0.02,
};

/// A game of one class in which Black is the worse for good: its score falls to `least` and stays there.
fn game(class: GameClass, least: f32, black_loses: bool) -> AuditedGame {
    let outcome = if black_loses { Outcome::WhiteWins } else { Outcome::Draw };
    let scores = [0.5, 0.6 * least + 0.2, least, least, least];
    let turns = scores.into_iter().flat_map(|score| {
        [(Color::Black, score), (Color::White, 1.0 - score)].map(|(side, score)| AuditedTurn {
            side,
            class,
            score: Some(score),
        })
    });
    AuditedGame { turns: turns.collect(), outcome }
}

/// A stream of games in which a side that comes down to the score `s` in a class does not lose with probability
/// `curve(class) * s`. Low scores are frequent: s = u^3 / 2, with u from 0 to 1 all equally likely, so that below a
/// threshold t a share of `curve * t / 4` is wrong.
struct Stream {
    rng: Xoshiro256PlusPlus,
    newest: Vec<AuditedGame>,
}

impl Stream {
    fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), newest: Vec::new() }
    }

    /// Plays a generation; returns the share of wrong ones among the resignations of each class, in all its games,
    /// and adds a quarter of them to the audit.
    fn generation(
        &mut self,
        curve: impl Fn(GameClass) -> f32,
        thresholds: &Thresholds,
    ) -> [Option<f64>; 3] {
        let games: Vec<AuditedGame> = (0..8000)
            .map(|_| {
                let class = match self.rng.random_range(0..10) {
                    0 | 1 => GameClass::EnteringKing,
                    2 | 3 => GameClass::Long,
                    _ => GameClass::Normal,
                };
                let least = 0.5 * self.rng.random::<f32>().powi(3);
                let comes_back = self.rng.random::<f32>() < curve(class) * least;
                game(class, least, !comes_back)
            })
            .collect();
        let mut all = Audit { games };
        let shares = GameClass::ALL.map(|class| {
            let counts = all.counts(class, thresholds, ADAPTING.turns);
            (counts.would_resign > 0).then(|| counts.wrong as f64 / counts.would_resign as f64)
        });
        all.games.truncate(2000);
        self.newest.splice(0..0, all.games);
        self.newest.truncate(ADAPTING.audited_games as usize);
        shares
    }

    fn next(&mut self, previous: &Thresholds) -> Thresholds {
        let audit = Audit { games: std::mem::take(&mut self.newest) };
        let thresholds = Thresholds::next(&ADAPTING, previous, &audit);
        self.newest = audit.games;
        thresholds
    }
}

/// At most this share of wrong ones is seen by chance where less than 5 % are wrong, in some thousand games.
const SEEN: f64 = 0.07;

#[test]
fn thresholds_rise_slowly_keep_to_the_target_and_recover_when_the_games_change() {
    for seed in 1..=5 {
        let mut stream = Stream::new(seed);
        let mut thresholds = Thresholds::NEVER;
        let easy = |class| [1.0, 2.0, 3.0][class as usize];
        for generation in 0..30 {
            let shares = stream.generation(easy, &thresholds);
            for (class, share) in GameClass::ALL.into_iter().zip(shares) {
                let bound = if generation < 10 { 0.12 } else { SEEN };
                assert!(
                    share.is_none_or(|share| share <= bound),
                    "{generation} {class:?} {share:?}"
                );
            }
            let before = std::mem::replace(&mut thresholds, Thresholds::NEVER);
            thresholds = stream.next(&before);
            for class in GameClass::ALL {
                let (old, new) = (before.of(class), thresholds.of(class));
                let rises = old > 0.0 && new > old + ADAPTING.step + 0.005;
                assert!(!rises, "{generation} {class:?}: {old} to {new}");
            }
        }
        // Exactly 5 % are wrong at 0.2 and, in the other classes, at 0.1 and 0.067; the bound stays below.
        assert!((0.1..0.2).contains(&thresholds.normal), "{thresholds:?}");
        assert!((0.03..0.1).contains(&thresholds.long), "{thresholds:?}");
        assert!((0.02..0.067).contains(&thresholds.entering_king), "{thresholds:?}");
        let hard = |class| [4.0, 2.0, 3.0][class as usize];
        let too_high = stream.generation(hard, &thresholds)[0].expect("resignations");
        assert!(too_high > 0.08, "the change is felt: {too_high}");
        for _ in 0..3 {
            thresholds = stream.next(&thresholds);
            stream.generation(hard, &thresholds);
        }
        thresholds = stream.next(&thresholds);
        let share = stream.generation(hard, &thresholds)[0];
        assert!(share.is_none_or(|share| share <= SEEN), "{share:?} at {thresholds:?}");
        assert!(thresholds.normal < 0.05 + 0.005, "{thresholds:?}");
        for _ in 0..15 {
            stream.generation(easy, &thresholds);
            thresholds = stream.next(&thresholds);
        }
        assert!((0.1..0.2).contains(&thresholds.normal), "it rises again: {thresholds:?}");
    }
}

#[test]
fn nobody_resigns_before_enough_games_were_played_out_or_where_too_many_were_wrong() {
    let audit = |right: usize, wrong: usize| Audit {
        games: (0..right + wrong).map(|i| game(GameClass::Normal, 0.001, i < right)).collect(),
    };
    let normal = |audit: &Audit| {
        let thresholds = Thresholds::next(&ADAPTING, &Thresholds::all(0.1), audit);
        assert!(thresholds.long == 0.0 && thresholds.entering_king == 0.0, "{thresholds:?}");
        thresholds.normal
    };
    assert!(normal(&Audit::default()) == 0.0);
    assert!(normal(&audit(199, 0)) == 0.0);
    assert!(normal(&audit(200, 0)) > 0.1);
    // 95 % confidence of less than 5 % of 200 or more: at most 4 of 200, and at most 5 of 208.
    assert!(normal(&audit(196, 4)) > 0.1);
    assert!(normal(&audit(195, 5)) == 0.0);
    let fixed = ResignAudit { adapt: false, ..ADAPTING };
    assert_eq!(Thresholds::next(&fixed, &Thresholds::NEVER, &audit(0, 9)), Thresholds::all(0.3));
}

#[test]
fn a_threshold_falls_at_once_and_rises_by_a_step() {
    // Right below 0.05, always wrong from there on.
    let games = (0..2000).map(|i| {
        let least = i as f32 / 2000.0 * 0.2;
        game(GameClass::Long, least, least < 0.05)
    });
    let audit = Audit { games: games.collect() };
    let next = |previous: f32| Thresholds::next(&ADAPTING, &Thresholds::all(previous), &audit).long;
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-6, "{found}");
    near(next(0.3), 0.05);
    near(next(0.05), 0.05);
    near(next(0.02), 0.04);
    // 200 games are below 0.02 first.
    near(next(0.0), 0.02);
}

/// What counts for a class depends on the thresholds of those before it.
#[test]
fn a_game_is_resigned_in_the_class_that_it_has_then() {
    let mut turns = game(GameClass::Normal, 0.2, true).turns;
    turns.extend(game(GameClass::Long, 0.01, true).turns);
    let audit = Audit { games: vec![AuditedGame { turns, outcome: Outcome::WhiteWins }] };
    let counted = |normal: f32, long: f32| {
        let thresholds = Thresholds { normal, long, entering_king: 0.0 };
        GameClass::ALL.map(|class| audit.counts(class, &thresholds, 2).would_resign)
    };
    assert_eq!(counted(0.1, 0.1), [0, 1, 0]);
    assert_eq!(counted(0.25, 0.1), [1, 0, 0]);
    assert_eq!(counted(0.1, 0.0), [0; 3]);
}

fn rules(impasse: ImpasseRule) -> Rules {
    Rules { impasse, declaration: Declaration::Automatic, ..Rules::STANDARD }
}

fn at(sfen: &str, impasse: ImpasseRule) -> Game {
    Game::new(Position::from_sfen(sfen).expect("a position").0, 1, rules(impasse))
}

#[test]
fn nobody_resigns_while_a_king_is_in_the_enemy_camp_unless_it_loses_the_count_under_jishogi24() {
    // Black's king has entered, White's has not, and either is to move; 27 points each, then 22 for Black.
    let inside = "4K4/9/4k4/9/9/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1";
    let poor = "4K4/9/4k4/9/9/9/9/9/9 b R2G2S2N2L9Pr2b2g2s2n2l9p 1";
    let side = |sfen: &str, side: &str| sfen.replace(" b ", &format!(" {side} "));
    for impasse in ImpasseRule::ALL {
        let is_counted = impasse == ImpasseRule::Jishogi24;
        for turn in ["b", "w"] {
            assert!(!may_resign(&at(&side(inside, turn), impasse)), "{impasse} {turn}");
        }
        assert_eq!(may_resign(&at(&side(poor, "b"), impasse)), is_counted, "{impasse}");
        assert!(!may_resign(&at(&side(poor, "w"), impasse)), "{impasse}: 32 points");
    }
    // The opponent's king counts as one's own, and where neither has entered nothing stands in the way.
    let white_inside = "9/9/9/9/9/4K4/9/9/4k4 b R2G2S2N2L9Pr2b2g2s2n2l9p 1";
    assert!(!may_resign(&at(white_inside, ImpasseRule::Csa27)));
    assert!(may_resign(&at(white_inside, ImpasseRule::Jishogi24)));
    let neither = "9/9/9/4k4/9/4K4/9/9/9 b R2G2S2N2L9Pr2b2g2s2n2l9p 1";
    assert!(may_resign(&at(neither, ImpasseRule::Csa27)));
}

/// Turns on which nobody may resign count as none, also for what comes after them.
#[test]
fn lost_turns_are_counted_anew_after_a_king_has_left_the_camp() {
    let mut game = at("9/9/3K5/9/9/4k4/9/9/9 b 2R2B4G4S4N4L18P 1", ImpasseRule::Csa27);
    let mut watch = Watch::new(&game);
    let thresholds = Thresholds { normal: 0.0, long: 0.0, entering_king: 0.1 };
    let mut resigned = Vec::new();
    for mv in ["6c6d", "5f4f", "6d7d", "4f5f", "7d6d", "5f4f", "6d7d", "4f5f"] {
        let side = game.position().side_to_move();
        assert_eq!(watch.class(&game), GameClass::EnteringKing);
        let score = if side == Color::Black { 0.01 } else { 0.99 };
        if watch.resigns(&game, score, &thresholds, 2) {
            resigned.push(game.ply());
        }
        game.play(mv.parse().expect("a move"));
        watch.see(&game);
    }
    assert_eq!(resigned, [4, 6], "from the second turn outside on");
}

#[test]
fn a_game_is_long_by_its_plies_and_entering_for_good() {
    let mut game = at("9/9/9/3K5/9/4k4/9/9/9 b 2R2B4G4S4N4L18P 1", ImpasseRule::None);
    let mut watch = Watch::new(&game);
    let round = ["6d7d", "5f4f", "7d6d", "4f5f"];
    for ply in 0..LONG_PLIES {
        assert_eq!(watch.class(&game), GameClass::Normal, "{ply}");
        game.play(round[ply as usize % 4].parse().expect("a move"));
        watch.see(&game);
    }
    assert_eq!(watch.class(&game), GameClass::Long);
    for mv in ["6d6c", "5f4f", "6c6d"] {
        game.play(mv.parse().expect("a move"));
        watch.see(&game);
    }
    assert_eq!(watch.class(&game), GameClass::EnteringKing);
    assert_eq!(Watch::new(&game).class(&game), GameClass::EnteringKing, "from its moves alone");
}

/// A record with a score of each side to move; all plies searched.
fn record(start: &str, impasse: ImpasseRule, plies: &[(&str, f32)], played_on: bool) -> GameRecord {
    let score = |score: f32| StoredWdl::from_shares([score, 0.0, 1.0 - score]).expect("shares");
    let plies = plies.iter().map(|&(mv, it)| PlyRecord {
        mv: mv.parse().expect("a move"),
        model: 0,
        search: SearchKind::Fast,
        raw_wdl: StoredWdl::DRAW,
        root_wdl: score(it),
        root_visits: 1,
        policy: StoredPolicy::EMPTY,
        raw_policy: StoredPolicy::EMPTY,
    });
    GameRecord {
        stream: "s".to_owned(),
        index: 0,
        seed: 0,
        models: vec!["net".to_owned()],
        encoding: keiko_inference::EncodingId::Keiko1,
        rules: rules(impasse),
        draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 },
        start_source: StartSource::Standard,
        start: start.to_owned(),
        outcome: Outcome::BlackWins,
        end: EndReason::Resignation,
        resign_audit: Noted { played_on, black_ply: None, white_ply: None },
        plies: plies.collect(),
    }
}

#[test]
fn the_exception_under_jishogi24_is_audited() {
    let start = "9/9/3K5/9/9/4k4/9/9/9 b R2G2S2N2L9Pr2b2g2s2n2l9p 1";
    let lost = [("6c6b", 0.01), ("5f4f", 0.99), ("6b6c", 0.01), ("4f5f", 0.99)];
    let thresholds = Thresholds::all(0.1);
    let counted = |impasse, played_on| {
        let mut audit = Audit::default();
        audit.add(&record(start, impasse, &lost, played_on));
        GameClass::ALL.map(|class| {
            let counts = audit.counts(class, &thresholds, 1);
            (counts.would_resign, counts.wrong)
        })
    };
    // Black has 22 points, its king is inside, and it won in the end.
    assert_eq!(counted(ImpasseRule::Jishogi24, true), [(0, 0), (0, 0), (1, 1)]);
    assert_eq!(counted(ImpasseRule::Jishogi24, false), [(0, 0); 3], "it was not played out");
    assert_eq!(counted(ImpasseRule::Csa27, true), [(0, 0); 3], "nobody may resign");
}
