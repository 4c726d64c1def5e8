//! The target `net_files` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keiko_fuzz::usi::net_files(data));
