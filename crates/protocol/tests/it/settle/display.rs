//! The title, the labels and the assignee of an issue, which show the state of its game.

use protocol::HostNote;
use table::IssueNumber;
use testkit::Scenario;
use testkit::world::{FailingPart, Request, RequestFault, World};

fn assigning() -> Scenario {
    let mut scenario = Scenario::new();
    scenario.config.policy.assign_turns = true;
    scenario
}

/// Opens an issue with a title, and settles its body.
fn open(world: &Scenario, title: &str, body: &str) -> u64 {
    let issue = world.open_issue("alice", body);
    world.change(|state| state.set_title(issue, title));
    world.settle(issue, 0);
    issue
}

fn title(world: &World, issue: u64) -> String {
    world.with_state(|state| state.issues[&issue].title.clone())
}

fn labels(world: &World, issue: u64) -> Vec<String> {
    world.with_state(|state| state.issues[&issue].labels.clone())
}

fn assignees(world: &World, issue: u64) -> Vec<String> {
    world.with_state(|state| {
        let people = state.people.values().filter(|person| state.issues[&issue].assignees.contains(&person.id));
        people.map(|person| person.login.clone()).collect()
    })
}

#[test]
fn the_title_names_the_players_once_they_sit() {
    let world = Scenario::new();
    for (before, body, after) in [
        ("A game of ...", "/new chess @bob", "Chess: alice – bob"),
        ("a game of hex", "/new hex", "Hex: alice – open seat"),
        ("A game of connect four", "/new connect-four computer", "Connect four: alice – the computer"),
        ("A game of Othello", "/new othello seats=open", "Othello: open to anyone"),
        ("/new chess @bob", "\n/new chess @bob\nThanks!", "Chess: alice – bob"),
        ("Hex: carol – dave", "/new checkers @bob", "Checkers: alice – bob"),
        // People chose these titles.
        ("A game of chance", "/new chess @bob", "A game of chance"),
        ("Chess for beginners", "/new chess @bob", "Chess for beginners"),
        ("Chess: a lesson – part 2", "/new chess @bob", "Chess: a lesson – part 2"),
    ] {
        let issue = open(&world, before, body);
        assert_eq!(title(&world, issue), after, "{before}, {body}");
    }
    // A title that repeats the text of the issue stays, too.
    let issue = open(&world, "Our lunch game", "Our lunch game\n\nAnyone?");
    world.post(issue, "alice", "/new chess @bob");
    assert_eq!(title(&world, issue), "Our lunch game");
    let issue = open(&world, "A game of chess", "/new tic-tac-toe");
    let mut titles = Vec::new();
    for (login, text) in [
        ("bob", "/join"),
        ("bob", "/leave"),
        ("carol", "/join"),
        ("alice", "b2"),
        ("carol", "a1"),
        ("alice", "/resign"),
    ] {
        world.post(issue, login, text);
        titles.push(title(&world, issue));
    }
    let title_of = |second: &str| format!("Tic-tac-toe: alice – {second}");
    assert_eq!(titles, ["bob", "open seat", "carol", "carol", "carol", "carol"].map(title_of));
    world.post(issue, "carol", "/rematch");
    assert_eq!(title(&world, issue), "Tic-tac-toe: carol – alice");
    world.change(|state| state.set_title(issue, "Our rematch"));
    world.post(issue, "carol", "b2");
    assert_eq!(title(&world, issue), "Our rematch");
}

#[test]
fn an_issue_with_an_open_seat_has_a_label() {
    let world = Scenario::new();
    let is_labeled = |issue| labels(&world, issue).iter().any(|label| label == "looking-for-opponent");
    let open_seat = open(&world, "Hex", "/new hex");
    let reserved = open(&world, "Hex", "/new hex @bob");
    assert!(is_labeled(open_seat) && !is_labeled(reserved));
    world.post(open_seat, "bob", "/join");
    assert!(!is_labeled(open_seat));
    world.post(open_seat, "bob", "/leave");
    assert!(is_labeled(open_seat));
    world.post(open_seat, "alice", "/abort");
    assert!(!is_labeled(open_seat) && labels(&world, open_seat) == ["play-by-commit"]);
}

#[test]
fn the_issue_is_assigned_to_the_player_to_move() {
    let world = assigning();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    let mut assigned = vec![assignees(&world, issue)];
    for (login, text) in
        [("alice", "b2"), ("bob", "/join"), ("bob", "a1"), ("alice", "c3"), ("carol", "b1"), ("bob", "/resign")]
    {
        world.post(issue, login, text);
        assigned.push(assignees(&world, issue));
    }
    // Bob hasn't joined after the first move.
    assert_eq!(assigned, [vec!["alice"], vec![], vec!["bob"], vec!["alice"], vec!["bob"], vec!["bob"], vec![]]);
    world.post(issue, "bob", "/rematch");
    assert_eq!(assignees(&world, issue), ["bob"]);
}

#[test]
fn only_players_are_ever_unassigned() {
    let world = assigning();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    world.change(|state| {
        let host = state.person("host").id;
        let bob = state.person("bob").id;
        state.issue_mut(issue).unwrap().assignees.extend([host, bob]);
    });
    world.post(issue, "bob", "/join");
    assert_eq!(assignees(&world, issue), ["alice", "host"]);
    // GitHub assigns an issue to ten people at most.
    world.change(|state| {
        for nth in 0..9 {
            let id = state.person(&format!("reviewer{nth}")).id;
            state.issue_mut(issue).unwrap().assignees.insert(id);
        }
    });
    let comment = world.comment(issue, "alice", "b2");
    assert_eq!(world.settle(issue, comment).notes, []);
    assert!(!assignees(&world, issue).contains(&"bob".to_owned()), "{:?}", assignees(&world, issue));
}

#[test]
fn the_summary_says_if_github_ignores_an_assignment() {
    let world = assigning();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    let joins = world.post(issue, "bob", "/join");
    world.before(Request::Answer, move |world| world.delete_comment(issue, joins));
    let comment = world.comment(issue, "alice", "b2");
    let note = HostNote::NotAssigned(IssueNumber::new(issue), "bob".to_owned());
    assert_eq!(world.settle(issue, comment).notes, [note]);
}

/// GitHub ignores an assignment to somebody who has never written in the issue.
#[test]
fn a_player_who_moves_by_a_link_is_not_assigned() {
    let world = assigning();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    world.post(issue, "alice", "b2");
    let other = world.open("bob", &format!("/move a1 #{issue}"));
    assert_eq!((assignees(&world, issue), assignees(&world, other)), (vec!["alice".to_owned()], vec![]));
    world.post(issue, "alice", "c3");
    world.clear_log();
    world.post(issue, "carol", "/board");
    assert_eq!(assignees(&world, issue), [""; 0]);
    assert!(!world.log().iter().any(|entry| entry.request == Request::Assign), "{:?}", world.log());
}

/// Without the input, the bot never touches assignees.
#[test]
fn nobody_is_assigned_unless_the_host_wants_it() {
    let world = Scenario::new();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    let alice = world.id_of("alice");
    world.change(|state| _ = state.issue_mut(issue).unwrap().assignees.insert(alice));
    world.post(issue, "alice", "b2");
    assert_eq!(assignees(&world, issue), ["alice"]);
}

/// A failed part of the answer is repaired by the next run, once.
#[test]
fn the_next_run_repairs_each_part() {
    let world = assigning();
    let issue = open(&world, "A game of hex", "/new hex");
    // The answer has a rocket, the label of the open seat, the title, and two changes of the assignees.
    for part in 2..=5 {
        world.post(issue, "bob", "/leave");
        world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part, runs_rest: false }));
        world.post(issue, "bob", "/join");
        world.clear_log();
        world.post(issue, "carol", "Good luck!");
        assert_eq!(title(&world, issue), "Hex: alice – bob", "{part}");
        assert_eq!(labels(&world, issue), ["play-by-commit"], "{part}");
        assert_eq!(assignees(&world, issue), ["alice"], "{part}");
        world.clear_log();
        world.post(issue, "carol", "Good luck again!");
        assert_eq!(world.log().len(), 1, "{part}: {:?}", world.log());
    }
}

/// The record of the next round doesn't name the players of the last one.
#[test]
fn a_new_round_unassigns_players_of_the_last_one() {
    let world = assigning();
    let issue = open(&world, "A game", "/new tic-tac-toe @bob");
    // The answer has a rocket, and the assignment that ends.
    world.fail(Request::Answer, RequestFault::PartFails(FailingPart { part: 2, runs_rest: false }));
    world.post(issue, "bob", "/decline");
    assert_eq!(assignees(&world, issue), ["alice"]);
    world.post(issue, "bob", "/new tic-tac-toe @carol");
    assert_eq!(assignees(&world, issue), ["bob"]);
}

#[test]
fn a_game_that_moves_on_leaves_its_old_issue() {
    let world = assigning();
    let old = open(&world, "A game of hex", "/new hex");
    world.clear_log();
    let new = world.open("alice", &format!("/continue #{old}"));
    assert_eq!((assignees(&world, old), assignees(&world, new)), (vec![], vec!["alice".to_owned()]));
    assert_eq!(labels(&world, old), ["play-by-commit"]);
    assert_eq!(labels(&world, new), ["play-by-commit", "looking-for-opponent"]);
}
