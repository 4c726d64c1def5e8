//! Other people's bytes and text.
