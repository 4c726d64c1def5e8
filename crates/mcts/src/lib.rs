//! Tree search that asks for evaluations and never makes them.

mod apply_error;
mod begin_error;
mod evaluation;
mod leaf_id;
mod noise;
mod proof;
mod search_limit;
mod settings;
mod wdl;

pub use apply_error::ApplyError;
pub use begin_error::BeginError;
pub use evaluation::Evaluation;
pub use leaf_id::LeafId;
pub use noise::Noise;
pub use proof::Proof;
pub use search_limit::SearchLimit;
pub use settings::{
    GumbelSettings, PuctSettings, Rescale, RootKind, SearchSettings, SettingsError,
};
pub use wdl::Wdl;
