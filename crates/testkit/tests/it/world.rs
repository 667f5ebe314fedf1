//! Tests that [`World`] fulfills the contract of a forge.

use std::time::Duration;

use protocol::{
    COMMENTS_PER_PAGE, Change, ClaimOutcome, CommitOutcome, Environment, FileContent, Forge, Head, PostOutcome,
    Presence, Reaction, RequestError, Update,
};
use table::{Author, CommentId, IssueNumber, Oid, Timestamp, UserId};
use testkit::place;
use testkit::world::{Request, RequestFault, World, answer_alone, run};

fn change(on: Option<Oid>) -> Change {
    let author = Author { id: UserId::new(1001), login: "alice".to_owned(), is_bot: false };
    let files = vec![("state/1.json".to_owned(), "{}\n".to_owned())];
    Change {
        parent: on,
        files,
        deleted: Vec::new(),
        headline: "alice plays b2".to_owned(),
        body: String::new(),
        author,
        time: Timestamp::from_millis(1),
    }
}

#[test]
fn serves_reads_commits_answers_and_reactions() {
    let world = World::new();
    let issue = world.open_issue("alice", "/new");
    let comment = world.comment(issue, "bob", "/move b2");
    assert_eq!((issue, comment, world.id_of("bob")), (1, 5_000_000_001, 1002));
    let source = place(issue, comment);
    run(async {
        let seen = world.read(&[IssueNumber::new(issue), IssueNumber::new(7)], &[], COMMENTS_PER_PAGE).await.unwrap();
        assert_eq!(seen.head, Head::Commit(world.head().unwrap()));
        assert_eq!(seen.threads.keys().copied().collect::<Vec<_>>(), [IssueNumber::new(issue)]);
        let Ok(CommitOutcome::Landed(oid)) = world.commit(&change(world.head())).await else { panic!() };
        assert_eq!(world.commit(&change(Some(Oid::parse(&"0".repeat(40)).unwrap()))).await, Ok(CommitOutcome::Stale));
        assert_eq!(
            world.answer(&answer_alone(issue, "Well played.")).await.map(|outcome| outcome.comment),
            Ok(PostOutcome::Done)
        );
        assert_eq!(world.react(source, Reaction::Eyes).await, Ok(ClaimOutcome::Ours));
        assert_eq!(world.react(source, Reaction::Eyes).await, Ok(ClaimOutcome::Taken));
        let paths = ["state/1.json".to_owned(), "none".to_owned()];
        let seen = world.read(&[IssueNumber::new(issue)], &paths, COMMENTS_PER_PAGE).await.unwrap();
        assert_eq!(seen.head, Head::Commit(oid.clone()));
        assert_eq!(seen.files["state/1.json"], FileContent::Text("{}\n".to_owned()));
        assert_eq!(seen.files["none"], FileContent::Missing);
        let thread = &seen.threads[&IssueNumber::new(issue)];
        let flags: Vec<_> = thread.comments.iter().map(|c| (c.by_us, c.claims.refusal || c.claims.show)).collect();
        assert_eq!(flags, [(false, true), (true, false)]);
    })
    .unwrap();
    assert_eq!((world.count(Request::Read), world.count(Request::Any)), (2, 7));
    assert_eq!(
        (world.answers(issue), world.reactions(issue, comment)),
        (vec!["Well played.".into()], vec!["eyes".into()])
    );
}

#[test]
fn reads_a_long_thread_in_pages() {
    let world = World::new();
    let issue = world.open_issue("alice", "");
    let ids: Vec<u64> = (0..250).map(|n| world.comment(issue, "bob", &n.to_string())).collect();
    run(async {
        let thread = world
            .read(&[IssueNumber::new(issue)], &[], COMMENTS_PER_PAGE)
            .await
            .unwrap()
            .threads
            .remove(&IssueNumber::new(issue))
            .unwrap();
        let (mut all, mut earlier) = (thread.comments, thread.earlier_cursor);
        while let Some(cursor) = earlier.take() {
            let (mut page, next) =
                world.comments_before(IssueNumber::new(issue), &cursor, COMMENTS_PER_PAGE).await.unwrap();
            page.append(&mut all);
            (all, earlier) = (page, next);
        }
        assert_eq!(all.iter().map(|c| c.id.get()).collect::<Vec<_>>(), ids);
    })
    .unwrap();
    assert_eq!(world.count(Request::Page), 2);
}

#[test]
fn injects_scripted_faults() {
    let world = World::new();
    let issue = world.open_issue("alice", "");
    let comment = world.comment(issue, "bob", "hello");
    run(async {
        world.after(Request::Read, |w| drop(w.race()));
        let Head::Commit(seen) = world.read(&[IssueNumber::new(issue)], &[], COMMENTS_PER_PAGE).await.unwrap().head
        else {
            panic!()
        };
        assert_ne!(world.head(), Some(seen.clone()));
        assert_eq!(world.commit(&change(Some(seen.clone()))).await, Ok(CommitOutcome::Stale));

        world.fail_nth(Request::Answer, 2, RequestFault::Lost { applied: true });
        assert_eq!(
            world.answer(&answer_alone(issue, "one")).await.map(|outcome| outcome.comment),
            Ok(PostOutcome::Done)
        );
        assert!(matches!(world.answer(&answer_alone(issue, "two")).await, Err(RequestError::Lost(_))));
        assert_eq!(world.answers(issue), ["one", "two"]);
        world.fail(Request::Answer, RequestFault::RetryAfter(Duration::from_secs(60)));
        assert!(matches!(world.answer(&answer_alone(issue, "three")).await, Err(RequestError::RetryAfter(..))));

        world.fail(Request::Read, RequestFault::LacksComments(2));
        assert_eq!(
            world.read(&[IssueNumber::new(issue)], &[], COMMENTS_PER_PAGE).await.unwrap().threads
                [&IssueNumber::new(issue)]
                .comments
                .len(),
            1
        );
        world.fail(Request::Read, RequestFault::OldHead(1));
        assert_eq!(
            world.read(&[IssueNumber::new(issue)], &[], COMMENTS_PER_PAGE).await.unwrap().head,
            Head::Commit(seen)
        );
        let earlier = world.save();
        world.delete_comment(issue, comment);
        world.fail(Request::Any, earlier);
        assert_eq!(
            world.read(&[IssueNumber::new(issue)], &[], COMMENTS_PER_PAGE).await.unwrap().threads
                [&IssueNumber::new(issue)]
                .comments[0]
                .id,
            CommentId::new(comment)
        );
        assert_eq!(world.find(place(issue, comment)).await, Ok(Presence::Absent));
    })
    .unwrap();
    assert_eq!(world.pending(), 0);
    world.fail(Request::Close, RequestFault::Killed { applied: true });
    assert_eq!(run(world.update(&Update::Close(IssueNumber::new(issue)))), None);
    assert!(world.with_state(|state| state.issues[&issue].closed));
}

#[test]
fn creates_a_missing_state_branch() {
    let world = World::new();
    let start = world.head().unwrap();
    world.use_branch("games");
    run(async {
        assert_eq!(
            world.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.unwrap().head,
            Head::Missing { create_from: Some(start.clone()) }
        );
        for _ in 0..2 {
            assert_eq!(world.create_branch(&start).await, Ok(()));
        }
        assert_eq!(
            world.read(&[IssueNumber::new(1)], &[], COMMENTS_PER_PAGE).await.unwrap().head,
            Head::Commit(start.clone())
        );
    })
    .unwrap();
}

#[test]
fn lists_recently_updated_issues() {
    let world = World::new();
    let [first, second, third, fourth] = ["a", "b", "c", "d"].map(|login| world.open_issue(login, ""));
    world.open_pull_request("e", "");
    world.lock(third);
    let since = world.now();
    world.comment(fourth, "alice", "hello");
    world.comment(third, "alice", "hello");
    world.edit(first, 0, "hello");
    let numbers = |since| {
        let list = run(world.issues_updated_since(since, None, 100)).unwrap().unwrap();
        list.issues.iter().map(|(issue, _)| *issue).collect::<Vec<_>>()
    };
    assert_eq!(numbers(since), [fourth, first].map(IssueNumber::new));
    assert_eq!(numbers(Timestamp::from_millis(0)), [second, fourth, first].map(IssueNumber::new));
}
