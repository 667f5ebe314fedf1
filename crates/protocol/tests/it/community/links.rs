//! Whole games through the links of a README, and the links that go on after the end.

use games::registry::GameKind;
use protocol::ledger::Report;
use table::dice::parse_secret;
use testkit::often;
use testkit::world::Request;

use super::{Chance, LINKS, Page, Part, Town, opened};
use testkit::browser::{Form, forms, pictures};

/// More presses than any game takes.
const PRESSES: usize = 2_500;
const PEOPLE: [&str; 5] = ["alice", "bob", "carol", "dave_octo", "erin"];

/// A page with everything on it that could go wrong.
fn page(crlf: bool) -> Page {
    let begin = "# {{ my }} games \u{1f3b2}\n\nPlay {0} with ${{ us }}:   \n\n```html\n<!-- play-by-commit:table 1 -->\n\
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

/// A game at table 1 that is played by nothing but the links of the README.
struct Play {
    town: Town,
    page: Page,
    /// Whether a result has been counted, so that the standings are on the page.
    ranked: bool,
    chance: Chance,
    open: bool,
}

impl Play {
    #[track_caller]
    fn begin(setup: &str, crlf: bool, seed: u64) -> Play {
        let page = page(crlf);
        let mut town = Town::new(&page.fresh());
        town.0.place.policy.dice_secret =
            (seed % 2 == 1).then(|| parse_secret("nobody would ever guess this").unwrap());
        let (issue, report) = town.opens("alice", &format!("/new {setup}"));
        assert_eq!((issue, report.applied), (1, 1));
        let open = town.json(1)["open"].is_object();
        let play = Play { town, page, ranked: false, chance: Chance(seed), open };
        play.is_current();
        play
    }

    /// The README is the host's in every byte but between the markers, and there it is what the record at the head gives.
    #[track_caller]
    fn is_current(&self) {
        let (block, round) = (self.town.block(1), self.town.json(1)["round"].clone());
        let standings = |kind| self.ranked.then(|| self.town.ranking(kind));
        let expected = self.page.with(|_| Some(block.clone()), standings);
        assert_eq!(self.town.readme(), expected);
        for address in pictures(&expected) {
            let path = address.strip_prefix("https://github.example/host/games/").expect("a picture of ours");
            let path = match path.strip_prefix("raw/HEAD/") {
                // It never changes under its name.
                Some(tile) => tile,
                None => {
                    let path = path.strip_prefix("blob/HEAD/").expect("on the default branch");
                    let (path, version) = path.split_once("?raw=true&v=").expect("raw, with a version");
                    assert_eq!(version, format!("{round}.{}", self.town.events(1)));
                    path
                }
            };
            assert!(self.town.world.file(path).is_some(), "{path} is there");
        }
    }

    /// Somebody who may move now, and, where there is one, somebody who may not.
    fn people(&mut self) -> (String, Option<String>) {
        if !self.open {
            let may = self.town.on_turn(1).expect("both are seated or named");
            let others: Vec<&str> = PEOPLE.into_iter().filter(|login| *login != may).collect();
            let may_not = (*self.chance.pick(&others)).to_owned();
            return (may, Some(may_not));
        }
        let json = self.town.json(1);
        let last = json["history"].as_array().unwrap().iter().rev().find(|event| event["notation"].is_string());
        let last = last.map(|event| event["by"].as_u64().unwrap());
        let (lately, others): (Vec<&str>, Vec<&str>) =
            PEOPLE.iter().partition(|login| Some(self.town.world.id_of(login)) == last);
        ((*self.chance.pick(&others)).to_owned(), lately.first().map(|login| (*login).to_owned()))
    }

    /// Somebody who may not move presses a link: they are told, the issue is closed, and nothing changes.
    #[track_caller]
    fn refused(&self, login: &str, form: &Form) {
        let (head, page) = (self.town.world.head(), self.town.readme());
        self.town.world.clear_log();
        let (issue, report) = self.town.press(login, form);
        assert_eq!(report, Report { refused: 1, ..Report::default() });
        assert_eq!(self.town.requests(), [Request::Read, Request::React, Request::Answer, Request::Close]);
        let (marker, answer) = self.town.one_answer(issue);
        assert_eq!((marker.table, marker.commit), (1, None));
        let why = match (self.open, login) {
            (true, _) => &["You made the last move in this open game"][..],
            (false, "alice" | "bob") => &["It isn't your turn"],
            (false, _) => &["You aren't playing in this game", "is reserved for **bob**"],
        };
        assert!(why.iter().any(|why| answer.contains(why)), "{answer}");
        assert_eq!((self.town.world.head(), self.town.readme()), (head, page));
    }

    /// A link that changes the table is pressed: one commit, one answer, and everything is as it should be.
    #[track_caller]
    fn accepted(&mut self, login: &str, form: &Form) -> String {
        let Play { town, .. } = self;
        let (commits, own) = (town.world.headlines().len(), town.world.answers(1).len());
        let counted = town.json(1)["counted"].is_u64();
        let closed = town.world.look(|state| state.issues[&1].closed);
        town.world.clear_log();
        let (issue, report) = town.press(login, form);
        assert_eq!(report, Report { applied: 1, ..Report::default() }, "{form:?}");
        let over = !counted && town.json(1)["counted"].is_u64();
        let mut wanted = vec![Request::Read, Request::Commit, Request::Answer, Request::React, Request::Close];
        if over {
            wanted.insert(1, Request::Files);
            // The issue of the link, and that of the table.
            wanted.push(Request::Close);
        }
        // A rematch opens the issue of its table again.
        wanted.extend(closed.then_some(Request::Reopen));
        assert_eq!(town.requests(), wanted, "five requests; seven when a result is counted");
        let headlines = town.world.headlines();
        assert_eq!(headlines.len(), commits + 1, "one commit");
        assert!(headlines[commits].starts_with(&format!("Table 1: {login} ")), "{}", headlines[commits]);
        let (marker, answer) = town.one_answer(issue);
        assert_eq!((marker.table, marker.commit), (1, town.world.head()));
        assert_eq!(town.world.answers(1).len(), own, "nothing is said at the table itself");
        assert_eq!(town.world.reactions(issue, 0), ["rocket"]);
        let json = town.json(1);
        let last = json["history"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((last["source"]["issue"].as_u64(), last["source"]["comment"].as_u64()), (Some(issue), Some(0)));
        assert_eq!(last["by"].as_u64(), Some(town.world.id_of(login)));
        self.ranked |= over;
        self.is_current();
        self.again(issue);
        answer
    }

    /// The same event again changes nothing.
    #[track_caller]
    fn again(&self, issue: u64) {
        let (head, all) = (self.town.world.head(), self.town.world.answers(issue));
        self.town.world.clear_log();
        let report = self.town.settled(opened(&self.town.world, issue));
        assert_eq!((report, self.town.world.count(Request::Any)), (Report::default(), 1));
        assert_eq!((self.town.world.head(), self.town.world.answers(issue)), (head, all));
    }

    /// Presses links until the game is over; gives the last answer.
    #[track_caller]
    fn play_on(&mut self) -> String {
        for _ in 1..PRESSES {
            let all: Vec<Form> =
                self.town.offered().into_iter().filter(|form| !form.command().contains("  ")).collect();
            let form = self.chance.pick(&all).clone();
            let (may, may_not) = self.people();
            if let Some(login) = may_not.filter(|_| self.chance.below(6) == 0) {
                self.refused(&login, &form);
            }
            let notation = form.command().strip_prefix("/move ").unwrap().strip_suffix(" #1").unwrap().to_owned();
            assert_eq!(form.title, format!("Table 1: {notation}"));
            let answer = self.accepted(&may, &form);
            assert_eq!(self.town.moves(1).last(), Some(&notation));
            if self.town.json(1)["status"] != "playing" {
                return answer;
            }
        }
        panic!("more than {PRESSES} presses");
    }

    /// After the end: the page says so, the answer shows the whole game, the rematch link begins the next round.
    #[track_caller]
    fn over(&mut self, answer: &str) {
        let town = &self.town;
        let json = town.json(1);
        let status = json["status"].as_str().unwrap();
        let word = if status == "draw" { "draw" } else { "won" };
        assert!(town.readme().contains(word) && town.offered().is_empty(), "no move is offered after the end");
        assert!(answer.contains("/state/archive/1-1.svg?raw=true"), "{answer}");
        assert!(town.readme().contains("1 result"), "the result is in the standings on the page");
        let old = town.record(1);
        let all = forms(&town.readme(), &LINKS);
        let rematch = all.iter().find(|form| form.command() == "/rematch #1").expect("a rematch link").clone();
        let another = all.iter().find(|form| form.command().starts_with("/new ")).expect("another table").clone();
        let by = if self.open { "erin".to_owned() } else { "bob".to_owned() };
        self.accepted(&by, &rematch);
        assert_eq!(self.town.json(1)["round"], 2);
        assert_eq!(self.town.world.file("state/archive/1-1.json"), Some(old), "the game is in the archive as it was");
        assert!(self.town.readme().contains(", round 2 at"));
        // The link pressed once more, from an old page: the new board is shown, and nothing begins.
        let (issue, report) = self.town.press(&by, &rematch);
        assert_eq!(report, Report { shown: 1, ..Report::default() });
        self.town.one_answer(issue);
        let form = self.town.offered()[0].clone();
        let (may, _) = self.people();
        self.accepted(&may, &form);
        assert_eq!((self.town.json(1)["round"].as_u64(), self.town.moves(1).len()), (Some(2), 1));
        // A table of one's own is set up in the issue that the link opens, which stays open.
        let (issue, report) = self.town.press("dave_octo", &another);
        assert_eq!((report.applied, self.town.is_closed(issue)), (1, false));
        assert_eq!(self.town.json(issue)["open"].is_object(), self.open);
        self.is_current();
    }
}

#[track_caller]
fn check(setup: &str, crlf: bool, seed: u64) {
    let mut play = Play::begin(setup, crlf, seed);
    let answer = play.play_on();
    play.over(&answer);
}

#[test]
fn tic_tac_toe() {
    for seed in 0..often(2, 12) {
        check("tic-tac-toe seats=open", seed % 3 == 0, seed);
        check("tic-tac-toe @bob", seed % 3 == 1, seed);
    }
}

#[test]
fn tic_tac_toe_on_sixteen_cells() {
    check("tic-tac-toe 4x4 seats=open", true, 1);
    check("tic-tac-toe 4x4 @bob", false, 2);
}

#[test]
fn ultimate_tic_tac_toe() {
    for (setup, crlf, seed) in [("seats=open", false, 3), ("@bob", true, 4)].into_iter().take(often(1, 2)) {
        check(&format!("ultimate-tic-tac-toe {setup}"), crlf, seed);
    }
}

#[test]
fn backgammon() {
    // Whoever drops a double has a short game.
    let all = [
        ("backgammon cube=on @bob", true, 7),
        ("backgammon cube=on @bob", false, 6),
        ("backgammon match=1 @bob", true, 7),
        ("backgammon seats=open", true, 5),
        ("backgammon @bob", false, 6),
        ("backgammon match=3 seats=open", false, 8),
    ];
    for (setup, crlf, seed) in all.iter().take(often(2, 6)) {
        check(setup, *crlf, *seed);
    }
}
