//! What must hold for every input, one function a target.
//!
//! `scripts/fuzz` looks for inputs that break it; the tests of the workspace take this file in and
//! replay the inputs of `tests/fuzz/corpus`.

pub mod incremental_game;
pub mod legal_moves;
pub mod position_command;
pub mod records;
pub mod sfen;
pub mod training;
pub mod usi_move;

/// A target: its name, which is that of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 8] = [
    ("csa", records::csa),
    ("incremental_game", incremental_game::run),
    ("kif", records::kif),
    ("legal_moves", legal_moves::run),
    ("position_command", position_command::run),
    ("sfen", sfen::run),
    ("training", training::run),
    ("usi_move", usi_move::run),
];
