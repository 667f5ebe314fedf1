//! The requests of a run as data, and a forge that passes them on.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use protocol::{
    Account, Answer, AnswerOutcome, Change, ClaimOutcome, Comment, CommitOutcome, Cursor, Environment, FileContent,
    Forge, HostError, IssueList, Presence, Reaction, RequestError, Snapshot, Update,
};
use table::{Author, CommentRef, IssueNumber, Oid, Permission, Timestamp, VoteReaction};

use crate::world::{Request, State, content, format_source, numbers, request_of};

/// A request of a run, or a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Read { issues: Vec<IssueNumber>, paths: Vec<String>, comments: usize },
    Files { commit: Oid, paths: Vec<String> },
    Folder { commit: Oid, dir: String },
    FolderTexts { commit: Oid, dir: String },
    Page { issue: IssueNumber, cursor: Cursor, comments: usize },
    Find(CommentRef),
    Account(String),
    Permission(Author),
    List { since: Timestamp, from: Option<Cursor>, count: usize },
    CreateBranch(Oid),
    Commit(Box<Change>),
    Answer(Box<Answer>),
    Update(Update),
    React(CommentRef, Reaction),
    Voters { ballot: CommentRef, reactions: Vec<VoteReaction> },
    Delete(CommentRef),
    Pause(Duration),
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Snapshot(Snapshot),
    Files(BTreeMap<String, FileContent>),
    Names(Vec<String>),
    Page((Vec<Comment>, Option<Cursor>)),
    Presence(Presence),
    List(IssueList),
    Commit(CommitOutcome),
    Answer(AnswerOutcome),
    Account(Account),
    Permission(Option<Permission>),
    Claim(ClaimOutcome),
    Voters(BTreeMap<VoteReaction, Vec<Author>>),
    Done,
}

pub(crate) type Response = Result<Reply, RequestError>;

impl Call {
    /// Returns the kind of the request; `None` for a pause.
    pub(crate) fn kind(&self) -> Option<Request> {
        Some(match self {
            Call::Read { .. } => Request::Read,
            Call::Files { .. } => Request::Files,
            Call::Folder { .. } | Call::FolderTexts { .. } => Request::Folder,
            Call::Page { .. } => Request::Page,
            Call::Find(_) => Request::Exists,
            Call::List { .. } => Request::Sweep,
            Call::CreateBranch(_) => Request::MakeBranch,
            Call::Commit(_) => Request::Commit,
            Call::Account(_) => Request::Account,
            Call::Permission(_) => Request::Permission,
            Call::Answer(_) => Request::Answer,
            Call::Update(update) => request_of(update),
            Call::React(..) => Request::React,
            Call::Voters { .. } => Request::Votes,
            Call::Delete(_) => Request::Delete,
            Call::Pause(_) => return None,
        })
    }

    /// Whether the request changes nothing.
    pub(crate) fn is_read(&self) -> bool {
        self.kind().is_none_or(Request::is_read)
    }

    /// Returns the request's subject, for a trace.
    pub(crate) fn about(&self) -> String {
        match self {
            Call::Read { issues, .. } => format!("{:?}", numbers(issues)),
            Call::Files { paths, .. } => paths.join(", "),
            Call::Folder { dir, .. } | Call::FolderTexts { dir, .. } => dir.clone(),
            Call::Page { issue, .. } => issue.to_string(),
            Call::Account(login) => login.clone(),
            Call::Permission(person) => person.login.clone(),
            Call::Update(update) => update.to_string(),
            Call::Find(source) | Call::Delete(source) | Call::Voters { ballot: source, .. } => format_source(*source),
            Call::List { .. } => String::new(),
            Call::CreateBranch(oid) => oid.to_string(),
            Call::Commit(change) => format!("{:?}", change.headline),
            Call::Answer(answer) => {
                let first_lines: Vec<&str> = answer.body.lines().take(3).collect();
                format!("in {}: {first_lines:?} {:?}", answer.source.issue, answer.updates)
            }
            Call::React(source, reaction) => format!("{} {}", format_source(*source), content(*reaction)),
            Call::Pause(time) => format!("{time:?}"),
        }
    }

    /// Serves a request that changes nothing.
    pub(crate) fn look(&self, state: &State) -> Response {
        Ok(match self {
            Call::Read { issues, paths, comments } => {
                Reply::Snapshot(state.snapshot(&numbers(issues), paths, *comments))
            }
            Call::Files { commit, paths } => Reply::Files(state.read_files(commit.as_str(), paths)),
            Call::Folder { commit, dir } => Reply::Names(state.list_files(commit.as_str(), dir)),
            Call::FolderTexts { commit, dir } => Reply::Files(state.read_folder(commit.as_str(), dir)?),
            Call::Page { issue, cursor, comments } => Reply::Page(state.page(issue.get(), Some(cursor), *comments)),
            Call::Find(source) => Reply::Presence(state.presence(*source)),
            Call::Account(login) => Reply::Account(state.account(login)),
            Call::Permission(person) => Reply::Permission(state.permission(person.id)),
            Call::Voters { ballot, reactions } => Reply::Voters(state.voters(*ballot, reactions)),
            Call::List { since, from, count } => {
                Reply::List(state.issues_updated_since(since.as_millis(), from.as_ref(), *count)?)
            }
            _ => unreachable!("{self:?} changes something"),
        })
    }

    /// Serves any request.
    pub(crate) fn apply(&self, state: &mut State) -> Response {
        Ok(match self {
            Call::CreateBranch(commit) => state.create_branch(commit).map(|()| Reply::Done)?,
            Call::Commit(change) => Reply::Commit(state.commit(change)?),
            Call::Answer(answer) => Reply::Answer(state.apply_answer(answer)),
            Call::Update(update) => match state.apply_update(update) {
                Ok(()) => Reply::Done,
                Err(why) => return Err(RequestError::Fatal(HostError::new(why))),
            },
            Call::React(source, reaction) => Reply::Claim(state.react(*source, content(*reaction))),
            Call::Delete(source) => {
                state.delete(*source);
                Reply::Done
            }
            _ => return self.look(state),
        })
    }
}

/// Answers the requests of a run.
#[async_trait(?Send)]
pub(crate) trait Serve: Environment {
    /// Answers a request.
    async fn ask(&self, call: Call) -> Response;
}

/// A forge that passes each request on.
pub(crate) struct CallForge<T>(pub T);

impl<T: Serve> CallForge<T> {
    async fn change(&self, call: Call) -> Result<(), RequestError> {
        self.0.ask(call).await.map(drop)
    }
}

/// Sends a request, and returns the value in its kind of reply.
macro_rules! ask {
    ($forge:ident, $call:expr => $reply:ident) => {{
        let Reply::$reply(value) = $forge.0.ask($call).await? else {
            unreachable!("each request has one kind of reply")
        };
        Ok(value)
    }};
}

#[async_trait(?Send)]
impl<T: Serve> Forge for CallForge<T> {
    async fn read(&self, issues: &[IssueNumber], paths: &[String], comments: usize) -> Result<Snapshot, RequestError> {
        let call = Call::Read { issues: issues.to_vec(), paths: paths.to_vec(), comments };
        ask!(self, call => Snapshot)
    }

    async fn read_files(&self, commit: &Oid, paths: &[String]) -> Result<BTreeMap<String, FileContent>, RequestError> {
        let call = Call::Files { commit: commit.clone(), paths: paths.to_vec() };
        ask!(self, call => Files)
    }

    async fn list_files(&self, commit: &Oid, dir: &str) -> Result<Vec<String>, RequestError> {
        let call = Call::Folder { commit: commit.clone(), dir: dir.to_owned() };
        ask!(self, call => Names)
    }

    async fn read_folder(&self, commit: &Oid, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        let call = Call::FolderTexts { commit: commit.clone(), dir: dir.to_owned() };
        ask!(self, call => Files)
    }

    async fn comments_before(
        &self,
        issue: IssueNumber,
        cursor: &Cursor,
        comments: usize,
    ) -> Result<(Vec<Comment>, Option<Cursor>), RequestError> {
        let call = Call::Page { issue, cursor: cursor.clone(), comments };
        ask!(self, call => Page)
    }

    async fn find(&self, source: CommentRef) -> Result<Presence, RequestError> {
        ask!(self, Call::Find(source) => Presence)
    }

    async fn issues_updated_since(
        &self,
        since: Timestamp,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError> {
        ask!(self, Call::List { since, from: from.cloned(), count } => List)
    }

    async fn create_branch(&self, commit: &Oid) -> Result<(), RequestError> {
        self.change(Call::CreateBranch(commit.clone())).await
    }

    async fn commit(&self, change: &Change) -> Result<CommitOutcome, RequestError> {
        ask!(self, Call::Commit(Box::new(change.clone())) => Commit)
    }

    async fn answer(&self, answer: &Answer) -> Result<AnswerOutcome, RequestError> {
        ask!(self, Call::Answer(Box::new(answer.clone())) => Answer)
    }

    async fn update(&self, update: &Update) -> Result<(), RequestError> {
        self.change(Call::Update(update.clone())).await
    }

    async fn account(&self, login: &str) -> Result<Account, RequestError> {
        ask!(self, Call::Account(login.to_owned()) => Account)
    }

    async fn permission(&self, person: &Author) -> Result<Option<Permission>, RequestError> {
        ask!(self, Call::Permission(person.clone()) => Permission)
    }

    async fn react(&self, source: CommentRef, reaction: Reaction) -> Result<ClaimOutcome, RequestError> {
        ask!(self, Call::React(source, reaction) => Claim)
    }

    async fn voters(
        &self,
        ballot: CommentRef,
        reactions: &[VoteReaction],
    ) -> Result<BTreeMap<VoteReaction, Vec<Author>>, RequestError> {
        ask!(self, Call::Voters { ballot, reactions: reactions.to_vec() } => Voters)
    }

    async fn delete(&self, source: CommentRef) -> Result<(), RequestError> {
        self.change(Call::Delete(source)).await
    }
}

#[async_trait(?Send)]
impl<T: Serve> Environment for CallForge<T> {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn machine_time(&self) -> Timestamp {
        self.0.machine_time()
    }

    fn entropy(&self) -> Result<[u8; 32], RequestError> {
        self.0.entropy()
    }

    async fn pause(&self, time: Duration) {
        self.0.pause(time).await;
    }
}
