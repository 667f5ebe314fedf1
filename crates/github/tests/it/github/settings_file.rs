//! The settings file in a read: from the default branch, or from the owner's repository `.github`.

use std::sync::Arc;

use github::{GitHub, Settings};
use protocol::{COMMENTS_PER_PAGE, FileContent, Forge, RequestError, SETTINGS_PATH, SettingsFile};
use serde_json::json;
use testkit::server::{Server, canned};
use testkit::world::{Request, World};

use super::{settings, with_github};

async fn read(github: &GitHub) -> Result<Option<SettingsFile>, RequestError> {
    github.read(&[], &[], COMMENTS_PER_PAGE).await.map(|snapshot| snapshot.settings)
}

fn served(world: World) -> Option<SettingsFile> {
    let server = Server::start(Arc::new(world));
    with_github(settings(&server), async |github| read(github).await.unwrap())
}

fn text(file: Option<&SettingsFile>) -> Option<&str> {
    file.and_then(|file| file.content.text())
}

#[test]
fn reads_the_file_of_the_default_branch() {
    let world = World::new();
    world.land(&[(SETTINGS_PATH, "games: chess\n")]);
    world.change(|state| state.shared_settings = Some("games: hex\n".to_owned()));
    world.change(|state| drop(state.land("play", &[(SETTINGS_PATH.to_owned(), "games: go\n".to_owned())], "No", "")));
    let server = Server::start(Arc::new(world));
    let on_branch = Settings { branch: Some("play".to_owned()), ..settings(&server) };
    for settings in [settings(&server), on_branch] {
        let file = with_github(settings, async |github| read(github).await.unwrap());
        assert_eq!(text(file.as_ref()), Some("games: chess\n"));
        assert!(file.is_some_and(|file| !file.is_shared));
    }
}

#[test]
fn reads_the_owners_file_if_there_is_no_other() {
    let world = World::new();
    world.change(|state| state.shared_settings = Some("games: hex\n".to_owned()));
    let file = served(world);
    assert_eq!(text(file.as_ref()), Some("games: hex\n"));
    assert!(file.is_some_and(|file| file.is_shared));
}

/// Most owners have no repository `.github`, which GitHub calls an error.
#[test]
fn a_missing_file_is_no_error() {
    assert_eq!(served(World::new()), None);
}

#[test]
fn says_why_a_file_is_unreadable() {
    let world = World::new();
    world.land(&[(SETTINGS_PATH, "games: chess\n")]);
    world.change(|state| state.unreadable.insert(SETTINGS_PATH.to_owned(), false));
    let content = served(world).map(|file| file.content);
    assert_eq!(content, Some(FileContent::Unreadable(format!("`{SETTINGS_PATH}` is not text"))));
}

/// If GitHub can't show the owner's file, the run must not play with the defaults.
#[test]
fn other_errors_of_the_owners_repository_fail_the_read() {
    let server = Server::start(Arc::new(World::new()));
    let errors = |kind: &str| {
        let body = json!({
            "data": { "viewer": { "login": "bot" }, "repository": { "defaultBranchRef": null }, "shared": null },
            "errors": [{ "type": kind, "path": ["shared"], "message": "Something went wrong." }],
        });
        canned(200, body.to_string())
    };
    for (kind, is_known) in [("NOT_FOUND", true), ("FORBIDDEN", true), ("SERVICE_UNAVAILABLE", false)] {
        server.glitch(Request::Read, errors(kind));
        let result = with_github(settings(&server), async |github| read(github).await);
        assert_eq!(result.is_ok(), is_known, "{kind}: {result:?}");
    }
}
