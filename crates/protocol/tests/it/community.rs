//! What people do with boards on pages: they read a README, press one of its links, and play, many of them at once.
//!
//! Everything goes through the doors that people use. A page is read as the Markdown that it is, a link is followed to the
//! form that it fills in, the form becomes an issue, and the issue's webhook wakes the bot.

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

use answers::marker::Marker;
use answers::pages::block;
use answers::pages::links::Links;
use answers::pages::ranking_table;
use games::registry::GameKind;
use github::event;
use protocol::ledger::Report;
use protocol::repo_config::Trigger;
use serde_json::{Value, json};
use testkit::browser::{Form, forms};
use testkit::page::{Page, Part};
use testkit::payloads;
use testkit::scenario::Scenario;
use testkit::world::{Request, World};

/// Where the links of the pages in memory point.
const LINKS: Links<'static> =
    Links { server: "https://github.example", repository: "host/games", branch: "HEAD", state_dir: "state" };

/// Numbers that are the same for the same seed everywhere (splitmix64).
struct Chance(u64);

impl Chance {
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

/// A repository with a page in it, and its bot.
struct Town(Scenario);

impl Deref for Town {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        &self.0
    }
}

impl Town {
    /// A repository with this README.
    fn new(readme: &str) -> Town {
        let scenario = Scenario::new();
        scenario.land(&[("README.md", readme)]);
        Town(scenario)
    }

    #[track_caller]
    fn settled(&self, wake: Trigger) -> Report {
        self.wake(wake).expect("the run ends").expect("the run succeeds")
    }

    #[track_caller]
    fn sweep(&self) -> Report {
        self.settled(Trigger::Sweep)
    }

    /// Somebody opens an issue, and the bot is woken.
    #[track_caller]
    fn opens(&self, login: &str, body: &str) -> (u64, Report) {
        let issue = self.world.open_issue(login, body);
        (issue, self.settled(opened(&self.world, issue)))
    }

    /// Somebody comments, and the bot is woken.
    #[track_caller]
    fn says(&self, issue: u64, login: &str, text: &str) -> (u64, Report) {
        let comment = self.world.comment(issue, login, text);
        (comment, self.settled(commented(&self.world, issue, comment)))
    }

    /// The README at the head.
    fn readme(&self) -> String {
        self.world.file("README.md").expect("there is a README")
    }

    /// The record as plain JSON.
    #[track_caller]
    fn json(&self, number: u64) -> Value {
        serde_json::from_str(&self.record(number)).unwrap()
    }

    /// The rankings at the head.
    fn rankings(&self) -> BTreeMap<String, String> {
        let at_head = |path: String| Some((path.clone(), self.world.file(&format!("state/{path}"))?));
        ::standings::ranking_paths().into_iter().filter_map(at_head).collect()
    }

    /// What the block of a table should be.
    #[track_caller]
    fn block(&self, number: u64) -> String {
        block::block(&self.table(number), &LINKS).text
    }

    /// What the standings on a page should be.
    fn ranking(&self, kind: Option<GameKind>) -> String {
        ranking_table::markdown(&self.rankings(), kind.map(|kind| kind.info().name), 10)
    }

    /// The links on the README that play a move at a table.
    #[track_caller]
    fn offered(&self) -> Vec<Form> {
        let moves = forms(&self.readme(), &LINKS).into_iter().filter(|form| form.command().starts_with("/move "));
        moves.collect()
    }

    /// The link on the README that plays this very move.
    #[track_caller]
    fn link(&self, notation: &str) -> Form {
        let all = self.offered();
        let form = all.iter().find(|form| form.command().starts_with(&format!("/move {notation} #")));
        form.unwrap_or_else(|| panic!("no link for {notation}: {all:#?}")).clone()
    }

    /// Somebody presses a link and then the green button; the bot is woken.
    #[track_caller]
    fn press(&self, login: &str, form: &Form) -> (u64, Report) {
        self.opens(login, &form.posted())
    }

    /// How many events the record of a table has.
    #[track_caller]
    fn events(&self, number: u64) -> usize {
        self.json(number)["history"].as_array().unwrap().len()
    }

    /// The login of whoever sits where it is to be moved.
    #[track_caller]
    fn on_turn(&self, number: u64) -> Option<String> {
        let json = self.json(number);
        let seat = json["currentPlayer"].as_str().unwrap();
        json["seats"][seat]["login"].as_str().map(str::to_owned)
    }

    /// Whether an issue was closed.
    fn is_closed(&self, issue: u64) -> bool {
        self.world.look(|state| state.issues[&issue].closed)
    }

    /// An issue that was opened by a link, or for one command, has one answer, and is closed. Gives the answer.
    #[track_caller]
    fn one_answer(&self, issue: u64) -> (Marker, String) {
        let answers = self.world.answers(issue);
        assert_eq!(answers.len(), 1, "{answers:#?}");
        let marker = Marker::parse(&answers[0]).expect("a marker");
        assert_eq!((marker.source.issue, marker.source.comment), (issue, 0));
        assert!(self.is_closed(issue), "issue {issue} is closed");
        self.pictures_are_there(&answers[0]);
        (marker, answers[0].clone())
    }

    /// Each picture that an answer links is in the commit that it links.
    #[track_caller]
    fn pictures_are_there(&self, answer: &str) {
        for part in answer.split("/blob/").skip(1) {
            let (oid, rest) = part.split_at(40);
            let (path, _) = rest[1..].split_once("?raw=true)").expect("a picture is linked as it lies there");
            let there = self.world.look(|state| state.commits[oid].files.contains_key(path));
            assert!(there, "{path} is not in the commit that the answer links");
        }
    }

    /// How many requests of each kind there were since the log was cleared.
    fn requests(&self) -> Vec<Request> {
        self.world.log().iter().map(|entry| entry.request).collect()
    }
}

/// What the webhook of a new issue wakes.
#[track_caller]
fn opened(world: &World, issue: u64) -> Trigger {
    let (login, body) = world.look(|state| {
        let body = &state.issues[&issue].body;
        (body.author.clone().unwrap(), body.text.clone())
    });
    let opener = payloads::person(&login, world.id_of(&login));
    let payload = payloads::issues("opened", payloads::issue(issue, opener, json!(body))).to_string();
    event::parse_event("issues", &payload).unwrap().expect("it wakes the bot")
}

/// What the webhook of a new comment wakes.
#[track_caller]
fn commented(world: &World, issue: u64, comment: u64) -> Trigger {
    let (opener, author, text) = world.look(|state| {
        let issue = &state.issues[&issue];
        let note = issue.comments.iter().find(|note| note.id == comment).unwrap();
        (issue.body.author.clone().unwrap(), note.author.clone().unwrap(), note.text.clone())
    });
    let person = |login: &str| payloads::person(login, world.id_of(login));
    let said = payloads::comment(comment, person(&author), json!(text));
    let payload = payloads::issue_comment("created", payloads::issue(issue, person(&opener), json!("")), said);
    event::parse_event("issue_comment", &payload.to_string()).unwrap().expect("it wakes the bot")
}

/// Every file at the head below the state directory, by its path there.
fn state_files(world: &World) -> BTreeMap<String, String> {
    let head = world.head().expect("a head").to_string();
    let files = world.look(|state| state.commits[&head].files.clone());
    let below = files.iter().filter_map(|(path, text)| Some((path.strip_prefix("state/")?.to_owned(), text.clone())));
    below.collect()
}
