//! Durable storage of a run.
