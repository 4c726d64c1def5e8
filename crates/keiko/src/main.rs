//! The program `keiko`: the composition root of the training pipeline.
//!
//! Everything that a run is made of is decided elsewhere; this crate reads the config, knows the layout
//! of a run directory, calls the stages in order and shows what they report.

mod cli;
mod config;
mod message;
mod pipeline;
mod progress;
mod records;
mod report;
mod rules_tools;
mod run;
mod spinning;

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match keiko_shogi::check_cpu() {
        Ok(()) => cli::main(),
        Err(error) => refuse(error),
    }
}

#[inline(never)]
fn refuse(error: keiko_shogi::UnsupportedCpu) -> ExitCode {
    for text in ["keiko: ", error.message(), "\n"] {
        // Where standard error is closed there is nobody to tell.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    ExitCode::FAILURE
}
