//! The target `game_record` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keiko_fuzz::games::record(data));
