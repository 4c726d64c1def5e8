//! `keiko perft`: counting the tree of legal moves.

use std::io::{BufRead, IsTerminal as _, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use keiko_shogi::{Position, divide, perft as count};

use super::answer::{answer_lines, answer_or_error, exit_code};
use super::case::{Case, read_start};

/// Count the sequences of legal moves of a given length.
///
/// The count includes optional non-promotions, excludes double pawns and drop-pawn mates, and
/// ignores repetition: 30, 900, 25470, 719731, 19861490, 547581517 from the start position.
///
/// Without --sfen, each line of standard input is a case: the position (SFEN or `startpos`), and
/// after a tab the depth; with --depth, the moves that are played first, if any. A line that cannot
/// be read answers {"error": ..} with its number and makes the exit code 1. Where --depth is given and there are no
/// lines, the start position is counted.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  keiko perft --sfen startpos --depth 5\n  keiko perft --depth 3 --divide --sfen \
'8k/9/9/9/9/9/9/9/K8 b P 1'\n  printf 'startpos\\t4\\n' | keiko perft"
)]
pub(crate) struct PerftArgs {
    /// Position to start from, as SFEN or `startpos`
    #[arg(long, value_name = "SFEN", requires = "depth")]
    sfen: Option<String>,

    /// Length of the sequences in plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,

    /// Print the count below each first move as well, as `move: count`; the total comes last.
    /// Standard input is not read
    #[arg(long, requires = "depth")]
    divide: bool,
}

/// Runs `keiko perft`.
pub(crate) fn perft(
    args: &PerftArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let Some(depth) = args.depth else {
        let (_, all_good) = answer_lines(input, out, count_line)?;
        return Ok(exit_code(all_good));
    };
    if args.sfen.is_none() && !args.divide && !std::io::stdin().is_terminal() {
        let (lines, all_good) = count_lines(depth, input, out)?;
        if lines > 0 {
            return Ok(exit_code(all_good));
        }
    }
    let start = read_start(args.sfen.as_deref().unwrap_or("startpos"), None);
    let (text, good) = answer_or_error(start.map(|(mut position, _)| {
        if args.divide { divided(&mut position, depth) } else { counted(&mut position, depth) }
    }));
    writeln!(out, "{text}")?;
    Ok(exit_code(good))
}

fn counted(position: &mut Position, depth: u32) -> String {
    count(position, depth).to_string()
}

/// A line for each first move, and one for the total.
fn divided(position: &mut Position, depth: u32) -> String {
    if depth == 0 {
        return counted(position, depth);
    }
    let parts = divide(position, depth);
    let total: u64 = parts.iter().map(|(_, leaves)| leaves).sum();
    let lines = parts.iter().map(|(mv, leaves)| format!("{mv}: {leaves}\n"));
    lines.chain([total.to_string()]).collect()
}

/// Counts the positions of the lines, after the moves of each, to the same depth.
fn count_lines(
    depth: u32,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<(u64, bool)> {
    answer_lines(input, out, |line| Ok(counted(&mut Case::of_line(line, None)?.position()?, depth)))
}

fn count_line(line: &str) -> anyhow::Result<String> {
    let (start, depth) = line.split_once('\t').context("expected position, tab, depth")?;
    let depth: u32 = depth.trim().parse().with_context(|| format!("bad depth {depth:?}"))?;
    Ok(counted(&mut read_start(start, None)?.0, depth))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        perft: PerftArgs,
    }

    fn output(options: &[&str], input: &str) -> String {
        let words = ["perft"].into_iter().chain(options.iter().copied());
        let args = Program::parse_from(words).perft;
        let mut out = Vec::new();
        perft(&args, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn counts_and_divides() {
        assert_eq!(output(&["--sfen", "startpos", "--depth", "3"], ""), "25470\n");
        assert_eq!(output(&["--depth", "0", "--divide"], ""), "1\n");
        let divided = output(&["--depth", "2", "--divide"], "foo\n");
        let lines: Vec<&str> = divided.lines().collect();
        assert_eq!(lines.len(), 31);
        assert!(lines.contains(&"7g7f: 30"));
        assert_eq!(lines[30], "900");
    }

    #[test]
    fn a_wrong_position_answers_an_error() {
        let text = output(&["--sfen", "foo", "--depth", "1"], "");
        assert!(text.starts_with("{\"error\":\"bad sfen: "), "{text}");
    }

    #[test]
    fn a_position_needs_a_depth() {
        assert!(Program::try_parse_from(["perft", "--sfen", "startpos"]).is_err());
    }

    #[test]
    fn lines_are_answered_one_by_one() {
        let text = output(&[], "startpos\t2\nfoo\t1\nstartpos\n8k/9/9/9/9/9/9/9/K8 b P 1\t1\n");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "900");
        assert!(lines[1].starts_with("{\"error\":\"line 2: bad sfen: "), "{text}");
        assert!(lines[2].starts_with("{\"error\":"), "{text}");
        assert_eq!(lines[3], (3 + 71).to_string());
    }

    #[test]
    fn a_depth_given_once_holds_for_all_lines() {
        let mut out = Vec::new();
        let input = "startpos\nstartpos\t7g7f 3c3d\nstartpos\t7g7e\n";
        let (lines, all_good) = count_lines(1, &mut input.as_bytes(), &mut out).unwrap();
        assert_eq!((lines, all_good), (3, false));
        let text = String::from_utf8(out).unwrap();
        let expected =
            "30\n39\n{\"error\":\"line 3: move 1, 7g7e, is illegal: impossible_move\"}\n";
        assert_eq!(text, expected);
        let none = count_lines(1, &mut "".as_bytes(), &mut Vec::new()).unwrap();
        assert_eq!(none, (0, true));
    }
}
