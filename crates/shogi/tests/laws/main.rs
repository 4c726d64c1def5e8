//! Laws that hold in every position, over random games and problems.

#![expect(clippy::unwrap_used, reason = "a test fails where its data are wrong")]

mod cases;
mod generation;
mod history;
mod making;
mod mate;
mod outcome;
mod random_game;
mod random_problem;
mod real_games;
mod symmetry;
mod text;
