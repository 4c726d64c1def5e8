//! The target `usi_command` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keiko_fuzz::usi::command(data));
