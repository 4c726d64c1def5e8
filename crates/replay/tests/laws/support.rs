//! Random games and stores of them.

use keiko_encoding::EncodingId;
use keiko_replay::{
    DataSettings, FastPlies, GameRecord, IngestEntry, IngestLog, IngestedShard, PlyRecord,
    ResignAudit, SearchKind, SearchValueSettings, Settings, ShardHeader, ShardWriter, StartSource,
    StoredPolicy, StoredWdl, Window, WindowSettings, seed,
};
use keiko_shogi::{
    Declaration, DrawValues, EndReason, Game, ImpasseRule, Move, MoveList, Outcome, Position, Rules,
};
use keiko_store::{LocalStore, Sha256, Store};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tempfile::TempDir;

pub(crate) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// A record with random moves and random search results, ended by resignation or by its maximum of
/// plies, which is even or odd.
pub(crate) fn random_game(stream: &str, index: u64, start: &str) -> GameRecord {
    let seed = seed::derive(1, stream, index);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let max_plies = 20 + (rng.next_u64() % 8) as u16;
    let rules = Rules {
        impasse: ImpasseRule::Csa27,
        declaration: Declaration::Automatic,
        max_plies: Some(max_plies),
        handicap: None,
    };
    let resigns_at = rng.next_u64() % 35;
    let (position, move_number) = Position::from_sfen(start).unwrap();
    let mut game = Game::new(position, move_number, rules);
    let mut plies = Vec::new();
    let (outcome, end) = loop {
        if let Some(end) = game.end() {
            break (end.outcome, end.reason);
        }
        if plies.len() as u64 == resigns_at {
            let loser = game.position().side_to_move();
            break (Outcome::win_for(loser.opponent()), EndReason::Resignation);
        }
        let mut legal = MoveList::new();
        game.legal_moves(&mut legal);
        let ply = random_ply(&mut rng, &legal);
        game.play(ply.mv);
        plies.push(ply);
    };
    GameRecord {
        stream: stream.to_owned(),
        index,
        seed,
        models: vec!["a".to_owned(), "b".to_owned()],
        encoding: EncodingId::Dlshogi57,
        rules,
        draw_values: DrawValues { sennichite: 0.5, jishogi: 0.25, max_plies: 0.5 },
        start_source: source_of(index),
        start: start.to_owned(),
        outcome,
        end,
        resign_audit: ResignAudit { played_on: true, black_ply: Some(17), white_ply: None },
        plies,
    }
}

/// Games with an odd number go on from one of the stream `x` with the same number.
fn source_of(index: u64) -> StartSource {
    let stream = "x".to_owned();
    match index % 4 {
        1 => StartSource::Branch { stream, index, ply: 3 },
        3 => StartSource::BeforeEnd { stream, index, ply: 3 },
        _ => StartSource::Standard,
    }
}

fn random_ply(rng: &mut impl Rng, legal: &[Move]) -> PlyRecord {
    let below = |rng: &mut dyn Rng, limit: usize| (rng.next_u64() % limit as u64) as usize;
    let search = [SearchKind::None, SearchKind::Fast, SearchKind::Full, SearchKind::Full];
    let search = search[below(rng, 4)];
    let searched = search != SearchKind::None;
    PlyRecord {
        mv: legal[below(rng, legal.len())],
        model: below(rng, 2) as u16,
        search,
        raw_wdl: random_wdl(rng),
        root_wdl: random_wdl(rng),
        root_visits: if searched { 16 } else { 0 },
        policy: if searched { random_policy(rng, legal) } else { StoredPolicy::EMPTY },
        raw_policy: random_policy(rng, legal),
    }
}

fn random_wdl(rng: &mut impl Rng) -> StoredWdl {
    let parts = [0; 3].map(|_| (rng.next_u64() >> 40) as f32 + 1.0);
    let sum: f32 = parts.iter().sum();
    StoredWdl::from_shares(parts.map(|part| part / sum)).unwrap()
}

fn random_policy(rng: &mut impl Rng, legal: &[Move]) -> StoredPolicy {
    let parts: Vec<_> = legal.iter().map(|&mv| (mv, (rng.next_u64() >> 40) as f32 + 1.0)).collect();
    let sum: f32 = parts.iter().map(|&(_, part)| part).sum();
    let shares: Vec<_> = parts.iter().map(|&(mv, part)| (mv, part / sum)).collect();
    StoredPolicy::from_shares(&shares).unwrap()
}

pub(crate) fn header(stream: &str) -> ShardHeader {
    ShardHeader {
        stream: stream.to_owned(),
        model: "a".to_owned(),
        encoding: EncodingId::Dlshogi57,
        config: Sha256::of(b"config"),
    }
}

/// A store with one shard of random games for each number, and one entry of the ingest log a shard.
pub(crate) fn run_of(games_of_shards: &[u64]) -> (TempDir, LocalStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    let log = IngestLog::new(&store);
    for (number, &games) in (0_u32..).zip(games_of_shards) {
        let stream = format!("gen-{number:04}");
        let mut shard = ShardWriter::new(header(&stream)).unwrap();
        for index in 0..games {
            shard.push(&random_game(&stream, index, START)).unwrap();
        }
        let shard = shard.finish().unwrap();
        let key = format!("games/{stream}/000000.games");
        store.put_new(&key, &shard.bytes).unwrap();
        let line = IngestedShard::of_finished(&key, &stream, &shard);
        log.append(number, &IngestEntry { shards: vec![line] }).unwrap();
    }
    (dir, store)
}

pub(crate) fn settings() -> Settings {
    Settings {
        window: WindowSettings::PowerLaw {
            min_rows: 100,
            max_rows: 100_000,
            exponent: 0.65,
            growth: 0.4,
        },
        max_uses_per_row: 4.0,
        max_rows_per_game: 4,
        surprise_weight: 0.0,
        search_value: SearchValueSettings { weight: 0.25, start_step: 0, start_entry: 0 },
        drop_value_of: vec![EndReason::MaxPlies],
        fast_plies: FastPlies::ValueOnly,
        mirror: true,
        held_out_modulus: 5,
        max_bad_games: 0,
        data: DataSettings { shuffle_rows: 300, centipawns_per_log_odds: 756.0 },
    }
}

pub(crate) fn window_of(store: &dyn Store, settings: Settings) -> Window {
    let mut window = Window::new(settings, EncodingId::Dlshogi57).unwrap();
    window.advance(store, IngestLog::new(store).len().unwrap()).unwrap();
    window
}
