//! `keiko perft`: counting the tree of legal moves.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use keiko_shogi::{Position, divide, perft as count};

use super::answer::{answer_lines, exit_code};
use super::case::read_start;

/// Count the sequences of legal moves of a given length.
///
/// The count includes optional non-promotions, excludes double pawns and drop-pawn mates, and
/// ignores repetition: 30, 900, 25470, 719731, 19861490, 547581517 from the start position.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  keiko perft --depth 5\n  keiko perft --depth 3 --divide --sfen \
'8k/9/9/9/9/9/9/9/K8 b P 1'\n  printf 'startpos\\t4\\n' | keiko perft"
)]
pub(crate) struct PerftArgs {
    /// Position to start from, as SFEN or `startpos`
    #[arg(long, value_name = "SFEN", default_value = "startpos", hide_default_value = true)]
    sfen: String,

    /// Length of the sequences in plies. Without it, each line of standard input is a case:
    /// position, tab, depth
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,

    /// Print the count below each first move as well, as `move: count`; the total comes last
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
    let mut position = read_start(&args.sfen, None)?.0;
    if args.divide && depth > 0 {
        let mut total = 0;
        for (mv, leaves) in divide(&mut position, depth) {
            writeln!(out, "{mv}: {leaves}")?;
            total += leaves;
        }
        writeln!(out, "{total}")?;
    } else {
        writeln!(out, "{}", count(&mut position, depth))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn count_line(line: &str) -> anyhow::Result<String> {
    let (start, depth) = line.split_once('\t').context("expected position, tab, depth")?;
    let depth: u32 = depth.trim().parse().with_context(|| format!("bad depth {depth:?}"))?;
    let mut position: Position = read_start(start, None)?.0;
    Ok(count(&mut position, depth).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(sfen: &str, depth: Option<u32>, divide: bool, input: &str) -> String {
        let args = PerftArgs { sfen: sfen.to_owned(), depth, divide };
        let mut out = Vec::new();
        perft(&args, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn counts_and_divides() {
        assert_eq!(output("startpos", Some(3), false, ""), "25470\n");
        assert_eq!(output("startpos", Some(0), true, ""), "1\n");
        let divided = output("startpos", Some(2), true, "");
        let lines: Vec<&str> = divided.lines().collect();
        assert_eq!(lines.len(), 31);
        assert!(lines.contains(&"7g7f: 30"));
        assert_eq!(lines[30], "900");
    }

    #[test]
    fn lines_are_answered_one_by_one() {
        let text = output(
            "startpos",
            None,
            false,
            "startpos\t2\nfoo\t1\nstartpos\n8k/9/9/9/9/9/9/9/K8 b P 1\t1\n",
        );
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "900");
        assert!(lines[1].starts_with("{\"error\":\"bad sfen: "), "{text}");
        assert!(lines[2].starts_with("{\"error\":"), "{text}");
        assert_eq!(lines[3], (3 + 71).to_string());
    }
}
