//! The answer to `/review`: the review, or where the bot has already given it.

use answers::announce::show;
use answers::output_format::OutputFormat;
use table::any_table::{AnyTable, with_table};
use table::comments::comment::CommentRef;
use table::decisions::decision::Query;
use table::timestamp::Timestamp;

use crate::announcement::site_link;
use crate::repo_config::RepoConfig;
use crate::thread_answers::trusted_marker;
use crate::view::View;

/// Returns the review of a game, with a link to its page on the website. `at` is the time of the command.
pub(super) fn review(table: &AnyTable, config: &RepoConfig, at: Timestamp, format: OutputFormat<'_>) -> String {
    let mut review = show(&Query::Review, Some(table), &config.policy, at, format);
    if let Some(link) = site_link(table, config) {
        review.push_str(&format!("\n\n{link}"));
    }
    match format {
        OutputFormat::Terminal(_) => review,
        _ => format!("{}\n{review}", review_line(table)),
    }
}

/// Returns the hidden line that marks the review of a round, so that the bot can find it later.
pub fn review_line(table: &AnyTable) -> String {
    format!("<!-- review round={} -->", with_table!(table, table => table.round()))
}

/// Returns the answer that points to an earlier review of the same game in the same thread; `None` if there is none.
///
/// So a game is analyzed once, however often people ask.
pub(super) fn earlier_review(view: &View, source: CommentRef, table: &AnyTable) -> Option<String> {
    let thread = &view.threads.get(&source.issue)?.thread;
    let line = review_line(table);
    let asked = thread.comments.iter().find_map(|comment| {
        let marker = trusted_marker(comment)?;
        let is_review = marker.table == table.issue()
            && marker.commit.is_none()
            && comment.text.lines().nth(1) == Some(line.as_str());
        if is_review { Some(marker.source) } else { None }
    })?;
    Some(pointer(asked))
}

/// Returns the answer that points to the review for this comment.
pub fn pointer(asked: CommentRef) -> String {
    let place = if asked.is_body() { "above".to_owned() } else { format!("[here](#issuecomment-{})", asked.comment) };
    format!("The review of this game is {place}.")
}
