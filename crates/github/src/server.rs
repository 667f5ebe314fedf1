//! The addresses of a GitHub server, and the tokens that belong to it.

use protocol::forge::Fault;
use protocol::repo_config::{is_enterprise_server, server_name};

use crate::client::split_api_url;

/// A GitHub server: github.com, a subdomain of ghe.com, or an Enterprise Server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The URL of its web pages, such as `https://github.com`.
    pub url: String,
    /// The URL of its REST API, such as `https://api.github.com`.
    pub api_url: String,
    /// The URL of its GraphQL API, such as `https://api.github.com/graphql`.
    pub graphql_url: String,
}

impl Server {
    /// Returns the server whose web pages are at a URL.
    ///
    /// # Errors
    /// Returns an error if the URL isn't plain HTTP or HTTPS.
    pub fn at(url: &str) -> Result<Server, Fault> {
        let (origin, _) = split_api_url(url)?;
        let host = server_name(&origin);
        let api_url =
            if is_enterprise_server(host) { format!("{origin}/api/v3") } else { format!("https://api.{host}") };
        Ok(Server { graphql_url: graphql_url(&api_url), api_url, url: origin })
    }

    /// Returns the server whose REST API is at a URL.
    ///
    /// # Errors
    /// Returns an error if the URL isn't plain HTTP or HTTPS.
    pub fn with_api(api_url: &str) -> Result<Server, Fault> {
        let (origin, path) = split_api_url(api_url)?;
        let api_url = origin.clone() + &path;
        let mut server = Server { graphql_url: graphql_url(&api_url), api_url, url: origin };
        if !is_enterprise_server(server.host()) {
            server.url = format!("https://{}", server.host());
        }
        Ok(server)
    }

    /// Returns the host name of the server with this API, such as `github.com`. That's where a token goes.
    pub fn host(&self) -> &str {
        let name = server_name(&self.api_url);
        name.strip_prefix("api.").filter(|host| !is_enterprise_server(host)).unwrap_or(name)
    }

    /// Returns the names of the environment variables that may hold a token for this server, as in
    /// [`gh`](https://cli.github.com/manual/gh_help_environment), in order of precedence.
    pub fn token_variables(&self) -> [&'static str; 2] {
        if is_enterprise_server(self.host()) {
            ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
        } else {
            ["GH_TOKEN", "GITHUB_TOKEN"]
        }
    }
}

/// Returns the URL of the GraphQL API next to a REST API. On an Enterprise Server, it isn't below the URL of the REST API.
pub fn graphql_url(api_url: &str) -> String {
    let api_url = api_url.trim_end_matches('/');
    match api_url.strip_suffix("/api/v3") {
        Some(origin) => format!("{origin}/api/graphql"),
        None => format!("{api_url}/graphql"),
    }
}
