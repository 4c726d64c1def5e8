//! The program `keiko`: the composition root of the training pipeline.
//!
//! Everything that a run is made of is decided elsewhere; this crate reads the config, knows the layout
//! of a run directory, calls the stages in order and shows what they report.

mod cli;
mod config;
mod memory;
mod message;
mod pipeline;
mod progress;
mod pulse;
mod records;
mod report;
mod rules_tools;
mod run;
mod spinning;
mod stopping;
mod study;

use std::process::ExitCode;

fn main() -> ExitCode {
    match keiko_shogi::check_cpu() {
        Ok(()) => cli::main(),
        Err(error) => error.refuse("keiko"),
    }
}
