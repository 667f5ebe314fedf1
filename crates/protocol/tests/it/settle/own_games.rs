//! `/mine`: the games of the person who asks.

use testkit::Scenario;
use testkit::world::Request;

/// Returns a repository where alice plays five games against bob, and it's her turn in the first and the third.
fn five_games() -> Scenario {
    let world = Scenario::new();
    for (game, moves) in [("tic-tac-toe", 0), ("hex", 1), ("connect-four per-move=7d", 0), ("othello", 1), ("chess", 1)]
    {
        let issue = world.open("alice", &format!("/new {game} @bob"));
        let first = ["b2", "f6", "d", "d3", "e4"][usize::try_from(issue - 1).unwrap()];
        if moves == 1 {
            world.post(issue, "alice", &format!("/move {first}"));
        }
    }
    world.open("carol", "/new hex");
    world
}

#[test]
fn lists_the_games_that_wait_first() {
    let world = five_games();
    world.post(1, "alice", "/mine");
    let answer = world.reply(1);
    let (own, theirs) = answer.split_once("| Their turn").unwrap();
    assert!(answer.contains("**alice** has 5 games here, and it's **alice**'s turn in 2."), "{answer}");
    assert!(own.contains("[#1]") && own.contains("[#3]") && !own.contains("[#2]"), "{answer}");
    assert!(theirs.contains("| Chess [#5](https://github.example/host/games/issues/5) | **bob** |"), "{answer}");
    assert!(!answer.contains("#6") && !answer.contains('@'), "{answer}");
    // An invitation that nobody has answered is a game, too.
    world.post(2, "bob", "/games");
    assert!(world.reply(2).contains("**bob** has 5 games here, and it's **bob**'s turn in 3."), "{}", world.reply(2));
    // The game that runs out of time first comes first.
    assert!(own.find("[#3]") < own.find("[#1]"), "{answer}");
}

#[test]
fn answers_only_at_tables() {
    let world = five_games();
    let issue = world.open("dave", "How do I see my games?");
    world.post(issue, "alice", "/mine");
    world.post(issue, "dave", "/mine");
    assert_eq!(world.answers(issue).len(), 0);
    world.post(1, "dave", "/mine");
    assert!(world.reply(1).contains("**dave** has no game in progress here."), "{}", world.reply(1));
}

#[test]
fn says_that_no_game_waits() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
    world.post(1, "alice", "/mine");
    assert!(
        world.reply(1).contains("**alice** has one game here, and it's the opponent's turn."),
        "{}",
        world.reply(1)
    );
    world.open("alice", "/new chess @bob as=black");
    world.post(1, "alice", "/mine");
    let expected = "**alice** has 2 games here, and it's the opponent's turn in each.";
    assert!(world.reply(1).contains(expected), "{}", world.reply(1));
}

#[test]
fn takes_one_request_for_all_games() {
    for games in [20, 100, 1_500] {
        let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
        land_copies(&world, 2..=games);
        world.clear_log();
        world.post(1, "bob", "/mine");
        assert_eq!(world.count(Request::Any), 4, "{games} games");
        let answer = world.reply(1);
        assert!(answer.contains(&format!("**bob** has {games} games here")), "{answer}");
        assert_eq!(answer.matches("| [").count() + answer.matches(" [#").count(), 20, "{answer}");
    }
}

/// The summaries may be too much for one reply.
#[test]
fn reads_the_files_in_parts_if_they_are_too_long() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2"]);
    land_copies(&world, 2..=250);
    world.change(|state| state.longest_reply = Some(20_000));
    world.clear_log();
    world.post(1, "bob", "/mine");
    assert!(world.reply(1).contains("**bob** has 250 games here"), "{}", world.reply(1));
    // The folder at once and its names, and three times a hundred files.
    assert_eq!([Request::Folder, Request::Files].map(|kind| world.count(kind)), [2, 3]);
}

/// Somebody else's open seats are newer than the game.
#[test]
fn time_away_reaches_the_oldest_of_many_games() {
    let comments = ["alice: b2", "bob: a1", "alice: c3"];
    let world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &comments);
    land_copies(&world, 2..=1_200);
    world.clear_log();
    world.post(1, "bob", "/away 14d");
    assert_eq!(world.count(Request::Any), 7, "{:?}", world.log());
    for issue in [1, 2, 1_200] {
        let file = world.file(&format!("state/running/{issue}.json")).unwrap();
        assert!(file.contains("\"away\""), "{file}");
    }
    world.change(|state| state.now += 10 * 24 * 3_600_000);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
}

/// Adds games like that of issue 1.
fn land_copies(world: &Scenario, issues: std::ops::RangeInclusive<u64>) {
    let text = world.file("state/running/1.json").unwrap();
    let file = |issue: u64| {
        (format!("state/running/{issue}.json"), text.replace("\"issue\": 1,", &format!("\"issue\": {issue},")))
    };
    let files: Vec<(String, String)> = issues.map(file).collect();
    world.land(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
}

#[test]
fn invitations_hide_no_game() {
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "alice: c3"]);
    // Mallory's games wait longer than alice's.
    let text = world.file("state/running/1.json").unwrap().replace(", \"id\": 1002", "");
    let text = text.replace("\"since\": 17", "\"since\": 16");
    let file = |issue: u64| {
        (format!("state/running/{issue}.json"), text.replace("\"issue\": 1,", &format!("\"issue\": {issue},")))
    };
    let files: Vec<(String, String)> = (2..=40).map(file).collect();
    world.land(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    world.post(1, "bob", "/mine");
    let answer = world.reply(1);
    assert!(answer.contains("**bob** has 40 games here") && answer.contains("And 20 more."), "{answer}");
    assert!(answer.contains("| Tic-tac-toe [#1]"), "{answer}");
}

#[test]
fn skips_damaged_files() {
    let world = five_games();
    world.land(&[("state/running/1.json", "{"), ("state/running/x.json", "{}"), ("state/running/7.json", "{}")]);
    world.post(2, "alice", "/mine");
    assert!(world.reply(2).contains("**alice** has 4 games here"), "{}", world.reply(2));
}
