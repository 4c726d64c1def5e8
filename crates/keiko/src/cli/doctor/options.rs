//! The files from which dlshogi and FukauraOu take a model's options.

use std::collections::BTreeMap;

/// Options by name.
pub(super) type Options = BTreeMap<String, String>;

/// Reads dlshogi's `MODEL.ini`: `Name=value`, separated by white space.
pub(super) fn read_ini(text: &str) -> Result<Options, String> {
    let mut options = Options::new();
    for (line, text) in (1..).zip(text.lines()) {
        for word in text.split_whitespace() {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| format!("line {line}: {word:?} is not Name=value"))?;
            add(&mut options, line, name, value)?;
        }
    }
    Ok(options)
}

/// Reads FukauraOu's `eval_options.txt`: `Name value`, `Name=value` or USI's `option name .. default ..` a line.
pub(super) fn read_eval_options(text: &str) -> Result<Options, String> {
    let mut options = Options::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
            continue;
        }
        let (name, value) = match text.strip_prefix("option name ") {
            Some(declared) => declared.split_once(' ').and_then(|(name, rest)| {
                let default = rest.split_once("default ")?.1;
                Some((name, default.split(' ').next().unwrap_or_default()))
            }),
            None => text.split_once(['=', ' ']),
        }
        .ok_or_else(|| format!("line {line}: {text:?} is not `Name value`"))?;
        add(&mut options, line, name.trim(), value.trim())?;
    }
    Ok(options)
}

fn add(options: &mut Options, line: u32, name: &str, value: &str) -> Result<(), String> {
    if name.is_empty() || value.is_empty() {
        return Err(format!("line {line}: an option without a name or a value"));
    }
    match options.insert(name.to_owned(), value.to_owned()) {
        Some(_) => Err(format!("line {line}: {name} is there twice")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_are_read() {
        let expected: Options = [("C_init", "125"), ("Eval_Coef", "756")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        assert_eq!(read_ini("C_init=125 Eval_Coef=756\n"), Ok(expected.clone()));
        for text in [
            "C_init 125\nEval_Coef 756\n",
            "# constants\nC_init=125\r\n\nEval_Coef = 756",
            "option name C_init type spin default 125 min 0 max 500\nEval_Coef 756",
        ] {
            let text = text.replace(" = ", "=");
            assert_eq!(read_eval_options(&text), Ok(expected.clone()), "{text}");
        }
    }

    #[test]
    fn what_is_no_option_is_named_with_its_line() {
        for (text, problem) in [
            ("C_init", "line 1: \"C_init\" is not Name=value"),
            ("a=1\n=2", "line 2: an option without a name or a value"),
            ("a=", "line 1: an option without a name or a value"),
            ("a=1\na=1", "line 2: a is there twice"),
        ] {
            assert_eq!(read_ini(text), Err(problem.to_owned()));
        }
        for (text, problem) in [
            ("C_init", "line 1: \"C_init\" is not `Name value`"),
            (
                "option name a type check",
                "line 1: \"option name a type check\" is not `Name value`",
            ),
            ("a 1\na 2", "line 2: a is there twice"),
        ] {
            assert_eq!(read_eval_options(text), Err(problem.to_owned()));
        }
    }
}
