//! Configs of runs that an older program began.

use toml::{Table, Value};

/// Keys that came later, each with the value that does what programs did before there was the key.
const LATER: [(&str, Later); 1] = [("search.mate_in_three_nodes", Later::Integer(0))];

#[derive(Clone, Copy)]
enum Later {
    Integer(i64),
}

impl Later {
    fn value(self) -> Value {
        match self {
            Later::Integer(value) => Value::Integer(value),
        }
    }
}

/// The config with the keys it lacks because they came later. A key whose section is missing too is left out.
pub(super) fn completed(mut config: Table) -> Table {
    for (path, value) in LATER {
        let mut names = path.split('.').peekable();
        let mut table = Some(&mut config);
        while let (Some(name), Some(here)) = (names.next(), table.take()) {
            if names.peek().is_some() {
                table = here.get_mut(name).and_then(Value::as_table_mut);
            } else if !here.contains_key(name) {
                here.insert(name.to_owned(), value.value());
            }
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays_and_what_is_missing_is_as_before() {
        let table = |text: &str| text.parse::<Table>().expect("TOML");
        let (old, new) =
            (table("[search]\nroot = 1"), table("[search]\nroot = 1\nmate_in_three_nodes = 0"));
        assert_eq!(completed(old), new);
        let set = table("[search]\nmate_in_three_nodes = 7");
        assert_eq!(completed(set.clone()), set);
        for other in ["", "search = 3", "[other]\nx = 1"] {
            assert_eq!(completed(table(other)), table(other));
        }
    }
}
