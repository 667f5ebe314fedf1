//! Checks fallen flags and time away.

use std::rc::Rc;
use std::time::Duration;

use answers::clocks;
use answers::marker::Marker;
use answers::output_format::OutputFormat;
use protocol::overtime::GRACE;
use table::absence::{AwayFile, AwayRequest};
use table::any_table::{AnyTable, with_table};
use table::comments::command::Command;
use table::comments::context::CommentContext;
use table::comments::parser::ParsedComment;
use table::decisions::append::let_flag_fall;
use table::decisions::decision::Decision;
use table::ids::UserId;
use table::running_game::RunningGame;
use table::timestamp::Timestamp;

use crate::Millis;
use crate::simulator::core::Violate;
use crate::simulator::order::HistoryCheck;
use crate::simulator::order::commits::counted_like;
use crate::simulator::standings_texts::{games_at, heads_between};
use crate::simulator::story::Mode;
use crate::simulator::table_cache::{self, CachedTable, Files};
use crate::simulator::table_history::{comment_context, decide_comment, known_absences, target_table};

/// The greatest error of a runner's clock, in milliseconds.
const MAX_CLOCK_ERROR: Millis = 60 * 60_000;

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
        let last = table_cache::find(before, issue);
        let last = last.map(|table| table_cache::with_absences(&table, known_absences(before, issue)));
        let Some(last) = last else { return violate("flag", format!("a flag falls at table {issue}, which is new")) };
        let right = let_flag_fall(&last, &self.config.policy).map(|table| counted_like(table, after));
        let is_right = right.is_some_and(|table| table.with_absences(Default::default()) == ***after);
        if !is_right || files.contains_key(&format!("state/running/{issue}.json")) {
            return violate("flag", format!("the flag that falls at table {issue} doesn't follow from its record"));
        }
        let clock = with_table!(&**last, table => table.state().turn_clock());
        let deadline = clock.map_or(Millis::MAX, |clock| clock.deadline().as_millis());
        let grace = u64::try_from(GRACE.as_millis()).unwrap_or(u64::MAX);
        if at + MAX_CLOCK_ERROR < deadline.saturating_add(grace) {
            violate("flag", format!("the flag at table {issue} falls at {at}, and its deadline is {deadline}"));
        }
        let told_at =
            last.turn_sources().into_iter().next().and_then(|source| self.answers.get(&source)).map(|answer| answer.at);
        let per_move =
            with_table!(&**last, table => table.terms().per_move).map_or(0, |limit| limit.as_millis() as u64);
        if told_at.is_some_and(|told_at| at + MAX_CLOCK_ERROR < told_at + per_move) {
            violate("flag", format!("the flag at table {issue} falls at {at}, and its player was told at {told_at:?}"));
        }
        if self.core.mode != Mode::Wrecked {
            self.comments_in_time(at, deadline, &last, violate);
        }
    }

    /// Checks that no move from before the deadline was left when a flag fell.
    fn comments_in_time(&self, at: Millis, deadline: Millis, last: &AnyTable, violate: &mut Violate<'_>) {
        let answered = |source| self.answers.get(source).is_some_and(|answer| answer.at <= at);
        for (source, posted) in &self.core.ledger.comments {
            let version = &posted.versions[0];
            let is_whole =
                posted.versions.len() == 1 && version.time <= deadline && !self.core.ledger.may_wait(*source);
            let is_above = source.issue != last.issue() || source.comment > last.floor();
            let is_refused = self.core.ledger.refused.contains(source);
            if !is_whole || !is_above || is_refused || answered(source) || self.applied.contains_key(source) {
                continue;
            }
            let context = comment_context(self.core, *source, posted, version, [0; 32], last.floor().get());
            let Some(context) = context.filter(|context| target_table(context) == last.issue().get()) else { continue };
            // A bare move counts only at its own table, and only in its turn.
            let moves = matches!(decide_comment(&context, Some(last), &self.config.policy), Decision::Apply { .. });
            if moves && source.issue == last.issue() && !last.has_event_since(*source, context.updated_at) {
                violate("flag", format!("{source:?} was in time, but the flag fell"));
            }
        }
    }

    /// Checks that the loser of a claim had known of their turn for at least `per-move`.
    pub(super) fn claim(&self, context: &CommentContext, last: &AnyTable, violate: &mut Violate<'_>) {
        let is_claim = matches!(context.parsed, ParsedComment::Command(Command::Claim, _));
        let per_move = with_table!(last, table => table.terms().per_move.filter(|_| table.state().has_falling_flags()));
        let Some(per_move) = per_move.filter(|_| is_claim) else { return };
        let told_at = last.turn_sources().into_iter().next().filter(|source| source.issue == context.source.issue);
        let told_at =
            told_at.and_then(|source| self.answers.get(&source)).map(|answer| Timestamp::from_millis(answer.at));
        // A run may have settled the claim before the answer that is left now.
        let slack = Duration::from_millis(MAX_CLOCK_ERROR);
        if told_at
            .is_some_and(|told_at| context.updated_at + slack < told_at + per_move && told_at < context.updated_at)
        {
            violate("claim", format!("{:?} claims a win, but its opponent was told at {told_at:?}", context.source));
        }
    }

    /// Returns the contexts of a claim or a `/computer`: one for each time at which the bot may have announced the turn. Returns other commands
    /// unchanged.
    pub(super) fn with_answer_time(&self, context: CommentContext, table: Option<&AnyTable>) -> Vec<CommentContext> {
        let is_claim = matches!(context.parsed, ParsedComment::Command(Command::Claim | Command::Computer(_), _));
        let Some(table) = table.filter(|_| is_claim) else { return vec![context] };
        let sources = table.turn_sources();
        let is_told = |body: &str| Marker::parse(body).is_some_and(|marker| sources.contains(&marker.source));
        let answers = self.core.ledger.answers.iter().filter(|answer| is_told(&answer.body));
        let times = answers.map(|answer| Some(Timestamp::from_millis(answer.at)));
        let with_time = |turn_answered_at| CommentContext { turn_answered_at, ..context.clone() };
        times.chain([None]).map(with_time).collect()
    }

    /// Whether a commit changes one person's time away, and the short files of their games.
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
                RunningGame::parse(files.get(*path)?, issue).ok()
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
                return render(clocks::away_without_games(&person.login));
            }
            if request == AwayRequest::Show || file.is_past(context.source, at) {
                return render(clocks::time_away(&file, at));
            }
            if !games_at(self.core, head).iter().any(|game| game.has_player(person.id)) {
                return render(clocks::away_without_games(&person.login));
            }
            match file.after(person, request, context.source, at) {
                Ok(changed) => render(clocks::time_away(&changed, at)),
                Err(refusal) => render(clocks::away_refusal(&file, refusal)),
            }
        });
        texts.collect()
    }
}
