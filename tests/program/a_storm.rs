//! Runs a few simulator stories with the real program over HTTP. To run more of them:
//! `cargo run --profile test -p play-by-commit-testkit --example simulate -- --binary target/release/play-by-commit --seeds 0..2000`.
//! `docs/SIMULATION.md` describes the stories and the checks.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use testkit::simulator::{Action, InjectedFault, Mode, Person, Setting, Step, Story, Text, TimedFault};
use testkit::storm::{FaultPlan, How, HttpFault, Rival};
use testkit::{short_or_long, storm};

/// The seeds of short stories. The last two take half a minute or more.
const SEEDS: [u64; 5] = [0, 4, 99, 35, 60];

/// Returns a story whose moves hit these faults in order, each at its request index.
fn parade(faults: &[(u32, HttpFault)]) -> (Story, FaultPlan) {
    let these = |text: &str| Text::Literal(text.to_owned());
    let alice = Person::Named("alice".to_owned());
    let mut steps = vec![
        (0, Action::OpenIssue { issue: 1, author: alice, text: these("/new tic-tac-toe boardSize=6 kInRow=6 @bob") }),
        (10, Action::StartRun { comment: 0, faults: Vec::new() }),
    ];
    let mut fault_plan = FaultPlan::default();
    for (nth, (request, fault)) in (0_u32..).zip(faults) {
        let at = 1_500 + 800 * u64::from(nth);
        let text = Text::Move { table: 1, nth: 0, phrase: "/move {}".to_owned() };
        steps.push((at, Action::Comment { issue: 1, author: Person::ToMove(1), text }));
        let mut injected = Vec::new();
        if let HttpFault::Stale { threads, head } = *fault {
            // The story needs stale reads, too, to know how long the server keeps old copies.
            injected.push(InjectedFault { request: *request, fault: TimedFault::Stale { threads, head } });
        }
        steps.push((at + 20, Action::StartRun { comment: 2 + 2 * nth, faults: injected }));
        fault_plan.faults.insert((3 + 2 * nth, *request), fault.clone());
    }
    let steps = steps.into_iter().zip(0..).map(|((at, action), id)| Step { id, at, action }).collect();
    let setting = Setting {
        needs_label: false,
        has_dice_secret: false,
        has_state_branch: false,
        uses_token_of_player: false,
        lets_anyone_open: false,
        comments_per_page: 100,
        max_comments: 2500,
        max_reply_bytes: None,
        switches_account: false,
        servers: 0,
    };
    (Story { seed: 1, mode: Mode::Strict, setting, steps }, fault_plan)
}

fn lost(how: How, applied: Option<u64>) -> HttpFault {
    HttpFault::Lost { how, applied, reported_after: 50 }
}

/// Returns stories with every fault.
///
/// A claim without an answer costs twenty seconds, so each of these has its own table, and only runs in a long test run.
fn parades() -> Vec<(Story, FaultPlan)> {
    let limit = |status, after| HttpFault::Secondary { status, after };
    let mut hurried = parade(&[(0, limit(403, None))]);
    // A rate limit without a time means a minute of waiting. This job is stopped before.
    hurried.1.job = Duration::from_secs(4);
    let mut crowded =
        parade(&[(1, HttpFault::Slow(1_500)), (0, HttpFault::Slow(700)), (1, lost(How::Html(500), None))]);
    for (nth, rival) in (0..).zip([Rival::OtherFile, Rival::BetweenMarkers, Rival::PageText]) {
        crowded.1.rivals.insert((3 + 2 * nth, 0), rival);
    }
    let claimed = vec![
        parade(&[(1, lost(How::Dropped, Some(10)))]),
        parade(&[(1, HttpFault::Killed { applied: Some(20) })]),
        parade(&[(1, lost(How::Html(502), Some(10)))]),
    ];
    let quick = vec![
        parade(&[
            (0, lost(How::Dropped, None)),
            (0, lost(How::Html(502), None)),
            (1, lost(How::Html(503), None)),
            (1, lost(How::Null, None)),
            (0, HttpFault::Cut),
            (0, HttpFault::Torn),
        ]),
        parade(&[
            (1, limit(403, Some(1))),
            (0, limit(429, Some(1))),
            (1, HttpFault::Primary { after: 1 }),
            (2, limit(403, Some(1))),
        ]),
        parade(&[
            (0, HttpFault::Refused),
            (0, HttpFault::Stale { threads: 900, head: 900 }),
            (1, HttpFault::Killed { applied: None }),
            (0, HttpFault::KilledAfterwards),
        ]),
        crowded,
        hurried,
    ];
    [quick, short_or_long(Vec::new(), claimed)].concat()
}

#[test]
fn stories_over_http_end_well() {
    let binary = Path::new(env!("CARGO_BIN_EXE_play-by-commit"));
    let generated = SEEDS.iter().take(short_or_long(1, 5)).map(|seed| {
        let story = storm::story(*seed);
        let fault_plan = storm::fault_plan(&story);
        (story, fault_plan)
    });
    let stories: Vec<_> = generated.chain(parades()).collect();
    let (mut met, mut commits) = (BTreeMap::new(), 0);
    std::thread::scope(|scope| {
        let run = |(story, fault_plan): &(Story, FaultPlan)| {
            let outcome = storm::run_and_check(story, fault_plan.clone(), binary);
            let bad = !outcome.core.ledger.violations.is_empty();
            (
                bad.then(|| storm::report(story, fault_plan, &outcome)),
                outcome.core.ledger.landed.len(),
                outcome.fault_counts,
            )
        };
        let threads: Vec<_> = stories.iter().map(|story| scope.spawn(move || run(story))).collect();
        for thread in threads {
            let (bad, landed, fault) = thread.join().unwrap();
            assert!(bad.is_none(), "{}", bad.unwrap_or_default());
            commits += landed;
            met.extend(fault);
        }
    });
    assert!(commits > short_or_long(24, 40), "{commits} commits");
    let claimed = short_or_long(&[][..], &["dropped, applied", "killed, applied"]);
    let quick = [
        "dropped",
        "500",
        "502",
        "503",
        "null data",
        "cut",
        "torn",
        "403",
        "429",
        "primary limit",
        "limit without a time",
        "refused",
        "slow",
        "stale",
        "killed before",
        "killed after the answer",
        "job stopped",
    ];
    for name in claimed.iter().chain(&quick) {
        assert!(met.contains_key(*name), "nobody met {name}: {met:?}");
    }
}

/// The same seed gives the same plan, and 400 plans cover every fault.
#[test]
fn the_plans_have_every_fault() {
    let plans: Vec<FaultPlan> = (0..400).map(|seed| storm::fault_plan(&storm::story(seed))).collect();
    assert_eq!(plans[7], storm::fault_plan(&storm::story(7)));
    let mut named: BTreeMap<&str, u32> = BTreeMap::new();
    for fault in plans.iter().flat_map(|fault_plan| fault_plan.faults.values()) {
        *named.entry(fault.name()).or_default() += 1;
    }
    assert_eq!(named.len(), 20, "{named:?}");
    for rival in [Rival::OtherFile, Rival::PageText, Rival::BetweenMarkers] {
        assert!(plans.iter().any(|fault_plan| fault_plan.rivals.values().any(|met| *met == rival)), "{rival:?}");
    }
}

/// Every mutation of the HTTP client still applies to the sources.
#[test]
fn every_mutation_still_applies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = std::fs::read_dir(root.join("tests/storm/mutations")).unwrap().collect();
    assert!(files.len() >= 7);
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut parts = text.split("=== ");
        let sentence = parts.next().unwrap().trim();
        assert!(sentence.ends_with('.'), "{sentence:?} says what it breaks");
        for part in parts {
            let (path, change) = part.split_once('\n').unwrap();
            let (old, new) = change.split_once("\n---\n").unwrap();
            let source = std::fs::read_to_string(root.join(path)).unwrap();
            assert_eq!(source.matches(old.trim_matches('\n')).count(), 1, "{sentence} does not fit {path}:\n{old}");
            assert_ne!(old.trim(), new.trim(), "{sentence}");
        }
    }
}
