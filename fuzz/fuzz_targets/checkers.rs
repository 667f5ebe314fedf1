#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::run("checkers", data));
