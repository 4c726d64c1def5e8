//! The contract between rules and network.
