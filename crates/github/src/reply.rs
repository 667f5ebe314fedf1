//! The replies of GitHub as they come in, before they are interpreted.

use http::{HeaderMap, StatusCode};
use protocol::forge::Fault;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The limit on GitHub's own words in a sentence, in characters.
pub const MAX_QUOTE: usize = 300;

/// A whole reply over HTTP, without the token.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

/// A reply of GraphQL; data and errors may both be there.
#[derive(Deserialize)]
pub(super) struct GraphqlReply<T> {
    pub(super) data: Option<T>,
    #[serde(default = "Vec::new")]
    pub(super) errors: Vec<GraphqlError>,
}

/// An error in a reply of GraphQL.
#[derive(Debug, Deserialize)]
pub(super) struct GraphqlError {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) path: Option<Vec<Value>>,
    #[serde(default)]
    pub(super) extensions: Option<Value>,
}

/// The reply to a question about the repository itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetReply {
    /// The status of HTTP: 200 if the question was answered.
    pub status: u16,
    /// The body; null unless the status is 200.
    pub body: Value,
}

impl Reply {
    /// Reads the body as JSON.
    pub(super) fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        // The error of serde says where it stopped and what it wanted; it quotes at most a word of what it met.
        serde_json::from_str(&self.text).map_err(|error| unreadable_reply(&one_line(&error.to_string())))
    }

    /// Returns GitHub's own words for what is wrong, as one line.
    pub(super) fn message(&self) -> String {
        #[derive(Deserialize)]
        struct Said {
            #[serde(default)]
            message: String,
            #[serde(default)]
            errors: Vec<Value>,
        }
        let Ok(said) = self.json::<Said>() else {
            return "no reason given".to_owned();
        };
        let details = said.errors.iter().filter_map(|error| error["message"].as_str().or(error.as_str()));
        one_line(&std::iter::once(said.message.as_str()).chain(details).collect::<Vec<_>>().join(" "))
    }
}

/// Returns the fault of a reply that cannot be read: it is treated like one that never came.
pub(super) fn unreadable_reply(what: &str) -> Fault {
    Fault::Lost(format!("GitHub's answer can't be read: {what}."))
}

/// Returns text from outside as one line of bounded length, fit for a log: no control characters, no line breaks.
pub fn one_line(text: &str) -> String {
    let plain = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    let line = plain.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_QUOTE) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
