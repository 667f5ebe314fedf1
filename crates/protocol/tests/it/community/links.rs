//! Whole games played by the links of a README, and the links after the end.

use answers::Links;
use games::GameKind;
use protocol::Report;
use table::dice::parse_secret;
use testkit::short_or_long;
use testkit::world::Request;

use super::{LINKS, Page, Part, Random, TestRepo, trigger_for_issue};
use testkit::{Form, forms, pictures};

/// A number of clicks above that of any game.
const MAX_CLICKS: usize = 2_500;
const PEOPLE: [&str; 5] = ["alice", "bob", "carol", "dave_octo", "erin"];

/// A page with all kinds of awkward Markdown.
fn page(crlf: bool) -> Page {
    let begin = "# {{ my }} games \u{1f3b2}\n\nLinkGame {0} with ${{ us }}:   \n\n```html\n<!-- play-by-commit:table 1 -->\n\
                 <!-- /play-by-commit:table -->\n```\n\nWrite `<!-- play-by-commit:table 1 -->` for a board.\n\n";
    let middle =
        "\n\n| a | b |\n| - | - |\n| [x](https://github.example/host/games/issues/new/choose) | `\\` |\n\n## Best\n\n";
    let end = "\n\n    <!-- play-by-commit:standings -->\n\n<!-- another comment -->\nNo line end at the end";
    let ranked = Part::Standings(Some(GameKind::from_name("tic-tac-toe").unwrap()));
    let parts = vec![
        Part::Text(begin),
        Part::Table(1),
        Part::Text(middle),
        Part::Standings(None),
        Part::Text("\n\n***\n\n"),
        ranked,
        Part::Text("\n\nOnce more:\n\n"),
        Part::Table(1),
        Part::Text(end),
    ];
    Page { parts, crlf }
}

/// A game at table 1, played only by the links of the README.
struct LinkGame {
    repo: TestRepo,
    page: Page,
    /// Whether a result has been counted, so that the standings are on the page.
    ranked: bool,
    random: Random,
    open: bool,
}

impl LinkGame {
    #[track_caller]
    fn start(setup: &str, crlf: bool, seed: u64) -> LinkGame {
        let page = page(crlf);
        let mut repo = TestRepo::new(&page.fresh());
        repo.0.config.policy.dice_secret =
            (seed % 2 == 1).then(|| parse_secret("nobody would ever guess this").unwrap());
        let (issue, report) = repo.open_issue("alice", &format!("/new {setup}"));
        assert_eq!((issue, report.applied), (1, 1));
        let open = repo.json(1)["open"].is_object();
        let play = LinkGame { repo, page, ranked: false, random: Random(seed), open };
        play.check_page();
        play
    }

    /// Checks that the README shows the record at the head between its markers, and is unchanged everywhere else.
    #[track_caller]
    fn check_page(&self) {
        let (block, round) = (self.repo.expected_block(1), self.repo.json(1)["round"].clone());
        let standings = |kind| self.ranked.then(|| self.repo.expected_ranking(kind));
        let expected = self.page.with(|_| Some(block.clone()), standings);
        assert_eq!(self.repo.readme(), expected);
        for address in pictures(&expected) {
            let path = address.strip_prefix("https://github.example/host/games/").expect("a picture of ours");
            let path = match path.strip_prefix("raw/HEAD/") {
                // A tile's content never changes, so it needs no version.
                Some(tile) => tile,
                None => {
                    let path = path.strip_prefix("blob/HEAD/").expect("on the default branch");
                    let (path, version) = path.split_once("?raw=true&v=").expect("raw, with a version");
                    assert_eq!(version, format!("{round}.{}", self.repo.event_count(1)));
                    path
                }
            };
            assert!(self.repo.world.file(path).is_some(), "{path} is there");
        }
    }

    /// Returns somebody who may move now and somebody who may not, if there is one.
    fn people(&mut self) -> (String, Option<String>) {
        if !self.open {
            let may = self.repo.player_to_move(1).expect("both are seated or named");
            let others: Vec<&str> = PEOPLE.into_iter().filter(|login| *login != may).collect();
            let may_not = (*self.random.pick(&others)).to_owned();
            return (may, Some(may_not));
        }
        let json = self.repo.json(1);
        let last = json["history"].as_array().unwrap().iter().rev().find(|event| event["notation"].is_string());
        let last = last.map(|event| event["by"].as_u64().unwrap());
        let (lately, others): (Vec<&str>, Vec<&str>) =
            PEOPLE.iter().partition(|login| Some(self.repo.world.id_of(login)) == last);
        ((*self.random.pick(&others)).to_owned(), lately.first().map(|login| (*login).to_owned()))
    }

    /// Clicks a link for somebody who may not move. Checks that the bot refuses, closes the issue and changes nothing.
    #[track_caller]
    fn click_refused(&self, login: &str, form: &Form) {
        let (head, page) = (self.repo.world.head(), self.repo.readme());
        self.repo.world.clear_log();
        let (issue, report) = self.repo.press(login, form);
        assert_eq!(report, Report { refused: 1, ..Report::default() });
        let requests = [Request::Read, Request::React, Request::Answer];
        assert_eq!(self.repo.requests(), requests);
        let (marker, answer) = self.repo.only_answer(issue);
        assert_eq!((marker.table.get(), marker.commit), (1, None));
        let why = match (self.open, login) {
            (true, _) => &["You made the last move. Wait"][..],
            (false, "alice" | "bob") => &["It isn't your turn"],
            (false, _) => &["You aren't playing in this game", "is reserved for **bob**"],
        };
        assert!(why.iter().any(|why| answer.contains(why)), "{answer}");
        assert_eq!((self.repo.world.head(), self.repo.readme()), (head, page));
    }

    /// Clicks a link that changes the table. Checks the requests, the commit, the answer and the page. Returns the answer.
    #[track_caller]
    fn click_accepted(&mut self, login: &str, form: &Form) -> String {
        let LinkGame { repo, .. } = self;
        let (commits, own) = (repo.world.headlines().len(), repo.world.answers(1).len());
        let counted = repo.json(1)["counted"].is_u64();
        let closed = repo.world.with_state(|state| state.issues[&1].closed);
        repo.world.clear_log();
        let (issue, report) = repo.press(login, form);
        assert_eq!(report, Report { applied: 1, ..Report::default() }, "{form:?}");
        let over = !counted && repo.json(1)["counted"].is_u64();
        let mut wanted = vec![Request::Read, Request::Commit, Request::Answer];
        if over {
            wanted.insert(1, Request::Files);
        }
        // A rematch reopens the issue of its table.
        wanted.extend(closed.then_some(Request::Reopen));
        assert_eq!(repo.requests(), wanted, "three requests; four when a result is counted");
        let headlines = repo.world.headlines();
        assert_eq!(headlines.len(), commits + 1, "one commit");
        assert!(headlines[commits].starts_with(&format!("Table 1: {login} ")), "{}", headlines[commits]);
        let (marker, answer) = repo.only_answer(issue);
        assert_eq!((marker.table.get(), marker.commit), (1, repo.world.head()));
        assert_eq!(repo.world.answers(1).len(), own, "the table's own issue gets no answer");
        assert_eq!(repo.world.reactions(issue, 0), ["rocket"]);
        let json = repo.json(1);
        let last = json["history"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((last["source"]["issue"].as_u64(), last["source"]["comment"].as_u64()), (Some(issue), Some(0)));
        assert_eq!(last["by"].as_u64(), Some(repo.world.id_of(login)));
        self.ranked |= over;
        self.check_page();
        self.check_repeated_event(issue);
        answer
    }

    /// Checks that the same event again changes nothing.
    #[track_caller]
    fn check_repeated_event(&self, issue: u64) {
        let (head, all) = (self.repo.world.head(), self.repo.world.answers(issue));
        self.repo.world.clear_log();
        let report = self.repo.settle(trigger_for_issue(&self.repo.world, issue));
        assert_eq!((report, self.repo.world.count(Request::Any)), (Report::default(), 1));
        assert_eq!((self.repo.world.head(), self.repo.world.answers(issue)), (head, all));
    }

    /// Clicks links until the game is over. Returns the last answer.
    #[track_caller]
    fn play_to_the_end(&mut self) -> String {
        for _ in 1..MAX_CLICKS {
            let all: Vec<Form> =
                self.repo.move_links().into_iter().filter(|form| !form.command().contains("  ")).collect();
            let form = self.random.pick(&all).clone();
            let (may, may_not) = self.people();
            if let Some(login) = may_not.filter(|_| self.random.below(6) == 0) {
                self.click_refused(&login, &form);
            }
            let command = form.command();
            let notation = command.strip_prefix("/move ").unwrap().split(" #1 (round ").next().unwrap().to_owned();
            assert_eq!(form.title, format!("Table 1: {notation}"));
            let answer = self.click_accepted(&may, &form);
            assert_eq!(self.repo.moves(1).last(), Some(&notation));
            if self.repo.json(1)["status"] != "playing" {
                return answer;
            }
        }
        panic!("more than {MAX_CLICKS} clicks");
    }

    /// Checks the end: the page shows the result, the answer shows the whole game, and the rematch link starts the next round.
    #[track_caller]
    fn check_end(&mut self, answer: &str) {
        let repo = &self.repo;
        let json = repo.json(1);
        let status = json["status"].as_str().unwrap();
        let word = if status == "draw" { "draw" } else { "won" };
        assert!(repo.readme().contains(word) && repo.move_links().is_empty(), "no move is offered after the end");
        assert!(answer.contains("/state/archive/1-1.svg?raw=true"), "{answer}");
        assert!(repo.readme().contains("1 result"), "the result is in the standings on the page");
        let old = repo.record(1);
        let all = forms(&repo.readme(), &LINKS);
        let rematch = all.iter().find(|form| form.command() == "/rematch #1").expect("a rematch link").clone();
        let another = all.iter().find(|form| form.command().starts_with("/new ")).expect("another table").clone();
        let by = if self.open { "erin".to_owned() } else { "bob".to_owned() };
        self.click_accepted(&by, &rematch);
        assert_eq!(self.repo.json(1)["round"], 2);
        assert_eq!(self.repo.world.file("state/archive/1-1.json"), Some(old), "the finished game is in the archive");
        assert!(self.repo.readme().contains(", round 2 at"));
        // The same link again, from an old page, only shows the new board.
        let (issue, report) = self.repo.press(&by, &rematch);
        assert_eq!(report, Report { shown: 1, ..Report::default() });
        self.repo.only_answer(issue);
        let form = self.repo.move_links()[0].clone();
        let (may, _) = self.people();
        self.click_accepted(&may, &form);
        assert_eq!((self.repo.json(1)["round"].as_u64(), self.repo.moves(1).len()), (Some(2), 1));
        // The link for another table opens it in a new issue, which stays open.
        let (issue, report) = self.repo.press("dave_octo", &another);
        assert_eq!((report.applied, self.repo.is_closed(issue)), (1, false));
        assert_eq!(self.repo.json(issue)["open"].is_object(), self.open);
        self.check_page();
    }
}

#[track_caller]
fn play_by_links(setup: &str, crlf: bool, seed: u64) {
    let mut play = LinkGame::start(setup, crlf, seed);
    let answer = play.play_to_the_end();
    play.check_end(&answer);
}

#[test]
fn plays_on_in_the_issue_that_a_link_opened() {
    let game = LinkGame::start("tic-tac-toe @bob", false, 2);
    let (issue, _) = game.repo.press("alice", &game.repo.move_link("b2"));
    // Without the label, GitHub wouldn't start a job for a bare move.
    assert_eq!(game.repo.world.with_state(|state| state.issues[&issue].labels.clone()), ["play-by-commit"]);
    for (login, text) in [("bob", "a1"), ("alice", "/move c3"), ("bob", "a3")] {
        game.repo.world.clear_log();
        let (_, report) = game.repo.comment(issue, login, text);
        assert_eq!(report, Report { applied: 1, ..Report::default() }, "{text}");
        assert_eq!(game.repo.requests(), [Request::Read, Request::Commit, Request::Answer]);
        game.check_page();
    }
    assert_eq!(game.repo.moves(1), ["b2", "a1", "c3", "a3"]);
    assert_eq!((game.repo.world.answers(issue).len(), game.repo.world.answers(1).len()), (4, 1));
    game.repo.world.clear_log();
    game.repo.comment(issue, "carol", "Nice!");
    assert_eq!(game.repo.requests(), [Request::Read]);
    // The same below a refusal.
    let (issue, report) = game.repo.press("bob", &game.repo.move_link("b1"));
    assert_eq!(report.refused, 1);
    assert_eq!(game.repo.world.with_state(|state| state.issues[&issue].labels.clone()), ["play-by-commit"]);
    for (login, text) in [("alice", "b1"), ("bob", "b3")] {
        assert_eq!(game.repo.comment(issue, login, text).1.applied, 1, "{text}");
    }
}

#[test]
fn plays_tic_tac_toe_by_links() {
    for seed in 0..short_or_long(2, 12) {
        play_by_links("tic-tac-toe seats=open", seed % 3 == 0, seed);
        play_by_links("tic-tac-toe @bob", seed % 3 == 1, seed);
    }
}

#[test]
fn plays_tic_tac_toe_on_sixteen_cells_by_links() {
    play_by_links("tic-tac-toe 4x4 seats=open", true, 1);
    play_by_links("tic-tac-toe 4x4 @bob", false, 2);
}

#[test]
fn plays_ultimate_tic_tac_toe_by_links() {
    for (setup, crlf, seed) in [("seats=open", false, 3), ("@bob", true, 4)].into_iter().take(short_or_long(1, 2)) {
        play_by_links(&format!("ultimate-tic-tac-toe {setup}"), crlf, seed);
    }
}

#[test]
fn plays_backgammon_by_links() {
    // A dropped double makes a game short.
    let all = [
        ("backgammon cube=on @bob", true, 7),
        ("backgammon cube=on @bob", false, 6),
        ("backgammon match=1 @bob", true, 7),
        ("backgammon seats=open", true, 5),
        ("backgammon @bob", false, 6),
        ("backgammon match=3 seats=open", false, 8),
    ];
    for (setup, crlf, seed) in all.iter().take(short_or_long(2, 6)) {
        play_by_links(setup, *crlf, *seed);
    }
}

/// Strangers can't set labels, but a form can.
#[test]
fn links_go_through_the_form_that_sets_the_label() {
    let mut repo = TestRepo::new(&page(false).fresh());
    repo.0.config.policy.only_labels = vec!["games".to_owned()];
    let open = |repo: &TestRepo, login: &str, body: &str| {
        let issue = repo.world.open_issue(login, body);
        repo.world.issue(issue, |issue| issue.labels.push("games".to_owned()));
        repo.settle(trigger_for_issue(&repo.world, issue));
        issue
    };
    open(&repo, "alice", "/new tic-tac-toe seats=open");
    let links = Links { use_form: true, ..LINKS };
    let readme = forms(&repo.readme(), &links);
    let form = readme.iter().find(|form| form.command().starts_with("/move b2 #1")).expect("a link");
    let issue = open(&repo, "bob", &form.posted());
    assert!(repo.only_answer(issue).1.contains("played `b2`"));
    // Below it, people play on.
    repo.comment(issue, "carol", "a1");
    assert_eq!(repo.moves(1), ["b2", "a1"]);
    // A click on a block without a table opens one.
    let start = Page { parts: vec![Part::Table(9)], crlf: false };
    repo.world.land(&[("README.md", &start.fresh())]);
    repo.sweep();
    let form = forms(&repo.readme(), &links).into_iter().next().expect("a link");
    let issue = open(&repo, "dave", &form.posted());
    assert!(repo.table(issue).is_playing());
}
