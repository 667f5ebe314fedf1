//! The macros behind `say!` and `spans!` of the crate `game`, which documents them.
//!
//! They read a sentence's markup when the program is compiled, so a text that a player wrote can't contain any.

use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Expands to a phrase. The input is the path of the crate `game`, the sentence, and values for names in it.
#[proc_macro]
pub fn say(input: TokenStream) -> TokenStream {
    expand(input, |sentence, rest| {
        let parts = sentence.split()?.into_iter().map(|part| sentence.call("Phrase::from", sentence.part(part)));
        let phrase = sentence.call("Phrase::concat", group(Delimiter::Bracket, separated(parts)));
        Ok(group(Delimiter::Brace, [bindings(&rest)?, phrase].into_iter().collect()))
    })
}

/// Expands to a constant list of spans. The input is the path of the crate `game` and a sentence without values.
#[proc_macro]
pub fn spans(input: TokenStream) -> TokenStream {
    expand(input, |sentence, _| {
        let parts = sentence.split()?;
        if parts.iter().any(Part::has_value) {
            return Err("a constant sentence can't have values".to_owned());
        }
        let list = group(Delimiter::Bracket, separated(parts.into_iter().map(|part| sentence.part(part))));
        Ok([punct('&'), list].into_iter().collect())
    })
}

/// Expands a macro, or reports why its input is wrong.
fn expand(
    input: TokenStream,
    expand: impl Fn(&Sentence, Vec<TokenTree>) -> Result<TokenStream, String>,
) -> TokenStream {
    let mut tokens = input.into_iter();
    let expanded = match (tokens.next(), literal(tokens.next())) {
        (Some(game), Ok((source, span))) => expand(&Sentence { game, source, span }, tokens.collect()),
        (_, Err(message)) => Err(message),
        (None, _) => Err("the path of the crate is missing".to_owned()),
    };
    expanded.unwrap_or_else(|message| {
        let message = TokenTree::from(Literal::string(&message));
        [path("::std::compile_error!"), group(Delimiter::Parenthesis, message.into())].into_iter().collect()
    })
}

/// The beginning and the end of each kind of markup.
const MARKS: [(&str, &str); 3] = [("`", "`"), ("**", "**"), ("{", "}")];

/// A part of a sentence. Its texts are as in the source, with their escapes.
enum Part {
    Plain(String),
    Code(String),
    Strong(String),
    /// A value, and the function to call with it.
    Value(String, Option<String>),
}

impl Part {
    fn plain(text: &str) -> Option<Part> {
        (!text.is_empty()).then(|| Part::Plain(text.to_owned()))
    }

    fn has_value(&self) -> bool {
        match self {
            Part::Plain(_) => false,
            Part::Code(text) | Part::Strong(text) => text.contains('{'),
            Part::Value(..) => true,
        }
    }
}

/// A sentence in the source of a program.
struct Sentence {
    /// The path of the crate `game`.
    game: TokenTree,
    /// The text between the quotes, with its escapes.
    source: String,
    /// The place of the sentence, where the names in it are looked up.
    span: Span,
}

impl Sentence {
    /// Splits the sentence at its markup.
    fn split(&self) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        let mut rest = self.source.as_str();
        let next = |rest: &str| MARKS.into_iter().filter_map(|mark| Some((rest.find(mark.0)?, mark))).min();
        while let Some((start, (opening, closing))) = next(rest) {
            let (plain, marked) = rest.split_at(start);
            let Some((inner, after)) = marked[opening.len()..].split_once(closing) else {
                return Err(format!("`{opening}` isn't closed in this sentence"));
            };
            parts.extend(Part::plain(plain));
            parts.push(match opening {
                "`" => Part::Code(inner.to_owned()),
                "**" => Part::Strong(inner.to_owned()),
                _ => match inner.split_once(':') {
                    Some((name, function)) => Part::Value(name.to_owned(), Some(function.to_owned())),
                    None => Part::Value(inner.to_owned(), None),
                },
            });
            rest = after;
        }
        parts.extend(Part::plain(rest));
        Ok(parts)
    }

    /// Returns an expression for a span, or for something that a phrase can be made from.
    fn part(&self, part: Part) -> TokenStream {
        let is_constant = !part.has_value();
        let format = |text: &str| {
            let text = group(Delimiter::Parenthesis, self.text(text));
            [path("::std::format!"), text].into_iter().collect()
        };
        match part {
            Part::Plain(text) => self.call("Span::plain", self.text(&text)),
            Part::Code(text) if is_constant => self.call("Span::code", self.text(&text)),
            Part::Code(text) => self.call("code", format(&text)),
            Part::Strong(text) if is_constant => self.call("strong", self.text(&text)),
            Part::Strong(text) => self.call("strong", format(&text)),
            Part::Value(name, None) => self.tokens(&name),
            Part::Value(name, Some(function)) => {
                let argument = group(Delimiter::Parenthesis, self.tokens(&name));
                [self.tokens(&function), argument].into_iter().collect()
            }
        }
    }

    /// Returns a call of a function of the crate `game`.
    fn call(&self, function: &str, argument: TokenStream) -> TokenStream {
        let game = TokenStream::from(self.game.clone());
        [game, path(&format!("::{function}")), group(Delimiter::Parenthesis, argument)].into_iter().collect()
    }

    /// Returns a part of the sentence as a string literal.
    fn text(&self, source: &str) -> TokenStream {
        self.tokens(&format!("\"{source}\""))
    }

    /// Returns code that is looked up where the sentence stands.
    fn tokens(&self, source: &str) -> TokenStream {
        let place = |mut token: TokenTree| {
            token.set_span(self.span);
            token
        };
        path(source).into_iter().map(place).collect()
    }
}

/// Returns the source between the quotes of a string literal, and where it stands.
fn literal(token: Option<TokenTree>) -> Result<(String, Span), String> {
    match token {
        Some(TokenTree::Literal(literal)) => {
            let source = literal.to_string();
            let inner = source.strip_prefix('"').and_then(|source| source.strip_suffix('"'));
            Ok((inner.ok_or("a sentence is a string in quotes")?.to_owned(), literal.span()))
        }
        // A literal that another macro has matched.
        Some(TokenTree::Group(group)) => literal(group.stream().into_iter().next()),
        _ => Err("a sentence is one string".to_owned()),
    }
}

/// Returns a `let` for each `name = value` after the sentence.
fn bindings(rest: &[TokenTree]) -> Result<TokenStream, String> {
    let is_punct = |token: &TokenTree, c| matches!(token, TokenTree::Punct(punct) if punct.as_char() == c);
    let bindings =
        rest.split(|token| is_punct(token, ',')).filter(|binding| !binding.is_empty()).map(|binding| match binding {
            [TokenTree::Ident(_), equals, ..] if is_punct(equals, '=') => {
                Ok([path("let"), binding.iter().cloned().collect(), punct(';')].into_iter().collect())
            }
            _ => Err("after a sentence comes `name = value`".to_owned()),
        });
    bindings.collect::<Result<Vec<TokenStream>, String>>().map(|lets| lets.into_iter().collect())
}

/// Joins expressions with commas.
fn separated(expressions: impl Iterator<Item = TokenStream>) -> TokenStream {
    expressions.flat_map(|expression| [expression, punct(',')]).collect()
}

fn group(delimiter: Delimiter, inner: TokenStream) -> TokenStream {
    TokenTree::from(Group::new(delimiter, inner)).into()
}

fn punct(c: char) -> TokenStream {
    TokenTree::from(Punct::new(c, Spacing::Alone)).into()
}

/// Parses code; if it can't be parsed, the compiler reports what is missing.
fn path(source: &str) -> TokenStream {
    source.parse().unwrap_or_default()
}
