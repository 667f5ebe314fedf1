//! The terminal as a thread: the ID and author of each comment.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use protocol::{
    Answer, COMMENTS_PER_PAGE, ClaimOutcome, CommitOutcome, Environment, Forge, Label, PostOutcome, Presence, Reaction,
    Thread, Update,
};
use table::{CommentId, CommentRef, IssueNumber, Permission, Timestamp};

use super::*;

/// A record with an event for each of these comments.
fn record(comments: &[u64]) -> String {
    let events: Vec<String> = comments.iter().map(|c| format!(r#"{{"source":{{"issue":3,"comment":{c}}}}}"#)).collect();
    format!(r#"{{"through":{},"history":[{}]}}"#, comments.last().unwrap(), events.join(","))
}

fn answer_alone(issue: u64, body: &str) -> Answer {
    Answer { source: CommentRef::body_of(IssueNumber::new(issue)), body: body.to_owned(), updates: Vec::new() }
}

fn source(comment: u64) -> CommentRef {
    CommentRef { issue: IssueNumber::new(3), comment: CommentId::new(comment) }
}

/// The thread as `ID LOGIN TEXT`, the body first. A missing author is `-`.
fn lines(thread: &Thread) -> Vec<String> {
    let login = |author: &Option<Author>| author.as_ref().map_or("-".to_owned(), |author| author.login.clone());
    let comments = [&thread.body].into_iter().chain(&thread.comments);
    comments.map(|c| format!("{} {} {}", c.id, login(&c.author), c.text)).collect()
}

#[test]
fn opens_a_table_commits_and_refuses() {
    let dir = TempDir::repo();
    let answers = Rc::new(RefCell::new(Vec::new()));
    let sink_answers = Rc::clone(&answers);
    let sink = Box::new(move |text: &str| sink_answers.borrow_mut().push(text.to_owned()));
    let forge =
        LocalForge::new(Repo::open(&dir).unwrap(), None, "state", IssueNumber::new(3), describe_event, sink).unwrap();
    forge.open_issue(author("ann"), true, "/new tic-tac-toe", Timestamp::from_millis(5));
    let opened = read_thread(&forge);
    assert_eq!(lines(&opened), ["0 ann /new tic-tac-toe"]);
    assert!(
        opened.body.permission == Some(Permission::Write)
            && !opened.body.by_us
            && !opened.has_label
            && !opened.is_locked
    );
    commit_on_head(&forge, &[(RECORD, &record(&[0]))]);
    assert_eq!(block_on(forge.answer(&answer_alone(3, "Your move, @ben."))).unwrap().comment, PostOutcome::Done);
    block_on(forge.update(&Update::Label(IssueNumber::new(3), Label::Game))).unwrap();
    let after = read_thread(&forge);
    assert_eq!(lines(&after), ["0 ann /new tic-tac-toe", "1 play-by-commit Your move, @ben."]);
    assert!(after.has_label && after.comments[0].by_us && after.comments[0].author.as_ref().unwrap().is_bot);

    forge.add_comment(author("ben"), false, "/mov", Timestamp::from_millis(6));
    assert_eq!(lines(&read_thread(&forge))[1..], ["2 play-by-commit answers 0", "3 ben /mov"]);
    assert_eq!(block_on(forge.react(source(3), Reaction::Confused)), Ok(ClaimOutcome::Ours));
    assert_eq!(block_on(forge.react(source(3), Reaction::Confused)), Ok(ClaimOutcome::Taken));
    assert_eq!(block_on(forge.react(source(4), Reaction::Confused)), Ok(ClaimOutcome::Gone));
    assert!(read_thread(&forge).comments[1].claims.refusal);
    block_on(forge.answer(&answer_alone(3, "Did you mean /move?"))).unwrap();
    assert_eq!(block_on(forge.find(source(4))), Ok(Presence::Present));
    block_on(forge.delete(source(4))).unwrap();
    assert_eq!(block_on(forge.find(source(4))), Ok(Presence::Absent));
    assert_eq!(*answers.borrow(), ["Your move, @ben.", "Did you mean /move?"]);
    let elsewhere = block_on(forge.answer(&answer_alone(4, "elsewhere"))).unwrap();
    assert!(matches!(elsewhere.comment, PostOutcome::Refused(_)));
    assert_eq!(answers.borrow().len(), 2);
}

#[test]
fn a_resumed_table_continues_the_ids_of_its_record() {
    let dir = TempDir::with(&[(RECORD, &record(&[0, 2, 9]))]);
    let forge = open_table(&dir);
    forge.add_comment(author("ann"), false, "b2", Timestamp::from_millis(5));
    assert_eq!(lines(&read_thread(&forge)), ["0 - ", "10 play-by-commit answers 9", "11 ann b2"]);
    let listed = block_on(forge.issues_updated_since(Timestamp::from_millis(0), None, 100)).unwrap().issues;
    assert_eq!(listed.iter().map(|(issue, _)| issue.get()).collect::<Vec<_>>(), [3]);
    assert!(block_on(forge.read(&[IssueNumber::new(4)], &[], COMMENTS_PER_PAGE)).unwrap().threads.is_empty());
}

#[test]
fn two_processes_at_one_table_never_share_an_id() {
    let dir = TempDir::with(&[(RECORD, &record(&[0]))]);
    let (one, two) = (open_table(&dir), open_table(&dir));
    one.add_comment(author("ann"), false, "a1", Timestamp::from_millis(5));
    two.add_comment(author("ben"), false, "b2", Timestamp::from_millis(6));
    let (first, second) = (read_snapshot(&one), read_snapshot(&two));
    assert_eq!(first, {
        let mut same = second.clone();
        same.threads = first.threads.clone();
        same
    });
    let id = |snapshot: &Snapshot| snapshot.threads[&IssueNumber::new(3)].comments.last().unwrap().id;
    assert_eq!((id(&first), id(&second)), (CommentId::new(2), CommentId::new(2)));
    let on = head(&two);
    let mut ours = change(on.clone(), &[(RECORD, &record(&[0, 2]))]);
    assert!(matches!(commit(&one, &ours), Ok(CommitOutcome::Landed(_))));
    ours.author = author("ben");
    assert_eq!(commit(&two, &ours), Ok(CommitOutcome::Stale));
    // The second process answers the rival's move, and gives its own comment another ID.
    assert_eq!(lines(&read_thread(&two)), ["0 - ", "3 play-by-commit answers 2", "4 ben b2"]);
    commit_on_head(&two, &[(RECORD, &record(&[0, 2, 4]))]);
    assert_eq!(lines(&read_thread(&two))[2..], ["4 ben b2"]);
    // The first process answers it, too.
    block_on(one.answer(&answer_alone(3, "played"))).unwrap();
    one.add_comment(author("ann"), false, "c3", Timestamp::from_millis(7));
    assert_eq!(lines(&read_thread(&one)), ["0 - ", "5 play-by-commit answers 4", "6 ann c3"]);
}

#[test]
fn uses_the_real_time() {
    let dir = TempDir::repo();
    let forge = open_table(&dir);
    let start = forge.now();
    block_on(forge.pause(std::time::Duration::from_millis(20)));
    assert!(start > Timestamp::from_millis(1_600_000_000_000) && forge.now().since(start) >= Duration::from_millis(20));
}
