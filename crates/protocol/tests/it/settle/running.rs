//! The summaries of games in progress.

use table::{GameSummary, IssueNumber};
use testkit::Scenario;

/// Returns the file of a table's game.
fn running(world: &Scenario, issue: u64) -> Option<GameSummary> {
    let text = world.file(&format!("state/running/{issue}.json"))?;
    Some(GameSummary::parse(&text, IssueNumber::new(issue)).unwrap())
}

/// Whose turn it is, and the number of moves.
fn turn(world: &Scenario, issue: u64) -> Option<(String, usize)> {
    let game = running(world, issue)?;
    let player = game.player(game.side_to_move()).map_or("nobody".to_owned(), |player| player.name.clone());
    Some((player, game.moves))
}

fn turn_of(login: &str, moves: usize) -> Option<(String, usize)> {
    Some((login.to_owned(), moves))
}

#[test]
fn a_game_in_progress_has_a_short_file() {
    let world = Scenario::played("/new tic-tac-toe per-move=7d", &[]);
    assert_eq!(turn(&world, 1), turn_of("alice", 0));
    world.post(1, "alice", "b2");
    assert_eq!(turn(&world, 1), turn_of("nobody", 1));
    assert_eq!(running(&world, 1).unwrap().deadline, None, "nobody's clock runs");
    world.post(1, "bob", "a1");
    assert_eq!(turn(&world, 1), turn_of("alice", 2));
    let game = running(&world, 1).unwrap();
    let week = std::time::Duration::from_secs(7 * 24 * 60 * 60);
    assert_eq!(game.deadline, Some(game.since + week));
    world.post(1, "bob", "Nice!");
    world.post(1, "alice", "/resign");
    assert_eq!(world.file("state/running/1.json"), None);
    // A commit that deletes a missing file would fail.
    world.post(1, "bob", "/rematch");
    assert_eq!(turn(&world, 1).map(|(_, moves)| moves), Some(0));
    world.post(1, "bob", "/abort");
    assert_eq!(world.file("state/running/1.json"), None);
}

#[test]
fn a_moved_game_leaves_no_file_behind() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob opens: /continue #1"]);
    assert_eq!((turn(&world, 1), turn(&world, 2)), (None, turn_of("bob", 1)));
}

/// Somebody deleted the file or damaged it.
#[test]
fn the_daily_run_writes_missing_files() {
    for damage in [None, Some("{}"), Some("no JSON")] {
        let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
        match damage {
            None => world.remove_file("state/running/1.json"),
            Some(text) => _ = world.land(&[("state/running/1.json", text)]),
        }
        world.sweep().unwrap();
        assert_eq!(turn(&world, 1), turn_of("bob", 1), "{damage:?}");
        let commits = world.headlines().len();
        world.sweep().unwrap();
        assert_eq!(world.headlines().len(), commits, "one commit is enough");
    }
    // The daily run deletes the file of a finished game.
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: /resign"]);
    world.land(&[("state/running/1.json", "left over")]);
    world.sweep().unwrap();
    assert_eq!(world.file("state/running/1.json"), None);
}

#[test]
fn no_move_reads_the_folder() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
    let files: Vec<(String, String)> =
        (2..1_000).map(|issue| (format!("state/running/{issue}.json"), "{}".to_owned())).collect();
    world.land(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    world.clear_log();
    world.post(1, "bob", "a1");
    assert_eq!(world.log().len(), 3);
}
