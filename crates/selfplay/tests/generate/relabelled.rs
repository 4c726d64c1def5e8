use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use keiko_inference::{Backend, EncodingId, Hashed};
use keiko_replay::{
    Batch, GameRecord, IngestEntry, IngestLog, IngestedShard, Sampler, SearchKind, Window,
};
use keiko_selfplay::{Relabel, Relabelled, ShardSink as _, Stream, relabel};
use keiko_store::LocalStore;

use crate::stored::header_of;
use crate::{Case, ENCODING, SEARCH, played};

/// The games of a generation, searched anew by another model.
fn anew(games: &[GameRecord], how: &Relabel<'_>, encoding: EncodingId) -> Vec<GameRecord> {
    let mut backend = Hashed::new(encoding, 9);
    let mut waiting = games.iter().cloned().enumerate();
    let mut found = BTreeMap::new();
    let mut sum = Relabelled::default();
    let mut done = |number: usize, game: GameRecord, work: Relabelled| {
        found.insert(number, game);
        sum.games += work.games;
        sum.plies += work.plies;
        sum.evaluations += work.evaluations;
    };
    relabel(how, &mut backend, &mut || waiting.next(), &mut done, &AtomicBool::new(false)).unwrap();
    let searched = games.iter().flat_map(|game| &game.plies);
    let searched = searched.filter(|ply| ply.search != SearchKind::None).count() as u64;
    assert_eq!((sum.games, sum.plies), (games.len() as u64, searched));
    assert!(sum.evaluations >= searched, "{sum:?}");
    found.into_values().collect()
}

const HOW: Relabel<'_> =
    Relabel { model: "hashed-9", search: &SEARCH, simulations: 6, batch_shape: 16 };

fn games() -> Vec<GameRecord> {
    played(&Case::default()).games().into_iter().cloned().collect()
}

#[test]
fn searches_are_made_anew_and_games_stay() {
    let old = games();
    let new = anew(&old, &HOW, ENCODING);
    assert_eq!(new.len(), old.len());
    let mut other = [0, 0];
    for (old, new) in old.iter().zip(&new) {
        new.validate().unwrap();
        assert_eq!(new.models, ["hashed-3", "hashed-9"]);
        assert_eq!((new.outcome, new.end, new.seed), (old.outcome, old.end, old.seed));
        assert_eq!((&new.stream, new.index), (&old.stream, old.index));
        for (old, new) in old.plies.iter().zip(&new.plies) {
            assert_eq!((new.mv, new.search), (old.mv, old.search));
            assert_eq!(new.policy.is_empty(), old.policy.is_empty());
            match new.search {
                SearchKind::None => assert_eq!(new, old),
                SearchKind::Full => {
                    assert_eq!(new.model, 1);
                    assert!(new.root_visits <= 7);
                }
                SearchKind::Fast => assert!(new.root_visits <= old.root_visits),
            }
            other[0] += usize::from(new.raw_policy != old.raw_policy);
            other[1] += usize::from(new.policy != old.policy);
        }
    }
    assert!(other.iter().all(|&count| count > 100), "{other:?}");
}

#[test]
fn without_simulations_only_the_nets_own_answers_are_new() {
    let old = games();
    let new = anew(&old, &Relabel { simulations: 0, ..HOW }, ENCODING);
    let mut other = 0;
    for (mut old, new) in old.into_iter().zip(new) {
        new.validate().unwrap();
        for (old, new) in old.plies.iter_mut().zip(&new.plies) {
            other += usize::from(old.raw_wdl != new.raw_wdl);
            (old.raw_wdl, old.raw_policy) = (new.raw_wdl, new.raw_policy.clone());
        }
        old.models.push("hashed-9".to_owned());
        assert_eq!(new, old);
    }
    assert!(other > 100, "{other}");
}

/// The net's answers of the same model are those that are there.
#[test]
fn the_same_model_finds_its_own_answers_again() {
    let old = games();
    let mut backend = Hashed::new(ENCODING, 3);
    assert_eq!(backend.name(), "hashed-3");
    let how = Relabel { model: "hashed-3", simulations: 0, ..HOW };
    let mut waiting = old.iter().cloned().enumerate();
    let mut found = BTreeMap::new();
    let mut done = |number: usize, game: GameRecord, _| drop(found.insert(number, game));
    let stop = AtomicBool::new(false);
    relabel(&how, &mut backend, &mut || waiting.next(), &mut done, &stop).unwrap();
    assert_eq!(found.into_values().collect::<Vec<_>>(), old);
}

#[test]
fn a_game_is_the_same_alone_and_among_others_and_in_another_encoding() {
    let old = games();
    let together = anew(&old, &HOW, ENCODING);
    for shape in [1, 5] {
        let apart = old.iter().flat_map(|game| {
            anew(std::slice::from_ref(game), &Relabel { batch_shape: shape, ..HOW }, ENCODING)
        });
        assert_eq!(apart.collect::<Vec<_>>(), together);
    }
    let other = anew(&old, &HOW, EncodingId::Dlshogi57);
    for game in &other {
        game.validate().unwrap();
        assert_eq!(game.encoding, EncodingId::Dlshogi57);
    }
}

#[test]
fn a_stop_drops_what_is_not_finished() {
    let old = games();
    let mut waiting = old.iter().cloned().enumerate();
    let mut done = |_: usize, _: GameRecord, _: Relabelled| panic!("nothing is finished");
    let mut backend = Hashed::new(ENCODING, 9);
    relabel(&HOW, &mut backend, &mut || waiting.next(), &mut done, &AtomicBool::new(true)).unwrap();
}

/// The window of a run takes the new shards as it takes others.
#[test]
fn what_was_made_anew_can_be_learnt_from() {
    let new = anew(&games(), &HOW, ENCODING);
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::create(folder.path()).unwrap();
    Stream::new(&store, header_of("gen-000001")).publish(0, &new).unwrap();
    let (line, bad) = IngestedShard::examine(&store, "games/gen-000001/000000.games").unwrap();
    assert_eq!(bad, 0);
    IngestLog::new(&store).append(0, &IngestEntry { shards: vec![line] }).unwrap();
    let mut window = Window::new(toml::from_str(REPLAY).unwrap(), ENCODING).unwrap();
    window.advance(&store, 1).unwrap();
    let full = new.iter().map(|game| u64::from(game.plies_searched(SearchKind::Full))).sum::<u64>();
    assert_eq!((window.rows(), window.bad_games()), (full, 0));
    assert!(window.evenness().1 > 1.0);
    let rows = Sampler::new(1, 16).rows(&window, 0).unwrap();
    assert!(
        Batch::with_ahead(&window, &rows, 0.5).policy_weight.iter().all(|&weight| weight > 0.5)
    );
}

const REPLAY: &str = r#"
max_uses_per_row = 4.0
max_rows_per_game = 16
surprise_weight = 0.5
drop_value_of = []
fast_plies = "skip"
mirror = true
held_out_modulus = 0
max_bad_games = 0
window = { kind = "last_rows", min_rows = 1, max_rows = 100000 }
search_value = { weight = 0.5, start_step = 0, start_entry = 0 }
data = { shuffle_rows = 100, centipawns_per_log_odds = 756.0 }
"#;
