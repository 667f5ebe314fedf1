//! The wakes of a server: one for each place, in a fair order, and none forgotten.

use std::collections::BTreeSet;
use std::time::Duration;

use protocol::settle::settle_with_ledger;
use protocol::wakes::{InstallationId, LookBack, Place, Target, Wake, WakeOutcome, Wakes, left_elsewhere};
use protocol::{GiveUpReason, HostError, HostNote, Ledger, SettleError, SweepFailure, Trigger};
use table::{CommentId, CommentRef, IssueNumber, RepositoryId, Timestamp};
use testkit::Scenario;
use testkit::world::{default_config, run};

const SETTLED: WakeOutcome = WakeOutcome::Settled { votes_end: None };

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_millis(1_760_000_000_000 + 1_000 * seconds)
}

fn thread(installation: u64, repository: u64, issue: u64) -> Place {
    let target = Target::Thread(IssueNumber::new(issue));
    Place { installation: InstallationId(installation), repository: RepositoryId::new(repository), target }
}

fn comment(place: Place, id: u64, seconds: u64) -> Wake {
    let Target::Thread(issue) = place.target else { unreachable!("only threads have comments") };
    let source = CommentRef { issue, comment: CommentId::new(id) };
    Wake { comment: Some((source, None)), ..Wake::at(at(seconds)) }
}

/// Takes the next place at a time.
fn next(wakes: &mut Wakes, seconds: u64) -> Option<Place> {
    wakes.next(at(seconds)).map(|(place, _)| place)
}

#[test]
fn several_wakes_for_a_thread_are_one_with_the_newest_comment() {
    let (mut wakes, place) = (Wakes::default(), thread(1, 10, 4));
    for (id, seconds) in [(7, 3), (9, 1), (8, 2)] {
        wakes.add(place, comment(place, id, seconds));
    }
    let (_, wake) = wakes.next(at(5)).expect("a wake is due");
    assert_eq!(wake.arrived, at(1));
    let source = CommentRef { issue: IssueNumber::new(4), comment: CommentId::new(9) };
    assert_eq!(wake.trigger(place, at(5)), Trigger::Comment { source, table: None });
    assert_eq!(next(&mut wakes, 5), None);
}

#[test]
fn a_wake_that_arrives_during_a_run_is_kept_for_the_next() {
    let (mut wakes, place) = (Wakes::default(), thread(1, 10, 4));
    wakes.add(place, comment(place, 7, 1));
    assert_eq!(next(&mut wakes, 1), Some(place));
    wakes.add(place, comment(place, 8, 2));
    assert_eq!(next(&mut wakes, 3), None, "one run at a time in a thread");
    wakes.finish(place, SETTLED, at(3));
    assert_eq!(next(&mut wakes, 3), Some(place));
    wakes.finish(place, SETTLED, at(4));
    assert_eq!(next(&mut wakes, 4), None);
    assert_eq!((wakes.running(), wakes.due(at(9))), (0, 0));
}

#[test]
fn a_busy_repository_delays_no_other() {
    let mut wakes = Wakes::default();
    for issue in 1..=10_000 {
        wakes.add(thread(1, 10, issue), Wake::at(at(0)));
    }
    wakes.add(thread(1, 11, 1), Wake::at(at(1)));
    wakes.add(thread(2, 20, 1), Wake::at(at(1)));
    let started: Vec<Place> = std::iter::from_fn(|| next(&mut wakes, 1)).collect();
    assert_eq!(started.len(), 6, "four in the busy repository, and one in each of the others: {started:?}");
    assert!(started[..2].contains(&thread(2, 20, 1)), "installations take turns: {started:?}");
    assert!(started.contains(&thread(1, 11, 1)), "{started:?}");
}

#[test]
fn an_installation_with_many_busy_repositories_leaves_room_for_others() {
    let mut wakes = Wakes::default();
    for (repository, issue) in (1..=20).flat_map(|repository| [(repository, 1), (repository, 2)]) {
        wakes.add(thread(1, repository, issue), Wake::at(at(0)));
    }
    let started: Vec<Place> = std::iter::from_fn(|| next(&mut wakes, 1)).collect();
    assert_eq!(started.len(), 16, "{started:?}");
    wakes.add(thread(2, 30, 1), Wake::at(at(1)));
    assert_eq!(next(&mut wakes, 1), Some(thread(2, 30, 1)));
    wakes.finish(started[0], SETTLED, at(1));
    assert!(next(&mut wakes, 1).is_some(), "the installation's other wakes come next");
}

#[test]
fn a_new_comment_comes_before_a_search_for_lost_ones() {
    let mut wakes = Wakes::default();
    for installation in 1..=3 {
        let recent = Place { target: Target::Recent, ..thread(installation, installation, 1) };
        wakes.add(recent, LookBack::at_start(at(1)).wake(at(0), false));
    }
    wakes.add(thread(2, 2, 1), Wake::at(at(2)));
    assert_eq!(next(&mut wakes, 2), Some(thread(2, 2, 1)));
    let others: Vec<Place> = std::iter::from_fn(|| next(&mut wakes, 2)).collect();
    assert_eq!(others.len(), 3, "{others:?}");
}

#[test]
fn a_rate_limit_holds_its_installation_only() {
    let (mut wakes, limited, other) = (Wakes::default(), thread(1, 10, 1), thread(2, 20, 1));
    wakes.add(limited, comment(limited, 7, 0));
    assert_eq!(next(&mut wakes, 0), Some(limited));
    wakes.finish(limited, WakeOutcome::Limited { until: at(60) }, at(1));
    wakes.add(thread(1, 10, 2), Wake::at(at(2)));
    wakes.add(other, Wake::at(at(2)));
    assert_eq!(next(&mut wakes, 3), Some(other));
    assert_eq!(next(&mut wakes, 59), None);
    assert_eq!(wakes.next_due(at(59)), Some(at(60)));
    let (place, wake) = wakes.next(at(60)).expect("the hold has ended");
    assert_eq!((place.repository, wake.retries), (RepositoryId::new(10), 0));
    assert!(next(&mut wakes, 60).is_some());
}

#[test]
fn a_failed_wake_is_tried_again_with_longer_pauses_and_then_left_to_the_daily_run() {
    let (mut wakes, place) = (Wakes::default(), thread(1, 10, 1));
    wakes.add(place, comment(place, 7, 0));
    let (mut now, mut pauses) = (at(0), Vec::new());
    while wakes.next(now).is_some() {
        wakes.finish(place, WakeOutcome::Failed, now);
        let Some(due) = wakes.next_due(now) else { break };
        pauses.push(due.since(now).as_secs());
        now = due;
    }
    assert_eq!(pauses, [5, 10, 20, 40, 80, 160]);
    wakes.add(place, Wake::at(now));
    assert!(wakes.next(now).is_some(), "a new wake starts from the beginning");
    wakes.finish(place, WakeOutcome::Refused, now);
    assert_eq!(wakes.next_due(now), None);
}

#[test]
fn votes_are_counted_when_their_time_is_up_whatever_comes_before() {
    let (mut wakes, place) = (Wakes::default(), thread(1, 10, 1));
    wakes.add(place, comment(place, 7, 0));
    wakes.next(at(0)).expect("a wake is due");
    wakes.finish(place, WakeOutcome::Settled { votes_end: Some(at(100)) }, at(1));
    assert_eq!(wakes.next_due(at(1)), Some(at(100)));
    // A comment in between doesn't count the votes, and doesn't forget them.
    wakes.add(place, comment(place, 8, 50));
    let (_, wake) = wakes.next(at(50)).expect("the comment is due");
    assert!(matches!(wake.trigger(place, at(50)), Trigger::Comment { .. }));
    wakes.finish(place, WakeOutcome::Failed, at(51));
    let (_, wake) = wakes.next(at(56)).expect("the comment is tried again");
    assert!(matches!(wake.trigger(place, at(56)), Trigger::Comment { .. }));
    wakes.finish(place, SETTLED, at(57));
    let (_, wake) = wakes.next(at(100)).expect("the votes are due");
    assert_eq!(wake.trigger(place, at(100)), Trigger::Votes(IssueNumber::new(1)));
    // Too few votes: the daily run looks again.
    wakes.finish(place, WakeOutcome::Settled { votes_end: Some(at(100)) }, at(101));
    assert_eq!(wakes.next_due(at(101)), None);
}

#[test]
fn what_is_uninstalled_is_forgotten() {
    let mut wakes = Wakes::default();
    for (installation, repository) in [(1, 10), (2, 20)] {
        wakes.add(thread(installation, repository, 1), Wake::at(at(0)));
    }
    wakes.forget_installation(InstallationId(2));
    assert_eq!(next(&mut wakes, 1), Some(thread(1, 10, 1)));
    assert_eq!(next(&mut wakes, 1), None);
    wakes.forget_installation(InstallationId(1));
    wakes.finish(thread(1, 10, 1), WakeOutcome::Unfinished, at(1));
    assert_eq!(
        wakes.next(at(1)).map(|(place, _)| place),
        Some(thread(1, 10, 1)),
        "its run may still go on, which does no harm"
    );
    assert_eq!(wakes.next_due(at(1) + Duration::from_secs(9)), None);
}

#[test]
fn a_start_looks_at_failed_deliveries_and_at_those_of_the_last_hour() {
    let (start, mut handled) = (400_000, BTreeSet::new());
    let look = LookBack::at_start(at(start));
    let mut takes = |id, age, has_arrived| look.takes(&mut handled, id, at(start - age), has_arrived);
    assert!(takes(1, 60 * 60, true) && takes(2, 3 * 24 * 60 * 60, false));
    assert!(!takes(3, 60 * 60 + 1, true) && !takes(4, 3 * 24 * 60 * 60 + 1, false));
    assert!(!takes(1, 60 * 60, true), "once is enough");
}

/// A server that is killed again and again still gets to what it had just begun.
#[test]
fn a_start_looks_first_where_a_server_has_just_accepted_something() {
    let (mut wakes, look) = (Wakes::default(), LookBack::at_start(at(5_000)));
    let recent = |repository| Place { target: Target::Recent, ..thread(repository, repository, 1) };
    wakes.add(recent(1), look.wake(at(2_000), true));
    wakes.add(recent(2), look.wake(at(4_990), true));
    wakes.add(recent(3), look.wake(at(0), false));
    let mut all_at = |seconds| std::iter::from_fn(|| next(&mut wakes, seconds)).collect::<Vec<Place>>();
    assert_eq!(all_at(5_000), [recent(3)]);
    assert_eq!(all_at(5_001), [recent(2)]);
    assert_eq!(all_at(5_100), []);
    assert_eq!(all_at(5_150), [recent(1)]);
}

#[test]
fn a_later_look_is_for_what_failed_and_for_what_was_too_new_at_the_start() {
    let (start, mut handled) = (400_000, BTreeSet::new());
    let first = LookBack::at_start(at(start));
    assert!(first.takes(&mut handled, 1, at(start - 2), true));
    assert!(first.takes(&mut handled, 2, at(start - 180), true));
    let later = LookBack::later(at(start + 300), at(start));
    let mut takes = |id, at_second, has_arrived| later.takes(&mut handled, id, at(at_second), has_arrived);
    assert!(takes(1, start - 2, true), "the first read may have been too early to show it");
    assert!(!takes(2, start - 180, true), "once is enough");
    assert!(takes(3, start + 1, false) && !takes(3, start + 1, false));
    let much_later = LookBack::later(at(start + 3_000), at(start));
    assert!(!much_later.takes(&mut handled, 4, at(start + 2_900), true));
    assert!(much_later.takes(&mut handled, 5, at(start + 2_900), false));
}

#[test]
fn a_run_says_what_is_left_to_do() {
    let (place, now) = (thread(1, 10, 1), at(100));
    let of = |settled: Result<(), &SettleError>, ledger: &Ledger| WakeOutcome::of_run(place, settled, ledger, now);
    let noted = |note| Ledger { notes: vec![note], ..Ledger::default() };
    assert_eq!(of(Ok(()), &Ledger::default()), SETTLED);
    assert_eq!(of(Ok(()), &noted(HostNote::CommandLimit)), WakeOutcome::Unfinished);
    assert_eq!(of(Ok(()), &noted(HostNote::PersonLimit)), WakeOutcome::Failed);
    let limited = WakeOutcome::Limited { until: at(160) };
    assert_eq!(of(Ok(()), &noted(HostNote::RateLimited(String::new()))), limited);
    let of_error = |error: &SettleError| of(Err(error), &Ledger::default());
    assert_eq!(of_error(&SettleError::RetryAfter { at: at(160), why: String::new() }), limited);
    let gave_up = SettleError::GaveUp(GiveUpReason::NoProgress);
    let refused = SettleError::HostMustAct(HostError::new("No."));
    assert_eq!((of_error(&gave_up), of_error(&refused)), (WakeOutcome::Failed, WakeOutcome::Refused));
    let sweep = |error| SettleError::Sweep(vec![SweepFailure { issue: None, error }]);
    assert_eq!((of_error(&sweep(gave_up)), of_error(&sweep(refused))), (WakeOutcome::Failed, WakeOutcome::Refused));
}

#[test]
fn votes_elsewhere_get_a_wake_of_their_own() {
    let (now, mut ledger) = (at(100), Ledger::default());
    for (issue, end) in [(1, 200), (2, 300), (3, 50)] {
        ledger.tables.entry(IssueNumber::new(issue)).or_default().votes_end = Some(at(end));
    }
    ledger.notes.push(HostNote::ShareUsed(IssueNumber::new(4)));
    let expected = vec![(thread(1, 10, 4), Wake::at(now)), (thread(1, 10, 2), Wake::votes(at(300)))];
    assert_eq!(left_elsewhere(thread(1, 10, 1), &ledger, now), expected);
    let recent = Place { target: Target::Recent, ..thread(1, 10, 1) };
    assert_eq!(WakeOutcome::of_run(recent, Ok(()), &ledger, now), WakeOutcome::Failed, "others may wait for table 4");
    let own = WakeOutcome::Settled { votes_end: Some(at(200)) };
    assert_eq!(WakeOutcome::of_run(thread(1, 10, 1), Ok(()), &ledger, now), own);
}

#[test]
fn a_daily_run_beside_a_server_leaves_it_the_comments_of_ten_minutes() {
    let mut scenario = Scenario::new();
    let issue = scenario.open("alice", "/new tic-tac-toe @bob");
    scenario.config.min_comment_age = Duration::from_secs(10 * 60);
    scenario.change(|state| state.now += 60_000);
    let other = scenario.open_issue("carol", "/new chess computer");
    scenario.comment(issue, "alice", "b2");
    scenario.sweep().expect("the run succeeds");
    assert_eq!([issue, other].map(|issue| scenario.answers(issue).len()), [1, 0]);
    scenario.change(|state| state.now += 11 * 60_000);
    scenario.sweep().expect("the run succeeds");
    assert_eq!([issue, other].map(|issue| scenario.answers(issue).len()), [2, 1]);
}

#[test]
fn a_look_at_recent_issues_settles_what_was_missed_since_then() {
    let scenario = Scenario::new();
    let issue = scenario.open("alice", "/new tic-tac-toe @bob");
    let early = scenario.open_issue("dave", "/new hex computer");
    scenario.change(|state| state.now += 3_600_000);
    let since = Timestamp::from_millis(scenario.with_state(|state| state.now));
    scenario.comment(issue, "alice", "b2");
    let other = scenario.open_issue("carol", "/new chess computer");
    let report = scenario.try_run(Trigger::Recent(since)).expect("the run ends").expect("the run succeeds");
    assert_eq!(report.applied, 2);
    assert_eq!([issue, other, early].map(|issue| scenario.answers(issue).len()), [2, 1, 0]);
}

/// Otherwise a locked issue would wake the server again and again.
#[test]
fn the_votes_of_a_locked_issue_do_not_end() {
    let world = Scenario::new();
    let issue = world.open("alice", "/new tic-tac-toe computer crowd");
    let votes_end = || {
        let (mut ledger, issue) = (Ledger::default(), IssueNumber::new(issue));
        let (config, trigger) = (default_config(), Trigger::Issue(issue));
        let settled = settle_with_ledger(&world.world, &config, trigger, &mut ledger);
        run(settled).expect("the run ends").expect("the run succeeds");
        ledger.tables[&issue].votes_end
    };
    assert!(votes_end().is_some());
    world.lock(issue);
    assert_eq!(votes_end(), None);
    world.unlock(issue);
    assert!(votes_end().is_some());
}
