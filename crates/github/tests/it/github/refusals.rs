//! How the GitHub forge interprets errors, with one line of data per case.

use std::time::Duration;

use github::{MAX_REPLY_BYTES, Settings};
use serde_json::json;
use testkit::server::{Canned, Delivery, Server, TOKEN, canned, graphql_error, message, proper};
use testkit::world::{Request, RequestFault, World};

use super::{ALL, call, check_outcome, settings, with_github, world_with_comment};

#[test]
fn sends_a_request_once_whatever_the_reply() {
    for kind in ALL {
        check_outcome(kind, &canned(502, "<html>"), "lost: ", "502");
        check_outcome(kind, &canned(401, message("Bad credentials")), "host: ", "[Token]");
        let limited = message("You have exceeded a secondary rate limit.");
        check_outcome(kind, &canned(403, limited.clone()).header("retry-after", 7), "later 7: ", "secondary");
        check_outcome(kind, &canned(429, limited), "later 60: ", "secondary");
        let missing = message("Resource not accessible by integration");
        check_outcome(kind, &canned(403, missing), "host: ", "[Permissions]");
        check_outcome(kind, &canned(418, message("\u{1b}[31m\n::error::no")), "host: ", "[31m ::error::no");
        check_outcome(kind, &proper().delivery(Delivery::Breaks), "lost: ", "");
    }
    for applied in [false, true] {
        let server = Server::start(world_with_comment());
        let lost = canned(502, "<html>");
        server.glitch(Request::Answer, if applied { lost.applied() } else { lost });
        let outcome = with_github(settings(&server), async |github| call(github, Request::Answer, None).await);
        assert!(outcome.starts_with("lost: "), "{outcome}");
        assert_eq!((server.world.answers(1).len(), server.seen().len()), (usize::from(applied), 1));
    }
}

/// The status decides. octocrab's models of a comment, an issue or a reaction couldn't parse any of these bodies.
#[test]
fn accepts_a_write_by_its_status_alone() {
    for body in ["{}", "{\"id\":5000000002,\"user\":null}", "half of {\"", ""] {
        check_outcome(Request::Answer, &canned(201, body), "Done", "");
        check_outcome(Request::React, &canned(201, body), "Ours", "");
        check_outcome(Request::React, &canned(200, body), "Taken", "");
        check_outcome(Request::Label, &canned(200, body), "done", "");
        check_outcome(Request::Close, &canned(200, body), "done", "");
        check_outcome(Request::MakeBranch, &canned(201, body), "done", "");
        // A proxy answered instead of GitHub.
        check_outcome(Request::Answer, &canned(200, body), "host: ", "200 OK");
    }
}

#[test]
fn treats_an_incomplete_reply_as_lost() {
    for kind in [Request::Read, Request::Commit, Request::Answer, Request::React] {
        check_outcome(kind, &proper().delivery(Delivery::Cut), "lost: ", "");
        check_outcome(kind, &proper().delivery(Delivery::Stalls), "lost: ", "0.5 seconds");
    }
    check_outcome(Request::Read, &canned(200, "not JSON"), "lost: ", "can't be read");
    check_outcome(Request::Read, &canned(200, ""), "lost: ", "can't be read");
    check_outcome(Request::Read, &canned(200, "{}"), "lost: ", "empty");
    check_outcome(
        Request::Commit,
        &canned(200, "{\"data\":{\"createCommitOnBranch\":null}}"),
        "lost: ",
        "without an id",
    );
    // One byte above the limit, with enough time to transfer it.
    let server = Server::start(world_with_comment());
    server.glitch(Request::Read, canned(200, " ".repeat(MAX_REPLY_BYTES + 1)));
    let outcome = with_github(settings(&server), async |github| call(github, Request::Read, None).await);
    assert!(outcome.starts_with("too long: ") && outcome.contains("longer than"), "{outcome}");
    // A run that the fake GitHub kills gets no reply either.
    let server = Server::start(world_with_comment());
    server.world.fail(Request::Answer, RequestFault::Killed { applied: true });
    let hasty = Settings { timeout: Duration::from_millis(300), ..settings(&server) };
    let outcome = with_github(hasty, async |github| call(github, Request::Answer, None).await);
    assert!(outcome.starts_with("lost: "), "{outcome}");
    assert_eq!(server.world.answers(1), ["Well played."]);
}

#[test]
fn reads_a_permission() {
    let permission = |user: serde_json::Value| {
        canned(200, json!({ "permission": "read", "role_name": "triage", "user": user }).to_string())
    };
    let with = |id: u64, permissions: serde_json::Value| permission(json!({ "id": id, "permissions": permissions }));
    let check = |reply: &Canned, outcome: &str| check_outcome(Request::Permission, reply, outcome, "");
    check(&with(1002, json!({ "pull": true, "triage": true, "push": true, "admin": false })), "Some(Write)");
    check(&with(1002, json!({ "pull": true, "triage": true, "push": false })), "Some(Triage)");
    check(&with(1002, json!({ "pull": true })), "Some(Read)");
    // The username belongs to somebody else by now.
    check(&with(7, json!({ "triage": true, "push": true })), "Some(Read)");
    check(&permission(json!(null)), "Some(Read)");
    check(&canned(404, message("Not Found")), "Some(Read)");
    check(&canned(403, message("Resource not accessible by integration")), "None");
    check(&canned(403, message("x")).header("retry-after", 7), "later 7: ");
    check(&canned(200, "half of {"), "lost: ");
}

#[test]
fn interprets_rest_errors() {
    let now = World::new().with_state(|state| state.now) / 1_000;
    let answer = Request::Answer;
    let locked = message("Unable to create comment because issue is locked.");
    let full = message("Commenting is disabled on issues with more than 2500 comments");
    let long = json!({ "message": "Validation Failed", "errors": [{ "message": "body is too long" }, "and more"] });
    let used_up = |text: &str| canned(403, message(text)).header("x-ratelimit-remaining", 0);
    check_outcome(answer, &canned(403, locked.clone()), "Refused", "locked");
    check_outcome(answer, &used_up("Issue is locked"), "Refused", "locked");
    check_outcome(answer, &canned(403, full.clone()), "Refused", "2500");
    let limited = message("Interactions on this repository have been restricted to collaborators only.");
    check_outcome(answer, &canned(403, limited.clone()), "Refused", "restricted");
    check_outcome(Request::React, &canned(403, limited), "Refused", "restricted");
    check_outcome(answer, &canned(422, full), "Refused", "2500");
    check_outcome(answer, &canned(422, long.to_string()), "Refused", "Validation Failed body is too long and more");
    check_outcome(answer, &canned(422, message("was submitted too quickly")), "later 60: ", "too quickly");
    check_outcome(answer, &canned(404, message("Not Found")), "Refused", "Not Found");
    check_outcome(answer, &canned(410, message("This issue was deleted")), "Refused", "deleted");
    check_outcome(answer, &canned(403, message("Repository was archived so is read-only.")), "host: ", "archived");
    check_outcome(answer, &canned(403, "x"), "host: ", "no reason given");
    check_outcome(answer, &canned(307, "").header("location", "https://example.com/"), "host: ", "moved");
    check_outcome(
        answer,
        &canned(403, message("You have triggered an abuse detection mechanism")),
        "later 60: ",
        "abuse",
    );
    check_outcome(answer, &canned(429, "x").header("retry-after", "soon"), "later 60: ", "");
    check_outcome(
        answer,
        &used_up("API rate limit exceeded").header("x-ratelimit-reset", now + 3499),
        "later 34",
        "exceeded",
    );
    check_outcome(
        answer,
        &used_up("API rate limit exceeded").header("x-ratelimit-reset", now - 9),
        "later 1: ",
        "exceeded",
    );
    check_outcome(answer, &used_up("No more"), "later 60: ", "No more");
    check_outcome(answer, &canned(403, message(&format!("{TOKEN} {}", "é".repeat(4000)))), "host: ", "*** éé");
    check_outcome(Request::React, &canned(403, locked), "Refused", "locked");
    check_outcome(Request::React, &canned(410, message("Gone")), "Gone", "");
    check_outcome(Request::React, &canned(422, message("Validation Failed")), "Refused", "Validation");
    check_outcome(Request::Delete, &canned(403, message("Must have admin rights")), "host: ", "admin rights");
    check_outcome(Request::Label, &canned(410, message("Gone")), "done", "");
    check_outcome(Request::Close, &canned(404, message("Not Found")), "done", "");
    check_outcome(Request::Close, &canned(422, message("Validation Failed")), "host: ", "Validation");
    check_outcome(Request::MakeBranch, &canned(422, message("Reference already exists")), "done", "");
    check_outcome(
        Request::MakeBranch,
        &canned(422, message("Object does not exist")),
        "host: ",
        "Object does not exist",
    );
    let rules = message("Repository rule violations found\n\nCannot create ref due to creations being restricted.");
    check_outcome(Request::MakeBranch, &canned(422, rules), "host: ", "[OwnBranch]");
}

#[test]
fn interprets_graphql_errors() {
    let stale = "Expected branch to point to \"aaaa\" but it did not.  Pull and try again.";
    let crossed = "Ref refs/heads/main is at aaaa but expected bbbb";
    let protected = "Changes must be made through a pull request.";
    let integration = "Resource not accessible by integration";
    let too_early = "A path was requested for deletion which does not exist as of commit oid `aaaa`";
    let nowhere = "Could not resolve to a Repository with the name 'octo/games'.";
    for (kind, text, begins, holds) in [
        ("STALE_DATA", stale, "Stale", ""),
        ("UNPROCESSABLE", stale, "Stale", ""),
        ("UNPROCESSABLE", crossed, "Stale", ""),
        ("STALE_DATA", "Something new", "Stale", ""),
        ("NOT_FOUND", "The branch does not exist.", "Stale", ""),
        ("NOT_FOUND", nowhere, "host: ", "[PermissionsOrToken]"),
        ("FORBIDDEN", integration, "host: ", "[Permissions]"),
        ("FORBIDDEN", protected, "host: ", "the branch `main`"),
        ("BRANCH_PROTECTION_RULE_VIOLATION", protected, "host: ", "[OwnBranch]"),
        ("UNPROCESSABLE", "Repository rule violations found\n\nNo.", "host: ", "[OwnBranch]"),
        ("UNPROCESSABLE", "A path was requested twice", "host: ", "requested twice"),
        ("RATE_LIMIT", "API rate limit exceeded", "later 60: ", "exceeded"),
        ("RATE_LIMITED", "No more", "later 60: ", "No more"),
        ("UNPROCESSABLE", "was submitted too quickly", "later 60: ", "too quickly"),
        ("INTERNAL", "Oops", "lost: ", "Oops"),
        // A file that the last commit added isn't known everywhere yet.
        ("UNPROCESSABLE", too_early, "Stale", ""),
    ] {
        check_outcome(Request::Commit, &canned(200, graphql_error(kind, text)), begins, holds);
    }
    for (kind, text, begins, holds) in [
        ("NOT_FOUND", nowhere, "host: ", "[PermissionsOrToken]"),
        ("FORBIDDEN", integration, "host: ", "[Permissions]"),
        ("INSUFFICIENT_SCOPES", "Your token has not been granted", "host: ", "has not been granted"),
        ("RATE_LIMITED", "API rate limit exceeded", "later 60: ", "exceeded"),
        ("SERVICE_UNAVAILABLE", "Oops", "lost: ", "Oops"),
        ("RESOURCE_LIMITS_EXCEEDED", "Resource limits for this query exceeded.", "too long: ", "only a part"),
        ("STRANGE", "Oops\u{7}", "host: ", "(STRANGE): Oops"),
    ] {
        for request in [Request::Read, Request::Page, Request::Sweep] {
            check_outcome(request, &canned(200, graphql_error(kind, text)), begins, holds);
        }
    }
    let now = World::new().with_state(|state| state.now) / 1_000;
    let limited = canned(200, graphql_error("RATE_LIMITED", "No more")).header("x-ratelimit-remaining", 0);
    check_outcome(Request::Read, &limited.header("x-ratelimit-reset", now + 3499), "later 34", "No more");
    let breakdown =
        json!({ "data": null, "errors": [{ "message": "Something went wrong while executing your query." }] });
    check_outcome(Request::Read, &canned(200, breakdown.to_string()), "lost: ", "Something went wrong");
    let undefined =
        json!({ "errors": [{ "message": "Field 'x' doesn't exist", "extensions": { "code": "undefinedField" } }] });
    check_outcome(Request::Read, &canned(200, undefined.to_string()), "host: ", "doesn't exist");
    // Half a record can't be used: an unreadable file must not look like a missing one.
    let half = json!({
        "data": { "repository": { "defaultBranchRef": { "name": "main", "target": { "oid": "a".repeat(40) } } } },
        "errors": [{ "message": "Timeout", "path": ["repository", "defaultBranchRef", "target", "file0"] }],
    });
    check_outcome(Request::Read, &canned(200, half.to_string()), "lost: ", "Timeout");
    // A query that costs too much: most of the data is missing.
    for request in [Request::Read, Request::Page, Request::Sweep] {
        let server = Server::start(world_with_comment());
        server.world.comment(1, "alice", "More.");
        let whole = with_github(settings(&server), async |github| call(github, request, None).await);
        assert!(!whole.starts_with("too long"), "{whole}");
        let data = json!({ "repository": { "issues": { "pageInfo": { "hasNextPage": false }, "nodes": [] } } });
        let error = json!({ "type": "RESOURCE_LIMITS_EXCEEDED", "path": ["repository"], "message": "Too much." });
        let partial = json!({ "data": data, "errors": [error] });
        check_outcome(request, &canned(200, partial.to_string()), "too long: ", "Too much.");
    }
}

#[test]
fn reports_a_repository_that_does_not_exist() {
    let server = Server::start(world_with_comment());
    let elsewhere = Settings { name: "elsewhere".to_owned(), ..settings(&server) };
    let (read, commit) = with_github(elsewhere, async |github| {
        (call(github, Request::Read, None).await, call(github, Request::Commit, server.world.head()).await)
    });
    assert!(read.starts_with("host: ") && read.contains("This token can't see the repository"), "{read}");
    assert_eq!(read, commit);
}

#[test]
fn treats_a_refused_connection_as_lost() {
    let server = Server::start(world_with_comment());
    // Nothing listens on port 1, and no other test is given it.
    for place in ["http://127.0.0.1:1".to_owned(), server.url.replace("http:", "https:")] {
        let lost = Settings { api_url: place.clone(), graphql_url: format!("{place}/graphql"), ..settings(&server) };
        for kind in [Request::Read, Request::Answer] {
            let outcome = with_github(lost.clone(), async |github| call(github, kind, None).await);
            assert!(outcome.starts_with("lost: The connection to 127.0.0.1:"), "{place}: {outcome}");
        }
    }
    assert_eq!(server.seen().len(), 0);
}
