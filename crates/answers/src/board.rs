//! Boards in answers: text for mail, phones and screen readers; the picture for everybody else.

use game::phrase::{Phrase, phrase};
use table::any_table::{AnyTable, with_table};

use crate::output_format::OutputFormat;
use crate::{render, scene};

/// Returns the board of a table. `sentence` is the answer's sentence about it, for people who do not see the picture.
pub(super) fn render_board(table: &AnyTable, sentence: &Phrase, look: OutputFormat<'_>) -> String {
    match look {
        OutputFormat::Terminal { colored: coloured, auto_flip: turning } => {
            let board = scene::current(table).board;
            let began = (!turning).then(|| scene::at_ply(table, 0)?.board.viewer()).flatten();
            // The computer needs to see nothing.
            let person = with_table!(table, table => table.occupants().computer().map(|(seat, _)| seat.other()));
            let began = began.map(|began| person.unwrap_or(began));
            let text = began.map_or_else(|| board.text(), |side| board.text_seen_by(side));
            format!("{}\n", if coloured { text.colored() } else { text.plain() })
        }
        OutputFormat::MarkdownText => fenced(&scene::current(table).board.text().plain()),
        OutputFormat::MarkdownPicture { base_url: at } => {
            let picture = picture(table, phrase![sentence.clone(), " "], at);
            format!("{picture}\n\n{}", fold("The board as text", &fenced(&scene::current(table).board.text().plain())))
        }
    }
}

/// Returns the board of a table below a sentence that is not about it; `None` in a terminal, which has just shown it.
pub(super) fn folded_board(table: &AnyTable, look: OutputFormat<'_>) -> Option<String> {
    let OutputFormat::MarkdownPicture { base_url: at } = look else { return None };
    Some(fold("The board", &format!("{}\n", picture(table, Phrase::default(), at))))
}

/// Returns the engine's sentence about a refused move, folded; `None` in a terminal, where `play-by-commit rules` tells it.
pub(super) fn folded_rule(sentence: &str, look: OutputFormat<'_>) -> Option<String> {
    match look {
        OutputFormat::Terminal { .. } => None,
        OutputFormat::MarkdownText | OutputFormat::MarkdownPicture { .. } => {
            Some(fold("The rule", &fenced(&format!("{sentence}."))))
        }
    }
}

/// Returns the picture with the whole position as its alternative text, after a sentence; of a game that has ended all of it,
/// from the start.
fn picture(table: &AnyTable, sentence: Phrase, at: &str) -> String {
    let (what, file) = match scene::replay_path(table) {
        Some(file) => ("A replay of the game. The final position: ", file),
        None => ("The board: ", scene::board_path(table)),
    };
    let alt = render::alt_text(&phrase![sentence, what, scene::current(table).board.description()]);
    format!("![{alt}]({})", picture_url(at, &file))
}

/// Returns the address of a picture in an answer; `at` is that of the folder, as [`Look::Picture`] has it.
pub fn picture_url(at: &str, file: &str) -> String {
    format!("{at}/{file}?raw=true")
}

fn fenced(text: &str) -> String {
    format!("```text\n{text}\n```\n")
}

fn fold(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{text}\n</details>\n")
}
