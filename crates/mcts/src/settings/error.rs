use thiserror::Error;

/// A setting is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{field} must be {range}")]
pub struct SettingsError {
    /// The key, with its tables, as in the configuration.
    pub field: &'static str,
    /// What is allowed.
    pub range: &'static str,
}

impl SettingsError {
    /// Refuses `value` unless `allowed`; a value that is not finite is never allowed.
    pub(super) fn require(
        allowed: bool,
        value: f32,
        field: &'static str,
        range: &'static str,
    ) -> Result<(), Self> {
        if allowed && value.is_finite() { Ok(()) } else { Err(Self { field, range }) }
    }
}
