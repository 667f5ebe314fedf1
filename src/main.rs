//! The program; see [`play_by_commit::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    play_by_commit::program::main()
}
