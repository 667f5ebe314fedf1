//! Parsing webhook events from payloads in GitHub's shape.
//!
//! If `PLAY_BY_COMMIT_WEBHOOKS` is the directory of the npm package `@octokit/webhooks-examples`, a test also parses its real
//! payloads.

use std::collections::BTreeMap;
use std::path::Path;

use github::ParsedEvent;
use github::event::parse_event;
use protocol::Trigger;
use serde_json::{Value, json};
use table::CommentRef;
use testkit::payloads::{
    comment, issue, issue_comment, issues, person, pull_request, schedule, user, workflow_dispatch,
};

/// A comment ID beyond 32 bits, as real ones are.
const ID: u64 = 5_000_000_001;

/// Describes the result of parsing an event.
fn outcome(name: &str, payload: &str) -> String {
    match parse_event(name, payload) {
        Ok(ParsedEvent::Run(Trigger::Comment { source: CommentRef { issue, comment }, table })) => match table {
            Some(table) => format!("{issue}#{comment} for {table}"),
            None => format!("{issue}#{comment}"),
        },
        Ok(ParsedEvent::Run(Trigger::Sweep)) => "sweep".to_owned(),
        Ok(ParsedEvent::Run(trigger)) => format!("{trigger:?}"),
        Ok(ParsedEvent::Ignore(ignored)) => format!("{ignored:?}"),
        Err(why) => why.to_string(),
    }
}

#[track_caller]
fn check_outcome(name: &str, payload: &Value, expected: &str) {
    let text = payload.to_string();
    assert_eq!(outcome(name, &text), expected, "{name}: {text}");
}

/// Checks that an event is an error that contains these words and fits on one line of a log.
#[track_caller]
fn check_error(name: &str, payload: &str, words: &str) {
    let why = parse_event(name, payload).expect_err("it is no event that can be read").to_string();
    assert!(why.contains(words), "{why}");
    assert!(why.len() < 400 && !why.contains(['\n', '\r']), "{why}");
}

fn alice() -> Value {
    person("alice", 1001)
}

fn comment_with(text: &str) -> Value {
    issue_comment(
        "created",
        issue(7, alice(), json!("/new tic-tac-toe")),
        comment(ID, person("bob", 1002), json!(text)),
    )
}

#[test]
fn test_payloads_are_as_large_as_real_ones() {
    assert!(comment_with("b2").to_string().len() > 8_000);
}

#[test]
fn a_new_comment_triggers_a_run() {
    check_outcome("issue_comment", &comment_with("/move b2"), "7#5000000001");
    check_outcome("issue_comment", &comment_with("chat is read like anything else"), "7#5000000001");
    let largest = comment(u64::MAX, alice(), json!("b2"));
    check_outcome("issue_comment", &issue_comment("created", issue(u64::MAX, alice(), json!("")), largest), &{
        format!("{0}#{0}", u64::MAX)
    });
}

#[test]
fn a_comment_may_name_another_table() {
    check_outcome("issue_comment", &comment_with("/move #42 b2"), "7#5000000001 for 42");
    check_outcome("issue_comment", &comment_with("> /move #42 b2"), "7#5000000001");
    check_outcome("issues", &issues("opened", issue(8, alice(), json!("/move #42 b2"))), "8#0 for 42");
}

#[test]
fn a_new_issue_is_comment_0() {
    check_outcome("issues", &issues("opened", issue(3, alice(), json!("/new tic-tac-toe"))), "3#0");
    let form = "### Game\r\n\r\nTic-tac-toe\r\n\r\n### Opponent\r\n\r\n_No response_";
    check_outcome("issues", &issues("opened", issue(3, alice(), json!(form))), "3#0");
}

#[test]
fn ignores_actions_that_change_no_game() {
    for action in ["edited", "deleted", "pinned", "", "Created"] {
        let payload = issue_comment(action, issue(7, alice(), json!("")), comment(ID, alice(), json!("/move b2")));
        check_outcome("issue_comment", &payload, "Action");
    }
    for action in ["closed", "reopened", "labeled", "edited", "deleted", "transferred", "locked", "assigned", "created"]
    {
        check_outcome("issues", &issues(action, issue(7, alice(), json!("/new"))), "Action");
    }
    // A label of the host invites the bot.
    let mut labeled = issues("labeled", issue(7, alice(), json!("/new")));
    labeled["label"]["name"] = json!("games");
    check_outcome("issues", &labeled, "7#0");
    labeled["label"]["name"] = json!("looking-for-opponent");
    check_outcome("issues", &labeled, "Action");
    let mut payload = comment_with("/move b2");
    payload["action"] = Value::Null;
    check_outcome("issue_comment", &payload, "Action");
    payload.as_object_mut().unwrap().remove("action");
    check_outcome("issue_comment", &payload, "Action");
}

#[test]
fn ignores_bots_and_pull_requests() {
    let bot = user("github-actions[bot]", 41_898_282, "Bot");
    let by_bot = comment(ID, bot.clone(), json!("/move b2"));
    check_outcome("issue_comment", &issue_comment("created", issue(7, alice(), json!("")), by_bot.clone()), "Bot");
    check_outcome("issues", &issues("opened", issue(7, bot.clone(), json!("/new"))), "Bot");
    let on_pull =
        issue_comment("created", pull_request(7, alice(), json!("")), comment(ID, alice(), json!("/move b2")));
    check_outcome("issue_comment", &on_pull, "PullRequest");
    check_outcome(
        "issue_comment",
        &issue_comment("created", pull_request(7, alice(), json!("")), by_bot),
        "PullRequest",
    );
    // A person may comment in an issue that a bot opened.
    let in_bots_issue = issue_comment("created", issue(7, bot, json!("")), comment(ID, alice(), json!("/move b2")));
    check_outcome("issue_comment", &in_bots_issue, "7#5000000001");
    // Some servers have the field in issues, too.
    let mut plain = comment_with("/move b2");
    plain["issue"]["pull_request"] = Value::Null;
    check_outcome("issue_comment", &plain, "7#5000000001");
}

#[test]
fn accepts_null_fields() {
    let silent = issue_comment("created", issue(7, alice(), Value::Null), comment(ID, alice(), Value::Null));
    check_outcome("issue_comment", &silent, "7#5000000001");
    let gone = issue_comment("created", issue(7, Value::Null, Value::Null), comment(ID, Value::Null, json!("b2")));
    check_outcome("issue_comment", &gone, "7#5000000001");
    check_outcome("issues", &issues("opened", issue(7, Value::Null, Value::Null)), "7#0");
    check_outcome("issues", &json!({ "action": "opened", "issue": { "number": 7 } }), "7#0");
}

#[test]
fn the_schedule_and_a_manual_run_trigger_a_sweep() {
    for inputs in [Value::Null, json!({}), json!({ "other": "7" })] {
        check_outcome("workflow_dispatch", &workflow_dispatch(inputs), "sweep");
    }
    check_outcome("schedule", &schedule(), "sweep");
}

#[test]
fn reports_other_events_to_the_host() {
    for name in ["push", "pull_request", "discussion_comment", "issue_comments", ""] {
        check_error(name, &comment_with("/move b2").to_string(), "games don't use the event `");
    }
    check_error("a\n::error::b%0A", "{}", "`aerrorb0A`");
    check_error(&"x".repeat(100_000), "{}", &format!("`{}`", "x".repeat(40)));
}

#[test]
fn reports_an_invalid_payload_to_the_host() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_number = format!(r#"{{"action":"created","issue":{{"number":{deep}}}}}"#);
    let mut texts =
        vec!["", "{", "[1,2", "null", "7", "\"created\"", "{\"action\":7}", "\u{feff}{}", &deep, &deep_number];
    let cut = comment_with("/move b2").to_string();
    texts.extend((1..cut.len()).step_by(97).map(|end| &cut[..end]));
    for text in texts {
        for name in ["issue_comment", "issues"] {
            check_error(name, text, "the event file can't be read: ");
        }
    }
    // Unused fields may be nested deeply.
    let unused_and_deep = format!(r#"{{"x":{deep},"action":"opened","issue":{{"pull_request":{deep},"number":1}}}}"#);
    assert_eq!(outcome("issues", &unused_and_deep), "PullRequest");
    check_error("issue_comment", "{}", "no issue or no comment");
    check_error(
        "issue_comment",
        &issues("created", issue(7, alice(), json!(""))).to_string(),
        "no issue or no comment",
    );
    check_error("issues", "{}", "no issue");
    for wrong in [json!(-7), json!("7"), json!(7.5), Value::Null] {
        let mut payload = comment_with("/move b2");
        payload["issue"]["number"] = wrong.clone();
        check_error("issue_comment", &payload.to_string(), "can't be read");
        let mut payload = comment_with("/move b2");
        payload["comment"]["id"] = wrong;
        check_error("issue_comment", &payload.to_string(), "can't be read");
    }
}

/// Skipped unless `PLAY_BY_COMMIT_WEBHOOKS` is set.
#[test]
fn parses_real_payloads() {
    let Some(dir) = std::env::var_os("PLAY_BY_COMMIT_WEBHOOKS") else { return };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut hosts = 0;
    for host in std::fs::read_dir(Path::new(&dir)).expect("PLAY_BY_COMMIT_WEBHOOKS is a directory") {
        let index = host.unwrap().path().join("index.json");
        if !index.is_file() {
            continue;
        }
        hosts += 1;
        let events: Value = serde_json::from_str(&std::fs::read_to_string(&index).unwrap()).unwrap();
        for event in events.as_array().unwrap() {
            let name = event["name"].as_str().unwrap();
            for example in event["examples"].as_array().unwrap() {
                check_real_payload(name, example);
                *seen.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    let all: usize = seen.values().sum();
    let of = |name: &str| seen.get(name).copied().unwrap_or_default();
    println!("{hosts} hosts, {all} payloads, {} of issue_comment, {} of issues", of("issue_comment"), of("issues"));
    assert!(hosts >= 6 && all >= 700 && of("issue_comment") >= 20 && of("issues") >= 40, "there are too few: {seen:?}");
}

/// Checks the result of parsing a real payload against an independent reading of it.
fn check_real_payload(name: &str, payload: &Value) {
    let text = payload.to_string();
    // An unknown name must not stop the run.
    for other in ["issue_comment", "issues", "workflow_dispatch", "schedule", name] {
        drop(parse_event(other, &text));
    }
    let issue = &payload["issue"]["number"];
    let (new_actions, place, author): (&[&str], _, _) = match name {
        "issue_comment" => (&["created"], format!("{issue}#{}", payload["comment"]["id"]), &payload["comment"]["user"]),
        // None of the labels are the bot's.
        "issues" => (&["opened", "labeled"], format!("{issue}#0"), &payload["issue"]["user"]),
        "workflow_dispatch" => return check_outcome(name, payload, "sweep"),
        _ => return check_error(name, &text, "games don't use the event `"),
    };
    let expected = match payload["action"].as_str() {
        Some(action) if !new_actions.contains(&action) => "Action",
        _ if payload["issue"].get("pull_request").is_some() => "PullRequest",
        _ if author["type"] == "Bot" => "Bot",
        _ => &place,
    };
    check_outcome(name, payload, expected);
}
