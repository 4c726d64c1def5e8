//! The laws of the store in a local directory.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use keiko_store::{LocalStore, PutError, Replacement, Store, StoreError};
use tempfile::TempDir;

fn new_store() -> (TempDir, LocalStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    (dir, store)
}

fn files_below(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(files_below(&entry.path()));
        } else {
            names.push(entry.file_name().into_string().unwrap());
        }
    }
    names.sort();
    names
}

#[test]
fn an_object_is_created_once_and_leaves_no_temporary() {
    let (dir, store) = new_store();
    assert!(!store.exists("a/b/c").unwrap());
    store.put_new("a/b/c", b"one").unwrap();
    let error = store.put_new("a/b/c", b"two").unwrap_err();
    assert!(matches!(&error, PutError::Exists { key, .. } if key == "a/b/c"), "{error}");
    assert_eq!(store.get("a/b/c").unwrap(), b"one");
    assert!(store.exists("a/b/c").unwrap());
    assert!(!store.exists("a/b").unwrap(), "a folder is no object");
    store.put_new("empty", b"").unwrap();
    assert_eq!(store.get("empty").unwrap(), b"");
    assert_eq!(files_below(dir.path()), ["c", "empty"]);
    store.put_same("a/b/c", b"one").unwrap();
    store.put_same("a/b/d", b"one").unwrap();
    assert!(matches!(store.put_same("a/b/c", b"two"), Err(PutError::Exists { .. })));
}

#[test]
fn of_eight_racing_writers_one_wins() {
    let (dir, store) = new_store();
    for round in 0..20 {
        let key = format!("race/{round}/x");
        let start = Barrier::new(8);
        let wins: Vec<u8> = thread::scope(|scope| {
            let writers: Vec<_> = (0..8_u8)
                .map(|me| {
                    let (store, key, start) = (&store, &key, &start);
                    scope.spawn(move || {
                        start.wait();
                        match store.put_new(key, &[me; 1000]) {
                            Ok(()) => Some(me),
                            Err(PutError::Exists { .. }) => None,
                            Err(e) => panic!("{e}"),
                        }
                    })
                })
                .collect();
            writers.into_iter().filter_map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(wins.len(), 1, "round {round}");
        assert_eq!(store.get(&key).unwrap(), [wins[0]; 1000]);
    }
    assert_eq!(files_below(&dir.path().join("race")).len(), 20);
}

#[test]
fn opening_does_not_disturb_living_writers() {
    let (dir, store) = new_store();
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..200 {
                LocalStore::open(dir.path()).unwrap();
            }
        });
        for i in 0..50 {
            store.put_new(&format!("objects/{i}"), b"bytes").unwrap();
            store.put_status("status/me.json", format!("{i}").as_bytes()).unwrap();
        }
    });
    assert_eq!(store.list_after("objects", "").unwrap().len(), 50);
    assert_eq!(store.get("status/me.json").unwrap(), b"49");
}

#[test]
fn a_temporary_stays_as_long_as_its_writer_lives() {
    let (dir, _store) = new_store();
    let path = dir.path().join(".x.1-0.tmp");
    let writer = fs::File::create(&path).unwrap();
    writer.lock().unwrap();
    LocalStore::open(dir.path()).unwrap();
    assert!(path.exists());
    drop(writer);
    LocalStore::open(dir.path()).unwrap();
    assert!(!path.exists());
}

#[test]
fn status_is_replaced_whole() {
    let (dir, store) = new_store();
    store.put_status("status/self-play.json", b"a long first text").unwrap();
    store.put_status("status/self-play.json", b"short").unwrap();
    assert_eq!(store.get("status/self-play.json").unwrap(), b"short");
    assert_eq!(files_below(dir.path()), ["self-play.json"]);
}

#[test]
fn lines_are_appended_and_cut_back() {
    let (_dir, store) = new_store();
    assert!(matches!(store.sync("metrics.jsonl"), Err(StoreError::NotFound { .. })));
    store.truncate("metrics.jsonl", 0).unwrap();
    assert!(matches!(store.truncate("metrics.jsonl", 1), Err(StoreError::NotFound { .. })));
    assert_eq!(store.append("metrics.jsonl", "{\"step\":1}").unwrap(), 11);
    assert_eq!(store.append("metrics.jsonl", "{\"step\":2}\n").unwrap(), 22);
    store.append("metrics.jsonl", "{\"step\":3}").unwrap();
    store.sync("metrics.jsonl").unwrap();
    store.truncate("metrics.jsonl", 22).unwrap();
    assert_eq!(store.get("metrics.jsonl").unwrap(), b"{\"step\":1}\n{\"step\":2}\n");
    store.truncate("metrics.jsonl", 22).unwrap();
    let error = store.truncate("metrics.jsonl", 23).unwrap_err();
    assert!(matches!(error, StoreError::TooShort { len: 22, needed: 23, .. }), "{error}");
    assert_eq!(store.append("metrics.jsonl", "x").unwrap(), 24);
}

#[test]
fn ranges_are_exact() {
    let (_dir, store) = new_store();
    store.put_new("x", b"0123456789").unwrap();
    assert_eq!(store.len("x").unwrap(), 10);
    assert_eq!(store.get_range("x", 2, 3).unwrap(), b"234");
    assert_eq!(store.get_range("x", 10, 0).unwrap(), b"");
    assert!(matches!(store.get_range("x", 8, 3), Err(StoreError::TooShort { needed: 11, .. })));
    assert!(matches!(store.get_range("x", u64::MAX, 3), Err(StoreError::TooShort { .. })));
    for absent in ["y", "x/below", "y/z"] {
        assert!(matches!(store.get(absent), Err(StoreError::NotFound { .. })), "{absent}");
        assert!(matches!(store.len(absent), Err(StoreError::NotFound { .. })), "{absent}");
    }
}

#[test]
fn a_folder_is_no_object() {
    let (_dir, store) = new_store();
    store.put_new("folder/x", b"").unwrap();
    assert!(matches!(store.get("folder"), Err(StoreError::NotFound { .. })));
    assert!(matches!(store.len("folder"), Err(StoreError::NotFound { .. })));
    assert!(matches!(store.put_new("folder", b""), Err(PutError::Exists { .. })));
    let below_file = store.put_new("folder/x/y", b"").unwrap_err();
    let text = below_file.to_string();
    assert!(text.contains("a file stands where"), "{text}");
    assert!(text.contains("folder/x: "), "{text}");
}

#[test]
fn what_cannot_be_looked_at_is_not_taken_for_absent() {
    let (dir, store) = new_store();
    symlink("round", dir.path().join("round")).unwrap();
    let key = "round/x";
    let errors = [
        store.get(key).unwrap_err(),
        store.get_range(key, 0, 0).unwrap_err(),
        store.len(key).unwrap_err(),
        store.exists(key).unwrap_err(),
        store.list_after("round", "").unwrap_err(),
        store.list_after("", "").unwrap_err(),
        store.sync(key).unwrap_err(),
        store.truncate(key, 0).unwrap_err(),
        store.delete(key).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::Io { .. }), "{error}");
    }
    // Nothing is where that begins.
    symlink("/proc/self/mem", dir.path().join("broken")).unwrap();
    let error = store.get("broken").unwrap_err();
    assert!(matches!(error, StoreError::Io { action: "read", .. }), "{error}");
}

#[test]
fn lists_are_sorted_and_start_after_a_key() {
    let (_dir, store) = new_store();
    for key in ["games/b/1", "games/a/2", "games/a/10", "games-old/x", "top"] {
        store.put_new(key, b"").unwrap();
    }
    assert_eq!(store.list_after("games", "").unwrap(), ["games/a/10", "games/a/2", "games/b/1"]);
    assert_eq!(store.list_after("games", "games/a/10").unwrap(), ["games/a/2", "games/b/1"]);
    assert_eq!(store.list_after("games", "games/a/9").unwrap(), ["games/b/1"]);
    assert_eq!(
        store.list_after("", "").unwrap(),
        ["games-old/x", "games/a/10", "games/a/2", "games/b/1", "top"]
    );
    assert!(store.list_after("absent", "").unwrap().is_empty());
    assert!(store.list_after("top", "").unwrap().is_empty());
}

#[test]
fn deleting_twice_is_once() {
    let (_dir, store) = new_store();
    store.put_new("a/x", b"").unwrap();
    store.delete("a/x").unwrap();
    store.delete("a/x").unwrap();
    store.delete("b/x").unwrap();
    assert!(!store.exists("a/x").unwrap());
    store.put_new("a/x", b"again").unwrap();
}

#[test]
fn hostile_keys_touch_nothing() {
    let outer = tempfile::tempdir().unwrap();
    let run = outer.path().join("run");
    let store = LocalStore::create(&run).unwrap();
    fs::write(outer.path().join("secret"), "s").unwrap();
    for key in ["../secret", "/tmp/secret", "a/../../secret", "", ".", "..", "a//b", "x.tmp", "a\0"]
    {
        assert!(matches!(store.put_new(key, b"x"), Err(PutError::Store(_))), "{key:?}");
        let errors = [
            store.put_status(key, b"x").unwrap_err(),
            store.append(key, "x").unwrap_err(),
            store.sync(key).unwrap_err(),
            store.truncate(key, 0).unwrap_err(),
            store.get(key).unwrap_err(),
            store.get_range(key, 0, 0).unwrap_err(),
            store.len(key).unwrap_err(),
            store.exists(key).unwrap_err(),
            store.delete(key).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, StoreError::InvalidKey { .. }), "{key:?}: {error}");
        }
        if !key.is_empty() {
            assert!(matches!(store.list_after(key, ""), Err(StoreError::InvalidKey { .. })));
            assert!(matches!(store.list_after("", key), Err(StoreError::InvalidKey { .. })));
        }
    }
    assert_eq!(files_below(outer.path()), ["secret"]);
}

#[test]
fn leftovers_and_foreign_files_are_neither_listed_nor_in_the_way() {
    let (dir, store) = new_store();
    store.put_new("games/a", b"whole").unwrap();
    let games = dir.path().join("games");
    // A writer that died after the link: the temporary is a second name of the object.
    fs::hard_link(games.join("a"), games.join(".a.1-0.tmp")).unwrap();
    // Writers that died earlier, one with nothing written, in several folders.
    fs::write(games.join(".b.1-1.tmp"), "ha").unwrap();
    fs::write(dir.path().join(".c.1-2.tmp"), "").unwrap();
    // Not ours.
    fs::write(games.join("notes of mine.txt"), "keep").unwrap();
    fs::write(games.join(".DS_Store"), "keep").unwrap();
    fs::write(dir.path().join(".learner.lock"), "keep").unwrap();
    symlink("nowhere", games.join("dangling")).unwrap();
    symlink(dir.path(), games.join("cycle")).unwrap();
    fs::create_dir(games.join("empty-folder")).unwrap();
    fs::create_dir(games.join(".hidden")).unwrap();
    fs::write(games.join(".hidden/config"), "keep").unwrap();

    assert!(store.list_after("games", "").unwrap().contains(&"games/a".to_owned()));
    fs::remove_file(games.join("cycle")).unwrap();
    assert_eq!(store.list_after("", "").unwrap(), ["games/a"]);
    store.put_new("games/b", b"whole").unwrap();

    let store = LocalStore::open(dir.path()).unwrap();
    assert_eq!(store.list_after("", "").unwrap(), ["games/a", "games/b"]);
    assert_eq!(store.get("games/a").unwrap(), b"whole");
    let left = [".DS_Store", ".learner.lock", "a", "b", "config", "dangling", "notes of mine.txt"];
    assert_eq!(files_below(dir.path()), left);
}

#[test]
fn a_linked_folder_on_another_disk_is_part_of_the_run() {
    let elsewhere = tempfile::tempdir().unwrap();
    let (dir, store) = new_store();
    symlink(elsewhere.path(), dir.path().join("games")).unwrap();
    store.put_new("games/a/x", b"1").unwrap();
    assert_eq!(store.list_after("", "").unwrap(), ["games/a/x"]);
    assert_eq!(fs::read(elsewhere.path().join("a/x")).unwrap(), b"1");
}

#[test]
fn a_folder_that_was_moved_away_is_not_made_anew() {
    let outer = tempfile::tempdir().unwrap();
    let (old, new) = (outer.path().join("run"), outer.path().join("elsewhere"));
    let store = LocalStore::create(&old).unwrap();
    store.put_new("games/a", b"1").unwrap();
    store.append("metrics.jsonl", "{}").unwrap();
    let assert_moved = || {
        let errors = [
            match store.put_new("games/b", b"2") {
                Err(PutError::Store(error)) => error,
                other => panic!("{other:?}"),
            },
            store.put_status("status", b"").unwrap_err(),
            store.append("metrics.jsonl", "{}").unwrap_err(),
            store.truncate("metrics.jsonl", 0).unwrap_err(),
            store.get("games/a").unwrap_err(),
            store.exists("games/a").unwrap_err(),
            store.list_after("games", "").unwrap_err(),
            store.list_after("", "").unwrap_err(),
            store.delete("games/a").unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(&error, StoreError::Moved { path } if *path == old), "{error}");
        }
    };
    fs::rename(&old, &new).unwrap();
    assert_moved();
    assert!(!old.exists());
    fs::create_dir(&old).unwrap();
    assert_moved();
    assert_eq!(files_below(outer.path()), ["a", "metrics.jsonl"]);
    fs::remove_dir(&old).unwrap();
    // Whether it is still there cannot be told.
    symlink("run", &old).unwrap();
    let error = store.get("games/a").unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    fs::remove_file(&old).unwrap();
    fs::rename(&new, &old).unwrap();
    store.put_new("games/b", b"2").unwrap();
}

fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = Replacement::create(path)?;
    file.write(bytes)?;
    file.publish()
}

#[test]
fn a_file_is_replaced_and_its_neighbours_stay() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.svg");
    fs::write(dir.path().join("x.svg.tmp"), "mine").unwrap();
    let neighbours = [".x.svg.1-y.tmp", ".x.svg2.1-0.tmp", ".y.x.svg.1-0.tmp"];
    // The last is what a writer of this file left that was killed.
    for name in neighbours.iter().chain(&[".x.svg.1-0.tmp"]) {
        fs::write(dir.path().join(name), "mine").unwrap();
    }
    for bytes in [&b"one"[..], b"two"] {
        replace_file(&path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let [a, b, c] = neighbours;
    assert_eq!(files_below(dir.path()), [a, b, c, "x.svg", "x.svg.tmp"]);
    replace_file(&dir.path().join("長".repeat(85)), b"").unwrap();
    let absent = dir.path().join("absent/x.svg");
    let error = replace_file(&absent, b"").unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot create {}: ", absent.display())), "{error}");
}

#[test]
fn errors_name_the_file_and_the_remedy() {
    let outer = tempfile::tempdir().unwrap();
    let absent = LocalStore::open(&outer.path().join("absent")).unwrap_err();
    assert!(absent.to_string().contains("absent"), "{absent}");
    // The administrator may write anywhere, so there is nothing to see for that user.
    let store = LocalStore::create(&outer.path().join("run")).unwrap();
    fs::set_permissions(store.root(), fs::Permissions::from_mode(0o555)).unwrap();
    match store.put_new("x", b"") {
        Ok(()) => {}
        Err(e) => {
            let (text, path) = (e.to_string(), store.root().join("x"));
            assert!(text.contains("check the owner and the mode"), "{text}");
            assert!(text.contains(&format!("{}: ", path.display())), "{text}");
        }
    }
    fs::set_permissions(store.root(), fs::Permissions::from_mode(0o755)).unwrap();
    if let Ok(store) = LocalStore::open(Path::new("/dev/full-of-nothing")) {
        panic!("{store:?}");
    }
}
