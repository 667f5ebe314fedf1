//! Requests to GitHub's web pages without a token, as a visitor who isn't logged in.

use std::time::Duration;

use http::header::{CONTENT_TYPE, LOCATION, USER_AGENT};
use http::{Request, Uri};
use octocrab::OctoBody;
use protocol::forge::{Fault, HostProblem};

use crate::client::{Connections, USER_AGENT_VALUE, broken_connection, split_api_url};
use crate::reply::{one_line, root_cause};

/// The limit on the redirects that [`fetch`] follows.
const MAX_REDIRECTS: usize = 4;

/// The status and content type of a web page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebReply {
    /// The HTTP status.
    pub status: u16,
    /// The content type without its parameters, such as `image/svg+xml`.
    pub content_type: String,
}

/// Fetches a page without a token, and follows redirects.
///
/// # Errors
/// Returns an error if the URL is invalid, if no reply comes back in time, or if there are too many redirects.
pub async fn fetch(url: &str, timeout: Duration) -> Result<WebReply, Fault> {
    let outcome = tokio::time::timeout(timeout, follow_redirects(url, timeout)).await;
    outcome.map_err(|_| broken_connection(url, &format!("no answer within {} seconds", timeout.as_secs_f32())))?
}

async fn follow_redirects(url: &str, timeout: Duration) -> Result<WebReply, Fault> {
    let Connections { octocrab } = Connections::new(timeout)?;
    let invalid = |url: &str| Fault::Fatal(HostProblem::new(format!("`{}` isn't an address.", one_line(url))));
    let mut url = url.to_owned();
    for _ in 0..=MAX_REDIRECTS {
        let uri: Uri = url.parse().map_err(|_| invalid(&url))?;
        let (scheme, host) = (uri.scheme_str().unwrap_or_default(), uri.authority().map(ToString::to_string));
        let origin = format!("{scheme}://{}", host.unwrap_or_default());
        split_api_url(&origin)?;
        let request = Request::get(uri).header(USER_AGENT, USER_AGENT_VALUE).body(OctoBody::empty());
        let request = request.map_err(|_| invalid(&url))?;
        let reply = octocrab.execute(request).await.map_err(|error| broken_connection(&url, &root_cause(&error)))?;
        let header = |name| reply.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let redirect = if reply.status().is_redirection() { header(LOCATION) } else { None };
        match redirect {
            Some(next) if next.starts_with('/') => url = format!("{origin}{next}"),
            Some(next) => url = next,
            None => {
                let content_type = header(CONTENT_TYPE).unwrap_or_default();
                let content_type = one_line(content_type.split(';').next().unwrap_or_default());
                return Ok(WebReply { status: reply.status().as_u16(), content_type });
            }
        }
    }
    Err(Fault::Fatal(HostProblem::new(format!("The address redirects more than {MAX_REDIRECTS} times."))))
}
