//! What the linker leaves out of the released program.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
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
        if links_by_lld() {
            // Functions that came out alike are kept once.
            println!("cargo:rustc-link-arg-bins=-Wl,--icf=all");
        }
    }
    Ok(())
}

/// Tests if the linker is LLD, which is what Rust brings along for this one target from 1.90 on unless somebody names another.
fn links_by_lld() -> bool {
    let is_usual = env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu")
        && env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.is_empty())
        && env::var_os("RUSTC_LINKER").is_none();
    let said = Command::new(env::var_os("RUSTC").unwrap_or_default()).arg("-V").output();
    let said = said.ok().and_then(|said| String::from_utf8(said.stdout).ok()).unwrap_or_default();
    let minor = said.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    is_usual && said.starts_with("rustc 1.") && minor.is_some_and(|minor| minor >= 90)
}
