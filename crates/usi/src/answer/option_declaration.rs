use std::fmt::{self, Display, Formatter};

/// What values an option takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `check`: true or false.
    Check {
        /// The value before any `setoption`.
        default: bool,
    },
    /// `spin`: a whole number.
    Spin {
        /// The value before any `setoption`.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// `combo`: one of a list.
    Combo {
        /// The value before any `setoption`.
        default: String,
        /// The values there are.
        choices: Vec<String>,
    },
    /// `button`: an action without a value.
    Button,
    /// `string`: any text.
    Text {
        /// The value before any `setoption`; may be empty.
        default: String,
    },
    /// `filename`: the path of a file.
    File {
        /// The value before any `setoption`; may be empty.
        default: String,
    },
}

/// An option that an engine has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name. Ours have no spaces; foreign ones may.
    pub name: String,
    /// The values it takes.
    pub kind: OptionKind,
}

impl OptionKind {
    /// Refuses a value that the option does not take.
    ///
    /// # Errors
    /// What it takes.
    pub fn check(&self, value: &str) -> Result<(), String> {
        match self {
            OptionKind::Check { .. } if !["true", "false"].contains(&value) => {
                Err("true or false".to_owned())
            }
            OptionKind::Spin { min, max, .. }
                if !value.parse().is_ok_and(|number| (*min..=*max).contains(&number)) =>
            {
                Err(format!("a whole number from {min} to {max}"))
            }
            OptionKind::Combo { choices, .. } if !choices.iter().any(|choice| choice == value) => {
                Err(format!("one of {}", choices.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

impl OptionDeclaration {
    /// Reads what follows the word `option`; `None` if the type or a needed part is missing.
    pub(super) fn parse(rest: &str) -> Option<OptionDeclaration> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (&first, words) = words.split_first()?;
        let at = words.iter().position(|&word| word == "type")?;
        let name = words[..at].join(" ");
        if first != "name" || name.is_empty() {
            return None;
        }
        let kind = *words.get(at + 1)?;
        let parts = Parts::new(&words[at + 2..]);
        let kind = match kind {
            "check" => OptionKind::Check { default: parts.text("default")? == "true" },
            "spin" => OptionKind::Spin {
                default: parts.text("default")?.parse().ok()?,
                min: parts.text("min").and_then(|text| text.parse().ok()).unwrap_or(i64::MIN),
                max: parts.text("max").and_then(|text| text.parse().ok()).unwrap_or(i64::MAX),
            },
            "combo" => {
                OptionKind::Combo { default: parts.text("default")?, choices: parts.choices() }
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text { default: parts.text("default").unwrap_or_default() },
            "filename" => OptionKind::File { default: parts.text("default").unwrap_or_default() },
            _ => return None,
        };
        Some(OptionDeclaration { name, kind })
    }
}

/// The words after the type, cut before each keyword.
struct Parts<'a>(Vec<(&'a str, Vec<&'a str>)>);

impl<'a> Parts<'a> {
    fn new(words: &[&'a str]) -> Parts<'a> {
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for &word in words {
            match (word, parts.last_mut()) {
                ("default" | "min" | "max" | "var", _) => parts.push((word, Vec::new())),
                (_, Some((_, value))) => value.push(word),
                (_, None) => {}
            }
        }
        Parts(parts)
    }

    fn text(&self, key: &str) -> Option<String> {
        let (_, value) = self.0.iter().find(|(word, _)| *word == key)?;
        let text = value.join(" ");
        Some(if text == EMPTY { String::new() } else { text })
    }

    fn choices(&self) -> Vec<String> {
        self.0.iter().filter(|(word, _)| *word == "var").map(|(_, value)| value.join(" ")).collect()
    }
}

impl Display for OptionDeclaration {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let or_empty =
            |text: &str| if text.is_empty() { EMPTY.to_owned() } else { text.to_owned() };
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => write!(f, "string default {}", or_empty(default)),
            OptionKind::File { default } => write!(f, "filename default {}", or_empty(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_declaration() {
        for (option, good, bad) in [
            ("name A type check default true", "false", "yes"),
            ("name A type spin default 1 min -2 max 4", "-2", "5"),
            ("name A type spin default 1 min 1 max 4", "4", "2.0"),
            ("name A type combo default a var a var b c", "b c", "b"),
        ] {
            let kind = OptionDeclaration::parse(option).unwrap().kind;
            assert_eq!(kind.check(good), Ok(()), "{option}");
            assert!(kind.check(bad).is_err(), "{option}");
        }
        let text = OptionDeclaration::parse("name A type string default").unwrap().kind;
        assert_eq!(text.check(""), Ok(()));
    }

    #[test]
    fn a_choice_may_contain_the_word_for_a_choice() {
        let option =
            OptionDeclaration::parse("name Book type combo default a var a var variety").unwrap();
        let choices = vec!["a".to_owned(), "variety".to_owned()];
        assert_eq!(option.kind, OptionKind::Combo { default: "a".to_owned(), choices });
    }

    #[test]
    fn limits_may_be_missing() {
        let option = OptionDeclaration::parse("name N type spin default 3").unwrap();
        assert_eq!(option.kind, OptionKind::Spin { default: 3, min: i64::MIN, max: i64::MAX });
        assert_eq!(OptionDeclaration::parse("name N type spin"), None);
        let option = OptionDeclaration::parse("name S type string").unwrap();
        assert_eq!(option.kind, OptionKind::Text { default: String::new() });
    }
}
