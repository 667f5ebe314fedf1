//! Results by side: who wins with White, and who with Black.

use std::collections::BTreeMap;

use game::seat::Seat;
use games::registry::GameKind;
use maud::{Markup, html};
use table::game_state::TableStatus;
use table::ids::UserId;

use crate::player_results::{Outcome, result_for, seat_of};
use crate::round_summary::RoundSummary;
use crate::wording::count;

/// The minimum number of results for shares of a kind of game.
const MIN_RESULTS: usize = 10;

/// Returns a sentence about how often each side won; `None` if there are too few results.
pub fn shares(kind: GameKind, ended: &[&RoundSummary]) -> Option<Markup> {
    let results: Vec<&&RoundSummary> = ended.iter().filter(|round| round.has_result()).collect();
    if results.len() < MIN_RESULTS {
        return None;
    }
    let number = |status: TableStatus| results.iter().filter(|round| round.status == status).count();
    let [first, second] = Seat::BOTH.map(|seat| number(TableStatus::Won(seat)));
    let draws = number(TableStatus::Draw);
    let percent = |part: usize| format!("{}%", (200 * part + results.len()) / (2 * results.len()));
    let [one, other] = Seat::BOTH.map(|seat| kind.info().side_name(seat));
    Some(html! {
        p.facts {
            (one) " won " (count(first, "game")) " (" (percent(first)) ") and " (other) " " (second) " (" (percent(second)) ")"
            @if draws > 0 { ", and " (count(draws, "game")) " (" (percent(draws)) ") ended in a draw" }
            "."
        }
    })
}

/// Returns a player's results in each game with each side; `None` if there are none. `ended` is oldest first.
pub fn side_scores(ended: &[&RoundSummary], id: UserId) -> Option<Markup> {
    // The keys are the index of the game in `GameKind::ALL`, and the side.
    let mut scores: BTreeMap<(usize, Seat), [usize; 3]> = BTreeMap::new();
    for round in ended {
        let Some((result, seat)) = result_for(round, id).zip(seat_of(round, id)) else { continue };
        let kind = GameKind::ALL.iter().position(|kind| *kind == round.kind).unwrap_or_default();
        let score = scores.entry((kind, seat)).or_default();
        score[match result.outcome {
            Outcome::Won => 0,
            Outcome::Drawn => 1,
            Outcome::Lost => 2,
        }] += 1;
    }
    if scores.is_empty() {
        return None;
    }
    Some(html! {
        section {
            h2 { "By side" }
            ul.versus {
                @for ((kind, seat), [won, drawn, lost]) in scores {
                    @let info = GameKind::ALL[kind].info();
                    li {
                        span.opponent { (info.title) " as " (info.side_name(seat)) }
                        span.result { @if drawn > 0 { small { (count(drawn, "draw")) } " " } (won) " – " (lost) }
                    }
                }
            }
        }
    })
}
