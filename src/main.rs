//! The `play-by-commit` program; see [`play_by_commit::program`].

use std::process::ExitCode;

fn main() -> ExitCode {
    play_by_commit::program::main()
}
