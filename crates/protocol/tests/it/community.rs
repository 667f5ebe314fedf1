//! Boards on pages: people read a README, click its links and play, several of them at once.
//!
//! The tests use the same path as people. They parse the page as Markdown, follow a link to the form that it fills in, post the
//! form as an issue, and trigger the bot with the issue's webhook.

mod crowds;
mod damage;
mod links;
mod listing;
mod moving;
mod rivals;
mod standings;
mod sweep;
mod tiles;

use std::collections::BTreeMap;
use std::ops::Deref;

use answers::{Links, Marker, block, ranking_table};
use games::GameKind;
use github::{ParsedEvent, event};
use protocol::{Report, Trigger};
use serde_json::{Value, json};
use testkit::world::{Request, World};
use testkit::{Form, Page, Part, Scenario, forms, payloads, place};

/// The links of the pages in the fake GitHub.
const LINKS: Links<'static> = Links {
    server: "https://github.example",
    repository: "host/games",
    branch: "HEAD",
    state_dir: "state",
    use_form: false,
};

/// A seeded random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % limit as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A repository with a README that the bot fills.
struct TestRepo(Scenario);

impl Deref for TestRepo {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        &self.0
    }
}

impl TestRepo {
    /// Creates a repository with this README.
    fn new(readme: &str) -> TestRepo {
        let scenario = Scenario::new();
        scenario.land(&[("README.md", readme)]);
        TestRepo(scenario)
    }

    #[track_caller]
    fn settle(&self, trigger: Trigger) -> Report {
        self.try_run(trigger).expect("the run ends").expect("the run succeeds")
    }

    #[track_caller]
    fn sweep(&self) -> Report {
        self.settle(Trigger::Sweep)
    }

    /// Opens an issue and runs the bot. Returns the issue and the report.
    #[track_caller]
    fn open_issue(&self, login: &str, body: &str) -> (u64, Report) {
        let issue = self.world.open_issue(login, body);
        (issue, self.settle(trigger_for_issue(&self.world, issue)))
    }

    /// Comments and runs the bot. Returns the comment and the report.
    #[track_caller]
    fn comment(&self, issue: u64, login: &str, text: &str) -> (u64, Report) {
        let comment = self.world.comment(issue, login, text);
        (comment, self.settle(trigger_for_comment(&self.world, issue, comment)))
    }

    /// Returns the README at the head.
    fn readme(&self) -> String {
        self.world.file("README.md").expect("there is a README")
    }

    /// Returns the record of a table as JSON.
    #[track_caller]
    fn json(&self, number: u64) -> Value {
        serde_json::from_str(&self.record(number)).unwrap()
    }

    /// Returns the rankings at the head.
    fn rankings(&self) -> BTreeMap<String, String> {
        let at_head = |path: String| Some((path.clone(), self.world.file(&format!("state/{path}"))?));
        ::standings::ranking_paths().into_iter().filter_map(at_head).collect()
    }

    /// Returns what the block of a table should be.
    #[track_caller]
    fn expected_block(&self, number: u64) -> String {
        block::block(&self.table(number), &LINKS).text
    }

    /// Returns what the standings on a page should be.
    fn expected_ranking(&self, kind: Option<GameKind>) -> String {
        ranking_table::markdown(&self.rankings(), kind.map(|kind| kind.info().name), 10)
    }

    /// Returns the links of the README that play a move.
    #[track_caller]
    fn move_links(&self) -> Vec<Form> {
        let moves = forms(&self.readme(), &LINKS).into_iter().filter(|form| form.command().starts_with("/move "));
        moves.collect()
    }

    /// Returns the link of the README that plays this move.
    #[track_caller]
    fn move_link(&self, notation: &str) -> Form {
        let all = self.move_links();
        let form = all.iter().find(|form| form.command().starts_with(&format!("/move {notation} #")));
        form.unwrap_or_else(|| panic!("no link for {notation}: {all:#?}")).clone()
    }

    /// Clicks a link, presses the green button and runs the bot.
    #[track_caller]
    fn press(&self, login: &str, form: &Form) -> (u64, Report) {
        self.open_issue(login, &form.posted())
    }

    /// Returns the number of events in a record.
    #[track_caller]
    fn event_count(&self, number: u64) -> usize {
        self.json(number)["history"].as_array().unwrap().len()
    }

    /// Returns the login at the seat to move.
    #[track_caller]
    fn player_to_move(&self, number: u64) -> Option<String> {
        let json = self.json(number);
        let seat = json["currentPlayer"].as_str().unwrap();
        json["seats"][seat]["login"].as_str().map(str::to_owned)
    }

    /// Whether an issue is closed.
    fn is_closed(&self, issue: u64) -> bool {
        self.world.with_state(|state| state.issues[&issue].closed)
    }

    /// Checks that an issue that held one command has one answer and is closed. Returns the answer.
    #[track_caller]
    fn only_answer(&self, issue: u64) -> (Marker, String) {
        let answers = self.world.answers(issue);
        assert_eq!(answers.len(), 1, "{answers:#?}");
        let marker = Marker::parse(&answers[0]).expect("a marker");
        assert_eq!(marker.source, place(issue, 0));
        assert!(self.is_closed(issue), "issue {issue} is closed");
        self.check_pictures(&answers[0]);
        (marker, answers[0].clone())
    }

    /// Checks that each picture in an answer exists at the commit in its URL.
    #[track_caller]
    fn check_pictures(&self, answer: &str) {
        // The docs are linked at their newest commit.
        for part in answer.split("/blob/").skip(1).filter(|part| !part.starts_with("HEAD/docs/")) {
            let (oid, rest) = part.split_at(40);
            let (path, _) = rest[1..].split_once("?raw=true)").expect("a picture is linked with `raw=true`");
            let there = self.world.with_state(|state| state.commits[oid].files.contains_key(path));
            assert!(there, "{path} is not in the commit that the answer links");
        }
    }

    /// Returns the requests since the log was cleared.
    fn requests(&self) -> Vec<Request> {
        self.world.log().iter().map(|entry| entry.request).collect()
    }
}

/// Returns the trigger of a new issue, by way of its webhook.
#[track_caller]
fn trigger_for_issue(world: &World, issue: u64) -> Trigger {
    let (login, body) = world.with_state(|state| {
        let body = &state.issues[&issue].body;
        (body.author.clone().unwrap(), body.text.clone())
    });
    let opener = payloads::person(&login, world.id_of(&login));
    let payload = payloads::issues("opened", payloads::issue(issue, opener, json!(body))).to_string();
    expect_trigger("issues", &payload)
}

#[track_caller]
fn expect_trigger(name: &str, payload: &str) -> Trigger {
    match event::parse_event(name, payload) {
        Ok(ParsedEvent::Run(trigger)) => trigger,
        other => panic!("it triggers the bot, but {other:?}"),
    }
}

/// Returns the trigger of a new comment, by way of its webhook.
#[track_caller]
fn trigger_for_comment(world: &World, issue: u64, comment: u64) -> Trigger {
    let (opener, body, author, text) = world.with_state(|state| {
        let issue = &state.issues[&issue];
        let note = issue.comments.iter().find(|note| note.id == comment).unwrap();
        let body = issue.body.clone();
        (body.author.unwrap(), body.text, note.author.clone().unwrap(), note.text.clone())
    });
    let person = |login: &str| payloads::person(login, world.id_of(login));
    let said = payloads::comment(comment, person(&author), json!(text));
    let payload = payloads::issue_comment("created", payloads::issue(issue, person(&opener), json!(body)), said);
    expect_trigger("issue_comment", &payload.to_string())
}

/// Returns every file in the state directory at the head, by its path there.
fn state_files(world: &World) -> BTreeMap<String, String> {
    let head = world.head().expect("a head").to_string();
    let files = world.with_state(|state| state.commits[&head].files.clone());
    let below = files.iter().filter_map(|(path, text)| Some((path.strip_prefix("state/")?.to_owned(), text.clone())));
    below.collect()
}
