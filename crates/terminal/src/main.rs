//! The program's `play` without GitHub, which is quick to build: `cargo play`.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use terminal::{ABOUT_PLAY, PlayOptions, about_play, play, print};

/// Plays board games in the terminal; every move is a commit
#[derive(Parser)]
#[command(name = "play-by-commit", version)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Subcommand)]
enum CliCommand {
    #[command(about = ABOUT_PLAY, long_about = about_play())]
    Play(PlayOptions),
}

fn main() -> ExitCode {
    let CliCommand::Play(options) = Cli::parse().command;
    match play(options).and_then(|()| print::flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print::print_error(&error);
            ExitCode::FAILURE
        }
    }
}
