//! A run in miniature: settings, games, and what a finished run left behind.

use keiko_encoding::EncodingId;
use keiko_model::{Activation, Architecture, Digest};
use keiko_network::{Device, HeadWeights, Optimiser, Precision};
use keiko_replay::{
    DataSettings, FastPlies, GameRecord, PlyRecord, ResignAudit, SearchKind, SearchValueSettings,
    ShardHeader, ShardWriter, StartSource, StoredPolicy, StoredWdl, WindowSettings, seed,
};
use keiko_shogi::{
    Color, Declaration, DrawValues, EndReason, Game, ImpasseRule, Move, MoveList, Outcome, Rules,
};
use keiko_store::{Sha256, Store};
use keiko_trainer::{Probe, Schedule, Settings, Setup};

const ENCODING: EncodingId = EncodingId::Dlshogi57;

const RULES: Rules = Rules {
    impasse: ImpasseRule::Csa27,
    declaration: Declaration::Manual,
    max_plies: Some(320),
    handicap: None,
};

const DRAWS: DrawValues = DrawValues { sennichite: 0.5, jishogi: 0.5, max_plies: 0.5 };

/// A small net, generations of at most `steps` steps.
pub(crate) fn setup(steps: u64) -> Setup {
    Setup {
        settings: Settings {
            device: Device::Cpu,
            precision: Precision::Fp32,
            threads: 1,
            optimiser: Optimiser::AdamW { beta1: 0.9, beta2: 0.99, epsilon: 1e-8 },
            batch_rows: 32,
            learning_rate: 5e-3,
            warm_up_steps: 3,
            schedule: Schedule::Constant,
            weight_decay: 1e-4,
            clip_norm: 10.0,
            value_loss_weight: 1.0,
            heads: HeadWeights::default(),
            ema_decay: 0.9,
            norm_refresh_batches: 2,
            max_steps_per_generation: steps,
            report_every_steps: 3,
            checkpoint_every_steps: 2,
            keep_checkpoints: 2,
            held_out_rows: 100,
            max_not_finite: 0,
        },
        replay: keiko_replay::Settings {
            window: WindowSettings::LastRows { min_rows: 200, max_rows: 100_000 },
            max_uses_per_row: 4.0,
            max_rows_per_game: 8,
            surprise_weight: 0.0,
            search_value: SearchValueSettings { weight: 0.25, start_step: 0, start_entry: 2 },
            drop_value_of: Vec::new(),
            fast_plies: FastPlies::Skip,
            mirror: true,
            held_out_modulus: 5,
            max_bad_games: 0,
            data: DataSettings { shuffle_rows: 300, centipawns_per_log_odds: 756.0 },
        },
        architecture: Architecture {
            encoding: ENCODING,
            blocks: 1,
            channels: 12,
            squeeze_excitation: 0,
            value_channels: 2,
            value_hidden: 8,
            activation: Activation::Relu,
        },
        seed: 17,
        run: "test".to_owned(),
        config_sha256: Digest::of(b"config"),
        branch: None,
        probes: vec![Probe {
            position: "startpos".to_owned(),
            row: vec![0; ENCODING.row_bytes()],
            labels: vec![59, 60],
        }],
        watchdog: keiko_network::Watchdog::default(),
    }
}

/// Publishes a shard of `count` random games as `stream`.
pub(crate) fn publish(store: &dyn Store, stream: &str, count: u64) {
    let header = ShardHeader {
        stream: stream.to_owned(),
        model: "random".to_owned(),
        encoding: ENCODING,
        config: Sha256::of(b"config"),
    };
    let mut writer = ShardWriter::new(header).unwrap();
    for index in 0..count {
        let record = random_game(stream, index);
        record.validate().unwrap();
        writer.push(&record).unwrap();
    }
    store
        .put_new(&format!("games/{stream}/000000.games"), &writer.finish().unwrap().bytes)
        .unwrap();
}

/// A game of random moves that ends by resignation. The policy to learn is the legal move with the
/// lowest bits.
fn random_game(stream: &str, index: u64) -> GameRecord {
    let game_seed = seed::derive(1, stream, index);
    let length = 20 + game_seed % 20;
    let mut game = Game::startpos(RULES);
    let mut plies = Vec::new();
    let mut moves = MoveList::new();
    while (plies.len() as u64) < length && game.end().is_none() {
        moves.clear();
        game.legal_moves(&mut moves);
        let number = seed::derive(game_seed, "move", plies.len() as u64) % moves.len() as u64;
        let mv = moves[number as usize];
        plies.push(PlyRecord {
            mv,
            model: 0,
            search: SearchKind::Full,
            raw_wdl: StoredWdl::DRAW,
            root_wdl: StoredWdl::from_shares([0.5, 0.25, 0.25]).unwrap(),
            root_visits: 1,
            policy: StoredPolicy::new(vec![(lowest(&moves), u16::MAX)]).unwrap(),
            raw_policy: StoredPolicy::EMPTY,
        });
        game.play(mv);
    }
    let (end, outcome) = match game.end() {
        Some(end) => (end.reason, end.outcome),
        None => (EndReason::Resignation, won_by(game.position().side_to_move().opponent())),
    };
    GameRecord {
        stream: stream.to_owned(),
        index,
        seed: game_seed,
        models: vec!["random".to_owned()],
        encoding: ENCODING,
        rules: RULES,
        draw_values: DRAWS,
        start_source: StartSource::Standard,
        start: Game::startpos(RULES).start_sfen(),
        outcome,
        end,
        resign_audit: ResignAudit::default(),
        plies,
    }
}

fn lowest(moves: &[Move]) -> Move {
    *moves.iter().min_by_key(|mv| mv.to_bits()).unwrap()
}

fn won_by(color: Color) -> Outcome {
    match color {
        Color::Black => Outcome::BlackWins,
        Color::White => Outcome::WhiteWins,
    }
}

/// What two runs of the same config and data have in common: metrics, candidates, models, and the
/// learner's last state.
pub(crate) fn results(store: &dyn Store) -> Vec<(String, Vec<u8>)> {
    let mut results = vec![("metrics".to_owned(), store.get("metrics.jsonl").unwrap())];
    for folder in ["candidates", "models"] {
        for key in store.list_after(folder, "").unwrap() {
            let bytes = store.get(&key).unwrap();
            results.push((key, bytes));
        }
    }
    let states = store.list_after("checkpoints", "").unwrap();
    let last = states.iter().rev().find(|key| key.ends_with("state.safetensors")).unwrap();
    results.push(("state".to_owned(), store.get(last).unwrap()));
    results
}
