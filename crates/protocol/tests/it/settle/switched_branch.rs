//! Games on the default branch, after the host has set the input `branch`.

use protocol::Trigger;
use protocol::settle::settle;
use testkit::world::{Request, World, default_config, run};
use testkit::{Scenario, place};

use super::check_answers;

/// Returns a game on the default branch, after the host has set the input `branch`.
fn game_before_the_switch() -> Scenario {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
    world.use_branch("play");
    world.clear_log();
    world
}

#[test]
fn a_game_continues_from_the_default_branch() {
    let world = game_before_the_switch();
    let on_default = world.with_state(|state| state.branches["main"].clone());
    let bob = world.post(1, "bob", "a1");
    assert_eq!(world.moves(1), ["b2", "a1"]);
    assert_eq!(world.with_state(|state| state.branches["main"].clone()), on_default);
    assert_eq!(world.with_state(|state| state.paused), 0);
    check_answers(&world, 1, &[bob]);
    // Other issues see the games, too.
    let world = game_before_the_switch();
    let issue = world.open("bob", "/move a1 #1");
    assert_eq!((world.moves(1), world.answers(issue).len()), (vec!["b2".to_owned(), "a1".to_owned()], 1));
    // The daily run settles what it finds.
    let world = game_before_the_switch();
    world.comment(1, "bob", "a1");
    assert_eq!(world.sweep().unwrap().applied, 1);
    assert_eq!(world.moves(1), ["b2", "a1"]);
}

/// Another run settles a comment.
fn settle_rival(world: &World, comment: u64) {
    let trigger = Trigger::Comment { source: place(1, comment), table: None };
    run(settle(world, &default_config(), trigger)).expect("the run ends").expect("the run succeeds");
}

#[test]
fn runs_that_switch_branches_at_once_apply_a_move_once() {
    for request in [Request::Files, Request::MakeBranch] {
        let world = game_before_the_switch();
        let bob = world.comment(1, "bob", "a1");
        world.before(request, move |world| {
            settle_rival(world, bob);
            settle_rival(world, world.comment(1, "alice", "c3"));
        });
        world.settle(1, bob);
        assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
        check_answers(&world, 1, &[bob]);
    }
}

#[test]
fn never_restarts_a_game_that_went_on_in_a_lost_branch() {
    let world = game_before_the_switch();
    world.post(1, "bob", "a1");
    let lost = world.head().unwrap();
    world.change(|state| state.branches.remove("play"));
    let alice = world.comment(1, "alice", "c3");
    let error = world.try_settle(1, alice).unwrap().unwrap_err().to_string();
    assert!(error.contains(lost.as_str()) && error.contains("state/1.json is missing"), "{error}");
    assert!(world.with_state(|state| !state.branches.contains_key("play")));
}
