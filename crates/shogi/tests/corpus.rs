//! The rules against the corpus in `tests/corpus`.

#[path = "corpus/perft.rs"]
mod perft;
#[path = "corpus/rows.rs"]
mod rows;
