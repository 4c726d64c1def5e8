//! Shards: round trip, layout, damage.

use keiko_replay::{GameRecord, MAX_BLOCK_BYTES, ShardError, ShardReader, ShardWriter};

use crate::support::{START, header, random_game};

fn games(count: u64) -> Vec<GameRecord> {
    (0..count).map(|i| random_game("s", 3 * i + 1, START)).collect()
}

fn shard_of(games: &[GameRecord]) -> Vec<u8> {
    let mut shard = ShardWriter::new(header("s")).unwrap();
    for game in games {
        shard.push(game).unwrap();
    }
    shard.finish().unwrap().bytes
}

fn read(bytes: &[u8]) -> Result<Vec<GameRecord>, ShardError> {
    Ok(ShardReader::open(bytes)?.read_all()?.into_iter().map(Result::unwrap).collect())
}

#[test]
fn games_come_back_in_blocks_of_64() {
    let games = games(150);
    let bytes = shard_of(&games);
    assert_eq!(bytes, shard_of(&games), "the same games give the same bytes");
    let shard = ShardReader::open(&bytes).unwrap();
    assert_eq!(*shard.header(), header("s"));
    assert_eq!(shard.blocks(), 3);
    let summary = shard.summary();
    assert_eq!((summary.games, summary.first_index, summary.last_index), (150, 1, 448));
    let full = games.iter().map(|g| g.plies_searched(keiko_replay::SearchKind::Full)).sum::<u32>();
    assert_eq!(summary.full_plies, u64::from(full));
    assert_eq!(read(&bytes).unwrap(), games);
    assert!(matches!(shard.read_block(3), Err(ShardError::NoBlock(3))));
}

#[test]
fn the_frame_is_these_bytes() {
    let bytes = shard_of(&games(1));
    let mut head = b"KEIKOGMS\x01\x00\x2f\x00\x01s\x01a\x0adlshogi-57".to_vec();
    head.extend(keiko_store::Sha256::of(b"config").as_bytes());
    head.extend(crc32fast::hash(&head).to_le_bytes());
    assert_eq!(bytes[..head.len()], head);
    let block = &bytes[head.len()..bytes.len() - 52];
    let word = |at: usize| u32::from_le_bytes(block[at..at + 4].try_into().unwrap());
    assert_eq!(word(0), 1, "games");
    let raw = zstd::bulk::decompress(&block[16..], word(4) as usize).unwrap();
    let record = games(1)[0].to_bytes().unwrap();
    assert_eq!(raw[..4], u32::try_from(record.len()).unwrap().to_le_bytes());
    assert_eq!(raw[4..], record);
    assert_eq!(word(8) as usize, block.len() - 16);
    let covered = [&block[..12], &block[16..]].concat();
    assert_eq!(word(12), crc32fast::hash(&covered));
    let foot = &bytes[bytes.len() - 52..];
    assert_eq!(foot[..8], (head.len() as u64).to_le_bytes());
    assert_eq!(foot[36..40], [1, 0, 0, 0]);
    assert_eq!(foot[40..44], crc32fast::hash(&foot[..40]).to_le_bytes());
    assert_eq!(&foot[44..], b"KEIKOEND");
}

#[test]
fn every_truncation_and_every_flipped_bit_is_found() {
    let whole = shard_of(&games(2));
    for len in 0..whole.len() {
        assert!(read(&whole[..len]).is_err(), "{len} bytes");
        assert!(read(&whole[len + 1..]).is_err(), "without the first {len}");
    }
    let mut bytes = whole.clone();
    for byte in 0..bytes.len() {
        for bit in 0..8 {
            bytes[byte] ^= 1 << bit;
            assert!(read(&bytes).is_err(), "bit {bit} of byte {byte}");
            bytes[byte] ^= 1 << bit;
        }
    }
    assert_eq!(bytes, whole);
    let longer = [whole.as_slice(), b"x"].concat();
    assert!(read(&longer).is_err());
}

#[test]
fn a_block_that_unpacks_to_more_or_less_than_it_says_is_refused() {
    let bytes = shard_of(&games(1));
    let head = 12 + 0x2f + 4;
    let pack = |zeros: usize| zstd::bulk::compress(&vec![0; zeros], 3).unwrap();
    let read_of = |packed: &[u8], raw_len: u32| {
        let mut block = Vec::new();
        for field in [1, raw_len, packed.len() as u32] {
            block.extend(field.to_le_bytes());
        }
        let covered = [block.as_slice(), packed].concat();
        block.extend(crc32fast::hash(&covered).to_le_bytes());
        block.extend(packed);
        let bad = [&bytes[..head], &block, &bytes[bytes.len() - 52..]].concat();
        ShardReader::open(&bad).unwrap().read_block(0).unwrap_err()
    };
    let bomb = pack(100 << 20);
    let read = |raw_len| read_of(&bomb, raw_len);
    let most = u32::try_from(MAX_BLOCK_BYTES).unwrap();
    assert!(matches!(read(10), ShardError::Unpack(0)));
    assert!(matches!(read(most), ShardError::Unpack(0)));
    assert!(matches!(read(most + 1), ShardError::Layout("block")));
    assert!(matches!(read(u32::MAX), ShardError::Layout("block")));
    let less = read_of(&pack(40), 41);
    assert!(matches!(less, ShardError::Unpack(0)), "{less}");
}

/// Footers under a right checksum that lie about their blocks.
#[test]
fn footers_are_not_believed() {
    let whole = shard_of(&games(130));
    let footer = whole.len() - 16 - 3 * 36;
    let changed = |field: usize, value: u64, width: usize| {
        let mut bytes = whole.clone();
        bytes[footer + field..footer + field + width]
            .copy_from_slice(&value.to_le_bytes()[..width]);
        let end = bytes.len() - 12;
        let checksum = crc32fast::hash(&bytes[footer..end]);
        bytes[end..end + 4].copy_from_slice(&checksum.to_le_bytes());
        bytes
    };
    let word = |field: usize| {
        u64::from(u32::from_le_bytes(whole[footer + field..footer + field + 4].try_into().unwrap()))
    };
    assert!(read(&changed(8, 64, 4)).is_ok(), "unchanged");
    let in_itself = [
        ("offset of the first block", 0, 1, 8),
        ("offset of the second block again", 72, word(36), 8),
        ("offset at the end", 72, footer as u64, 8),
        ("offset beyond the end", 72, u64::MAX, 8),
        ("no games", 8, 0, 4),
        ("too many games", 8, 65, 4),
        ("first index after the last", 20, 1000, 8),
        ("last index in the next block", 28, 193, 8),
    ];
    for (what, field, value, width) in in_itself {
        let bytes = changed(field, value, width);
        let error = ShardReader::open(&bytes).unwrap_err();
        assert!(matches!(error, ShardError::Layout("footer")), "{what}: {error}");
    }
    let of_the_blocks = [
        ("offset of the second block", 36, word(36) + 1, 8),
        ("games", 8, 63, 4),
        ("full plies", 12, word(12) + 1, 4),
        ("fast plies", 16, word(16) - 1, 4),
        ("first index above the first game's", 20, 2, 8),
        ("last index below the last game's", 28, 189, 8),
        ("number of blocks", 108, 2, 4),
        ("number of blocks", 108, 4, 4),
        ("number of blocks", 108, u64::from(u32::MAX), 4),
    ];
    for (what, field, value, width) in of_the_blocks {
        assert!(read(&changed(field, value, width)).is_err(), "{what}");
    }
}

#[test]
fn a_game_that_breaks_the_rules_stands_alone() {
    let mut games = games(3);
    let last = games[1].plies.len() - 1;
    games[1].plies[last].mv = "9i9b".parse().unwrap();
    let bytes = shard_of(&games);
    let read = ShardReader::open(&bytes).unwrap().read_all().unwrap();
    assert_eq!(read.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn games_of_others_and_empty_shards_are_refused() {
    let mut shard = ShardWriter::new(header("s")).unwrap();
    shard.push(&random_game("s", 5, START)).unwrap();
    for (stream, index) in [("s", 5), ("s", 4), ("t", 6)] {
        let game = random_game(stream, index, START);
        assert!(matches!(shard.push(&game), Err(ShardError::Foreign { .. })), "{stream} {index}");
    }
    shard.push(&random_game("s", 6, START)).unwrap();
    assert_eq!(shard.summary().games, 2);
    let empty = ShardWriter::new(header("s")).unwrap();
    assert!(matches!(empty.finish(), Err(ShardError::Empty)));
    assert!(matches!(ShardWriter::new(header("a/b")), Err(ShardError::Header { .. })));
}

/// A file that this program's version 1 wrote stays readable, whatever the compressor does later.
#[test]
fn the_golden_shard_is_read() {
    let bytes = include_bytes!("../../../../tests/golden/replay/version-1.games");
    let shard = ShardReader::open(bytes).unwrap();
    assert_eq!(*shard.header(), header("s"));
    let summary = shard.summary();
    assert_eq!((summary.games, summary.first_index, summary.last_index), (3, 1, 7));
    let games = read(bytes).unwrap();
    let text = |game: &GameRecord| {
        let moves: Vec<_> = game.plies.iter().take(4).map(|ply| ply.mv.to_string()).collect();
        format!("{} plies, {} by {}: {}", game.plies.len(), game.outcome, game.end, moves.join(" "))
    };
    let lines = [
        "18 plies, white_wins by resignation: 4g4f 9c9d 4i4h 8b7b",
        "15 plies, black_wins by resignation: 5i6h 4a5b 4g4f 8c8d",
        "10 plies, white_wins by resignation: 8g8f 8b5b 7g7f 1c1d",
    ];
    assert_eq!(games.iter().map(text).collect::<Vec<_>>(), lines);
    const DIGEST: &str = "112e3446ec8f75608336527ae91ce1407872fd83d29de9cd839c3270f92c0d26";
    let records: Vec<u8> = games.iter().flat_map(|game| game.to_bytes().unwrap()).collect();
    assert_eq!(keiko_store::Sha256::of(&records).to_string(), DIGEST);
}
