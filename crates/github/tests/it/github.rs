//! The GitHub forge over HTTP, against a fake GitHub in memory: reads, writes and errors.

mod answers;
mod app;
mod refusals;
mod replies;
mod settings_file;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use github::{GitHub, Settings};
use protocol::{
    Account, Assignee, COMMENTS_PER_PAGE, Change, CommitOutcome, Cursor, Forge, Head, HostError, LISTED_COMMENTS,
    Label, Presence, Reaction, RequestError, Update,
};
use table::{Author, CommentId, IssueNumber, Oid, Timestamp, UserId, VoteReaction};
use testkit::place;
use testkit::server::{Canned, NAME, OWNER, Server, TOKEN, canned, message};
use testkit::world::{Request, World, answer_alone, run};

/// The comment that the calls in this file are about.
const COMMENT: u64 = 5_000_000_001;

/// A repository with one issue and one comment.
fn world_with_comment() -> Arc<World> {
    let world = World::new();
    world.open_issue("alice", "/new tic-tac-toe");
    assert_eq!(world.comment(1, "bob", "/move b2"), COMMENT);
    Arc::new(world)
}

pub(crate) fn settings(server: &Server) -> Settings {
    Settings {
        token: TOKEN.to_owned(),
        api_url: server.api_url.clone(),
        graphql_url: server.graphql_url.clone(),
        owner: OWNER.to_owned(),
        name: NAME.to_owned(),
        branch: None,
        state_dir: "state".to_owned(),
        assign_turns: false,
        timeout: Duration::from_secs(20),
    }
}

/// Runs `f` with a forge that has these settings.
fn with_github<T>(settings: Settings, f: impl AsyncFnOnce(&GitHub) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { f(&GitHub::new(settings).unwrap()).await })
}

fn change(parent: Option<Oid>) -> Change {
    let author = Author { id: UserId::new(1002), login: "bob".to_owned(), is_bot: false };
    let files = vec![
        ("state/1.json".to_owned(), "{\n  \"schema\": 1\n}\n".to_owned()),
        ("state/1.svg".to_owned(), "<svg>ü</svg>".to_owned()),
    ];
    let body = "Co-authored-by: bob <1002+bob@users.noreply.github.com>".to_owned();
    let deleted = Vec::new();
    Change {
        parent,
        files,
        deleted,
        headline: "bob plays b2".to_owned(),
        body,
        author,
        time: Timestamp::from_millis(1),
    }
}

/// A page that exists, and one that doesn't.
fn pages() -> Vec<String> {
    vec!["README.md".to_owned(), "docs/none.md".to_owned()]
}

/// Makes one call of this kind about the table, and describes its result.
async fn call(github: &GitHub, kind: Request, head: Option<Oid>) -> String {
    let source = place(1, COMMENT);
    let result = match kind {
        Request::Read => {
            github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.map(|seen| format!("{seen:?}"))
        }
        Request::Files => github.read_files(&head.unwrap(), &pages()).await.map(|files| format!("{files:?}")),
        Request::Folder => github.list_files(&head.unwrap(), "state").await.map(|names| format!("{names:?}")),
        Request::Page => github
            .comments_before(IssueNumber::new(1), &Cursor(format!("before:{COMMENT}")), COMMENTS_PER_PAGE)
            .await
            .map(|page| format!("{page:?}")),
        Request::Account => github.account("bob").await.map(|account| format!("{account:?}")),
        Request::Permission => {
            let bob = Author { id: UserId::new(1002), login: "bob".to_owned(), is_bot: false };
            github.permission(&bob).await.map(|permission| format!("{permission:?}"))
        }
        Request::Exists => github.find(source).await.map(|presence| format!("{presence:?}")),
        Request::Votes => github.voters(source, &VoteReaction::ALL).await.map(|voters| format!("{voters:?}")),
        Request::Sweep => {
            github.issues_updated_since(Timestamp::from_millis(0), None, 100).await.map(|issues| format!("{issues:?}"))
        }
        Request::MakeBranch => github.create_branch(&head.unwrap()).await.map(|()| "done".to_owned()),
        Request::Commit => github.commit(&change(head)).await.map(|committed| format!("{committed:?}")),
        Request::Answer => {
            github.answer(&answer_alone(1, "Well played.")).await.map(|outcome| format!("{:?}", outcome.comment))
        }
        Request::React => github.react(source, Reaction::Eyes).await.map(|claim| format!("{claim:?}")),
        Request::Delete => github.delete(source).await.map(|()| "done".to_owned()),
        Request::Label => {
            github.update(&Update::Label(IssueNumber::new(1), Label::Game)).await.map(|()| "done".to_owned())
        }
        Request::Unlabel => {
            let label = Update::Unlabel(IssueNumber::new(1), Label::OpenSeat);
            github.update(&label).await.map(|()| "done".to_owned())
        }
        Request::Title => {
            let title = Update::Title(IssueNumber::new(1), "Chess".to_owned());
            github.update(&title).await.map(|()| "done".to_owned())
        }
        Request::Assign | Request::Unassign => {
            let person = Assignee { id: UserId::new(1), login: "alice".to_owned() };
            let update = if kind == Request::Assign { Update::Assign } else { Update::Unassign };
            github.update(&update(IssueNumber::new(1), person)).await.map(|()| "done".to_owned())
        }
        Request::Close => github.update(&Update::Close(IssueNumber::new(1))).await.map(|()| "done".to_owned()),
        Request::Reopen => github.update(&Update::Reopen(IssueNumber::new(1))).await.map(|()| "done".to_owned()),
        Request::Settings => github.get("").await.map(|reply| format!("{reply:?}")),
        Request::OpenIssue | Request::DeleteBranch | Request::Any => panic!("there is no such call"),
    };
    match result {
        Ok(text) => text,
        Err(RequestError::Lost(why)) => format!("lost: {why}"),
        Err(RequestError::TooLong(why)) => format!("too long: {why}"),
        Err(RequestError::RetryAfter(time, why)) => format!("later {}: {why}", time.as_secs()),
        Err(RequestError::Fatal(problem)) => {
            let HostError::Request { remedy, .. } = &problem else { panic!("{problem:?}") };
            let remedy = remedy.map_or(String::new(), |remedy| format!(" [{remedy:?}]"));
            format!("host: {problem}{remedy}")
        }
    }
}

const ALL: [Request; 13] = [
    Request::Folder,
    Request::Account,
    Request::Read,
    Request::Page,
    Request::Exists,
    Request::Sweep,
    Request::MakeBranch,
    Request::Commit,
    Request::Answer,
    Request::React,
    Request::Delete,
    Request::Label,
    Request::Close,
];

/// Checks the outcome of a call that gets this reply: it begins with `begins` and contains `holds`. The call sends one request.
#[track_caller]
fn check_outcome(kind: Request, reply: &Canned, begins: &str, holds: &str) {
    let server = Server::start(world_with_comment());
    // With a named branch no call has to read the default branch first.
    let settings =
        Settings { branch: Some("main".to_owned()), timeout: Duration::from_millis(500), ..settings(&server) };
    server.glitch(kind, reply.clone());
    let head = server.world.head();
    let outcome = with_github(settings, async |github| call(github, kind, head).await);
    let context = format!("{kind:?} after {:.300}", format!("{reply:?}"));
    assert!(outcome.starts_with(begins), "{context} begins otherwise: {outcome}");
    assert!(outcome.contains(holds), "{context} lacks {holds:?}: {outcome}");
    assert!(!outcome.contains(TOKEN) && !outcome.chars().any(char::is_control), "{context} is unsafe: {outcome}");
    assert!(outcome.chars().count() < 700, "{context} is too long: {outcome}");
    assert_eq!((server.pending(), server.seen().len()), (0, 1), "{context}");
}

#[test]
fn reads_threads_records_and_pages_like_the_fake() {
    let world = world_with_comment();
    world.as_maintainer("carol");
    for number in 0..250 {
        world.comment(1, ["alice", "bob", "carol", "ghost", "ci[bot]"][number % 5], &format!("comment {number}\r\n"));
    }
    world.edit(1, COMMENT + 249, "edited");
    world.edit(1, 0, "/new othello");
    world.delete_account("ghost");
    world.open_issue("bob", "another");
    world.lock(2);
    run(world.answer(&answer_alone(1, "An answer."))).unwrap().unwrap();
    run(world.update(&Update::Label(IssueNumber::new(1), Label::Game))).unwrap().unwrap();
    for (comment, reaction) in
        [(0, Reaction::Eyes), (COMMENT + 249, Reaction::Confused), (COMMENT + 248, Reaction::Eyes)]
    {
        run(world.react(place(1, comment), reaction)).unwrap().unwrap();
    }
    world.open_pull_request("bob", "no issue");
    world.land(&[("state/1.json", "{}\n"), ("state/2.json", "")]);
    let server = Server::start(world.clone());
    with_github(settings(&server), async |github| {
        for issues in [&[1, 2][..], &[1, 9], &[9, 2], &[3], &[2, 1], &[1], &[], &[u64::MAX, 1], &[1, 2, 9]] {
            let issues = &issues.iter().copied().map(IssueNumber::new).collect::<Vec<_>>()[..];
            for pages in [Vec::new(), pages()] {
                let seen = github.read(issues, &pages, COMMENTS_PER_PAGE).await.unwrap();
                assert_eq!(seen, world.read(issues, &pages, COMMENTS_PER_PAGE).await.unwrap(), "{issues:?}");
                let Head::Commit(head) = seen.head else { panic!("there is a branch") };
                assert_eq!(seen.files.len(), pages.len());
                assert_eq!(github.read_files(&head, &pages).await.unwrap(), seen.files);
                for dir in ["state", "nowhere"] {
                    assert_eq!(github.list_files(&head, dir).await, world.list_files(&head, dir).await);
                    assert_eq!(github.read_folder(&head, dir).await, world.read_folder(&head, dir).await);
                }
            }
        }
        let seen = github.read(&[IssueNumber::new(1), IssueNumber::new(2)], &[], COMMENTS_PER_PAGE).await.unwrap();
        assert_eq!(seen.threads.keys().map(|issue| issue.get()).collect::<Vec<_>>(), [1, 2]);
        let thread = &seen.threads[&IssueNumber::new(1)];
        assert!(thread.has_label && thread.body.claims.show && thread.comments[99].by_us);
        assert!(thread.comments[97].claims.refusal && !thread.comments[96].claims.refusal);
        assert_eq!(thread.comments.iter().filter(|comment| comment.author.is_none()).count(), 20);
        assert!(thread.comments.iter().all(|comment| comment.id > CommentId::new(1 << 32)));
        let (mut cursor, mut pages) = (thread.earlier_cursor.clone(), 0);
        while let Some(at) = cursor.take() {
            let page = github.comments_before(IssueNumber::new(1), &at, COMMENTS_PER_PAGE).await.unwrap();
            assert_eq!(page, world.comments_before(IssueNumber::new(1), &at, COMMENTS_PER_PAGE).await.unwrap());
            (cursor, pages) = (page.1, pages + 1);
        }
        assert_eq!(pages, 2);
        assert_eq!(
            github.comments_before(IssueNumber::new(9), &Cursor("before:1".to_owned()), COMMENTS_PER_PAGE).await,
            Ok((Vec::new(), None))
        );
    });
    assert_eq!(server.connections(), 1);
}

#[test]
fn reads_each_vote_like_the_fake() {
    let world = world_with_comment();
    let ballot = place(1, COMMENT);
    let vote = |reaction: VoteReaction, people: u64| {
        world.change(|state| {
            for person in 0..people {
                let by = state.person(&format!("voter{person}")).id;
                state.reactions.insert((ballot, by, reaction.name().to_owned()));
            }
        });
    };
    let server = Server::start(world.clone());
    with_github(settings(&server), async |github| {
        github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.unwrap();
        github.update(&Update::Vote(ballot, VoteReaction::ALL.to_vec())).await.unwrap();
        assert_eq!(world.reactions(1, COMMENT).len(), VoteReaction::ALL.len());
        // Each reaction has one of the bot's, too.
        for (people, requests) in [(0, 1), (99, 1), (100, 2), (230, 3), (599, 6)] {
            vote(VoteReaction::Rocket, people);
            vote(VoteReaction::ThumbsUp, people / 2);
            vote(VoteReaction::Heart, 1);
            let before = server.seen().len();
            let votes = github.voters(ballot, &VoteReaction::ALL).await.unwrap();
            assert_eq!(votes, world.voters(ballot, &VoteReaction::ALL).await.unwrap());
            assert_eq!(votes[&VoteReaction::Rocket].len() as u64, people);
            assert_eq!(server.seen().len() - before, requests, "{people} voters");
        }
        let some = [VoteReaction::Heart, VoteReaction::Eyes];
        assert_eq!(github.voters(ballot, &some).await, world.voters(ballot, &some).await);
        world.delete_comment(1, COMMENT);
        assert_eq!(github.voters(ballot, &some).await, Ok(BTreeMap::new()));
    });
}

#[test]
fn makes_every_write_once() {
    let world = world_with_comment();
    let server = Server::start(world.clone());
    let head = world.head();
    let mut outcomes = Vec::new();
    with_github(settings(&server), async |github| {
        for kind in [Request::Exists, Request::React, Request::React, Request::Answer, Request::Label, Request::Close] {
            outcomes.push(call(github, kind, None).await);
        }
        outcomes.push(call(github, Request::MakeBranch, head.clone()).await);
        let Ok(CommitOutcome::Landed(oid)) = github.commit(&change(head.clone())).await else { panic!() };
        assert_eq!(Some(oid), world.head());
        outcomes.push(call(github, Request::Commit, head).await);
        for kind in [Request::Delete, Request::Delete, Request::Exists, Request::React] {
            outcomes.push(call(github, kind, None).await);
        }
        let body = place(1, 0);
        outcomes.push(format!("{:?}", github.react(body, Reaction::Confused).await));
        outcomes.push(format!("{:?}", github.find(body).await));
    });
    assert_eq!(
        outcomes,
        [
            "Present",
            "Ours",
            "Taken",
            "Done",
            "done",
            "done",
            "done",
            "Stale",
            "done",
            "done",
            "Absent",
            "Gone",
            "Ok(Ours)",
            "Ok(Present)",
        ]
    );
    assert_eq!(world.answers(1), ["Well played."]);
    assert_eq!(world.reactions(1, 0), ["confused"]);
    assert_eq!(world.file("state/1.svg").as_deref(), Some("<svg>ü</svg>"));
    let message = "bob plays b2\n\nCo-authored-by: bob <1002+bob@users.noreply.github.com>";
    assert_eq!(world.message().as_deref(), Some(message));
    assert!(world.with_state(|state| state.issues[&1].closed && state.issues[&1].labels == ["play-by-commit"]));
}

#[test]
fn a_comment_exists_only_in_its_own_issue() {
    let world = world_with_comment();
    world.open_issue("alice", "");
    world.open_pull_request("alice", "");
    let server = Server::start(world);
    with_github(settings(&server), async |github| {
        let places =
            [(1, COMMENT, true), (2, COMMENT, false), (1, 7, false), (1, 0, true), (3, 0, false), (9, 0, false)];
        for (issue, comment, there) in places {
            assert_eq!(
                github.find(place(issue, comment)).await,
                Ok(if there { Presence::Present } else { Presence::Absent }),
                "{issue}#{comment}"
            );
        }
    });
    for (kind, status) in [(Request::Exists, 301), (Request::Exists, 410)] {
        check_outcome(kind, &canned(status, message("Moved")), "Absent", "");
    }
    let disabled = canned(410, message("Issues are disabled for this repo"));
    check_outcome(Request::Exists, &disabled, "host", "Issues are disabled");
}

#[test]
fn looks_up_accounts() {
    let server = Server::start(world_with_comment());
    with_github(settings(&server), async |github| {
        let accounts =
            [("bob", Account::Person), ("octo-org", Account::Organization), ("nobody-here", Account::Missing)];
        for (login, account) in accounts {
            assert_eq!(github.account(login).await, Ok(account), "{login}");
        }
    });
    check_outcome(Request::Account, &canned(403, message("Resource not accessible by integration")), "host: ", "");
}

#[test]
fn lists_updated_issues_over_several_pages() {
    let world = World::new();
    for number in 0..230 {
        world.open_issue("alice", "");
        if number % 10 == 0 {
            world.lock(number + 1);
        }
    }
    for number in 0..=LISTED_COMMENTS {
        world.comment(5, "bob", &format!("hello {number}"));
    }
    world.edit(7, 0, "/new tic-tac-toe");
    world.change(|state| state.label(7, "play-by-commit"));
    world.open_pull_request("alice", "");
    world.land(&[("state/9.json", "{}"), ("state/9.svg", ""), ("state/archive/9-1.json", "{}")]);
    let server = Server::start(Arc::new(world));
    let since = server.world.with_state(|state| state.issues[&100].updated);
    with_github(settings(&server), async |github| {
        for since in [0, since, since + 999, since + 1000] {
            let mut from = None;
            loop {
                let page =
                    github.issues_updated_since(Timestamp::from_millis(since), from.as_ref(), 100).await.unwrap();
                let expected =
                    server.world.issues_updated_since(Timestamp::from_millis(since), from.as_ref(), 100).await.unwrap();
                assert_eq!(page, expected, "{since} {from:?}");
                assert_eq!(page.records.is_empty(), from.is_some(), "the records come with the first page");
                from = page.next;
                if from.is_none() {
                    break;
                }
            }
        }
        let last = github.issues_updated_since(Timestamp::from_millis(since), None, 200).await.unwrap().issues;
        let [.., (five, fifth), (seven, seventh)] = last.as_slice() else { panic!("{last:?}") };
        assert_eq!((five.get(), fifth.comments.len()), (5, LISTED_COMMENTS));
        assert!(fifth.earlier_cursor.is_some() && !fifth.has_label);
        assert_eq!((seven.get(), seventh.body.text.as_str(), seventh.comments.len()), (7, "/new tic-tac-toe", 0));
        assert!(seventh.earlier_cursor.is_none() && seventh.has_label);
    });
}

#[test]
fn creates_a_missing_state_branch() {
    let server = Server::start(world_with_comment());
    let start = server.world.head().unwrap();
    server.world.use_branch("games/here");
    let own = Settings { branch: Some("games/here".to_owned()), ..settings(&server) };
    with_github(own, async |github| {
        let seen = github.read(&[IssueNumber::new(1)], &pages(), COMMENTS_PER_PAGE).await.unwrap();
        assert_eq!((&seen.head, seen.files.len()), (&Head::Missing { create_from: Some(start.clone()) }, 0));
        assert_eq!(github.commit(&change(Some(start.clone()))).await, Ok(CommitOutcome::Stale));
        for _ in 0..2 {
            assert_eq!(github.create_branch(&start).await, Ok(()));
        }
        assert!(matches!(github.commit(&change(Some(start.clone()))).await, Ok(CommitOutcome::Landed(_))));
        assert_eq!(
            github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await,
            server.world.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await
        );
        let nowhere = Oid::parse(&"1".repeat(40)).unwrap();
        assert!(matches!(github.create_branch(&nowhere).await, Ok(()) | Err(RequestError::Fatal(_))));
    });
    let empty = Server::start(world_with_comment());
    empty.world.change(|state| state.branches.clear());
    with_github(settings(&empty), async |github| {
        assert_eq!(
            github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.unwrap().head,
            Head::Missing { create_from: None }
        );
        for on in [None, Some(start.clone())] {
            let Err(RequestError::Fatal(why)) = github.commit(&change(on)).await else { panic!() };
            assert!(why.to_string().contains("first commit"), "{why}");
        }
    });
}

#[test]
fn deletes_files_only_if_they_are_there() {
    let world = world_with_comment();
    world.land(&[("state/running/1.json", "{}"), ("state/running/2.json", "{}")]);
    let server = Server::start(world.clone());
    let delete = |path: &str| Change { deleted: vec![path.to_owned()], ..change(world.head()) };
    with_github(settings(&server), async |github| {
        // GitHub says the same about a file that the last commit added, so the run reads again.
        assert_eq!(github.commit(&delete("state/running/9.json")).await, Ok(CommitOutcome::Stale));
        assert!(world.file("state/1.json").is_none(), "the whole commit is refused");
        assert!(matches!(github.commit(&delete("state/running/1.json")).await, Ok(CommitOutcome::Landed(_))));
    });
    assert_eq!((world.file("state/running/1.json"), world.file("state/running/2.json")), (None, Some("{}".to_owned())));
    assert!(world.file("state/1.json").is_some());
}

#[test]
fn uses_the_configured_addresses_and_user_agent() {
    for (server, rest, graphql) in [
        (Server::start(world_with_comment()), "/repos/octo/games/issues/1/comments", "/graphql"),
        (Server::start_enterprise(world_with_comment()), "/api/v3/repos/octo/games/issues/1/comments", "/api/graphql"),
    ] {
        let trailing = Settings { api_url: format!("{}/", server.api_url), ..settings(&server) };
        with_github(trailing, async |github| {
            assert!(github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.is_ok());
            assert_eq!(call(github, Request::Answer, None).await, "Done");
        });
        let seen = server.seen();
        assert_eq!(seen.iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), [graphql, rest]);
        assert_eq!(server.connections(), 1);
        for request in seen {
            let agents: Vec<_> = request.headers.get_all("user-agent").iter().collect();
            assert_eq!(agents, [concat!("play-by-commit/", env!("CARGO_PKG_VERSION"))]);
        }
    }
    // Two servers, two connections.
    let (rest, graphql) = (Server::start(world_with_comment()), Server::start(world_with_comment()));
    let apart = Settings { graphql_url: graphql.graphql_url.clone(), ..settings(&rest) };
    with_github(apart, async |github| {
        assert!(github.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.is_ok());
        assert_eq!(call(github, Request::Answer, None).await, "Done");
    });
    assert_eq!((rest.seen().len(), graphql.seen().len()), (1, 1));
}

#[test]
fn checks_settings_and_hides_the_token() {
    let server = Server::start(world_with_comment());
    let good = settings(&server);
    let shown = with_github(good.clone(), async |github| format!("{github:?} {good:?}"));
    assert!(!shown.contains(TOKEN) && shown.contains("octo/games"), "{shown}");
    let wrong = Settings { token: "ghs_another".to_owned(), ..good.clone() };
    let outcome = with_github(wrong, async |github| call(github, Request::Read, None).await);
    assert!(outcome.starts_with("host: ") && outcome.ends_with("[Token]"), "{outcome}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _inside = runtime.enter();
    for (bad, holds) in [
        (Settings { token: " \n".to_owned(), ..good.clone() }, "no usable token"),
        (Settings { token: "a\nb".to_owned(), ..good.clone() }, "no usable token"),
        (Settings { owner: String::new(), ..good.clone() }, "isn't the name of a repository"),
        (Settings { name: "..".to_owned(), ..good.clone() }, "isn't the name of a repository"),
        (Settings { name: "a/b".to_owned(), ..good.clone() }, "isn't the name of a repository"),
        (Settings { api_url: "api.github.com".to_owned(), ..good.clone() }, "isn't the address of an API"),
        (Settings { graphql_url: "file:///etc".to_owned(), ..good.clone() }, "isn't the address of an API"),
    ] {
        let Err(RequestError::Fatal(why)) = GitHub::new(bad) else { panic!("{holds}") };
        assert!(why.to_string().contains(holds), "{why}");
    }
    drop(_inside);
    let Err(RequestError::Fatal(why)) = GitHub::new(good) else { panic!() };
    assert!(why.to_string().contains("runtime"), "{why}");
}
