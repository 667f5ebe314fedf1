//! The addresses of GitHub's servers, and which token goes to which.

use github::Server;

#[test]
fn each_server_has_its_own_addresses_and_tokens() {
    let cloud = ["GH_TOKEN", "GITHUB_TOKEN"];
    let enterprise = ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"];
    for (url, api, graphql, tokens) in [
        ("https://github.com", "https://api.github.com", "https://api.github.com/graphql", cloud),
        ("https://octo.ghe.com", "https://api.octo.ghe.com", "https://api.octo.ghe.com/graphql", cloud),
        (
            "https://git.corp.example",
            "https://git.corp.example/api/v3",
            "https://git.corp.example/api/graphql",
            enterprise,
        ),
        (
            "https://github.com.evil.example",
            "https://github.com.evil.example/api/v3",
            "https://github.com.evil.example/api/graphql",
            enterprise,
        ),
        ("https://notghe.com", "https://notghe.com/api/v3", "https://notghe.com/api/graphql", enterprise),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v3", "http://127.0.0.1:8080/api/graphql", enterprise),
    ] {
        let server = Server { url: url.to_owned(), api_url: api.to_owned(), graphql_url: graphql.to_owned() };
        assert_eq!(Server::at(url), Ok(server.clone()), "{url}");
        assert_eq!(Server::with_api(&format!("{api}/")), Ok(server), "{api}");
        assert_eq!(Server::at(url).unwrap().token_variables(), tokens, "{url}");
    }
    for url in ["github.com", "ftp://github.com", "https://user@github.com", "https://github.com?x", ""] {
        assert!(Server::at(url).is_err() && Server::with_api(url).is_err(), "{url}");
    }
    // The address of the web pages doesn't decide which token the API gets.
    let mixed = Server { url: "https://github.com".to_owned(), ..Server::at("https://git.corp.example").unwrap() };
    assert_eq!((mixed.host(), mixed.token_variables()), ("git.corp.example", enterprise));
    // An API that isn't GitHub's own gets no token of github.com, whatever its name.
    assert_eq!(Server::with_api("https://api.corp.example").unwrap().token_variables(), enterprise);
}
