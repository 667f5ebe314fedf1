//! Sentences as values: what is said, apart from how it is shown.
//!
//! A game, a table and a refusal say what they have to say as a [`Phrase`]. An answer, the terminal, a commit message and
//! an alternative text render it each in their own way, in `answers/render.rs`; this file knows no Markdown.

use std::borrow::Cow;

/// A stretch of a sentence, all of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// The program's own words.
    Plain(Cow<'static, str>),
    /// The program's own text to be typed or read letter by letter: a move, a command, an option.
    Code(Cow<'static, str>),
    /// The program's own words that stand out.
    Strong(Cow<'static, str>),
    /// The login of a person who is not notified by it.
    Person(String),
    /// The login of a person who is notified by it.
    Mention(String),
    /// A stranger's text, raw; to be shown so that it cannot mean anything.
    Quote(String),
}

impl Span {
    /// Returns a span of plain words, for constants.
    pub const fn plain(text: &'static str) -> Span {
        Span::Plain(Cow::Borrowed(text))
    }

    /// Returns a span to be typed, for constants.
    pub const fn code(text: &'static str) -> Span {
        Span::Code(Cow::Borrowed(text))
    }
}

/// A sentence or several, as spans.
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

    /// Adds something at the end.
    pub fn push(&mut self, part: impl Into<Phrase>) {
        self.0.extend(part.into().0);
    }

    /// Joins phrases, with words between them.
    pub fn join(parts: impl IntoIterator<Item = Phrase>, between: &'static str) -> Phrase {
        let mut joined = Phrase::default();
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                joined.push(between);
            }
            joined.push(part);
        }
        joined
    }

    /// Joins phrases of which one is to be chosen: "a or b", "a, b, or c".
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

/// Makes a [`Phrase`] of its parts: texts, spans, phrases, and options of them.
#[macro_export]
#[doc(hidden)]
macro_rules! __phrase {
    ($($part:expr),* $(,)?) => {{
        let mut phrase = $crate::phrase::Phrase::default();
        $(phrase.push($part);)*
        phrase
    }};
}

/// Makes a constant list of spans: words as they are, and in parentheses what is to be typed.
#[macro_export]
#[doc(hidden)]
macro_rules! __spans {
    (@($code:literal)) => { $crate::phrase::Span::code($code) };
    (@$plain:literal) => { $crate::phrase::Span::plain($plain) };
    ($($part:tt)*) => { &[$($crate::phrase::spans!(@$part)),*] };
}

pub use {__phrase as phrase, __spans as spans};

/// Returns a span that is to be typed or read letter by letter.
pub fn code(text: impl Into<Cow<'static, str>>) -> Span {
    Span::Code(text.into())
}

/// Returns a span that stands out.
pub fn strong(text: impl Into<Cow<'static, str>>) -> Span {
    Span::Strong(text.into())
}

/// Returns a text with a capital letter at its beginning.
pub fn capitalize(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Returns several texts as code, of which one is to be chosen: `a`, `b`, or `c`.
pub fn either_code(texts: &[impl AsRef<str>]) -> Phrase {
    Phrase::either(texts.iter().map(|text| code(text.as_ref().to_owned()).into()))
}

/// Returns several texts as code, with words between them.
pub fn join_code(texts: &[impl AsRef<str>], between: &'static str) -> Phrase {
    Phrase::join(texts.iter().map(|text| code(text.as_ref().to_owned()).into()), between)
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
