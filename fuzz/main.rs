//! Runs the target that the variable `FUZZ_TARGET` names. Without one, it prints the names of all targets and stops.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use targets::{Target, targets};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = targets().into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| {
        targets().iter().for_each(|(known, _)| println!("{known}"));
        std::process::exit(2)
    })
});

fuzz_target!(init: LazyLock::force(&TARGET), |data: &[u8]| TARGET.1(data));
