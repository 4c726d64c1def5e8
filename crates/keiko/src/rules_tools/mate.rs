//! `keiko mate`: mates by checks.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use keiko_mcts::{MateAnswer, MateLimits, MateSolver};
use keiko_shogi::{Declaration, Game, ImpasseRule, Move, Rules};

use super::answer::{answer_lines, answer_or_error, exit_code};
use super::case::Case;

/// Entries of the solver's table, of 48 bytes each.
const TABLE_ENTRIES: usize = 1 << 20;

/// Look for mates by checks, one answer a position: `mate N move ..`, `nomate` or `unknown`.
///
/// The side to move attacks. N is the length in plies, and the moves are a line in which the defence
/// holds out longest; the mate is the shortest if the nodes suffice for looking for a shorter one.
/// `nomate` says that there is no mate by checks of any length, `unknown` that the limits did not
/// suffice.
///
/// Without --sfen, each line of standard input is a case: the position (SFEN or `startpos`), and
/// after a tab the moves that are played first, if any. A line that cannot be read answers
/// {"error": ..} with its number and makes the exit code 1.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  keiko mate --sfen '7nl/7k1/6p2/6S1p/9/9/9/9/9 b GS2r2b3g2s3n3l16p 1'\n  \
keiko mate --tsume < problems.txt"
)]
pub(crate) struct MateArgs {
    /// Position, as SFEN or `startpos`
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,

    /// Moves that are played first, in USI notation, separated by spaces
    #[arg(long, value_name = "MOVES", requires = "sfen")]
    moves: Option<String>,

    /// Moves that the search of a position may play; to confirm a mate it may play as many again
    #[arg(long, value_name = "NODES", default_value_t = 5_000_000)]
    max_nodes: u64,

    /// The longest mate to look for, in plies
    #[arg(long, value_name = "PLIES", default_value_t = MateLimits::MAX_PLIES)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=i64::from(MateLimits::MAX_PLIES)))]
    max_plies: u16,

    /// Count as problem books do: a drop that the checking piece takes at once, and mates no later
    /// for it, is left out
    #[arg(long)]
    tsume: bool,
}

/// Runs `keiko mate`.
pub(crate) fn mate(
    args: &MateArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let mut solver = MateSolver::new(TABLE_ENTRIES);
    if let Some(sfen) = &args.sfen {
        let case = Case::new(sfen, args.moves.as_deref().unwrap_or_default(), None);
        let (text, good) = answer_or_error(case.and_then(|case| answer(&mut solver, args, &case)));
        writeln!(out, "{text}")?;
        return Ok(exit_code(good));
    }
    let (_, all_good) = answer_lines(input, out, |line| {
        Case::of_line(line, None).and_then(|case| answer(&mut solver, args, &case))
    })?;
    Ok(exit_code(all_good))
}

/// No impasse ends a problem.
const RULES: Rules = Rules {
    impasse: ImpasseRule::None,
    declaration: Declaration::Manual,
    max_plies: None,
    handicap: None,
};

fn answer(solver: &mut MateSolver, args: &MateArgs, case: &Case) -> anyhow::Result<String> {
    // Where the king could be taken there is nothing to mate.
    case.start.check_settled().context("bad sfen")?;
    let mut game = Game::new(case.start.clone(), case.move_number, RULES);
    for mv in case.legal_moves()? {
        game.play(mv);
    }
    let limits = MateLimits { nodes: args.max_nodes, plies: args.max_plies };
    let found = if args.tsume {
        solver.solve_as_problem(&mut game, limits)
    } else {
        solver.solve(&mut game, limits)
    };
    Ok(match found {
        MateAnswer::Mate { line } => {
            let moves: Vec<String> = line.iter().map(Move::to_string).collect();
            format!("mate {} {}", line.len(), moves.join(" "))
        }
        MateAnswer::NoMate => "nomate".to_owned(),
        MateAnswer::Unknown => "unknown".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        mate: MateArgs,
    }

    /// The lines that the program answers to options and standard input, and its exit code.
    fn answers(options: &[&str], input: impl AsRef<[u8]>) -> (Vec<String>, ExitCode) {
        let words = ["mate"].into_iter().chain(options.iter().copied());
        let args = Program::parse_from(words).mate;
        let mut out = Vec::new();
        let code = mate(&args, &mut input.as_ref(), &mut out).unwrap();
        (String::from_utf8(out).unwrap().lines().map(str::to_owned).collect(), code)
    }

    const FUTILE: &str = "9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1";

    #[test]
    fn one_answer_a_line() {
        let input = "3lkl3/9/4G4/9/9/9/9/9/4K4 b L 1\nstartpos\t7g7f 3c3d 8h3c+\nfoo\nstartpos\t7g7e\n\
                     sfen 3sks3/9/4+P4/9/9/+B8/9/9/9 b S2rb4gs4n4l17p 1\n";
        let (found, code) = answers(&[], input);
        assert_eq!(found.len(), 5);
        assert_eq!(found[..2], ["mate 1 L*5b", "nomate"]);
        assert!(found[2].starts_with("{\"error\":\"line 3: bad sfen: "), "{}", found[2]);
        assert_eq!(found[3], "{\"error\":\"line 4: move 1, 7g7e, is illegal: impossible_move\"}");
        assert!(found[4].starts_with("mate 3 9f5b "), "{}", found[4]);
        assert_eq!(code, ExitCode::FAILURE);
    }

    #[test]
    fn a_line_that_is_no_text_is_counted() {
        let (found, code) = answers(&[], b"startpos\n\xff\xfe\nfoo\n");
        assert_eq!(found[0], "nomate");
        assert!(found[1].starts_with("{\"error\":\"line 2: invalid utf-8"), "{}", found[1]);
        assert!(found[2].starts_with("{\"error\":\"line 3: bad sfen: "), "{}", found[2]);
        assert_eq!(code, ExitCode::FAILURE);
    }

    #[test]
    fn a_king_that_could_be_taken_is_no_problem() {
        let (found, code) = answers(&["--sfen", "4k4/9/9/9/9/9/9/9/4R3K b - 1"], "");
        let expected =
            "{\"error\":\"bad sfen: white is in check, but it is the other side's turn\"}";
        assert_eq!((found, code), (vec![expected.to_owned()], ExitCode::FAILURE));
    }

    #[test]
    fn a_budget_without_end_is_one() {
        let nodes = u64::MAX.to_string();
        let (found, _) = answers(&["--max-nodes", &nodes, "--sfen", FUTILE], "");
        assert!(found[0].starts_with("mate 7 "), "{found:?}");
    }

    #[test]
    fn futile_drops_count_by_the_rules_and_not_in_problems() {
        let (found, code) = answers(&["--sfen", FUTILE], "");
        assert!(found.len() == 1 && found[0].starts_with("mate 7 "), "{found:?}");
        assert_eq!(code, ExitCode::SUCCESS);
        assert_eq!(answers(&["--tsume", "--sfen", FUTILE], "").0, ["mate 3 3d1d 1c1d 3f3c+"]);
        assert_eq!(answers(&["--tsume", "--max-plies", "2", "--sfen", FUTILE], "").0, ["unknown"]);
    }

    #[test]
    fn limits_leave_it_unknown() {
        assert_eq!(answers(&["--max-nodes", "5", "--sfen", FUTILE], "").0, ["unknown"]);
        assert_eq!(answers(&["--max-plies", "5", "--sfen", FUTILE], "").0, ["unknown"]);
        let played = ["--sfen", FUTILE, "--moves", "3d1d 1c1d"];
        assert!(answers(&played, "").0[0].starts_with("mate 5 3f3c+ "));
    }
}
