//! `/review` after the end of a game.

use testkit::Scenario;

use super::answered_comments;

fn finished() -> Scenario {
    Scenario::played("/new chess @bob", &["alice: f3", "bob: e5", "alice: g4", "bob: Qh4"])
}

#[test]
fn a_review_links_the_page_on_the_website() {
    let mut scenario = finished();
    scenario.config.site_url = Some("https://games.example/play/".to_owned());
    let comment = scenario.comment(1, "carl", "/review");
    scenario.settle(1, comment);
    let answer = scenario.reply(1);
    assert!(answer.contains("**Review of this game**"), "{answer}");
    assert!(answer.contains("`2. g4` cut White's winning chances by"), "{answer}");
    assert!(answer.contains("[Replay it on the website](https://games.example/play/games/1-1.html)"), "{answer}");
}

#[test]
fn a_game_is_reviewed_once_even_if_two_people_ask_at_once() {
    let scenario = finished();
    let first = scenario.comment(1, "alice", "/review");
    let second = scenario.comment(1, "bob", "/review");
    scenario.settle(1, first);
    let answers = scenario.answers(1);
    let reviews = answers.iter().filter(|answer| answer.contains("Turning points")).count();
    assert_eq!(reviews, 1, "{answers:?}");
    assert!(scenario.reply(1).contains(&format!("[here](#issuecomment-{first})")), "{}", scenario.reply(1));
    assert!(answered_comments(&scenario, 1).ends_with(&[first, second]));
}
