//! GitHub in memory: one repository as plain data, with scripted faults.
//!
//! A test posts comments (`world.comment(1, "alice", "/move b2")`), scripts faults (`world.after(Request::Read,
//! |w| w.race())`), runs the bot over `&world`, and inspects the data afterwards.

mod answers;
mod commits;
mod state;
mod talk;

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use async_trait::async_trait;
use protocol::{
    Account, Answer, AnswerOutcome, Change, ClaimOutcome, Comment, CommitOutcome, Cursor, Environment, FileContent,
    Forge, HostError, IssueList, Presence, Reaction, RequestError, Snapshot, Update,
};
use table::{Author, CommentRef, IssueNumber, Oid, Permission, Timestamp, VoteReaction};

pub use answers::answer_alone;
pub(crate) use state::FIRST_REPOSITORY;
pub use state::{Commit, Issue, MISSING_LOGIN, Note, Person, State, content};
pub use talk::default_config;

/// A kind of request: one for each method of [`Forge`] that calls the host, and those that only the live test makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Request {
    Read,
    Files,
    Folder,
    Page,
    Exists,
    Account,
    Permission,
    Votes,
    Sweep,
    MakeBranch,
    Commit,
    Answer,
    React,
    Delete,
    Label,
    Unlabel,
    Title,
    Assign,
    Unassign,
    Close,
    Reopen,
    /// A read of the repository's settings, or of anything else that only the doctor and the live test ask for.
    Settings,
    OpenIssue,
    DeleteBranch,
    /// Any kind, for scripting and counting.
    Any,
}

impl Request {
    /// Whether the request changes nothing.
    pub fn is_read(self) -> bool {
        use Request::{Account, Exists, Files, Folder, Page, Permission, Read, Settings, Sweep, Votes};
        matches!(self, Read | Files | Folder | Page | Exists | Account | Permission | Sweep | Settings | Votes)
    }
}

/// A logged request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub request: Request,
    /// The request's subject: `1, 2`, `1#5000000001 rocket` or a commit's headline.
    pub about: String,
    /// Why it failed, if it did.
    pub error: Option<RequestError>,
}

/// A part of an answer's request that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailingPart {
    /// The part: 0 is the comment, 1 the first update.
    pub part: usize,
    /// Whether GitHub runs the parts after it.
    pub runs_rest: bool,
}

/// A fault to inject into a request.
#[derive(Clone)]
pub enum RequestFault {
    /// The response is lost, after the request was applied or before.
    Lost { applied: bool },
    /// The run is killed at this request: its future never completes. See [`run`].
    Killed { applied: bool },
    /// A rate limit: the host asks to retry after this time.
    RetryAfter(Duration),
    /// A permanent error with this message.
    Fatal(&'static str),
    /// A part of an answer's request fails alone.
    PartFails(FailingPart),
    /// A stale read that lacks this many of the newest comments of each thread.
    LacksComments(usize),
    /// A stale read that shows the branch as it was this many commits ago.
    OldHead(usize),
    /// A stale read from this earlier copy. See [`World::save`].
    Copy(Box<State>),
}

enum Step {
    Before(Box<dyn FnOnce(&World) + Send>),
    After(Box<dyn FnOnce(&World) + Send>),
    Fail(RequestFault),
}

/// A scripted step, due at the `nth` request of its kind from now on (1 is the next one).
struct Hook {
    kind: Request,
    nth: usize,
    step: Step,
}

/// GitHub in memory, with a single repository.
pub struct World {
    state: Mutex<State>,
    hooks: Mutex<Vec<Hook>>,
    log: Mutex<Vec<Entry>>,
    yields: AtomicBool,
    logs: AtomicBool,
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// Returns a repository with a single commit on `main` and nothing else.
    pub fn new() -> World {
        World {
            state: Mutex::new(State::new()),
            hooks: Mutex::default(),
            log: Mutex::default(),
            yields: AtomicBool::new(false),
            logs: AtomicBool::new(true),
        }
    }

    /// Calls `f` with the data, and returns its result.
    pub fn with_state<T>(&self, f: impl FnOnce(&State) -> T) -> T {
        f(&self.state.lock().unwrap())
    }

    /// Calls `f` with the data to change, and returns its result.
    pub fn change<T>(&self, f: impl FnOnce(&mut State) -> T) -> T {
        f(&mut self.state.lock().unwrap())
    }

    /// Returns a copy of the current state, to serve a stale read from later.
    pub fn save(&self) -> RequestFault {
        RequestFault::Copy(Box::new(self.with_state(State::clone)))
    }

    /// Runs `f` right before the next request of this kind.
    pub fn before(&self, kind: Request, f: impl FnOnce(&World) + Send + 'static) {
        self.before_nth(kind, 1, f);
    }

    /// Runs `f` right before the nth request of this kind from now on.
    pub fn before_nth(&self, kind: Request, nth: usize, f: impl FnOnce(&World) + Send + 'static) {
        self.script(kind, nth, Step::Before(Box::new(f)));
    }

    /// Runs `f` after the next request of this kind was applied, before its response arrives.
    pub fn after(&self, kind: Request, f: impl FnOnce(&World) + Send + 'static) {
        self.after_nth(kind, 1, f);
    }

    /// Runs `f` after the nth request of this kind from now on was applied, before its response arrives.
    pub fn after_nth(&self, kind: Request, nth: usize, f: impl FnOnce(&World) + Send + 'static) {
        self.script(kind, nth, Step::After(Box::new(f)));
    }

    /// Injects a fault into the next request of this kind.
    pub fn fail(&self, kind: Request, fault: RequestFault) {
        self.fail_nth(kind, 1, fault);
    }

    /// Injects a fault into the nth request of this kind from now on.
    pub fn fail_nth(&self, kind: Request, nth: usize, fault: RequestFault) {
        self.script(kind, nth, Step::Fail(fault));
    }

    fn script(&self, kind: Request, nth: usize, step: Step) {
        assert!(nth > 0, "requests are counted from 1");
        self.hooks.lock().unwrap().push(Hook { kind, nth, step });
    }

    /// Returns the number of scripted steps that haven't run yet. A test that scripts steps should end with 0.
    pub fn pending(&self) -> usize {
        self.hooks.lock().unwrap().len()
    }

    /// Drops every scripted step that hasn't run yet.
    pub fn calm(&self) {
        self.hooks.lock().unwrap().clear();
    }

    /// Makes every request yield to other futures first, for tests that run several bots at once.
    pub fn interleave(&self) {
        self.yields.store(true, Ordering::Relaxed);
    }

    /// Logs requests from now on, or not, for a test that makes too many of them.
    pub fn set_logging(&self, logs: bool) {
        self.logs.store(logs, Ordering::Relaxed);
    }

    /// Returns every request so far.
    pub fn log(&self) -> Vec<Entry> {
        self.log.lock().unwrap().clone()
    }

    /// Clears the log of requests.
    pub fn clear_log(&self) {
        self.log.lock().unwrap().clear();
    }

    /// Returns the number of requests of this kind (`Any`: of all kinds) so far.
    pub fn count(&self, kind: Request) -> usize {
        self.log.lock().unwrap().iter().filter(|entry| kind == Request::Any || entry.request == kind).count()
    }

    /// Removes and returns the steps that are due at this request, in the order they were scripted.
    fn due(&self, request: Request) -> Vec<Step> {
        let mut hooks = self.hooks.lock().unwrap();
        let mut due = Vec::new();
        for mut hook in std::mem::take(&mut *hooks) {
            if hook.kind == request || hook.kind == Request::Any {
                hook.nth -= 1;
            }
            if hook.nth == 0 { due.push(hook.step) } else { hooks.push(hook) }
        }
        due
    }

    /// Serves and logs one request, with the scripted steps around it. For a stale read `serve` gets an old copy of the data.
    ///
    /// # Errors
    /// Returns an error if `serve` does, or if a step injects a fault.
    pub async fn serve<T>(
        &self,
        request: Request,
        about: String,
        serve: impl FnOnce(&mut State) -> Result<T, RequestError>,
    ) -> Result<T, RequestError> {
        if self.yields.load(Ordering::Relaxed) {
            yield_once().await;
        }
        let (mut before, mut after, mut fault) = (Vec::new(), Vec::new(), None);
        for step in self.due(request) {
            match step {
                Step::Before(f) => before.push(f),
                Step::After(f) => after.push(f),
                Step::Fail(injected) => fault = Some(injected),
            }
        }
        before.into_iter().for_each(|f| f(self));
        self.change(|state| state.now += state.latency);
        let mut dies = false;
        let result = match fault {
            None => self.change(serve),
            Some(RequestFault::Lost { applied }) => {
                if applied {
                    _ = self.change(serve);
                }
                Err(RequestError::Lost("The connection broke.".to_owned()))
            }
            Some(RequestFault::Killed { applied }) => {
                if applied {
                    _ = self.change(serve);
                }
                dies = true;
                Err(RequestError::Lost("no answer".to_owned()))
            }
            Some(RequestFault::RetryAfter(time)) => {
                Err(RequestError::RetryAfter(time, "The host asks to wait.".to_owned()))
            }
            Some(RequestFault::PartFails(part)) => {
                self.change(|state| state.failing_part = Some(part));
                self.change(serve)
            }
            Some(RequestFault::Fatal(why)) => Err(RequestError::Fatal(HostError::new(why))),
            Some(RequestFault::LacksComments(n)) => serve(&mut self.with_state(|state| state.without_newest(n))),
            Some(RequestFault::OldHead(n)) => serve(&mut self.with_state(|state| state.with_old_head(n))),
            Some(RequestFault::Copy(mut copy)) => serve(&mut copy),
        };
        after.into_iter().for_each(|f| f(self));
        if self.logs.load(Ordering::Relaxed) {
            let error = result.as_ref().err().cloned();
            self.log.lock().unwrap().push(Entry { request, about, error });
        }
        if dies {
            std::future::pending::<()>().await;
        }
        result
    }
}

/// Returns the kind of request that makes an update alone.
pub fn request_of(update: &Update) -> Request {
    match update {
        Update::Rocket(_) | Update::Vote(..) => Request::React,
        Update::Label(..) => Request::Label,
        Update::Unlabel(..) => Request::Unlabel,
        Update::Title(..) => Request::Title,
        Update::Assign(..) => Request::Assign,
        Update::Unassign(..) => Request::Unassign,
        // It always comes with an answer.
        Update::Minimize(_) => Request::Answer,
        Update::Close(_) => Request::Close,
        Update::Reopen(_) => Request::Reopen,
    }
}

/// Returns issues as plain numbers.
pub fn numbers(issues: &[IssueNumber]) -> Vec<u64> {
    issues.iter().map(|issue| issue.get()).collect()
}

/// Returns the place of a comment for a log, such as `1#5000000001`.
pub fn format_source(source: CommentRef) -> String {
    format!("{}#{}", source.issue, source.comment)
}

#[async_trait(?Send)]
impl Forge for World {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, RequestError> {
        let issues = numbers(issues);
        let about = issues.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let read = |state: &mut State| {
            let snapshot = state.snapshot(&issues, paths, comments);
            let texts = snapshot.threads.values().flat_map(|thread| thread.comments.clone()).collect::<Vec<_>>();
            state.fitting(snapshot, texts.iter())
        };
        self.serve(Request::Read, about, read).await
    }

    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError> {
        self.serve(Request::Files, paths.join(", "), |state| Ok(state.read_files(at.as_str(), paths))).await
    }

    async fn list_files(&self, at: &Oid, dir: &str) -> Result<Vec<String>, RequestError> {
        self.serve(Request::Folder, dir.to_owned(), |state| Ok(state.list_files(at.as_str(), dir))).await
    }

    async fn read_folder(&self, at: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        self.serve(Request::Folder, dir.to_owned(), |state| state.read_folder(at.as_str(), dir)).await
    }

    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        let page = |state: &mut State| {
            let page = state.page(issue.get(), Some(cursor), comments);
            state.fitting(page.clone(), page.0.iter())
        };
        self.serve(Request::Page, format!("{issue} {}", cursor.0), page).await
    }

    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError> {
        self.serve(Request::Exists, format_source(source), |state| Ok(state.presence(source))).await
    }

    async fn account(&self, login: &str) -> Result<Account, RequestError> {
        self.serve(Request::Account, login.to_owned(), |state| Ok(state.account(login))).await
    }

    async fn permission(&self, person: &Author) -> Result<Option<Permission>, RequestError> {
        self.serve(Request::Permission, person.login.clone(), |state| Ok(state.permission(person.id))).await
    }

    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError> {
        let list = |state: &mut State| state.issues_updated_since(since.as_millis(), from, count);
        self.serve(Request::Sweep, since.as_millis().to_string(), list).await
    }

    async fn create_branch(&self, at: &Oid) -> Result<(), RequestError> {
        self.serve(Request::MakeBranch, at.to_string(), |state| state.create_branch(at)).await
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError> {
        self.serve(Request::Commit, change.headline.clone(), |state| state.commit(change)).await
    }

    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        let about = answer.source.issue.to_string();
        self.serve(Request::Answer, about, |state| Ok(state.apply_answer(answer))).await
    }

    async fn update(&self, update: &Update) -> Result<(), RequestError> {
        let about = format!("{update:?}");
        self.serve(request_of(update), about, |state| {
            state.apply_update(update).map_err(|why| RequestError::Fatal(HostError::new(why)))
        })
        .await
    }

    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError> {
        let about = format!("{} {}", format_source(source), content(reaction));
        self.serve(Request::React, about, |state| Ok(state.react(source, content(reaction)))).await
    }

    async fn voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        self.serve(Request::Votes, format_source(ballot), |state| Ok(state.voters(ballot, reactions))).await
    }

    async fn delete(&self, source: CommentRef) -> Result<(), RequestError> {
        self.serve(Request::Delete, format_source(source), |state| {
            state.delete(source);
            Ok(())
        })
        .await
    }
}

#[async_trait(?Send)]
impl Environment for World {
    fn now(&self) -> Timestamp {
        self.change(|state| {
            state.now += state.lag;
            Timestamp::from_millis(state.now)
        })
    }

    fn elapsed(&self) -> Duration {
        self.now().since(Timestamp::EPOCH)
    }

    fn machine_time(&self) -> Timestamp {
        self.with_state(|state| Timestamp::from_millis(state.now.saturating_add_signed(state.machine_ahead)))
    }

    /// Depends only on the number of commits, so that transcripts are reproducible.
    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        let commits = self.with_state(|state| state.commits.len());
        Ok([commits as u8; 32])
    }

    async fn pause(&self, time: Duration) {
        let time = u64::try_from(time.as_millis()).unwrap();
        self.change(|state| {
            state.now += time;
            state.paused += time;
        });
        if self.yields.load(Ordering::Relaxed) {
            yield_once().await;
        }
    }
}

/// Polls a future to completion. Returns `None` if it is pending and nothing will wake it, as after [`RequestFault::Killed`].
pub fn run<T>(future: impl Future<Output = T>) -> Option<T> {
    let woken = std::sync::Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut future = pin!(future);
    while woken.0.swap(false, Ordering::Relaxed) {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
    }
    None
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn yield_once() {
    let mut first = true;
    poll_fn(|cx| {
        if std::mem::take(&mut first) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}
