//! Conditional moves against other commands at the same time. The order of the comments decides, not the order of the runs.

use super::answered_comments;
use protocol::Trigger;
use protocol::settle::settle;
use testkit::world::{Request, RequestFault, World, default_config, run};
use testkit::{Scenario, place};

/// Pairs of comments by alice and bob, who is to move after `b2`. alice has announced `a1 c3`.
const RACES: [[(&str, &str); 2]; 6] = [
    [("alice", "/if none"), ("bob", "a1")],
    [("bob", "a1"), ("alice", "/if none")],
    // alice has asked for a takeback of `b2`, too.
    [("bob", "/accept"), ("bob", "a1")],
    [("bob", "a1"), ("bob", "/accept")],
    [("bob", "a1"), ("alice", "/undo")],
    [("alice", "/if a1 b3"), ("bob", "a1")],
];

/// Returns the table before a race, with both comments written and not settled.
fn before(race: &[(&str, &str); 2]) -> (Scenario, [u64; 2]) {
    let world = Scenario::new();
    world.open_issue("alice", "/new tic-tac-toe @bob");
    world.settle(1, 0);
    world.post(1, "bob", "/join");
    world.post(1, "alice", "b2");
    world.post(1, "alice", "/if a1 c3");
    world.post(1, "alice", "/undo");
    let comments = race.map(|(login, text)| world.comment(1, login, text));
    world.clear_log();
    (world, comments)
}

fn settle_now(world: &World, comment: u64) {
    let trigger = Trigger::Comment { source: place(1, comment), table: None };
    drop(run(settle(world, &default_config(), trigger)));
}

/// Checks that the race ended as if the commands had come one after the other.
#[track_caller]
fn check(world: &Scenario, comments: &[u64; 2], right: &str, how: &str) {
    comments.iter().for_each(|comment| settle_now(world, *comment));
    assert_eq!(world.record(1), right, "{how}");
    let answered = answered_comments(world, 1);
    for comment in comments {
        assert_eq!(answered.iter().filter(|source| *source == comment).count(), 1, "{how}: {:?}", world.answers(1));
    }
}

#[test]
fn the_order_of_comments_decides_races() {
    let mut replies = 0;
    for race in &RACES {
        let (world, comments) = before(race);
        comments.iter().for_each(|comment| settle_now(&world, *comment));
        let right = world.record(1);
        replies += usize::from(right.contains(r#"{ "if": "#));
        for request in [Request::Read, Request::Commit, Request::Answer] {
            for nth in 1..4 {
                for first in comments {
                    let (world, comments) = before(race);
                    // Another run comes in between.
                    world.after_nth(request, nth, move |world| settle_now(world, comments[1]));
                    settle_now(&world, first);
                    check(&world, &comments, &right, &format!("{race:?}: a rival after {request:?} {nth}"));
                }
            }
            for (dies, applied) in [(true, true), (true, false), (false, true), (false, false)] {
                let (world, comments) = before(race);
                let how = format!("{race:?}: dies {dies}, applied {applied} at {request:?}");
                world.fail(
                    request,
                    if dies { RequestFault::Killed { applied } } else { RequestFault::Lost { applied } },
                );
                settle_now(&world, comments[1]);
                check(&world, &comments, &right, &how);
            }
        }
    }
    assert_eq!(replies, 4, "alice's reply is played unless the lines or her move are gone");
}
