//! Composes the answer to a command: the comment, and the updates of issues that come with it. Some of those show the state of the
//! game: the title, the label of open seats, and the assignee.

use std::collections::BTreeMap;

use answers::announce::announce;
use answers::commit_message::players;
use answers::commit_message::{is_placeholder, issue_title};
use answers::{Marker, Notice, NoticeKind, OutputFormat, game_page_path, is_only_a_command, render, sentences};
use interop::export::export;
use interop::{GameLink, Place, link};
use table::{CommentId, CommentRef, HostPolicy, IssueNumber, Oid, Query, Table, Timestamp};

use crate::reader::{RepoState, ThreadState};
use crate::{Answer, Assignee, Comment, Label, MAX_ASSIGNEES, RepoConfig, Update};

/// GitHub's limit on the comments of an issue.
pub const MAX_COMMENTS: u64 = 2_500;
/// The number of comments from which the bot warns the players that the issue is nearly full.
pub const COMMENTS_WARNING: u64 = 2_300;

/// The limit on the older boards that an answer minimizes.
const MAX_MINIMIZED: usize = 5;

/// The text of an answer, and what it is about.
pub(super) struct AnswerText<'a> {
    /// The comment that the bot answers.
    pub(super) source: CommentRef,
    /// The table that the command was for.
    pub(super) table: IssueNumber,
    /// The commit that applied the command; `None` if the command changed nothing.
    pub(super) commit: Option<Oid>,
    /// Whether the text shows the table's board.
    pub(super) has_board: bool,
    /// Whether the text confirms that the author's time away has changed.
    pub(super) sets_away: bool,
    /// The Markdown below the marker.
    pub(super) text: &'a str,
}

impl AnswerText<'_> {
    /// Returns the answer with its marker, and the updates that the issues in the view lack.
    pub(super) fn compose(self, config: &RepoConfig, view: &RepoState) -> Answer {
        let updates = self.updates(config, view);
        let AnswerText { source, table, commit, has_board, sets_away, text } = self;
        // The last board of a game stays.
        let has_board = has_board && view.table(table).is_some_and(Table::is_playing);
        let notice = if source.issue == table { nearly_full_notice(view, config, table) } else { None };
        let notice = notice.map_or(String::new(), |notice| format!("\n\n{notice}\n"));
        // Below a click on a page, this is the way to the game.
        let is_elsewhere = source.issue != table && view.table(table).is_some();
        let way = if is_elsewhere { format!("\n\nThe game is in #{table}.\n") } else { String::new() };
        let marker = Marker { source, table, commit, has_board, sets_away };
        let body = marker.prepend_to(&format!("{}{notice}{way}", text.trim_end()));
        Answer { source, body, updates }
    }

    fn updates(&self, config: &RepoConfig, view: &RepoState) -> Vec<Update> {
        let AnswerText { source, table, .. } = *self;
        let is_accepted = self.commit.is_some();
        let is_at_table = source.issue == table;
        let seen = view.threads.get(&source.issue);
        // The issue stays open if its body says more than the command.
        let holds_only_command =
            !is_at_table && source.is_body() && seen.is_some_and(|seen| is_only_a_command(&seen.thread.body.text));
        // The label lets a bare move start a run. It's for tables, and for issues whose body is a command that a link
        // filled in, even if the bot refused it.
        let takes_moves = if is_at_table { is_accepted } else { holds_only_command && view.table(table).is_some() };
        let needs_label = takes_moves && seen.is_some_and(|seen| !seen.thread.has_label);
        let at_table = view.threads.get(&table).filter(|_| is_accepted);
        let updates = [
            is_accepted.then_some(Update::Rocket(source)),
            needs_label.then_some(Update::Label(source.issue, Label::Game)),
        ];
        // If a game moved here, nobody has to move in its old issue any more.
        let has_moved = |seen: &&ThreadState| seen.table.as_ref().is_some_and(Table::has_moved_away);
        let shown = at_table.into_iter().chain(view.threads.values().filter(has_moved).filter(|_| is_accepted));
        let shown = shown.flat_map(|seen| display_updates(seen, &config.policy));
        let outdated = seen.filter(|_| self.has_board).map_or(Vec::new(), |seen| outdated_boards(seen, table, config));
        let closing = [
            holds_only_command.then_some(Update::Close(source.issue)),
            at_table.filter(|seen| needs_closing(seen, config)).map(|_| Update::Close(table)),
        ];
        updates.into_iter().flatten().chain(shown).chain(closing.into_iter().flatten()).chain(outdated).collect()
    }
}

/// Returns a notice about a table, with the updates that its issue in the view lacks.
pub(super) fn notice(config: &RepoConfig, view: &RepoState, notice: &Notice, text: &str) -> Answer {
    let seen = view.threads.get(&notice.table);
    let shown = seen.into_iter().flat_map(|seen| display_updates(seen, &config.policy));
    let ended = seen.filter(|_| matches!(notice.kind, NoticeKind::Flag | NoticeKind::Ballot));
    let outdated = ended.map_or(Vec::new(), |seen| outdated_boards(seen, notice.table, config));
    let closing = seen.filter(|seen| needs_closing(seen, config)).map(|_| Update::Close(notice.table));
    let updates = shown.chain(closing).chain(outdated).collect();
    Answer { source: notice.place(), body: notice.prepend_to(text.trim_end()), updates }
}

/// Returns the updates that minimize a table's boards in a thread, because a new one comes below them: the oldest first.
///
/// Boards above a minimized one stay as they are, because somebody has shown them again.
fn outdated_boards(seen: &ThreadState, table: IssueNumber, config: &RepoConfig) -> Vec<Update> {
    if !config.policy.minimize_boards {
        return Vec::new();
    }
    let ThreadAnswers { issue, answers, .. } = &seen.answers;
    let boards = answers.iter().rev().filter(|answer| answer.marker.table == table && answer.marker.has_board);
    let shown: Vec<_> = boards.take_while(|answer| !answer.is_minimized).map(|answer| answer.id).collect();
    let ballots = seen.table.as_ref().map_or(Vec::new(), |table| seen.answers.counted_ballots(table));
    let oldest = ballots.into_iter().chain(shown.into_iter().rev()).take(MAX_MINIMIZED);
    oldest.map(|comment| Update::Minimize(CommentRef { issue: *issue, comment })).collect()
}

/// Whether the bot has to close an issue: it's open, its game is over, and the host wants such issues closed.
fn needs_closing(seen: &ThreadState, config: &RepoConfig) -> bool {
    seen.table.as_ref().is_some_and(Table::is_over) && config.policy.close_finished && !seen.thread.is_closed
}

/// Returns the update that reopens the issue of a rematch; `None` if the issue is open.
///
/// The run makes it only after its answer has arrived. Otherwise, a later run tries the answer again, and the host may
/// have closed the issue on purpose by then.
pub(super) fn reopening(view: &RepoState, table: IssueNumber) -> Option<Update> {
    let seen = view.threads.get(&table)?;
    let is_rematch = seen.table.as_ref().is_some_and(Table::is_fresh_rematch);
    if is_rematch && seen.thread.is_closed { Some(Update::Reopen(table)) } else { None }
}

/// Returns the notice that a table's issue is nearly full; `None` if there is room or the game is over.
fn nearly_full_notice(view: &RepoState, config: &RepoConfig, table: IssueNumber) -> Option<String> {
    let seen = view.threads.get(&table)?;
    let total = seen.thread.comment_count;
    if total < COMMENTS_WARNING || !seen.table.as_ref().is_some_and(Table::is_playing) {
        return None;
    }
    let body = format!("/continue #{table}\n\nPress the green button to continue the game in this issue.");
    let link = config.links()?.new_issue(&format!("Continue table {table}"), &body);
    Some(format!(
        "This issue has {total} of at most {MAX_COMMENTS} comments. [Continue in a new issue]({link}) with `/continue \
         #{table}`."
    ))
}

/// Returns the updates that make a table's issue show the state of its game, in order.
pub(super) fn display_updates(seen: &ThreadState, policy: &HostPolicy) -> Vec<Update> {
    let Some(table) = &seen.table else { return Vec::new() };
    let mut updates = Vec::from_iter(label_update(seen, table));
    updates.extend(title_update(seen, table));
    if policy.assign_turns {
        updates.extend(assignment_updates(seen, table));
    }
    updates
}

fn label_update(seen: &ThreadState, table: &Table) -> Option<Update> {
    let issue = table.issue();
    match (table.has_open_seat(), seen.thread.has_open_seat_label) {
        (true, false) => Some(Update::Label(issue, Label::OpenSeat)),
        (false, true) => Some(Update::Unlabel(issue, Label::OpenSeat)),
        _ => None,
    }
}

/// Replaces a placeholder or an older title of the bot. Keeps titles that people wrote.
fn title_update(seen: &ThreadState, table: &Table) -> Option<Update> {
    let title = issue_title(table);
    let old = seen.thread.title.trim();
    let changes = old != title && is_placeholder(old, &seen.thread.body.text);
    changes.then(|| Update::Title(table.issue(), title))
}

/// Unassigns players whose turn it isn't, and assigns the issue to the player to move.
fn assignment_updates(seen: &ThreadState, table: &Table) -> Vec<Update> {
    let issue = table.issue();
    let player = table.person_to_move().map(|(id, login)| Assignee { id, login: login.to_owned() });
    let assigned = &seen.thread.assignees;
    let is_wanted = |id| player.as_ref().is_some_and(|player| player.id == id);
    let (ended, others): (Vec<_>, Vec<_>) =
        assigned.iter().filter(|person| !is_wanted(person.id)).partition(|person| table.has_seated(person.id));
    let is_assigned = assigned.iter().any(|person| is_wanted(person.id));
    // GitHub ignores people who have never written in the issue, such as those who always move by a link. If a player's
    // comments are too far up to be in the view, the record shows that they wrote.
    let wrote = |id| {
        let is_author = |comment: &Comment| comment.author.as_ref().is_some_and(|author| author.id == id);
        let first = seen.thread.comments.first().filter(|_| seen.thread.earlier_cursor.is_some());
        let is_above = |id: &CommentId| first.is_some_and(|first| *id < first.id && *id != CommentId::BODY);
        seen.thread.all_comments().any(is_author) || table.own_issue_comments(id).iter().any(is_above)
    };
    let new = player.filter(|player| !is_assigned && others.len() < MAX_ASSIGNEES && wrote(player.id));
    let ended = ended.into_iter().map(|person| Update::Unassign(issue, person.clone()));
    ended.chain(new.map(|person| Update::Assign(issue, person))).collect()
}

// The bot's answers in one thread, found by their markers.
//
// Anyone can type a marker, so it counts only in comments by the bot's own accounts.

/// The bot's answers in one thread: comments by the bot's accounts that begin with a marker.
#[derive(Default)]
pub(crate) struct ThreadAnswers {
    /// The issue of the thread.
    issue: IssueNumber,
    /// The answers, oldest first.
    answers: Vec<ThreadAnswer>,
    /// The comments about this thread's table that no command asked for, oldest first.
    notices: Vec<ThreadNotice>,
    /// The ID of the newest answer whose marker names another issue: the thread was transferred from another
    /// repository, where every comment up to there was settled.
    pub(super) transferred_through: Option<CommentId>,
}

struct ThreadAnswer {
    id: CommentId,
    time: Timestamp,
    marker: Marker,
    is_minimized: bool,
}

/// A comment that no command asked for.
pub(super) struct ThreadNotice {
    pub(super) id: CommentId,
    pub(super) time: Timestamp,
    notice: Notice,
    is_minimized: bool,
    /// The number of the reactions for votes that the bot has added.
    pub(super) votes: usize,
}

/// The state of the answer to a command that changed a table.
pub(crate) enum AnswerState {
    /// There is no answer.
    Missing,
    /// An answer says that the command was accepted, or is about another table.
    Accepted,
    /// The only answer is this comment, which says that nothing changed.
    Refused(CommentId),
}

impl ThreadAnswers {
    /// Finds the bot's answers in the comments of a thread.
    pub(super) fn from_comments(issue: IssueNumber, comments: &[Comment]) -> ThreadAnswers {
        let answers = comments.iter().filter_map(|comment| {
            let (marker, is_minimized) = (trusted_marker(comment)?, comment.is_minimized);
            Some(ThreadAnswer { id: comment.id, time: comment.updated_at, marker, is_minimized })
        });
        let (answers, foreign): (Vec<_>, Vec<_>) = answers.partition(|answer| answer.marker.source.issue == issue);
        let notices = comments.iter().filter_map(|comment| {
            let notice = trusted_notice(comment).filter(|notice| notice.table == issue)?;
            let Comment { id, is_minimized, claims, created_at: time, .. } = *comment;
            Some(ThreadNotice { id, time, notice, is_minimized, votes: claims.votes })
        });
        let notices = notices.collect();
        ThreadAnswers { issue, answers, notices, transferred_through: foreign.last().map(|answer| answer.id) }
    }

    /// Whether a notice about the same event is in the thread.
    pub(super) fn has_notice(&self, notice: &Notice) -> bool {
        self.notices.iter().any(|known| known.notice.is_about_same(notice))
    }

    /// Returns the comment with the ballot that the event with this index in this round opened; the newest one, if somebody deleted
    /// an older one.
    pub(super) fn ballot(&self, (round, event): (u32, usize)) -> Option<&ThreadNotice> {
        self.notices.iter().rfind(|ThreadNotice { notice, .. }| {
            notice.kind == NoticeKind::Ballot && (notice.round, notice.event) == (round, event)
        })
    }

    /// Returns the ballots of a table whose votes have been counted and that aren't minimized yet, the oldest first.
    fn counted_ballots(&self, table: &Table) -> Vec<CommentId> {
        let current = table.ballot_place();
        let is_counted = |known: &&ThreadNotice| {
            let Notice { kind, round, event, .. } = known.notice;
            kind == NoticeKind::Ballot && !known.is_minimized && Some((round, event)) != current
        };
        self.notices.iter().filter(is_counted).map(|known| known.id).collect()
    }

    /// Whether the announcement of a flag is in the thread: the flag that is the event with this index in this round.
    pub(super) fn has_flag(&self, round: u32, event: usize) -> bool {
        self.notices.iter().any(|ThreadNotice { notice, .. }| {
            notice.kind == NoticeKind::Flag && (notice.round, notice.event) == (round, event)
        })
    }

    /// Returns the newer one of two notices about the same event; `None` if no event has two.
    pub(super) fn find_duplicate_notice(&self) -> Option<CommentRef> {
        let is_second =
            |at: usize| self.notices[..at].iter().any(|earlier| earlier.notice.is_about_same(&self.notices[at].notice));
        let second = (0..self.notices.len()).find(|at| is_second(*at))?;
        Some(CommentRef { issue: self.issue, comment: self.notices[second].id })
    }

    /// Returns the state of the answer to a command that changed this table.
    pub(super) fn answer_state(&self, source: CommentRef, table: IssueNumber) -> AnswerState {
        let mut state = AnswerState::Missing;
        for ThreadAnswer { id, marker, .. } in self.answers.iter().filter(|answer| answer.marker.source == source) {
            if marker.commit.is_some() || marker.table != table {
                return AnswerState::Accepted;
            }
            state = AnswerState::Refused(*id);
        }
        state
    }

    /// Whether a command has an answer.
    pub(super) fn has_answer(&self, source: CommentRef) -> bool {
        self.answers.iter().any(|answer| answer.marker.source == source)
    }

    /// Whether the bot confirmed a request for time away.
    pub(super) fn confirms_time_away(&self, source: CommentRef) -> bool {
        self.answers.iter().any(|answer| answer.marker.source == source && answer.marker.sets_away)
    }

    /// Returns when a command was answered; `None` if the answer isn't in view.
    pub(super) fn answer_time(&self, source: CommentRef) -> Option<Timestamp> {
        self.answers.iter().rfind(|answer| answer.marker.source == source).map(|answer| answer.time)
    }

    /// Whether a command below a comment was answered after the comment's last edit.
    pub(super) fn has_later_answer(&self, comment: CommentId, edited_at: Timestamp) -> bool {
        self.answers.iter().any(|answer| answer.marker.source.comment > comment && answer.time >= edited_at)
    }

    /// Returns the answer to delete if a command has two, and the command: the answer that contradicts the record, otherwise
    /// the newer one. `None` if no command has two.
    ///
    /// The first answer may be too far up to be read. The bot answers commands that change a table in the order of their
    /// comments. So if an answer to an earlier command is below the answer to a later one, it is also a second answer.
    pub(super) fn find_duplicate(&self, table: Option<&Table>) -> Option<(CommentRef, CommentRef)> {
        let issue = self.issue;
        let mut seen: BTreeMap<CommentRef, &ThreadAnswer> = BTreeMap::new();
        let mut newest = CommentId::default();
        for answer in &self.answers {
            let Marker { source, table: answered_table, commit, .. } = &answer.marker;
            let changed = *answered_table == issue
                && commit.is_some()
                && table.is_some_and(|table| table.has_event_from(*source));
            if changed && source.comment < newest {
                return Some((CommentRef { issue, comment: answer.id }, *source));
            }
            newest = if changed { source.comment } else { newest };
            let Some(first) = seen.insert(answer.marker.source, answer) else { continue };
            let says_applied = |marker: &Marker| marker.commit.is_some();
            let source = answer.marker.source;
            // The record of this thread's table shows only which of its own commands were applied. For another table,
            // believe the answer with a commit.
            let is_own = [&first.marker, &answer.marker].iter().all(|marker| marker.table == issue);
            let keep_applied = match table {
                Some(table) if table.has_event_from(source) => true,
                Some(table) if is_own && source.comment > table.settled_through() => false,
                _ => says_applied(&first.marker) || says_applied(&answer.marker),
            };
            let contradicts = |answer: &ThreadAnswer| says_applied(&answer.marker) != keep_applied;
            let superfluous = if contradicts(first) && !contradicts(answer) { first.id } else { answer.id };
            return Some((CommentRef { issue, comment: superfluous }, source));
        }
        None
    }

    /// Returns the issue of the thread.
    pub(super) fn issue(&self) -> IssueNumber {
        self.issue
    }

    /// Returns the newest commit that an answer for this thread's table names; `None` if no answer names one.
    pub(super) fn last_commit(&self) -> Option<Oid> {
        let own = self.answers.iter().filter(|answer| answer.marker.table == self.issue);
        let answers = own.map(|answer| (answer.id, &answer.marker.commit));
        let notices = self.notices.iter().map(|known| (known.id, &known.notice.commit));
        let commits = answers.chain(notices).filter_map(|(id, commit)| Some((id, commit.as_ref()?)));
        commits.max_by_key(|(id, _)| *id).map(|(_, commit)| commit.clone())
    }

    /// Returns the time of the newest answer to a command in a table's history; `None` without one.
    pub(super) fn last_answer_time(&self, table: &Table) -> Option<Timestamp> {
        let known = self.answers.iter().filter(|answer| table.has_event_from(answer.marker.source));
        known.map(|answer| answer.time).max()
    }

    /// Whether an answer in this thread names an event that the table lacks.
    pub(super) fn is_ahead_of(&self, table: &Table) -> bool {
        self.has_lost_event(table, self.last_answer_time(table).unwrap_or_default())
    }

    /// Whether an answer says that a table accepted a command that isn't in its history.
    ///
    /// Only commands newer than the history count, because older ones may belong to an earlier round. If that round ended while
    /// commands waited, its answers may be on unsettled comments. So the answer also has to be newer than the last event and its
    /// answer, which was posted at `last_answer_time`.
    pub(super) fn has_lost_event(&self, table: &Table, last_answer_time: Timestamp) -> bool {
        let known = table.settled_through().max(table.newest_own_comment());
        let last_time = last_answer_time.max(table.last_event_time());
        // If the rematch has no answer, for example in a full issue, newer answers elsewhere may be about the round before.
        let is_unanswered_rematch = last_answer_time == Timestamp::EPOCH && table.is_fresh_rematch();
        // If the record is in a later round, it had the flag before, so nothing is lost.
        let lost_flag = self.notices.iter().any(|ThreadNotice { notice, .. }| {
            let place = (notice.round, notice.event);
            matches!(notice.kind, NoticeKind::Flag | NoticeKind::Ballot)
                && notice.table == table.issue()
                && place >= (table.round(), table.event_count())
        });
        lost_flag
            || self.answers.iter().any(|ThreadAnswer { time, marker, .. }| {
                let is_newer = if marker.source.issue == table.issue() {
                    marker.source.comment > known && *time >= last_time
                } else {
                    // The IDs of comments in another thread can't be compared with those in this one.
                    *time > last_time && !is_unanswered_rematch
                };
                let is_accepted = marker.table == table.issue() && marker.commit.is_some();
                is_accepted && is_newer && !table.has_event_from(marker.source)
            })
    }

    /// Returns the number of the table that the issue's body was answered for, if that isn't the issue's own.
    pub(super) fn linked_table(&self) -> Option<IssueNumber> {
        let body = CommentRef::body_of(self.issue);
        let mut markers = self.answers.iter().map(|answer| &answer.marker);
        markers.find(|marker| marker.source == body && marker.table != body.issue).map(|marker| marker.table)
    }
}

/// Returns the marker of an answer; `None` for any other comment, such as one in which somebody else typed a marker.
pub(super) fn trusted_marker(comment: &Comment) -> Option<Marker> {
    Marker::parse(&comment.text).filter(|_| comment.by_us)
}

/// Returns the marker of a notice; `None` for any other comment.
pub(super) fn trusted_notice(comment: &Comment) -> Option<Notice> {
    Notice::parse(&comment.text).filter(|_| comment.by_us)
}

// The answer to an accepted command. At the end of a game, it links the game's page and another website's board, and
// shows its file, as `/pgn` does.

/// The maximum length of a game's file in an answer, in bytes. `/pgn` shows longer ones.
const MAX_FILE_BYTES: usize = 6_000;

/// Returns the answer to an accepted command. It depends only on the table and on the host's settings, so a later run can
/// give it again.
pub fn announcement(table: &Table, config: &RepoConfig, format: OutputFormat<'_>) -> String {
    let answer = announce(table, format);
    let has_moves = table.has_result() && table.plies().len() > 0;
    let is_played = has_moves && (table.is_open() || players(table).len() == 2);
    if matches!(format, OutputFormat::Terminal(_)) || !is_played {
        return answer;
    }
    let links: Vec<String> = [site_link(table, config), other_site_link(table)].into_iter().flatten().collect();
    let links = if links.is_empty() { None } else { Some(format!("{}\n", links.join(" · "))) };
    let parts: Vec<String> = [links, folded_file(table, config)].into_iter().flatten().collect();
    if parts.is_empty() { answer } else { format!("{}\n\n{}", answer.trim_end(), parts.join("\n")) }
}

/// Returns the link to the game's page on the host's website, if there is one.
pub(super) fn site_link(table: &Table, config: &RepoConfig) -> Option<String> {
    let url = config.site_url.as_ref()?;
    Some(format!("[Replay it on the website]({url}{})", game_page_path(table.issue(), table.round())))
}

/// Returns the link to the game on another website, if there is one.
fn other_site_link(table: &Table) -> Option<String> {
    let GameLink { label, url } = link(table)?;
    Some(format!("[{label}]({url})"))
}

/// Returns the game's file in a collapsed section, unless it is long.
fn folded_file(table: &Table, config: &RepoConfig) -> Option<String> {
    let (name, file) = code_block(table, config).filter(|(_, file)| file.len() <= MAX_FILE_BYTES)?;
    Some(format!("<details><summary>The game's file: {name}</summary>\n\n{file}\n</details>\n"))
}

/// Returns the file of a game, if that is the query and the game has a file format. Hex has a link instead.
pub(super) fn game_file(query: &Query, table: Option<&Table>, config: &RepoConfig) -> Option<String> {
    let table = table.filter(|_| *query == Query::File)?;
    match code_block(table, config) {
        Some((_, file)) => Some(file),
        None => Some(link(table)?.url),
    }
}

/// Returns the name of a game's file format, and its file in a code block; `None` if the game has no such format.
fn code_block(table: &Table, config: &RepoConfig) -> Option<(&'static str, String)> {
    let ending = render::plain(&sentences::ending(table));
    let place = config.web.as_ref().map(|web| Place {
        repository: web.repository.clone(),
        issue_url: format!("{}/{}/issues/{}", web.server, web.repository, table.issue()),
    });
    let file = export(table, &ending, place.as_ref()).ok()?;
    Some((file.title, render::code_block(&file.text)))
}
