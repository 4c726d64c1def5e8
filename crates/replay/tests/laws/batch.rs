//! Batches: targets, mirror, threads.

use keiko_encoding::{Context, EncodingId, LABELS, encode, label, turned_label};
use keiko_replay::{
    Batch, FastPlies, GameRecord, IngestEntry, IngestLog, IngestedShard, RowRef, Sampler,
    SearchKind, Settings, ShardWriter, UNIFORM, Window,
};
use keiko_shogi::{Color, EndReason, IllegalKind, MoveList, Outcome};
use keiko_store::{LocalStore, Store};

use crate::support::{START, header, random_game, run_of, settings, window_of};

/// A window of just these games, and all of its rows in order.
fn window_with(games: &[GameRecord]) -> (Window, Vec<RowRef>) {
    window_as(games, settings())
}

fn window_as(games: &[GameRecord], settings: Settings) -> (Window, Vec<RowRef>) {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::open(dir.path()).unwrap();
    let mut shard = ShardWriter::new(header("s")).unwrap();
    for game in games {
        shard.push(game).unwrap();
    }
    let shard = shard.finish().unwrap();
    store.put_new("games/s/0", &shard.bytes).unwrap();
    let line = IngestedShard::of_finished("games/s/0", "s", &shard);
    IngestLog::new(&store).append(0, &IngestEntry { shards: vec![line] }).unwrap();
    let all = Settings { held_out_modulus: 1, ..settings };
    let window = window_of(&store, all);
    let rows = Sampler::new(0, usize::MAX).held_out_rows(&window);
    (window, rows)
}

#[test]
fn rows_are_what_the_record_says() {
    let mut games: Vec<_> = (0..6).map(|i| random_game("s", i, START)).collect();
    UNIFORM.clone_into(&mut games[0].models[1]);
    let (window, rows) = window_with(&games);
    let batch = Batch::new(&window, &rows, 0.25);
    assert_eq!(batch.len(), rows.len());
    let (mut kinds, mut without_net) = ([0; 2], 0);
    for (i, row) in rows.iter().enumerate() {
        let source = row.source(&window);
        let record = &games[source.index as usize];
        let ply = &record.plies[usize::from(source.ply)];
        let mut game = record.start_game().unwrap();
        record.plies[..usize::from(source.ply)].iter().for_each(|ply| game.play(ply.mv));
        let mover = game.position().side_to_move();

        let mut bytes = vec![0; EncodingId::Dlshogi57.row_bytes()];
        let context = Context { draw_values: record.draw_values };
        encode(EncodingId::Dlshogi57, &game, &context, &mut bytes);
        assert_eq!(batch.rows.row(i).to_vec(), bytes);

        let outcome = match record.outcome.winner() {
            Some(winner) if winner == mover => [1.0, 0.0, 0.0],
            Some(_) => [0.0, 0.0, 1.0],
            None => [0.0, 1.0, 0.0],
        };
        let by_net = record.models[usize::from(ply.model)] != UNIFORM;
        let share = if by_net { 0.25 } else { 0.0 };
        for (part, expected) in outcome.iter().zip(ply.root_wdl.shares()).enumerate() {
            let (outcome, searched) = expected;
            let target = batch.wdl[[i, part]];
            assert!((target - ((1.0 - share) * outcome + share * searched)).abs() < 1e-6);
        }
        let counts = record.end != EndReason::MaxPlies;
        assert!((batch.value_weight[i] > 0.5) == counts);

        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        let mut legal = vec![0; LABELS];
        moves.iter().for_each(|&mv| legal[usize::from(label(mv, mover))] = 1);
        assert_eq!(batch.legal.row(i).to_vec(), legal);

        let full = ply.search == SearchKind::Full;
        assert!((batch.policy_weight[i] > 0.5) == full);
        let sum: f32 = batch.policy.row(i).sum();
        assert!((sum - f32::from(u8::from(full))).abs() < 1e-4, "{sum}");
        if full {
            for &(mv, units) in ply.policy.pairs() {
                let share = batch.policy[[i, usize::from(label(mv, mover))]];
                assert!((share * 65535.0 - f32::from(units)).abs() < 0.01);
            }
        }
        kinds[usize::from(full)] += 1;
        without_net += u32::from(!by_net);
    }
    assert!(kinds[0] > 0 && kinds[1] > 0 && without_net > 0, "{kinds:?}");
}

#[test]
fn what_came_after_a_row_is_what_the_record_says() {
    let games: Vec<_> = (0..12).map(|i| random_game("s", i, START)).collect();
    for fast_plies in [FastPlies::Skip, FastPlies::ValueOnly] {
        let (window, rows) = window_as(&games, Settings { fast_plies, ..settings() });
        let batch = Batch::with_ahead(&window, &rows, 0.25);
        let ahead = batch.ahead.as_ref().unwrap();
        assert_eq!(Batch { ahead: None, ..batch.clone() }, Batch::new(&window, &rows, 0.25));
        let mut seen = [0; 2];
        for (i, row) in rows.iter().enumerate() {
            let source = row.source(&window);
            let record = &games[source.index as usize];
            let ply = usize::from(source.ply);
            let left = (record.plies.len() - ply) as f32;
            assert!((ahead.plies_left[i] - left).abs() < 1e-6);
            let counts = record.end != EndReason::MaxPlies;
            assert!((ahead.plies_left_weight[i] > 0.5) == counts);

            let next = record.plies.get(ply + 1).filter(|ply| ply.search == SearchKind::Full);
            assert!((ahead.reply_weight[i] > 0.5) == next.is_some());
            seen[usize::from(next.is_some())] += 1;
            let opponent = if ply % 2 == 0 { Color::White } else { Color::Black };
            let mut expected = vec![0.0; LABELS];
            for &(mv, units) in next.map_or(&[][..], |next| next.policy.pairs()) {
                let label = turned_label(label(mv, opponent));
                // The square as the row has it.
                let to = if ply % 2 == 0 { mv.to() } else { mv.to().rotated() };
                assert_eq!(usize::from(label) % 81, to.index());
                expected[usize::from(label)] = f32::from(units) / 65535.0;
            }
            assert_eq!(ahead.reply.row(i).to_vec(), expected);
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }
}

/// Whoever lost by the clock or by a foul may have stood better.
#[test]
fn a_fault_gives_no_value_but_the_policy_stays() {
    let games = (0..60).map(|i| random_game("s", i, START));
    let long = games.filter(|game| game.plies.len() > 8);
    let resigned = long.filter(|game| game.end == EndReason::Resignation).take(3);
    let mut games: Vec<_> =
        (0..).zip(resigned).map(|(i, it)| GameRecord { index: i, ..it }).collect();
    games[1].end = EndReason::TimeForfeit;
    games[2].end = EndReason::IllegalMove(IllegalKind::Nifu);
    games.iter().for_each(|game| game.validate().unwrap());
    let (window, rows) = window_with(&games);
    let batch = Batch::with_ahead(&window, &rows, 0.25);
    let ahead = batch.ahead.as_ref().unwrap();
    let mut policies = [0; 3];
    for (i, row) in rows.iter().enumerate() {
        let game = row.source(&window).index as usize;
        assert_eq!(batch.value_weight[i] > 0.5, game == 0);
        assert_eq!(ahead.plies_left_weight[i] > 0.5, game == 0);
        policies[game] += u32::from(batch.policy_weight[i] > 0.5);
    }
    assert!(policies.iter().all(|&count| count > 0), "{policies:?}");
}

/// What one side wins the other loses: over both sides' rows of decided games wins equal losses.
#[test]
fn the_targets_of_both_sides_mirror_each_other() {
    let games: Vec<_> = (0..40).map(|i| random_game("s", i, START)).collect();
    let (window, rows) = window_with(&games);
    let batch = Batch::new(&window, &rows, 0.0);
    let mut seen = 0;
    for (i, row) in rows.iter().enumerate() {
        let source = row.source(&window);
        let record = &games[source.index as usize];
        let mover = if source.ply % 2 == 0 { Color::Black } else { Color::White };
        let wdl = batch.wdl.row(i).to_vec();
        let for_black = if mover == Color::Black { wdl } else { vec![wdl[2], wdl[1], wdl[0]] };
        let expected = match record.outcome {
            Outcome::BlackWins => [1.0, 0.0, 0.0],
            Outcome::WhiteWins => [0.0, 0.0, 1.0],
            Outcome::Draw => [0.0, 1.0, 0.0],
        };
        assert_eq!(for_black, expected);
        seen |= 1_u32 << (record.outcome as u8) << (3 * mover.index());
    }
    assert_eq!(seen, 0b11_1111, "every outcome from both sides");
    for sum in batch.wdl.rows().into_iter().map(|row| row.sum()) {
        assert!((sum - 1.0).abs() < 1e-6);
    }
}

/// Mirroring a row in the batch is recording the mirrored game.
#[test]
fn a_mirrored_row_is_the_row_of_the_mirrored_game() {
    let games: Vec<_> = (0..6).map(|i| random_game("s", i, START)).collect();
    let mirrored_games: Vec<_> = games.iter().map(mirrored).collect();
    let (window, rows) = window_with(&games);
    let (mirrored_window, mirrored_rows) = window_with(&mirrored_games);
    let flipped: Vec<_> = rows.iter().map(|row| row.with_mirror(true)).collect();
    let batch = Batch::with_ahead(&window, &flipped, 0.5);
    assert_eq!(batch, Batch::with_ahead(&mirrored_window, &mirrored_rows, 0.5));
    assert_ne!(batch, Batch::with_ahead(&window, &rows, 0.5));
}

fn mirrored(game: &GameRecord) -> GameRecord {
    let mut game = game.clone();
    let (board, rest) = game.start.split_once(' ').unwrap();
    let ranks = board.split('/').map(|rank| rank.chars().rev().collect::<String>());
    game.start = format!("{} {rest}", ranks.collect::<Vec<_>>().join("/"));
    for ply in &mut game.plies {
        ply.mv = ply.mv.mirrored();
        for policy in [&mut ply.policy, &mut ply.raw_policy] {
            let mut pairs: Vec<_> =
                policy.pairs().iter().map(|&(mv, units)| (mv.mirrored(), units)).collect();
            pairs.sort_by_key(|&(mv, _)| mv.to_bits());
            *policy = keiko_replay::StoredPolicy::new(pairs).unwrap();
        }
    }
    game
}

#[test]
fn threads_do_not_change_a_bit() {
    let (_dir, store) = run_of(&[60, 40]);
    let batch_on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let window = window_of(&store, settings());
            let sampler = Sampler::new(5, 64);
            let batches = (0..3).map(|step| {
                let rows = sampler.rows(&window, step).unwrap();
                Batch::new(&window, &rows, 0.25)
            });
            batches.collect::<Vec<_>>()
        })
    };
    let one = batch_on(1);
    assert_eq!(one, batch_on(2));
    assert_eq!(one, batch_on(4));
    assert_ne!(one[0], one[1]);
}

#[test]
fn an_empty_batch_is_no_accident() {
    let (window, rows) = window_with(&[random_game("s", 1, START)]);
    assert!(!Batch::new(&window, &rows, 0.25).is_empty());
    let batch = Batch::new(&window, &[], 0.25);
    assert!(batch.is_empty());
    assert_eq!(batch.policy.dim(), (0, 2187));
}
