//! Checks fallen flags and time away.

use std::collections::BTreeSet;
use std::rc::Rc;

use answers::{Marker, OutputFormat, status};
use protocol::GRACE;
use table::{
    AwayFile, AwayRequest, Command, CommentContext, Decision, GameSummary, IssueNumber, LATE_AFTER, ParsedComment,
    Table, Timestamp, UserId, decide_at_once, let_flag_fall,
};

use crate::Millis;
use crate::simulator::core::Violate;
use crate::simulator::order::HistoryCheck;
use crate::simulator::order::commits::counted_like;
use crate::simulator::table_history::{CachedTable, Files, comment_context, games_at, heads_between, known_absences};
use crate::simulator::{Mode, table_history};

/// GitHub's times are whole seconds.
const SECOND: Millis = 1_000;

/// Returns when the turn began for its player, as the summary of a table's game says.
pub(in crate::simulator) fn filed_start(files: &Files, issue: u64) -> Option<Timestamp> {
    let text = files.get(&format!("state/running/{issue}.json"))?;
    GameSummary::parse(text, IssueNumber::new(issue)).ok().map(|game| game.since)
}

/// Returns when a daily run first missed an issue, as the summary of its game says.
pub(super) fn missing_since(files: &Files, issue: u64) -> Option<Millis> {
    let text = files.get(&format!("state/running/{issue}.json"))?;
    GameSummary::parse(text, IssueNumber::new(issue)).ok()?.missing_since.map(Timestamp::as_millis)
}

impl HistoryCheck<'_> {
    /// Checks that a flag fell after its deadline, when no earlier move was left to settle.
    pub(super) fn flag(
        &self,
        at: Millis,
        (before, files): (&Files, &Files),
        after: &Rc<CachedTable>,
        violate: &mut Violate<'_>,
    ) {
        let issue = after.issue().get();
        let last = table_history::find(before, issue);
        let last = last.map(|table| table_history::with_absences(&table, known_absences(before, issue)));
        let Some(last) = last else { return violate("flag", format!("a flag falls at table {issue}, which is new")) };
        let rights = self.with_clock_starts(&last, filed_start(before, issue)).into_iter().filter_map(|last| {
            let right = counted_like(let_flag_fall(&last, &self.config.policy)?, after);
            let is_right = right.with_absences(Default::default()).with_clock_start(Timestamp::EPOCH) == ***after;
            is_right.then_some(last)
        });
        let right = rights.min_by_key(|last| last.turn_started_at());
        let Some(last) = right.filter(|_| !files.contains_key(&format!("state/running/{issue}.json"))) else {
            return violate("flag", format!("the flag that falls at table {issue} doesn't follow from its record"));
        };
        let clock = last.state().turn_clock();
        let deadline = clock.map_or(Millis::MAX, |clock| clock.deadline().as_millis());
        let grace = u64::try_from(GRACE.as_millis()).unwrap_or(u64::MAX);
        if at + SECOND < deadline.saturating_add(grace) {
            violate("flag", format!("the flag at table {issue} falls at {at}, and its deadline is {deadline}"));
        }
        let told_at = last.turn_source().and_then(|source| self.answers.get(&source)).map(|answer| answer.at);
        let per_move = last.state().turn_clock().map_or(0, |clock| clock.per_move.as_millis() as u64);
        let told_at = told_at.max(self.last_unlock(issue, at));
        if told_at.is_some_and(|told_at| at + 60 * SECOND < told_at + per_move) {
            violate("flag", format!("the flag at table {issue} falls at {at}, and its player was told at {told_at:?}"));
        }
        if self.core.mode != Mode::Wrecked {
            self.comments_in_time(at, deadline, &last, violate);
        }
    }

    /// Checks that no move from before the deadline was left when a flag fell.
    fn comments_in_time(&self, at: Millis, deadline: Millis, last: &Table, violate: &mut Violate<'_>) {
        let answered = |source| self.answers.get(source).is_some_and(|answer| answer.at <= at);
        for (source, posted) in &self.core.ledger.comments {
            let version = &posted.versions[0];
            let is_whole =
                posted.versions.len() == 1 && version.time <= deadline && !self.core.ledger.may_wait(*source);
            let is_above = source.issue != last.issue() || source.comment > last.settled_through();
            let is_refused = self.core.ledger.refused.contains(source);
            if !is_whole || !is_above || is_refused || answered(source) || self.applied.contains_key(source) {
                continue;
            }
            let context = comment_context(self.core, *source, posted, version, [0; 32], last.settled_through().get());
            let Some(context) = context.filter(|context| context.table == last.issue()) else { continue };
            // A bare move counts only at its own table, and only in its turn.
            let moves = matches!(decide_at_once(Some(last), &context, &self.config.policy), Some(Decision::Apply(_)));
            if moves && source.issue == last.issue() && !last.has_event_since(*source, context.updated_at) {
                violate("flag", format!("{source:?} was in time, but the flag fell"));
            }
        }
    }

    /// Checks that the loser of a claim had known of their turn for at least `per-move`, and what the opponent gave.
    pub(super) fn claim(&self, context: &CommentContext, last: &Table, violate: &mut Violate<'_>) {
        let is_claim = matches!(context.parsed, ParsedComment::Command(Command::Claim, _));
        let clock = last.state().turn_clock().filter(|_| is_claim);
        let Some(per_move) = clock.map(|clock| clock.per_move) else { return };
        let told_at = last.turn_source().filter(|source| source.issue == context.source.issue);
        let told_at =
            told_at.and_then(|source| self.answers.get(&source)).map(|answer| Timestamp::from_millis(answer.at));
        // A run may have settled the claim before the answer that is left now.
        let unlocked_at = self.last_unlock(last.issue().get(), context.updated_at.as_millis());
        let told_at = told_at.max(unlocked_at.map(Timestamp::from_millis));
        let slack = LATE_AFTER;
        if told_at
            .is_some_and(|told_at| context.updated_at + slack < told_at + per_move && told_at < context.updated_at)
        {
            violate("claim", format!("{:?} claims a win, but its opponent was told at {told_at:?}", context.source));
        }
    }

    /// Checks that a player who ends their turn pays for no time before the bot told them of it.
    pub(super) fn used_time(&self, last: &Table, next: &Table, violate: &mut Violate<'_>) {
        if last.round() != next.round() {
            return;
        }
        let mover = last.player_to_move();
        // A player who takes a seat, by any command, begins a new turn and pays for nothing.
        if !last.players().is_occupied(mover) {
            return;
        }
        let ends_turn = next.terms().per_move.is_some() && next.has_new_turn();
        let event = next.history().last().filter(|event| ends_turn && event.seat == Some(mover));
        let Some((at, start)) = event.map(|event| (event.timestamp, event.clock_start)) else { return };
        let Some(first) = last.turn_source() else { return };
        let told = self.core.ledger.answers.iter().filter(|answer| {
            Marker::parse(&answer.body).is_some_and(|marker| marker.source == first && marker.commit.is_some())
        });
        let Some(told_at) = told.map(|answer| answer.at / SECOND * SECOND).min() else { return };
        let start = start.unwrap_or(last.turn_started_at());
        // The summary of a move from elsewhere has the time of its commit, unless the answer comes over a minute later.
        if start + LATE_AFTER < at.min(Timestamp::from_millis(told_at)) {
            let what = format!(
                "{:?} counts time from {start:?} to {at:?}, but the player was told at {told_at}",
                next.last_source()
            );
            violate("told", what);
        }
    }

    /// Returns when the host last unlocked an issue before a time.
    fn last_unlock(&self, issue: u64, before: Millis) -> Option<Millis> {
        let unlocked = self.core.ledger.unlocked.iter().filter(|(unlocked, at)| *unlocked == issue && *at <= before);
        unlocked.map(|(_, at)| *at).max()
    }

    /// Returns a table as runs may have seen it when they decided a comment: one for each time at which its player may have learned
    /// of their turn. `filed` are the times in its summary.
    pub(super) fn tables_for(
        &self,
        context: &CommentContext,
        table: &Table,
        filed: impl IntoIterator<Item = Timestamp>,
    ) -> Vec<Table> {
        let depends_on_silence = matches!(
            context.parsed,
            ParsedComment::Command(Command::Abort | Command::Computer(_) | Command::Continue | Command::Nudge, _)
        );
        match table.has_clock() || depends_on_silence {
            true => self.with_clock_starts(table, filed),
            false => vec![table.clone()],
        }
    }

    fn with_clock_starts(&self, table: &Table, filed: impl IntoIterator<Item = Timestamp>) -> Vec<Table> {
        if !table.is_playing() {
            return vec![table.clone()];
        }
        let source = table.turn_source();
        let is_told = |body: &str| Marker::parse(body).is_some_and(|marker| Some(marker.source) == source);
        let ledger = &self.core.ledger;
        let told = ledger.answers.iter().filter(|answer| is_told(&answer.body)).map(|answer| answer.at / 1_000 * 1_000);
        let unlocked = ledger.unlocked.iter().filter(|(issue, _)| *issue == table.issue().get()).map(|(_, at)| *at);
        let seen = told.chain(unlocked).map(Timestamp::from_millis).chain(filed);
        // A locked issue's clock stands still, and a player may answer before they are told.
        let late = [Timestamp::EPOCH, Timestamp::from_millis(Millis::MAX / 2)];
        let starts: BTreeSet<Timestamp> = seen.chain(late).collect();
        starts.into_iter().map(|start| table.clone().with_clock_start(start)).collect()
    }

    /// Whether a commit only notes in a summary that a player learned of their turn late.
    pub(super) fn is_late_turn(&self, files: &Files, before: &Files, changed: &[&String]) -> bool {
        let [path] = changed else { return false };
        let Some(issue) = path.strip_prefix("state/running/").and_then(|name| name.strip_suffix(".json")?.parse().ok())
        else {
            return false;
        };
        let Some(table) = table_history::find(files, issue) else { return false };
        let table = table_history::with_absences(&table, known_absences(before, issue));
        let start = filed_start(files, issue).unwrap_or_default();
        let right = GameSummary::from_table(&table.clone_table().with_clock_start(start)).map(|game| game.to_json());
        right.as_ref() == files.get(*path)
    }

    /// Whether a commit only notes in summaries whether issues are missing.
    pub(super) fn marks_missing_issues(&self, at: Millis, files: &Files, before: &Files, changed: &[&String]) -> bool {
        changed.iter().all(|path| {
            let issue = path.strip_prefix("state/running/").and_then(|name| name.strip_suffix(".json")?.parse().ok());
            let Some(issue) = issue.map(IssueNumber::new) else { return false };
            let game = |files: &Files| GameSummary::parse(files.get(*path)?, issue).ok();
            let (Some(old), Some(new)) = (game(before), game(files)) else { return false };
            let was_missing = self.core.ledger.was_missing(issue.get(), at);
            let is_right = new.missing_since.is_none() || was_missing;
            is_right && GameSummary { missing_since: None, ..old } == GameSummary { missing_since: None, ..new }
        })
    }

    /// Whether a commit changes one person's time away, and the summaries of their games.
    pub(super) fn is_time_away(&self, files: &Files, before: &Files, changed: &[&String]) -> bool {
        let (away, rest): (Vec<&String>, Vec<&String>) =
            changed.iter().copied().partition(|path| path.starts_with("state/away/"));
        let [path] = away.as_slice() else { return false };
        let id = path.strip_prefix("state/away/").and_then(|name| name.strip_suffix(".json"));
        let Some(id) = id.and_then(|id| id.parse().ok()).map(UserId::new) else { return false };
        let Ok(file) = AwayFile::parse(&files[*path], id) else { return false };
        let is_right = |path: &&String| {
            let issue = path.strip_prefix("state/running/").and_then(|name| name.strip_suffix(".json"));
            let game = |files: &Files| {
                let issue = issue?.parse().ok()?;
                GameSummary::parse(files.get(*path)?, issue).ok()
            };
            let expected = game(before).map(|mut game| {
                game.set_absences(id, file.absences());
                game.to_json()
            });
            expected.as_ref() == files.get(*path)
        };
        rest.iter().all(is_right)
    }

    /// Returns the answers to a request for time away at all heads that a run may have read between two times.
    pub(super) fn away_texts(&self, context: &CommentContext, request: AwayRequest, times: [Millis; 2]) -> Vec<String> {
        let (person, at) = (&context.author, context.updated_at);
        let render = |phrase| OutputFormat::MarkdownText.render(&phrase);
        let texts = heads_between(self.core, times).map(|head| {
            let files = head.map(|head| &self.core.state.commits[head].files);
            let text = files.and_then(|files| files.get(&format!("state/away/{}.json", person.id)));
            let known = text.and_then(|text| AwayFile::parse(text, person.id).ok());
            let file = known.unwrap_or_else(|| AwayFile::new(person));
            if files.is_none() {
                return render(status::away_without_games(&person.login));
            }
            if request == AwayRequest::Show || file.is_past(context.source, at) {
                return render(status::time_away(&file, at));
            }
            if !games_at(self.core, head).iter().any(|game| game.has_player(person.id)) {
                return render(status::away_without_games(&person.login));
            }
            match file.after(person, request, context.source, at) {
                Ok(changed) => render(status::time_away(&changed, at)),
                Err(refusal) => render(refusal.sentence(&file.login)),
            }
        });
        texts.collect()
    }
}
