//! Links to the program's documentation.

use game::{Info, Phrase, by_place, plain, say};

/// The folder of the documentation on GitHub.
pub const DOCS: &str = "https://github.com/play-by-commit/play-by-commit/blob/HEAD/docs/";

/// The page of [`DOCS`] on how to check dice.
pub const DICE: &str = "DICE.md";

/// Returns words that link a page of the documentation. A terminal shows only the words.
pub(super) fn docs_link(words: &str, page: &str) -> Phrase {
    by_place(plain(words), plain(format!("[{words}]({DOCS}{page})")))
}

/// Returns a sentence that links the guide for players, with a leading space. A terminal has no such sentence.
pub(super) fn players_guide() -> Phrase {
    by_place("", say!(" {guide} explains everything else.", guide = docs_link("How to play", "PLAYING.md")))
}

/// Returns a sentence that links the guide to a game, with a leading space. A terminal has no such sentence.
///
pub(super) fn game_guide(game: &Info) -> Phrase {
    let words = format!("the guide to {}", game.title.to_lowercase());
    let guide = docs_link(&words, &format!("games/{}.md", game.name));
    by_place("", say!(" For pictures and examples, read {guide}."))
}
