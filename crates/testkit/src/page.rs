//! A page as its host wrote it, with the markers of its parts.

use games::registry::GameKind;

/// A part of a page, as its host wrote it.
#[derive(Clone, Copy)]
pub enum Part {
    /// Nothing of ours.
    Text(&'static str),
    /// The markers of a table.
    Table(u64),
    /// The markers of the standings of a game, or of all.
    Standings(Option<GameKind>),
}

/// A page as its host wrote it.
pub struct Page {
    pub parts: Vec<Part>,
    pub crlf: bool,
}

impl Page {
    /// The whole page with what should stand between its markers; nothing is what the host left there.
    pub fn with(
        &self,
        table: impl Fn(u64) -> Option<String>,
        standings: impl Fn(Option<GameKind>) -> Option<String>,
    ) -> String {
        let inside = |block: Option<String>| block.map_or("\n".to_owned(), |block| format!("\n\n{}\n\n", block.trim()));
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => (*text).to_owned(),
            Part::Table(number) => format!(
                "<!-- play-by-commit:table {number} -->{}<!-- /play-by-commit:table -->",
                inside(table(*number))
            ),
            Part::Standings(kind) => format!(
                "<!-- play-by-commit:standings{} -->{}<!-- /play-by-commit:standings -->",
                kind.map_or(String::new(), |kind| format!(" {}", kind.info().name)),
                inside(standings(*kind))
            ),
        });
        let text: String = parts.collect();
        if self.crlf { text.replace('\n', "\r\n") } else { text }
    }

    /// The page before the bot has ever seen it.
    pub fn fresh(&self) -> String {
        self.with(|_| None, |_| None)
    }
}
