use keiko_shogi::{Move, Position};

use super::{Book, BookError, BookMove};

/// Whether a text begins as a book of YaneuraOu's.
pub(super) fn is_header(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with("#YANEURAOU-DB2016")
}

/// Reads positions, `sfen BOARD TURN HAND NUMBER`, each with its moves below, `MOVE REPLY SCORE DEPTH [COUNT]`.
pub(super) fn read(text: &str, book: &mut Book) -> Result<(), BookError> {
    let mut position: Option<Position> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |reason: String| BookError::Line { line: number, reason };
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', '/']) || line.starts_with('\u{feff}') {
            continue;
        }
        if let Some(sfen) = line.strip_prefix("sfen ") {
            let (found, _) =
                Position::from_sfen(sfen.trim()).map_err(|error| wrong(error.to_string()))?;
            position = Some(found);
            continue;
        }
        let position =
            position.as_ref().ok_or_else(|| wrong("a move before any position".to_owned()))?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let mv: Move =
            words[0].parse().map_err(|_| wrong(format!("{:?} is not a move", words[0])))?;
        if !position.is_legal(mv) {
            return Err(wrong(format!("{mv} is illegal")));
        }
        let at = |index: usize| words.get(index).copied();
        let count = at(4).and_then(|word| word.parse().ok()).unwrap_or(1_u32).max(1);
        book.add(
            position,
            BookMove {
                mv,
                reply: at(1).and_then(|word| word.parse().ok()),
                score: at(2).and_then(|word| word.parse().ok()),
                count,
            },
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn positions_and_moves_are_read() {
        let text = format!(
            "#YANEURAOU-DB2016 1.00\n# note\n{START}\n7g7f 3c3d 20 32 5\r\n2g2f none 35 32 5\n1g1f\n"
        );
        let book = Book::parse(&text).unwrap();
        let best = book.best(&Position::startpos()).unwrap();
        assert_eq!(
            (best.mv.to_string().as_str(), best.reply, best.score),
            ("2g2f", None, Some(35))
        );
    }

    #[test]
    fn errors_name_the_line() {
        let book = |rest: &str| Book::parse(&format!("#YANEURAOU-DB2016 1.00\n{rest}"));
        for (rest, line) in [
            ("7g7f none 0 0", 2),
            ("sfen 9/9", 2),
            (&format!("{START}\n7g7e none 0 0"), 3),
            (&format!("{START}\n7g7f none 0 0\nbook"), 4),
        ] {
            let error = book(rest).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line}: ")), "{rest}: {error}");
        }
    }
}
