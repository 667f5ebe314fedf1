//! Crowds: what a month of votes costs, and what one person can do to a vote.

use answers::{Notice, NoticeKind};
use table::VoteReaction;
use testkit::place;
use testkit::world::{Request, RequestFault};

use super::{Random, TestRepo, trigger_for_comment};

const HOUR: u64 = 60 * 60_000;
const OPENING: &str = "/new chess computer crowd level=1";
const PAGE: &str = "<!-- play-by-commit:table 1 --><!-- /play-by-commit:table -->";

impl TestRepo {
    /// Returns the ballots in issue 1, oldest first, and whether each is minimized.
    fn ballots(&self) -> Vec<(u64, bool)> {
        let is_ballot = |text: &str| Notice::parse(text).is_some_and(|notice| notice.kind == NoticeKind::Ballot);
        self.world.with_state(|state| {
            let ballots = state.issues[&1].comments.iter().filter(|note| is_ballot(&note.text));
            ballots.map(|note| (note.id, note.minimized)).collect()
        })
    }

    /// Adds a reaction to the newest ballot of issue 1.
    fn react(&self, login: &str, reaction: VoteReaction) {
        let (ballot, _) = *self.ballots().last().expect("a ballot");
        let person = self.world.id_of(login);
        self.world.change(|state| {
            assert!(state.exists(place(1, ballot)));
            state.reactions.insert((place(1, ballot), person, reaction.name().to_owned()));
        });
    }

    fn wait(&self, hours: u64) {
        self.world.change(|state| state.now += hours * HOUR);
    }

    /// Returns the votes of the last crowd's move: the moves and their numbers.
    fn last_votes(&self) -> Vec<(String, u64)> {
        let record = self.json(1);
        let last = record["history"].as_array().unwrap().iter().rev().find(|event| event["votes"].is_array());
        let votes = last.expect("a crowd's move")["votes"].as_array().unwrap();
        votes.iter().map(|vote| (vote["move"].as_str().unwrap().to_owned(), vote["votes"].as_u64().unwrap())).collect()
    }

    /// Returns the notation of a candidate on the newest ballot.
    fn candidate(&self, at: usize) -> String {
        self.table(1).ballot().expect("a ballot").candidates[at].notation.clone()
    }
}

#[test]
fn a_month_of_sixty_voters_costs_six_requests_a_day() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    let mut random = Random(1);
    for day in 0..30 {
        if repo.table(1).is_over() {
            break;
        }
        repo.wait(1);
        for voter in 0..60 {
            let reactions = repo.table(1).ballot().expect("a ballot").reactions();
            repo.react(&format!("voter-{voter}"), *random.pick(&reactions));
        }
        // Two people write a move. Each vote takes a run of two requests.
        for voter in ["yann", "zoe"] {
            repo.world.clear_log();
            let mv = repo.candidate(0);
            repo.comment(1, voter, &mv);
            assert_eq!(repo.world.count(Request::Any), 2, "{:#?}", repo.world.log());
        }
        assert!(repo.readme().contains("Everybody can [vote]"), "{}", repo.readme());
        repo.wait(23);
        repo.world.clear_log();
        let commits = repo.world.headlines().len();
        repo.sweep();
        assert_eq!(repo.world.headlines().len(), commits + 1, "day {day}");
        let total: u64 = repo.last_votes().iter().map(|(_, votes)| votes).sum();
        assert_eq!(total, 62, "everybody has one vote");
        // Besides the game's own six, any daily run reads the head, the games in progress, the page and its record.
        let game = [Request::Sweep, Request::Votes, Request::Commit, Request::Answer, Request::React];
        let game: usize = 1 + game.iter().map(|kind| repo.world.count(*kind)).sum::<usize>();
        assert!(game <= 6 && repo.world.count(Request::Any) <= 6 + 4, "day {day}: {:#?}", repo.world.log());
    }
    let open = repo.ballots().iter().filter(|(_, is_minimized)| !is_minimized).count();
    assert_eq!(open, 1, "only the last ballot is shown");
}

#[test]
fn everyone_has_one_vote_the_last_written_one_or_the_first_reaction() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", "/new chess @bob crowd as=white");
    let [first, second] = [0, 1].map(|at| repo.candidate(at));
    // Carol changes her mind, dan adds all reactions, and erin writes and reacts.
    repo.comment(1, "carol", &first);
    repo.comment(1, "carol", "a3");
    VoteReaction::ALL.iter().for_each(|reaction| repo.react("dan", *reaction));
    repo.react("erin", VoteReaction::ThumbsUp);
    repo.comment(1, "erin", &second);
    // The opponent, the bot and a reaction that isn't on the ballot don't count.
    repo.comment(1, "bob", "/join");
    repo.react("bob", VoteReaction::ThumbsUp);
    repo.react("fred", VoteReaction::Eyes);
    repo.wait(21);
    repo.sweep();
    let mut votes = repo.last_votes();
    assert_eq!(votes[0], (first.clone(), 1), "of equals, the first on the ballot");
    votes.sort();
    let mut expected = [(first, 1), (second, 1), ("a3".to_owned(), 1)];
    expected.sort();
    assert_eq!(votes, expected);
    assert_eq!(repo.table(1).last_actor().map(table::UserId::get), Some(0), "no comment caused it");
}

#[test]
fn a_flood_of_comments_does_not_hold_up_the_count() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    for _ in 0..30 {
        repo.world.comment(1, "mallory", "/board");
        repo.world.comment(1, "mallory", "a3");
    }
    repo.comment(1, "carol", "e4");
    repo.comment(1, "dan", "e4");
    repo.wait(21);
    repo.sweep();
    assert_eq!(repo.last_votes(), [("e4".to_owned(), 2), ("a3".to_owned(), 1)]);
    // What still waits is answered later, and no old vote counts again.
    repo.react("erin", VoteReaction::ThumbsUp);
    repo.wait(21);
    repo.sweep();
    assert_eq!(repo.last_votes().len(), 1, "{:?}", repo.last_votes());
}

#[test]
fn a_noticed_vote_is_not_late_when_the_game_has_ended() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", "/new tic-tac-toe @bob crowd");
    repo.comment(1, "bob", "/join");
    // More than the bot answers in a run.
    for _ in 0..30 {
        repo.world.comment(1, "bob", "b2");
    }
    let vote = repo.world.comment(1, "carol", "/move a3");
    repo.comment(1, "bob", "/resign");
    assert!(repo.table(1).is_over());
    assert_eq!(repo.world.reactions(1, vote), ["eyes"]);
    repo.sweep();
    assert!(repo.world.answers(1).iter().any(|answer| answer.contains("the game has moved on")));
    assert_eq!(repo.world.reactions(1, vote), ["eyes"]);
}

#[test]
fn an_edit_counts_for_five_minutes_and_a_deleted_vote_does_not() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    let (early, _) = repo.comment(1, "carol", "a3");
    repo.world.edit(1, early, "e4");
    let (deleted, _) = repo.comment(1, "dan", "h4");
    repo.world.delete_comment(1, deleted);
    let (late, _) = repo.comment(1, "erin", "h3");
    repo.wait(1);
    repo.world.edit(1, late, "g4");
    repo.wait(20);
    repo.sweep();
    assert_eq!(repo.last_votes(), [("e4".to_owned(), 1)]);
}

#[test]
fn a_minimized_ballot_counts_and_a_locked_issue_waits() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    repo.react("carol", VoteReaction::ThumbsUp);
    let (ballot, _) = repo.ballots()[0];
    repo.world.change(|state| state.minimize(place(1, ballot)));
    repo.world.lock(1);
    repo.wait(21);
    let events = repo.event_count(1);
    repo.sweep();
    assert_eq!(repo.event_count(1), events, "nobody could vote while it was locked");
    repo.world.unlock(1);
    repo.wait(21);
    repo.sweep();
    assert_eq!(repo.last_votes().len(), 1);
    assert_eq!(repo.ballots().len(), 2);
}

#[test]
fn two_daily_runs_count_once_and_leave_one_ballot() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    repo.react("carol", VoteReaction::ThumbsUp);
    repo.wait(21);
    // The other run commits first, and dies before it posts the ballot.
    repo.world.fail(Request::Answer, RequestFault::Killed { applied: false });
    assert!(repo.try_run(protocol::Trigger::Sweep).is_none());
    let events = repo.event_count(1);
    repo.sweep();
    repo.sweep();
    assert_eq!(repo.event_count(1), events);
    assert_eq!(repo.ballots().len(), 2);
    // A lost reply may leave a second ballot. The next run deletes the newer one, and adds the reactions that the other lacks.
    repo.react("carol", VoteReaction::ThumbsUp);
    repo.wait(21);
    repo.world.fail(Request::Answer, RequestFault::Lost { applied: true });
    repo.sweep();
    repo.sweep();
    assert_eq!(repo.ballots().len(), 3);
    let (ballot, _) = *repo.ballots().last().unwrap();
    let (bot, candidates) =
        (repo.world.with_state(|state| state.bot_id()), repo.table(1).ballot().unwrap().reactions());
    repo.world.with_state(|state| {
        for reaction in candidates {
            assert!(state.reactions.contains(&(place(1, ballot), bot, reaction.name().to_owned())), "{reaction:?}");
        }
    });
}

#[test]
fn a_vote_in_another_issue_is_explained() {
    let repo = TestRepo::new(PAGE);
    repo.open_issue("alice", OPENING);
    let (issue, report) = repo.open_issue("carol", "/move e4 #1");
    assert_eq!((report.applied, report.refused), (0, 1));
    assert!(repo.world.answers(issue)[0].contains("Votes count only in the game's own issue."));
    repo.settle(trigger_for_comment(&repo.world, 1, repo.world.comment(1, "dan", "thanks!")));
    repo.wait(21);
    repo.sweep();
    assert_eq!(repo.event_count(1), 1, "nobody has voted");
}
