//! Runs the live test in the repository that `PLAY_BY_COMMIT_LIVE` names, and writes its report.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use live::Target;

fn main() -> ExitCode {
    match test_github() {
        Ok(is_good) => ExitCode::from(u8::from(!is_good)),
        Err(why) => {
            eprintln!("live: {why:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether every vital observation agrees with the product.
fn test_github() -> Result<bool> {
    // Cargo puts tests into a directory below the program's.
    let test = env::current_exe()?;
    let target_dir = test.parent().and_then(|deps| deps.parent()).context("this test isn't in a target directory")?;
    let program = target_dir.join(format!("play-by-commit{}", env::consts::EXE_SUFFIX));
    let Some(target) = Target::from_variables(program.clone(), |name| env::var(name).ok()) else {
        println!("live: nothing to do without PLAY_BY_COMMIT_LIVE=OWNER/NAME and GITHUB_TOKEN");
        return Ok(true);
    };
    ensure!(program.exists(), "build the program first: cargo build --locked");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(live::run(target, None))?;
    let text = report.to_markdown();
    println!("{text}");
    if let Some(summary) = env::var_os("GITHUB_STEP_SUMMARY") {
        OpenOptions::new().append(true).create(true).open(summary)?.write_all(text.as_bytes())?;
    }
    let path = env::var_os("PLAY_BY_COMMIT_LIVE_REPORT").map_or(target_dir.join("live.json"), PathBuf::from);
    std::fs::write(&path, format!("{:#}\n", report.to_json()))?;
    println!("The report is also in {}.", path.display());
    Ok(report.is_good())
}
