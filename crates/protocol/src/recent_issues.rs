//! The list of recently updated issues, from which a run tells which of them need an answer.
//!
//! GitHub lists a hundred issues with one request, each with its body and its newest comments. The planner decides on those
//! alone, so an issue is read only if there is something to do in it.

use std::collections::BTreeSet;
use std::time::Duration;

use answers::{Marker, Notice};
use table::{Command, CommentRef, HostPolicy, IssueNumber, ParsedComment, Table, Timestamp, parse_issue_body};

use crate::clock::Backoff;
use crate::memory::RunMemory;
use crate::plan::{NextStep, plan, would_change};
use crate::reader::{RepoState, ThreadState};
use crate::{Comment, Forge, RepoConfig, RequestError, SettleError, Thread};

/// The number of issues to list with one request. A run lists fewer if the reply is too long.
const ISSUES_PER_LIST: usize = 100;

/// The issues that were updated between two times, as far as they can concern the bot.
#[derive(Clone, Debug, Default)]
pub struct RecentIssues {
    /// The time from which on updates count.
    pub(super) since: Timestamp,
    /// The time of the list.
    pub(super) until: Timestamp,
    /// Whether the list has all such issues.
    pub(super) is_complete: bool,
    /// All tables with a record, recent or not.
    pub(super) records: BTreeSet<IssueNumber>,
    /// The issues with a table, least recently updated first.
    pub(super) tables: Vec<IssueNumber>,
    /// The issues with a comment that is left to a server for now.
    young: BTreeSet<IssueNumber>,
    /// The threads with a command or an answer of the bot, least recently updated first. Each has its newest comments.
    threads: Vec<(IssueNumber, Thread)>,
}

impl RecentIssues {
    /// Lists the issues that were updated since a time, with at most `max_lists` requests besides those that fail.
    ///
    /// # Errors
    /// Returns an error if retrying can't help, or if the run makes no progress for three minutes.
    pub(super) async fn list(
        forge: &dyn Forge,
        config: &RepoConfig,
        since: Timestamp,
        max_lists: usize,
    ) -> Result<RecentIssues, SettleError> {
        let mut recent = RecentIssues { since, until: forge.now(), ..RecentIssues::default() };
        let (mut from, mut count, mut seen) = (None, ISSUES_PER_LIST, BTreeSet::new());
        let mut backoff = Backoff::new(forge);
        for _ in 0..max_lists {
            let page = match forge.issues_updated_since(since, from.as_ref(), count).await {
                Ok(page) => page,
                Err(error) => {
                    let is_too_long = matches!(error, RequestError::TooLong(_));
                    // A reply may also get lost because it is too long.
                    let can_shrink = count > 1 && (is_too_long || matches!(error, RequestError::Lost(_)));
                    if can_shrink {
                        count = count.div_ceil(3);
                    }
                    if !(is_too_long && can_shrink) {
                        backoff.after_error(forge, error).await?;
                    }
                    continue;
                }
            };
            backoff = Backoff::new(forge);
            count = (3 * count).min(ISSUES_PER_LIST);
            recent.records.extend(page.records);
            for (issue, mut thread) in page.issues {
                config.mark_own(&mut thread.comments);
                // An issue that is updated between two pages is on both.
                if seen.insert(issue) {
                    let is_young = |comment: &Comment| {
                        !comment.by_us && comment.created_at + config.min_comment_age > recent.until
                    };
                    if config.min_comment_age > Duration::ZERO && thread.all_comments().any(is_young) {
                        recent.young.insert(issue);
                    }
                    recent.add(issue, thread);
                }
            }
            from = page.next;
            if from.is_none() {
                recent.is_complete = true;
                break;
            }
        }
        Ok(recent)
    }

    fn add(&mut self, issue: IssueNumber, thread: Thread) {
        // The label doesn't matter: the issue form gives it to any issue, and somebody may remove it from a table.
        if self.records.contains(&issue) && !self.young.contains(&issue) {
            self.tables.push(issue);
        }
        if thread.all_comments().any(is_for_bot) {
            self.threads.push((issue, thread));
        }
    }

    /// Returns the issues without a table where a comment since a time needs an answer. A command for a table needs one even if
    /// it's older.
    pub(super) fn others_to_answer(&self, since: Timestamp, policy: &HostPolicy) -> Vec<IssueNumber> {
        let is_old = |issue: &IssueNumber| !self.young.contains(issue);
        let others = self.threads.iter().filter(|(issue, _)| !self.records.contains(issue) && is_old(issue));
        let others = others.filter_map(|(issue, thread)| {
            let names_table = named_tables(thread).any(|table| self.records.contains(&table));
            let cutoff = if names_table { self.since } else { since.max(self.since) };
            self.needs_answer(*issue, thread, cutoff, policy).then_some(*issue)
        });
        others.collect()
    }

    /// Whether an issue without a table needs an answer, as far as the list shows.
    fn needs_answer(&self, issue: IssueNumber, thread: &Thread, cutoff: Timestamp, policy: &HostPolicy) -> bool {
        let mut view = RepoState::of_listed(issue, thread.clone(), cutoff, self.until);
        view.missing_issues = named_tables(thread).filter(|table| !self.records.contains(table)).collect();
        !matches!(plan(&view, issue, &RunMemory::default(), policy), NextStep::Idle)
    }

    /// Returns an issue with a comment that would change a table in another issue, written until a time. The view has that table.
    /// `is_settled` tells which issues don't count.
    pub(super) fn find_command(
        &self,
        view: &RepoState,
        table: IssueNumber,
        until: Timestamp,
        policy: &HostPolicy,
        is_settled: impl Fn(IssueNumber) -> bool,
    ) -> Option<IssueNumber> {
        let others = self.threads.iter().filter(|(issue, _)| *issue != table && !is_settled(*issue));
        let invited =
            others.filter(|(issue, thread)| self.records.contains(issue) || policy.is_invited(&thread.labels));
        let mut changing = invited.filter(|(issue, thread)| {
            let seen = ThreadState::of_listed(*issue, thread.clone());
            let has_absence = self.records.contains(issue) && takes_time_away(&seen, *issue, view.table(table), until);
            has_absence || would_change(view, (*issue, &seen), table, until, policy)
        });
        changing.next().map(|(issue, _)| *issue)
    }
}

/// Whether the player to move at a table wrote an `/away` without an answer in another thread, until a time. It holds for all of
/// their games.
fn takes_time_away(seen: &ThreadState, issue: IssueNumber, table: Option<&Table>, until: Timestamp) -> bool {
    let player = table.and_then(|table| table.player(table.player_to_move())?.id());
    seen.thread.all_comments().filter(|comment| comment.updated_at <= until).any(|comment| {
        let is_theirs = player.is_some() && comment.author.as_ref().map(|author| author.id) == player;
        let is_away = || matches!(parse_issue_body(&comment.text), ParsedComment::Command(Command::Away(_), _));
        is_theirs && is_away() && !seen.answers.has_answer(CommentRef { issue, comment: comment.id })
    })
}

/// Returns the numbers of the tables that the comments of a thread name.
fn named_tables(thread: &Thread) -> impl Iterator<Item = IssueNumber> {
    thread.all_comments().filter_map(|comment| parse_issue_body(&comment.text).table_number())
}

/// Whether a comment or a body has a command, or is the bot's answer to one.
fn is_for_bot(comment: &Comment) -> bool {
    let text = &comment.text;
    let has_command = match parse_issue_body(text) {
        ParsedComment::Command(..) | ParsedComment::Invalid(..) => true,
        ParsedComment::Text(text) if text.has_slash() => text.slash_error().is_some(),
        ParsedComment::Text(text) => text.command_below().is_some(),
        ParsedComment::Chat => false,
    };
    has_command || Marker::parse(text).is_some() || Notice::parse(text).is_some()
}
