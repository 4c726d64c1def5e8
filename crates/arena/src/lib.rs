//! Matches, SPRT and the gate.
