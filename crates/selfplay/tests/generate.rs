//! Generations with a backend that is a pure function of the position.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

#[path = "generate/failures.rs"]
mod failures;
#[path = "generate/games.rs"]
mod games;
#[path = "generate/open.rs"]
mod open;
#[path = "generate/relabelled.rs"]
mod relabelled;
#[path = "generate/resigning.rs"]
mod resigning;
#[path = "generate/same_bytes.rs"]
mod same_bytes;
#[path = "generate/shards.rs"]
mod shards;
#[path = "generate/starts.rs"]
mod starts;
#[path = "generate/stored.rs"]
mod stored;

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use keiko_inference::{Backend, BackendError, EncodingId, Hashed};
use keiko_mcts::{GumbelSettings, SearchSettings};
use keiko_selfplay::{
    Allowance, Event, FastSearch, GenerateError, Generation, Growth, Opening, OpeningChoice,
    ReplayedDraws, Report, ResignAudit, Settings, ShardSink, Sources, Starts, Temperature,
    Thresholds, generate,
};
use keiko_shogi::{Declaration, DrawValues, ImpasseRule, Rules};
use shards::Shards;

const ENCODING: EncodingId = EncodingId::Keiko1;

const RULES: Rules = Rules {
    impasse: ImpasseRule::Csa27,
    declaration: Declaration::Manual,
    max_plies: Some(40),
    handicap: None,
};

const SETTINGS: Settings = Settings {
    workers: 1,
    groups: 3,
    games_per_group: 4,
    batch_shape: 16,
    shard_max_games: 5,
    max_ahead_games: 12,
    simulations: 4,
    growth: Growth::NONE,
    fast: FastSearch { probability: 0.5, simulations: 2 },
    temperature: Temperature { start: 1.0, end: 0.25, plies: 10 },
    opening: Opening { max_plies: 6, choice: OpeningChoice::Uniform, temperature: 1.0 },
    resignation: NOBODY,
    starts: Starts::ORDINARY,
    replayed_draws: ReplayedDraws::FIXED,
    jishogi_threshold: 0.05,
};

/// Nobody resigns.
const NOBODY: ResignAudit = ResignAudit {
    threshold: 0.0,
    turns: 1,
    played_out_share: 0.0,
    adapt: false,
    target_wrong: 0.05,
    min_audited: 100,
    audited_games: 1000,
    step: 0.01,
};

const SEARCH: SearchSettings = SearchSettings {
    mate_in_one: true,
    root_mate_nodes: 100,
    declaration: true,
    max_nodes: 1 << 10,
    gumbel: GumbelSettings { max_considered: 4, ..GumbelSettings::PAPER },
    ..SearchSettings::BARE
};

/// Games can only begin from the ordinary start.
static NOWHERE: LazyLock<Sources> = LazyLock::new(Sources::default);

fn hashed(_: usize) -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(Hashed::new(ENCODING, 3)))
}

/// What differs from one generation of the tests to the next.
struct Case<'a> {
    settings: Settings,
    search: SearchSettings,
    games: u64,
    run_seed: u64,
    sources: &'a Sources,
    /// Those of the settings if there are no others.
    thresholds: Option<Thresholds>,
    backend: &'a (dyn Fn(usize) -> Result<Box<dyn Backend>, BackendError> + Sync),
    /// Stops after this many shards.
    stop_after: Option<u64>,
    /// Which games may begin, and what happens when so many shards are there.
    allowance: Option<&'a Allowance>,
    at_shard: &'a dyn Fn(u64),
}

impl Default for Case<'_> {
    fn default() -> Self {
        Self {
            settings: SETTINGS,
            search: SEARCH,
            games: 23,
            run_seed: 1,
            sources: &NOWHERE,
            thresholds: None,
            backend: &hashed,
            stop_after: None,
            allowance: None,
            at_shard: &|_| (),
        }
    }
}

/// Plays what `shards` does not hold yet.
fn run(case: &Case<'_>, shards: &mut Shards) -> Result<Report, GenerateError> {
    let published = shards.numbers();
    run_into(case, &published, shards)
}

/// Plays the games whose shards are not in `published`.
fn run_into(
    case: &Case<'_>,
    published: &BTreeSet<u64>,
    sink: &mut dyn ShardSink,
) -> Result<Report, GenerateError> {
    let generation = Generation {
        stream: "gen-000001",
        games: 0..case.games,
        allowance: case.allowance,
        run_seed: case.run_seed,
        model: "hashed-3",
        rules: RULES,
        draw_values: DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 },
        settings: &case.settings,
        search: &case.search,
        sources: case.sources,
        thresholds: case.thresholds.unwrap_or(Thresholds::all(case.settings.resignation.threshold)),
        published,
    };
    let stop = AtomicBool::new(false);
    let mut seen = 0;
    let mut observe = |event| {
        if matches!(event, Event::Shard { .. }) {
            seen += 1;
            (case.at_shard)(seen);
        }
        if case.stop_after.is_some_and(|after| seen >= after) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    generate(&generation, case.backend, sink, &mut observe, &stop)
}

/// The shards of a whole generation.
fn played(case: &Case<'_>) -> Shards {
    let mut shards = Shards::default();
    let report = run(case, &mut shards).unwrap();
    assert!(!report.stopped);
    shards
}
