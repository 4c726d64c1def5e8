//! What must hold for every input, one function a target.
//!
//! `scripts/fuzz` looks for inputs that break it; the tests of the workspace take this file in and
//! replay the inputs of `tests/fuzz/corpus`.

pub mod edit;
pub mod games;
pub mod incremental_game;
pub mod legal_moves;
pub mod lists;
pub mod memory;
pub mod nets;
pub mod position_command;
pub mod records;
pub mod sfen;
pub mod training;
pub mod usi;
pub mod usi_move;

/// A target: its name, which is that of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 21] = [
    ("book", lists::book),
    ("csa", records::csa),
    ("game_line", lists::game_line),
    ("game_record", games::record),
    ("incremental_game", incremental_game::run),
    ("kif", records::kif),
    ("legal_moves", legal_moves::run),
    ("manifest", nets::manifest),
    ("net_files", usi::net_files),
    ("onnx", nets::onnx),
    ("openings", lists::openings),
    ("position_command", position_command::run),
    ("sfen", sfen::run),
    ("shard", games::shard),
    ("training", training::run),
    ("usi_answer", usi::answer),
    ("usi_command", usi::command),
    ("usi_move", usi_move::run),
    ("usi_records", records::usi),
    ("verdict", lists::verdict),
    ("weights", nets::weights),
];
