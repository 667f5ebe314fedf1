//! Tests of the addresses of remotes.

use git::parse_remote;

#[test]
fn parses_the_address_of_a_remote() {
    for (address, expected) in [
        ("https://github.com/octo/games.git", Some(("github.com", "octo/games"))),
        ("https://user:secret@github.com/octo/games/", Some(("github.com", "octo/games"))),
        ("git@github.com:octo/games.git", Some(("github.com", "octo/games"))),
        ("git@github.com-work:octo/games", Some(("github.com", "octo/games"))),
        ("ssh://git@ssh.github.com:443/octo/games.git", Some(("github.com", "octo/games"))),
        ("ssh://git@ghe.example:7999/octo/my.games", Some(("ghe.example", "octo/my.games"))),
        ("../games", None),
        ("file:///srv/octo/games", None),
        ("https://github.com/octo", None),
        ("https://github.com/octo/games/x", None),
        ("https://github.com/octo/<b>", None),
        ("C:/games/x", None),
    ] {
        let found = parse_remote(address);
        let found = found.as_ref().map(|remote| (remote.host.as_str(), remote.repository.as_str()));
        assert_eq!(found, expected, "{address}");
    }
    for (address, server) in [
        ("https://ghe.example:8443/octo/games", "https://ghe.example:8443"),
        ("http://ghe.example/octo/games", "https://ghe.example"),
        ("http://127.0.0.1:8080/octo/games", "http://127.0.0.1:8080"),
        ("ssh://git@ghe.example:7999/octo/games", "https://ghe.example"),
        ("git@ghe.example:octo/games", "https://ghe.example"),
        ("https://user:123@ghe.example/octo/games", "https://ghe.example"),
    ] {
        assert_eq!(parse_remote(address).unwrap().server, server, "{address}");
    }
}
