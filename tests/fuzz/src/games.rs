//! Recorded games of self-play: one record, and shards of them.

use std::sync::OnceLock;

use keiko_encoding::EncodingId;
use keiko_replay::{
    GameRecord, MAX_BLOCK_BYTES, MAX_RECORD_BYTES, PlyRecord, ResignAudit, SearchKind, ShardHeader,
    ShardReader, ShardWriter, StartSource, StoredPolicy, StoredWdl,
};
use keiko_shogi::{
    Declaration, DrawValues, EndReason, ImpasseRule, Move, Outcome, Position, Rules,
};
use keiko_store::Sha256;

use super::{edit, memory};

/// What the decoder of a record may take for lengths that the bytes only state.
const RECORD_MEMORY: usize = 2 * MAX_RECORD_BYTES + (1 << 20);

/// Reads `data` as a record: 0 and changes to one, or anything else and one.
///
/// # Panics
/// Where other bytes are written than were read, or reading takes more memory than it may.
pub fn record(data: &[u8]) {
    static RECORD: OnceLock<Vec<u8>> = OnceLock::new();
    let whole = RECORD.get_or_init(|| honest(3).to_bytes().expect("a small record"));
    let bytes = edit::bytes(data, &[whole]);
    let limit = RECORD_MEMORY + 20 * bytes.len();
    let Ok(read) = memory::below(limit, || GameRecord::from_bytes(&bytes)) else {
        assert_ne!(data, [0], "a record that nothing is done to");
        return;
    };
    assert_eq!(read.to_bytes().expect("it was short enough"), bytes);
    if let Err(error) = memory::within(bytes.len(), 100, || read.validate()) {
        assert_ne!(data, [0], "{error}");
        return;
    }
    let mut game = read.start_game().expect("a valid start");
    for ply in &read.plies {
        assert!(game.position().is_legal(ply.mv), "{}", ply.mv);
        game.play(ply.mv);
    }
    let shard = written(header(&read), std::slice::from_ref(&read));
    let shard = ShardReader::open(&shard).expect("a shard of ours");
    let games = shard.read_all().expect("blocks of ours");
    let [Ok(again)] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(again, &read);
}

/// Reads `data` as a shard: 0 and changes to one, 1 and changes to the records of one, which go into a block whose
/// lengths and checksums are right, or anything else and a shard.
///
/// # Panics
/// Where the round trip fails, or reading takes more memory than it may.
pub fn shard(data: &[u8]) {
    static SHARD: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    let (whole, raw) = SHARD.get_or_init(|| {
        let games = [honest(3), honest(4)];
        let mut raw = Vec::new();
        for game in &games {
            let bytes = game.to_bytes().expect("a small record");
            raw.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            raw.extend_from_slice(&bytes);
        }
        (written(header(&games[0]), &games), raw)
    });
    let mut file = edit::bytes(data, &[whole, raw]);
    if data.first() == Some(&1) {
        file = framed(whole, &file);
    }
    // Records are read on every core.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let limit = MAX_BLOCK_BYTES + cores * RECORD_MEMORY + 100 * file.len();
    memory::below(limit, || {
        let Ok(shard) = ShardReader::open(&file) else { return };
        (0..shard.blocks()).for_each(|block| drop(shard.read_block(block)));
    });
    let honest = data == [0] || data == [1];
    let Ok(shard) = ShardReader::open(&file) else {
        assert!(!honest, "a shard that nothing is done to");
        return;
    };
    let games: Vec<GameRecord> = shard.read_all().into_iter().flatten().flatten().collect();
    if games.len() != shard.summary().games as usize {
        assert!(!honest, "a shard that nothing is done to");
        return;
    }
    let again = written(shard.header().clone(), &games);
    let again = ShardReader::open(&again).expect("a shard of ours");
    assert_eq!(again.header(), shard.header());
    assert_eq!(again.summary(), shard.summary());
    let read: Result<Vec<GameRecord>, _> =
        again.read_all().expect("blocks of ours").into_iter().collect();
    assert_eq!(read.expect("games of ours"), games);
}

/// A shard of one block, `raw`, between header and footer of another.
fn framed(whole: &[u8], raw: &[u8]) -> Vec<u8> {
    const FOOTER: usize = 36 + 16;
    let header = 16 + usize::from(u16::from_le_bytes([whole[10], whole[11]]));
    let packed = zstd::bulk::compress(raw, 1).expect("memory");
    let fields = [2, raw.len() as u32, packed.len() as u32].map(u32::to_le_bytes).concat();
    let checksum = crc32fast::hash(&[fields.as_slice(), &packed].concat());
    let footer = &whole[whole.len() - FOOTER..];
    [&whole[..header], &fields, &checksum.to_le_bytes(), &packed, footer].concat()
}

fn header(game: &GameRecord) -> ShardHeader {
    ShardHeader {
        stream: game.stream.clone(),
        model: "net".to_owned(),
        encoding: game.encoding,
        config: Sha256::of(b"config"),
    }
}

fn written(header: ShardHeader, games: &[GameRecord]) -> Vec<u8> {
    let mut writer = ShardWriter::new(header).expect("plain names");
    games.iter().for_each(|game| writer.push(game).expect("games of the shard"));
    writer.finish().expect("games").bytes
}

/// A game of four plies, searched in every way, that ends by resignation.
fn honest(index: u64) -> GameRecord {
    let mv = |text: &str| -> Move { text.parse().expect("a move") };
    let wdl = StoredWdl::from_shares([0.5, 0.25, 0.25]).expect("shares");
    let plies = [
        ("7g7f", SearchKind::None),
        ("3c3d", SearchKind::Fast),
        ("8h2b+", SearchKind::Full),
        ("3a2b", SearchKind::Full),
    ];
    let plies = plies.map(|(text, search)| {
        let mv = mv(text);
        let policy = StoredPolicy::from_shares(&[(mv, 1.0)]).expect("a share");
        let searched = search != SearchKind::None;
        PlyRecord {
            mv,
            model: 0,
            search,
            raw_wdl: wdl,
            root_wdl: wdl,
            root_visits: if searched { 16 } else { 0 },
            policy: if searched { policy.clone() } else { StoredPolicy::EMPTY },
            raw_policy: policy,
        }
    });
    GameRecord {
        stream: "gen-0000".to_owned(),
        index,
        seed: 7,
        models: vec!["net".to_owned()],
        encoding: EncodingId::Dlshogi57,
        rules: Rules {
            impasse: ImpasseRule::Csa27,
            declaration: Declaration::Automatic,
            max_plies: Some(320),
            handicap: None,
        },
        draw_values: DrawValues::HALF,
        start_source: StartSource::Branch { stream: "x".to_owned(), index: 7, ply: 0 },
        start: Position::startpos().to_sfen(1),
        outcome: Outcome::WhiteWins,
        end: EndReason::Resignation,
        resign_audit: ResignAudit { played_on: false, black_ply: Some(4), white_ply: None },
        plies: plies.to_vec(),
    }
}
