//! Boards in answers: text first for whoever reads mail, uses a phone or listens; the picture for everybody else.

use crate::answers::announce::Look;
use crate::answers::message::plain;
use crate::answers::scene;
use crate::tables::any::AnyTable;

/// The board of a table. `sentence` is what the answer says about it, for those who do not see the picture.
pub(super) fn board(table: &AnyTable, sentence: &str, look: Look<'_>) -> String {
    match look {
        Look::Text { coloured: false } => fenced(&scene::text(table)),
        Look::Text { coloured: true } => fenced(&scene::coloured(table)),
        Look::Picture { at } => {
            let picture = picture(table, &plain(sentence), at);
            format!("{picture}\n\n{}", fold("The board as text", &fenced(&scene::text(table))))
        }
    }
}

/// The board of a table below a sentence that is not about it. A terminal has just shown it.
pub(super) fn folded(table: &AnyTable, look: Look<'_>) -> Option<String> {
    match look {
        Look::Text { .. } => None,
        Look::Picture { at } => Some(fold("The board", &format!("{}\n", picture(table, "", at)))),
    }
}

/// The picture with the whole position as its alternative text; of a game that has ended all of it, from the start.
fn picture(table: &AnyTable, sentence: &str, at: &str) -> String {
    let (what, file) = match scene::replay_file(table) {
        Some(file) => ("The whole game, and how it ended", file),
        None => ("The board", scene::file(table)),
    };
    let space = if sentence.is_empty() { "" } else { " " };
    let words = format!("{sentence}{space}{what}: {}", scene::words(table));
    // Nothing that could end the text or mean something in it.
    let alt: String =
        words.chars().filter(|c| !matches!(c, '[' | ']' | '<' | '>' | '`' | '*' | '\\' | '@' | '\n')).collect();
    let alt = alt.replace('_', "\\_");
    format!("![{alt}]({at}/{file}?raw=true)")
}

fn fenced(text: &str) -> String {
    format!("```text\n{text}\n```\n")
}

fn fold(title: &str, text: &str) -> String {
    format!("<details><summary>{title}</summary>\n\n{text}\n</details>\n")
}
