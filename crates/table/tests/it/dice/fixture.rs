//! A small record with proofs. `.ci/run` checks it with the second verifier, `docs/verify_dice.py`.
//! `UPDATE_EXPECT=1 cargo test -p play-by-commit-table dice` writes it again.

use game::Roll;
use serde_json::{Value, json};
use table::dice::parse_secret;
use table::{CommentId, CommentRef, IssueNumber, Key, RoundContext, Timestamp, UserId};
use testkit::place;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/dice/rolls.json");
const ROUND: u32 = 2;

/// The rolls of a round, one after the other.
struct Cup {
    key: Key,
    rolled: u32,
}

impl Cup {
    fn roll(&mut self, source: CommentRef) -> Roll {
        self.rolled += 1;
        self.key.roll(ROUND, self.rolled, source)
    }
}

#[test]
fn the_record_for_the_second_verifier_is_current() {
    expect_test::expect_file![RECORD].assert_eq(&record());
}

/// A round in which everything about rolls happens.
fn record() -> String {
    let time = 1_760_000_000_000;
    let here = |comment| place(42, comment);
    let occasion = RoundContext {
        issue: IssueNumber::new(42),
        round: ROUND,
        author: UserId::new(1001),
        comment: CommentId::new(5_000_000_002),
        time: Timestamp::from_millis(time),
    };
    let key = Key::derive(&parse_secret("an example, and nobody's secret").unwrap(), &occasion);
    let mut cup = Cup { key: key.clone(), rolled: 0 };
    let mut history = Vec::new();
    let mut happened = |what: &str, by: u64, source: CommentRef, more: Value| {
        let mut event = json!({ "type": what });
        let fields = json!({ "by": by, "source": source, "timestamp": time + history.len() as u64 * 1000 });
        for (key, value) in [&fields, &more].into_iter().flat_map(|fields| fields.as_object().unwrap()) {
            event[key] = value.clone();
        }
        history.push(event);
    };
    let rolled =
        |dice: &[Roll]| json!({ "then": dice.iter().map(|roll| json!({ "throw": roll })).collect::<Vec<_>>() });

    happened("new", 1001, here(occasion.comment.get()), json!({ "commitment": key.commitment() }));
    // A tied opening roll is rolled again; this comment was chosen because its roll is a tie.
    let source = here(5_000_000_006);
    let mut dice = vec![cup.roll(source)];
    while dice.last().is_some_and(|[first, second]| first == second) {
        dice.push(cup.roll(source));
    }
    assert!(dice.len() > 1, "one event with several rolls: {dice:?}");
    happened("join", 1002, source, rolled(&dice));
    // The first of these rolls skips a byte; the last was caused from another issue.
    let elsewhere = place(43, 5_000_000_088);
    for (by, source) in [(1001, here(5_000_000_081)), (1002, here(5_000_000_084)), (1001, elsewhere)] {
        happened("move", by, source, rolled(&[cup.roll(source)]));
    }
    happened("offerDraw", 1002, here(5_000_000_092), json!({}));
    happened("resign", 1001, here(5_000_000_096), json!({ "key": key }));

    let lines: Vec<_> = history.iter().map(|event| format!("    {event}")).collect();
    let head = format!("{{\n  \"schema\": 2,\n  \"issue\": 42,\n  \"round\": {ROUND},\n  \"history\": [\n");
    let text = format!("{head}{}\n  ]\n}}\n", lines.join(",\n"));
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    text
}
