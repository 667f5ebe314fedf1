//! `play-by-commit run --dry-run`: a run with the same reads and decisions as any other, which prints each write instead of
//! sending it.
//!
//! The loop of [`protocol::settle`] stays as it is: it is given a forge that lets reads through and keeps writes. A write that
//! was kept is not there when it is read again, so a rehearsal ends with the first command of a thread: at the next read.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Result, anyhow};
use async_trait::async_trait;
use protocol::forge::{Change, Claim, CommitOutcome, Environment, Fault, Forge, PostOutcome, Reaction};
use protocol::repo_config::{RepoConfig, Trigger};
use protocol::settle::settle;
use setup::unified_diff::unified_diff;
use table::talk::comment::{Millis, Source};
use table::talk::thread::{Comment, Cursor, FileContent, Head, Oid, Snapshot};

/// The commit that a rehearsal has not made.
const PLACEHOLDER_OID: &str = "0000000000000000000000000000000000000000";
/// The text in place of that commit's id.
const PLACEHOLDER_TEXT: &str = "COMMIT";
/// The last words of a rehearsal.
const END_MESSAGE: &str = "the rehearsal ends here";
/// The number of lines of one file's difference that are shown.
const MAX_DIFF_LINES: usize = 200;

/// A write that was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordedWrite {
    /// The state branch would be made here.
    CreateBranch(Oid),
    /// A commit, and the files as they are before it.
    Commit(Change, BTreeMap<String, FileContent>),
    /// An answer in an issue.
    Answer(u64, String),
    /// A reaction.
    React(Source, Reaction),
    /// An answer that would be taken away.
    Delete(Source),
    /// A label for an issue.
    Label(u64),
    /// An issue that would be closed.
    Close(u64),
    /// An issue opened again.
    Reopen(u64),
}

/// Prints what a run would do next: in the thread that it is woken for, or in each one of a sweep. `own` is the login of the
/// bot, if the token is not the bot's.
///
/// # Errors
/// The fault that would stop a run as well; the rest is printed all the same.
pub async fn print_dry_run(
    forge: &dyn Forge,
    place: &RepoConfig,
    wake: Trigger,
    own: Option<&str>,
    mut say: impl FnMut(&str),
) -> Result<()> {
    let (mut any, mut failed) = (false, Vec::new());
    let wakes = match wake {
        Trigger::Sweep => {
            let since = place.cutoff(forge.now());
            let issues = forge.issues_updated_since(since).await.map_err(|fault| anyhow!("{fault}"))?;
            // The sweep itself comes last, with no threads left: it fills the pages.
            issues.into_iter().map(Trigger::Issue).chain([Trigger::Sweep]).collect()
        }
        wake => vec![wake],
    };
    for wake in wakes {
        let rehearsal = DryRunForge::new(forge, &place.state_dir, own);
        let ended = settle(&rehearsal, place, wake).await;
        let over = rehearsal.has_ended.get();
        for write in rehearsal.writes.into_inner() {
            any = true;
            say(&format!("{}\n", describe(&write).trim_end()));
        }
        match ended {
            Ok(report) => {
                let notes = report.notes.iter().chain(&report.failures);
                notes.for_each(|note| say(&format!("Note: {note}.\n")));
            }
            // The read after the first write is where a rehearsal ends that has something to tell. What there is to put
            // right stands before its last words.
            Err(error) if over => {
                let error = format!("{error:#}");
                error
                    .split("; ")
                    .filter(|why| !why.ends_with(END_MESSAGE))
                    .for_each(|why| say(&format!("Note: {why}.\n")));
            }
            Err(error) => failed.push(format!("{error:#}")),
        }
    }
    if !failed.is_empty() {
        return Err(anyhow!("{}", failed.join("; ")));
    }
    say(if any { "Dry run: nothing was written." } else { "Nothing to do." });
    Ok(())
}

/// A forge that reads through another one and keeps what is written.
struct DryRunForge<'a> {
    forge: &'a dyn Forge,
    state_dir: &'a str,
    /// The login of the bot, if the token is not the bot's.
    bot_login: Option<&'a str>,
    writes: RefCell<Vec<RecordedWrite>>,
    /// A read came after a write: the loop has gone once around.
    has_ended: Cell<bool>,
}

impl<'a> DryRunForge<'a> {
    fn new(forge: &'a dyn Forge, state_dir: &'a str, own: Option<&'a str>) -> DryRunForge<'a> {
        DryRunForge { forge, state_dir, bot_login: own, writes: RefCell::default(), has_ended: Cell::new(false) }
    }

    fn record(&self, write: RecordedWrite) {
        self.writes.borrow_mut().push(write);
    }

    /// Returns the branch that would have been made, if that is the only write so far.
    fn created_branch(&self) -> Option<Oid> {
        if let [RecordedWrite::CreateBranch(at)] = self.writes.borrow().as_slice() { Some(at.clone()) } else { None }
    }

    /// Marks the comments of the bot as its own, if the reader is somebody else.
    fn mark_own(&self, comments: &mut [Comment]) {
        let Some(own) = self.bot_login else { return };
        let bare = |login: &str| login.trim_end_matches("[bot]").to_ascii_lowercase();
        for comment in comments {
            comment.by_us = comment.author.as_ref().is_some_and(|author| bare(&author.login) == bare(own));
        }
    }

    /// Changes a read to what it would be with the branch made at this commit.
    async fn apply_created_branch(&self, at: Oid, snapshot: &mut Snapshot, pages: &[String]) -> Result<(), Fault> {
        let record = |issue: u64| format!("{}/{issue}.json", self.state_dir);
        let mut paths: Vec<String> = snapshot.threads.keys().map(|issue| record(*issue)).collect();
        paths.extend(pages.iter().cloned());
        let mut files = if paths.is_empty() { BTreeMap::new() } else { self.forge.read_files(&at, &paths).await? };
        for (issue, thread) in &mut snapshot.threads {
            thread.record = files.remove(&record(*issue)).unwrap_or(FileContent::Missing);
        }
        snapshot.pages = pages.iter().filter_map(|page| Some((page.clone(), files.remove(page)?))).collect();
        snapshot.head = Head::Commit(at);
        Ok(())
    }
}

#[async_trait(?Send)]
impl Forge for DryRunForge<'_> {
    async fn read(&self, issues: &[u64], pages: &[String], comments: usize) -> Result<Snapshot, Fault> {
        let branch = self.created_branch();
        if !self.writes.borrow().is_empty() && branch.is_none() {
            self.has_ended.set(true);
            return Err(Fault::Fatal(END_MESSAGE.to_owned()));
        }
        let mut snapshot = self.forge.read(issues, pages, comments).await?;
        for thread in snapshot.threads.values_mut() {
            self.mark_own(&mut thread.comments);
            self.mark_own(std::slice::from_mut(&mut thread.body));
        }
        snapshot.newest_comments.values_mut().for_each(|comments| self.mark_own(comments));
        if let Some(at) = branch {
            self.apply_created_branch(at, &mut snapshot, pages).await?;
        }
        Ok(snapshot)
    }

    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, Fault> {
        self.forge.read_files(at, paths).await
    }

    async fn comments_before(
        &self,
        issue: u64,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), Fault> {
        let (mut page, earlier) = self.forge.comments_before(issue, cursor, comments).await?;
        self.mark_own(&mut page);
        Ok((page, earlier))
    }

    async fn exists(&self, source: Source) -> Result<bool, Fault> {
        self.forge.exists(source).await
    }

    async fn issues_updated_since(&self, _: Millis) -> Result<Vec<u64>, Fault> {
        // The threads of a sweep have been rehearsed one by one.
        Ok(Vec::new())
    }

    async fn create_branch(&self, at: &Oid) -> Result<(), Fault> {
        self.record(RecordedWrite::CreateBranch(at.clone()));
        Ok(())
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, Fault> {
        let paths: Vec<String> = change.files.iter().map(|(path, _)| path.clone()).collect();
        let before = match &change.parent {
            Some(on) => self.forge.read_files(on, &paths).await?,
            None => BTreeMap::new(),
        };
        self.record(RecordedWrite::Commit(change.clone(), before));
        Oid::parse(PLACEHOLDER_OID)
            .map(CommitOutcome::Landed)
            .ok_or_else(|| Fault::Fatal("a commit has no such name".to_owned()))
    }

    async fn answer(&self, issue: u64, body: &str) -> Result<PostOutcome, Fault> {
        self.record(RecordedWrite::Answer(issue, body.to_owned()));
        Ok(PostOutcome::Done)
    }

    async fn react(&self, source: Source, reaction: Reaction) -> Result<Claim, Fault> {
        self.record(RecordedWrite::React(source, reaction));
        Ok(Claim::Ours)
    }

    async fn delete(&self, source: Source) -> Result<(), Fault> {
        self.record(RecordedWrite::Delete(source));
        Ok(())
    }

    async fn label(&self, issue: u64) -> Result<(), Fault> {
        self.record(RecordedWrite::Label(issue));
        Ok(())
    }

    async fn close(&self, issue: u64) -> Result<(), Fault> {
        self.record(RecordedWrite::Close(issue));
        Ok(())
    }

    async fn reopen(&self, issue: u64) -> Result<(), Fault> {
        self.record(RecordedWrite::Reopen(issue));
        Ok(())
    }
}

#[async_trait(?Send)]
impl Environment for DryRunForge<'_> {
    fn now(&self) -> Millis {
        self.forge.now()
    }

    fn entropy(&self) -> Result<[u8; 32], Fault> {
        self.forge.entropy()
    }

    async fn pause(&self, time: Duration) {
        self.forge.pause(time).await;
    }
}

/// Describes a write in words. Every line of a file or an answer has a bar before it, so that none of them is taken for a workflow
/// command.
fn describe(write: &RecordedWrite) -> String {
    let place = |source: &Source| match source.comment {
        0 => format!("issue {}", source.issue),
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
            format!("Would react to {} with {}.\n\n", place(source), format!("{reaction:?}").to_lowercase())
        }
        RecordedWrite::Delete(source) => format!("Would delete the bot's answer, {}.\n\n", place(source)),
        RecordedWrite::Label(issue) => format!("Would label issue {issue} `play-by-commit`.\n\n"),
        RecordedWrite::Close(issue) => format!("Would close issue {issue}.\n\n"),
        RecordedWrite::Reopen(issue) => format!("Would reopen issue {issue}.\n\n"),
    }
}

fn describe_commit(change: &Change, before: &BTreeMap<String, FileContent>) -> String {
    let on = change.parent.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    let message = format!("{}\n\n{}", change.headline, change.body);
    let mut text = format!("Would commit on {on}:\n{}\n", prefix_with_bars(message.trim_end()));
    for (path, new) in &change.files {
        let old = before.get(path).and_then(FileContent::text);
        let was = old.map_or("new".to_owned(), |old| format!("{} bytes before", old.len()));
        text.push_str(&format!("{path}: {} bytes, {was}.\n", new.len()));
        // A picture is drawn anew from the record, and says nothing in letters.
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

/// Returns the lines of a text with a bar before each, without the characters that could change a terminal.
fn prefix_with_bars(text: &str) -> String {
    let clean = |line: &str| line.chars().filter(|c| !c.is_control() || *c == '\t').collect::<String>();
    text.lines().map(|line| format!("| {}\n", clean(line))).collect()
}
