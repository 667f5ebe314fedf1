//! The repository's data, and the effect of each request on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::world::FailingPart;
use crate::{Millis, place};
use protocol::{
    Account, AnswerClaims, Assignee, ClaimOutcome, Comment, Cursor, FileContent, Head, IssueList, Label, Presence,
    Reaction, RequestError, Snapshot, Thread, comments_to_list, shown_permission,
};
use table::{
    Author, CommentId, CommentRef, IssueNumber, Oid, Permission, RepositoryId, Timestamp, UserId, VoteReaction,
};

/// GitHub's limit of comments in an issue.
const FULL: usize = 2500;

/// The ID of a new world's repository.
pub(crate) const FIRST_REPOSITORY: u64 = 700_000_001;

/// A username that nobody has.
pub const MISSING_LOGIN: &str = "nobody-here";

/// GitHub's refusal while interactions are limited.
const INTERACTION_LIMIT: &str = "Interactions on this repository have been restricted to collaborators only.";

/// GitHub's limit of characters in a comment.
const LONGEST: usize = 65_536;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: u64,
    pub login: String,
    pub bot: bool,
    /// GitHub's word for the relation to the repository, which says little in an organization.
    pub association: &'static str,
    pub permission: Permission,
}

impl Person {
    /// Returns an account without any relation to the repository.
    fn stranger(login: &str) -> Person {
        let (login, permission) = (login.to_owned(), Permission::Read);
        Person { id: 0, login, bot: false, association: "NONE", permission }
    }

    /// Makes the person a collaborator who can push.
    pub fn add_as_collaborator(&mut self) {
        (self.association, self.permission) = ("COLLABORATOR", Permission::Write);
    }
}

/// A comment, or the body of an issue (id 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: u64,
    /// The login; `None` once the account is deleted.
    pub author: Option<String>,
    pub text: String,
    pub created: Millis,
    pub edited: Option<Millis>,
    /// The login of the last editor, unless that is the author.
    pub editor: Option<String>,
    pub minimized: bool,
}

/// An issue or a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Empty unless a test needs it.
    pub title: String,
    pub body: Note,
    pub comments: Vec<Note>,
    pub locked: bool,
    pub is_pull_request: bool,
    pub labels: Vec<String>,
    /// The user IDs of the people that it is assigned to.
    pub assignees: BTreeSet<u64>,
    pub closed: bool,
    pub reopened: bool,
    /// When someone last deleted a comment.
    pub last_deletion: Option<Millis>,
    /// When someone last unlocked the issue.
    pub last_unlock: Option<Millis>,
    pub updated: Millis,
}

impl Issue {
    /// Returns an open issue without a title and comments.
    pub fn new(body: Note) -> Issue {
        let updated = body.created;
        Issue {
            title: String::new(),
            body,
            comments: Vec::new(),
            locked: false,
            is_pull_request: false,
            labels: Vec::new(),
            assignees: BTreeSet::new(),
            closed: false,
            reopened: false,
            last_deletion: None,
            last_unlock: None,
            updated,
        }
    }
}

/// A commit with its whole tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub parent: Option<String>,
    pub files: Arc<BTreeMap<String, String>>,
    pub headline: String,
    pub body: String,
}

/// All data of the repository. Tests may set any of it directly.
#[derive(Clone, Debug)]
pub struct State {
    /// The repository's numeric ID, which a copy doesn't share.
    pub repository_id: u64,
    pub now: Millis,
    /// The duration of a request, in milliseconds.
    pub latency: Millis,
    /// The time that passes after an issue, a comment or an edit, in milliseconds.
    pub pace: Millis,
    /// The milliseconds that pass whenever the bot reads the clock, to imitate a busy machine.
    pub lag: Millis,
    /// How far the clock of the machine that runs the bot is ahead, in milliseconds.
    pub machine_ahead: i64,
    /// The total time spent in `pause`, in milliseconds.
    pub paused: Millis,
    pub people: BTreeMap<String, Person>,
    /// The login that the bot runs as.
    pub bot: String,
    /// Shared between copies of the state until one of them changes.
    pub issues: BTreeMap<u64, Arc<Issue>>,
    pub next_comment: u64,
    /// The maximum number of comments in an issue.
    pub full: usize,
    /// The maximum size of the comments in one response, in bytes of JSON.
    pub longest_reply: Option<usize>,
    /// Whether the repository belongs to an organization.
    pub is_of_organization: bool,
    /// Whether only people who can push may interact with the repository. That excludes the bot.
    pub limits_interactions: bool,
    /// The time until a new file can be deleted, in milliseconds. GitHub doesn't know it everywhere at once.
    pub deletion_delay: Millis,
    /// When each file was added to a branch, by path.
    pub added: BTreeMap<String, Millis>,
    /// Whether the token may not ask for people's permissions.
    pub hides_permissions: bool,
    /// The reactions: (comment, user id, content).
    pub reactions: BTreeSet<(CommentRef, u64, String)>,
    pub commits: Arc<BTreeMap<String, Commit>>,
    pub branches: BTreeMap<String, String>,
    /// The repository's labels.
    pub labels: BTreeSet<String>,
    pub default_branch: String,
    /// The state branch, if it is not the default branch.
    pub branch: Option<String>,
    /// Files that GitHub doesn't return as text, by path: `true` if truncated, `false` if binary.
    pub unreadable: BTreeMap<String, bool>,
    pub state_dir: String,
    /// The settings file in the owner's repository `.github`; `None` without such a repository.
    pub shared_settings: Option<String>,
    /// The part that fails in the next answer's request.
    pub failing_part: Option<FailingPart>,
}

/// Returns the name of a reaction in GitHub's REST API.
pub fn content(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::Confused => "confused",
        Reaction::Eyes => "eyes",
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    pub fn new() -> State {
        let bot = Person { id: 41_898_282, bot: true, ..Person::stranger("github-actions") };
        let mut state = State {
            repository_id: FIRST_REPOSITORY,
            now: 1_760_000_000_000,
            latency: 50,
            pace: 1000,
            lag: 0,
            machine_ahead: 0,
            paused: 0,
            bot: bot.login.clone(),
            people: BTreeMap::from([(bot.login.clone(), bot)]),
            issues: BTreeMap::new(),
            next_comment: 5_000_000_001,
            full: FULL,
            longest_reply: None,
            is_of_organization: false,
            hides_permissions: false,
            limits_interactions: false,
            deletion_delay: 0,
            added: BTreeMap::new(),
            reactions: BTreeSet::new(),
            commits: Arc::default(),
            branches: BTreeMap::new(),
            labels: BTreeSet::new(),
            default_branch: "main".to_owned(),
            branch: None,
            unreadable: BTreeMap::new(),
            state_dir: "state".to_owned(),
            shared_settings: None,
            failing_part: None,
        };
        state.land("main", &[("README.md".to_owned(), "Hello.\n".to_owned())], "Begin", "");
        state
    }

    /// Returns the current time, truncated to seconds like GitHub's timestamps. Two comments can have the same one.
    pub fn second(&self) -> Millis {
        self.now / 1000 * 1000
    }

    /// Returns the account with this login. New accounts get the ids 1001, 1002, ...
    pub fn person(&mut self, login: &str) -> &mut Person {
        let id = 1001 + self.people.values().filter(|person| person.id < 1_000_000).count() as u64;
        let bot = login.ends_with("[bot]");
        self.people.entry(login.to_owned()).or_insert(Person { id, bot, ..Person::stranger(login) })
    }

    /// Returns the id of the bot's account.
    pub fn bot_id(&self) -> u64 {
        self.people[&self.bot].id
    }

    /// Returns the name of the state branch.
    pub fn state_branch(&self) -> &str {
        self.branch.as_deref().unwrap_or(&self.default_branch)
    }

    /// Returns the account with a username. Everybody exists, unless the name says otherwise.
    pub fn account(&self, login: &str) -> Account {
        match login {
            MISSING_LOGIN => Account::Missing,
            "octo-org" => Account::Organization,
            _ => Account::Person,
        }
    }

    /// Returns the permission of the person with this user ID; `None` if the token may not ask.
    pub fn permission(&self, id: UserId) -> Option<Permission> {
        let person = self.people.values().find(|person| person.id == id.get());
        (!self.hides_permissions).then(|| person.map_or(Permission::Read, |person| person.permission))
    }

    /// Returns an issue, unless it is missing or a pull request.
    pub fn issue(&self, number: u64) -> Option<&Issue> {
        self.issues.get(&number).map(|issue| &**issue).filter(|issue| !issue.is_pull_request)
    }

    /// Returns a mutable issue or pull request.
    pub fn issue_mut(&mut self, number: u64) -> Option<&mut Issue> {
        self.issues.get_mut(&number).map(Arc::make_mut)
    }

    /// Returns a comment, or an issue's body.
    pub fn note(&self, source: CommentRef) -> Option<&Note> {
        let issue = self.issue(source.issue.get())?;
        if source.is_body() {
            return Some(&issue.body);
        }
        issue.comments.iter().find(|note| note.id == source.comment.get())
    }

    pub fn add_comment(&mut self, number: u64, login: &str, text: &str) -> u64 {
        self.person(login);
        let (id, now) = (self.next_comment, self.second());
        self.next_comment += 1;
        let issue = self.issue_mut(number).expect("the issue exists");
        let (author, text) = (Some(login.to_owned()), text.to_owned());
        issue.comments.push(Note { id, author, text, created: now, edited: None, editor: None, minimized: false });
        issue.updated = now;
        id
    }

    pub fn comment_of(&self, number: u64, note: &Note) -> Comment {
        let person = note.author.as_ref().and_then(|login| self.people.get(login));
        let source = place(number, note.id);
        let has = |kind: &str| self.reactions.contains(&(source, self.bot_id(), kind.to_owned()));
        Comment {
            id: CommentId::new(note.id),
            author: person.map(|p| Author { id: UserId::new(p.id), login: p.login.clone(), is_bot: p.bot }),
            permission: shown_permission(person.map_or("NONE", |p| p.association), !self.is_of_organization),
            by_us: note.author.as_ref() == Some(&self.bot),
            text: note.text.clone(),
            created_at: Timestamp::from_millis(note.created),
            updated_at: Timestamp::from_millis(note.edited.unwrap_or(note.created)),
            edited_by_other: note.editor.is_some(),
            is_minimized: note.minimized,
            claims: AnswerClaims {
                refusal: has("confused"),
                show: has("eyes"),
                votes: VoteReaction::ALL.iter().filter(|vote| has(vote.name())).count(),
            },
        }
    }

    /// Returns the people who added each of these reactions to a comment, except the bot.
    pub fn voters(&self, ballot: CommentRef, reactions: &[VoteReaction]) -> BTreeMap<VoteReaction, Vec<Author>> {
        let author = |id: u64| {
            let person = self.people.values().find(|person| person.id == id)?;
            Some(Author { id: UserId::new(id), login: person.login.clone(), is_bot: person.bot })
        };
        let people = |reaction: &VoteReaction| {
            let added = self
                .reactions
                .iter()
                .filter(|(to, by, what)| *to == ballot && what == reaction.name() && *by != self.bot_id());
            (*reaction, added.filter_map(|(_, by, _)| author(*by)).collect())
        };
        if self.exists(ballot) { reactions.iter().map(people).collect() } else { BTreeMap::new() }
    }

    /// Returns one page of a thread's comments, oldest first, and the cursor of the page before.
    pub fn notes(&self, number: u64, cursor: Option<&Cursor>, count: usize) -> (Vec<&Note>, Option<Cursor>) {
        let Some(issue) = self.issue(number) else { return (Vec::new(), None) };
        let before: u64 = cursor.map_or(u64::MAX, |c| c.0["before:".len()..].parse().expect("a cursor of ours"));
        let notes: Vec<&Note> = issue.comments.iter().filter(|note| note.id < before).collect();
        let page = notes[notes.len().saturating_sub(count)..].to_vec();
        let earlier = if notes.len() > count { Some(Cursor(format!("before:{}", page[0].id))) } else { None };
        (page, earlier)
    }

    pub fn page(&self, number: u64, cursor: Option<&Cursor>, count: usize) -> (Vec<Comment>, Option<Cursor>) {
        let (notes, earlier) = self.notes(number, cursor, count);
        (notes.into_iter().map(|note| self.comment_of(number, note)).collect(), earlier)
    }

    /// Returns `reply`, or [`RequestError::TooLong`] if its comments exceed `longest_reply`.
    pub fn fitting<'a, T>(&self, reply: T, texts: impl Iterator<Item = &'a Comment>) -> Result<T, RequestError> {
        let bytes = |comment: &Comment| serde_json::to_string(&comment.text).map_or(0, |json| json.len());
        match self.longest_reply {
            Some(longest) if texts.map(bytes).sum::<usize>() > longest => {
                Err(RequestError::TooLong(format!("The answer is longer than {longest} bytes.")))
            }
            _ => Ok(reply),
        }
    }

    /// Returns a file at a commit.
    pub fn file_at(&self, oid: &str, path: &str) -> FileContent {
        match (self.unreadable.get(path), self.commits[oid].files.get(path)) {
            (_, None) => FileContent::Missing,
            (None, Some(text)) => FileContent::Text(text.clone()),
            (Some(true), _) => FileContent::Unreadable(format!("{path} is cut short")),
            (Some(false), _) => FileContent::Unreadable(format!("{path} is binary")),
        }
    }

    pub fn snapshot(&self, numbers: &[u64], paths: &[String], count: usize) -> Snapshot {
        let oid = |branch: &str| self.branches.get(branch).map(|oid| Oid::parse(oid).expect("an oid"));
        let head = match oid(self.state_branch()) {
            Some(oid) => Head::Commit(oid),
            None => Head::Missing { create_from: oid(&self.default_branch) },
        };
        let thread = |number: u64| Some(self.thread(number, self.issue(number)?, count));
        let threads = numbers.iter().filter_map(|&number| Some((IssueNumber::new(number), thread(number)?))).collect();
        let files = match &head {
            Head::Commit(oid) => self.read_files(oid.as_str(), paths),
            Head::Missing { .. } => BTreeMap::new(),
        };
        // GraphQL issue numbers are 32-bit integers.
        let has_many = numbers.iter().filter(|number| i32::try_from(**number).is_ok()).count() > 1;
        let newest = if has_many { self.newest() } else { BTreeMap::new() };
        let repository = Some(RepositoryId::new(self.repository_id));
        Snapshot { repository, head, threads, files, newest_comments: newest, settings: self.settings_file() }
    }

    /// Returns an issue with its newest comments.
    fn thread(&self, number: u64, issue: &Issue, count: usize) -> Thread {
        let (comments, earlier) = self.page(number, None, count);
        Thread {
            is_locked: issue.locked,
            is_closed: issue.closed,
            was_reopened: issue.reopened,
            labels: issue.labels.clone(),
            has_label: issue.labels.iter().any(|label| label == Label::Game.name()),
            has_open_seat_label: issue.labels.iter().any(|label| label == Label::OpenSeat.name()),
            assignees: self.assignees(issue),
            title: issue.title.clone(),
            comment_count: issue.comments.len() as u64,
            body: self.comment_of(number, &issue.body),
            comments,
            last_deletion: issue.last_deletion.map(Timestamp::from_millis),
            last_unlock: issue.last_unlock.map(Timestamp::from_millis),
            earlier_cursor: earlier,
        }
    }

    fn assignees(&self, issue: &Issue) -> Vec<Assignee> {
        let people = self.people.values().filter(|person| issue.assignees.contains(&person.id));
        people.map(|person| Assignee { id: UserId::new(person.id), login: person.login.clone() }).collect()
    }

    pub fn read_files(&self, oid: &str, paths: &[String]) -> BTreeMap<String, FileContent> {
        paths.iter().map(|path| (path.clone(), self.file_at(oid, path))).collect()
    }

    /// Returns the first three comments of each of the five newest issues.
    fn newest(&self) -> BTreeMap<IssueNumber, Vec<Comment>> {
        let issues = self.issues.iter().rev().filter(|(_, issue)| !issue.is_pull_request).take(5);
        let first = |number: u64, issue: &Issue| {
            issue.comments.iter().take(3).map(|note| self.comment_of(number, note)).collect()
        };
        issues.map(|(number, issue)| (IssueNumber::new(*number), first(*number, issue))).collect()
    }

    pub fn presence(&self, source: CommentRef) -> Presence {
        if self.exists(source) { Presence::Present } else { Presence::Absent }
    }

    pub fn exists(&self, source: CommentRef) -> bool {
        self.note(source).is_some()
    }

    /// Returns a page of the issues updated since a time, least recently updated first, without pull requests, and the cursor
    /// of the next page.
    pub fn updated_page(
        &self,
        since: Millis,
        from: Option<&Cursor>,
        count: usize,
    ) -> (Vec<(u64, &Issue)>, Option<Cursor>) {
        let wanted = |issue: &Issue| !issue.is_pull_request && issue.updated >= since / 1000 * 1000;
        let mut found: Vec<_> = self.issues.iter().filter(|(_, issue)| wanted(issue)).collect();
        found.sort_by_key(|&(number, issue)| (issue.updated, *number));
        let start: usize = from.map_or(0, |cursor| cursor.0.parse().expect("a cursor of ours"));
        let page: Vec<_> = found.iter().skip(start).take(count).map(|(number, issue)| (**number, &***issue)).collect();
        let end = start + page.len();
        (page, (end < found.len()).then(|| Cursor(end.to_string())))
    }

    /// Returns the names of the files directly in a directory, at the head of a branch.
    pub fn names_in(&self, branch: &str, dir: &str) -> Vec<String> {
        self.branches.get(branch).map(|head| self.list_files(head, dir)).unwrap_or_default()
    }

    /// Returns the names of the files in a folder at a commit.
    pub fn list_files(&self, oid: &str, dir: &str) -> Vec<String> {
        let names = self.commits[oid].files.keys().filter_map(|path| path.strip_prefix(dir)?.strip_prefix('/'));
        names.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }

    /// Returns the contents of the files in a folder at a commit, by name.
    ///
    /// # Errors
    /// Returns an error if the texts exceed `longest_reply`.
    pub fn read_folder(&self, oid: &str, dir: &str) -> Result<BTreeMap<String, FileContent>, RequestError> {
        let names = self.list_files(oid, dir).into_iter();
        let files: BTreeMap<_, _> =
            names.map(|name| (name.clone(), self.file_at(oid, &format!("{dir}/{name}")))).collect();
        let bytes: usize = files.values().filter_map(FileContent::text).map(str::len).sum();
        match self.longest_reply {
            Some(longest) if bytes > longest => {
                Err(RequestError::TooLong(format!("The answer is longer than {longest} bytes.")))
            }
            _ => Ok(files),
        }
    }

    pub fn issues_updated_since(
        &self,
        since: Millis,
        from: Option<&Cursor>,
        count: usize,
    ) -> Result<IssueList, RequestError> {
        let (page, next) = self.updated_page(since, from, count);
        let listed = |(number, issue): (u64, &Issue)| {
            let mut thread = self.thread(number, issue, comments_to_list(count));
            (thread.assignees, thread.last_deletion) = (Vec::new(), None);
            for comment in thread.comments.iter_mut().chain([&mut thread.body]) {
                comment.claims = AnswerClaims::default();
            }
            (IssueNumber::new(number), thread)
        };
        let issues: Vec<(IssueNumber, Thread)> =
            page.into_iter().filter(|(_, issue)| !issue.locked).map(listed).collect();
        let texts = issues.iter().flat_map(|(_, thread)| thread.all_comments());
        let bytes: usize = texts.map(|comment| comment.text.len()).sum();
        if let Some(longest) = self.longest_reply.filter(|longest| bytes > *longest) {
            return Err(RequestError::TooLong(format!("The answer is longer than {longest} bytes.")));
        }
        let is_first = from.is_none();
        let records = if is_first { self.names_in(self.state_branch(), &self.state_dir) } else { Vec::new() };
        let records = records.into_iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
        Ok(IssueList { issues, next, records })
    }

    /// Posts a comment of the bot.
    ///
    /// # Errors
    /// Returns GitHub's message if the issue takes no comment.
    pub fn post_comment(&mut self, number: u64, body: &str) -> Result<(), String> {
        let refusal = match self.issues.get(&number) {
            None => "Not Found",
            Some(issue) if issue.locked => "Unable to create comment because issue is locked.",
            Some(_) if self.limits_interactions => INTERACTION_LIMIT,
            Some(issue) if issue.comments.len() >= self.full => {
                "Commenting is disabled on issues with more than 2500 comments"
            }
            Some(_) if body.chars().count() > LONGEST => "Body is too long (maximum is 65536 characters)",
            Some(_) => {
                let bot = self.bot.clone();
                self.add_comment(number, &bot, body);
                return Ok(());
            }
        };
        Err(refusal.to_owned())
    }

    pub fn react(&mut self, source: CommentRef, content: &str) -> ClaimOutcome {
        if !self.exists(source) {
            return ClaimOutcome::Gone;
        }
        if self.issues[&source.issue.get()].locked {
            return ClaimOutcome::Refused("Unable to create reaction because issue is locked.".to_owned());
        }
        if self.limits_interactions {
            return ClaimOutcome::Refused(INTERACTION_LIMIT.to_owned());
        }
        let is_new = self.reactions.insert((source, self.bot_id(), content.to_owned()));
        if is_new { ClaimOutcome::Ours } else { ClaimOutcome::Taken }
    }

    pub fn delete(&mut self, source: CommentRef) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(source.issue.get()) {
            issue.comments.retain(|note| note.id != source.comment.get());
            (issue.last_deletion, issue.updated) = (Some(now), now);
        }
        self.reactions.retain(|(reacted_to, _, _)| *reacted_to != source);
    }

    /// Locks or unlocks the conversation of an issue.
    pub fn set_locked(&mut self, number: u64, locked: bool) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number).filter(|issue| issue.locked != locked) {
            (issue.locked, issue.updated) = (locked, now);
            issue.last_unlock = if locked { issue.last_unlock } else { Some(now) };
        }
    }

    pub fn close(&mut self, number: u64) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number) {
            issue.closed = true;
            issue.updated = now;
        }
    }

    pub fn reopen(&mut self, number: u64) {
        let now = self.second();
        if let Some(issue) = self.issue_mut(number).filter(|issue| issue.closed) {
            (issue.closed, issue.reopened, issue.updated) = (false, true, now);
        }
    }

    /// Returns a stale copy, without the `n` newest comments of each thread.
    pub fn without_newest(&self, n: usize) -> State {
        let mut old = self.clone();
        for issue in old.issues.values_mut().map(Arc::make_mut) {
            issue.comments.truncate(issue.comments.len().saturating_sub(n));
        }
        old
    }

    /// Returns a stale copy, without the `n` newest commits of the state branch.
    pub fn with_old_head(&self, n: usize) -> State {
        let mut old = self.clone();
        let branch = self.state_branch().to_owned();
        for _ in 0..n {
            let parent = old.branches.get(&branch).and_then(|oid| old.commits[oid].parent.clone());
            if let Some(parent) = parent {
                old.branches.insert(branch.clone(), parent);
            }
        }
        old
    }
}
