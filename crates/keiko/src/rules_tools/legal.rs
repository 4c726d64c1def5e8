//! `keiko legal`: the legal moves of positions.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use keiko_shogi::{Move, MoveList};

use super::answer::{answer_lines, answer_or_error, exit_code};
use super::case::Case;

/// Print the legal moves of positions in USI notation, one line a position.
///
/// Without --sfen, each line of standard input is a case: the position (SFEN or `startpos`), and
/// after a tab the moves that are played first, if any. A side without legal moves answers an
/// empty line; a line that cannot be read, or with an illegal move, answers {"error": ..} with its
/// number and makes the exit code 1.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  keiko legal --sfen startpos\n  printf 'startpos\\t7g7f 3c3d\\n' | keiko legal"
)]
pub(crate) struct LegalArgs {
    /// Position, as SFEN or `startpos`
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,

    /// Moves that are played first, in USI notation, separated by spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

/// Runs `keiko legal`.
pub(crate) fn legal(
    args: &LegalArgs,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    if args.sfen.is_none() && args.moves.is_none() {
        let (_, all_good) =
            answer_lines(input, out, |line| legal_moves(&Case::of_line(line, None)?))?;
        return Ok(exit_code(all_good));
    }
    let start = args.sfen.as_deref().unwrap_or("startpos");
    let case = Case::new(start, args.moves.as_deref().unwrap_or_default(), None);
    let (text, good) = answer_or_error(case.and_then(|case| legal_moves(&case)));
    writeln!(out, "{text}")?;
    Ok(exit_code(good))
}

fn legal_moves(case: &Case) -> anyhow::Result<String> {
    let mut moves = MoveList::new();
    case.position()?.legal_moves(&mut moves);
    Ok(moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(args: &LegalArgs, input: &str) -> Vec<String> {
        let mut out = Vec::new();
        legal(args, &mut input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn one_position() {
        let args = LegalArgs { sfen: Some("startpos".to_owned()), moves: None };
        let found = lines(&args, "");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].split(' ').count(), 30);
        let args = LegalArgs { sfen: None, moves: Some("7g7f 3c3d 8h2b+".to_owned()) };
        assert!(lines(&args, "")[0].split(' ').any(|mv| mv == "3a2b"));
    }

    #[test]
    fn one_answer_a_line() {
        let input = "startpos\t\n7Gk/7G1/9/9/9/9/9/9/K8 w - 1\nstartpos\t7g7f 7g7f\n\nstartpos";
        let args = LegalArgs { sfen: None, moves: None };
        let found = lines(&args, input);
        assert_eq!(found.len(), 5);
        assert_eq!(found[0], found[4]);
        assert_eq!(found[1], "");
        assert_eq!(found[2], "{\"error\":\"line 3: move 2, 7g7f, is illegal: impossible_move\"}");
        assert!(found[3].starts_with("{\"error\":"));
    }
}
