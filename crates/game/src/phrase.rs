//! Text for people as structured spans, independent of the output format.
//!
//! Games and tables describe things with a [`Phrase`]. The `answers` crate renders it as Markdown, for the terminal, as
//! a commit message, or as alt text.

use std::borrow::Cow;

/// A piece of text of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Plain text.
    Plain(Cow<'static, str>),
    /// Code, such as a move, a command or an option.
    Code(Cow<'static, str>),
    /// Text in bold.
    Strong(Cow<'static, str>),
    /// A login. Doesn't notify the user.
    Person(String),
    /// A login. Notifies the user.
    Mention(String),
    /// Untrusted text. Renderers escape it so that it has no effect.
    Quote(String),
}

impl Span {
    /// Returns a plain span. Usable in constants.
    pub const fn plain(text: &'static str) -> Span {
        Span::Plain(Cow::Borrowed(text))
    }

    /// Returns a code span. Usable in constants.
    pub const fn code(text: &'static str) -> Span {
        Span::Code(Cow::Borrowed(text))
    }
}

/// A text as a list of spans.
///
/// ```
/// use game::phrase::{code, phrase};
///
/// let taken = phrase![code("b2"), " is taken by O"];
/// assert_eq!(taken.spans().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase(Vec<Span>);

impl Phrase {
    /// Returns the spans, in order.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    /// Appends a span, a text or another phrase.
    pub fn push(&mut self, part: impl Into<Phrase>) {
        self.0.extend(part.into().0);
    }

    /// Joins phrases with a separator.
    pub fn join(parts: impl IntoIterator<Item = Phrase>, separator: &'static str) -> Phrase {
        let mut joined = Phrase::default();
        for (nth, part) in parts.into_iter().enumerate() {
            if nth > 0 {
                joined.push(separator);
            }
            joined.push(part);
        }
        joined
    }

    /// Joins alternatives: "a or b", "a, b, or c".
    pub fn either(choices: impl IntoIterator<Item = Phrase>) -> Phrase {
        let mut choices: Vec<Phrase> = choices.into_iter().collect();
        let last = choices.pop().unwrap_or_default();
        let before_last = match choices.len() {
            0 => "",
            1 => " or ",
            _ => ", or ",
        };
        let mut joined = Phrase::join(choices, ", ");
        joined.push(before_last);
        joined.push(last);
        joined
    }
}

/// Builds a [`Phrase`] from texts, spans, phrases, and `Option`s of them.
#[macro_export]
#[doc(hidden)]
macro_rules! __phrase {
    ($($part:expr),* $(,)?) => {{
        let mut phrase = $crate::phrase::Phrase::default();
        $(phrase.push($part);)*
        phrase
    }};
}

/// Builds a constant list of spans. Literals are plain text; literals in parentheses are code.
#[macro_export]
#[doc(hidden)]
macro_rules! __spans {
    (@($code:literal)) => { $crate::phrase::Span::code($code) };
    (@$plain:literal) => { $crate::phrase::Span::plain($plain) };
    ($($part:tt)*) => { &[$($crate::phrase::spans!(@$part)),*] };
}

pub use {__phrase as phrase, __spans as spans};

/// Returns a code span.
pub fn code(text: impl Into<Cow<'static, str>>) -> Span {
    Span::Code(text.into())
}

/// Returns a bold span.
pub fn strong(text: impl Into<Cow<'static, str>>) -> Span {
    Span::Strong(text.into())
}

/// Returns a text with its first letter capitalized, if it's an ASCII letter.
pub fn capitalize(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Joins texts as code alternatives: `a`, `b`, or `c`.
pub fn either_code(texts: &[impl AsRef<str>]) -> Phrase {
    Phrase::either(texts.iter().map(|text| code(text.as_ref().to_owned()).into()))
}

/// Joins texts as code with a separator.
pub fn join_code(texts: &[impl AsRef<str>], separator: &'static str) -> Phrase {
    Phrase::join(texts.iter().map(|text| code(text.as_ref().to_owned()).into()), separator)
}

impl From<Span> for Phrase {
    fn from(span: Span) -> Phrase {
        Phrase(vec![span])
    }
}

impl From<&[Span]> for Phrase {
    fn from(spans: &[Span]) -> Phrase {
        Phrase(spans.to_vec())
    }
}

impl From<&'static str> for Phrase {
    fn from(text: &'static str) -> Phrase {
        Span::plain(text).into()
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Phrase {
        Span::Plain(text.into()).into()
    }
}

impl<T: Into<Phrase>> From<Option<T>> for Phrase {
    fn from(part: Option<T>) -> Phrase {
        part.map(Into::into).unwrap_or_default()
    }
}
