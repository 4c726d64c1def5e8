//! USI protocol and engine.
