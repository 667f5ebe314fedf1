//! Carries out `/away`: one commit with the person's file and the short files of all their games.

use answers::clocks;
use table::absence::{AwayFile, AwayRequest};
use table::comments::comment::Author;
use table::comments::context::CommentContext;
use table::running_game::RunningGame;
use table::state_path::StatePath;
use table::timestamp::Timestamp;
use tracing::info;

use crate::commit_files::read_away_files;
use crate::forge::{Change, CommitOutcome};
use crate::own_games_query::GamesInProgress;
use crate::run::Run;
use crate::settle_error::PassError;
use crate::view::View;

impl Run<'_> {
    /// Carries out a person's request for time away. Returns the answer, and whether anything changed; `None` if the
    /// run has to decide again.
    ///
    /// It's idempotent: a file that already includes the comment's change stays as it is.
    pub(super) async fn set_time_away(
        &mut self,
        view: &View,
        context: &CommentContext,
        request: AwayRequest,
    ) -> Result<Option<(String, bool)>, PassError> {
        let (person, at) = (&context.author, context.updated_at);
        let render = |phrase| self.config.render_answer(None, |format| format.render(&phrase));
        let without_games = || render(clocks::away_without_games(&person.login));
        let Some(head) = view.head_commit() else { return Ok(Some((without_games(), false))) };
        let mut known = read_away_files(self.forge, self.config, head, &[person.id]).await?;
        let file = known.remove(&person.id).unwrap_or_else(|| AwayFile::new(person));
        if request == AwayRequest::Show || file.is_past(context.source, at) {
            return Ok(Some((render(clocks::time_away(&file, at)), false)));
        }
        let games = GamesInProgress::read(self.forge, self.config, head, view.repository).await?.into_games();
        let own: Vec<RunningGame> = games.into_iter().filter(|game| game.has_player(person.id)).collect();
        if own.is_empty() {
            return Ok(Some((without_games(), false)));
        }
        let changed = match file.after(person, request, context.source, at) {
            Ok(changed) => changed,
            Err(refusal) => return Ok(Some((render(clocks::away_refusal(&file, refusal)), false))),
        };
        let change = self.away_change(&changed, own, person, at);
        info!("Committing: {}", change.headline);
        match self.forge.commit(&Change { parent: Some(head.clone()), ..change }).await? {
            CommitOutcome::Landed(commit) => {
                self.ledger.commit = Some(commit);
                Ok(Some((render(clocks::time_away(&changed, at)), true)))
            }
            CommitOutcome::Stale => {
                self.backoff.after_race(self.forge).await?;
                Ok(None)
            }
        }
    }

    /// Returns the commit of a person's file and of their games.
    fn away_change(&self, file: &AwayFile, games: Vec<RunningGame>, person: &Author, time: Timestamp) -> Change {
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
