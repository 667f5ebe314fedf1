//! The forge of one run, which sends its requests through the event queue.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use crate::Millis;
use async_trait::async_trait;
use protocol::{
    Account, Answer, AnswerOutcome, Change, ClaimOutcome, Comment, CommitOutcome, Cursor, Environment, Fault,
    FileContent, Forge, Head, HostProblem, IssueList, Presence, Reaction, Snapshot, Update,
};
use table::{Author, CommentRef, IssueNumber, Oid, Permission, Timestamp};

use crate::simulator::core::{Scheduled, Slot};
use crate::simulator::{Core, live_checks};
use crate::world::{Request, State, content, format_source, numbers, request_of};

/// The forge of one run.
pub(crate) struct SimulatedForge {
    core: Rc<RefCell<Core>>,
    run: u32,
    /// How far this machine's clock is ahead, in milliseconds.
    clock: i64,
    /// Whether a reply has told the time.
    knows_time: Cell<bool>,
}

impl SimulatedForge {
    pub(crate) fn new(core: &Rc<RefCell<Core>>, run: u32) -> SimulatedForge {
        let clock = core.borrow().clock;
        SimulatedForge { core: core.clone(), run, clock, knows_time: Cell::new(false) }
    }

    async fn ask<T: Debug + 'static>(
        &self,
        request: Request,
        about: impl Fn() -> String + 'static,
        serve: impl FnOnce(&mut Core, Option<State>) -> Result<T, Fault> + 'static,
    ) -> Result<T, Fault> {
        let slot: Slot<T> = Slot::default();
        self.core.borrow_mut().send(self.run, request, about, &slot, serve);
        let reply = poll_fn(|_| slot.borrow_mut().take().map_or(Poll::Pending, Poll::Ready)).await;
        if !matches!(reply, Err(Fault::Lost(_))) {
            self.knows_time.set(true);
        }
        reply
    }

    /// Sends a read.
    async fn query<T: Debug + 'static>(
        &self,
        request: Request,
        about: impl Fn() -> String + 'static,
        read: impl FnOnce(&State) -> T + 'static,
    ) -> Result<T, Fault> {
        self.ask(request, about, move |core, copy| Ok(read(copy.as_ref().unwrap_or(&core.state)))).await
    }

    /// Sends a write, which fails if the token lacks its permissions.
    async fn change<T: Debug + 'static>(
        &self,
        request: Request,
        about: impl Fn() -> String + 'static,
        change: impl FnOnce(&mut Core) -> T + 'static,
    ) -> Result<T, Fault> {
        let change = move |core: &mut Core, _: Option<State>| {
            if core.forbidden {
                return Err(Fault::Fatal(HostProblem::new("Resource not accessible by integration")));
            }
            Ok(change(core))
        };
        self.ask(request, about, change).await
    }
}

#[async_trait(?Send)]
impl Forge for SimulatedForge {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, Fault> {
        let (run, issues, paths) = (self.run, numbers(issues), paths.to_vec());
        let asked = issues.clone();
        let about = move || format!("{asked:?}");
        let read = move |core: &mut Core, copy: Option<State>| {
            let snapshot = copy.as_ref().unwrap_or(&core.state).snapshot(&issues, &paths, comments.min(core.page));
            let head = match &snapshot.head {
                Head::Commit(oid) => Some(oid.clone()),
                Head::Missing { .. } => None,
            };
            let texts: Vec<Comment> = snapshot.threads.values().flat_map(|thread| thread.comments.clone()).collect();
            let snapshot = core.state.fitting(snapshot, texts.iter())?;
            core.has_read(run, head);
            Ok(snapshot)
        };
        self.ask(Request::Read, about, read).await
    }

    async fn read_files(&self, at: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, Fault> {
        let (at, paths) = (at.clone(), paths.to_vec());
        let about = paths.clone();
        self.query(Request::Files, move || about.join(", "), move |state| state.read_files(at.as_str(), &paths)).await
    }

    async fn list_files(&self, at: &Oid, dir: &str) -> Result<Vec<String>, Fault> {
        let (at, dir) = (at.clone(), dir.to_owned());
        let about = dir.clone();
        self.query(Request::Folder, move || about.clone(), move |state| state.list_files(at.as_str(), &dir)).await
    }

    async fn read_folder(&self, at: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, Fault> {
        let (at, dir) = (at.clone(), dir.to_owned());
        let about = dir.clone();
        self.query(Request::Folder, move || about.clone(), move |state| state.read_folder(at.as_str(), &dir)).await?
    }

    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), Fault> {
        let (cursor, page) = (cursor.clone(), comments.min(self.core.borrow().page));
        // Pages are never stale: the simulator doesn't cover comments that are missing between two pages.
        let read = move |core: &mut Core, _: Option<State>| Ok(core.state.page(issue.get(), Some(&cursor), page));
        self.ask(Request::Page, move || issue.to_string(), read).await
    }

    async fn find(&self, source: CommentRef) -> Result<Presence, Fault> {
        self.query(Request::Exists, move || format_source(source), move |state| state.presence(source)).await
    }

    async fn account(&self, login: &str) -> Result<Account, Fault> {
        let (login, about) = (login.to_owned(), login.to_owned());
        self.query(Request::Account, move || about.clone(), move |state| state.account(&login)).await
    }

    async fn permission(&self, person: &Author) -> Result<Option<Permission>, Fault> {
        let (id, login) = (person.id, person.login.clone());
        self.query(Request::Permission, move || login.clone(), move |state| state.permission(id)).await
    }

    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, Fault> {
        let from = from.cloned();
        let list = move |state: &State| state.issues_updated_since(since.as_millis(), from.as_ref(), count);
        self.query(Request::Sweep, String::new, list).await?
    }

    async fn create_branch(&self, at: &Oid) -> Result<(), Fault> {
        let (at, about) = (at.clone(), at.clone());
        self.change(Request::MakeBranch, move || about.to_string(), move |core| core.state.create_branch(&at)).await?
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, Fault> {
        let (run, change) = (self.run, change.clone());
        let headline = change.headline.clone();
        let about = move || format!("{headline:?}");
        let entropy = self.core.borrow().last_entropy(run);
        self.ask(Request::Commit, about, move |core, _| core.commit(run, &change, entropy)).await
    }

    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, Fault> {
        let (run, answer) = (self.run, answer.clone());
        let text = answer.clone();
        let about = move || {
            let first_lines: Vec<&str> = text.body.lines().take(3).collect();
            format!("in {}: {first_lines:?} {:?}", text.source.issue, text.updates)
        };
        self.change(Request::Answer, about, move |core| live_checks::post_answer(core, run, &answer)).await
    }

    async fn update(&self, update: &Update) -> Result<(), Fault> {
        let (kind, update) = (request_of(update), update.clone());
        let text = format!("{update:?}");
        let made = self.change(kind, move || text.clone(), move |core| core.state.apply_update(&update)).await?;
        made.map_err(|why| Fault::Fatal(HostProblem::new(why)))
    }

    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, Fault> {
        let run = self.run;
        let about = move || format!("{} {}", format_source(source), content(reaction));
        let react = move |core: &mut Core| {
            let claim = core.state.react(source, content(reaction));
            if let ClaimOutcome::Refused(_) = &claim {
                core.ledger.refused.insert(source);
            }
            if reaction == Reaction::Eyes {
                *core.ledger.shown.entry(run).or_default() += 1;
            }
            if claim == ClaimOutcome::Ours {
                core.ledger.claims.entry(source).or_insert(core.now);
            }
            claim
        };
        self.change(Request::React, about, react).await
    }

    async fn delete(&self, source: CommentRef) -> Result<(), Fault> {
        let run = self.run;
        let delete = move |core: &mut Core| {
            live_checks::check_deletion(core, run, source);
            core.state.delete(source);
        };
        self.change(Request::Delete, move || format_source(source), delete).await
    }
}

#[async_trait(?Send)]
impl Environment for SimulatedForge {
    fn now(&self) -> Timestamp {
        if !self.knows_time.get() {
            return self.machine_time();
        }
        Timestamp::from_millis(self.core.borrow().now)
    }

    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.core.borrow().now)
    }

    fn machine_time(&self) -> Timestamp {
        Timestamp::from_millis(self.core.borrow().now.saturating_add_signed(self.clock))
    }

    fn entropy(&self) -> Result<[u8; 32], Fault> {
        Ok(self.core.borrow_mut().entropy_for(self.run))
    }

    async fn pause(&self, time: Duration) {
        let slot: Slot<()> = Slot::default();
        {
            let mut core = self.core.borrow_mut();
            let until = core.now + Millis::try_from(time.as_millis()).expect("a short pause");
            let wake = slot.clone();
            core.push(until, Scheduled::Change(Box::new(move |_| *wake.borrow_mut() = Some(Ok(())))));
            core.push(until, Scheduled::Poll(self.run));
        }
        poll_fn(|_| slot.borrow_mut().take().map_or(Poll::Pending, |_| Poll::Ready(()))).await;
    }
}
