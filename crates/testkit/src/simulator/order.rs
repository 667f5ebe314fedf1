//! Checks each table's history against the pure function `decide`: every commit applies one comment to the table before it, and
//! every refusal is right at its position in the order of comments.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::Millis;
use answers::announce;
use answers::marker::Marker;
use answers::output_format::OutputFormat;
use answers::own_games::own_games;
use answers::rankings;
use protocol::repo_config::RepoConfig;
use table::absence::Absences;
use table::any_table::{AnyTable, with_table};
use table::comments::command::Command;
use table::comments::comment::CommentRef;
use table::comments::context::CommentContext;
use table::comments::parser::{self, ParsedComment};
use table::decisions::append::end_without_issue;
use table::decisions::decision::{Decision, Query};
use table::decisions::refusal::{Refusal, SetupRefusal};
use table::ids::IssueNumber;
use table::question::asked_question;
use table::running_game::RunningGame;
use table::state_file;

use crate::simulator::core::{Core, LandedCommit, PostedComment, Violate};
use crate::simulator::order::crowd::{crowd, out_of_order};
use crate::simulator::schedule::repo_config;
use crate::simulator::standings_texts::{running_games, standings_texts};
use crate::simulator::story::{Mode, Story};
use crate::simulator::table_cache::{self, CachedTable};
use crate::simulator::table_history::{
    Link, Stage, TableHistories, comment_context, decide_comment, is_outdated, known_absences, may_have_been_chat,
    target_table,
};
use crate::world::MISSING_LOGIN;

mod applied;
mod clocks;
mod crowd;
mod reviews;
mod unanswered;

/// The base URL of the images in answers, with `*` for the commit.
const PICTURES: &str = "https://github.example/host/games/blob/*/state";

struct HistoryCheck<'a> {
    core: &'a Core,
    past: &'a TableHistories,
    config: RepoConfig,
    /// The greatest age of a read.
    stale: Millis,
    /// Whether a run reads whole threads. On short pages, it may miss the comment behind a question.
    reads_all: bool,
    /// The answers that remain at the end, by command: time, commit and text.
    answers: BTreeMap<CommentRef, (Millis, Option<String>, String)>,
    /// The applied commands: the resulting table, and the time of the commit.
    applied: BTreeMap<CommentRef, (Rc<CachedTable>, Millis)>,
    /// The commands that may have been settled out of order.
    out_of_order: BTreeSet<CommentRef>,
    /// The people who posted more than a run answers.
    crowd: BTreeSet<String>,
}

/// The least time between the deletion of an issue and the end of its game, in milliseconds.
const CONFIRMED_AFTER: Millis = 20_000;

/// Checks every commit and every comment.
pub fn check(story: &Story, core: &Core, past: &TableHistories, violate: &mut Violate<'_>) {
    let mut check = HistoryCheck {
        core,
        past,
        config: repo_config(story),
        // If a thread has many pages, the bot reads the oldest up to five seconds after the record.
        stale: story.oldest() + if story.setting.comments_per_page < 100 { 5_000 } else { 0 },
        reads_all: story.setting.comments_per_page >= 100 && story.setting.max_reply_bytes.is_none(),
        answers: remaining_answers(core),
        applied: BTreeMap::new(),
        out_of_order: BTreeSet::new(),
        crowd: crowd(core),
    };
    for landed in &core.ledger.landed {
        check.commit(landed, violate);
    }
    check.out_of_order = out_of_order(core, &check.applied);
    if story.mode == Mode::Wrecked {
        // The answered commits may be gone.
        return;
    }
    for (source, posted) in
        core.ledger.comments.iter().filter(|(source, _)| core.state.issues.contains_key(&source.issue.get()))
    {
        check.comment(*source, posted, violate);
    }
    check.in_order(violate);
}

fn remaining_answers(core: &Core) -> BTreeMap<CommentRef, (Millis, Option<String>, String)> {
    let mut answers = BTreeMap::new();
    for answer in &core.ledger.answers {
        let issue = core.state.issues.get(&answer.issue);
        if !issue.is_some_and(|issue| issue.comments.iter().any(|note| note.id == answer.id)) {
            continue;
        }
        if let Some(marker) = Marker::parse(&answer.body) {
            let body = answer.body.split_once('\n').map_or("", |(_, body)| body).to_owned();
            answers.insert(marker.source, (answer.at, marker.commit.map(|oid| oid.to_string()), body));
        }
    }
    answers
}

impl HistoryCheck<'_> {
    /// Checks that a commit is the decision about one comment at its parent, and nothing else.
    fn commit(&mut self, landed: &LandedCommit, violate: &mut Violate<'_>) {
        let LandedCommit { at, run, oid, entropy } = landed;
        let commit = &self.core.state.commits[oid];
        let none = BTreeMap::new();
        let before = commit.parent.as_ref().map_or(&none, |parent| &*self.core.state.commits[parent].files);
        let changed: Vec<&String> =
            commit.files.iter().filter(|(path, text)| before.get(*path) != Some(text)).map(|(path, _)| path).collect();
        let issue_of = |path: &str| path.strip_prefix("state/")?.strip_suffix(".json")?.parse::<u64>().ok();
        let records: Vec<u64> = changed.iter().filter_map(|path| issue_of(path)).collect();
        // A relocated table ends in one issue and continues in another.
        let moves = |issue: &u64| {
            let text = commit.files.get(&format!("state/{issue}.json"));
            text.and_then(|text| table_cache::load(text, *issue).ok()).is_some_and(|table| table.has_moved())
        };
        let (gone, records): (Vec<u64>, Vec<u64>) = records.into_iter().partition(moves);
        let (&[issue], 0..=1) = (records.as_slice(), gone.len()) else {
            let is_page = |path: &&String| matches!(path.as_str(), "README.md" | "state/tables.json");
            if !records.is_empty()
                || !changed.iter().all(is_page) && !self.is_time_away(&commit.files, before, &changed)
            {
                violate("commit", format!("run {run} changes {changed:?} at once"));
            }
            return;
        };
        let path = format!("state/{issue}.json");
        let Some(text) = commit.files.get(&path) else { return };
        let known = table_cache::load(text, issue).ok();
        let Some((after, source)) = &known.and_then(|table| Some((table.clone(), table.last_source()?))) else {
            return violate("commit", format!("run {run} commits a record of table {issue} that does not replay"));
        };
        if after.ended_without_issue() {
            let before = before.get(&path).and_then(|text| table_cache::load(text, issue).ok());
            let ended =
                before.and_then(|table| end_without_issue(&table, after.last_event_time(), &self.config.policy));
            let vanished = self.core.ledger.vanished.get(&issue);
            if vanished.is_none_or(|vanished| *at < vanished + CONFIRMED_AFTER) || ended.as_ref() != Some(&***after) {
                violate(
                    "commit",
                    format!("run {run} ends the game of issue {issue}, deleted at {vanished:?}, at {at}"),
                );
            }
            return;
        }
        if after.fallen_flag().is_some() {
            return self.flag(*at, (before, &commit.files), after, violate);
        }
        let Some(posted) = self.core.ledger.comments.get(source) else {
            return violate("commit", format!("run {run} applies {source:?}, which nobody posted"));
        };
        let answered = table_cache::with_absences(after, known_absences(&commit.files, issue));
        if self.applied.insert(*source, (answered, *at)).is_some() && self.core.mode != Mode::Wrecked {
            violate("applied twice", format!("{source:?} was applied twice"));
        }
        let floor = if source.issue.get() == issue { after.floor().get() } else { 0 };
        let versions = posted.versions.iter().filter(|version| version.at <= *at);
        let contexts =
            versions.filter_map(|version| comment_context(self.core, *source, posted, version, *entropy, floor));
        // If the record is in canonical form, comparing tables is enough and faster than comparing texts.
        let canonical = state_file::to_json(after) == *text;
        let fits = |decision: Decision| {
            let Decision::Apply { table, previous } = decision else { return false };
            let table = match after.result_number() {
                // The last check recounts the ratings.
                Some(number) => table.with_result_number(number).with_rating_changes(after.rating_changes()),
                None => *table,
            }
            .with_absences(Absences::default());
            if gone.first().copied() != previous.as_ref().map(|old| old.issue().get()).filter(|old| *old != issue) {
                return false;
            }
            let archived = previous.is_none_or(|previous| {
                let path = match gone.first() {
                    Some(gone) => format!("state/{gone}.json"),
                    None => format!("state/archive/{issue}-{}.json", previous.round()),
                };
                commit.files.get(&path) == Some(&state_file::to_json(&previous))
            });
            archived && (canonical && table == ***after || state_file::to_json(&table) == *text)
        };
        // `/continue` is decided at the old table.
        let asked = gone.first().copied().unwrap_or(issue);
        let last = before.get(&format!("state/{asked}.json")).map(|text| table_cache::load(text, asked));
        let Ok(last) = last.transpose() else {
            return violate("commit", format!("run {run} commits over the damaged record of table {asked}"));
        };
        let last = last.map(|table| table_cache::with_absences(&table, known_absences(before, asked)));
        let last = last.as_deref().map(|known| &**known);
        let at_table = before.contains_key(&format!("state/{}.json", source.issue.get()));
        let link = Link::find(self.core, source.issue.get()).filter(|link| link.table == asked);
        let contexts = contexts
            .flat_map(|context| {
                let linked = link.and_then(|link| link.context(&context)).filter(|linked| !is_outdated(linked, last));
                let own = if target_table(&context) == asked { Some(context) } else { None };
                linked.into_iter().chain(own)
            })
            .map(|context| CommentContext { issue_has_table: at_table, ..context })
            .flat_map(|context| self.with_question(context, last))
            .flat_map(|context| self.with_answer_time(context, last));
        let contexts: Vec<CommentContext> = contexts.collect();
        if let (Some(context), Some(last)) = (contexts.first(), last) {
            self.claim(context, last, violate);
        }
        let mut decisions = contexts.iter().map(|context| decide_comment(context, last, &self.config.policy));
        if !decisions.any(fits) {
            violate(
                "commit",
                format!("run {run} commits a change at table {issue} that doesn't follow from {source:?}"),
            );
        }
    }

    /// Returns the contexts that a run may have seen. They depend on the last comment before this one, and comments and answers
    /// may have been deleted since.
    fn with_question(&self, context: CommentContext, table: Option<&AnyTable>) -> Vec<CommentContext> {
        let (issue, comment) = (context.source.issue.get(), context.source.comment.get());
        let thread = self.core.state.issues.get(&issue);
        let remains = |id: u64| thread.is_some_and(|thread| thread.comments.iter().any(|note| note.id == id));
        let posted = self.core.ledger.comments.iter().filter(|(source, _)| source.issue.get() == issue);
        let posted = posted.map(|(source, posted)| (source.comment.get(), None, posted.versions.len() == 1));
        let answers = self.core.ledger.answers.iter().filter(|answer| answer.issue == issue);
        let answers = answers.map(|answer| (answer.id, Marker::parse(&answer.body), remains(answer.id)));
        let known: BTreeMap<u64, _> =
            posted.chain(answers).map(|(id, marker, certain)| (id, (marker, certain))).collect();
        // Floods aren't in the ledger.
        let others = thread.into_iter().flat_map(|thread| &thread.comments).map(|note| note.id);
        let others = others.filter(|id| !known.contains_key(id)).map(|id| (id, None, true));
        let known = known.iter().map(|(id, (marker, certain))| (*id, marker.clone(), *certain));
        let mut before: Vec<_> = known.chain(others).filter(|(id, ..)| *id < comment && *id > 0).collect();
        before.sort_by_key(|(id, ..)| std::cmp::Reverse(*id));
        let certain = before.iter().position(|(.., is_certain)| *is_certain);
        before.truncate(certain.map_or(before.len(), |at| at + 1));
        // A deletion, an edit, or another question is enough to make a run doubt that the comment follows a question.
        let asking = before.last().and_then(|(_, marker, _)| self.core.ledger.comments.get(&marker.as_ref()?.source));
        let is_plain = |posted: &PostedComment| {
            posted.versions.len() == 1 && posted.versions[0].text.as_ref().is_some_and(|text| !text.contains('?'))
        };
        let is_untouched = self.reads_all
            && certain.is_some()
            && thread.is_some_and(|thread| thread.last_deletion.is_none())
            && asking.is_none_or(is_plain);
        let mut contexts: Vec<CommentContext> = if is_untouched { Vec::new() } else { vec![context.clone()] };
        for (_, marker, _) in before {
            let attempts = marker.as_ref().map_or(Vec::new(), |marker| self.refused_attempts(&context, marker));
            let follows_question = marker.is_some_and(|marker| {
                let asks = || {
                    table.is_some_and(|table| {
                        with_table!(table, table => asked_question(table, &context.author, marker.source)).is_some()
                    })
                };
                marker.table.get() == issue && marker.commit.is_some() && asks()
            });
            let context = CommentContext { follows_question, ..context.clone() };
            let with_attempt = |attempt| CommentContext { refused_attempt: Some(Box::new(attempt)), ..context.clone() };
            contexts.extend(attempts.into_iter().map(with_attempt));
            contexts.push(context);
        }
        contexts
    }

    /// Returns the versions of the author's own comment that an answer without a commit is about.
    fn refused_attempts(&self, context: &CommentContext, marker: &Marker) -> Vec<CommentContext> {
        let posted = self.core.ledger.comments.get(&marker.source).filter(|_| marker.commit.is_none());
        let Some(posted) = posted.filter(|_| marker.source.issue.get() == context.source.issue.get()) else {
            return Vec::new();
        };
        let versions = posted.versions.iter();
        let read = |version| {
            comment_context(self.core, marker.source, posted, version, context.entropy, marker.source.comment.get())
        };
        versions.filter_map(read).filter(|attempt| attempt.author.id == context.author.id).collect()
    }

    /// Returns the stages of a table at which a run may have decided a comment.
    ///
    /// These are the stages between the comment and its answer, and between the commands before and after it in the table's
    /// own thread.
    fn stages(&self, source: CommentRef, issue: u64, from: Millis, to: Millis) -> &[Stage] {
        let stages = self.past.stages(issue);
        let from = from.saturating_sub(self.stale);
        let mut first = stages.iter().position(|stage| stage.to >= from).unwrap_or(0);
        let mut last = stages.iter().rposition(|stage| stage.from <= to).unwrap_or(0);
        if source.issue.get() == issue && !self.out_of_order.contains(&source) {
            for (nth, stage) in stages.iter().enumerate() {
                let Some(other) =
                    stage.source.filter(|other| other.issue.get() == issue && !self.out_of_order.contains(other))
                else {
                    continue;
                };
                if other.comment.get() < source.comment.get() {
                    first = first.max(nth);
                } else if other.comment.get() > source.comment.get() {
                    last = last.min(nth.saturating_sub(1));
                }
            }
        }
        stages.get(first..=last).unwrap_or_default()
    }

    /// Checks that a comment was applied and answered, refused for a valid reason, or is chat.
    fn comment(&self, source: CommentRef, posted: &PostedComment, violate: &mut Violate<'_>) {
        let (issue, comment) = (source.issue.get(), source.comment.get());
        let answer = self.answers.get(&source);
        if let Some((table, at)) = self.applied.get(&source) {
            return self.check_applied(source, table, *at, answer, violate);
        }
        if let Some((_, Some(commit), _)) = answer {
            return violate(
                "answer",
                format!("{issue}#{comment} was answered as accepted in {commit}, but was not applied"),
            );
        }
        let mut silence = posted.versions.iter().any(|version| version.text.is_none());
        let until = answer.map_or(Millis::MAX, |(at, ..)| *at);
        let out_of_order = self.out_of_order.contains(&source);
        // A bare move in a flood waits until its round may be over, and is chat then.
        let is_bare = |text: &String| matches!(parser::parse_comment(text), ParsedComment::Text(..));
        silence |= self.crowd.contains(&posted.login)
            && posted.versions.iter().filter_map(|version| version.text.as_ref()).any(is_bare);
        let mut expected = BTreeSet::new();
        let link = Link::find(self.core, issue);
        // Each version of the comment, for each table that it may be for.
        let mut readings = Vec::new();
        for version in posted.versions.iter().filter(|version| version.at <= until) {
            let Some(context) = comment_context(self.core, source, posted, version, [0; 32], comment) else {
                silence = true;
                continue;
            };
            let linked = link.and_then(|link| Some((link.table, link.context(&context)?)));
            // Unless every run knew the link, the comment may have been for its own issue.
            let may_be_own = linked.is_none() || link.is_some_and(|link| !link.is_certain);
            let own = if may_be_own { Some((target_table(&context), context)) } else { None };
            readings.extend(linked.into_iter().chain(own).map(|(at, context)| (version.at, at, context)));
        }
        for (written, at, context) in readings {
            if at != issue && is_outdated(&context, None) && !self.core.state.issues.contains_key(&at) {
                silence = true;
            } else if !self.core.state.issues.contains_key(&at) {
                // The issue was deleted, and its table with it.
                if let Decision::Refuse(refusal) = decide_comment(&context, None, &self.config.policy) {
                    expected.insert(announce::refuse(
                        &refusal,
                        &context.author,
                        None,
                        OutputFormat::MarkdownPicture { base_url: PICTURES },
                    ));
                }
            }
            for stage in self.stages(source, at, written, until) {
                let table = stage.table();
                if at != issue && is_outdated(&context, table) {
                    silence = true;
                    continue;
                }
                let look = OutputFormat::MarkdownPicture { base_url: PICTURES };
                if stage.is_damaged() {
                    // In the table's own issue the bot waits until the record is repaired.
                    let elsewhere =
                        if at == issue { None } else { Some(Refusal::UnreadableRecord(IssueNumber::new(at))) };
                    expected.extend(elsewhere.map(|refusal| announce::refuse(&refusal, &context.author, None, look)));
                    continue;
                }
                // Only for `/continue` does it matter whether the issue already has a table.
                let from = written.max(stage.from).saturating_sub(self.stale);
                let held = self.past.is_table(issue, from, until.min(stage.to));
                let matters = matches!(context.parsed, ParsedComment::Command(Command::Continue, _));
                let values =
                    [false, true].into_iter().filter(|at| !matters && !at || matters && held[usize::from(*at)]);
                // Accept both values of `author_tried_to_open`; other tests cover it.
                let contexts = values.map(|at_table| CommentContext {
                    issue_has_table: at_table,
                    author_tried_to_open: table.is_none(),
                    ..context.clone()
                });
                let contexts = contexts.flat_map(|asked| self.with_question(asked, table));
                for asked in contexts.flat_map(|asked| self.with_answer_time(asked, table)) {
                    silence |= decide_comment(&context, table, &self.config.policy) == Decision::Chat
                        || table.is_some_and(|table| may_have_been_chat(&context, table));
                    match decide_comment(&asked, table, &self.config.policy) {
                        Decision::Chat => silence = true,
                        _ if out_of_order
                            && at == issue
                            && table.is_some_and(|table| table.newest_own_comment().get() > comment) =>
                        {
                            // The record of a rematch doesn't show who was playing when the comment was posted.
                            silence |= matches!(context.parsed, ParsedComment::Text(..))
                                && table.is_some_and(|table| table.round() > 1);
                            expected.insert(announce::refuse(&Refusal::Superseded, &context.author, table, look));
                        }
                        Decision::Apply { .. }
                            if table.is_some_and(|table| table.is_rematch_since(source, context.updated_at)) =>
                        {
                            silence |= matches!(context.parsed, ParsedComment::Text(..));
                            expected.insert(announce::refuse(&Refusal::Superseded, &context.author, table, look));
                        }
                        Decision::Apply { .. } if at == issue && self.may_be_passed_over(&context) => {
                            silence |= out_of_order;
                            expected.insert(announce::refuse(&Refusal::Superseded, &context.author, table, look));
                        }
                        Decision::Apply { table: next, .. } if next.invited_by_name() == Some(MISSING_LOGIN) => {
                            let missing = SetupRefusal::OpponentIsMissing(format!("@{MISSING_LOGIN}")).into();
                            expected.insert(announce::refuse(&missing, &context.author, table, look));
                        }
                        Decision::Apply { .. } => _ = expected.insert("(a move that was not played)".to_owned()),
                        Decision::Refuse(refusal) => {
                            // The bot checks only at the command's turn whether anyone may end this open game.
                            let is_abort = matches!(context.parsed, ParsedComment::Command(Command::Abort, _));
                            if is_abort && table.is_some_and(|table| table.is_rematch_since(source, context.updated_at))
                            {
                                expected.insert(announce::refuse(&Refusal::Superseded, &context.author, table, look));
                            }
                            // The bot posts one suggestion per turn.
                            silence |= matches!(refusal, Refusal::Suggestion(_));
                            expected.insert(announce::refuse(&refusal, &context.author, table, look));
                        }
                        Decision::Away(request) => {
                            let times = [written.saturating_sub(self.stale), until];
                            expected.extend(self.away_texts(&context, request, times));
                        }
                        Decision::Show(Query::OwnGames(person)) => {
                            let from = written.saturating_sub(self.stale);
                            let links = self.config.links();
                            let at = context.updated_at;
                            let text = |games: &[RunningGame]| own_games(&person, games, links.as_ref(), at);
                            expected.extend(running_games(self.core, [from, until]).iter().map(|games| text(games)));
                        }
                        Decision::Show(Query::Review) => {
                            expected
                                .extend(table.map(|table| self.reviews(&context, table, written)).unwrap_or_default());
                        }
                        Decision::Show(show) if !rankings::files_needed(&show, table).is_empty() => {
                            let from = written.saturating_sub(self.stale);
                            expected.extend(standings_texts(self.core, &show, table, [from, until]));
                        }
                        Decision::Show(show) => {
                            _ = expected.insert(announce::show(
                                &show,
                                table,
                                &self.config.policy,
                                context.updated_at,
                                look,
                            ));
                        }
                    }
                }
            }
        }
        match answer {
            None if silence || self.is_unanswerable(source) => {}
            None => violate("no answer", format!("{issue}#{comment} has no answer; it could be {expected:?}")),
            Some((_, _, body)) => {
                let body = without_commits(body);
                // For a command settled out of order only the sentence has to match: the image below it may be stale.
                let sentence = |text: &str| text.split("\n\n").next().unwrap_or_default().trim_end().to_owned();
                // After a run answers the other player's move, it only knows the time of its last read.
                let tells_time = |text: &str| text.contains(": Your opponent still has ");
                let same = |text: &String| {
                    text.trim_end() == body.trim_end()
                        || out_of_order && sentence(text) == sentence(&body)
                        || tells_time(text) && tells_time(&body)
                };
                if !expected.iter().any(same) {
                    violate(
                        "wrong answer",
                        format!("{issue}#{comment} is answered {body:?}, but it should be one of {expected:?}"),
                    );
                }
            }
        }
    }
}

/// Replaces the commits in an answer's image URLs with `*`.
fn without_commits(body: &str) -> String {
    let mut parts = body.split("/blob/");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("/blob/*");
        text.push_str(part.split_once('/').map_or(part, |(_, rest)| &part[part.len() - rest.len() - 1..]));
    }
    text
}
