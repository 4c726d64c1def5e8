//! The only crate that names tch.
