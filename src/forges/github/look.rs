//! Questions about the repository itself, for the doctor: each is one request that changes nothing.

use serde_json::Value;

use crate::forges::forge::Fault;
use crate::forges::github::GitHub;
use crate::forges::github::wire::reply;

/// What GitHub says to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The status of HTTP: 200 if it says anything.
    pub status: u16,
    /// What it says; null where it says nothing.
    pub body: Value,
}

impl GitHub {
    /// Asks about something below the repository; an empty path is the repository itself.
    ///
    /// # Errors
    /// No answer came back, or the token is not accepted. That something cannot be seen is no error.
    pub async fn look(&self, path: &str) -> Result<Look, Fault> {
        let (owner, name) = (&self.settings.owner, &self.settings.name);
        let path = format!("/repos/{owner}/{name}/{path}");
        let reply = reply(self.wire.rest._get(path.trim_end_matches('/')).await)?;
        let body = if reply.status.as_u16() == 200 { reply.json()? } else { Value::Null };
        Ok(Look { status: reply.status.as_u16(), body })
    }
}
