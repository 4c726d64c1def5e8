//! The mate solver against the corpus and against brute force.

use keiko_mcts::{MateAnswer, MateLimits, MateSolver};
use keiko_shogi::{Game, Move, MoveList, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::game_under;

const CORPUS: &str = include_str!("../../../../tests/corpus/mates.tsv");
const ALL: u16 = MateLimits::MAX_PLIES;

fn problem(sfen: &str) -> Game {
    let (position, number) = Position::from_problem_sfen(sfen).unwrap();
    Game::new(position, number, Rules::STANDARD)
}

struct Row {
    sfen: &'static str,
    /// None: no mate within 17 plies.
    plies: Option<usize>,
    first_moves: Vec<&'static str>,
}

/// Rows of the corpus; a mate of unknown length counts as one of 19 plies.
fn rows() -> Vec<Row> {
    let lines = CORPUS.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let columns: Vec<_> = line.split('\t').collect();
        let plies = match columns[1] {
            "no<=17" => None,
            ">17" => Some(19),
            plies => Some(plies.parse().unwrap()),
        };
        Row { sfen: columns[0], plies, first_moves: columns[2].split(' ').collect() }
    };
    lines.map(row).collect()
}

fn legal_moves(game: &Game) -> MoveList {
    let mut moves = MoveList::new();
    game.legal_moves(&mut moves);
    moves
}

/// Whether the side to move mates by checks within so many plies, tried one by one.
fn mates_within(position: &mut Position, plies: u16) -> bool {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().any(|mv| {
        let undo = position.do_move(mv);
        let mut answers = MoveList::new();
        position.legal_moves(&mut answers);
        let holds = position.in_check()
            && (plies > 1 || answers.is_empty())
            && answers.into_iter().all(|answer| {
                let undo = position.do_move(answer);
                let mates = mates_within(position, plies - 2);
                position.undo_move(answer, undo);
                mates
            });
        position.undo_move(mv, undo);
        holds
    })
}

/// The line is legal, checks with every move of the attacker, and ends in a mate.
#[track_caller]
fn assert_mates(game: &Game, line: &[Move]) {
    let mut game = game.clone();
    for (ply, &mv) in line.iter().enumerate() {
        assert_eq!(game.end_with_moves().filter(|_| ply > 0), None);
        assert!(game.position().is_legal(mv), "{mv} in {}", game.sfen());
        game.play(mv);
        assert!(ply % 2 == 1 || game.position().in_check(), "{mv} checks");
    }
    assert!(line.len() % 2 == 1 && legal_moves(&game).is_empty(), "{line:?} mates");
}

#[test]
fn the_corpus_is_solved() {
    let mut solver = MateSolver::new(1 << 16);
    for Row { sfen, plies, first_moves } in rows() {
        let mut game = problem(sfen);
        let nodes = if plies.is_some_and(|plies| plies <= 11) { 500_000 } else { 50_000 };
        let answer = solver.solve(&mut game, MateLimits { nodes, plies: ALL });
        assert_eq!(game.sfen(), problem(sfen).sfen(), "the game is left as it was");
        match (answer, plies) {
            (MateAnswer::Mate { line }, Some(plies)) => {
                assert_mates(&game, &line);
                assert!(
                    line.len() == plies || plies > 11 && line.len() > plies,
                    "{sfen}: {line:?}"
                );
                let first = line[0].to_string();
                assert!(line.len() > plies || first_moves.contains(&&*first), "{sfen}: {line:?}");
            }
            (MateAnswer::Unknown, plies) => {
                assert!(plies.is_none_or(|plies| plies > 11), "{sfen} is not solved");
            }
            (MateAnswer::NoMate, None) => {}
            (answer, plies) => panic!("{sfen}: {answer:?} for {plies:?}"),
        }
    }
}

#[test]
fn a_tiny_table_or_budget_gives_no_wrong_answer() {
    let mut solver = MateSolver::new(0);
    let mut solved = 0;
    for Row { sfen, plies, .. } in rows() {
        let mut game = problem(sfen);
        for nodes in [0, 10, 100, 20_000] {
            match solver.solve(&mut game, MateLimits { nodes, plies: ALL }) {
                MateAnswer::Mate { line } => {
                    assert_mates(&game, &line);
                    assert!(plies.is_some_and(|plies| line.len() >= plies), "{sfen}: {line:?}");
                    solved += 1;
                }
                MateAnswer::NoMate => assert_eq!(plies, None, "{sfen}"),
                MateAnswer::Unknown => {}
            }
        }
    }
    assert!(solved > 150, "{solved}");
}

#[test]
fn a_budget_without_end_is_one() {
    let mut solver = MateSolver::new(1 << 14);
    for Row { sfen, plies, .. } in rows() {
        let Some(plies) = plies.filter(|plies| (3..=7).contains(plies)) else { continue };
        for nodes in [u64::MAX, u64::MAX - 1] {
            let answer = solver.solve(&mut problem(sfen), MateLimits { nodes, plies: ALL });
            let MateAnswer::Mate { line } = answer else { panic!("{sfen}: {answer:?}") };
            assert_eq!(line.len(), plies, "{sfen}");
        }
    }
}

#[test]
fn the_limit_of_plies_is_exact() {
    let mut solver = MateSolver::new(1 << 14);
    for Row { sfen, plies, .. } in rows() {
        let Some(plies) = plies.filter(|&plies| plies <= 7) else { continue };
        let mut game = problem(sfen);
        let limits = |plies: usize| MateLimits { nodes: 100_000, plies: plies as u16 };
        assert_eq!(solver.solve(&mut game, limits(plies - 1)), MateAnswer::Unknown, "{sfen}");
        let MateAnswer::Mate { line } = solver.solve(&mut game, limits(plies)) else {
            panic!("{sfen} mates in {plies}");
        };
        assert_eq!(line.len(), plies, "{sfen}");
    }
}

#[test]
fn the_last_ply_of_the_game_is_the_last_of_a_mate() {
    let sfen = "ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42";
    let mut solver = MateSolver::new(1 << 14);
    let limits = MateLimits { nodes: 10_000, plies: ALL };
    for (max_plies, mates) in [(2, false), (3, true)] {
        let rules = Rules { max_plies: Some(max_plies), ..Rules::STANDARD };
        let answer = solver.solve(&mut game_under(sfen, rules), limits);
        assert_eq!(matches!(answer, MateAnswer::Mate { .. }), mates, "{answer:?}");
    }
}

/// Positions of random games and of random walks among few pieces, where checks are common.
fn random_positions(seed: u64) -> Vec<Game> {
    let starts = [
        Position::startpos().to_sfen(1),
        "4k4/9/9/9/9/9/4p4/9/4K4 b 2P2gr 1".to_owned(),
        "3nk4/9/2P6/5R3/9/9/9/9/4K4 b GNPbsp 1".to_owned(),
        "7nk/7lp/9/9/5B3/9/9/9/K8 b RSNPrgp 1".to_owned(),
    ];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut games = Vec::new();
    for sfen in starts {
        for _ in 0..8 {
            let mut game = game_under(&sfen, Rules::STANDARD);
            while game.end().is_none() && game.ply() < 200 {
                if game.ply().is_multiple_of(5) {
                    games.push(game.clone());
                }
                let moves = legal_moves(&game);
                game.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
            }
        }
    }
    games
}

#[test]
fn brute_force_agrees_about_short_mates() {
    let mut solver = MateSolver::new(1 << 12);
    let (mut mates, mut refuted) = ([0; 2], 0);
    for mut game in random_positions(5) {
        let answer = solver.solve(&mut game, MateLimits { nodes: 3000, plies: ALL });
        let mut position = game.position().clone();
        let length = [1, 3].into_iter().find(|&plies| mates_within(&mut position, plies));
        match (answer, length) {
            (MateAnswer::Mate { line }, Some(length)) => {
                assert_mates(&game, &line);
                assert_eq!(line.len(), usize::from(length), "{}", game.sfen());
                mates[line.len() / 2] += 1;
            }
            (MateAnswer::Mate { line }, None) => {
                assert_mates(&game, &line);
                assert!(line.len() > 3, "{}: {line:?}", game.sfen());
            }
            (MateAnswer::NoMate, None) => refuted += 1,
            (MateAnswer::Unknown, None) => {}
            (answer, length) => panic!("{}: {answer:?} for {length:?}", game.sfen()),
        }
    }
    assert!(mates[0] > 20 && mates[1] > 20 && refuted > 200, "{mates:?} {refuted}");
}

/// Games that stand before a mate whose first position has occurred three times already: the defender
/// stepped out of the check, and both went back, three times.
fn repeated_mates() -> Vec<(Game, Move)> {
    let mut games = Vec::new();
    for Row { sfen, plies, first_moves } in rows() {
        let mv: Move = match first_moves[0].parse() {
            Ok(mv) if plies.is_some_and(|plies| (3..=11).contains(&plies)) => mv,
            _ => continue,
        };
        let Some(from) = mv.from() else { continue };
        let mut before = problem(sfen);
        before.play(mv);
        let start = before.position().clone();
        before.undo();
        for answer in legal_moves(&Game::new(start.clone(), 1, Rules::STANDARD)) {
            let Some(home) = answer.from() else { continue };
            let mut game = Game::new(start.clone(), 1, Rules::STANDARD);
            let back = [answer, Move::normal(mv.to(), from), Move::normal(answer.to(), home), mv];
            let mut ways = back.iter().cycle().take(11);
            let plays = ways.all(|&mv| {
                let legal = game.position().is_legal(mv) && game.end().is_none();
                if legal {
                    game.play(mv);
                }
                legal
            });
            if plays && game.position() == before.position() {
                games.push((game, mv));
            }
        }
    }
    games
}

#[test]
fn a_fourth_occurrence_is_no_mate() {
    let games = repeated_mates();
    let mut solver = MateSolver::new(1 << 14);
    let mut others = 0;
    for (mut game, mv) in games.iter().cloned() {
        match solver.solve(&mut game, MateLimits { nodes: 100_000, plies: ALL }) {
            MateAnswer::Mate { line } => {
                assert_mates(&game, &line);
                assert_ne!(line[0], mv, "{}", game.sfen());
                others += 1;
            }
            MateAnswer::NoMate => panic!("{} hangs on its history", game.sfen()),
            MateAnswer::Unknown => {}
        }
    }
    assert!(games.len() > others && others > 0, "{others} of {}", games.len());
}

#[test]
fn problem_books_leave_futile_drops_out() {
    let sfen = "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1";
    let mut solver = MateSolver::new(1 << 14);
    let limits = MateLimits { nodes: 200_000, plies: ALL };
    let MateAnswer::Mate { line } = solver.solve_as_problem(&mut problem(sfen), limits) else {
        panic!("a mate in three");
    };
    assert_eq!(line.iter().map(Move::to_string).collect::<Vec<_>>(), ["3d1d", "1c1d", "3f3c+"]);
    for Row { sfen, plies, .. } in rows() {
        let Some(plies) = plies.filter(|&plies| plies <= 7) else { continue };
        let MateAnswer::Mate { line } = solver.solve_as_problem(&mut problem(sfen), limits) else {
            panic!("{sfen}");
        };
        assert!(line.len() <= plies, "{sfen}: {line:?}");
    }
}
