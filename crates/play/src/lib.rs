//! Games between search players, many in lockstep.
