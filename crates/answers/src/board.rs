//! Boards in replies: text for terminals, a picture with a text alternative on GitHub.

use game::phrase::{Phrase, phrase};
use game::seat::Seat;
use table::any_table::{AnyTable, with_table};

use crate::output_format::OutputFormat;
use crate::{render, scene};

/// Returns the board of a table. `sentence` is the reply's sentence, which also goes into the picture's alternative
/// text.
pub(super) fn render_board(table: &AnyTable, sentence: &Phrase, format: OutputFormat<'_>) -> String {
    match format {
        OutputFormat::Terminal { colored, auto_flip } => {
            let board = scene::current(table).board;
            let viewer = if auto_flip { None } else { fixed_viewer(table) };
            let text = viewer.map_or_else(|| board.text(), |side| board.text_seen_by(side));
            format!("{}\n", if colored { text.colored() } else { text.plain() })
        }
        OutputFormat::MarkdownText => code_block(&scene::current(table).board.text().plain()),
        OutputFormat::MarkdownPicture { base_url } => {
            let picture = picture(table, phrase![sentence.clone(), " "], base_url);
            format!(
                "{picture}\n\n{}",
                collapsed("The board as text", &code_block(&scene::current(table).board.text().plain()))
            )
        }
    }
}

/// Returns the side that faces the viewer all game: the human's against the computer, else the first player's; `None` if
/// the board has no sides.
fn fixed_viewer(table: &AnyTable) -> Option<Seat> {
    let first = scene::at_ply(table, 0)?.board.viewer()?;
    let human = with_table!(table, table => table.occupants().computer().map(|(seat, _)| seat.other()));
    Some(human.unwrap_or(first))
}

/// Returns the board of a table in a collapsed section; `None` in terminals, which already show it.
pub(super) fn folded_board(table: &AnyTable, format: OutputFormat<'_>) -> Option<String> {
    let OutputFormat::MarkdownPicture { base_url } = format else { return None };
    Some(collapsed("The board", &format!("{}\n", picture(table, Phrase::default(), base_url))))
}

/// Returns the engine's message about a refused move in a collapsed section; `None` in terminals.
pub(super) fn folded_rule(message: &str, format: OutputFormat<'_>) -> Option<String> {
    match format {
        OutputFormat::Terminal { .. } => None,
        OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => {
            Some(collapsed("The rule", &code_block(&format!("{message}."))))
        }
    }
}

/// Returns the Markdown image, with `sentence` and the position as its alternative text. Finished games show their
/// replay.
fn picture(table: &AnyTable, sentence: Phrase, base_url: &str) -> String {
    let (label, path) = match scene::replay_path(table) {
        Some(path) => ("A replay of the game. The final position: ", path),
        None => ("The board: ", scene::board_path(table)),
    };
    let alt = render::alt_text(&phrase![sentence, label, scene::current(table).board.description()]);
    format!("![{alt}]({})", picture_url(base_url, &path))
}

/// Returns the URL of a picture in a reply. `base_url` is the state directory's, as in
/// [`OutputFormat::MarkdownPicture`].
pub fn picture_url(base_url: &str, path: &str) -> String {
    format!("{base_url}/{path}?raw=true")
}

fn code_block(text: &str) -> String {
    format!("```text\n{text}\n```\n")
}

fn collapsed(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{text}\n</details>\n")
}
