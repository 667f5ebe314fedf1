//! Games whose players run out of time: the daily run ends them once, and never against a move in time.

use protocol::SettleError;
use table::dice::parse_secret;
use testkit::world::{Request, RequestFault};
use testkit::{Millis, Scenario};

const HOUR: Millis = 60 * 60_000;

/// Returns a repository with a game in which both have moved and bob has a day, and no request in its log.
fn clocked_game() -> Scenario {
    let world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &["alice: b2", "bob: a1", "alice: c3"]);
    world.clear_log();
    world
}

trait Clocked {
    fn wait(&self, hours: u64);
    /// Returns the number of flags in the record and of their announcements in the thread.
    fn flags(&self) -> [usize; 2];
}

impl Clocked for Scenario {
    fn wait(&self, hours: u64) {
        self.change(|state| state.now += hours * HOUR);
    }

    fn flags(&self) -> [usize; 2] {
        let announced =
            self.answers(1).iter().filter(|text| text.starts_with("<!-- play-by-commit notice flag ")).count();
        [self.record(1).matches("\"type\": \"flag\"").count(), announced]
    }
}

#[test]
fn a_move_in_time_counts_although_no_run_saw_it() {
    let world = clocked_game();
    world.wait(23);
    world.comment(1, "bob", "a2");
    world.wait(100);
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), world.flags()), (4, [0, 0]));
    // Alice has known that it's her turn since then only, so she has a day from now.
    world.wait(23);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.wait(4);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // A move in another issue counts, too.
    let world = clocked_game();
    world.wait(23);
    world.open_issue("bob", "/move a2 #1");
    world.wait(100);
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), world.flags()), (4, [0, 0]));
}

#[test]
fn a_flag_takes_seven_requests_at_most() {
    let requests = |games: usize| {
        let world = Scenario::new();
        for _ in 0..games {
            let issue = world.open("alice", "/new tic-tac-toe @bob per-move=1d");
            for (login, text) in [("alice", "b2"), ("bob", "a1"), ("alice", "c3")] {
                world.post(issue, login, text);
            }
        }
        world.wait(30);
        world.clear_log();
        world.sweep().unwrap();
        assert_eq!(world.flags(), [1, 1]);
        world.count(Request::Any)
    };
    let (one, five) = (requests(1), requests(5));
    // The sweep also reads each of these issues once.
    assert!(five - one <= 4 * 7, "{one} requests for one game, {five} for five");
}

/// What another table needs holds up that table alone: its record is damaged or removed, or its dice secret is lost.
#[test]
fn trouble_elsewhere_holds_up_no_flag() {
    for trouble in ["damaged", "removed", "lost secret"] {
        let mut world = clocked_game();
        world.config.policy.dice_secret = Some(parse_secret("a secret that is long enough to be one").unwrap());
        world.open("carol", "/new backgammon");
        world.wait(30);
        match trouble {
            "damaged" => _ = world.land(&[("state/2.json", "{}")]),
            "removed" => world.remove_file("state/2.json"),
            _ => world.config.policy.dice_secret = None,
        }
        world.comment(2, "dave", "/join");
        _ = world.sweep();
        assert_eq!(world.flags(), [1, 1], "{trouble}");
    }
    // Its own record does.
    let world = clocked_game();
    let record = world.record(1);
    world.land(&[("state/1.json", "{}")]);
    world.wait(30);
    assert!(matches!(world.sweep(), Err(SettleError::Sweep(_))));
    world.land(&[("state/1.json", &record)]);
    assert_eq!(world.flags(), [0, 0]);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
}

/// Strangers write any number of commands, at their own tables, about the game, and where the bot answers slowly.
#[test]
fn a_flood_elsewhere_holds_up_no_flag() {
    let world = clocked_game();
    let own = world.open("mallory", "/new tic-tac-toe seats=open");
    for number in 0..130 {
        world.comment(own, &format!("guest{number}"), "/board");
    }
    for number in 0..30 {
        let issue = world.open_issue("mallory", "/move a2 #1");
        world.comment(issue, &format!("guest{number}"), "/move b3 #1");
        world.comment(issue, "bob", "/move zz9 #1");
    }
    world.wait(30);
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // The flag falls before anything else is settled.
    let commit = world.log().into_iter().position(|entry| entry.request == Request::Commit).unwrap();
    assert!(commit < 10, "{commit}");
}

/// The run of a move in another issue failed, and no run follows for days.
#[test]
fn a_move_elsewhere_in_time_counts_after_an_outage() {
    for days in [2, 9, 40] {
        let world = clocked_game();
        world.wait(23);
        let other = world.open_issue("bob", "/move a2 #1");
        world.wait(24 * days);
        world.sweep().unwrap();
        assert_eq!((world.moves(1).len(), world.flags(), world.answers(other).len()), (4, [0, 0], 1), "{days}");
    }
    // It's a comment of another table, or below a link.
    for body in ["/new hex", "/move a2 #1"] {
        let world = clocked_game();
        let other = world.open("bob", body);
        let (login, text) = if body == "/new hex" { ("bob", "/move a2 #1") } else { ("alice", "b3") };
        let moves = world.moves(1).len();
        world.wait(23);
        world.comment(other, login, text);
        world.wait(9 * 24);
        world.sweep().unwrap();
        assert_eq!((world.moves(1).len(), world.flags()), (moves + 1, [0, 0]), "{body}");
    }
    // A move after the deadline is too late.
    let world = clocked_game();
    world.wait(25);
    world.open_issue("bob", "/move a2 #1");
    world.wait(5);
    world.sweep().unwrap();
    assert_eq!((world.moves(1).len(), world.flags()), (3, [1, 1]));
}

/// Time away holds for all games, no matter at which table the player announced it.
#[test]
fn time_away_from_another_table_counts_after_an_outage() {
    for (hours, takes) in [(30, "sweep"), (3, "/claim"), (3, "/computer")] {
        let world = clocked_game();
        let other = world.open("bob", "/new hex");
        world.wait(23);
        world.comment(other, "bob", "/away 14d");
        world.comment(other, "mallory", "/away 14d");
        world.wait(hours);
        match takes {
            "sweep" => _ = world.sweep().unwrap(),
            command => _ = world.post(1, "alice", command),
        }
        assert_eq!(world.flags(), [0, 0], "{takes}");
        let is_same = world.table(1).is_playing() && !world.record(1).contains("seatComputer");
        assert!(is_same && world.file("state/running/1.json").unwrap().contains("\"away\""), "{takes}");
    }
}

#[test]
fn no_claim_wins_before_a_move_elsewhere_is_settled() {
    for (text, hours) in [("/claim", 2), ("/computer", 2), ("/claim", 24 * 9)] {
        let world = clocked_game();
        world.wait(23);
        let other = world.open_issue("bob", "/move a2 #1");
        world.wait(hours);
        world.post(1, "alice", text);
        assert_eq!((world.moves(1).len(), world.answers(other).len()), (4, 1), "{text} {hours}");
        assert!(world.table(1).is_playing() && !world.record(1).contains("seatComputer"), "{}", world.reply(1));
    }
    // A claim that is written in another issue waits as well.
    let world = clocked_game();
    world.wait(23);
    world.open_issue("bob", "/move a2 #1");
    world.wait(2);
    world.open("alice", "/claim #1");
    assert_eq!(world.moves(1).len(), 4);
    assert!(world.table(1).is_playing());
    // Nothing else holds it up: refused moves, moves of others, or moves that come too late.
    let world = clocked_game();
    for (login, text) in [("bob", "/move zz9 #1"), ("mallory", "/move a2 #1"), ("bob", "/board #1")] {
        world.open_issue(login, text);
    }
    world.wait(25);
    world.open_issue("bob", "/move a2 #1");
    world.clear_log();
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_over(), "{}", world.reply(1));
    // The list is all that a claim costs.
    assert_eq!(world.count(Request::Sweep), 1);
    assert_eq!(world.count(Request::Read), 1);
}

/// A player who is late hurries while the opponent's claim waits for what they wrote elsewhere.
#[test]
fn a_late_move_does_not_overtake_a_claim_that_waits() {
    let world = clocked_game();
    world.wait(23);
    let other = world.open_issue("bob", "/draw #1");
    world.wait(2);
    let claim = world.comment(1, "alice", "/claim");
    world.post(1, "bob", "a2");
    assert_eq!((world.moves(1).len(), world.answers(other).len()), (3, 1));
    assert!(world.table(1).is_over(), "{}", world.reply(1));
    assert!(world.record(1).contains(&format!("\"comment\": {claim}")), "{}", world.record(1));
}

/// Two games whose claims wait for each other's issues.
#[test]
fn claims_in_a_circle_end() {
    let world = clocked_game();
    let second = world.open("bob", "/new tic-tac-toe @alice per-move=1d");
    for (login, text) in [("bob", "b2"), ("alice", "a1"), ("bob", "c3")] {
        world.post(second, login, text);
    }
    world.wait(22);
    let one = world.open_issue("bob", "/move a2 #1");
    let two = world.open_issue("alice", &format!("/move a2 #{second}"));
    world.wait(3);
    world.comment(one, "bob", &format!("/claim #{second}"));
    world.comment(two, "alice", "/claim #1");
    world.post(1, "alice", "/claim");
    for _ in 0..3 {
        world.sweep().unwrap();
    }
    assert_eq!([1, second].map(|issue| world.moves(issue).len()), [4, 4]);
    assert!([1, second].into_iter().all(|issue| world.table(issue).is_playing()));
}

/// Somebody joins many games and never moves. Those deadlines passed long ago, but nobody can be late there.
#[test]
fn abandoned_games_take_no_clock_from_others() {
    let world = clocked_game();
    for _ in 0..60 {
        let issue = world.open("mallory", "/new tic-tac-toe per-move=1h");
        world.post(issue, "mallory", "b2");
        world.post(issue, "carol", "/join");
    }
    let reminded = world.open("alice", "/new hex @bob per-move=8d");
    world.post(reminded, "alice", "f6");
    world.post(reminded, "bob", "e5");
    world.wait(7 * 24);
    world.clear_log();
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    assert!(world.reply(reminded).contains("@alice"), "{}", world.reply(reminded));
    // All of them are recent, so the list names them, but only once.
    assert!(world.count(Request::Read) < 75, "{}", world.count(Request::Read));
    world.wait(8 * 24);
    world.clear_log();
    world.sweep().unwrap();
    assert!(world.count(Request::Read) < 15, "{}", world.count(Request::Read));
}

#[test]
fn a_rematch_ends_on_time_once_both_have_moved() {
    let world = clocked_game();
    world.post(1, "bob", "/resign");
    world.post(1, "bob", "/rematch");
    world.post(1, "alice", "/join");
    world.post(1, "bob", "b2");
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.post(1, "alice", "a1");
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
}

#[test]
fn no_flag_falls_in_a_locked_issue() {
    // Nobody can write in a locked issue.
    let world = clocked_game();
    world.issue(1, |issue| issue.locked = true);
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
}

#[test]
fn faults_let_a_flag_fall_once() {
    for applied in [false, true] {
        for kind in [Request::Read, Request::Folder, Request::Files, Request::Commit, Request::Answer] {
            for nth in 1..5 {
                let world = clocked_game();
                world.wait(30);
                world.fail_nth(kind, nth, RequestFault::Lost { applied });
                world.sweep().unwrap();
                world.sweep().unwrap();
                assert_eq!(world.flags(), [1, 1], "{kind:?} {nth}");
                assert!(world.with_state(|state| state.issues[&1].closed));
            }
        }
    }
    // The run dies before it has announced the flag, and the next one does.
    for applied in [false, true] {
        let world = clocked_game();
        world.wait(30);
        world.fail(Request::Answer, RequestFault::Killed { applied });
        assert!(world.try_run(protocol::Trigger::Sweep).is_none());
        world.sweep().unwrap();
        assert_eq!(world.flags(), [1, 1]);
    }
}

#[test]
fn time_away_reaches_every_game() {
    let world = clocked_game();
    let second = world.open("bob", "/new hex @alice per-move=2d");
    world.post(second, "bob", "f6");
    world.wait(20);
    world.clear_log();
    world.post(1, "bob", "/away 3d");
    assert_eq!(world.count(Request::Any), 7, "{:?}", world.log());
    let file = |issue: u64| world.file(&format!("state/running/{issue}.json")).unwrap();
    assert!(file(1).contains("\"away\"") && file(second).contains("\"away\""), "{}", file(second));
    // A game that he starts while he's away knows it, too.
    let third = world.open("bob", "/new othello @alice per-move=1d");
    assert!(file(third).contains("\"away\""), "{}", file(third));
    // So does a game that he joins.
    let fourth = world.open("alice", "/new checkers per-move=1d");
    world.post(fourth, "bob", "/join");
    assert!(file(fourth).contains("\"away\""), "{}", file(fourth));
    world.wait(60);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.wait(20);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
    // Time away that is over leaves the files with the next move.
    world.post(second, "alice", "e5");
    world.post(second, "bob", "d5");
    assert!(!file(second).contains("\"away\""), "{}", file(second));
}

/// The answer about a turn stays in the old issue, and the game moves to a new one.
#[test]
fn a_game_that_moves_after_an_outage_ends_for_nobody() {
    let world = clocked_game();
    world.wait(23);
    world.comment(1, "bob", "a2");
    world.wait(100);
    world.sweep().unwrap();
    let issue = world.open("bob", "/continue #1");
    world.sweep().unwrap();
    assert!(world.table(issue).is_playing());
    world.wait(27);
    world.sweep().unwrap();
    assert!(world.table(issue).is_over());
}

/// A move in another issue that the bot settles late doesn't start the opponent's clock in the past.
#[test]
fn time_away_stops_the_clock_of_a_late_run() {
    let world = clocked_game();
    let other = world.open_issue("bob", "/move a2 #1");
    world.wait(30);
    // Alice learns of her turn late, and goes away before her day is over.
    world.settle(other, 0);
    world.wait(20);
    world.post(1, "alice", "/away 3d");
    world.wait(30);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [0, 0]);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    world.wait(60);
    world.sweep().unwrap();
    assert_eq!(world.flags(), [1, 1]);
}

#[test]
fn a_late_run_starts_no_clock_in_the_past() {
    let world = clocked_game();
    let other = world.open_issue("bob", "/move a2 #1");
    world.post(1, "bob", "c2");
    world.post(1, "alice", "b3");
    world.wait(30);
    // By then it's too late, and his flag may fall, but alice's clock hasn't run for 30 hours.
    world.settle(other, 0);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    assert!(world.reply(1).contains("Your opponent still has 1 day"), "{}", world.reply(1));
    world.post(1, "bob", "/computer");
    assert!(world.table(1).is_playing() && !world.record(1).contains("seatComputer"), "{}", world.reply(1));
    world.wait(25);
    world.post(1, "bob", "/computer");
    assert!(world.record(1).contains("seatComputer"), "{}", world.reply(1));
}

/// The bot was down when alice moved, and bob answers within a day of being told.
#[test]
fn a_turn_begins_when_the_player_is_told() {
    let banked = || {
        let moves = ["alice: b2", "bob: a1", "alice: c3", "bob: a2"];
        let world = Scenario::played("/new tic-tac-toe boardSize=5 kInRow=4 @bob per-move=1d bank=2d", &moves);
        world.post(1, "alice", "/time");
        world
    };
    let until = |text: &str| text.split("until ").nth(1).map(|rest| rest[..16].to_owned()).expect("a deadline");
    let deadline_in = |world: &Scenario, hours: u64| {
        let at = world.with_state(|state| state.now) + hours * HOUR;
        table::timestamp::format_deadline(table::Timestamp::from_millis(at)).unwrap()[..12].to_owned()
    };
    // The delay doesn't matter, and neither does which run announces the move.
    for (down, dies) in [(50, false), (50, true), (16 * 24, false)] {
        let world = banked();
        world.comment(1, "alice", "c1");
        if dies {
            world.fail(Request::Answer, RequestFault::Killed { applied: false });
            assert!(world.try_run(protocol::Trigger::Sweep).is_none());
        }
        world.wait(down);
        world.sweep().unwrap();
        let expected = deadline_in(&world, 24);
        assert!(until(&world.reply(1)).starts_with(&expected), "{expected}: {}", world.reply(1));
        world.post(1, "bob", "/time");
        assert!(until(&world.reply(1)).starts_with(&expected), "{expected}: {}", world.reply(1));
        world.post(1, "bob", "/mine");
        assert!(!world.reply(1).contains("out of time"), "{}", world.reply(1));
        // A day and the bank later than that, if at all.
        let running = world.file("state/running/1.json").unwrap();
        let game = table::GameSummary::parse(&running, table::IssueNumber::new(1)).unwrap();
        let now = table::Timestamp::from_millis(world.with_state(|state| state.now));
        assert!(game.runs_out_at().unwrap() > now + std::time::Duration::from_secs(71 * 3_600), "{running}");
        world.wait(20);
        world.post(1, "alice", "/claim");
        assert!(world.table(1).is_playing(), "{}", world.reply(1));
        world.sweep().unwrap();
        world.post(1, "bob", "d4");
        // His bank is still full.
        world.post(1, "alice", "d5");
        world.post(1, "bob", "/time");
        assert!(world.reply(1).contains("and then 2 days in the bank"), "{}", world.reply(1));
        assert!(world.record(1).contains("\"clock\": "), "{}", world.record(1));
        assert_eq!(table::state_file::to_json(&world.table(1)), world.record(1));
    }
    // An impossible time is refused.
    let world = banked();
    world.comment(1, "alice", "c1");
    world.wait(50);
    world.sweep().unwrap();
    world.post(1, "bob", "d4");
    let record = world.record(1);
    let (before, rest) = record.rsplit_once("\"clock\": ").unwrap();
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    for clock in ["1", "99999999999999"] {
        let text = format!("{before}\"clock\": {clock}{rest}");
        let error = table::state_file::load(&text, table::IssueNumber::new(1)).unwrap_err().to_string();
        assert!(error.contains("`clock` has to be between the beginning of the turn and this event"), "{error}");
    }
}

/// The daily run tries again each time, but commits the late start of the turn only once in a while.
#[test]
fn a_late_answer_that_cannot_be_posted_commits_nothing_again() {
    let world = Scenario::played("/new connect-four @bob per-move=4d", &["alice: d", "bob: d"]);
    world.comment(1, "alice", "c");
    world.wait(50);
    world.change(|state| state.limits_interactions = true);
    world.sweep().unwrap();
    let filed = world.file("state/running/1.json");
    world.wait(1);
    world.sweep().unwrap();
    assert_eq!(world.file("state/running/1.json"), filed);
    // The answer that comes at last still names a deadline that counts.
    world.wait(47);
    world.change(|state| state.limits_interactions = false);
    world.sweep().unwrap();
    world.wait(95);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
}

/// In another issue, the answer isn't in the table's own thread.
#[test]
fn a_move_from_elsewhere_that_is_announced_late_costs_nobody_time() {
    let world = clocked_game();
    let other = world.open_issue("bob", "/move a2 #1");
    world.wait(100);
    world.settle(other, 0);
    world.wait(23);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    world.wait(2);
    world.post(1, "bob", "/claim");
    assert!(world.table(1).is_over(), "{}", world.reply(1));
}

#[test]
fn a_clock_starts_anew_when_its_issue_is_unlocked() {
    let world = clocked_game();
    world.lock(1);
    world.wait(100);
    world.sweep().unwrap();
    // From another issue, too.
    world.open("alice", "/claim #1");
    world.open("alice", "/computer #1");
    assert!(world.table(1).is_playing() && world.flags() == [0, 0], "{}", world.reply(2));
    world.unlock(1);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
    world.sweep().unwrap();
    world.wait(23);
    world.sweep().unwrap();
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_playing() && world.flags() == [0, 0], "{}", world.reply(1));
    world.post(1, "bob", "/mine");
    assert!(!world.reply(1).contains("out of time"), "{}", world.reply(1));
    world.wait(2);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_over(), "{}", world.reply(1));
    // It takes nothing out of a bank.
    let moves = ["alice: b2", "bob: a1", "alice: c3"];
    let world = Scenario::played("/new tic-tac-toe boardSize=5 kInRow=4 @bob per-move=1d bank=2d", &moves);
    world.lock(1);
    world.wait(100);
    world.unlock(1);
    world.post(1, "bob", "a2");
    world.post(1, "alice", "d4");
    assert!(world.reply(1).contains("and then 2 days in the bank"), "{}", world.reply(1));
}

#[test]
fn moving_a_game_gives_nobody_time() {
    let world = clocked_game();
    world.wait(20);
    let mut issue = 1;
    for _ in 0..3 {
        issue = world.open("bob", &format!("/continue #{issue}"));
        world.wait(3);
    }
    world.post(issue, "alice", "/claim");
    assert!(world.table(issue).is_over(), "{}", world.reply(issue));
    // The daily run sees it, too.
    let world = clocked_game();
    world.wait(20);
    let issue = world.open("bob", "/continue #1");
    world.wait(8);
    world.sweep().unwrap();
    assert!(world.table(issue).is_over());
    // Without a clock, silence continues.
    let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1", "alice: c3"]);
    world.wait(20 * 24);
    let issue = world.open("bob", "/continue #1");
    world.wait(11 * 24);
    world.post(issue, "alice", "/abort");
    assert!(world.table(issue).is_over(), "{}", world.reply(issue));
}

/// Silence counts from the moment when the bot told the player of their turn.
#[test]
fn silence_begins_when_the_player_is_told() {
    for command in ["/abort", "/computer"] {
        let world = Scenario::played("/new tic-tac-toe @bob", &["alice: b2", "bob: a1"]);
        world.comment(1, "alice", "c3");
        world.wait(29 * 24);
        world.post(1, "bob", "/board");
        world.wait(2 * 24);
        let record = world.record(1);
        world.post(1, "alice", command);
        assert_eq!(world.record(1), record, "{}", world.reply(1));
        world.wait(29 * 24);
        world.post(1, "alice", command);
        assert_ne!(world.record(1), record, "{}", world.reply(1));
    }
}

/// A promise about somebody's time away holds, even if the files are lost.
#[test]
fn an_answered_absence_holds() {
    type Damage = fn(&Scenario);
    let damage: [(&str, Damage); 5] = [
        ("a rollback", |world| {
            world.change(|state| {
                let head = state.branches["main"].clone();
                let parent = state.commits[&head].parent.clone().unwrap();
                state.branches.insert("main".to_owned(), parent);
            });
        }),
        ("a damaged summary", |world| drop(world.land(&[("state/running/1.json", "{}")]))),
        ("a deleted summary", |world| world.remove_file("state/running/1.json")),
        ("a deleted file", |world| world.remove_file("state/away/1002.json")),
        ("an emptied summary", |world| {
            let text = world.file("state/running/1.json").unwrap();
            let mut game: serde_json::Value = serde_json::from_str(&text).unwrap();
            for player in game["players"].as_array_mut().unwrap() {
                player.as_object_mut().unwrap().remove("away");
            }
            world.land(&[("state/running/1.json", &game.to_string())]);
        }),
    ];
    for (name, damage) in damage {
        for by_claim in [false, true] {
            let world = clocked_game();
            world.post(1, "bob", "/away 14d");
            assert!(world.reply(1).contains("their clocks here have stopped"), "{}", world.reply(1));
            damage(&world);
            world.wait(30);
            for _ in 0..2 {
                if by_claim {
                    world.post(1, "alice", "/claim");
                } else {
                    world.sweep().unwrap();
                }
                assert!(world.table(1).is_playing() && world.flags() == [0, 0], "{name}: {}", world.reply(1));
            }
            world.wait(15 * 24);
            world.post(1, "alice", "/claim");
            assert!(world.table(1).is_over(), "{name}: {}", world.reply(1));
        }
    }
}

/// Bob wrote his first move before his `/away`, but the bot reads the other issue later.
#[test]
fn a_refused_absence_stops_no_clock() {
    let world = Scenario::played("/new tic-tac-toe @bob per-move=1d", &["alice: b2"]);
    let elsewhere = world.open_issue("bob", "/move a1 #1");
    world.wait(1);
    world.post(1, "bob", "/away 14d");
    assert!(world.reply(1).contains("You have no game in progress here"), "{}", world.reply(1));
    world.settle(elsewhere, 0);
    world.post(1, "alice", "c3");
    world.wait(30);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_over(), "{}", world.reply(1));
}

#[test]
fn a_damaged_file_about_time_away_is_left_to_the_host() {
    let world = clocked_game();
    world.post(1, "bob", "/away 14d");
    let before = world.file("state/away/1002.json").unwrap();
    world.land(&[("state/away/1002.json", "{}"), ("state/running/1.json", "{}")]);
    world.wait(30);
    let claim = world.comment(1, "alice", "/claim");
    let report = world.settle(1, claim);
    assert!(world.table(1).is_playing() && world.reply(1).contains("`away/1002.json`"), "{}", world.reply(1));
    let is_noted = |report: &protocol::Report| {
        report.failures.iter().any(|note| matches!(note, protocol::HostNote::DamagedAway { .. }))
    };
    assert!(is_noted(&report), "{report:?}");
    // The first one writes the summary again.
    let _ = world.sweep().unwrap();
    let report = world.sweep().unwrap();
    assert!(is_noted(&report) && world.flags() == [0, 0], "{report:?}");
    let away = world.comment(1, "bob", "/away 3d");
    let report = world.settle(1, away);
    assert!(is_noted(&report) && world.reply(1).contains("`away/1002.json`"), "{}", world.reply(1));
    assert_eq!(world.file("state/away/1002.json").unwrap(), "{}");
    world.land(&[("state/away/1002.json", &before)]);
    world.post(1, "alice", "/claim");
    assert!(world.table(1).is_playing(), "{}", world.reply(1));
}

/// Used days aren't forgotten with the file.
#[test]
fn a_deleted_file_keeps_its_days_in_the_games() {
    let world = clocked_game();
    world.post(1, "bob", "/away 30d");
    world.remove_file("state/away/1002.json");
    world.wait(20 * 24);
    world.post(1, "bob", "/away off");
    assert!(world.reply(1).contains("They can be away 14 more days"), "{}", world.reply(1));
}

/// A game without a clock that began while its player was away.
#[test]
fn days_away_are_no_silence_in_a_game_that_began_during_them() {
    let world = clocked_game();
    world.post(1, "bob", "/away 30d");
    world.open("alice", "/new tic-tac-toe @bob");
    for (player, mv) in [("alice", "b2"), ("bob", "a1"), ("alice", "c3")] {
        world.post(2, player, mv);
    }
    let record = world.record(2);
    for command in ["/abort", "/computer"] {
        world.wait(16 * 24);
        world.post(2, "alice", command);
        assert_eq!(world.record(2), record, "{}", world.reply(2));
    }
    world.wait(32 * 24);
    world.post(2, "alice", "/abort");
    assert!(world.table(2).is_over(), "{}", world.reply(2));
}

/// The daily run comes a few minutes late each day. Whenever the turn began, the player is reminded after half of their time and
/// before its end, and never twice in a day.
#[test]
fn late_daily_runs_remind_of_half_of_the_time_and_of_its_end() {
    for (per_move, offset) in
        ["2d", "3d", "4d", "7d", "14d"].into_iter().flat_map(|time| (0..12).map(move |at| (time, at)))
    {
        let opening = format!("/new tic-tac-toe @bob per-move={per_move}");
        let world = Scenario::played(&opening, &["alice: b2", "bob: a1", "alice: c3"]);
        world.change(|state| state.now += offset * 2 * HOUR);
        let mut reminders = Vec::new();
        while !world.table(1).is_over() {
            let known = world.answers(1).len();
            world.sweep().unwrap();
            let now = world.change(|state| state.now);
            let new = world.answers(1).split_off(known);
            reminders.extend(
                new.iter().filter(|text| text.contains("@bob, it's your turn")).map(|text| (now, text.clone())),
            );
            world.change(|state| state.now += 24 * HOUR + 10 * 60_000);
        }
        let kinds: Vec<bool> = reminders.iter().map(|(_, text)| text.contains("notice half-time")).collect();
        let has_half_time = matches!(per_move, "7d" | "14d");
        assert_eq!(kinds, if has_half_time { vec![true, false] } else { vec![false] }, "{per_move} {offset}");
        assert!(reminders.windows(2).all(|two| two[1].0 - two[0].0 >= 24 * HOUR), "{per_move} {offset}");
    }
}

/// Without a clock, a player gets one reminder in a turn, after a week. If no run came for two weeks, there's none.
#[test]
fn a_week_without_a_clock_reminds_once() {
    let moves = ["alice: b2", "bob: a1", "alice: c3"];
    let reminders = |world: &Scenario| world.answers(1).iter().filter(|text| text.contains("notice silence")).count();
    let sweep_daily = |world: &Scenario, days: usize| {
        for _ in 0..days {
            world.wait(24);
            world.sweep().unwrap();
        }
    };
    let world = Scenario::played("/new tic-tac-toe @bob", &moves);
    sweep_daily(&world, 6);
    assert_eq!(reminders(&world), 0);
    sweep_daily(&world, 30);
    assert_eq!(reminders(&world), 1);
    // The opponent has reminded them today.
    let world = Scenario::played("/new tic-tac-toe @bob", &moves);
    world.wait(6 * 24 + 23);
    world.post(1, "alice", "/nudge");
    world.wait(2);
    world.sweep().unwrap();
    assert_eq!(reminders(&world), 0);
    sweep_daily(&world, 1);
    assert_eq!(reminders(&world), 1);
    // Time away doesn't count, and nobody is reminded while they are away.
    let world = Scenario::played("/new tic-tac-toe @bob", &moves);
    world.post(1, "bob", "/away 5d");
    sweep_daily(&world, 11);
    assert_eq!(reminders(&world), 0);
    sweep_daily(&world, 3);
    assert_eq!(reminders(&world), 1);
    // Nobody waits: the computer plays, the opponent never moved, or the bot has been off for weeks.
    for (opening, moves, days) in [
        ("/new tic-tac-toe computer", &["alice: b2"][..], 1),
        ("/new tic-tac-toe @bob", &moves[..1], 1),
        ("/new tic-tac-toe @bob", &moves[..], 15),
    ] {
        let world = Scenario::played(opening, moves);
        world.wait(24 * days);
        sweep_daily(&world, 20);
        assert_eq!(reminders(&world), 0, "{opening}, {days}");
    }
}

/// The answer that moves a game has said how much time is left.
#[test]
fn a_moved_game_reminds_nobody_twice() {
    let world = Scenario::played("/new tic-tac-toe @bob per-move=4d", &["alice: b2", "bob: a1", "alice: c3"]);
    world.wait(75);
    world.sweep().unwrap();
    assert!(world.reply(1).contains("notice reminder"), "{}", world.reply(1));
    let issue = world.open("bob", "/continue #1");
    world.sweep().unwrap();
    assert!(!world.reply(issue).contains("notice reminder"), "{}", world.reply(issue));
}

/// The author of a comment edits it into a move too late.
#[test]
fn a_late_edit_into_a_move_gets_one_sentence() {
    let world = clocked_game();
    let chat = world.post(1, "bob", "Let me think.");
    let older = world.post(1, "bob", "Hm.");
    let newest = world.post(1, "bob", "Nice game!");
    world.wait(1);
    let answers = world.answers(1).len();
    for comment in [chat, older] {
        world.edit(1, comment, "a2");
        world.sweep().unwrap();
    }
    world.comment(1, "carol", "hello");
    world.sweep().unwrap();
    assert_eq!(world.answers(1).len(), answers, "{}", world.reply(1));
    world.edit(1, newest, "a2");
    for _ in 0..2 {
        world.sweep().unwrap();
        assert_eq!(world.answers(1).len(), answers + 1);
        assert!(world.reply(1).contains("You edited that comment more than five minutes after"), "{}", world.reply(1));
    }
    assert_eq!(world.moves(1).len(), 3);
    // Chat stays chat, and so does a move by anybody else.
    for (login, text) in [("bob", "Good luck!"), ("alice", "a2"), ("carol", "a2")] {
        let comment = world.post(1, login, "Hello!");
        world.wait(1);
        world.edit(1, comment, text);
        world.sweep().unwrap();
        assert_eq!(world.answers(1).len(), answers + 1, "{login}: {}", world.reply(1));
    }
    world.post(1, "bob", "a2");
    assert_eq!(world.moves(1).len(), 4);
}
