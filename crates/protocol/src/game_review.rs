//! The answer to `/review`: the review, or where the bot has already given it.

use answers::announce::show;
use answers::output_format::OutputFormat;
use answers::review::title;
use table::any_table::{AnyTable, with_table};
use table::decisions::decision::Query;
use table::talk::comment::Source;
use table::timestamp::Timestamp;

use crate::announcement::site_link;
use crate::repo_config::RepoConfig;
use crate::thread_answers::trusted_marker;
use crate::view::View;

/// Returns the review of a game, with a link to its page on the website. `at` is the time of the command.
pub(super) fn review(table: &AnyTable, config: &RepoConfig, at: Timestamp, format: OutputFormat<'_>) -> String {
    let review = show(&Query::Review, Some(table), &config.policy, at, format);
    match site_link(table, config) {
        Some(link) => format!("{review}\n\n{link}"),
        None => review,
    }
}

/// Returns the answer that points to an earlier review of the same game in the same thread; `None` if there is none.
///
/// So a game is analyzed once, however often people ask.
pub(super) fn earlier_review(view: &View, source: Source, table: &AnyTable) -> Option<String> {
    let thread = &view.threads.get(&source.issue)?.thread;
    // A refusal may quote these words, but it never begins with them.
    let heading = format!("**{}**", with_table!(table, table => title(table.round())));
    let asked = thread.comments.iter().find_map(|comment| {
        let marker = trusted_marker(comment)?;
        let is_review = marker.table == table.issue()
            && marker.commit.is_none()
            && comment.text.lines().nth(1) == Some(heading.as_str());
        if is_review { Some(marker.source) } else { None }
    })?;
    Some(pointer(asked))
}

/// Returns the answer that points to the review for this comment.
pub fn pointer(asked: Source) -> String {
    let place = if asked.is_body() { "above".to_owned() } else { format!("[here](#issuecomment-{})", asked.comment) };
    format!("The review of this game is {place}.")
}
