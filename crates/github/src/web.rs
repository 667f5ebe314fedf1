//! GitHub's web pages, as somebody sees them who is not logged in: no token goes there.

use std::time::Duration;

use http::header::{CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{Request, Uri};
use octocrab::OctoBody;
use protocol::forge::Fault;

use crate::client::{Connections, USER_AGENT_VALUE, broken_connection, root_cause, split_api_url};
use crate::reply::one_line;

/// The number of redirects that are followed.
const MAX_REDIRECTS: usize = 4;

/// What an address leads to. The contents are not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebReply {
    /// The status of HTTP.
    pub status: u16,
    /// The type of the contents, such as `image/svg+xml`, without what may stand behind it.
    pub content_type: String,
}

/// Asks for an address without a token, and follows where it leads.
///
/// # Errors
/// No reply came back, or it leads round and round.
pub async fn fetch(address: &str, timeout: Duration) -> Result<WebReply, Fault> {
    let asked = tokio::time::timeout(timeout, follow_redirects(address, timeout)).await;
    asked.map_err(|_| broken_connection(&format!("no answer within {} seconds", timeout.as_secs_f32())))?
}

async fn follow_redirects(address: &str, timeout: Duration) -> Result<WebReply, Fault> {
    let Connections { octocrab } = Connections::new(timeout)?;
    let wrong = |address: &str| Fault::Fatal(format!("`{}` isn't an address.", one_line(address)));
    let mut address = address.to_owned();
    for _ in 0..=MAX_REDIRECTS {
        let uri: Uri = address.parse().map_err(|_| wrong(&address))?;
        let (scheme, host) = (uri.scheme_str().unwrap_or_default(), uri.authority().map(ToString::to_string));
        let place = format!("{scheme}://{}", host.unwrap_or_default());
        split_api_url(&place)?;
        let request = Request::get(uri).header(USER_AGENT, USER_AGENT_VALUE).body(OctoBody::empty());
        let request = request.map_err(|_| wrong(&address))?;
        let reply = octocrab.execute(request).await.map_err(|error| broken_connection(&root_cause(&error)))?;
        let header = |name| reply.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        match header(LOCATION).filter(|_| reply.status().is_redirection()) {
            Some(next) if next.starts_with('/') => address = format!("{place}{next}"),
            Some(next) => address = next,
            None => {
                let kind = header(CONTENT_TYPE).unwrap_or_default();
                let kind = one_line(kind.split(';').next().unwrap_or_default());
                return Ok(WebReply { status: reply.status().as_u16(), content_type: kind });
            }
        }
    }
    Err(Fault::Fatal(format!("The address redirects more than {MAX_REDIRECTS} times.")))
}
