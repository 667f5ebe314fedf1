//! Carries out `/away`: one commit with the person's file and the summaries of all their games.

use answers::{announce, status};
use table::{
    Author, AwayFile, AwayRequest, Command, CommentContext, CommentRef, GameSummary, InvalidFile, IssueNumber,
    ParsedComment, Refusal, StatePath, Timestamp, UserId, parse_comment,
};
use tracing::info;

use crate::comment_context::counts_as_written;
use crate::commit_files::read_away_files;
use crate::ledger::PassError;
use crate::own_games_query::GamesInProgress;
use crate::reader::{RepoState, ThreadState};
use crate::settle::Run;
use crate::{Change, CommitOutcome, HostNote};

/// The outcome of [`Run::check_time_away`].
pub(super) enum AwayCheck {
    /// The table knows when its players are away.
    Complete,
    /// It didn't, so the run has to decide again.
    Restored,
    /// The file of this person can't be read.
    Damaged(UserId),
}

/// The answer to a request for time away.
pub(super) struct AwayAnswer {
    /// The Markdown.
    pub(super) text: String,
    /// Whether the person's file includes the request.
    pub(super) is_confirmed: bool,
    /// Whether this run changed the file.
    pub(super) has_changed: bool,
}

impl Run<'_> {
    /// Carries out a person's request for time away. Returns the answer; `None` if the run has to decide again.
    ///
    /// It's idempotent: a file that already includes the comment's change stays as it is.
    pub(super) async fn set_time_away(
        &mut self,
        view: &RepoState,
        context: &CommentContext,
        request: AwayRequest,
    ) -> Result<Option<AwayAnswer>, PassError> {
        let (person, at) = (&context.author, context.updated_at);
        let config = self.config;
        let render = |phrase| config.render_answer(None, |format| format.render(&phrase));
        let unchanged = |text| Ok(Some(AwayAnswer { text, is_confirmed: false, has_changed: false }));
        let without_games = || render(status::away_without_games(&person.login));
        let Some(head) = view.head_commit() else { return unchanged(without_games()) };
        let mut known = read_away_files(self.forge, self.config, head, &[person.id]).await?;
        let known = match known.remove(&person.id).transpose() {
            Ok(known) => known,
            Err(why) => return unchanged(self.refuse_damaged_away(person, &why)),
        };
        let is_known = known.is_some();
        let mut file = known.unwrap_or_else(|| AwayFile::new(person));
        if request == AwayRequest::Show || file.is_past(context.source, at) {
            let is_confirmed = file.is_from(context.source);
            return Ok(Some(AwayAnswer {
                text: render(status::time_away(&file, at)),
                is_confirmed,
                has_changed: false,
            }));
        }
        let games = GamesInProgress::read(self.forge, self.config, head, view.repository).await?.into_games();
        let own: Vec<GameSummary> = games.into_iter().filter(|game| game.has_player(person.id)).collect();
        if own.is_empty() {
            return unchanged(without_games());
        }
        // If somebody deleted the person's file, the files of their games still know when they were away.
        if !is_known {
            file = file.with_absences(own.iter().flat_map(|game| game.absences_of(person.id)));
        }
        let changed = match file.after(person, request, context.source, at) {
            Ok(changed) => changed,
            Err(refusal) => return unchanged(render(refusal.sentence(&file.login))),
        };
        let change = self.away_change(&changed, own, person, at);
        info!("Committing: {}", change.headline);
        match self.forge.commit(&Change { parent: Some(head.clone()), ..change }).await? {
            CommitOutcome::Landed(commit) => {
                self.ledger.commit = Some(commit);
                let text = render(status::time_away(&changed, at));
                Ok(Some(AwayAnswer { text, is_confirmed: true, has_changed: true }))
            }
            CommitOutcome::Stale => {
                self.backoff.after_race(self.forge).await?;
                Ok(None)
            }
        }
    }

    /// Returns the answer about a person's damaged file, and notes it for the host.
    fn refuse_damaged_away(&mut self, person: &Author, why: &InvalidFile) -> String {
        self.note_damaged_away(person.id, why);
        let refusal = Refusal::UnreadableAway(person.id);
        self.config.render_answer(None, |format| announce::refuse(&refusal, person, None, format))
    }

    fn note_damaged_away(&mut self, person: UserId, why: &InvalidFile) {
        let path = StatePath::Away(person).below(&self.config.state_dir);
        self.ledger.note(HostNote::DamagedAway { path, why: why.to_string() });
    }

    /// Checks that a table knows when its players are away, before `author` wins by the silence of the others.
    ///
    /// Its summary may lack some of that: the game began without a clock, or somebody rolled the branch back, or deleted or
    /// damaged a file. If so, this commits the correct files, and the run has to decide again.
    pub(super) async fn check_time_away(
        &mut self,
        view: &RepoState,
        issue: IssueNumber,
        author: Option<UserId>,
    ) -> Result<AwayCheck, PassError> {
        let (Some(seen), Some(head)) = (view.threads.get(&issue), view.head_commit()) else {
            return Ok(AwayCheck::Complete);
        };
        let Some(table) = seen.table.as_ref() else { return Ok(AwayCheck::Complete) };
        let Some(game) = GameSummary::from_table(table) else { return Ok(AwayCheck::Complete) };
        let people: Vec<UserId> = table.seated_people().filter(|person| Some(*person) != author).collect();
        if people.is_empty() {
            return Ok(AwayCheck::Complete);
        }
        let mut known = read_away_files(self.forge, self.config, head, &people).await?;
        let (mut complete, mut files) = (game.clone(), Vec::new());
        for person in people {
            let file = match known.remove(&person).transpose() {
                Ok(file) => file,
                Err(why) => {
                    self.note_damaged_away(person, &why);
                    return Ok(AwayCheck::Damaged(person));
                }
            };
            let right = answered_absences(seen, person, file.clone());
            if let Some(right) = &right {
                let right = right.clone().with_absences(game.absences_of(person));
                complete.set_absences(person, right.absences());
            }
            if right != file {
                files.extend(right.map(|file| (StatePath::Away(person).below(&self.config.state_dir), file.to_json())));
            }
        }
        if complete == game && files.is_empty() {
            return Ok(AwayCheck::Complete);
        }
        files.push((StatePath::Running(issue).below(&self.config.state_dir), complete.to_json()));
        let headline = format!("Table {issue}: restore the players' time away");
        let change = Change::by_bot(head, files, headline, self.config.skip_ci, self.forge.now());
        if self.forge.commit(&change).await? == CommitOutcome::Stale {
            self.backoff.after_race(self.forge).await?;
        }
        Ok(AwayCheck::Restored)
    }

    /// Returns the commit of a person's file and of their games.
    fn away_change(&self, file: &AwayFile, games: Vec<GameSummary>, person: &Author, time: Timestamp) -> Change {
        let dir = &self.config.state_dir;
        let mut files = vec![(StatePath::Away(person.id).below(dir), file.to_json())];
        for mut game in games {
            game.set_absences(person.id, file.absences());
            files.push((StatePath::Running(game.issue).below(dir), game.to_json()));
        }
        let is_away = file.away_until(time).is_some();
        let headline = format!("{} is {}", person.login, if is_away { "away" } else { "back" });
        let (author, skip_ci) = (person.clone(), self.config.skip_ci);
        let body = answers::commit_message::credit(person, &self.config.noreply_domain, skip_ci);
        Change { parent: None, files, deleted: Vec::new(), headline, body, author, time }
    }
}

/// Returns a person's file, and adds the time away that the bot confirmed in a thread. After a rollback, the file may lack it.
fn answered_absences(seen: &ThreadState, person: UserId, file: Option<AwayFile>) -> Option<AwayFile> {
    let ThreadState { thread, answers, .. } = seen;
    thread.comments.iter().fold(file, |file, comment| {
        let author = comment.author.as_ref().filter(|author| author.id == person);
        let source = CommentRef { issue: answers.issue(), comment: comment.id };
        let (Some(author), true) = (author, counts_as_written(comment) && answers.confirms_time_away(source)) else {
            return file;
        };
        let ParsedComment::Command(Command::Away(words), _) = parse_comment(&comment.text) else { return file };
        let Some(request @ (AwayRequest::For(_) | AwayRequest::Off)) = AwayRequest::parse(&words) else { return file };
        let known = file.clone().unwrap_or_else(|| AwayFile::new(author));
        if known.is_past(source, comment.updated_at) {
            return file;
        }
        known.after(author, request, source, comment.updated_at).ok().or(file)
    })
}
