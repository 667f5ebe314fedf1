//! The sweep fills markers that were added after the last move, and leaves everything else alone.

use answers::block::block_without_table;
use games::GameKind;
use protocol::{HostNote, PageProblem, Report, Trigger};
use table::IssueNumber;
use testkit::world::{Request, RequestFault, World};

use super::{LINKS, Page, Part, TestRepo};
use testkit::{addresses, forms, pictures};

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

/// A repository with a finished and a running game, and a README without markers.
fn unmarked() -> TestRepo {
    let repo = TestRepo::new(HELLO);
    repo.open_issue("alice", "/new tic-tac-toe @bob");
    for (login, cell) in [("alice", "b2"), ("bob", "a1"), ("alice", "a2"), ("bob", "b1"), ("alice", "c2")] {
        repo.comment(1, login, cell);
    }
    repo.open_issue("carol", "/new tic-tac-toe 4x4 seats=open");
    repo.comment(2, "dave", "/move b2");
    repo
}

/// Checks that a sweep commits once and that the next one has nothing to do. Returns the first report.
#[track_caller]
fn swept(repo: &TestRepo, names: &str) -> Report {
    let commits = repo.world.headlines().len();
    let report = repo.sweep();
    let headlines = repo.world.headlines();
    assert_eq!(headlines[commits..], [format!("Update {names}")]);
    let message = repo.world.message().unwrap();
    assert!(message.ends_with("The text between the markers of Play by Commit."), "{message}");
    idle(repo);
    report
}

/// Checks that a sweep changes nothing.
#[track_caller]
fn idle(repo: &TestRepo) -> Report {
    let head = repo.world.head();
    let report = repo.sweep();
    assert_eq!(repo.world.head(), head, "{:?}", repo.world.headlines());
    report
}

#[test]
fn the_sweep_fills_markers_set_after_the_last_move() {
    for number in [1, 2] {
        let repo = unmarked();
        repo.world.land(&[("README.md", &marked(number).fresh())]);
        repo.world.clear_log();
        assert_eq!(swept(&repo, "README.md"), Report::default());
        let expected =
            marked(number).with(|number| Some(repo.expected_block(number)), |kind| Some(repo.expected_ranking(kind)));
        assert_eq!(repo.readme(), expected);
        assert!(expected.contains("**alice** | 1 | 1 | 0 | 0 |"), "{expected}");
        let offered = repo.move_links().len();
        assert_eq!(offered, if number == 1 { 0 } else { 15 });
        // The requests for the pages don't depend on the number of games.
        let pages = repo.world.log().iter().filter(|entry| entry.request == Request::Files).count();
        // A clickable board takes one more request in each of the two sweeps, for its tiles.
        let wanted = if number == 1 { 4 } else { 6 };
        assert_eq!((pages, repo.world.count(Request::Commit)), (wanted, 1), "{:#?}", repo.world.log());
    }
}

#[test]
fn a_move_after_the_sweep_updates_the_page() {
    let repo = unmarked();
    repo.world.land(&[("README.md", &marked(2).fresh())]);
    swept(&repo, "README.md");
    let (issue, _) = repo.press("erin", &repo.move_link("c3"));
    assert!(repo.only_answer(issue).1.contains("played `c3`"));
    assert_eq!(
        repo.readme(),
        marked(2).with(|number| Some(repo.expected_block(number)), |kind| Some(repo.expected_ranking(kind)))
    );
    idle(&repo);
}

#[test]
fn fills_several_pages_in_one_commit() {
    let mut repo = unmarked();
    repo.0.config.pages = ["README.md", "docs/play.md", "docs/none.md", "PLAIN.md"].map(str::to_owned).into();
    let docs = Page { parts: vec![Part::Table(2), Part::Text("\n\n# And\n\n"), Part::Table(1)], crlf: true };
    let files = [("README.md", marked(1).fresh()), ("docs/play.md", docs.fresh()), ("PLAIN.md", "Nothing.".to_owned())];
    repo.world.land(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    swept(&repo, "README.md, docs/play.md");
    assert_eq!(repo.world.file("docs/play.md"), Some(docs.with(|number| Some(repo.expected_block(number)), |_| None)));
    assert_eq!((repo.world.file("PLAIN.md").unwrap().as_str(), repo.world.file("docs/none.md")), ("Nothing.", None));
    // A move at one of the tables updates both pages in its own commit.
    let commits = repo.world.headlines().len();
    repo.comment(1, "bob", "/rematch");
    assert_eq!(repo.world.headlines().len(), commits + 1);
    assert_eq!(repo.world.file("docs/play.md"), Some(docs.with(|number| Some(repo.expected_block(number)), |_| None)));
    assert!(repo.readme().contains(repo.expected_block(1).trim()));
}

#[test]
fn a_block_without_a_table_shows_how_to_open_one() {
    let mut repo = TestRepo::new(HELLO);
    repo.sweep();
    repo.world.land(&[("README.md", &marked(7).fresh())]);
    repo.0.config.policy.games = vec![GameKind::from_name("backgammon").unwrap()];
    swept(&repo, "README.md");
    let block = block_without_table(IssueNumber::new(7), &LINKS, &repo.config.policy.games);
    assert_eq!(repo.readme(), marked(7).with(|_| Some(block.clone()), |kind| Some(repo.expected_ranking(kind))));
    let all = forms(&repo.readme(), &LINKS);
    assert_eq!(all.len(), 1, "only the games that the host allows");
    let (issue, report) = repo.press("alice", &all[0]);
    assert_eq!((report.applied, repo.json(issue)["game"].as_str()), (1, Some("backgammon")));
    assert!(!repo.is_closed(issue));
    // A link to a table that doesn't exist, such as from another page, is refused, and its issue is closed.
    let (issue, report) = repo.open_issue("bob", "/move b2 #7");
    assert_eq!(report.refused, 1);
    repo.only_answer(issue);
    idle(&repo);
    // The first commit of a new game there shows its board.
    while repo.world.with_state(|state| state.issues.len()) < 6 {
        repo.world.open_issue("carol", "A bug.");
    }
    let (issue, _) = repo.open_issue("alice", "/new backgammon seats=open");
    assert_eq!(issue, 7);
    assert_eq!(
        repo.readme(),
        marked(7).with(|_| Some(repo.expected_block(7)), |kind| Some(repo.expected_ranking(kind)))
    );
}

#[test]
fn a_damaged_record_leaves_its_block_alone() {
    let repo = unmarked();
    let both = Page { parts: vec![Part::Table(1), Part::Text("\n\n"), Part::Table(2)], crlf: false };
    repo.world.land(&[("README.md", &both.fresh())]);
    swept(&repo, "README.md");
    let (good, record) = (repo.readme(), repo.record(1));
    let old = repo.expected_block(1);
    let emptied = both.with(|number| (number == 1).then(|| old.clone()), |_| None);
    for bad in [record.replace("\"won\"", "\"draw\""), "{}".to_owned(), String::new()] {
        repo.world.land(&[("state/1.json", &bad), ("README.md", &emptied)]);
        // The run of issue 1 reports it. The other block is still filled.
        let error = repo.try_run(Trigger::Sweep).unwrap().unwrap_err().to_string();
        assert!(error.contains("issue 1: state/1.json is damaged"), "{error}");
        assert_eq!(repo.readme(), good);
        assert_eq!(repo.world.file("state/1.json"), Some(bad));
    }
    repo.world.land(&[("state/1.json", &record)]);
    idle(&repo);
}

#[test]
fn leaves_an_unreadable_page_alone() {
    for is_cut in [true, false] {
        let repo = unmarked();
        repo.world.land(&[("README.md", &marked(2).fresh())]);
        repo.world.change(|state| state.unreadable.insert("README.md".to_owned(), is_cut));
        let page = repo.readme();
        let report = repo.sweep();
        assert_eq!((report.applied, report.notes.len()), (0, 1), "the host gets a note");
        assert!(matches!(
            &report.notes[0],
            HostNote::Page { path, problem: PageProblem::Unreadable(_) } if path == "README.md"
        ));
        let (_, report) = repo.comment(2, "erin", "/move c3");
        assert_eq!((report.applied, repo.readme()), (1, page), "play goes on");
    }
    let mut repo = unmarked();
    repo.0.config.pages = vec!["MISSING.md".to_owned()];
    repo.world.land(&[("README.md", &marked(2).fresh())]);
    idle(&repo);
    repo.comment(2, "erin", "/move c3");
    assert_eq!((repo.world.file("MISSING.md"), repo.readme()), (None, marked(2).fresh()));
}

#[test]
fn reports_invalid_markers_and_leaves_them_alone() {
    let wrong = "<!-- play-by-commit:table 2 -->\n\n<!-- play-by-commit:bord 2 -->\n";
    let page = marked(2).fresh() + "\n\n" + wrong;
    let repo = unmarked();
    repo.world.land(&[("README.md", &page)]);
    // Somebody commits during the sweep, so that it has to start over.
    repo.world.after_nth(Request::Read, 3, |world| drop(world.race()));
    // The sweep also settles a move, which updates the page, too.
    repo.world.comment(2, "erin", "/move c3");
    let report = repo.sweep();
    assert_eq!((report.applied, repo.world.pending()), (1, 0));
    assert_eq!(report.notes.len(), 2, "{:#?}", report.notes);
    // The notes name lines of the current page.
    let lines = repo.readme().lines().count();
    for (line, why) in [
        (lines - 2, "The marker of table 2 has no end marker, `<!-- /play-by-commit:table -->`."),
        (lines, "This marker is unknown. Use `table 42`, `tables`, or `standings`."),
    ] {
        let problem = PageProblem::Marker(format!("Line {line}: {why}"));
        let note = HostNote::Page { path: "README.md".to_owned(), problem };
        assert!(report.notes.contains(&note), "{note:?} {:#?}", report.notes);
    }
    let filled = marked(2).with(|number| Some(repo.expected_block(number)), |kind| Some(repo.expected_ranking(kind)));
    assert_eq!(repo.readme(), filled + "\n\n" + wrong, "the other blocks are still filled");
    assert_eq!(idle(&repo).notes.len(), 2, "as long as they are wrong");
    // A move that updates the board reports the new lines, too.
    repo.world.land(&[("README.md", &page)]);
    let (_, report) = repo.comment(2, "dave", "/move a1");
    let line = format!("Line {}: This marker is unknown.", repo.readme().lines().count());
    let names_line = |note: &HostNote| matches!(note, HostNote::Page { problem: PageProblem::Marker(sentence), .. } if sentence.starts_with(&line));
    assert!(report.notes.len() == 2 && report.notes.iter().any(names_line), "{line} {report:#?}");
}

#[test]
fn the_sweep_survives_a_commit_after_its_read() {
    // The host edits the README at that moment. The edit stays, and the page is filled.
    let repo = unmarked();
    repo.world.land(&[("README.md", &marked(2).fresh())]);
    let changed = "News!\n\n".to_owned() + &marked(2).fresh();
    repo.world.before(Request::Commit, {
        let changed = changed.clone();
        move |world: &World| drop(world.land(&[("README.md", &changed)]))
    });
    swept_after_race(&repo);
    let filled = marked(2).with(|number| Some(repo.expected_block(number)), |kind| Some(repo.expected_ranking(kind)));
    assert_eq!(repo.readme(), "News!\n\n".to_owned() + &filled);

    // A lost reply doesn't lead to a second commit.
    for applied in [false, true] {
        let repo = unmarked();
        repo.world.land(&[("README.md", &marked(2).fresh())]);
        repo.world.fail(Request::Commit, RequestFault::Lost { applied });
        swept(&repo, "README.md");
        assert_eq!(repo.world.pending(), 0);
    }

    // Somebody moves between the read and the commit. The page shows the new board.
    let repo = unmarked();
    repo.world.land(&[("README.md", &marked(2).fresh())]);
    let record = repo.record(2);
    repo.comment(2, "erin", "/move c3");
    let (new, page) = (repo.record(2), marked(2).fresh());
    repo.world.land(&[("state/2.json", &record), ("README.md", &page)]);
    repo.world.before(Request::Commit, move |world: &World| drop(world.land(&[("state/2.json", &new)])));
    swept_after_race(&repo);
    assert!(repo.readme().contains("c3`") && repo.move_links().iter().all(|form| !form.command().contains("c3")));
}

#[track_caller]
fn swept_after_race(repo: &TestRepo) {
    repo.world.clear_log();
    repo.sweep();
    assert_eq!((repo.world.pending(), repo.world.count(Request::Commit)), (0, 2), "the first commit lost the race");
    idle(repo);
}

#[test]
fn a_separate_branch_has_its_own_pages() {
    let mut repo = TestRepo::new(&marked(1).fresh());
    repo.world.use_branch("play/games");
    repo.0.config.web.as_mut().unwrap().branch = Some("play/games".to_owned());
    repo.open_issue("alice", "/new tic-tac-toe seats=open");
    let on_default = repo.world.with_state(|state| state.commits[&state.branches["main"]].files["README.md"].clone());
    assert_eq!(on_default, marked(1).fresh(), "the default branch stays as it is");
    let addresses_there = |repo: &TestRepo| {
        let all = pictures(&repo.readme());
        assert!(!all.is_empty());
        let at_home = "https://github.example/host/games/raw/play/games/state/tiles/";
        assert!(all.iter().all(|address| address.starts_with(at_home)), "{all:?}");
    };
    addresses_there(&repo);
    let (issue, _) = repo.press("bob", &repo.move_link("b2"));
    repo.only_answer(issue);
    addresses_there(&repo);
    // The sweep reads and writes there, too.
    repo.world.land(&[("README.md", &marked(1).fresh())]);
    swept(&repo, "README.md");
    addresses_there(&repo);
    let links = addresses(&repo.readme());
    assert!(links.iter().all(|address| !address.contains("HEAD")), "{links:?}");
    assert_eq!(
        repo.world.with_state(|state| state.commits[&state.branches["main"]].headline.clone()),
        "Something else"
    );
}
