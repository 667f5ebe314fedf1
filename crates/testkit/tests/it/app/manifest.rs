//! Creating an App from a manifest.

use serde_json::json;
use testkit::app::{AccountKind, AppServer};

use super::client::{Receiver, send};

/// Returns a text as a form holds it.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn creates_the_app_of_a_manifest_once() {
    let receiver = Receiver::start(202);
    let app = AppServer::start();
    app.install("octo", AccountKind::Organization, &["games"]);
    let manifest = json!({
        "name": "Games of Octo",
        "url": "https://games.example.org",
        "hook_attributes": { "url": receiver.url },
        "redirect_url": "http://127.0.0.1:3000/created",
        "public": false,
        "default_permissions": { "contents": "write", "issues": "write", "metadata": "read" },
        "default_events": ["issue_comment", "issues", "repository"],
    });
    let form = format!("manifest={}", encoded(&manifest.to_string()));
    let reply = send("POST", &app.url, "/organizations/octo/settings/apps/new?state=abc123", "", &form);
    assert_eq!(reply.status, 302);
    let place = reply.header("location").unwrap();
    let (code, state) = place.strip_prefix("http://127.0.0.1:3000/created?code=").unwrap().split_once('&').unwrap();
    assert_eq!(state, "state=abc123");
    let path = format!("/app-manifests/{code}/conversions");
    let created = send("POST", &app.url, &path, "", "");
    assert_eq!((created.status, &created.json()["slug"]), (201, &json!("games-of-octo")));
    assert_eq!(created.json()["webhook_secret"], app.webhook_secret());
    assert_eq!(created.json()["owner"]["login"], "octo");
    assert!(created.json()["pem"].as_str().unwrap().starts_with("-----BEGIN RSA PRIVATE KEY-----"));
    assert_eq!(send("POST", &app.url, &path, "", "").status, 404);
    assert_eq!(receiver.wait(1)[0].header("x-github-event"), "ping");
    app.world(app.repository("octo/games")).with_state(|state| assert_eq!(state.bot, "games-of-octo"));
}

#[test]
fn refuses_a_manifest_with_the_events_of_every_app() {
    let app = AppServer::start();
    let manifest =
        json!({ "url": "https://a.example", "redirect_url": "https://a.example", "default_events": ["installation"] });
    let form = format!("manifest={}", encoded(&manifest.to_string()));
    let reply = send("POST", &app.url, "/settings/apps/new", "", &form);
    assert_eq!((reply.status, reply.text.contains("Default events unsupported: installation")), (422, true));
}
