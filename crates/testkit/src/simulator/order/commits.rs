//! Checks that each commit is the decision about one comment at the commit's parent, and nothing else.

use std::collections::BTreeSet;
use std::rc::Rc;

use answers::{Notice, NoticeKind};
use table::timestamp::to_millis;
use table::{
    Absences, CommentContext, CommentRef, Decision, Done, Event, EventKind, Player, RepositoryId, Table, Timestamp,
    UserId, decide_at_once, end_without_issue, play_voted_move, state_file, total_votes,
};

use crate::Millis;
use crate::simulator::core::{LandedCommit, PostedAnswer, PostedComment, Violate};
use crate::simulator::order::HistoryCheck;
use crate::simulator::order::clocks::{filed_start, missing_since};
use crate::simulator::table_history::{
    CachedTable, Files, Link, comment_context, is_outdated, issue_of, known_absences, record_path,
};
use crate::simulator::{Mode, table_history};
use crate::world::FIRST_REPOSITORY;

/// The shortest time between the deletion of an issue and the end of its game: a week less six hours, in milliseconds.
const GONE_AFTER: Millis = (7 * 24 - 6) * 60 * 60_000;

/// A ballot that is posted within a minute counts from its event. GitHub's times are whole seconds, and the bot tells the time by a
/// reply.
const SLACK: Millis = 62_000;

/// A commit that changes the record of one table.
struct RecordCommit<'a> {
    landed: &'a LandedCommit,
    before: &'a Files,
    files: &'a Files,
    /// The table's issue.
    issue: u64,
    /// The issue that the table leaves in this commit.
    moved_from: Option<u64>,
    table: Rc<CachedTable>,
}

impl RecordCommit<'_> {
    fn record(&self) -> &str {
        &self.files[&record_path(self.issue)]
    }

    /// Returns the table that decided: for `/continue`, it's the one in the old issue.
    fn decided_at(&self) -> u64 {
        self.moved_from.unwrap_or(self.issue)
    }

    /// Whether a decision leads to this commit.
    fn follows_from(&self, decision: Option<Decision<Done>>, is_canonical: bool) -> bool {
        let Some(Decision::Apply(Done { table, previous })) = decision else { return false };
        let left = previous.as_ref().map(|old| old.issue().get()).filter(|old| *old != self.issue);
        if self.moved_from != left || !previous.is_none_or(|previous| self.has_archived(&previous)) {
            return false;
        }
        let table = counted_like(*table, &self.table).with_absences(Absences::default());
        let table = table.with_clock_start(Timestamp::EPOCH);
        let is_bound = self.table.repository() == Some(RepositoryId::new(FIRST_REPOSITORY));
        is_bound && (is_canonical && table == **self.table || state_file::to_json(&table) == self.record())
    }

    /// Whether the commit keeps the round before a rematch, or the record of a table that moved.
    fn has_archived(&self, previous: &Table) -> bool {
        let path = match self.moved_from {
            Some(old) => record_path(old),
            None => format!("state/archive/{}-{}.json", self.issue, previous.round()),
        };
        self.files.get(&path) == Some(&state_file::to_json(previous))
    }
}

impl HistoryCheck<'_> {
    /// Checks a commit.
    pub(super) fn commit(&mut self, landed: &LandedCommit, violate: &mut Violate<'_>) {
        let LandedCommit { run, oid, .. } = landed;
        let (state, none) = (&self.core.state, Files::new());
        let (before, files) = (state.parent_files(oid).unwrap_or(&none), &*state.commits[oid].files);
        let changed: Vec<&String> = state.changed_files(oid).map(|(path, _)| path).collect();
        // A relocated table ends in one issue and continues in another.
        let (left, issues): (Vec<u64>, Vec<u64>) =
            changed.iter().filter_map(|path| issue_of(path)).partition(|issue| has_moved(files, *issue));
        let (&[issue], 0..=1) = (issues.as_slice(), left.len()) else {
            let is_page =
                |path: &&String| matches!(path.as_str(), "README.md" | "state/tables.json" | "state/daily.json");
            let is_short_file = || {
                self.is_time_away(files, before, &changed)
                    || self.is_late_turn(files, before, &changed)
                    || self.marks_missing_issues(landed.at, files, before, &changed)
            };
            if !issues.is_empty() || !changed.iter().all(is_page) && !is_short_file() {
                violate("commit", format!("run {run} changes {changed:?} at once"));
            }
            return;
        };
        let table = table_history::find(files, issue);
        let Some((table, source)) = table.and_then(|table| Some((table.clone(), table.last_source()?))) else {
            return violate("commit", format!("run {run} commits a record of table {issue} that does not replay"));
        };
        if table.fallen_flag().is_some() && !table.ended_without_issue() {
            return self.flag(landed.at, (before, files), &table, violate);
        }
        if table.history().last().is_some_and(Event::has_votes) && left.is_empty() {
            return self.counted_votes(landed.at, before, &table, violate);
        }
        let commit = RecordCommit { landed, before, files, issue, moved_from: left.first().copied(), table };
        if commit.table.ended_without_issue() {
            self.end_of_deleted_issue(&commit, violate);
        } else {
            self.applied_command(&commit, source, violate);
        }
    }

    /// Checks that a crowd's move follows from the record, that its ballot was open for long enough, and that there aren't more votes
    /// than people.
    fn counted_votes(&self, at: Millis, before: &Files, after: &Rc<CachedTable>, violate: &mut Violate<'_>) {
        let issue = after.issue().get();
        let (Some(last), Some(event)) = (table_history::find(before, issue), after.history().last()) else {
            return violate("votes", format!("a crowd moves at table {issue}, which is new"));
        };
        let next = play_voted_move(&last, event.votes.clone(), event.timestamp, &self.config.policy);
        let next = next.map(|next| counted_like(next.with_settled_through(after.settled_through()), after));
        let next = next.map(|next| next.with_clock_start(Timestamp::EPOCH).with_absences(Absences::default()));
        if next.as_ref() != Some(&***after) {
            return violate("votes", format!("the crowd's move at table {issue} doesn't follow from its record"));
        }
        let place = last.ballot_place();
        let ballots = self.core.ledger.answers.iter().filter(|answer| {
            let notice = Notice::parse(&answer.body).filter(|notice| notice.kind == NoticeKind::Ballot);
            answer.issue == issue && notice.map(|notice| (notice.round, notice.event)) == place
        });
        let time = last.terms().crowd.map_or(0, |crowd| to_millis(crowd.voting_time));
        let is_open = |posted: &&PostedAnswer| posted.at + time <= at + SLACK;
        let open: Vec<CommentRef> =
            ballots.filter(is_open).map(|posted| crate::place(posted.issue, posted.id)).collect();
        if open.is_empty() {
            violate("votes", format!("the votes at table {issue} are counted before their time"));
        }
        let reacted = open.iter().filter_map(|ballot| self.core.ledger.voters.get(ballot)).flatten();
        let wrote = self.core.ledger.comments.iter().filter(|(source, _)| source.issue.get() == issue);
        let wrote = wrote.filter_map(|(_, posted)| Some(self.core.state.people.get(&posted.login)?.id));
        let opponent = last.player(last.player_to_move().other()).and_then(Player::id).map(UserId::get);
        // The bot may have the account of a player, whose written votes count.
        let voters = reacted.copied().chain(wrote).filter(|id| Some(*id) != opponent);
        let voters: BTreeSet<u64> = voters.collect();
        if total_votes(&event.votes) as usize > voters.len() {
            violate("votes", format!("{:?} are more votes at table {issue} than people", event.votes));
        }
    }

    /// Checks that a game ends without a command only after its issue was deleted.
    fn end_of_deleted_issue(&self, commit: &RecordCommit<'_>, violate: &mut Violate<'_>) {
        let RecordCommit { landed: LandedCommit { at, run, .. }, issue, table, .. } = commit;
        let before = table_history::find(commit.before, *issue);
        let ended = before.and_then(|before| end_without_issue(&before, table.last_event_time(), &self.config.policy));
        let missing_since = missing_since(commit.before, *issue);
        // If no daily run came while GitHub showed the issue, the bot can't know.
        let was_missing = |at: Millis| self.core.ledger.was_missing(*issue, at);
        let is_due = missing_since.is_some_and(|since| since + GONE_AFTER <= *at && was_missing(since));
        if !is_due || !was_missing(*at) || ended.as_ref() != Some(&***table) {
            violate(
                "commit",
                format!("run {run} ends the game of issue {issue}, missing since {missing_since:?}, at {at}"),
            );
        }
    }

    /// Checks that a commit follows from the comment that its last event names.
    fn applied_command(&mut self, commit: &RecordCommit<'_>, source: CommentRef, violate: &mut Violate<'_>) {
        let (LandedCommit { at, run, .. }, issue) = (commit.landed, commit.issue);
        let Some(posted) = self.core.ledger.comments.get(&source) else {
            return violate("commit", format!("run {run} applies {source:?}, which nobody posted"));
        };
        let answered = table_history::with_absences(&commit.table, known_absences(commit.files, issue));
        if self.applied.insert(source, (answered, *at)).is_some() && self.core.mode != Mode::Wrecked {
            violate("applied twice", format!("{source:?} was applied twice"));
        }
        let asked = commit.decided_at();
        let last = commit.before.get(&record_path(asked)).map(|text| table_history::load(text, asked));
        let Ok(last) = last.transpose() else {
            return violate("commit", format!("run {run} commits over the damaged record of table {asked}"));
        };
        let last = last.map(|table| table_history::with_absences(&table, known_absences(commit.before, asked)));
        let last = last.as_deref().map(|known| &**known);
        let contexts = self.contexts_at_commit(commit, source, posted, last);
        // The author may have edited a claim into another command.
        let is_claim = commit.table.history().last().is_some_and(|event| event.kind == EventKind::Claim);
        if let (Some(context), Some(last), true) = (contexts.first(), last, is_claim) {
            self.claim(context, last, violate);
        }
        if let Some(last) = last.filter(|_| self.core.mode != Mode::Wrecked) {
            self.used_time(last, &commit.table, violate);
        }
        // If the record is in canonical form, comparing tables is enough and faster than comparing texts.
        let is_canonical = state_file::to_json(&commit.table) == commit.record();
        let filed = filed_start(commit.before, asked);
        let mut decisions = contexts.iter().flat_map(|context| {
            let lasts = match last {
                Some(last) => self.tables_for(context, last, filed).into_iter().map(Some).collect(),
                None => vec![None],
            };
            lasts.into_iter().map(|last| decide_at_once(last.as_ref(), context, &self.config.policy))
        });
        if !decisions.any(|decision| commit.follows_from(decision, is_canonical)) {
            let what = format!("run {run} commits a change at table {issue} that doesn't follow from {source:?}");
            violate("commit", what);
        }
    }

    /// Returns everything that a run may have known about a comment when it made a commit.
    fn contexts_at_commit(
        &self,
        commit: &RecordCommit<'_>,
        source: CommentRef,
        posted: &PostedComment,
        last: Option<&Table>,
    ) -> Vec<CommentContext> {
        let LandedCommit { at, entropy, .. } = commit.landed;
        let settled_through = if source.issue.get() == commit.issue { commit.table.settled_through().get() } else { 0 };
        let versions = posted.versions.iter().filter(|version| version.at <= *at);
        let contexts = versions
            .filter_map(|version| comment_context(self.core, source, posted, version, *entropy, settled_through));
        let asked = commit.decided_at();
        let at_table = commit.before.contains_key(&record_path(source.issue.get()));
        let link = Link::find(self.core, source.issue.get()).filter(|link| link.table == asked);
        let contexts = contexts
            .flat_map(|context| {
                let linked = link.and_then(|link| link.context(&context)).filter(|linked| !is_outdated(linked, last));
                let own = if context.table.get() == asked { Some(context) } else { None };
                linked.into_iter().chain(own)
            })
            .map(|context| CommentContext { issue_has_table: at_table, ..context })
            .flat_map(|context| self.with_question(context, last));
        contexts.collect()
    }
}

/// Whether a table has moved to another issue.
fn has_moved(files: &Files, issue: u64) -> bool {
    table_history::find(files, issue).is_some_and(|table| table.has_moved_away())
}

/// Gives a table the result number and the rating changes of a committed one. The check of the standings recounts them.
pub(super) fn counted_like(table: Table, committed: &Table) -> Table {
    let table = table.with_repository(committed.repository());
    match committed.result_number() {
        Some(number) => table.with_result_number(Some(number)).with_rating_changes(committed.rating_changes()),
        None => table,
    }
}
