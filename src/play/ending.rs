//! The messages at the end of a game, and of a session, in a terminal.

use std::path::Path;

use answers::board_picture;
use game::contract::Game;
use game::seat::Seat;
use git::LocalForge;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::ids::IssueNumber;
use table::table::Table;

use crate::play::{PlayOptions, program_name, shell_quote};

/// Returns who won in how many moves, how to play again, and where the replay is. `state` is the directory of the records.
pub(super) fn note(table: &AnyTable, state: &Path) -> String {
    let result = with_table!(table, table => result_sentence(table));
    let mut note = format!("{result} Press Enter for a rematch, or type `new` for another game.");
    let path = board_picture::replay_path(table).map(|path| state.join(path));
    if let Some(path) = path.filter(|path| path.exists()) {
        note.push_str(&format!("\nTo see the replay, open this file in a browser:\n{}", path.display()));
    }
    note
}

/// Returns who won in how many of their moves: "You won in 31 moves."
fn result_sentence<G: Game>(table: &Table<G>) -> String {
    let moves = |seat| table.plies().filter(|ply| ply.played.is_some() && ply.seat == seat).count();
    let count = |moves: usize| if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
    match table.status() {
        TableStatus::Won(winner) => {
            let name = match table.occupant(winner) {
                Some(occupant) if occupant.computer.is_some() => "The computer".to_owned(),
                Some(occupant) => occupant.login.clone(),
                None => G::INFO.side_name(winner),
            };
            match (moves(winner), table.game().outcome()) {
                (0, _) => format!("{name} won."),
                (moves, Some(_)) => format!("{name} won in {}.", count(moves)),
                // Somebody resigned or ran out of time.
                (moves, None) => format!("{name} won after {}.", count(moves)),
            }
        }
        TableStatus::Draw => match moves(Seat::First).max(moves(Seat::Second)) {
            0 => "A draw.".to_owned(),
            moves => format!("A draw after {}.", count(moves)),
        },
        _ => "The game ended without a result.".to_owned(),
    }
}

/// Returns the command that continues a game from any directory.
pub(super) fn continue_command(options: &PlayOptions, forge: &LocalForge, issue: IssueNumber) -> String {
    let PlayOptions { repo, branch, state_dir, turn, ascii, .. } = options;
    let mut line = format!("{} play --table {issue}", shell_quote(&program_name()));
    let mut add = |option: &str, value: &str| line.push_str(&format!(" {option} {}", shell_quote(value)));
    if repo.is_some() {
        add("--repo", &forge.repo().display_path().display().to_string());
    }
    if let Some(branch) = branch {
        add("--branch", branch);
    }
    if state_dir != "state" {
        add("--state-dir", state_dir);
    }
    if *turn {
        line.push_str(" --turn");
    }
    if *ascii {
        line.push_str(" --ascii");
    }
    line
}
