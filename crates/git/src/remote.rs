//! The repository of a remote, on a GitHub server.

/// A repository on a GitHub server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The host without a port, such as `github.com`.
    pub host: String,
    /// `OWNER/NAME`.
    pub repository: String,
    /// The URL of the server, without a slash at the end.
    pub server: String,
}

/// Parses the URL of a remote in any of git's forms: `https://github.com/o/n.git`, `ssh://git@github.com:22/o/n` or
/// `git@github.com:o/n.git`. Returns `None` if it is something else.
pub fn parse_remote(url: &str) -> Option<Remote> {
    let url = url.trim().trim_end_matches('/');
    let (scheme, (authority, path)) = match url.split_once("://") {
        Some((scheme @ ("https" | "http" | "ssh" | "git"), rest)) => (scheme, rest.split_once('/')?),
        Some(_) => return None,
        None => ("ssh", url.split_once(':')?),
    };
    let host = authority.rsplit('@').next()?.split(':').next()?.to_ascii_lowercase();
    // People with two accounts use ssh host aliases such as `github.com-work`. `ssh.github.com` serves ssh on the https port.
    let host = match host.as_str() {
        "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
        host if host.starts_with("github.com-") => "github.com".to_owned(),
        _ => host,
    };
    let mut parts = path.trim_start_matches('/').trim_end_matches(".git").split('/');
    let (owner, name) = (parts.next()?, parts.next()?);
    let is_name = |text: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !text.is_empty() && !text.starts_with('.') && text.len() <= 100 && text.chars().all(is_plain)
    };
    let is_valid = parts.next().is_none() && host.contains('.') && [&host, owner, name].into_iter().all(is_name);
    // A port for ssh or git isn't the web server's. A token must not be sent without encryption, except on this machine.
    let port = authority.rsplit_once(':').map(|(_, port)| port).filter(|port| port.parse::<u16>().is_ok());
    let server = match (scheme, port) {
        ("http", Some(port)) if host == "127.0.0.1" => format!("http://{host}:{port}"),
        ("https", Some(port)) => format!("https://{host}:{port}"),
        _ => format!("https://{host}"),
    };
    if is_valid { Some(Remote { host, repository: format!("{owner}/{name}"), server }) } else { None }
}
