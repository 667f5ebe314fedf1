//! A player's ratings: a table of all games, and a plot for each game with enough results.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use games::GameVariant;
use maud::{Markup, html};
use standings::{PlayerFile, RatingStep};
use table::Timestamp;
use table::timestamp::to_datetime;

use crate::evaluation::{Point, rating_plot};
use crate::page::{count, rating_text};
use crate::standings::beaten_levels;

/// The minimum number of results for a plot. With fewer results, a rating is mostly uncertain.
const MIN_RESULTS: usize = 10;
/// The number of points that all plots of a page share, so that it stays below 60 KB.
const MAX_POINTS: usize = 240;
/// The number of points that each plot has at least.
const MIN_POINTS: usize = 20;

/// Returns the ratings and results by game, and the results at open tables and against the computer.
pub fn ratings_section(file: Option<&PlayerFile>) -> Option<Markup> {
    let file = file?;
    let title = |game: &str| GameVariant::from_name(game).map_or("", GameVariant::title);
    let mut games: Vec<_> = file.games.iter().collect();
    games.sort_by_key(|(_, score)| Reverse(score.games));
    Some(html! {
        section {
            h2 { "Ratings" }
            @if !games.is_empty() {
                p.facts { "A rating of 1500 ± 100 is 95% likely to be between 1400 and 1600." }
                table.ranking {
                    thead { tr { th.name { "Game" } th.main.rating { "Rating" } th { "Games" } th { "Won" } th { "Drawn" } th { "Lost" } } }
                    tbody {
                        @for (game, score) in games {
                            tr {
                                th.name scope="row" { a href={ "../standings/" (game) ".html" } { (title(game)) } }
                                td.main.rating { (rating_text(score.rating, score.deviation)) }
                                td data-unit=(if score.games == 1 { "game" } else { "games" }) { (score.games) }
                                td data-unit="won" { (score.wins) } td data-unit="drawn" { (score.draws) } td data-unit="lost" { (score.losses) }
                            }
                        }
                    }
                }
            }
            @if let Some(computer) = &file.computer {
                p { a href="../standings/computer.html" { "Highest computer levels beaten" } ": " (beaten_levels(&computer.beaten)) "." }
            }
            @if let Some(open) = &file.open {
                p { "Made " (open.moves) " moves at " a href="../standings/open.html" { "open tables" } ", in " (open.games) @if open.games == 1 { " game." } @else { " games." } }
            }
        }
    })
}

/// Returns a plot for each game with enough results, with buttons to choose one; `None` if there are no plots.
///
/// Each plot follows its radio button, so that the style sheet can show the chosen one.
pub fn plots_section(ratings: &BTreeMap<&'static str, Vec<RatingStep>>) -> Option<Markup> {
    let mut games: Vec<(GameVariant, &[RatingStep])> = ratings
        .iter()
        .filter(|(_, steps)| steps.len() >= MIN_RESULTS)
        .filter_map(|(game, steps)| Some((GameVariant::from_name(game)?, steps.as_slice())))
        .collect();
    games.sort_by_key(|(_, steps)| Reverse(steps.len()));
    let max_points = (MAX_POINTS / games.len().max(1)).max(MIN_POINTS);
    let content = match games.as_slice() {
        [] => return None,
        [(game, steps)] => {
            html! { h2 { "Rating in " (game.noun()) } (rating_figure(*game, steps, max_points)) }
        }
        _ => html! {
            h2 { "Rating over time" }
            fieldset.plots {
                legend { "Game" }
                @for (index, (game, steps)) in games.iter().enumerate() {
                    @let id = format!("plot-{}", game.name());
                    input type="radio" name="plot" id=(id) checked[index == 0];
                    label for=(id) { (game.title()) }
                    (rating_figure(*game, steps, max_points))
                }
            }
        },
    };
    Some(html! { section { (content) } })
}

fn rating_figure(game: GameVariant, steps: &[RatingStep], max_points: usize) -> Markup {
    let (points, dates) = plot_points(steps);
    let stride = points.len().div_ceil(max_points).max(1);
    // The last point is the current rating.
    let points: Vec<Point> = points.iter().rev().step_by(stride).rev().copied().collect();
    let (first, last) = (steps.first(), steps.last());
    let [start, end] =
        [first, last].map(|step| step.map_or(String::new(), |step| rating_text(step.rating, step.deviation)));
    let title = game.noun();
    let label = format!("Rating in {title} after each of {}: from {start} to {end}.", count(steps.len(), "game"));
    html! {
        figure {
            (rating_plot(&label, &points, [&dates[0], &dates[1]]))
            figcaption { "After " (count(steps.len(), "game")) ": " (end) ". The rating is 95% likely to be within the band." }
        }
    }
}

/// Returns the points of a plot, and the days of the first and the last one.
///
/// Results count in the order of their commits, and an imported game may be older than one that already counted. So a
/// point is never left of the one before it. Without known dates the points are evenly spaced.
fn plot_points(steps: &[RatingStep]) -> (Vec<Point>, [String; 2]) {
    let known = |step: &RatingStep| to_datetime(step.ended_at).map(|_| step.ended_at);
    let first = steps.iter().find_map(known);
    let times: Vec<Timestamp> = match first {
        Some(first) => steps
            .iter()
            .scan(first, |latest, step| {
                *latest = known(step).map_or(*latest, |at| at.max(*latest));
                Some(*latest)
            })
            .collect(),
        None => (0..steps.len() as u64).map(Timestamp::from_millis).collect(),
    };
    let (start, end) = (times.first().copied().unwrap_or_default(), times.last().copied().unwrap_or_default());
    let span = (end.since(start).as_millis() as f64).max(1.0);
    let points = steps
        .iter()
        .zip(&times)
        .map(|(step, at)| (at.since(start).as_millis() as f64 / span, step.rating, 2.0 * step.deviation));
    let day =
        |at: Timestamp| to_datetime(at).filter(|_| first.is_some()).map(|day| day.format("%b %-d, %Y").to_string());
    (points.collect(), [start, end].map(|at| day(at).unwrap_or_default()))
}
