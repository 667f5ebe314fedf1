//! Boards in answers: text for terminals, a picture with a text alternative on GitHub.

use game::{Phrase, Seat, TerminalStyle, say};
use table::Table;

use crate::{OutputFormat, TerminalOptions, board_picture, render};

/// Returns the board of a table: text in a terminal and without a commit, else a picture with a text alternative.
pub(super) fn render_board(table: &Table, format: OutputFormat<'_>) -> String {
    match format {
        OutputFormat::Terminal(options) => format!("{}\n", terminal_board(table, options)),
        OutputFormat::MarkdownText => code_block(&board_picture::current(table).board.text().plain()),
        OutputFormat::MarkdownPicture { base_url } => {
            format!("{}\n\n{}", picture(table, base_url), collapsed("The board as text", &board_as_text(table)))
        }
    }
}

/// Returns the board of a table for a terminal, without a final newline.
pub fn terminal_board(table: &Table, options: TerminalOptions) -> String {
    let TerminalOptions { colored, unicode, has_prompt: numbered, auto_flip, flipped, columns } = options;
    let viewer = if auto_flip { table.player_to_move() } else { fixed_viewer(table) };
    let viewer = if flipped { viewer.other() } else { viewer };
    let text = board_picture::current(table).board.terminal_text(&TerminalStyle {
        colored,
        unicode,
        numbered,
        viewer,
        columns,
    });
    if colored { text.colored() } else { text.plain() }
}

/// Returns the side at the bottom of the board: the human's against the computer, otherwise the first player's.
fn fixed_viewer(table: &Table) -> Seat {
    let human = table.players().computer().map(|(seat, _)| seat.other());
    let first = || board_picture::at_ply(table, 0)?.board.viewer();
    human.or_else(first).unwrap_or(Seat::First)
}

/// Returns the Markdown image. Finished games show their replay.
///
/// The alternative text is short, because mail programs show it when they block pictures. [`board_as_text`] has the
/// position.
fn picture(table: &Table, base_url: &str) -> String {
    let (alt, path): (Phrase, String) = match board_picture::replay_path(table) {
        Some(path) => ("A replay of the game".into(), path),
        None => (picture_title(table), board_picture::board_path(table)),
    };
    format!("![{}]({})", render::alt_text(&alt), picture_url(base_url, &path))
}

/// Returns what the picture of a game in progress shows: "The board after e4".
fn picture_title(table: &Table) -> Phrase {
    match table.plies().next_back() {
        None => "The board at the start".into(),
        Some(last) if last.played.is_some() => say!("The board after `{mv}`", mv = last.move_list_entry()),
        // In a match, the next game has begun after a resignation.
        Some(_) => "The board".into(),
    }
}

/// Returns the position in words, for screen readers, and drawn with characters.
fn board_as_text(table: &Table) -> String {
    let board = board_picture::current(table).board;
    let description = board.description();
    let words = render::alt_text(&match board_picture::replay_path(table) {
        Some(_) => say!("The final position: {description}"),
        None => say!("The board: {description}"),
    });
    format!("{words}\n\n{}", code_block(&board.text().plain()))
}

/// Returns the URL of a picture in an answer. `base_url` is the URL of the state directory, as in
/// [`OutputFormat::MarkdownPicture`].
fn picture_url(base_url: &str, path: &str) -> String {
    format!("{base_url}/{path}?raw=true")
}

fn code_block(text: &str) -> String {
    format!("```text\n{text}\n```\n")
}

fn collapsed(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{text}\n</details>\n")
}
