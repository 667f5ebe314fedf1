//! A run behind a proxy, with a server whose certificate is from a private authority.

use std::net::TcpListener;
use std::process::{Command, Stdio};

use testkit::server::{Server, TOKEN};
use testkit::{HOST, Proxy, authority, start_tls};

use super::{RunResult, Runner, world_with_table};

/// Returns a runner whose API is at this origin, behind this proxy.
fn runner<'a>(server: &'a Server, origin: &str, proxy: &Proxy) -> Runner<'a> {
    Runner::new(server)
        .with("GITHUB_API_URL", origin)
        .with("GITHUB_GRAPHQL_URL", &format!("{origin}/graphql"))
        .with("SSL_CERT_FILE", authority().to_str().unwrap())
        .with("https_proxy", &format!("http://user:pass@{}", proxy.address))
}

#[test]
fn calls_the_api_through_the_proxy() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let proxy = Proxy::start(start_tls(&server.url));
    // Only the proxy can reach this host.
    runner(&server, &format!("https://{HOST}"), &proxy).comment_and_run(1, "alice", "b2").succeeds();
    assert_eq!(world.answers(1).len(), 2);
    let asked = proxy.request_heads();
    let is_connect = |head: &String| head.starts_with(&format!("CONNECT {HOST}:443 HTTP/1.1\r\n"));
    assert!(!asked.is_empty() && asked.iter().all(is_connect), "{asked:?}");
    assert!(asked.iter().all(|head| !head.contains(TOKEN)), "the proxy saw the token: {asked:?}");
    // Other variables that curl reads.
    let all = runner(&server, &format!("https://{HOST}"), &proxy).without("https_proxy");
    let all = all.with("ALL_PROXY", &format!("user:pass@{}", proxy.address));
    all.comment_and_run(1, "bob", "a1").succeeds();
}

#[test]
fn goes_past_the_proxy_to_a_server_in_no_proxy() {
    let world = world_with_table();
    let server = Server::start(world.clone());
    let tls = start_tls(&server.url);
    let proxy = Proxy::start(tls);
    let origin = format!("https://localhost:{}", tls.port());
    runner(&server, &origin, &proxy)
        .with("no_proxy", "github.com, localhost")
        .comment_and_run(1, "alice", "b2")
        .succeeds();
    assert_eq!((world.answers(1).len(), proxy.request_heads()), (2, Vec::new()));
    // `no_proxy` names other hosts only.
    runner(&server, &origin, &proxy).with("no_proxy", "github.com").comment_and_run(1, "bob", "a1").succeeds();
    assert_eq!((world.answers(1).len(), proxy.request_heads().is_empty()), (3, false));
}

/// Runs the doctor with these variables, through a proxy or without one.
fn doctor(server: &Server, variables: &[(&str, &str)]) -> RunResult {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit"));
    command.args(["doctor", "--online", "octo/games"]).env_clear().envs(variables.iter().copied());
    command.env("GH_ENTERPRISE_TOKEN", TOKEN).env("GITHUB_SERVER_URL", &server.url).stdin(Stdio::null());
    RunResult::from_output(command.output().unwrap())
}

#[test]
fn names_the_proxy_or_the_certificate_that_fails() {
    let server = Server::start(world_with_table());
    let tls = start_tls(&server.url);
    let proxy = Proxy::start(tls);
    let (api, authority) = (format!("https://{HOST}"), authority().to_str().unwrap());
    let local = format!("https://localhost:{}", tls.port());
    let without_password = format!("http://{}", proxy.address);
    let socks = format!("socks5://{}", proxy.address);
    for (variables, sentence) in [
        (
            &[("GITHUB_API_URL", &*api), ("SSL_CERT_FILE", authority), ("https_proxy", &*without_password)][..],
            format!("The proxy {} didn't connect (proxy authorization required). Check", proxy.address),
        ),
        (
            &[("GITHUB_API_URL", &*api), ("all_proxy", &*socks)],
            format!("The proxy {} didn't connect (only http and https proxies work). Check", proxy.address),
        ),
        (
            &[("GITHUB_API_URL", &*local), ("SSL_CERT_FILE", "/no/such/file.pem")],
            "There are no readable certificates in /no/such/file.pem, the file that SSL_CERT_FILE names".to_owned(),
        ),
        (&[("GITHUB_API_URL", &*local)], "set SSL_CERT_FILE to a file with that authority's certificate".to_owned()),
    ] {
        let ran = doctor(&server, variables);
        assert!(ran.code == Some(1) && ran.err.contains(&sentence), "the output lacks {sentence}: {ran:?}");
    }
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn a_proxy_that_cannot_work_ends_the_run_at_once() {
    let server = Server::start(world_with_table());
    let proxy = Proxy::start(start_tls(&server.url));
    let closed = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let comment = server.world.comment(1, "alice", "b2");
    for url in [format!("socks5://{}", proxy.address), format!("http://{}", proxy.address), format!("http://{closed}")]
    {
        let ran =
            runner(&server, &format!("https://{HOST}"), &proxy).with("https_proxy", &url).run_for_comment(1, comment);
        let (_, address) = url.split_once("://").unwrap();
        let sentence = format!("::error title=Play by Commit::The proxy {address} didn't connect (");
        assert!(ran.code == Some(1) && ran.out.contains(&sentence), "{ran:?}");
    }
    // Only the second of them reaches the proxy, which asks for a password.
    assert_eq!(proxy.request_heads().len(), 1);
}
