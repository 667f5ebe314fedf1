//! The sentences of a host: each error and each note, word for word.

use std::fmt::Write;
use std::time::Duration;

use protocol::{
    GiveUpReason, HostError, HostNote, PageProblem, Remedy, SettleError, SweepFailure, error_text, note_text,
    note_texts,
};
use table::{CommentId, IssueNumber, Oid, Timestamp};
use testkit::place;

#[test]
fn every_error_and_note_has_its_sentence() {
    let issue = IssueNumber::new(7);
    let path = || "state/7.json".to_owned();
    let missing = HostError::MissingRecord { path: path(), issue, commit: Oid::parse(&"a".repeat(40)).unwrap() };
    let damaged = HostError::DamagedRecord { path: path(), why: "`round` is missing".to_owned() };
    let request = |remedy| SettleError::HostMustAct(HostError::with_remedy("GitHub said no.", remedy));
    let busy = || "GitHub asked the bot to wait: slow down".to_owned();
    let failure = |issue| SweepFailure { issue, error: SettleError::GaveUp(GiveUpReason::NoProgress) };
    let errors = [
        SettleError::HostMustAct(HostError::new("The repository is archived.")),
        request(Remedy::Token),
        request(Remedy::Permissions),
        request(Remedy::PermissionsOrToken),
        request(Remedy::OwnBranch),
        SettleError::HostMustAct(damaged.clone()),
        SettleError::HostMustAct(missing),
        SettleError::RetryAfter { at: Timestamp::EPOCH, why: busy() },
        SettleError::GaveUp(GiveUpReason::Unreachable("GitHub had a problem".to_owned())),
        SettleError::GaveUp(GiveUpReason::NoProgress),
        SettleError::GaveUp(GiveUpReason::SlowReads),
        SettleError::Sweep(vec![failure(Some(issue)), failure(None)]),
    ];
    let page = |problem| HostNote::Page { path: "README.md".to_owned(), problem };
    let notes = [
        HostNote::ShareUsed(issue),
        HostNote::RateLimited(busy()),
        HostNote::CommandLimit,
        HostNote::PersonLimit,
        HostNote::TooManyIssues,
        HostNote::IssuesWait(1),
        HostNote::IssuesWait(40),
        HostNote::WrongClock { by: Duration::from_secs(90_000), is_ahead: true },
        HostNote::Unanswerable(issue, "it is locked".to_owned()),
        HostNote::NotAssigned(issue, "bob".to_owned()),
        page(PageProblem::Missing),
        page(PageProblem::Unreadable("README.md is binary".to_owned())),
        page(PageProblem::Marker("Line 3: This marker is unknown.".to_owned())),
        HostNote::ThroughIsTooHigh { path: path(), settled_through: CommentId::new(9_000), source: place(7, 8_000) },
        HostNote::RefusedForRecord(issue, damaged),
        HostNote::DamagedAway {
            path: "state/away/1002.json".to_owned(),
            why: "it isn't a list of times away".to_owned(),
        },
        HostNote::LostSecret(issue),
        HostNote::NotCounted(issue, "`players/7.json` is damaged".to_owned()),
    ];
    let mut sentences = String::new();
    for sentence in errors.iter().map(error_text).chain(notes.iter().map(note_text)) {
        writeln!(sentences, "{sentence}").unwrap();
    }
    expect_test::expect_file!["host_text/sentences.txt"].assert_eq(&sentences);
}

#[test]
fn names_each_cause_once() {
    let issues = || (1..=26).map(IssueNumber::new);
    let notes: Vec<HostNote> = issues().map(HostNote::LostSecret).chain([HostNote::CommandLimit]).collect();
    let texts = note_texts(&notes);
    assert_eq!(texts.len(), 2, "{texts:?}");
    let others = "The same goes for issues 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 15 more";
    assert!(texts[0].starts_with("table 1 can't roll its dice") && texts[0].ends_with(others), "{}", texts[0]);
    // A changed `state-dir` loses every record.
    let missing = |issue| {
        let commit = Oid::parse(&format!("{:040x}", u64::from(issue == IssueNumber::new(1)))).unwrap();
        HostError::MissingRecord { path: format!("games/{issue}.json"), issue, commit }
    };
    let error = |issue| SettleError::HostMustAct(missing(issue));
    let failures = issues().take(2).map(|issue| SweepFailure { issue: Some(issue), error: error(issue) });
    let other = SweepFailure { issue: None, error: SettleError::GaveUp(GiveUpReason::NoProgress) };
    let text = error_text(&SettleError::Sweep(failures.chain([other]).collect()));
    assert_eq!((text.matches("is missing").count(), text.matches("no progress").count()), (1, 1), "{text}");
    assert!(text.contains("the input `state-dir`") && text.contains(". The same goes for issue 2; "), "{text}");
}
