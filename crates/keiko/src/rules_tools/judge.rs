//! `keiko judge`: how games end.

mod said;

use std::io::{BufRead, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use keiko_formats::RecordFormat;
use keiko_shogi::{Declaration, Game, GameEnd, Handicap, ImpasseRule, ParseHandicapError, Rules};
use serde::Serialize;

use super::answer::{answer_lines, answer_or_error, exit_code};
use super::case::Case;
use crate::records::open;
use said::{Said, replay};

/// Replay games and say how they end: {"outcome": .., "reason": .., "ply": ..}.
///
/// `outcome` is black_wins, white_wins, draw, or none if the game goes on after the last move; `ply`
/// is the number of moves played by then, an illegal move included. An illegal move is named in a
/// further key `kind`: nifu, uchifuzume, dead_end, promoted_drop, out_of_turn, king_in_check or
/// impossible_move.
///
/// The answer is the first end that the game reaches by the rules. Where a record says how it ended,
/// or the moves end with `resign` or `win` (a declaration), play after an illegal move is followed
/// to that end: the loss stands, unless the opponent resigned first. What the record says about
/// itself is judged too: a declaration must be right, a repetition must be there; resignation, time
/// forfeit and fouls that are not among the moves are taken from it.
///
/// With files, each game of each is a case; by extension .csa, .kif, .kifu, .usi, .sfen. Without
/// files, --sfen and --moves, each line of standard input is one: the position (SFEN or
/// `startpos`), and after a tab the moves, if any. A case that cannot be read answers
/// {"error": ..}, with the number of its line, and makes the exit code 1.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  keiko judge --moves '7g7f 3c3d 8h3c'\n  keiko judge --impasse csa24 \
--declare --sfen 'K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1'\n  printf \
'startpos\\t7g7f 3c3d\\n' | keiko judge"
)]
pub(crate) struct JudgeArgs {
    /// Records to judge, - for standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["sfen", "moves"])]
    files: Vec<PathBuf>,

    /// The format of the records, where a file's extension does not tell it: csa, kif, usi, sfen
    #[arg(long, value_name = "FORMAT", requires = "files")]
    from: Option<RecordFormat>,

    /// Position to start from, as SFEN or `startpos` (the default where --moves is given; the
    /// start of the handicap with --handicap)
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,

    /// Moves in USI notation, separated by spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// What decides a game of entering kings: csa27 (declaration, 28 points for Black, 27 for
    /// White), csa24 (31 win, 24 draw), csa27h and csa24h (the same with handicap points),
    /// jishogi24 and count27 (counts by agreement), try, try_both, amateur_west, none
    #[arg(long, value_name = "RULE", default_value_t = ImpasseRule::Csa27)]
    impasse: ImpasseRule,

    /// The side to move declares after the last move (under the try rules: it plays a try, if it
    /// can)
    #[arg(long, conflicts_with = "agree")]
    declare: bool,

    /// Both sides agree to count after the last move
    #[arg(long)]
    agree: bool,

    /// Time that the side to move has left when it declares, in milliseconds; without any, the
    /// declaration fails
    #[arg(long, value_name = "MS")]
    time_left_ms: Option<u64>,

    /// The game is a draw after this many plies
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<u16>,

    /// Handicap: its start position, and its points given away for the counts that credit them;
    /// lance, right_lance, bishop, rook, rook_lance, two_piece, three_piece, four_piece,
    /// five_piece, left_five_piece, six_piece, left_seven_piece, right_seven_piece, eight_piece,
    /// ten_piece, three_pawns, naked_king
    #[arg(long, value_name = "NAME", value_parser = handicap)]
    handicap: Option<Handicap>,

    /// Print JSON even on a terminal
    #[arg(long)]
    json: bool,
}

fn handicap(text: &str) -> Result<Handicap, ParseHandicapError> {
    text.parse()
}

/// Runs `keiko judge`.
pub(crate) fn judge(
    args: &JudgeArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    if !args.files.is_empty() {
        return judge_files(args, input, out);
    }
    let start = args.sfen.as_deref().unwrap_or("startpos");
    if args.sfen.is_none() && args.moves.is_none() {
        let (lines, all_good) = answer_lines(input, out, |line| {
            Ok(Verdict::of(args, &Case::of_line(line, args.handicap)?).json())
        })?;
        if lines > 0 || args.handicap.is_none() {
            return Ok(exit_code(all_good));
        }
    }
    let case = Case::new(start, args.moves.as_deref().unwrap_or_default(), args.handicap);
    if !args.json && std::io::stdout().is_terminal() {
        writeln!(out, "{}", Verdict::of(args, &case?).sentence())?;
        return Ok(ExitCode::SUCCESS);
    }
    let (text, good) = answer_or_error(case.map(|case| Verdict::of(args, &case).json()));
    writeln!(out, "{text}")?;
    Ok(exit_code(good))
}

/// Answers for every game of the files.
fn judge_files(
    args: &JudgeArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut all_good = true;
    for path in &args.files {
        let place = || path.display().to_string();
        let mut found = false;
        for record in open(path, args.from, input)? {
            found = true;
            let verdict = record
                .map(|record| Verdict::of(args, &Case::of_record(&record)).json())
                .map_err(|error| anyhow!("{}: {error}", place()));
            let (text, good) = answer_or_error(verdict);
            writeln!(out, "{text}")?;
            all_good &= good;
        }
        if !found {
            bail!("{}: there is no game in it", place());
        }
    }
    Ok(exit_code(all_good))
}

/// What is said about a game.
#[derive(Debug, Serialize)]
struct Verdict {
    outcome: &'static str,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    ply: u32,
}

impl Verdict {
    fn of(args: &JudgeArgs, case: &Case) -> Verdict {
        let rules = Rules {
            impasse: args.impasse,
            declaration: Declaration::Manual,
            max_plies: args.max_plies,
            handicap: args.handicap.or_else(|| Handicap::of_position(&case.start)),
        };
        let mut game = Game::new(case.start.clone(), case.move_number, rules);
        let end = replay(&mut game, &case.moves, case.close.is_some());
        let end = match case.close {
            Some(close) => Said::of(close, &game, case.moves.len()).decide(end, &game, args),
            None => end.map(Verdict::from).or_else(|| asked(&game, args).map(Verdict::from)),
        };
        end.unwrap_or(Verdict { outcome: "none", reason: "none", kind: None, ply: game.ply() })
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("names and a number are written as JSON")
    }

    fn sentence(&self) -> String {
        let Verdict { outcome, reason, kind, ply } = self;
        match kind {
            _ if *outcome == "none" => format!("the game goes on after {ply} plies"),
            Some(kind) => format!("{outcome} by {reason} ({kind}) after {ply} plies"),
            None => format!("{outcome} by {reason} after {ply} plies"),
        }
    }
}

impl From<GameEnd> for Verdict {
    fn from(end: GameEnd) -> Verdict {
        Verdict {
            outcome: end.outcome.name(),
            reason: end.reason.name(),
            kind: end.reason.illegal_kind().map(|kind| kind.name()),
            ply: end.ply,
        }
    }
}

/// What the options ask for after the last move.
fn asked(game: &Game, args: &JudgeArgs) -> Option<GameEnd> {
    if args.declare {
        Some(game.declare(args.time_left_ms))
    } else if args.agree {
        game.agree()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        judge: JudgeArgs,
    }

    /// The lines that the program answers to options and standard input.
    fn answers(options: &[&str], input: &str) -> Vec<String> {
        let words = ["judge", "--json"].into_iter().chain(options.iter().copied());
        let args = Program::parse_from(words).judge;
        let mut out = Vec::new();
        judge(&args, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    fn answer(options: &[&str]) -> String {
        answers(options, "").join("\n")
    }

    const DECLARABLE: &str = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3Pb4g4s4n4l5p 1";

    #[test]
    fn games_that_go_on() {
        let none = "{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":2}";
        assert_eq!(answer(&["--moves", "7g7f 3c3d"]), none);
    }

    #[test]
    fn illegal_moves_are_named_and_counted() {
        for (moves, winner, kind, ply) in [
            ("7g7f 3c3d 8h3c", "none", "none", 3),
            ("7g7f 3c3d 8h2c", "white_wins", "impossible_move", 3),
            ("7g7f 7f7e", "white_wins", "out_of_turn", 2),
            ("7g7f P*5e", "black_wins", "impossible_move", 2),
            ("P*5e+", "white_wins", "promoted_drop", 1),
            ("7g7g", "white_wins", "impossible_move", 1),
            ("K*5e", "white_wins", "impossible_move", 1),
            ("7g7f 3c3d 8h2b+ 3a2b 2g2f B*7g 2f2e", "white_wins", "king_in_check", 7),
        ] {
            let expected = match kind {
                "none" => format!("{{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":{ply}}}"),
                _ => format!(
                    "{{\"outcome\":\"{winner}\",\"reason\":\"illegal_move\",\"kind\":\"{kind}\",\"ply\":{ply}}}"
                ),
            };
            assert_eq!(answer(&["--moves", moves]), expected, "{moves}");
        }
    }

    #[test]
    fn declarations_and_time() {
        let declared = "{\"outcome\":\"black_wins\",\"reason\":\"nyugyoku_declaration\",\"ply\":0}";
        let failed = "{\"outcome\":\"white_wins\",\"reason\":\"failed_declaration\",\"ply\":0}";
        let drawn = "{\"outcome\":\"draw\",\"reason\":\"nyugyoku_declaration\",\"ply\":0}";
        let sfen = ["--declare", "--sfen", DECLARABLE];
        assert_eq!(answer(&sfen), declared);
        assert_eq!(answer(&[&sfen[..], &["--time-left-ms", "1"]].concat()), declared);
        assert_eq!(answer(&[&sfen[..], &["--time-left-ms", "0"]].concat()), failed);
        assert_eq!(answer(&[&sfen[..], &["--impasse", "csa24"]].concat()), drawn);
        assert_eq!(answer(&[&sfen[..], &["--impasse", "none"]].concat()), failed);
        let try_sfen = ["--declare", "--impasse", "try", "--sfen", "9/4K4/9/9/9/9/9/9/k8 b - 1"];
        let tried = "{\"outcome\":\"black_wins\",\"reason\":\"try\",\"ply\":0}";
        assert_eq!(answer(&try_sfen), tried);
    }

    #[test]
    fn handicaps_give_the_start_and_the_points() {
        let white = "4K4/9/9/9/9/9/9/4+p+p+p+p+p/3+p+p+p+p+pk w RB4G4S4N2L3P5p 1";
        let options = ["--declare", "--impasse", "csa27h", "--handicap", "four_piece"];
        let declared = "{\"outcome\":\"white_wins\",\"reason\":\"nyugyoku_declaration\",\"ply\":0}";
        assert_eq!(answer(&[&options[..], &["--sfen", white]].concat()), declared);
        assert_eq!(answers(&options, &format!("{white}\n")), [declared]);
        let none = "{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":0}";
        assert_eq!(answer(&["--handicap", "lance"]), none);
        let foul = answer(&["--handicap", "rook", "--moves", "8b7b"]);
        assert!(foul.contains("\"outcome\":\"black_wins\""), "{foul}");
    }

    #[test]
    fn agreement_and_limits() {
        let both = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/4+p+p+p+p+p/3+p+p+p3/8k b 2R3S2b4gs4n4l 1";
        let agreed = "{\"outcome\":\"white_wins\",\"reason\":\"jishogi\",\"ply\":0}";
        assert_eq!(answer(&["--agree", "--impasse", "jishogi24", "--sfen", both]), agreed);
        let none = "{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":0}";
        assert_eq!(answer(&["--agree", "--sfen", both]), none);
        let limited = "{\"outcome\":\"draw\",\"reason\":\"max_plies\",\"ply\":2}";
        assert_eq!(answer(&["--max-plies", "2", "--moves", "7g7f 3c3d 2g2f"]), limited);
    }

    #[test]
    fn each_line_is_answered() {
        let input = "startpos\t7g7f\nfoo\nstartpos\tabc\nstartpos\t\t\nstartpos\r\n";
        let found = answers(&[], input);
        assert_eq!(found.len(), 5);
        assert_eq!(found[0], "{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":1}");
        for line in &found[1..4] {
            assert!(line.starts_with("{\"error\":\""), "{line}");
        }
        assert_eq!(found[4], "{\"outcome\":\"none\",\"reason\":\"none\",\"ply\":0}");
    }
}
