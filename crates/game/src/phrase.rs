//! Text for people as structured spans, independent of the output format.
//!
//! Games and tables describe things with a [`Phrase`]. The `answers` crate renders it as Markdown, for the terminal, as
//! a commit message, or as alt text.

use std::borrow::Cow;

use crate::Seat;

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

/// A text as a list of spans. Some of them can differ at a terminal.
///
/// ```
/// use game::say;
///
/// let taken = say!("`b2` is taken by O");
/// assert_eq!(taken.spans().len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase(Vec<Part>);

/// A part of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Span(Span),
    /// Words for a terminal, and those for everywhere else.
    ByPlace {
        terminal: Phrase,
        elsewhere: Phrase,
    },
    /// Words that a terminal with a prompt leaves out.
    WithoutPrompt(Phrase),
    /// A side, and its name in the game.
    Side(Seat, Span),
}

/// A place where people read a phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    GitHub,
    Terminal { has_prompt: bool },
}

impl Phrase {
    /// Returns the spans, in order, with the words for GitHub.
    pub fn spans(&self) -> Vec<&Span> {
        let mut spans = Vec::with_capacity(self.0.len());
        self.collect_spans(Place::GitHub, &mut spans);
        spans
    }

    /// Returns the spans, in order, with the words for a terminal, which may have a prompt.
    pub fn terminal_spans(&self, has_prompt: bool) -> Vec<&Span> {
        let mut spans = Vec::with_capacity(self.0.len());
        self.collect_spans(Place::Terminal { has_prompt }, &mut spans);
        spans
    }

    fn collect_spans<'a>(&'a self, place: Place, spans: &mut Vec<&'a Span>) {
        for part in &self.0 {
            match part {
                Part::Span(span) => spans.push(span),
                Part::ByPlace { terminal, elsewhere } => {
                    let phrase = if place == Place::GitHub { elsewhere } else { terminal };
                    phrase.collect_spans(place, spans);
                }
                Part::WithoutPrompt(_) if place == (Place::Terminal { has_prompt: true }) => {}
                Part::WithoutPrompt(phrase) => phrase.collect_spans(place, spans),
                Part::Side(_, name) => spans.push(name),
            }
        }
    }

    /// Returns the phrase with names in place of its sides. `name` gets the side, and whether it starts a sentence.
    ///
    /// ```
    /// use game::{Phrase, Seat, person, say, side};
    ///
    /// let rolled = say!("{white} rolled a 6.", white = side(Seat::First, "White"));
    /// assert_eq!(rolled.name_sides(|_, _| person("alice").into()), say!("{name} rolled a 6.", name = person("alice")));
    /// ```
    pub fn name_sides(&self, name: impl Fn(Seat, bool) -> Phrase) -> Phrase {
        let mut named = Phrase::default();
        let mut starts_sentence = true;
        for part in &self.0 {
            match part {
                Part::Side(seat, _) => named.push(name(*seat, starts_sentence)),
                other => named.0.push(other.clone()),
            }
            starts_sentence =
                matches!(part, Part::Span(Span::Plain(text)) if text.ends_with(". ") || text.ends_with('\n'));
        }
        named
    }

    /// Turns the first span that names a person into a mention, if nothing mentions them yet.
    pub fn mention(&mut self, login: &str) {
        let is_mention = |span: &&Span| matches!(span, Span::Mention(mentioned) if mentioned == login);
        if !self.spans().iter().any(is_mention)
            && let Some(name) = self.first_span_naming(login)
        {
            *name = Span::Mention(login.to_owned());
        }
    }

    /// Returns the first span that names this person on GitHub without notifying them.
    fn first_span_naming(&mut self, login: &str) -> Option<&mut Span> {
        self.0.iter_mut().find_map(|part| match part {
            Part::Span(span) => Some(span).filter(|span| matches!(span, Span::Person(name) if name == login)),
            Part::ByPlace { elsewhere, .. } => elsewhere.first_span_naming(login),
            Part::WithoutPrompt(phrase) => phrase.first_span_naming(login),
            Part::Side(..) => None,
        })
    }

    /// Joins phrases.
    pub fn concat<const N: usize>(parts: [Phrase; N]) -> Phrase {
        Phrase(parts.into_iter().flat_map(|part| part.0).collect())
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

/// Builds a [`Phrase`] from a sentence in one string.
///
/// - Text in backticks is code, and text between two `**` is bold. Values in it are formatted as by [`format!`].
/// - Elsewhere, `{name}` is a span, a phrase, a text or a number, or an `Option` of one.
/// - `{name:function}` is what a function returns for the value.
/// - Values for names can follow the sentence, as in [`format!`].
///
/// Values are never read as markup. A text that a player wrote needs [`quote`], and a login [`person`].
///
/// ```
/// use game::{person, quote, say};
///
/// let (typed, login) = ("`b9`", "octocat");
/// let sentence = say!("{typed:quote} isn't a cell, {login:person}. Write `{mv}`.", mv = "b2");
/// assert_eq!(sentence.spans().len(), 6);
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __say {
    ($($input:tt)*) => { $crate::phrase::sentence::say!($crate $($input)*) };
}

/// Builds a constant list of spans from a sentence without values: text in backticks is code.
#[macro_export]
#[doc(hidden)]
macro_rules! __spans {
    ($($input:tt)*) => { $crate::phrase::sentence::spans!($crate $($input)*) };
}

pub use {__say as say, __spans as spans};

#[doc(hidden)]
pub use sentence;

/// Returns a code span.
pub fn code(text: impl Into<Cow<'static, str>>) -> Span {
    Span::Code(text.into())
}

/// Returns a span that names a person without notifying them.
pub fn person(login: impl Into<String>) -> Span {
    Span::Person(login.into())
}

/// Returns a span that names a person and notifies them.
pub fn mention(login: impl Into<String>) -> Span {
    Span::Mention(login.into())
}

/// Returns a span of untrusted text.
pub fn quote(text: impl Into<String>) -> Span {
    Span::Quote(text.into())
}

/// Returns a span of plain text. The text must not be a player's.
pub fn plain(text: impl Into<String>) -> Span {
    Span::Plain(Cow::Owned(text.into()))
}

/// Returns a side of a game, with its name there: "White". A table with players shows their names instead.
pub fn side(seat: Seat, name: impl Into<Cow<'static, str>>) -> Phrase {
    Phrase(vec![Part::Side(seat, Span::Plain(name.into()))])
}

/// The name of the only person at a terminal, in the record. Sentences address this person.
pub const YOU: &str = "You";

/// Returns words about a person. The only person at a terminal is addressed as "you".
pub fn by_person(login: &str, if_you: impl Into<Phrase>, otherwise: impl Into<Phrase>) -> Phrase {
    // A GitHub user may be called "You", so the other words are only for a terminal.
    if login == YOU { by_place(if_you, otherwise) } else { otherwise.into() }
}

/// Returns words that differ at a terminal.
///
/// ```
/// use game::{by_place, say};
///
/// let greeting = by_place(say!("Hello!"), say!("Hello in `issue 1`!"));
/// assert_eq!(greeting.terminal_spans(false).len(), 1);
/// assert_ne!(greeting.terminal_spans(false), greeting.spans());
/// ```
pub fn by_place(terminal: impl Into<Phrase>, elsewhere: impl Into<Phrase>) -> Phrase {
    Phrase(vec![Part::ByPlace { terminal: terminal.into(), elsewhere: elsewhere.into() }])
}

/// Returns words that a terminal with a prompt leaves out, because the prompt has its own.
///
/// ```
/// use game::{say, without_prompt};
///
/// let ending = say!("A draw.{again}", again = without_prompt(" To play again, write /rematch."));
/// assert_eq!([true, false].map(|has_prompt| ending.terminal_spans(has_prompt).len()), [1, 2]);
/// ```
pub fn without_prompt(words: impl Into<Phrase>) -> Phrase {
    Phrase(vec![Part::WithoutPrompt(words.into())])
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

/// Joins texts as code with commas.
pub fn list_code(texts: &[impl AsRef<str>]) -> Phrase {
    join_code(texts, ", ")
}

/// Joins texts as code with a separator.
pub fn join_code(texts: &[impl AsRef<str>], separator: &'static str) -> Phrase {
    Phrase::join(texts.iter().map(|text| code(text.as_ref().to_owned()).into()), separator)
}

impl From<Span> for Phrase {
    fn from(span: Span) -> Phrase {
        Phrase(vec![Part::Span(span)])
    }
}

impl From<&Span> for Phrase {
    fn from(span: &Span) -> Phrase {
        span.clone().into()
    }
}

impl From<&[Span]> for Phrase {
    fn from(spans: &[Span]) -> Phrase {
        Phrase(spans.iter().cloned().map(Part::Span).collect())
    }
}

impl From<&Phrase> for Phrase {
    fn from(phrase: &Phrase) -> Phrase {
        phrase.clone()
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

impl From<&&'static str> for Phrase {
    fn from(text: &&'static str) -> Phrase {
        Span::plain(text).into()
    }
}

/// Implements the conversions from numbers, which are plain text.
macro_rules! from_numbers {
    ($($number:ty),*) => {
        $(impl From<$number> for Phrase {
            fn from(number: $number) -> Phrase {
                number.to_string().into()
            }
        })*
    };
}

from_numbers!(u8, u16, u32, &u32, usize, &usize);

impl<T: Into<Phrase>> From<Option<T>> for Phrase {
    fn from(part: Option<T>) -> Phrase {
        part.map(Into::into).unwrap_or_default()
    }
}
