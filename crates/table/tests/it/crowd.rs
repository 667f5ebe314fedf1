//! Crowds in records: a counted move is legal, has the most votes, reaches the quorum, and comes when the time is up.

use table::{
    Author, CommentContext, CommentId, CommentRef, Decision, Done, HostPolicy, IssueNumber, Table, Timestamp, UserId,
    VoteCount, decide_at_once, parse_issue_body, play_voted_move, state_file,
};

const HOUR: u64 = 60 * 60_000;
const START: Timestamp = Timestamp::from_millis(1_760_000_000_000);

/// Opens a table in issue 1.
fn open(command: &str) -> Table {
    let issue = IssueNumber::new(1);
    let context = CommentContext {
        parsed: parse_issue_body(command),
        author: Author { id: UserId::new(1001), login: "alice".to_owned(), is_bot: false },
        permission: None,
        by_issue_author: true,
        source: CommentRef::body_of(issue),
        table: issue,
        issue_has_table: false,
        follows_question: false,
        refused_attempt: None,
        uses_french_letters: false,
        updated_at: START,
        settled_through: CommentId::BODY,
        entropy: [0; 32],
    };
    match decide_at_once(None, &context, &HostPolicy::default()) {
        Some(Decision::Apply(Done { table, .. })) => *table,
        other => panic!("{other:?}"),
    }
}

fn votes(counts: &[(&str, u32)]) -> Vec<VoteCount> {
    counts.iter().map(|(notation, votes)| VoteCount { notation: (*notation).to_owned(), votes: *votes }).collect()
}

fn count(table: &Table, hours: u64, counts: &[(&str, u32)]) -> Option<Table> {
    let at = Timestamp::from_millis(START.as_millis() + hours * HOUR);
    play_voted_move(table, votes(counts), at, &HostPolicy::default())
}

#[test]
fn plays_a_move_only_by_votes_in_time_and_in_order() {
    let table = open("/new tic-tac-toe crowd votes=20h quorum=3");
    let listed = &table.ballot().unwrap().candidates[1].notation;
    assert!(count(&table, 19, &[("b2", 3)]).is_none(), "it's too early");
    assert!(count(&table, 20, &[("b2", 2)]).is_none(), "too few votes");
    assert!(count(&table, 20, &[("b2", 2), (listed, 3)]).is_none(), "another move has more votes");
    assert!(count(&table, 20, &[]).is_none(), "nobody voted");
    assert!(count(&table, 20, &[("z9", 3)]).is_none(), "the move isn't legal");
    let unlisted = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"].into_iter();
    let mut unlisted =
        unlisted.filter(|cell| table.ballot().unwrap().candidates.iter().all(|own| own.notation != *cell));
    let unlisted = unlisted.next().unwrap();
    assert!(count(&table, 20, &[(unlisted, 2), (listed, 2)]).is_none(), "the ballot decides between equals");
    let next = count(&table, 20, &[(listed, 2), (unlisted, 2)]).unwrap();
    assert_eq!(next.plies().len(), 1);
    // Both sides are crowds, so the next ballot is open.
    assert!(next.ballot().is_some());
}

#[test]
fn a_record_with_other_votes_or_another_ballot_is_damaged() {
    let table = open("/new connect-four computer level=1 crowd votes=1h quorum=2");
    let [first, second] = [0, 1].map(|at| table.ballot().unwrap().candidates[at].notation.clone());
    let next = count(&table, 1, &[(&first, 3), (&second, 1)]).unwrap();
    let record = state_file::to_json(&next);
    assert_eq!(state_file::load(&record, IssueNumber::new(1)).unwrap(), next);
    let no_move = "`history[1]` can't have happened: its votes don't give this move";
    let (three, one) = (format!(r#""move": "{first}", "votes": 3"#), format!(r#""move": "{second}", "votes": 1"#));
    for (find, put, sentence) in [
        (three.clone(), format!(r#""move": "{first}", "votes": 0"#), no_move),
        (one.clone(), format!(r#""move": "{second}", "votes": 4"#), no_move),
        (one.clone(), format!(r#""move": "{first}", "votes": 1"#), no_move),
        (one, r#""move": "z", "votes": 1"#.to_owned(), no_move),
        (format!("{}", 1_760_000_000_000 + HOUR), format!("{}", 1_760_000_000_000 + HOUR - 1), no_move),
        (
            format!(r#""reaction": "+1", "move": "{first}""#),
            format!(r#""reaction": "+1", "move": "{second}""#),
            "`history[0]` can't have happened: its ballot has to have legal moves, each with a reaction of its own",
        ),
        (
            r#""reaction": "heart""#.to_owned(),
            r#""reaction": "+1""#.to_owned(),
            "`history[0]` can't have happened: its ballot has to have legal moves, each with a reaction of its own",
        ),
        (r#""quorum": 2"#.to_owned(), r#""quorum": 5"#.to_owned(), no_move),
    ] {
        assert!(record.contains(&find), "{find} is in {record}");
        let edited = record.replacen(&find, &put, 1);
        let error = state_file::load(&edited, IssueNumber::new(1)).map(drop).unwrap_err();
        assert_eq!(error.to_string(), sentence, "{find} -> {put}");
    }
}
