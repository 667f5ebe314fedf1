//! Copies of a repository, renamed and transferred ones, and backups restored elsewhere: a record is played only in the
//! repository that it belongs to.

use std::collections::BTreeMap;

use protocol::HostNote;
use table::{GameSummary, IssueNumber, RepositoryId, state_file};
use testkit::Scenario;
use testkit::world::Request;

/// What every refusal because of a foreign record names.
const ADOPT: &str = "`play-by-commit adopt`";

/// Returns a repository with two games in progress, one of them with a clock, and a third that is over.
fn repository() -> Scenario {
    let world = Scenario::new();
    for opening in ["/new tic-tac-toe @bob", "/new tic-tac-toe @bob per-move=1d", "/new tic-tac-toe @bob"] {
        let issue = world.open("alice", opening);
        world.post(issue, "alice", "b2");
        world.post(issue, "bob", "a1");
    }
    world.post(3, "alice", "/resign");
    world.clear_log();
    world
}

/// Returns a copy of a repository, as from a template: its files, without its issues.
fn copy() -> Scenario {
    let world = repository();
    world.copy_repository();
    world
}

/// Makes all records as versions before this one wrote them.
fn unbind(world: &Scenario) {
    for issue in 1..=3 {
        bind(world, issue, None);
    }
}

/// Writes a record as if it were bound to this repository, or to none.
fn bind(world: &Scenario, issue: u64, repository: Option<u64>) {
    let table = world.table(issue).with_repository(repository.map(RepositoryId::new));
    let record = (format!("state/{issue}.json"), state_file::to_json(&table));
    let game = GameSummary::from_table(&table).map(|game| (format!("state/running/{issue}.json"), game.to_json()));
    let files: Vec<(String, String)> = std::iter::once(record).chain(game).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    world.land(&files);
}

/// Binds all records to the repository at hand, as `play-by-commit adopt` does.
fn adopt(world: &Scenario) {
    let id = world.with_state(|state| state.repository_id);
    (1..=3).for_each(|issue| bind(world, issue, Some(id)));
}

fn files(world: &Scenario) -> BTreeMap<String, String> {
    world.with_state(|state| state.head_files().cloned().unwrap_or_default())
}

/// Lets nine days pass.
fn wait(world: &Scenario) {
    world.change(|state| state.now += 9 * 24 * 60 * 60_000);
}

#[test]
fn records_name_their_repository() {
    let world = repository();
    for path in ["state/1.json", "state/running/1.json", "state/3.json"] {
        assert!(world.file(path).unwrap().contains("\"repository\": 700000001,"), "{:?}", world.file(path));
    }
    world.post(3, "alice", "/rematch");
    world.post(3, "bob", "/accept");
    assert_eq!(world.table(3).round(), 2);
    assert_eq!(world.table(3).repository(), Some(RepositoryId::new(700_000_001)));
    let issue = world.open("alice", "/continue #1");
    assert_eq!(world.table(issue).repository(), Some(RepositoryId::new(700_000_001)));
}

/// The daily run neither ends the games nor lets a flag fall, and says in one line what to do.
#[test]
fn the_daily_run_leaves_a_copy_alone() {
    let world = copy();
    let before = files(&world);
    for _ in 0..2 {
        wait(&world);
        let report = world.sweep().unwrap();
        assert_eq!((report.notes, report.failures), (vec![HostNote::ForeignRecords], vec![]));
    }
    assert_eq!(files(&world), before);
    assert_eq!((world.count(Request::Exists), world.count(Request::Commit)), (0, 0), "{:?}", world.log());
}

#[test]
fn the_daily_run_ends_no_game_of_an_older_version() {
    let world = copy();
    unbind(&world);
    let before = files(&world);
    wait(&world);
    world.sweep().unwrap();
    assert_eq!(files(&world), before);
}

/// The number of a new issue comes up again, and its author has nothing to do with the old game.
#[test]
fn a_new_issue_gets_one_refusal_and_not_the_old_game() {
    for is_bound in [true, false] {
        let world = copy();
        if !is_bound {
            unbind(&world);
        }
        let before = files(&world);
        let issue = world.open_issue("carol", "/new hex computer");
        let report = world.settle(issue, 0);
        assert_eq!((issue, report.refused, report.notes), (1, 1, vec![HostNote::ForeignRecords]));
        wait(&world);
        world.sweep().unwrap();
        let answers = world.answers(issue);
        assert_eq!(answers.len(), 1, "{answers:#?}");
        assert!(
            answers[0].contains(ADOPT) && !answers[0].contains("@bob") && !answers[0].contains("<img"),
            "{answers:?}"
        );
        assert_eq!(world.reactions(issue, 0), ["confused"]);
        world.issue(issue, |issue| assert!(issue.labels.is_empty() && issue.title.is_empty() && !issue.closed));
        // A second attempt doesn't take the refusal for an answer about the game.
        world.post(issue, "carol", "/new hex computer");
        assert_eq!(world.answers(issue).len(), 2);
        assert!(world.reply(issue).contains(ADOPT), "{}", world.reply(issue));
        assert_eq!(files(&world), before);
    }
}

#[test]
fn people_chat_in_an_issue_with_the_number_of_an_old_game() {
    let world = copy();
    let issue = world.open("carol", "It crashes when I start it");
    world.post(issue, "dave", "Same here: b2 or not b2");
    world.as_maintainer("dave");
    world.post(issue, "dave", "fixed");
    world.sweep().unwrap();
    assert_eq!(world.answers(issue), Vec::<String>::new());
}

/// Nothing is played from elsewhere, no game moves over the old record, and nobody's lists have it.
#[test]
fn commands_from_other_issues_find_no_game_in_a_copy() {
    let world = copy();
    world.open("carol", "It crashes");
    let before = files(&world);
    world.change(|state| {
        let issue = state.issues[&1].clone();
        state.issues.insert(9, issue);
    });
    let elsewhere = world.open("alice", "/move c3 #1");
    assert!(world.reply(elsewhere).contains(ADOPT), "{}", world.reply(elsewhere));
    let missing = world.open("alice", "/move c3 #2");
    assert!(world.reply(missing).contains("no game in issue 2"), "{}", world.reply(missing));
    assert_eq!(files(&world), before);
    // A game of this repository doesn't move over the record of another one.
    let own = world.open("alice", "/new tic-tac-toe @bob");
    world.post(own, "alice", "b2");
    world.post(own, "alice", "/mine");
    assert!(world.reply(own).contains("**alice** has one game here"), "{}", world.reply(own));
    let record = world.record(1);
    world.post(1, "alice", &format!("/continue #{own}"));
    assert!(world.reply(1).contains("already has a game"), "{}", world.reply(1));
    assert_eq!((world.record(1), world.table(own).is_playing()), (record, true));
}

/// A server's backup has the issues, too, but the repository has another ID.
#[test]
fn a_restored_backup_goes_on_when_it_is_adopted() {
    let world = repository();
    world.change(|state| state.repository_id += 1);
    let before = files(&world);
    let answers = world.answers(1).len();
    wait(&world);
    assert_eq!(world.sweep().unwrap().notes, [HostNote::ForeignRecords]);
    assert_eq!((files(&world), world.answers(1).len(), world.answers(2).len()), (before, answers, 3));
    world.post(1, "alice", "c3");
    assert!(world.reply(1).contains(ADOPT), "{}", world.reply(1));
    adopt(&world);
    world.post(1, "alice", "c3");
    assert_eq!(world.moves(1), ["b2", "a1", "c3"], "{}", world.reply(1));
    assert_eq!(world.sweep().unwrap().notes, []);
    assert!(world.table(2).is_over(), "the flag falls once the game belongs here");
}

/// Names change, and the ID stays.
#[test]
fn games_go_on_in_a_renamed_or_transferred_repository() {
    let mut world = repository();
    world.config.web.as_mut().unwrap().repository = "new-owner/new-name".to_owned();
    world.post(1, "alice", "c3");
    assert_eq!(world.moves(1), ["b2", "a1", "c3"]);
    assert!(world.reply(1).contains("new-owner/new-name"), "{}", world.reply(1));
    assert_eq!(world.sweep().unwrap().notes, []);
}

/// A command binds a game from the command line to the repository, in the issue that has the bot's answers.
#[test]
fn a_record_without_a_repository_is_bound_in_its_own_issue() {
    let world = repository();
    unbind(&world);
    world.open("alice", "/move c3 #1");
    assert_eq!((world.moves(1).len(), world.table(1).repository()), (3, None));
    world.post(1, "bob", "/board");
    assert_eq!(world.table(1).repository(), None);
    world.post(1, "bob", "a2");
    assert_eq!((world.moves(1).len(), world.table(1).repository()), (4, Some(RepositoryId::new(700_000_001))));
    assert_eq!(world.table(2).repository(), None);
    // A deleted issue ends the one that is bound.
    world.delete_comment(1, 0);
    world.delete_comment(2, 0);
    for _ in 0..8 {
        world.sweep().unwrap();
        world.change(|state| state.now += 24 * 60 * 60_000);
    }
    assert_eq!([1, 2].map(|issue| world.table(issue).is_playing()), [false, true]);
}

/// The pages of a copy keep its results, and drop games that nobody can play there.
#[test]
fn the_list_of_a_copy_has_no_games_in_progress() {
    const PAGE: &str = "<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n";
    let world = repository();
    world.land(&[("README.md", PAGE)]);
    world.sweep().unwrap();
    assert!(world.file("README.md").unwrap().contains("[#1]"));
    assert!(!world.file("state/tables.json").unwrap().contains("repository"));
    world.copy_repository();
    let games = |world: &Scenario| {
        files(world)
            .into_iter()
            .filter(|(path, _)| !path.contains("README") && !path.contains("tables"))
            .collect::<Vec<_>>()
    };
    let before = games(&world);
    world.sweep().unwrap();
    let page = world.file("README.md").unwrap();
    assert!(page.contains("No games in progress.") && page.contains("[#3]") && !page.contains('@'), "{page}");
    assert_eq!(games(&world), before);
    assert_eq!(state_file::load(&world.record(1), IssueNumber::new(1)).map(|table| table.is_playing()), Ok(true));
}
