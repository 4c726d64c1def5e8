//! The engine against a GUI that says anything in any order. `KEIKO_USI_FUZZ_LINES` is the number of lines, 20,000
//! without it; `KEIKO_USI_FUZZ_SEED` the seed.

use std::collections::VecDeque;

use keiko_inference::{EncodingId, Uniform};
use keiko_shogi::{Color, Declaration, Game, Move, MoveList, Rules};
use keiko_usi::command::{Command, Go, PositionText};
use keiko_usi::engine::{LoadedModel, ModelRequest};

use crate::console::Console;
use crate::noise::Noise;

/// Lines between two moments at which every answer that is owed must be there.
const ROUND: u64 = 100;

#[test]
fn any_session_is_answered_legally_and_once() {
    let number = |name: &str| std::env::var_os(name).and_then(|text| text.to_str()?.parse().ok());
    let lines: u64 = number("KEIKO_USI_FUZZ_LINES").unwrap_or(20_000);
    let mut noise = Noise::new(number("KEIKO_USI_FUZZ_SEED").unwrap_or(1));
    let mut session = Session::new();
    let mut sent = 0;
    let mut answers = 0;
    while sent < lines {
        for _ in 0..ROUND {
            sent += session.say(&noise.line());
        }
        answers += session.settle();
        // Another engine now and then, as loading is a state too.
        if noise.below(50) == 0 {
            session = Session::new();
        }
    }
    assert!(answers as u64 > sent / 20, "{answers} answers to {sent} lines");
    eprintln!("{sent} lines, {answers} answers");
}

/// What a `go` must be answered with.
#[derive(Debug)]
enum Owed {
    BestMove { game: Option<Box<Game>>, searchmoves: Vec<Move>, after: String },
    Checkmate,
}

struct Session {
    console: Console,
    /// The last lines, for the message of a failure.
    log: VecDeque<String>,
    standing: PositionText,
    /// Whether the last `position` was refused and began elsewhere.
    lost: bool,
    owed: VecDeque<Owed>,
    ready: usize,
}

fn rules() -> Rules {
    Rules { declaration: Declaration::Manual, max_plies: None, ..Rules::STANDARD }
}

impl Session {
    fn new() -> Session {
        let console = Console::with(|_: &ModelRequest| {
            Ok(LoadedModel::new(Uniform::new(EncodingId::Dlshogi57)))
        });
        let mut session = Session {
            console,
            log: VecDeque::new(),
            standing: PositionText::startpos(Vec::new()),
            lost: false,
            owed: VecDeque::new(),
            ready: 0,
        };
        // A lost position would be resigned otherwise.
        session.say("setoption name Resign_Threshold value 0");
        session
    }

    /// Says a line, if it does not end the engine, and notes what is owed for it.
    fn say(&mut self, line: &str) -> u64 {
        match Command::parse(line) {
            Ok(Some(Command::Quit)) => return 0,
            Ok(Some(Command::Go(go))) => self.owe(go),
            Ok(Some(Command::IsReady)) => self.ready += 1,
            Ok(Some(Command::Position(text))) => match text.game_as_asked(rules()) {
                Ok(_) => (self.standing, self.lost) = (text, false),
                Err(_) => self.refused(Some(text)),
            },
            Err(_) if line.trim_start().starts_with("position") => {
                let text = line.trim_start().strip_prefix("position").unwrap();
                let start = PositionText::start_of(text);
                self.refused(start.map(|start| PositionText { start, moves: Vec::new() }));
            }
            _ => {}
        }
        self.log.push_back(line.to_owned());
        if self.log.len() > 3 * ROUND as usize {
            self.log.pop_front();
        }
        self.console.send(line);
        1
    }

    fn refused(&mut self, asked: Option<PositionText>) {
        let begins = |text: &PositionText| {
            let start = PositionText { start: text.start.clone(), moves: Vec::new() };
            start.game(rules()).ok().map(|game| game.position().clone())
        };
        // What says nothing about where it begins changes nothing.
        let Some(asked) = asked else { return };
        let begin = begins(&asked);
        self.lost = begin.is_none() || begin != begins(&self.standing);
    }

    fn owe(&mut self, go: Go) {
        if go.mate.is_some() {
            self.owed.push_back(Owed::Checkmate);
            return;
        }
        let game = (!self.lost).then(|| Box::new(self.standing.game_as_asked(rules()).unwrap().0));
        let position = self.log.iter().rev().find(|line| line.contains("position"));
        let after = position.cloned().unwrap_or_default();
        self.owed.push_back(Owed::BestMove { game, searchmoves: go.searchmoves, after });
    }

    /// Ends what runs and reads everything that was owed. Returns how many answers there were.
    fn settle(&mut self) -> usize {
        for line in ["stop", "isready"] {
            self.say(line);
        }
        let mut answers = 0;
        while self.ready > 0 {
            let line = self.console.line();
            self.log.push_back(format!("< {line}"));
            if line == "readyok" {
                self.ready -= 1;
            } else if let Some(best) = line.strip_prefix("bestmove ") {
                answers += 1;
                let owed = self.owed.pop_front();
                self.check(best, owed);
            } else if line.starts_with("checkmate ") {
                answers += 1;
                let owed = self.owed.pop_front();
                assert!(matches!(owed, Some(Owed::Checkmate)), "{line}: {owed:?} {}", self.tail());
            }
        }
        assert!(self.owed.is_empty(), "{:?} {}", self.owed, self.tail());
        answers
    }

    fn check(&self, best: &str, owed: Option<Owed>) {
        let Some(Owed::BestMove { game, searchmoves, after }) = owed else {
            panic!("{best}: {owed:?} {}", self.tail());
        };
        let Some(mut game) = game else {
            assert_eq!(best, "resign", "after {after:?}, {}", self.tail());
            return;
        };
        let position = game.position().clone();
        if Color::ALL.iter().any(|&side| position.king(side).is_none()) {
            assert_eq!(best, "resign", "{position:?} {}", self.tail());
            return;
        }
        match best {
            "resign" => assert!(!position.has_legal_move(), "{position:?} {}", self.tail()),
            "win" => assert!(game.can_declare().is_some(), "{position:?} {}", self.tail()),
            _ => {
                let mut moves = best.split(" ponder ").map(|word| word.parse::<Move>().unwrap());
                let mv = moves.next().unwrap();
                let mut legal = MoveList::new();
                game.legal_moves(&mut legal);
                let chosen = || searchmoves.iter().filter(|mv| legal.contains(mv));
                let asked = chosen().next().is_none() || searchmoves.contains(&mv);
                assert!(legal.contains(&mv) && asked, "{mv} in {position:?} {}", self.tail());
                game.play(mv);
                let ponder = moves.next();
                let legal = ponder.is_none_or(|mv| game.position().is_legal(mv));
                assert!(legal, "{best} in {position:?} {}", self.tail());
            }
        }
    }

    fn tail(&self) -> String {
        let lines: Vec<&str> = self.log.iter().map(String::as_str).collect();
        format!("after\n{}", lines.join("\n"))
    }
}
