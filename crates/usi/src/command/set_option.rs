use std::fmt::{self, Display, Formatter};

/// `setoption`: a name and, unless the option is a button, a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetOption {
    /// The option's name. Foreign engines have names with spaces.
    pub name: String,
    /// The value; `Some("")` where the line says `<empty>`.
    pub value: Option<String>,
}

/// How an empty value is written.
const EMPTY: &str = "<empty>";

impl SetOption {
    /// Sets `name` to `value`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> SetOption {
        SetOption { name: name.into(), value: Some(value.into()) }
    }

    /// Reads what follows the word `setoption`; `None` without a name.
    pub(super) fn parse(rest: &str) -> Option<SetOption> {
        let rest = rest.trim().strip_prefix("name")?;
        if !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let (name, value) = match split_at_word(rest, "value") {
            Some((name, value)) => (name, Some(value)),
            None => (rest, None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let value = value.map(|text| if text == EMPTY { String::new() } else { text.to_owned() });
        (!name.is_empty()).then_some(SetOption { name, value })
    }
}

/// The text before and after the first whole word `word`, both trimmed.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).find_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let whole = before.ends_with(char::is_whitespace)
            && (after.is_empty() || after.starts_with(char::is_whitespace));
        whole.then(|| (before.trim(), after.trim()))
    })
}

impl Display for SetOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "name {}", self.name)?;
        match self.value.as_deref() {
            None => Ok(()),
            Some("") => write!(f, " value {EMPTY}"),
            Some(value) => write!(f, " value {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(String, Option<String>)> {
        SetOption::parse(text).map(|option| (option.name, option.value))
    }

    fn pair(name: &str, value: Option<&str>) -> Option<(String, Option<String>)> {
        Some((name.to_owned(), value.map(ToOwned::to_owned)))
    }

    #[test]
    fn names_and_values_may_have_spaces() {
        assert_eq!(parse("name Skill Level value -20"), pair("Skill Level", Some("-20")));
        assert_eq!(parse("name File value a value b.bin"), pair("File", Some("a value b.bin")));
        assert_eq!(parse("name  Reset "), pair("Reset", None));
        assert_eq!(parse("name valued value x"), pair("valued", Some("x")));
    }

    #[test]
    fn an_empty_value_has_its_own_spelling() {
        assert_eq!(parse("name Book value <empty>"), pair("Book", Some("")));
        assert_eq!(parse("name Book value"), pair("Book", Some("")));
        assert_eq!(SetOption::new("Book", "").to_string(), "name Book value <empty>");
    }

    #[test]
    fn a_name_is_needed() {
        for text in ["", "name", "name ", "value 3", "name value 3", "nameless value 3"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
