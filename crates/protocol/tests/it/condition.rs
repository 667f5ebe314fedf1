//! Evaluates the `if:` of the workflow's job as GitHub does. A comment that the bot answers has to start a job.
//!
//! Supports the parts of
//! [GitHub's expressions](https://docs.github.com/en/actions/reference/workflows-and-actions/expressions) that the `if:` uses.

use protocol::Trigger;
use protocol::settle::settle;
use serde_json::{Value, json};
use testkit::place;
use testkit::world::{World, default_config, run};

const WORKFLOW: &str = include_str!("../../../setup/src/play.yml");
/// What starts a job, and what doesn't. `.ci/gate.mjs` checks the same list with GitHub's own parser of expressions.
const EVENTS: &str = include_str!("../../../../.ci/gate.json");

/// Whether a comment, or an opened issue if `comment` is `None`, starts a job.
pub(crate) fn starts_job(comment: Option<&str>, issue: &Value) -> bool {
    let event = json!({
        "event_name": if comment.is_some() { "issue_comment" } else { "issues" },
        "event": { "sender": { "type": "User" }, "comment": { "body": comment }, "issue": issue },
    });
    let lines = WORKFLOW.lines().skip_while(|line| line.trim() != "if: >-").skip(1);
    let condition: Vec<&str> = lines.take_while(|line| line.starts_with("      ")).map(str::trim).collect();
    let condition = condition.join(" ");
    let mut parser = Parser { rest: &condition, github: &event };
    let value = parser.parse_or();
    assert_eq!(parser.rest.trim(), "", "the whole condition is parsed");
    is_truthy(&value)
}

struct Parser<'a> {
    rest: &'a str,
    github: &'a Value,
}

impl Parser<'_> {
    fn skip(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes characters while `part` holds.
    fn take(&mut self, part: impl Fn(char) -> bool) -> String {
        let rest = self.rest.trim_start();
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.rest = &rest[end..];
        rest[..end].to_owned()
    }

    fn parse_or(&mut self) -> Value {
        let mut value = self.parse_and();
        while self.skip("||") {
            let other = self.parse_and();
            value = if is_truthy(&value) { value } else { other };
        }
        value
    }

    fn parse_and(&mut self) -> Value {
        let mut value = self.parse_comparison();
        while self.skip("&&") {
            let other = self.parse_comparison();
            value = if is_truthy(&value) { other } else { value };
        }
        value
    }

    fn parse_comparison(&mut self) -> Value {
        let value = self.parse_operand();
        if self.skip("==") {
            json!(to_text(&value) == to_text(&self.parse_operand()))
        } else if self.skip("!=") {
            json!(to_text(&value) != to_text(&self.parse_operand()))
        } else {
            value
        }
    }

    fn parse_operand(&mut self) -> Value {
        if self.skip("!") {
            return json!(!is_truthy(&self.parse_operand()));
        }
        if self.skip("(") {
            let value = self.parse_or();
            assert!(self.skip(")"), "{}", self.rest);
            return value;
        }
        if self.skip("'") {
            let text = self.take(|c| c != '\'');
            assert!(self.skip("'"), "{}", self.rest);
            return json!(text);
        }
        let name = self.take(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '*'));
        if !self.skip("(") {
            return self.look_up(&name);
        }
        let first = self.parse_or();
        let second = self.skip(",").then(|| self.parse_or());
        assert!(self.skip(")"), "{}", self.rest);
        match (name.as_str(), second) {
            ("contains", Some(item)) => match &first {
                Value::Array(items) => json!(items.iter().any(|known| to_text(known) == to_text(&item))),
                text => json!(to_text(text).contains(&to_text(&item))),
            },
            ("startsWith", Some(start)) => json!(to_text(&first).starts_with(&to_text(&start))),
            ("fromJSON", None) => serde_json::from_str(first.as_str().unwrap()).unwrap(),
            (other, _) => panic!("{other}?"),
        }
    }

    fn look_up(&self, name: &str) -> Value {
        let path = name.strip_prefix("github.").unwrap_or_else(|| panic!("{name}?"));
        let (path, item) = path.split_once(".*.").map_or((path, None), |(path, item)| (path, Some(item)));
        let value = path.split('.').fold(self.github, |value, key| &value[key]);
        match item {
            Some(item) => value.as_array().into_iter().flatten().map(|one| one[item].clone()).collect(),
            None => value.clone(),
        }
    }
}

/// Returns a value as GitHub compares it: in lowercase, and `null` as an empty text.
fn to_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.to_lowercase(),
        other => other.to_string(),
    }
}

fn is_truthy(value: &Value) -> bool {
    !matches!(to_text(value).as_str(), "" | "false" | "0")
}

#[test]
fn starts_the_jobs_of_the_list() {
    for event in events() {
        let is_bot = event["bot"] == true;
        let starts = !is_bot && starts_job(event["comment"].as_str(), &issue_of(&event));
        assert_eq!(json!(starts), event["starts"], "{event}");
    }
    for text in ["Nice!", "e4", "yes", "I'd write\n\n  /usr/bin", "and/or", "see a/b"] {
        let issue = json!({ "body": "It crashes.", "title": "A bug", "labels": [{ "name": "bug" }] });
        assert!(!starts_job(Some(text), &issue), "{text}");
    }
}

/// What starts no job must not be answered by the job of a later comment either.
#[test]
fn answers_only_what_starts_a_job() {
    for event in events().filter(|event| event["bot"] != true && event["pullRequest"] != true) {
        let is_table = issue_of(&event)["labels"].as_array().unwrap().len() > 1;
        if is_table {
            continue;
        }
        let world = World::new();
        let body = event.get("body").map_or("It broke.", |body| body.as_str().unwrap_or_default());
        let is_comment = event.get("comment").is_some();
        world.open_issue("alice", if is_comment { "It broke." } else { body });
        world.issue(1, |issue| issue.title = event["title"].as_str().unwrap_or("A bug").to_owned());
        let comment = event["comment"].as_str().map_or(0, |text| world.comment(1, "alice", text));
        let source = place(1, comment);
        run(settle(&world, &default_config(), Trigger::Comment { source, table: None })).unwrap().unwrap();
        assert!(event["starts"] == true || world.answers(1).is_empty(), "{event}: {:?}", world.answers(1));
    }
}

fn events() -> impl Iterator<Item = Value> {
    let events: Vec<Value> = serde_json::from_str(EVENTS).unwrap();
    events.into_iter()
}

fn issue_of(event: &Value) -> Value {
    let labels = event.get("labels").cloned().unwrap_or(json!(["bug"]));
    let labels: Vec<Value> = labels.as_array().unwrap().iter().map(|name| json!({ "name": name })).collect();
    let body = event.get("body").cloned().unwrap_or(json!("It broke."));
    let mut issue =
        json!({ "title": event.get("title").cloned().unwrap_or(json!("A bug")), "body": body, "labels": labels });
    if event["pullRequest"] == true {
        issue["pull_request"] = json!({ "url": "..." });
    }
    issue
}
