//! Tests of forced plays: the bot plays a roll with only one legal play.

use games::backgammon::Backgammon;
use table::{Effect, Event, InvalidHistory, Table};
use testkit::Scenario;

/// Plays the first legal move for both sides until a roll leaves only one play. Returns the table before that move, its
/// event, and the answer.
fn until_forced() -> (Table, Event, String) {
    let scenario = Scenario::played("/new backgammon @bob", &[]);
    loop {
        let before = scenario.table(1);
        let login = ["alice", "bob"][before.player_to_move().index()];
        let text = before.game().notation(&before.game().legal_moves()[0]);
        scenario.post(1, login, &format!("/move {text}"));
        let last = scenario.table(1).history().last().unwrap().clone();
        if last.effects.iter().any(|followed| matches!(followed, Effect::Forced(_))) {
            return (before, last, scenario.reply(1));
        }
    }
}

#[test]
fn the_table_plays_what_is_forced_and_says_so() {
    let (before, event, answer) = until_forced();
    let [Effect::Roll(_), Effect::Forced(only), ..] = &event.effects[..] else { panic!("{:?}", event.effects) };
    assert!(answer.contains(&format!("had one legal play: `{only}`.")), "{answer}");
    // The record may not contain anything else there.
    let damaged =
        |then: Vec<Effect>| before.clone().replay(Event { effects: then, ..event.clone() }, "bob").unwrap_err();
    let forced = |text: &str| Effect::Forced(text.to_owned());
    let [roll, rest @ ..] = &event.effects[..] else { panic!() };
    assert_eq!(
        damaged([&[roll.clone(), forced("24/18")], &rest[1..]].concat()),
        InvalidHistory::NotCanonical(only.clone())
    );
    assert_eq!(damaged([&[roll.clone(), rest[0].clone(), rest[0].clone()], &rest[1..]].concat()), {
        if before.game().config::<Backgammon>().unwrap().cube {
            InvalidHistory::UnexpectedRoll
        } else {
            InvalidHistory::UnexpectedForcedPlay
        }
    });
    assert_eq!(damaged(vec![rest[0].clone()]), InvalidHistory::UnexpectedForcedPlay);
    assert_eq!(damaged(vec![roll.clone()]), InvalidHistory::MissingForcedPlay(only.clone()));
}
