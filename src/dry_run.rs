//! `play-by-commit run --dry-run`: a run with real reads and decisions that prints each write instead of sending it.
//!
//! It calls [`protocol::settle`] with a forge that forwards reads and records writes. Later reads can't see a recorded write, so
//! the dry run of a thread ends after its first command.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow};
use async_trait::async_trait;
use protocol::settle::settle_with_ledger;
use protocol::{
    Account, Answer, AnswerOutcome, Change, ClaimOutcome, Comment, CommitOutcome, Cursor, Environment, FileContent,
    Forge, Head, HostError, IssueList, Ledger, PostOutcome, Presence, Reaction, RepoConfig, RequestError, SettleError,
    Snapshot, Trigger, Update, error_text, issues_to_read, note_text,
};
use setup::unified_diff;
use table::{Author, CommentId, CommentRef, IssueNumber, Oid, Permission, Timestamp, VoteReaction};

use crate::host_error::run_error;

/// The id of a commit that a dry run didn't make.
const PLACEHOLDER_OID: &str = "0000000000000000000000000000000000000000";
/// The text to print in place of [`PLACEHOLDER_OID`].
const PLACEHOLDER_TEXT: &str = "COMMIT";
/// The error message that ends the dry run of a thread.
const END_MESSAGE: &str = "the dry run ends here";
/// The maximum number of lines of one file's diff to print.
const MAX_DIFF_LINES: usize = 200;

/// A write that a dry run recorded instead of sending it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedWrite {
    /// Create the games' branch at this commit.
    CreateBranch(Oid),
    /// Make a commit. The map has the earlier contents of its files, by path.
    Commit(Change, BTreeMap<String, FileContent>),
    /// Post an answer in an issue.
    Answer(IssueNumber, String),
    /// React to a comment or an issue.
    React(CommentRef, Reaction),
    /// Delete an answer of the bot.
    Delete(CommentRef),
    /// Label, close or reopen an issue, or add the rocket.
    Update(Update),
}

/// Prints what a run would do next: in the issue that triggered it, or in each issue of a sweep.
///
/// `bot_login` is the bot's login, if the token isn't the bot's. `print` receives one paragraph at a time.
///
/// # Errors
/// Returns an error if the repository has other settings, before anything is printed. The result inside is an error if a run would
/// fail; everything else is printed first.
pub async fn print_dry_run(
    forge: &dyn Forge,
    config: &RepoConfig,
    trigger: Trigger,
    bot_login: Option<&str>,
    ledger: &mut Ledger,
    mut print: impl FnMut(&str),
) -> Result<Result<()>, SettleError> {
    let (mut has_writes, mut failures) = (false, Vec::new());
    let triggers = match trigger {
        Trigger::Sweep => {
            let issues = match issues_to_read(forge, config, ledger).await {
                Ok(issues) => issues,
                Err(error @ SettleError::SettingsChanged(_)) => return Err(error),
                Err(error) => return Ok(Err(anyhow!(error_text(&error)))),
            };
            // The sweep itself comes last, without any issues, and only fills the pages.
            issues.into_iter().map(Trigger::Issue).chain([Trigger::Sweep]).collect()
        }
        trigger => vec![trigger],
    };
    for trigger in triggers {
        let is_sweep = matches!(trigger, Trigger::Sweep);
        let dry_run = DryRunForge { hides_issues: is_sweep, ..DryRunForge::new(forge, bot_login) };
        let mut ledger = Ledger { first_read: ledger.first_read.take(), ..Ledger::default() };
        let result = settle_with_ledger(&dry_run, config, trigger, &mut ledger).await;
        let has_ended = dry_run.has_ended.get();
        for write in dry_run.writes.into_inner() {
            has_writes = true;
            print(&format!("{}\n", describe(&write).trim_end()));
        }
        match result {
            Err(error @ SettleError::SettingsChanged(_)) if !has_writes => return Err(error),
            // After its first write, a dry run ends on purpose at the next read. That error isn't a failure.
            Err(error) if !has_ended => failures.push(run_error(&error, &ledger).to_string()),
            _ => {
                for note in &ledger.notes {
                    print(&format!("Note: {}.\n", note_text(note)));
                }
            }
        }
    }
    if !failures.is_empty() {
        return Ok(Err(anyhow!("{}", failures.join("; "))));
    }
    print(if has_writes { "Dry run: nothing was written." } else { "Nothing to do." });
    Ok(Ok(()))
}

/// A forge that forwards reads to another forge and records writes.
struct DryRunForge<'a> {
    forge: &'a dyn Forge,
    /// The bot's login, if the token isn't the bot's.
    bot_login: Option<&'a str>,
    writes: RefCell<Vec<RecordedWrite>>,
    /// Whether the list of issues is empty, because each has a dry run of its own.
    hides_issues: bool,
    /// Whether a read came after a write, which ends the dry run.
    has_ended: Cell<bool>,
}

impl<'a> DryRunForge<'a> {
    fn new(forge: &'a dyn Forge, bot_login: Option<&'a str>) -> DryRunForge<'a> {
        DryRunForge { forge, bot_login, writes: RefCell::default(), hides_issues: false, has_ended: Cell::new(false) }
    }

    fn record(&self, write: RecordedWrite) {
        self.writes.borrow_mut().push(write);
    }

    /// Returns the commit of the created branch, if that is the only write so far.
    fn created_branch(&self) -> Option<Oid> {
        if let [RecordedWrite::CreateBranch(at)] = self.writes.borrow().as_slice() { Some(at.clone()) } else { None }
    }

    /// Marks the bot's comments as its own, if the token isn't the bot's.
    fn mark_own(&self, comments: &mut [Comment]) {
        let Some(bot_login) = self.bot_login else { return };
        let normalize = |login: &str| login.trim_end_matches("[bot]").to_ascii_lowercase();
        for comment in comments {
            let author = comment.author.as_ref();
            comment.by_us = author.is_some_and(|author| normalize(&author.login) == normalize(bot_login));
        }
    }

    /// Changes a snapshot to what it would be if the games' branch existed at this commit.
    async fn apply_created_branch(
        &self,
        at: Oid,
        snapshot: &mut Snapshot,
        paths: &[String],
    ) -> Result<(), RequestError> {
        if !paths.is_empty() {
            snapshot.files = self.forge.read_files(&at, paths).await?;
        }
        snapshot.head = Head::Commit(at);
        Ok(())
    }
}

#[async_trait(?Send)]
impl Forge for DryRunForge<'_> {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, RequestError> {
        let branch = self.created_branch();
        if !self.writes.borrow().is_empty() && branch.is_none() {
            self.has_ended.set(true);
            return Err(RequestError::Fatal(HostError::new(END_MESSAGE)));
        }
        let mut snapshot = self.forge.read(issues, paths, comments).await?;
        for thread in snapshot.threads.values_mut() {
            self.mark_own(&mut thread.comments);
            self.mark_own(std::slice::from_mut(&mut thread.body));
        }
        snapshot.newest_comments.values_mut().for_each(|comments| self.mark_own(comments));
        if let Some(at) = branch {
            self.apply_created_branch(at, &mut snapshot, paths).await?;
        }
        Ok(snapshot)
    }

    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError> {
        self.forge.read_files(at, paths).await
    }

    async fn list_files(&self, at: &Oid, dir: &str) -> Result<Vec<String>, RequestError> {
        self.forge.list_files(at, dir).await
    }

    async fn read_folder(&self, at: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        self.forge.read_folder(at, dir).await
    }

    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        let (mut page, earlier) = self.forge.comments_before(issue, cursor, comments).await?;
        self.mark_own(&mut page);
        Ok((page, earlier))
    }

    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError> {
        self.forge.find(source).await
    }

    async fn account(&self, login: &str) -> Result<Account, RequestError> {
        self.forge.account(login).await
    }

    async fn permission(&self, person: &Author) -> Result<Option<Permission>, RequestError> {
        self.forge.permission(person).await
    }

    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError> {
        let mut list = self.forge.issues_updated_since(since, from, count).await?;
        if self.hides_issues {
            list.issues.clear();
        }
        for (_, thread) in &mut list.issues {
            self.mark_own(&mut thread.comments);
            self.mark_own(std::slice::from_mut(&mut thread.body));
        }
        Ok(list)
    }

    async fn create_branch(&self, at: &Oid) -> Result<(), RequestError> {
        self.record(RecordedWrite::CreateBranch(at.clone()));
        Ok(())
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError> {
        let written = change.files.iter().map(|(path, _)| path);
        let paths: Vec<String> = written.chain(&change.deleted).cloned().collect();
        let before = match &change.parent {
            Some(parent) => self.forge.read_files(parent, &paths).await?,
            None => BTreeMap::new(),
        };
        self.record(RecordedWrite::Commit(change.clone(), before));
        Oid::parse(PLACEHOLDER_OID)
            .map(CommitOutcome::Landed)
            .ok_or_else(|| RequestError::Fatal(HostError::new("the placeholder isn't a commit id")))
    }

    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        self.record(RecordedWrite::Answer(answer.source.issue, answer.body.clone()));
        answer.updates.iter().for_each(|update| self.record(RecordedWrite::Update(update.clone())));
        Ok(AnswerOutcome { comment: PostOutcome::Done, posted: None, failed_updates: Vec::new() })
    }

    async fn update(&self, update: &Update) -> Result<(), RequestError> {
        self.record(RecordedWrite::Update(update.clone()));
        Ok(())
    }

    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError> {
        self.record(RecordedWrite::React(source, reaction));
        Ok(ClaimOutcome::Ours)
    }

    async fn voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        self.forge.voters(ballot, reactions).await
    }

    async fn delete(&self, source: CommentRef) -> Result<(), RequestError> {
        self.record(RecordedWrite::Delete(source));
        Ok(())
    }
}

#[async_trait(?Send)]
impl Environment for DryRunForge<'_> {
    fn now(&self) -> Timestamp {
        self.forge.now()
    }

    fn elapsed(&self) -> Duration {
        self.forge.elapsed()
    }

    fn machine_time(&self) -> Timestamp {
        self.forge.machine_time()
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        self.forge.entropy()
    }

    async fn pause(&self, time: Duration) {
        self.forge.pause(time).await;
    }
}

/// Describes a write.
///
/// Lines of files and answers are prefixed with a bar, so the runner can't take one of them for a workflow command.
fn describe(write: &RecordedWrite) -> String {
    let name = |source: &CommentRef| match source.comment {
        CommentId::BODY => format!("issue {}", source.issue),
        comment => format!("comment {comment} of issue {}", source.issue),
    };
    match write {
        RecordedWrite::CreateBranch(at) => format!("Would create the games' branch at {at}.\n\n"),
        RecordedWrite::Commit(change, before) => describe_commit(change, before),
        RecordedWrite::Answer(issue, body) => {
            format!(
                "Would answer in issue {issue}:\n{}\n",
                prefix_with_bars(&body.replace(PLACEHOLDER_OID, PLACEHOLDER_TEXT))
            )
        }
        RecordedWrite::React(source, reaction) => {
            format!("Would react to {} with {}.\n\n", name(source), format!("{reaction:?}").to_lowercase())
        }
        RecordedWrite::Delete(source) => format!("Would delete the bot's answer, {}.\n\n", name(source)),
        RecordedWrite::Update(update) => format!("Would {}.\n\n", describe_update(update)),
    }
}

fn describe_update(update: &Update) -> String {
    match update {
        Update::Rocket(source) if source.is_body() => format!("react to issue {} with rocket", source.issue),
        Update::Rocket(CommentRef { issue, comment }) => {
            format!("react to comment {comment} of issue {issue} with rocket")
        }
        Update::Label(issue, label) => format!("label issue {issue} `{}`", label.name()),
        Update::Unlabel(issue, label) => format!("remove the label `{}` from issue {issue}", label.name()),
        Update::Title(issue, title) => format!("change the title of issue {issue} to \"{title}\""),
        Update::Unassign(issue, person) => format!("unassign {} from issue {issue}", person.login),
        Update::Assign(issue, person) => format!("assign issue {issue} to {}", person.login),
        Update::Minimize(CommentRef { issue, comment }) => format!("minimize comment {comment} of issue {issue}"),
        Update::Vote(CommentRef { issue, comment }, reactions) => {
            let names: Vec<&str> = reactions.iter().map(|reaction| reaction.name()).collect();
            format!("react to comment {comment} of issue {issue} with {}", names.join(", "))
        }
        Update::Close(issue) => format!("close issue {issue}"),
        Update::Reopen(issue) => format!("reopen issue {issue}"),
    }
}

fn describe_commit(change: &Change, before: &BTreeMap<String, FileContent>) -> String {
    let parent = change.parent.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    let message = format!("{}\n\n{}", change.headline, change.body);
    let mut text = format!("Would commit on {parent}:\n{}\n", prefix_with_bars(message.trim_end()));
    for (path, new) in &change.files {
        let old = before.get(path).and_then(FileContent::text);
        let old_size = old.map_or("new".to_owned(), |old| format!("{} bytes before", old.len()));
        text.push_str(&format!("{path}: {} bytes, {old_size}.\n", new.len()));
        // Pictures follow from the record, and a diff of SVG is unreadable.
        if path.ends_with(".svg") {
            continue;
        }
        let diff = unified_diff(path, old.unwrap_or_default(), new);
        let lines = diff.lines().count();
        let shown: String = diff.split_inclusive('\n').take(MAX_DIFF_LINES).collect();
        text.push_str(&prefix_with_bars(&shown));
        if lines > MAX_DIFF_LINES {
            text.push_str(&format!("and {} more lines.\n", lines - MAX_DIFF_LINES));
        }
    }
    format!("{text}\n")
}

/// Prefixes each line with a bar, and drops control characters, which could change a terminal.
fn prefix_with_bars(text: &str) -> String {
    let clean = |line: &str| line.chars().filter(|c| !c.is_control() || *c == '\t').collect::<String>();
    text.lines().map(|line| format!("| {}\n", clean(line))).collect()
}
