//! Claimed draws in records.

use table::{IssueNumber, state_file};
use testkit::Scenario;

/// Returns the record of a table that alice opens with `opened`, after these comments.
pub(super) fn play_and_record(opened: &str, lines: &[&str]) -> String {
    Scenario::played(opened, lines).record(1)
}

const OPENED: &str = "/new chess @bob";

pub(super) const KNIGHT_SHUFFLE: [&str; 4] = ["alice: Nf3", "bob: Nf6", "alice: Ng1", "bob: Ng8"];

#[test]
fn replays_a_claimed_draw() {
    let record = play_and_record(OPENED, &[&KNIGHT_SHUFFLE[..], &KNIGHT_SHUFFLE, &["bob: /draw"]].concat());
    assert!(
        record.contains(r#""status": "draw""#) && record.contains(r#"{ "type": "claimDraw", "seat": "black""#),
        "{record}"
    );
    let table = state_file::load(&record, IssueNumber::new(1)).unwrap();
    assert_eq!(state_file::to_json(&table), record);
}

#[test]
fn refuses_a_record_with_an_unfounded_draw_claim() {
    let record = play_and_record(OPENED, &["alice: Nf3", "bob: Nf6", "alice: /draw"]);
    assert!(record.contains(r#""type": "offerDraw""#), "{record}");
    let wrong = state_file::load(&record.replace("offerDraw", "claimDraw"), IssueNumber::new(1))
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("can't have happened: there was no draw to claim"), "{wrong}");
}
