//! Files of other programs as batches.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use keiko_encoding::{Context, EncodingId, LABELS, encode, label};
use keiko_formats::LARGEST_GAME_BYTES;
use keiko_formats::training::{
    EvaluatedPosition, GameResult, PositionFormat, ResultReason, SearchedGame, SearchedPly,
};
use keiko_replay::Batch;
use keiko_replay::data::{
    Cursor, DataCounts, DataError, DataFile, DataSet, Draw, PoolReader, Reading,
};
use keiko_shogi::{Color, DrawValues, EndReason, Game, Move, MoveList, Outcome, Position, Rules};
use keiko_store::Sha256;

const ENCODING: EncodingId = EncodingId::Dlshogi119;

fn reading(max_bad: u64) -> Reading {
    Reading {
        encoding: ENCODING,
        rules: Rules::STANDARD,
        draw_values: DrawValues::HALF,
        drop_value_of: vec![EndReason::MaxPlies],
        centipawns_per_log_odds: 600.0,
        max_bad,
    }
}

fn draw(batch_rows: usize, shuffle_rows: u64) -> Draw {
    let epochs = Some(1);
    Draw { seed: 3, batch_rows, shuffle_rows, mirror: false, epochs, encoding: ENCODING }
}

fn set(paths: &[PathBuf], max_bad: u64) -> Result<DataSet, DataError> {
    let files = paths.iter().map(|path| DataFile::open(path, None)).collect::<Result<_, _>>()?;
    Ok(DataSet::new(files, reading(max_bad)))
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// All batches with the place after each, and what was read.
fn all(set: &DataSet, draw: Draw, cursor: Option<Cursor>) -> (Vec<(Batch, Cursor)>, DataCounts) {
    let mut reader = PoolReader::new(set, draw, cursor).unwrap();
    let (mut batches, mut counts) = (Vec::new(), DataCounts::default());
    while let Some(pool) = reader.next_pool().unwrap() {
        batches.extend((0..pool.batches()).map(|number| pool.batch(number, 0.25)));
        counts = pool.counts();
    }
    (batches, counts)
}

fn after(moves: &[&str]) -> Game {
    let mut game = Game::startpos(Rules::STANDARD);
    moves.iter().for_each(|text| game.play(mv(text)));
    game
}

/// Positions of a long game as hcpe or psv, each with the move that followed.
fn positions(count: usize) -> Vec<EvaluatedPosition> {
    let mut game = Game::startpos(Rules::STANDARD);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            game = Game::startpos(Rules::STANDARD);
            continue;
        }
        let best = moves[positions.len() * 7919 % moves.len()];
        positions.push(EvaluatedPosition {
            position: game.position().clone(),
            move_number: Some(1),
            score: positions.len() as i16,
            best: Some(best),
            result: GameResult { outcome: Outcome::BlackWins, reason: None },
        });
        game.play(best);
    }
    positions
}

fn file_of(format: PositionFormat, positions: &[EvaluatedPosition]) -> Vec<u8> {
    let mut bytes = Vec::new();
    positions.iter().for_each(|position| format.write(position, &mut bytes).unwrap());
    bytes
}

/// Checks row `number` of a batch against the position of `game`, shares of moves and win, draw and loss.
fn assert_row(batch: &Batch, number: usize, game: &Game, policy: &[(&str, f32)], wdl: [f32; 3]) {
    let mut row = vec![0; ENCODING.row_bytes()];
    encode(ENCODING, game, &Context { draw_values: DrawValues::HALF }, &mut row);
    assert_eq!(batch.rows.row(number).to_vec(), row);
    let side = game.position().side_to_move();
    let mut shares = vec![0.0; LABELS];
    for (text, share) in policy {
        shares[usize::from(label(mv(text), side))] = *share;
    }
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&batch.policy.row(number).to_vec()), bits(&shares));
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    let allowed: usize = batch.legal.row(number).iter().map(|&one| usize::from(one)).sum();
    assert_eq!(allowed, moves.len());
    assert!(moves.iter().all(|&mv| batch.legal[(number, usize::from(label(mv, side)))] == 1));
    for (found, wanted) in batch.wdl.row(number).iter().zip(wdl) {
        assert!((found - wanted).abs() < 1e-6, "{:?} is not {wdl:?}", batch.wdl.row(number));
    }
}

#[test]
fn a_position_with_a_score_teaches_its_move_and_a_mixed_value() {
    let folder = tempfile::tempdir().unwrap();
    let game = after(&["7g7f"]);
    // e^(-1) / (1 + e^(-1)) for White, who wins.
    let loses = 1.0 / (1.0 + 1.0_f32.exp());
    let position = EvaluatedPosition {
        position: game.position().clone(),
        move_number: Some(2),
        score: -600,
        best: Some(mv("3c3d")),
        result: GameResult { outcome: Outcome::WhiteWins, reason: None },
    };
    for (format, name) in [(PositionFormat::Hcpe, "a.hcpe"), (PositionFormat::Psv, "a.psv")] {
        let path = write(folder.path(), name, &file_of(format, std::slice::from_ref(&position)));
        let (batches, counts) = all(&set(&[path], 0).unwrap(), draw(1, 10), None);
        let wdl = [0.75 + 0.25 * loses, 0.0, 0.25 * (1.0 - loses)];
        assert_row(&batches[0].0, 0, &game, &[("3c3d", 1.0)], wdl);
        assert!(batches[0].0.policy_weight[0] > 0.5 && batches[0].0.value_weight[0] > 0.5);
        assert_eq!(counts, DataCounts { records: 1, rows: 1, ..DataCounts::default() });
    }
    // Without a move, of a game that was drawn by its length.
    let result = GameResult { outcome: Outcome::Draw, reason: Some(ResultReason::MaxPlies) };
    let other = EvaluatedPosition { best: None, result, score: 0, ..position };
    let path = write(folder.path(), "b.hcpe", &file_of(PositionFormat::Hcpe, &[other]));
    let (batches, counts) = all(&set(&[path], 0).unwrap(), draw(1, 10), None);
    assert_row(&batches[0].0, 0, &game, &[], [0.125, 0.75, 0.125]);
    assert!(batches[0].0.policy_weight[0] < 0.5 && batches[0].0.value_weight[0] < 0.5);
    assert_eq!((counts.rows_without_policy, counts.rows_without_value), (1, 1));
}

#[test]
fn a_game_with_visits_teaches_their_shares_where_there_are_any() {
    let folder = tempfile::tempdir().unwrap();
    let game = SearchedGame {
        start: Position::startpos(),
        result: GameResult { outcome: Outcome::BlackWins, reason: None },
        opponent: None,
        plies: vec![
            SearchedPly { mv: mv("7g7f"), score: 0, candidates: Vec::new() },
            SearchedPly {
                mv: mv("3c3d"),
                score: 0,
                candidates: vec![(mv("3c3d"), 3), (mv("8c8d"), 1), (mv("5a5b"), 0)],
            },
        ],
    };
    let mut bytes = Vec::new();
    game.write(&mut bytes).unwrap();
    let path = write(folder.path(), "a.hcpe3", &bytes);
    let set = set(&[path], 0).unwrap();
    assert_eq!(set.rows(), Some(1));
    let (batches, counts) = all(&set, draw(1, 10), None);
    assert_eq!((batches.len(), counts.records, counts.rows), (1, 1, 1));
    assert_eq!(counts.rows_without_policy, 0);
    let policy = [("3c3d", 0.75), ("8c8d", 0.25)];
    assert_row(&batches[0].0, 0, &after(&["7g7f"]), &policy, [0.125, 0.0, 0.875]);
}

#[test]
fn candidates_without_visits_teach_no_move() {
    let folder = tempfile::tempdir().unwrap();
    let ply = SearchedPly { mv: mv("7g7f"), score: 0, candidates: vec![(mv("7g7f"), 0)] };
    let path = write(folder.path(), "a.hcpe3", &game_of(vec![ply]));
    let (batches, counts) = all(&set(&[path], 0).unwrap(), draw(1, 10), None);
    assert_row(&batches[0].0, 0, &after(&[]), &[], [0.125, 0.75, 0.125]);
    assert!(batches[0].0.policy_weight[0] < 0.5);
    assert_eq!(counts.rows_without_policy, 1);
}

/// A drawn game from the start as hcpe3.
fn game_of(plies: Vec<SearchedPly>) -> Vec<u8> {
    let result = GameResult { outcome: Outcome::Draw, reason: None };
    let mut bytes = Vec::new();
    SearchedGame { start: Position::startpos(), result, opponent: Some(Color::White), plies }
        .write(&mut bytes)
        .unwrap();
    bytes
}

#[test]
fn a_record_teaches_its_moves_and_the_result_by_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.csa", b"V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    let (batches, counts) = all(&set(&[path], 0).unwrap(), draw(2, 10), None);
    assert_eq!(counts, DataCounts { records: 1, rows: 2, ..DataCounts::default() });
    // Black resigns at move 3.
    let batch = &batches[0].0;
    let first = usize::from(
        batch.rows.row(0) != {
            let mut row = vec![0; ENCODING.row_bytes()];
            let context = Context { draw_values: DrawValues::HALF };
            encode(ENCODING, &after(&[]), &context, &mut row);
            ndarray::Array1::from(row)
        },
    );
    assert_row(batch, first, &after(&[]), &[("7g7f", 1.0)], [0.0, 0.0, 1.0]);
    assert_row(batch, 1 - first, &after(&["7g7f"]), &[("3c3d", 1.0)], [1.0, 0.0, 0.0]);
}

#[test]
fn games_that_a_fault_decided_are_left_out_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let loops = "+5958OU\n-5152OU\n+5859OU\n-5251OU\n".repeat(3);
    let games: Vec<String> = [
        "+7776FU\n%TIME_UP\n",
        "+7776FU\n%ERROR\n",
        "+7776FU\n-8222HI\n%TORYO\n",
        "+7776FU\n%ILLEGAL_MOVE\n",
        "+7776FU\n%KACHI\n",
        "+7776FU\n%CHUDAN\n",
        "+7776FU\n",
        "+7776FU\n%SENNICHITE\n",
        "+7776FU\n%MAX_MOVES\n",
        // The fourth occurrence ends it, whatever comes then.
        &format!("{loops}+7776FU\n%TORYO\n"),
    ]
    .iter()
    .map(|game| format!("PI\n+\n{game}"))
    .collect();
    let path = write(folder.path(), "a.csa", games.join("/\n").as_bytes());
    let (batches, counts) = all(&set(&[path], 0).unwrap(), draw(13, 100), None);
    let expected = DataCounts {
        records: 10,
        rows: 13,
        rows_without_value: 1,
        time_forfeits: 1,
        crashes: 1,
        illegal: 3,
        unfinished: 1,
        no_result: 2,
        ..DataCounts::default()
    };
    assert_eq!(counts, expected);
    let dropped = counts.dropped();
    assert_eq!(dropped.map(|(_, games)| games), [1, 1, 3, 1, 2]);
    assert!(dropped[0].0 == "time forfeit" && dropped[4].0 == "no result by the rules");
    let draws = batches[0].0.wdl.column(1).iter().filter(|&&share| share > 0.5).count();
    assert_eq!(draws, 13);
}

#[test]
fn batches_are_the_same_whatever_the_threads_and_go_on_from_any_place() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = file_of(PositionFormat::Hcpe, &positions(6000));
    let paths = [write(folder.path(), "a.hcpe", &bytes)];
    let set = set(&paths, 0).unwrap();
    let draw = Draw { mirror: true, epochs: Some(2), ..draw(256, 2000) };
    let of = |threads: usize, cursor| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| all(&set, draw, cursor))
    };
    let (whole, counts) = of(1, None);
    assert_eq!((counts.rows, counts.records), (12_000, 12_000));
    assert_eq!(counts.rows_left_over + whole.len() as u64 * 256, 12_000);
    assert!(of(4, None) == (whole.clone(), counts));
    for place in [0, 1, 5, 20, whole.len() - 2] {
        let (rest, again) = of(2, Some(whole[place].1));
        assert_eq!(again, counts, "after batch {place}");
        assert!(rest == whole[place + 1..], "after batch {place}");
    }
    let other = Draw { shuffle_rows: 2001, ..draw };
    let refused = PoolReader::new(&set, other, Some(whole[0].1)).unwrap_err().to_string();
    assert!(refused.contains("replay.data.shuffle_rows was 2000 and is 2001"), "{refused}");
}

#[test]
fn batches_share_out_the_rows_of_a_pool() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.hcpe", &file_of(PositionFormat::Hcpe, &positions(50)));
    let set = set(&[path], 0).unwrap();
    let mut reader = PoolReader::new(&set, draw(8, 100), None).unwrap();
    let pool = reader.next_pool().unwrap().unwrap();
    let in_order = pool.some(usize::MAX, 8, 0.25);
    let rows = |batches: &[Batch]| batches.iter().map(Batch::len).collect::<Vec<_>>();
    assert_eq!(rows(&in_order), [8, 8, 8, 8, 8, 8, 2]);
    assert_eq!(rows(&pool.some(11, 8, 0.25)), [8, 3]);
    assert_eq!((pool.rows(), pool.batches()), (50, 6));
    for (number, expected) in (0..6).zip(&in_order) {
        let (batch, next) = pool.batch(number, 0.25);
        assert!(batch == *expected, "batch {number}");
        assert_eq!(next == pool.end(), number == 5);
    }
    let after = pool.end();
    assert_eq!((after.epoch, after.counts, pool.counts().rows_left_over), (1, pool.counts(), 2));
}

/// How many rows each pool of at least eight has.
fn rows_of_pools(set: &DataSet) -> Result<Vec<u64>, DataError> {
    let mut reader = PoolReader::new(set, draw(1, 8), None)?;
    let mut rows = Vec::new();
    while let Some(pool) = reader.next_pool()? {
        rows.push(pool.rows());
    }
    Ok(rows)
}

#[test]
fn texts_are_cut_between_games_and_keep_the_numbers_of_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    // Eight games are more than the 64 KiB at which a block ends, seven are less.
    let note = "x".repeat(9000);
    let csa = format!("PI\n+\n+7776FU\n'{note}\n%TORYO\n/\n");
    let usi = format!("startpos moves 7g7f resign\n# {note}\n");
    for (name, game) in [("a.csa", csa), ("a.usi", usi)] {
        let path = write(folder.path(), name, game.repeat(40).as_bytes());
        assert_eq!(rows_of_pools(&set(&[path], 0).unwrap()).unwrap(), [8; 5], "{name}");
        let text = format!("{}hello\n{}", game.repeat(28), game.repeat(12));
        let path = write(folder.path(), name, text.as_bytes());
        let error = rows_of_pools(&set(&[path], 0).unwrap()).unwrap_err().to_string();
        let line = 28 * game.lines().count() + 1;
        assert!(error.contains(&format!("{name}: line {line}: ")), "{error}");
    }
    // A text of one game, as large as a game may be where a block ends, and larger.
    let mut text = vec![b'x'; LARGEST_GAME_BYTES + (1 << 16)];
    let path = write(folder.path(), "a.kif", &text);
    DataFile::open(&path, None).unwrap();
    text.push(b'x');
    let error = DataFile::open(&write(folder.path(), "a.kif", &text), None).unwrap_err();
    assert!(error.to_string().contains("a.kif: line 1: "), "{error}");
}

#[test]
fn training_data_are_cut_between_records_and_keep_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let ply = SearchedPly { mv: mv("7g7f"), score: 0, candidates: vec![(mv("7g7f"), 1)] };
    let games = game_of(vec![ply]).repeat(4000);
    let positions = file_of(PositionFormat::Hcpe, &positions(4000));
    // A block of games ends with the one that takes it beyond 64 KiB, one of positions before that.
    for (name, mut bytes, size, rows) in
        [("a.hcpe3", games, 46, [1150, 1425, 1425]), ("a.hcpe", positions, 38, [552, 1724, 1724])]
    {
        let path = write(folder.path(), name, &bytes);
        let mut found = rows_of_pools(&set(&[path], 0).unwrap()).unwrap();
        found.sort_unstable();
        assert_eq!(found, rows, "{name}");
        // No king stands there.
        bytes[3499 * size..][..3].fill(0xff);
        let path = write(folder.path(), name, &bytes);
        let error = rows_of_pools(&set(&[path], 0).unwrap()).unwrap_err().to_string();
        let place = format!("record 3500, at byte {}: ", 3499 * size);
        assert!(error.contains(&place), "{error}");
    }
}

#[test]
fn a_file_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let hcpe = file_of(PositionFormat::Hcpe, &positions(3));
    let csa = b"PI\n+\n+7776FU\n%TORYO\n".to_vec();
    for (name, bytes, rows) in [("a.hcpe", hcpe, Some(3)), ("a.csa", csa, None)] {
        let file = DataFile::open(&write(folder.path(), name, &bytes), None).unwrap();
        assert_eq!((file.bytes(), file.rows()), (bytes.len() as u64, rows));
        assert_eq!(file.sha256(), Sha256::of(&bytes));
    }
}

/// Of more than 4 GiB the size and 64 pieces are hashed, the first and the last bytes among them.
#[test]
fn a_large_file_is_known_by_pieces_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.hcpe");
    let file = fs::File::create(&path).unwrap();
    let (bytes, piece) = (38 * 113_025_500_u64, 1_u64 << 20);
    file.set_len(bytes).unwrap();
    let mut sample = bytes.to_le_bytes().to_vec();
    let mut expected = vec![0; piece as usize];
    for number in 0..64 {
        let first = [number as u8 + 1];
        file.write_all_at(&first, (bytes - piece) * number / 63).unwrap();
        expected[0] = first[0];
        sample.extend(Sha256::of(&expected).as_bytes());
    }
    assert_eq!(DataFile::open(&path, None).unwrap().sha256(), Sha256::of(&sample));
}

#[test]
fn what_was_read_adds_up() {
    let counts = |unit| DataCounts {
        records: unit,
        rows: 2 * unit,
        rows_without_policy: 3 * unit,
        rows_without_value: 4 * unit,
        rows_left_over: 5 * unit,
        bad: 6 * unit,
        time_forfeits: 7 * unit,
        crashes: 8 * unit,
        illegal: 9 * unit,
        unfinished: 10 * unit,
        no_result: 11 * unit,
    };
    let mut sum = counts(1);
    sum += counts(10);
    assert_eq!(sum, counts(11));
}

#[test]
fn a_file_larger_than_the_buffer_gives_every_row_once_in_each_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions(7000);
    let paths = [write(folder.path(), "a.psv", &file_of(PositionFormat::Psv, &positions))];
    let set = set(&paths, 0).unwrap();
    let reader = |shuffle_rows| PoolReader::new(&set, draw(1, shuffle_rows), None).unwrap();
    let mut small = reader(1000);
    let mut largest = 0;
    while let Some(pool) = small.next_pool().unwrap() {
        largest = largest.max(pool.rows());
    }
    // A block of 64 KiB is what it may go beyond.
    assert!((1000..1000 + 65_536 / 40).contains(&largest), "{largest}");
    // The scores are the numbers of the positions, and the value is theirs alone.
    let win = |batch: &Batch| batch.wdl.row(0)[0].max(batch.wdl.row(0)[2]).to_bits();
    let mut found: Vec<u32> = Vec::new();
    let mut pools = reader(1000);
    while let Some(pool) = pools.next_pool().unwrap() {
        found.extend((0..pool.batches()).map(|number| win(&pool.batch(number, 1.0).0)));
    }
    let in_order = found.is_sorted() || found.iter().rev().is_sorted();
    found.sort_unstable();
    let rate = |score: usize| (1.0 / (1.0 + (-(score as f64) / 600.0).exp())) as f32;
    let mut expected: Vec<u32> = (0..7000).map(|score| rate(score).to_bits()).collect();
    expected.sort_unstable();
    assert!(found == expected && !in_order);
}

#[test]
fn what_is_no_data_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let hcpe = file_of(PositionFormat::Hcpe, &positions(3));
    let psv = file_of(PositionFormat::Psv, &positions(19));
    let ply = SearchedPly { mv: mv("7g7f"), score: 0, candidates: vec![(mv("7g7f"), 1)] };
    let hcpe3 = game_of(vec![ply]).repeat(2);
    let fifo = folder.path().join("pipe.hcpe");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut endless = hcpe3.clone();
    endless[32..34].copy_from_slice(&u16::MAX.to_le_bytes());
    let at = |name: &str, bytes: &[u8]| write(folder.path(), name, bytes);
    for (path, said) in [
        (folder.path().join("none.hcpe"), "No such file"),
        (folder.path().to_owned(), "this is a folder"),
        (fifo, "this is a pipe"),
        (at("empty.hcpe", b""), "the file is empty"),
        (at("a.bin", &hcpe), "add --from hcpe"),
        (at("cut.hcpe", &hcpe[..hcpe.len() - 1]), "cut off after record 2"),
        (at("cut.hcpe3", &hcpe3[..hcpe3.len() - 1]), "record 2, at byte 46: ply 1: the data end"),
        (at("head.hcpe3", &hcpe3[..50]), "record 2, at byte 46: the data end"),
        (at("endless.hcpe3", &endless), "record 1, at byte 0: 65535 moves are more"),
        (
            at("kind.psv", &hcpe),
            "114 bytes are no whole number of records of 40 bytes: it is cut off after record 2, or no psv",
        ),
        (at("kind.hcpe3", &psv[..760]), "kind.hcpe3: record "),
        (at("kind.hcpe", &psv), "kind.hcpe: record "),
        (at("kind.csa", &hcpe), "kind.csa: line "),
        (at("few.hcpe", &hcpe), "give 3 rows to learn from, which are no batch of"),
    ] {
        let read = set(&[path], 0).and_then(|set| {
            let mut reader = PoolReader::new(&set, draw(20, 100), None)?;
            while reader.next_pool()?.is_some() {}
            Ok(())
        });
        let error = read.unwrap_err().to_string();
        assert!(error.contains(said), "{said}: {error}");
    }
}

#[test]
fn a_game_that_is_wrong_is_named_by_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let ply = SearchedPly { mv: mv("7g7f"), score: 0, candidates: vec![(mv("7g7f"), 1)] };
    let mut bytes = game_of(vec![ply]).repeat(3);
    // The move of the third game.
    bytes[2 * 46 + 36..][..2].copy_from_slice(&[1, 2]);
    let path = write(folder.path(), "a.hcpe3", &bytes);
    let error = rows_of_pools(&set(&[path], 0).unwrap()).unwrap_err().to_string();
    assert!(error.contains("record 3, at byte 92: ply 1: 0x0201 is no legal move"), "{error}");
}

#[test]
fn wrong_records_are_left_out_up_to_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = file_of(PositionFormat::Hcpe, &positions(10));
    // The kings of the second and the third one stand on no square.
    for record in [1, 2] {
        bytes[record * 38..record * 38 + 3].fill(0xff);
    }
    let paths = [write(folder.path(), "a.hcpe", &bytes)];
    let (batches, counts) =
        all(&set(&paths, 2).unwrap(), Draw { epochs: Some(2), ..draw(8, 10) }, None);
    assert_eq!((batches.len(), counts.bad, counts.rows), (2, 4, 16));
    let strict = set(&paths, 1).unwrap();
    let mut reader = PoolReader::new(&strict, draw(8, 10), None).unwrap();
    let error = reader.next_pool().unwrap_err().to_string();
    let wanted = "record 3, at byte 76: the position: a position of 32 bytes needs both kings, on two squares (2 such \
                  records so far, replay.max_bad_games is 1)";
    assert!(error.contains(wanted), "{error}");
}
