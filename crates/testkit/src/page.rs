//! A host's page with markers, before and after the bot fills it in.

use games::registry::GameKind;

/// A part of a page.
#[derive(Clone, Copy)]
pub enum Part {
    /// The host's own text.
    Text(&'static str),
    /// The markers of a table.
    Table(u64),
    /// The markers of the standings of one game, or of all.
    Standings(Option<GameKind>),
}

/// A host's page.
pub struct Page {
    /// The parts, from top to bottom.
    pub parts: Vec<Part>,
    /// Whether lines end in CR LF.
    pub crlf: bool,
}

impl Page {
    /// Returns the page with these texts between its markers. `None` keeps the host's text.
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

    /// Returns the page before the bot's first run.
    pub fn fresh(&self) -> String {
        self.with(|_| None, |_| None)
    }
}
