//! The target `manifest` under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keiko_fuzz::nets::manifest(data));
