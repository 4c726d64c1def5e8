use std::collections::BTreeMap;

use keiko_formats::packed::Packing;
use keiko_replay::{GameRecord, SearchKind, StartSource};
use keiko_selfplay::{
    Book, Opening, OpeningChoice, PastGames, ResignAudit, Settings, Sources, Starts,
};
use keiko_shogi::{EndReason, Outcome, Position};

use crate::shards::Shards;
use crate::{Case, NOBODY, RULES, SETTINGS, played, run};

const BOOK: &str = "# a book\nstartpos moves 7g7f 3c3d\n\nstartpos moves 2g2f\n\
    sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";

/// All sources, each with a share of its own.
fn mixed() -> Settings {
    let starts = Starts {
        book: 0.2,
        book_file: "a.sfen".to_owned(),
        shuffled: 0.1,
        fork: 0.15,
        before_end: 0.25,
        before_end_plies: 8,
    };
    Settings { starts, ..SETTINGS }
}

/// The records of a generation of games from the ordinary start.
fn earlier() -> Vec<GameRecord> {
    let resignation = ResignAudit { threshold: 0.45, turns: 2, played_out_share: 0.3, ..NOBODY };
    let settings = Settings { resignation, ..SETTINGS };
    let mut games: Vec<GameRecord> = played(&Case { settings, games: 40, ..Case::default() })
        .games()
        .into_iter()
        .map(|game| GameRecord { stream: "gen-000000".to_owned(), ..game.clone() })
        .collect();
    assert!(games.iter().any(|game| game.outcome != Outcome::Draw), "no game was won");
    // One game that must not be gone on from: it went on from another one itself.
    let stream = "gen-000000".to_owned();
    games[0].start_source = StartSource::Branch { stream, index: 39, ply: 1 };
    games
}

fn sources(games: &[GameRecord]) -> Sources {
    let mut past = PastGames::default();
    games.iter().for_each(|game| past.add(game));
    let book = Book::parse("a.sfen", BOOK.as_bytes(), RULES).unwrap();
    Sources { book: Some(book), past }
}

fn counts<'g>(games: impl IntoIterator<Item = &'g GameRecord>) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for game in games {
        *counts.entry(game.start_source.name()).or_default() += 1;
    }
    counts
}

/// The chance of so many or fewer, and of so many or more, of `trials` with probability `p`.
fn tails(trials: u64, count: u64, p: f64) -> (f64, f64) {
    let mut term = trials as f64 * (-p).ln_1p();
    let (mut below, mut at_most) = (0.0, 0.0);
    for k in 0..=trials {
        if k < count {
            below += term.exp();
        }
        if k <= count {
            at_most += term.exp();
        }
        term += ((trials - k) as f64 / (k + 1) as f64).ln() + (p / (1.0 - p)).ln();
    }
    (at_most, 1.0 - below)
}

/// How probable a count as unusual as this one must be at least; tests are many, seeds are fixed.
const UNUSUAL: f64 = 1e-4;

#[test]
fn shares_are_kept_within_binomial_bounds_whatever_the_length_of_games() {
    let earlier = earlier();
    let sources = sources(&earlier);
    let won = earlier.iter().skip(1).filter(|game| game.outcome != Outcome::Draw).count() as u64;
    let settings = Settings { simulations: 1, ..mixed() };
    let games = 3000;
    let shards = played(&Case { settings, games, sources: &sources, ..Case::default() });
    let found = counts(shards.games());
    assert_eq!(found.values().sum::<u64>(), games);
    for (name, share) in
        [("book", 0.2), ("shuffled", 0.1), ("fork", 0.15), ("before_end", 0.25), ("standard", 0.3)]
    {
        let (low, high) = tails(games, found[name], share);
        assert!(low > UNUSUAL && high > UNUSUAL, "{name}: {} of {games}", found[name]);
    }
    // Within a source every line and every game is as likely as any other.
    let mut lines = BTreeMap::<u32, u64>::new();
    let mut parents = BTreeMap::<(&str, u64), u64>::new();
    for game in shards.games() {
        match &game.start_source {
            StartSource::Opening { line } => *lines.entry(*line).or_default() += 1,
            StartSource::BeforeEnd { index, .. } => {
                *parents.entry(("before_end", *index)).or_default() += 1;
            }
            StartSource::Branch { index, .. } => *parents.entry(("fork", *index)).or_default() += 1,
            _ => {}
        }
    }
    assert_eq!(lines.keys().copied().collect::<Vec<_>>(), [2, 4, 5], "lines by their numbers");
    for (line, count) in lines {
        let (low, high) = tails(found["book"], count, 1.0 / 3.0);
        assert!(low > UNUSUAL && high > UNUSUAL, "line {line}: {count}");
    }
    for ((source, index), count) in &parents {
        let of = if *source == "fork" { 39 } else { won };
        let (low, high) = tails(found[source], *count, 1.0 / of as f64);
        assert!(low > UNUSUAL && high > UNUSUAL, "{source} {index}: {count}");
        assert_ne!(*index, 0, "a game that went on from another one");
    }
    let ends = parents.keys().filter(|(source, _)| *source == "before_end").count() as u64;
    assert_eq!(ends, won, "all games that were won, and no other");
}

#[test]
fn games_that_go_on_begin_with_the_moves_of_the_earlier_one() {
    let earlier = earlier();
    let sources = sources(&earlier);
    let shards =
        played(&Case { settings: mixed(), games: 200, sources: &sources, ..Case::default() });
    let (mut forks, mut plies_left) = (0, Vec::new());
    for game in shards.games() {
        game.validate().unwrap();
        assert_eq!(&GameRecord::from_bytes(&game.to_bytes().unwrap()).unwrap(), game);
        let first = game.plies.iter().position(|ply| ply.search != SearchKind::None);
        let (index, ply, is_fork) = match &game.start_source {
            StartSource::Branch { stream, index, ply } => {
                forks += 1;
                assert_eq!(stream, "gen-000000");
                (*index, usize::from(*ply), true)
            }
            StartSource::BeforeEnd { index, ply, .. } => (*index, usize::from(*ply), false),
            _ => continue,
        };
        let parent = &earlier[index as usize];
        assert_eq!((&game.start, game.origin()), (&parent.start, ("gen-000000", index)));
        let moves = |game: &GameRecord| -> Vec<_> { game.plies.iter().map(|it| it.mv).collect() };
        assert_eq!(moves(game)[..ply], moves(parent)[..ply]);
        assert!(first.is_none_or(|first| first >= ply), "the earlier moves have no search");
        assert!(ply >= 1 && ply < parent.plies.len());
        if !is_fork {
            assert_eq!(first, Some(ply), "no opening moves before an end");
            assert_ne!(parent.outcome, Outcome::Draw);
            plies_left.push(parent.plies.len() - ply);
        }
    }
    assert!(forks > 10);
    plies_left.sort_unstable();
    assert_eq!((plies_left[0], plies_left[plies_left.len() - 1]), (1, 8));
}

/// Repetition is counted over the moves of the earlier game too.
#[test]
fn repetition_goes_on_from_the_earlier_game() {
    let round = "2h3h 8b7b 3h2h 7b8b";
    let text = format!("startpos moves {round} {round} 2h3h 8b7b 3h2h");
    let book = Book::parse("x.sfen", text.as_bytes(), RULES).unwrap();
    let starts = Starts { book: 1.0, book_file: "x.sfen".to_owned(), ..Starts::ORDINARY };
    let opening = Opening { max_plies: 1, choice: OpeningChoice::Uniform, temperature: 1.0 };
    let settings = Settings { starts, opening, simulations: 30, ..SETTINGS };
    let sources = Sources { book: Some(book), past: PastGames::default() };
    let shards = played(&Case { settings, games: 300, sources: &sources, ..Case::default() });
    let at_once = |game: &&&GameRecord| game.end == EndReason::Sennichite && game.plies.len() == 12;
    let games = shards.games();
    games.iter().for_each(|game| game.validate().unwrap());
    assert!(games.iter().filter(at_once).count() > 0, "nobody moved into the fourth repetition");
}

#[test]
fn a_source_with_nothing_to_offer_is_the_ordinary_start() {
    let draws: Vec<GameRecord> =
        earlier().into_iter().filter(|game| game.outcome == Outcome::Draw).collect();
    let empty = Sources::default();
    let found = counts(
        played(&Case { settings: mixed(), games: 200, sources: &empty, ..Case::default() }).games(),
    );
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), ["shuffled", "standard"]);
    let drawn = sources(&draws);
    let found = counts(
        played(&Case { settings: mixed(), games: 200, sources: &drawn, ..Case::default() }).games(),
    );
    assert!(found.contains_key("fork") && !found.contains_key("before_end"), "{found:?}");
}

#[test]
fn positions_of_a_packed_book_are_numbered_from_one() {
    let sfens = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1",
    ];
    let pack = |sfen| Packing::Hcp.encode(&Position::from_sfen(sfen).unwrap().0).unwrap();
    let book = Book::parse("a.hcp", &sfens.map(pack).concat(), RULES).unwrap();
    let starts = Starts { book: 1.0, book_file: "a.hcp".to_owned(), ..Starts::ORDINARY };
    let settings = Settings { starts, ..SETTINGS };
    let sources = Sources { book: Some(book), past: PastGames::default() };
    for game in played(&Case { settings, sources: &sources, ..Case::default() }).games() {
        let StartSource::Opening { line } = game.start_source else { panic!("{game:?}") };
        assert_eq!(game.start, sfens[line as usize - 1]);
    }
}

#[test]
fn the_number_of_workers_and_stops_change_nothing() {
    let earlier = earlier();
    let sources = sources(&earlier);
    let case = |workers, stop_after| Case {
        settings: Settings { workers, ..mixed() },
        games: 40,
        sources: &sources,
        stop_after,
        ..Case::default()
    };
    let whole = played(&case(1, None));
    assert_eq!(counts(whole.games()).len(), 5, "every source is there");
    for (workers, stop_after) in [(2, 1), (3, 3)] {
        let mut shards = Shards::default();
        assert!(run(&case(workers, Some(stop_after)), &mut shards).unwrap().stopped);
        run(&case(workers, None), &mut shards).unwrap();
        assert!(whole.bytes() == shards.bytes(), "{workers} workers");
    }
}

#[test]
fn shares_that_cannot_be_are_refused() {
    let error = |starts: Starts| {
        let settings = Settings { starts, ..SETTINGS };
        settings.validate().unwrap_err().to_string()
    };
    let starts = mixed().starts;
    assert!(
        Settings { starts: Starts { fork: 0.45, ..starts.clone() }, ..SETTINGS }.validate().is_ok()
    );
    let sum = error(Starts { fork: 0.46, ..starts.clone() });
    assert!(sum.starts_with("selfplay.starts is a sum of 1.01"), "{sum}");
    let file = error(Starts { book_file: String::new(), ..starts.clone() });
    assert!(file.starts_with("selfplay.starts.book_file is empty, but must be a file"), "{file}");
    assert!(error(Starts { shuffled: f32::NAN, ..starts.clone() }).contains("starts.shuffled"));
    assert!(error(Starts { before_end_plies: 0, ..starts }).contains("before_end_plies"));
}
