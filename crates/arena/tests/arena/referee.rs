//! Single games: players in this process, and engines that are shell scripts.

use std::ops::ControlFlow;
use std::path::PathBuf;

use keiko_arena::referee::{
    self, Adjudication, Conditions, Player, PlayerFailure, Seat, ThinkingTime,
};
use keiko_arena::usi_match;
use keiko_arena::usi_player::{UsiEngine, UsiPlayer};
use keiko_play::TimeControl;
use keiko_shogi::{EndReason, Game, IllegalKind, MoveList, Outcome, Position, Rules};
use keiko_usi::answer::{Choice, Score};
use keiko_usi::command::{GameResult, Go};

/// Plays the given answers, then the first legal move for ever.
#[derive(Debug)]
struct Script {
    answers: Vec<Choice>,
    score: Option<Score>,
    results: Vec<GameResult>,
}

impl Script {
    fn of(answers: &[&str]) -> Script {
        let mut answers: Vec<Choice> = answers.iter().map(|text| choice(text)).collect();
        answers.reverse();
        Script { answers, score: None, results: Vec::new() }
    }
}

fn choice(text: &str) -> Choice {
    match text {
        "resign" => Choice::Resign,
        "win" => Choice::Win,
        other => other.parse().map_or_else(|_| Choice::Unreadable(other.to_owned()), Choice::Move),
    }
}

impl Player for Script {
    fn name(&self) -> String {
        "script".to_owned()
    }

    fn new_game(&mut self, _: &Game) -> Result<(), PlayerFailure> {
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: &Go, _: u64) -> Result<Choice, PlayerFailure> {
        let mut moves = MoveList::new();
        game.legal_moves(&mut moves);
        Ok(self.answers.pop().unwrap_or(Choice::Move(moves[0])))
    }

    fn score(&self) -> Option<Score> {
        self.score
    }

    fn game_over(&mut self, result: GameResult) {
        self.results.push(result);
    }
}

const NODES: ThinkingTime = ThinkingTime::Nodes { nodes: 1 };

fn end_of(mut game: Game, black: &[&str], white: &[&str]) -> (Outcome, EndReason, u32) {
    let (mut black, mut white) = (Script::of(black), Script::of(white));
    let mut seats =
        [Seat { player: &mut black, time: NODES }, Seat { player: &mut white, time: NODES }];
    let end = referee::play(&mut game, &mut seats, &Conditions::plain(0)).end;
    let results = [black.results, white.results];
    let expected = match end.outcome {
        Outcome::BlackWins => [[GameResult::Win], [GameResult::Lose]],
        Outcome::WhiteWins => [[GameResult::Lose], [GameResult::Win]],
        Outcome::Draw => [[GameResult::Draw], [GameResult::Draw]],
    };
    assert_eq!(results, expected);
    (end.outcome, end.reason, end.ply)
}

fn from(sfen: &str) -> Game {
    let (position, number) = Position::from_sfen(sfen).unwrap();
    Game::new(position, number, Rules::STANDARD)
}

#[test]
fn games_end_as_the_players_say_and_the_rules_allow() {
    let start = || Game::startpos(Rules::STANDARD);
    let illegal = EndReason::IllegalMove;
    for (black, white, end) in [
        (&["7g7f", "resign"][..], &[][..], (Outcome::WhiteWins, EndReason::Resignation, 2)),
        (&["7g7f"], &["resign"], (Outcome::BlackWins, EndReason::Resignation, 1)),
        (&["7g7e"], &[], (Outcome::WhiteWins, illegal(IllegalKind::ImpossibleMove), 1)),
        // The foul is that of the engine that chose the move, whosever piece it is.
        (&["3c3d"], &[], (Outcome::WhiteWins, illegal(IllegalKind::OutOfTurn), 1)),
        (&["7g7f"], &["none"], (Outcome::BlackWins, illegal(IllegalKind::ImpossibleMove), 1)),
        (&["win"], &[], (Outcome::WhiteWins, EndReason::FailedDeclaration, 0)),
    ] {
        assert_eq!(end_of(start(), black, white), end, "{black:?} {white:?}");
    }
    let declare = from("K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1");
    let won = (Outcome::BlackWins, EndReason::NyugyokuDeclaration, 0);
    assert_eq!(end_of(declare, &["win"], &[]), won);
    let mate = from("8k/9/8P/9/9/9/9/9/8K b G 1");
    assert_eq!(end_of(mate, &["G*1b"], &[]), (Outcome::BlackWins, EndReason::Checkmate, 1));
    let short = Game::startpos(Rules { max_plies: Some(6), ..Rules::STANDARD });
    assert_eq!(end_of(short, &[], &[]), (Outcome::Draw, EndReason::MaxPlies, 6));
}

/// An engine written in shell: `on_go` is what it does when told to go.
fn shell(on_go: &str) -> UsiPlayer {
    let script = format!(
        "echo a banner; while read -r line; do case \"$line\" in \
         usi) echo 'id name sh'; echo 'option name Draw_Ply type spin default 0'; \
              echo 'option name Skill Level type spin default 20'; echo usiok;; \
         setoption*) echo \"info string $line\";; \
         isready) echo; echo readyok;; \
         go*) echo 'info depth 1 score cp 7 pv 7g7f'; {on_go};; \
         quit) exit;; esac; done"
    );
    UsiPlayer::new(UsiEngine {
        name: "sh".to_owned(),
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".to_owned(), script],
        directory: None,
        options: vec![("Skill Level".to_owned(), "-20".to_owned())],
        usi_patience_ms: 10_000,
        ready_patience_ms: 10_000,
    })
}

const BLITZ: ThinkingTime =
    ThinkingTime::Clock(TimeControl { main_ms: 0, byoyomi_ms: 300, increment_ms: 0 });

#[test]
fn every_way_to_fail_is_a_loss_with_its_reason() {
    for (on_go, time, reason, text) in [
        ("true", BLITZ, EndReason::TimeForfeit, "no answer within"),
        ("exit 3", NODES, EndReason::Aborted, "the engine ended before bestmove (exit code 3)"),
        (
            "echo bestmove 7g7e",
            NODES,
            EndReason::IllegalMove(IllegalKind::ImpossibleMove),
            "illegal move 7g7e",
        ),
        (
            "echo bestmove",
            NODES,
            EndReason::IllegalMove(IllegalKind::ImpossibleMove),
            "unreadable answer \"\"",
        ),
        ("echo bestmove resign", NODES, EndReason::Resignation, ""),
    ] {
        let (mut engine, mut script) = (shell(on_go), Script::of(&[]));
        let mut contenders =
            [Seat { player: &mut engine, time }, Seat { player: &mut script, time: NODES }];
        let openings = [Game::startpos(Rules { max_plies: Some(20), ..Rules::STANDARD })];
        let watch = |_: &usi_match::MatchResult| ControlFlow::Continue(());
        let result = usi_match::run(&mut contenders, &openings, 0, watch).expect("not interrupted");
        assert_eq!(result.tally.games.losses, 2, "{on_go}: {result:?}");
        assert!(result.games.iter().all(|game| game.end.reason == reason), "{on_go}: {result:?}");
        if text.is_empty() {
            assert!(result.failures.is_empty(), "{result:?}");
        } else {
            // The engine is started again for the second game.
            assert_eq!(result.failures.len(), 2, "{on_go}: {result:?}");
            for (index, (game, contender, failure)) in result.failures.iter().enumerate() {
                assert_eq!((*game, *contender), (index, 0));
                assert!(failure.starts_with(text), "{failure}");
            }
        }
    }
}

#[test]
fn an_engine_that_cannot_start_loses() {
    let mut missing = UsiPlayer::new(UsiEngine {
        name: "missing".to_owned(),
        program: PathBuf::from("/nowhere/engine"),
        arguments: Vec::new(),
        directory: None,
        options: Vec::new(),
        usi_patience_ms: 1000,
        ready_patience_ms: 1000,
    });
    let mut script = Script::of(&[]);
    let mut seats =
        [Seat { player: &mut script, time: NODES }, Seat { player: &mut missing, time: NODES }];
    let result =
        referee::play(&mut Game::startpos(Rules::STANDARD), &mut seats, &Conditions::plain(0));
    assert_eq!((result.end.outcome, result.end.reason), (Outcome::BlackWins, EndReason::Aborted));
    assert!(result.failure.unwrap().1.text.contains("/nowhere/engine"));
}

#[test]
fn scores_are_kept_and_a_second_game_uses_the_same_process() {
    let mut engine = shell("echo bestmove resign");
    let game = Game::startpos(Rules { max_plies: Some(100), ..Rules::STANDARD });
    for _ in 0..2 {
        engine.new_game(&game).unwrap();
        assert_eq!(engine.choose(&game, &Go::nodes(1), 10_000), Ok(Choice::Resign));
        assert_eq!(engine.last_info().unwrap().depth, Some(1));
        engine.game_over(GameResult::Lose);
    }
}

#[test]
fn both_scores_end_a_game_and_the_rest_of_the_clock_is_told() {
    let mut black = Script { score: Some(Score::Centipawns(900)), ..Script::of(&[]) };
    let mut white = Script { score: Some(Score::Centipawns(-900)), ..Script::of(&[]) };
    let clock = ThinkingTime::Clock(TimeControl { main_ms: 60_000, ..TimeControl::default() });
    let mut seats =
        [Seat { player: &mut black, time: clock }, Seat { player: &mut white, time: NODES }];
    let rule = Adjudication { score_cp: 900, moves: 3 };
    let conditions = Conditions {
        adjudication: Some(rule),
        main_ms: Some([50_000, 0]),
        ..Conditions::plain(30_000)
    };
    let result = referee::play(&mut Game::startpos(Rules::STANDARD), &mut seats, &conditions);
    let end = (result.end.outcome, result.end.reason, result.end.ply);
    assert_eq!(end, (Outcome::BlackWins, EndReason::Resignation, 6));
    assert!(result.adjudicated && result.failure.is_none());
    assert_eq!(result.left_ms, [50_000, 0]);
}
