//! The scratch issue: comments, reactions, the label, closing and locking.

use std::time::Instant;

use github::scratch;
use protocol::forge::{COMMENTS, Claim, Fault, Forge, Posted, Reaction};
use table::talk::comment::Source;
use table::talk::thread::Thread;

use crate::probe::bench::{BEARABLE, Bench, Made, Scratch, ScratchIssue, millis, until};
use crate::probe::rows::Rows;
use crate::probe::things::{self, Thing};

/// The body of the temporary issue. It must not start a run, so no line begins with a slash, and it isn't a form.
const BODY: &str = "The probe of Play by Commit opened this issue to test whether GitHub works the way the bot expects. \
                    It closes the issue within two minutes. You don't have to do anything.";
/// The comment that the probe writes and deletes.
const REMARK: &str = "The probe of Play by Commit wrote this comment and will delete it.";

/// The tests of a thread, on the scratch issue.
pub(super) struct ThreadTrial<'a> {
    bench: &'a Bench,
    made: &'a mut Made,
    rows: &'a mut Rows,
}

impl<'a> ThreadTrial<'a> {
    pub(super) fn new(bench: &'a Bench, made: &'a mut Made, rows: &'a mut Rows) -> ThreadTrial<'a> {
        ThreadTrial { bench, made, rows }
    }

    /// Opens the scratch issue.
    pub(super) async fn open(&mut self) -> Option<u64> {
        self.made.note_issue(ScratchIssue::Unknown);
        let since = Instant::now();
        match scratch::open_issue(&self.bench.github, &self.bench.title, BODY).await {
            Ok(number) => {
                self.made.note_issue(ScratchIssue::Opened(number));
                self.rows.note(things::ISSUE, true, "201", Some(millis(since)));
                Some(number)
            }
            Err(fault) => {
                if matches!(fault, Fault::Host(_) | Fault::Later(..)) {
                    self.made.note_issue(ScratchIssue::None);
                }
                self.rows.fault(things::ISSUE, &fault, Some(millis(since)));
                None
            }
        }
    }

    /// Writes a comment and tries what belongs to one.
    pub(super) async fn thread(&mut self, issue: u64) {
        if let Some(comment) = self.comment(issue).await {
            let source = Source { issue, comment };
            self.signs(issue).await;
            self.reaction(things::COMMENT_REACTION, source).await;
            self.delete(source).await;
        }
        self.reaction(things::ISSUE_REACTION, Source { issue, comment: 0 }).await;
    }

    /// Tries what befalls an issue at the end: a label, closing, opening and locking.
    pub(super) async fn endings(&mut self, issue: u64) {
        self.label(issue).await;
        self.close(issue).await;
        self.locked(issue).await;
    }

    async fn comment(&mut self, issue: u64) -> Option<u64> {
        let since = Instant::now();
        let posted = self.bench.github.answer(issue, REMARK).await;
        match posted {
            Ok(Posted::Done) => self.rows.note(things::COMMENT, true, "201", Some(millis(since))),
            Ok(Posted::Refused(why)) => self.rows.note(things::COMMENT, false, format!("Refused: {why}"), None),
            Err(fault) => self.rows.fault(things::COMMENT, &fault, Some(millis(since))),
        }
        let github = &self.bench.github;
        let shown = until(async || {
            let mut threads = github.read(&[issue], &[], COMMENTS).await?.threads;
            let comments = threads.remove(&issue).map(|thread| thread.comments).unwrap_or_default();
            Ok(comments.iter().find(|comment| comment.text == REMARK).map(|comment| comment.id))
        });
        match shown.await {
            Ok(Some((comment, late))) => {
                self.rows.note(things::COMMENT_LAG, late <= BEARABLE, behind(late), Some(late));
                return Some(comment);
            }
            Ok(None) => self.rows.note(things::COMMENT_LAG, false, "It didn't show up within 8 seconds.", None),
            Err(fault) => self.rows.fault(things::COMMENT_LAG, &fault, None),
        }
        None
    }

    async fn signs(&mut self, issue: u64) {
        let signs = match scratch::signs(&self.bench.github, issue).await {
            Ok(Some(signs)) => signs,
            Ok(None) => return,
            Err(fault) => {
                self.rows.fault(things::VIEWER_DID_AUTHOR, &fault, None);
                return self.rows.fault(things::VIEWER_LOGIN, &fault, None);
            }
        };
        let both = [
            (
                things::VIEWER_DID_AUTHOR,
                signs.viewer_did_author,
                "`viewerDidAuthor` is true",
                "`viewerDidAuthor` is false",
            ),
            (
                things::VIEWER_LOGIN,
                signs.by_login,
                "The same account",
                "Another account, or GitHub doesn't say whose token it is",
            ),
        ];
        for (thing, good, yes, no) in both {
            match good || signs.ours() {
                true => self.rows.note(thing, good, if good { yes } else { no }, None),
                false => self.rows.differs(
                    thing,
                    no,
                    "The bot doesn't recognize its own answers, so it can answer a command twice, and the second answer \
                     stays. Don't play with this token.",
                    None,
                ),
            }
        }
    }

    async fn reaction(&mut self, thing: Thing, source: Source) {
        let since = Instant::now();
        let first = self.bench.github.react(source, Reaction::Eyes).await;
        let second = self.bench.github.react(source, Reaction::Eyes).await;
        let seen = format!("{}, then {}", claimed(&first), claimed(&second));
        match (first, second) {
            (Ok(Claim::Ours), Ok(Claim::Ours)) => self.rows.differs(
                thing,
                seen,
                "Two runs at once can both claim a refusal, so it can be answered twice until a later run deletes one.",
                Some(millis(since)),
            ),
            (first, second) => {
                let good = (first, second) == (Ok(Claim::Ours), Ok(Claim::Taken));
                self.rows.note(thing, good, seen, Some(millis(since)));
            }
        }
    }

    async fn delete(&mut self, source: Source) {
        if let Err(fault) = self.bench.github.delete(source).await {
            return self.rows.fault(things::DELETE, &fault, None);
        }
        let github = &self.bench.github;
        let gone = until(async || Ok((!github.exists(source).await?).then_some(())));
        match gone.await {
            Ok(Some(((), late))) => self.rows.note(things::DELETE, true, "Deleted, and gone", Some(late)),
            Ok(None) => self.rows.note(things::DELETE, false, "It was still there after 8 seconds.", None),
            Err(fault) => self.rows.fault(things::DELETE, &fault, None),
        }
    }

    async fn label(&mut self, issue: u64) {
        self.made.note(Scratch::Label);
        if let Err(fault) = scratch::label_with(&self.bench.github, issue, &self.bench.name).await {
            return self.rows.fault(things::LABEL, &fault, None);
        }
        let (github, name) = (&self.bench.github, &self.bench.name);
        let there = until(async || Ok(scratch::labels(github, issue).await?.contains(name).then_some(())));
        match there.await {
            Ok(Some(((), late))) => self.rows.note(things::LABEL, true, "200, and the issue has it", Some(late)),
            Ok(None) => self.rows.note(things::LABEL, false, "The issue doesn't have it after 8 seconds.", None),
            Err(fault) => self.rows.fault(things::LABEL, &fault, None),
        }
    }

    async fn close(&mut self, issue: u64) {
        let closed = self.bench.github.close(issue).await;
        let shown = self.shows(issue, |thread| thread.closed).await;
        self.state_row(things::CLOSE, closed, shown, "A read shows it closed");
        let opened = self.bench.github.reopen(issue).await;
        let shown = self.shows(issue, |thread| !thread.closed && thread.reopened).await;
        self.state_row(things::REOPEN, opened, shown, "A read shows it open, and reopened");
    }

    fn state_row(&mut self, thing: Thing, asked: Result<(), Fault>, shown: Result<Option<u64>, Fault>, yes: &str) {
        match (asked, shown) {
            (Err(fault), _) | (_, Err(fault)) => self.rows.fault(thing, &fault, None),
            (_, Ok(Some(late))) => self.rows.note(thing, true, yes, Some(late)),
            (_, Ok(None)) => self.rows.note(thing, false, "No read showed it within 8 seconds.", None),
        }
    }

    async fn locked(&mut self, issue: u64) {
        self.made.note(Scratch::Lock);
        if let Err(fault) = scratch::lock(&self.bench.github, issue, true).await {
            return self.rows.differs(
                things::LOCKED,
                fault.to_string(),
                "It couldn't be tried. The bot never locks an issue, so games don't need this.",
                None,
            );
        }
        let late = match self.shows(issue, |thread| thread.locked).await {
            Ok(Some(late)) => late,
            Ok(None) => {
                return self.rows.note(things::LOCKED, false, "No read showed it locked within 8 seconds.", None);
            }
            Err(fault) => return self.rows.fault(things::LOCKED, &fault, None),
        };
        let posted = self.bench.github.answer(issue, REMARK).await;
        let reacted = self.bench.github.react(Source { issue, comment: 0 }, Reaction::Confused).await;
        let (comment, written) = match posted {
            Ok(Posted::Done) => ("taken".to_owned(), true),
            Ok(Posted::Refused(why)) => (format!("refused ({why})"), true),
            Err(fault) => (fault.to_string(), false),
        };
        let reaction = claimed(&reacted);
        let good = written && matches!(reacted, Ok(Claim::Ours | Claim::Taken | Claim::Refused(_)));
        self.rows.note(things::LOCKED, good, format!("Locked; comment: {comment}; reaction: {reaction}"), Some(late));
    }

    /// Reads until the thread is so, and returns the milliseconds that it took to show.
    async fn shows(&self, issue: u64, so: impl Fn(&Thread) -> bool) -> Result<Option<u64>, Fault> {
        let shown = until(async || {
            let threads = self.bench.github.read(&[issue], &[], COMMENTS).await?.threads;
            Ok(threads.get(&issue).is_some_and(&so).then_some(()))
        });
        Ok(shown.await?.map(|((), late)| late))
    }
}

/// Returns the lag of a read in words.
pub(super) fn behind(late: u64) -> String {
    match late {
        0..100 => "The first read shows it".to_owned(),
        _ => format!("It shows {late} ms later"),
    }
}

fn claimed(claim: &Result<Claim, Fault>) -> String {
    match claim {
        Ok(Claim::Ours) => "201".to_owned(),
        Ok(Claim::Taken) => "200".to_owned(),
        Ok(Claim::Gone) => "404".to_owned(),
        Ok(Claim::Refused(why)) => format!("refused ({why})"),
        Err(fault) => fault.to_string(),
    }
}
