//! What the linker leaves out of the released program.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

/// Drops the tables by which a panic climbs back through its calls: a panic of the released program ends it at once.
const SCRIPT: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame.*) } } INSERT AFTER .text;\n";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    if !is("PROFILE", "release") || !is("CARGO_CFG_TARGET_OS", "linux") {
        return Ok(());
    }
    let script = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("release.ld");
    fs::write(&script, SCRIPT)?;
    println!("cargo:rustc-link-arg-bins=-Wl,-T,{}", script.display());
    if is("CARGO_CFG_TARGET_ENV", "gnu") {
        // An address that depends on where the program is loaded takes a bit, instead of three words. The musl of Rust 1.88
        // could not read that.
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}
