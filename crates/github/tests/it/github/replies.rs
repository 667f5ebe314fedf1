//! How the GitHub forge parses replies, and which replies count as lost.

use std::time::Duration;

use protocol::{COMMENTS_PER_PAGE, Environment, FileContent, Forge, RequestError, Snapshot};
use serde_json::{Value, json};
use table::{CommentId, IssueNumber, Permission, Timestamp};
use testkit::server::{Server, canned, message};
use testkit::world::Request;

use super::{settings, with_github, world_with_comment};

#[test]
fn reports_a_record_that_is_not_text() {
    let server = Server::start(world_with_comment());
    server.world.land(&[("state/1.json", "{ \"schema\": 1 }")]);
    for (is_truncated, holds) in [(true, "too large"), (false, "not text")] {
        server.world.change(|state| state.unreadable.insert("state/1.json".to_owned(), is_truncated));
        let seen = with_github(settings(&server), async |github| {
            github.read(&[], &["state/1.json".to_owned()], COMMENTS_PER_PAGE).await
        })
        .unwrap();
        let FileContent::Unreadable(why) = &seen.files["state/1.json"] else { panic!("{:?}", seen.files) };
        assert!(why.contains("`state/1.json`") && why.contains(holds), "{why}");
    }
    for object in [json!({ "__typename": "Tree" }), json!(null)] {
        let target = json!({ "oid": "a".repeat(40), "file0": { "object": object } });
        let thread = thread(&json!(null));
        let seen = read_canned(&json!({ "defaultBranchRef": { "name": "main", "target": target }, "issue0": thread }));
        let seen = seen.unwrap();
        let unreadable = FileContent::Unreadable("`state/1.json` is not a file".to_owned());
        assert_eq!(seen.files["state/1.json"], unreadable);
    }
}

/// A thread in a GraphQL reply, with a body by this author.
fn thread(author: &Value) -> Value {
    json!({
        "id": "I_1", "author": author, "authorAssociation": "OWNER", "viewerDidAuthor": true, "body": "/new", "locked": false,
        "createdAt": "2025-01-01T00:00:00Z", "lastEditedAt": null, "reactionGroups": null, "labels": null,
        "comments": { "pageInfo": { "hasPreviousPage": false, "startCursor": null }, "nodes": null },
    })
}

fn read_canned(repository: &Value) -> Result<Snapshot, RequestError> {
    let server = Server::start(world_with_comment());
    server.glitch(Request::Read, canned(200, json!({ "data": { "repository": repository } }).to_string()));
    let paths = ["state/1.json".to_owned()];
    with_github(settings(&server), async |github| github.read(&[IssueNumber::new(1)], &paths, COMMENTS_PER_PAGE).await)
}

#[test]
fn reads_every_kind_of_author() {
    for (author, expected) in [
        (json!({ "__typename": "User", "login": "a", "databaseId": 7 }), Some((7, false))),
        (json!({ "__typename": "Bot", "login": "a", "databaseId": 7 }), Some((7, true))),
        (json!({ "__typename": "Mannequin", "login": "a", "databaseId": 7 }), Some((7, true))),
        (json!({ "__typename": "Organization", "login": "a", "databaseId": 7 }), Some((7, true))),
        (json!({ "__typename": "EnterpriseUserAccount", "login": "a", "user": { "databaseId": 7 } }), Some((7, false))),
        (json!({ "__typename": "EnterpriseUserAccount", "login": "a", "user": null }), None),
        (json!({ "__typename": "User", "login": "a", "databaseId": null }), None),
        (json!(null), None),
    ] {
        let body = read_canned(&json!({ "defaultBranchRef": null, "issue0": thread(&author) }));
        let body = body.unwrap().threads.remove(&IssueNumber::new(1)).unwrap().body;
        let found = body.author.as_ref().map(|author| (author.id.get(), author.is_bot));
        assert_eq!(
            (found, body.permission, body.updated_at.as_millis()),
            (expected, Some(Permission::Write), 1_735_689_600_000),
            "{author}"
        );
    }
}

#[test]
fn an_association_tells_who_may_push_only_in_a_persons_public_repository() {
    use Permission::{Read, Write};
    let person = json!({ "__typename": "User", "login": "a", "databaseId": 7 });
    for (association, elsewhere, public_of_person) in [
        ("OWNER", Some(Write), Some(Write)),
        ("COLLABORATOR", None, Some(Write)),
        ("MEMBER", None, Some(Read)),
        ("CONTRIBUTOR", None, Some(Read)),
        ("NONE", None, Some(Read)),
    ] {
        for (kind, expected) in [
            (json!({ "isInOrganization": false, "isPrivate": false }), public_of_person),
            (json!({ "isInOrganization": false, "isPrivate": true }), elsewhere),
            (json!({ "isInOrganization": true, "isPrivate": false }), elsewhere),
            (json!({}), elsewhere),
        ] {
            let mut repository = kind.clone();
            repository["issue0"] = thread(&person);
            repository["issue0"]["authorAssociation"] = json!(association);
            let seen = read_canned(&repository).unwrap();
            assert_eq!(seen.threads[&IssueNumber::new(1)].body.permission, expected, "{association} {kind}");
        }
    }
}

#[test]
fn treats_an_invalid_reply_as_lost() {
    let mut comment = thread(&json!(null));
    comment["fullDatabaseId"] = json!(5_000_000_002_u64);
    let mut whole = thread(&json!(null));
    whole["comments"] =
        json!({ "pageInfo": { "hasPreviousPage": false, "startCursor": null }, "nodes": [comment, null] });
    let good = json!({ "defaultBranchRef": null, "issue0": whole });
    assert_eq!(read_canned(&good).unwrap().threads[&IssueNumber::new(1)].comments[0].id, CommentId::new(5_000_000_002));
    for (path, value) in [
        ("/issue0/comments/nodes/0/fullDatabaseId", json!(null)),
        ("/issue0/comments/nodes/0/fullDatabaseId", json!("x")),
        ("/issue0/comments/pageInfo/hasPreviousPage", json!(true)),
        ("/issue0/createdAt", json!("yesterday")),
        ("/issue0/body", json!(null)),
        ("/defaultBranchRef", json!({ "name": "main", "target": { "oid": "short" } })),
        ("/defaultBranchRef", json!({ "name": "main", "target": null })),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value.clone();
        assert!(matches!(read_canned(&bad), Err(RequestError::Lost(_))), "{path} {value}");
    }
}

/// GitHub may follow a transferred issue to its new repository.
#[test]
fn a_transferred_issue_is_gone() {
    for (there, is_shown) in [("R_1", true), ("R_2", false)] {
        let mut thread = thread(&json!(null));
        thread["repository"] = json!({ "id": there });
        let seen = read_canned(&json!({ "id": "R_1", "defaultBranchRef": null, "issue0": thread })).unwrap();
        assert_eq!(seen.threads.contains_key(&IssueNumber::new(1)), is_shown, "{there}");
    }
}

/// The time is that of GitHub's latest reply, and never goes back. A header that can't be right changes nothing.
#[test]
fn tells_the_servers_time() {
    let server = Server::start(world_with_comment());
    let at_start = Timestamp::from_millis(server.world.with_state(|state| state.now));
    let close = |now: Timestamp, to: Timestamp| now.since(to).max(to.since(now)) < Duration::from_secs(60);
    with_github(settings(&server), async |github| {
        let machine = github.machine_time();
        assert!(!close(machine, at_start) && close(github.now(), machine));
        for date in ["", "yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"] {
            server.glitch(Request::Account, canned(404, message("Not Found")).header("date", date));
            github.account("bob").await.unwrap();
            assert!(close(github.now(), machine), "{date:?}");
        }
        github.account("bob").await.unwrap();
        assert!(close(github.now(), at_start) && close(github.machine_time(), machine));
        server.world.change(|state| state.now += 3_600_000);
        github.account("bob").await.unwrap();
        let later = at_start + Duration::from_secs(3_600);
        assert!(close(github.now(), later));
        server.world.change(|state| state.now -= 3_600_000);
        github.account("bob").await.unwrap();
        assert!(close(github.now(), later));
    });
}
