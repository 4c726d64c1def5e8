use keiko_replay::ShardHeader;
use keiko_selfplay::{Settings, ShardSink as _, Statistics, Stream, StreamError};
use keiko_store::{LocalStore, Sha256, Store};

use crate::{Case, ENCODING, SETTINGS, played, run_into};

fn header() -> ShardHeader {
    header_of("gen-000001")
}

pub(crate) fn header_of(stream: &str) -> ShardHeader {
    ShardHeader {
        stream: stream.to_owned(),
        model: "hashed-3".to_owned(),
        encoding: ENCODING,
        config: Sha256::of(b"a config"),
    }
}

/// Key and bytes of every shard in a store.
fn files(store: &dyn Store) -> Vec<(String, Vec<u8>)> {
    let keys = store.list_after("games", "").unwrap();
    keys.into_iter().map(|key| (key.clone(), store.get(&key).unwrap())).collect()
}

#[test]
fn the_same_files_with_other_workers_and_after_a_stop() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [whole, stopped] =
        folders.each_ref().map(|folder| LocalStore::create(folder.path()).unwrap());
    let mut stream = Stream::new(&whole, header());
    run_into(&Case::default(), &stream.published().unwrap(), &mut stream).unwrap();

    let mut stream = Stream::new(&stopped, header());
    let settings = Settings { workers: 2, ..SETTINGS };
    let first = Case { settings, stop_after: Some(2), ..Case::default() };
    run_into(&first, &stream.published().unwrap(), &mut stream).unwrap();
    let begun = files(&stopped);
    let settings = Settings { workers: 3, ..SETTINGS };
    let second = Case { settings, ..Case::default() };
    run_into(&second, &stream.published().unwrap(), &mut stream).unwrap();

    let files = files(&whole);
    let keys: Vec<&str> = files.iter().map(|(key, _)| key.as_str()).collect();
    let numbers = ["000000", "000001", "000002", "000003", "000004"];
    assert_eq!(keys, numbers.map(|number| format!("games/gen-000001/{number}.games")));
    assert!(begun.len() >= 2 && begun == files[..begun.len()]);
    assert!(files == self::files(&stopped));
}

#[test]
fn what_is_read_is_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::create(folder.path()).unwrap();
    let mut stream = Stream::new(&store, header());
    let report = run_into(&Case::default(), &stream.published().unwrap(), &mut stream).unwrap();
    let shards = played(&Case::default());
    for (number, games) in &shards.shards {
        assert_eq!(&stream.read(*number).unwrap(), games);
    }
    let mut found = Statistics::default();
    stream.add_statistics(&mut found).unwrap();
    assert_eq!(found, report.statistics);
}

#[test]
fn a_game_that_breaks_the_rules_is_counted_and_named_by_its_shard() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::create(folder.path()).unwrap();
    let mut games = played(&Case::default()).shards.remove(&0).unwrap();
    games[0].end = keiko_shogi::EndReason::Sennichite;
    games[0].outcome = keiko_shogi::Outcome::BlackWins;
    let mut stream = Stream::new(&store, header());
    stream.publish(0, &games).unwrap();
    let mut found = Statistics::default();
    stream.add_statistics(&mut found).unwrap();
    assert_eq!((found.games(), found.bad_games()), (games.len() as u64 - 1, 1));
    let error = stream.read(0).unwrap_err();
    assert_eq!(error.to_string(), "games/gen-000001/000000.games");
}

#[test]
fn a_foreign_file_in_the_streams_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::create(folder.path()).unwrap();
    for key in ["games/gen-000001/0.games", "games/gen-000001/notes.txt"] {
        store.put_new(key, b"").unwrap();
        let error = Stream::new(&store, header()).published().unwrap_err();
        assert!(matches!(&error, StreamError::Key(found) if found == key), "{error}");
        store.delete(key).unwrap();
    }
}
