//! The terminal as a thread: whose comment has which id.

use std::cell::RefCell;
use std::rc::Rc;

use protocol::forge::{COMMENTS_PER_PAGE, Claim, CommitOutcome, Environment, Forge, PostOutcome, Reaction};
use table::talk::comment::Source;
use table::talk::thread::Thread;

use super::*;

/// A record whose last event has this source.
fn record(comments: &[u64]) -> String {
    let events: Vec<String> = comments.iter().map(|c| format!(r#"{{"source":{{"issue":3,"comment":{c}}}}}"#)).collect();
    format!(r#"{{"through":{},"history":[{}]}}"#, comments.last().unwrap(), events.join(","))
}

fn at(comment: u64) -> Source {
    Source { issue: 3, comment }
}

/// The thread as `ID LOGIN TEXT`, the body first; nobody is `-`.
fn lines(thread: &Thread) -> Vec<String> {
    let login = |author: &Option<Author>| author.as_ref().map_or("-".to_owned(), |author| author.login.clone());
    let comments = [&thread.body].into_iter().chain(&thread.comments);
    comments.map(|c| format!("{} {} {}", c.id, login(&c.author), c.text)).collect()
}

#[test]
fn a_new_table_a_move_and_a_refusal() {
    let dir = Dir::repo();
    let said = Rc::new(RefCell::new(Vec::new()));
    let heard = Rc::clone(&said);
    let sink = Box::new(move |text: &str| heard.borrow_mut().push(text.to_owned()));
    let local = LocalForge::new(Repo::open(&dir).unwrap(), None, "state", 3, answered, sink).unwrap();
    local.open_issue(player("ann"), true, "/new tic-tac-toe", 5);
    let opened = thread(&local);
    assert_eq!(lines(&opened), ["0 ann /new tic-tac-toe"]);
    assert!(opened.body.by_maintainer && !opened.body.by_us && !opened.has_label && !opened.is_locked);
    land(&local, &[(RECORD, &record(&[0]))]);
    assert_eq!(block_on(local.answer(3, "Your move, @ben.")), Ok(PostOutcome::Done));
    block_on(local.label(3)).unwrap();
    let after = thread(&local);
    assert_eq!(lines(&after), ["0 ann /new tic-tac-toe", "1 play-by-commit Your move, @ben."]);
    assert!(after.has_label && after.comments[0].by_us && after.comments[0].author.as_ref().unwrap().is_bot);

    local.add_comment(player("ben"), false, "/mov", 6);
    assert_eq!(lines(&thread(&local))[1..], ["2 play-by-commit answers 0", "3 ben /mov"]);
    assert_eq!(block_on(local.react(at(3), Reaction::Confused)), Ok(Claim::Ours));
    assert_eq!(block_on(local.react(at(3), Reaction::Confused)), Ok(Claim::Taken));
    assert_eq!(block_on(local.react(at(4), Reaction::Confused)), Ok(Claim::Gone));
    assert!(thread(&local).comments[1].claims.refusal);
    block_on(local.answer(3, "Did you mean /move?")).unwrap();
    assert_eq!(block_on(local.exists(at(4))), Ok(true));
    block_on(local.delete(at(4))).unwrap();
    assert_eq!(block_on(local.exists(at(4))), Ok(false));
    assert_eq!(*said.borrow(), ["Your move, @ben.", "Did you mean /move?"]);
    assert!(matches!(block_on(local.answer(4, "elsewhere")), Ok(PostOutcome::Refused(_))));
    assert_eq!(said.borrow().len(), 2);
}

#[test]
fn a_resumed_table_goes_on_from_its_record() {
    let dir = Dir::with(&[(RECORD, &record(&[0, 2, 9]))]);
    let local = table(&dir);
    local.add_comment(player("ann"), false, "b2", 5);
    assert_eq!(lines(&thread(&local)), ["0 - ", "10 play-by-commit answers 9", "11 ann b2"]);
    assert_eq!(block_on(local.issues_updated_since(0)), Ok(vec![3]));
    assert!(block_on(local.read(&[4], &[], COMMENTS_PER_PAGE)).unwrap().threads.is_empty());
}

#[test]
fn two_at_one_table_never_share_an_id() {
    let dir = Dir::with(&[(RECORD, &record(&[0]))]);
    let (one, two) = (table(&dir), table(&dir));
    one.add_comment(player("ann"), false, "a1", 5);
    two.add_comment(player("ben"), false, "b2", 6);
    let (first, second) = (read(&one), read(&two));
    assert_eq!(first, {
        let mut same = second.clone();
        same.threads = first.threads.clone();
        same
    });
    let id = |snapshot: &Snapshot| snapshot.threads[&3].comments.last().unwrap().id;
    assert_eq!((id(&first), id(&second)), (2, 2));
    let on = head(&two);
    let mut ours = change(on.clone(), &[(RECORD, &record(&[0, 2]))]);
    assert!(matches!(commit(&one, &ours), Ok(CommitOutcome::Landed(_))));
    ours.author = player("ben");
    assert_eq!(commit(&two, &ours), Ok(CommitOutcome::BranchMoved));
    // The rival's move is answered here, and the comment that lost has an id of its own.
    assert_eq!(lines(&thread(&two)), ["0 - ", "3 play-by-commit answers 2", "4 ben b2"]);
    land(&two, &[(RECORD, &record(&[0, 2, 4]))]);
    assert_eq!(lines(&thread(&two))[2..], ["4 ben b2"]);
    // And the first one hears of it.
    block_on(one.answer(3, "played")).unwrap();
    one.add_comment(player("ann"), false, "c3", 7);
    assert_eq!(lines(&thread(&one)), ["0 - ", "5 play-by-commit answers 4", "6 ann c3"]);
}

#[test]
fn time_is_real() {
    let dir = Dir::repo();
    let local = table(&dir);
    let start = local.now();
    block_on(local.pause(std::time::Duration::from_millis(20)));
    assert!(start > 1_600_000_000_000 && local.now() - start >= 20);
}
