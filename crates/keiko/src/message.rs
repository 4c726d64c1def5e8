//! Errors in words.

/// An error with its causes in one line. Some errors name their cause themselves; it is not said again.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let error = anyhow::anyhow!("no disk").context("a.toml: no disk").context("config");
        assert_eq!(message(&error), "config: a.toml: no disk");
        let advised = anyhow::anyhow!("no disk").context("cannot write: no disk; buy one");
        assert_eq!(message(&advised), "cannot write: no disk; buy one");
    }
}
