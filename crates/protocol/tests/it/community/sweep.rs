//! The sweep fills what was marked after the last move, and leaves alone what is none of its business.

use answers::pages::block::block_without_table;
use games::registry::GameKind;
use protocol::ledger::Report;
use protocol::repo_config::Trigger;
use testkit::world::{Request, Trouble, World};

use super::{LINKS, Page, Part, Town};
use testkit::browser::{addresses, forms, pictures};

const HELLO: &str = "Hello.\n\n";

fn marked(number: u64) -> Page {
    let ranked = Part::Standings(Some(GameKind::from_name("backgammon").unwrap()));
    let parts = vec![
        Part::Text(HELLO),
        Part::Table(number),
        Part::Text("\n\n"),
        Part::Standings(None),
        Part::Text("\n\n"),
        ranked,
    ];
    Page { parts, crlf: false }
}

/// A game that has ended and one that goes on, in a repository whose README says nothing of them.
fn unmarked() -> Town {
    let town = Town::new(HELLO);
    town.opens("alice", "/new tic-tac-toe @bob");
    for (login, cell) in [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("bob", "b1"), ("alice", "c2")] {
        town.says(1, login, cell);
    }
    town.opens("carol", "/new tic-tac-toe 4x4 seats=open");
    town.says(2, "dave", "/move b2");
    town
}

/// A sweep that commits once, and another that has nothing to do. Gives what the first one reports.
#[track_caller]
fn swept(town: &Town, names: &str) -> Report {
    let commits = town.world.headlines().len();
    let report = town.sweep();
    let headlines = town.world.headlines();
    assert_eq!(headlines[commits..], [format!("Update {names}")]);
    let message = town.world.message().unwrap();
    assert!(message.ends_with("The text between the markers of Play by Commit."), "{message}");
    idle(town);
    report
}

/// A sweep that changes nothing.
#[track_caller]
fn idle(town: &Town) -> Report {
    let head = town.world.head();
    let report = town.sweep();
    assert_eq!(town.world.head(), head, "{:?}", town.world.headlines());
    report
}

#[test]
fn markers_set_after_the_last_move_are_filled() {
    for number in [1, 2] {
        let town = unmarked();
        town.world.land(&[("README.md", &marked(number).fresh())]);
        town.world.clear_log();
        assert_eq!(swept(&town, "README.md"), Report::default());
        let expected = marked(number).with(|number| Some(town.block(number)), |kind| Some(town.ranking(kind)));
        assert_eq!(town.readme(), expected);
        assert!(expected.contains("**alice** | 1 | 1 | 0 | 0 |"), "{expected}");
        let offered = town.offered().len();
        assert_eq!(offered, if number == 1 { 0 } else { 15 });
        // Two threads and the pages, twice: what is read for the pages does not depend on how many games there were.
        let pages = town.world.log().iter().filter(|entry| entry.request == Request::Files).count();
        // Once each time it is asked for the small pictures of a board that is clicked.
        let wanted = if number == 1 { 4 } else { 6 };
        assert_eq!((pages, town.world.count(Request::Commit)), (wanted, 1), "{:#?}", town.world.log());
    }
}

#[test]
fn a_move_after_the_sweep_goes_on_from_there() {
    let town = unmarked();
    town.world.land(&[("README.md", &marked(2).fresh())]);
    swept(&town, "README.md");
    let (issue, _) = town.press("erin", &town.link("c3"));
    assert!(town.one_answer(issue).1.contains("played `c3`"));
    assert_eq!(town.readme(), marked(2).with(|number| Some(town.block(number)), |kind| Some(town.ranking(kind))));
    idle(&town);
}

#[test]
fn several_pages_and_tables_are_one_commit() {
    let mut town = unmarked();
    town.0.place.pages = ["README.md", "docs/play.md", "docs/none.md", "PLAIN.md"].map(str::to_owned).into();
    let docs = Page { parts: vec![Part::Table(2), Part::Text("\n\n# And\n\n"), Part::Table(1)], crlf: true };
    let files = [("README.md", marked(1).fresh()), ("docs/play.md", docs.fresh()), ("PLAIN.md", "Nothing.".to_owned())];
    town.world.land(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    swept(&town, "README.md, docs/play.md");
    assert_eq!(town.world.file("docs/play.md"), Some(docs.with(|number| Some(town.block(number)), |_| None)));
    assert_eq!((town.world.file("PLAIN.md").unwrap().as_str(), town.world.file("docs/none.md")), ("Nothing.", None));
    // A move at one of the tables brings both pages up to date, in its own commit.
    let commits = town.world.headlines().len();
    town.says(1, "bob", "/rematch");
    assert_eq!(town.world.headlines().len(), commits + 1);
    assert_eq!(town.world.file("docs/play.md"), Some(docs.with(|number| Some(town.block(number)), |_| None)));
    assert!(town.readme().contains(town.block(1).trim()));
}

#[test]
fn a_table_that_does_not_exist_shows_how_to_open_one() {
    let mut town = Town::new(&marked(7).fresh());
    town.0.place.policy.games = vec![GameKind::from_name("backgammon").unwrap()];
    swept(&town, "README.md");
    let block = block_without_table(7, &LINKS, &town.place.policy.games);
    assert_eq!(town.readme(), marked(7).with(|_| Some(block.clone()), |kind| Some(town.ranking(kind))));
    let all = forms(&town.readme(), &LINKS);
    assert_eq!(all.len(), 1, "the games of the house, and no others");
    let (issue, report) = town.press("alice", &all[0]);
    assert_eq!((report.applied, town.json(issue)["game"].as_str()), (1, Some("backgammon")));
    assert!(!town.is_closed(issue));
    // A link to a table that is not there, from another page or by hand: they are told, and the issue is closed.
    let (issue, report) = town.opens("bob", "/move b2 #7");
    assert_eq!(report.refused, 1);
    town.one_answer(issue);
    idle(&town);
    // The game that is begun there shows with its first commit.
    while town.world.look(|state| state.issues.len()) < 6 {
        town.world.open_issue("carol", "A bug.");
    }
    let (issue, _) = town.opens("alice", "/new backgammon seats=open");
    assert_eq!(issue, 7);
    assert_eq!(town.readme(), marked(7).with(|_| Some(town.block(7)), |kind| Some(town.ranking(kind))));
}

#[test]
fn a_damaged_record_leaves_its_block_as_it_is() {
    let town = unmarked();
    let both = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Table(2)], crlf: false };
    town.world.land(&[("README.md", &both.fresh())]);
    swept(&town, "README.md");
    let (good, record) = (town.readme(), town.record(1));
    let old = town.block(1);
    let emptied = both.with(|number| (number == 1).then(|| old.clone()), |_| None);
    for bad in [record.replace("\"won\"", "\"draw\""), "{}".to_owned(), String::new()] {
        town.world.land(&[("state/1.json", &bad), ("README.md", &emptied)]);
        // The host is told by the run of issue 1; the other block is filled all the same.
        let error = town.wake(Trigger::Sweep).unwrap().unwrap_err().to_string();
        assert!(error.contains("issue 1: state/1.json is damaged"), "{error}");
        assert_eq!(town.readme(), good);
        assert_eq!(town.world.file("state/1.json"), Some(bad));
    }
    town.world.land(&[("state/1.json", &record)]);
    idle(&town);
}

#[test]
fn a_page_that_cannot_be_had_as_text_is_left_alone() {
    for is_cut in [true, false] {
        let town = unmarked();
        town.world.land(&[("README.md", &marked(2).fresh())]);
        town.world.change(|state| state.unreadable.insert("README.md".to_owned(), is_cut));
        let page = town.readme();
        let report = town.sweep();
        assert_eq!((report.applied, report.notes.len()), (0, 1), "the host is told");
        assert!(
            report.notes[0].starts_with("README.md: ") && report.notes[0].ends_with(", so the bot doesn't fill it.")
        );
        let (_, report) = town.says(2, "erin", "/move c3");
        assert_eq!((report.applied, town.readme()), (1, page), "play goes on");
    }
    let mut town = unmarked();
    town.0.place.pages = vec!["MISSING.md".to_owned()];
    town.world.land(&[("README.md", &marked(2).fresh())]);
    idle(&town);
    town.says(2, "erin", "/move c3");
    assert_eq!((town.world.file("MISSING.md"), town.readme()), (None, marked(2).fresh()));
}

#[test]
fn markers_that_are_wrong_are_told_once_and_left() {
    let wrong = "<!-- play-by-commit:table 2 -->\n\n<!-- play-by-commit:bord 2 -->\n";
    let page = marked(2).fresh() + "\n\n" + wrong;
    let town = unmarked();
    town.world.land(&[("README.md", &page)]);
    // Somebody commits while the sweep works, so that it has to begin again.
    town.world.after_nth(Request::Read, 3, |world| drop(world.race()));
    // It has a move to settle as well, and that one looks at the page, too.
    town.world.comment(2, "erin", "/move c3");
    let report = town.sweep();
    assert_eq!((report.applied, town.world.pending()), (1, 0));
    assert_eq!(report.notes.len(), 2, "{:#?}", report.notes);
    // The lines are those of the page as it is now.
    let lines = town.readme().lines().count();
    for (line, why) in [
        (lines - 2, "The marker of table 2 has no end marker, `<!-- /play-by-commit:table -->`."),
        (lines, "This marker is unknown. Use `table 42`, `tables`, or `standings`."),
    ] {
        let note = format!("README.md: Line {line}: {why}");
        assert!(report.notes.contains(&note), "{note} {:#?}", report.notes);
    }
    let filled = marked(2).with(|number| Some(town.block(number)), |kind| Some(town.ranking(kind)));
    assert_eq!(town.readme(), filled + "\n\n" + wrong, "the other markers are filled all the same");
    assert_eq!(idle(&town).notes.len(), 2, "as long as they are wrong");
    // A move that fills the board says which lines they are behind it, too.
    town.world.land(&[("README.md", &page)]);
    let (_, report) = town.says(2, "dave", "/move a1");
    let line = format!("README.md: Line {}: This marker is unknown.", town.readme().lines().count());
    assert!(report.notes.len() == 2 && report.notes.iter().any(|note| note.starts_with(&line)), "{line} {report:#?}");
}

#[test]
fn a_commit_between_the_read_and_the_sweeps_own() {
    // The host writes into the README at that very moment: what they wrote stays, and is filled as well.
    let town = unmarked();
    town.world.land(&[("README.md", &marked(2).fresh())]);
    let changed = "News!\n\n".to_owned() + &marked(2).fresh();
    town.world.before(Request::Commit, {
        let changed = changed.clone();
        move |world: &World| drop(world.land(&[("README.md", &changed)]))
    });
    swept_after_race(&town);
    let filled = marked(2).with(|number| Some(town.block(number)), |kind| Some(town.ranking(kind)));
    assert_eq!(town.readme(), "News!\n\n".to_owned() + &filled);

    // A reply that is lost: nothing is committed twice.
    for applied in [false, true] {
        let town = unmarked();
        town.world.land(&[("README.md", &marked(2).fresh())]);
        town.world.fail(Request::Commit, Trouble::Lost { applied });
        swept(&town, "README.md");
        assert_eq!(town.world.pending(), 0);
    }

    // Somebody moves between the read and the commit: the board that is shown is the new one.
    let town = unmarked();
    town.world.land(&[("README.md", &marked(2).fresh())]);
    let record = town.record(2);
    town.says(2, "erin", "/move c3");
    let (new, page) = (town.record(2), marked(2).fresh());
    town.world.land(&[("state/2.json", &record), ("README.md", &page)]);
    town.world.before(Request::Commit, move |world: &World| drop(world.land(&[("state/2.json", &new)])));
    swept_after_race(&town);
    assert!(town.readme().contains("c3`") && town.offered().iter().all(|form| !form.command().contains("c3")));
}

#[track_caller]
fn swept_after_race(town: &Town) {
    town.world.clear_log();
    town.sweep();
    assert_eq!((town.world.pending(), town.world.count(Request::Commit)), (0, 2), "the first one was lost");
    idle(town);
}

#[test]
fn a_branch_of_its_own_has_its_pages_there() {
    let mut town = Town::new(&marked(1).fresh());
    town.world.use_branch("play/games");
    town.0.place.web.as_mut().unwrap().branch = Some("play/games".to_owned());
    town.opens("alice", "/new tic-tac-toe seats=open");
    let on_default = town.world.look(|state| state.commits[&state.branches["main"]].files["README.md"].clone());
    assert_eq!(on_default, marked(1).fresh(), "the default branch is not written to");
    let addresses_there = |town: &Town| {
        let all = pictures(&town.readme());
        assert!(!all.is_empty());
        let at_home = "https://github.example/host/games/raw/play/games/state/tiles/";
        assert!(all.iter().all(|address| address.starts_with(at_home)), "{all:?}");
    };
    addresses_there(&town);
    let (issue, _) = town.press("bob", &town.link("b2"));
    town.one_answer(issue);
    addresses_there(&town);
    // The sweep reads and writes there, too.
    town.world.land(&[("README.md", &marked(1).fresh())]);
    swept(&town, "README.md");
    addresses_there(&town);
    let links = addresses(&town.readme());
    assert!(links.iter().all(|address| !address.contains("HEAD")), "{links:?}");
    assert_eq!(town.world.look(|state| state.commits[&state.branches["main"]].headline.clone()), "Something else");
}
