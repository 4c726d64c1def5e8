use std::ops::RangeInclusive;

/// A number of the `[selfplay]` section is out of its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{field} is {found}, but must be {range}")]
pub struct SettingsError {
    /// The key, with its section.
    pub field: &'static str,
    /// What is allowed.
    pub range: String,
    /// What was found.
    pub found: String,
}

impl SettingsError {
    pub(super) fn at_least(field: &'static str, found: u64, least: u64) -> Result<(), Self> {
        if found >= least {
            return Ok(());
        }
        Err(Self { field, range: format!("{least} or more"), found: found.to_string() })
    }

    pub(super) fn within(
        field: &'static str,
        found: u64,
        range: RangeInclusive<u64>,
    ) -> Result<(), Self> {
        if range.contains(&found) {
            return Ok(());
        }
        let range = format!("from {} to {}", range.start(), range.end());
        Err(Self { field, range, found: found.to_string() })
    }

    pub(super) fn share(field: &'static str, found: f32) -> Result<(), Self> {
        if (0.0..=1.0).contains(&found) {
            return Ok(());
        }
        Err(Self { field, range: "from 0 to 1".to_owned(), found: found.to_string() })
    }

    pub(super) fn temperature(field: &'static str, found: f32) -> Result<(), Self> {
        if found >= 0.0 && found.is_finite() {
            return Ok(());
        }
        Err(Self { field, range: "0 or more".to_owned(), found: found.to_string() })
    }
}
