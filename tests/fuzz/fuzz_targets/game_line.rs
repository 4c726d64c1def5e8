//! The target `game_line` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keiko_fuzz::lists::game_line(data));
