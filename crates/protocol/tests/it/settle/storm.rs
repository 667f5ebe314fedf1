//! Random comments, faults, crashes, races and concurrent runs. After a sweep without faults, everything is settled.

use std::time::Duration;

use answers::Marker;
use protocol::Trigger;
use protocol::settle::settle;
use table::{CommentId, IssueNumber, state_file};
use testkit::world::{Request, RequestFault, World, default_config, run};
use testkit::{Scenario, place, short_or_long};

/// A seeded random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }
}

/// Returns a random fault for this kind of request. Only a read can be stale.
fn random_trouble(random: &mut Random, kind: Request) -> RequestFault {
    let applied = random.below(2) == 0;
    match random.below(if kind == Request::Read { 8 } else { 7 }) {
        0..=2 => RequestFault::Lost { applied },
        3..=5 => RequestFault::Killed { applied },
        6 => RequestFault::RetryAfter(Duration::from_secs(random.below(90))),
        _ => RequestFault::LacksComments(1 + usize::try_from(random.below(2)).unwrap()),
    }
}

/// Writes random comments and settles them under random faults.
fn storm(world: &World, random: &mut Random) {
    let texts = [
        "a1",
        "b1",
        "c1",
        "/move a2",
        "/move b2",
        "c2",
        "a3",
        "/m b3",
        "c3",
        "/undo",
        "/accept",
        "/draw",
        "/decline",
        "/board",
        "/moves",
        "hello",
        "/resign?",
        "/rematch",
        "/move b2\n/move c3",
        "/resign",
    ];
    let kinds = [Request::Read, Request::Commit, Request::Answer, Request::React, Request::Any];
    for _ in 0..6 + random.below(14) {
        let elsewhere = random.below(6) == 0;
        let issue = if elsewhere { 2 } else { 1 };
        let text = random.one_of(&texts);
        let text =
            if elsewhere && text.starts_with('/') { text.replacen('\n', " #1\n", 1) + " #1" } else { text.to_owned() };
        let comment = world.comment(issue, random.one_of(&["alice", "bob", "bob", "alice", "carol"]), &text);
        if random.below(4) == 0 {
            // The event of this comment gets lost.
            continue;
        }
        for _ in 0..random.below(3) {
            let (kind, nth) = (random.one_of(&kinds), 1 + usize::try_from(random.below(4)).unwrap());
            world.fail_nth(kind, nth, random_trouble(random, kind));
        }
        if random.below(5) == 0 {
            world.after(Request::Read, |world| drop(world.race()));
        }
        let config = default_config();
        let settle_comment =
            |issue, comment| settle(world, &config, Trigger::Comment { source: place(issue, comment), table: None });
        if random.below(3) == 0 {
            world.interleave();
            drop(run(async { tokio::join!(settle_comment(issue, comment), settle_comment(issue, comment)) }));
        } else {
            drop(run(settle_comment(issue, comment)));
        }
    }
}

/// Checks that every command is applied at most once and answered exactly once.
fn check_world(world: &World, storm: u64) {
    let text = world.file("state/1.json").expect("the record is there");
    state_file::load(&text, IssueNumber::new(1)).unwrap_or_else(|why| panic!("storm {storm}: {why}"));
    let mut applied: Vec<(u64, u64)> = Vec::new();
    for file in world.with_state(|state| state.commits[&state.branches["main"]].files.clone()).iter() {
        if file.0.starts_with("state/")
            && file.0.ends_with(".json")
            && !file.0.contains("/players/")
            && !file.0.contains("/running/")
        {
            let value: serde_json::Value = serde_json::from_str(file.1).unwrap();
            let sources = value["history"].as_array().unwrap().iter().map(|event| &event["source"]);
            applied.extend(sources.map(|s| (s["issue"].as_u64().unwrap(), s["comment"].as_u64().unwrap())));
        }
    }
    let times = applied.len();
    applied.sort_unstable();
    applied.dedup();
    assert_eq!(times, applied.len(), "storm {storm}: a comment was applied twice");
    for issue in [1, 2] {
        let answers: Vec<Marker> = world.answers(issue).iter().map(|text| Marker::parse(text).unwrap()).collect();
        let notes = world.with_state(|state| state.issues[&issue].comments.clone());
        for note in notes.iter().filter(|note| note.author.as_deref() != Some("github-actions")) {
            let given: Vec<_> =
                answers.iter().filter(|marker| marker.source.comment == CommentId::new(note.id)).collect();
            let is_applied = applied.contains(&(issue, note.id));
            let command = note.text.starts_with('/');
            assert!(given.len() <= 1, "storm {storm}: {} answers to {:?}", given.len(), note.text);
            assert!(!command || given.len() == 1, "storm {storm}: no answer to {:?} ({})", note.text, note.id);
            assert!(!is_applied || given.len() == 1, "storm {storm}: {:?} was applied and not answered", note.text);
            if let Some(marker) = given.first() {
                assert_eq!(
                    marker.commit.is_some(),
                    is_applied,
                    "storm {storm}: the answer to {:?} is wrong",
                    note.text
                );
            }
        }
    }
}

/// Each storm is determined by its number.
#[test]
fn applies_and_answers_each_command_once_despite_faults() {
    for number in 0..short_or_long(20, 400) {
        let world = Scenario::new();
        world.open_issue("alice", "/new tic-tac-toe @bob");
        world.settle(1, 0);
        world.open_issue("bob", "A place to talk.");
        let mut random = Random(number);
        storm(&world, &mut random);
        world.calm();
        for _ in 0..2 {
            world.sweep().unwrap_or_else(|error| panic!("storm {number}: {error:#}"));
        }
        check_world(&world, number);
    }
}
