//! Performs people's steps on the repository.

use std::rc::Rc;
use std::sync::Arc;

use answers::{Marker, Notice, NoticeKind, OutputFormat, announce};
use games::AnyPosition;
use protocol::{Trigger, table_to_read};
use table::{
    CommentId, CommentRef, HostPolicy, IssueNumber, Oid, Permission, Query, Table, Timestamp, VoteReaction,
    parse_comment,
};

use crate::simulator::core::{CommentVersion, PostedComment};
use crate::simulator::rng::Rng;
use crate::simulator::story::first_title;
use crate::simulator::table_history::CachedTable;
use crate::simulator::{Action, Core, Person, Step, Text, boards, table_history};
use crate::world::{Issue, Note};
use crate::{Millis, place};

/// A README with the bot's markers, and the host's text around them.
pub(crate) const PAGE: &str = "# A page\n\n<!-- play-by-commit:table 1 -->\n<!-- /play-by-commit:table -->\n\nMore.\n\n\
                        <!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n\n\
                        <!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\nThe end.\n";

/// The label of issues where the bot listens, in some stories.
pub(crate) const LABEL: &str = "games";

/// Performs a step. Returns the trigger if the step starts a run.
pub(crate) fn act(core: &mut Core, step: &Step) -> Option<Trigger> {
    let trigger = match &step.action {
        Action::StartRun { comment, .. } => event_trigger(core, *comment),
        Action::Sweep { .. } => Some(Trigger::Sweep),
        Action::RestartServer { .. } => None,
        action => {
            perform(core, step.id, action);
            None
        }
    };
    core.changed();
    trigger
}

/// Returns the trigger of a comment's event, which contains the original text.
fn event_trigger(core: &Core, comment: u32) -> Option<Trigger> {
    let source = *core.ledger.places.get(&comment)?;
    let first = |comment| {
        let posted = core.ledger.comments.get(&CommentRef { comment, ..source });
        posted.and_then(|posted| posted.versions[0].text.clone()).unwrap_or_default()
    };
    let comment = if source.is_body() { None } else { Some(first(source.comment)) };
    Some(Trigger::Comment { source, table: table_to_read(&first(CommentId::BODY), comment.as_deref()) })
}

/// Performs an action of a person, or of GitHub.
fn perform(core: &mut Core, id: u32, action: &Action) {
    match action {
        Action::OpenIssue { issue, author, text } => open_issue(core, id, *issue, author, text),
        Action::Comment { issue, author, text } => post_comment(core, id, *issue, author, text),
        Action::EditComment { comment, text } => edit(core, *comment, text),
        Action::OverwriteComment { comment, text } => overwrite(core, *comment, text),
        Action::PostMany { issue, count } => post_many(core, *issue, *count),
        Action::DeleteComment { comment } => delete_comment(core, *comment),
        Action::Vote { issue, login, reactions } => vote(core, *issue, login, reactions),
        Action::DeleteBallot { issue } => delete_ballot(core, *issue),
        Action::UnrelatedCommit => {
            let count = core.state.commits.len();
            land(core, "elsewhere.txt", format!("{count}\n"));
        }
        Action::EditReadme => {
            if let Some(text) = core.file("README.md") {
                land(core, "README.md", text.replacen("# A page", "# A page!", 1));
            }
        }
        Action::DamageRecord { issue } => damage_record(core, *issue),
        Action::RestoreRecord { issue } => restore_record(core, *issue),
        Action::ChangePermissions { revoked } => {
            core.forbidden = *revoked;
            core.trace(|| format!("the token {} its permissions", if *revoked { "loses" } else { "has" }));
        }
        Action::ShiftClock { by } => {
            core.clock = *by;
            core.trace(|| format!("clocks are {by} ms ahead"));
        }
        Action::LockIssue { issue, locked } => lock_issue(core, *issue, *locked),
        Action::LimitInteractions { limited } => limit_interactions(core, *limited),
        Action::HideIssue { issue, hidden: true } => hide_issue(core, *issue),
        Action::HideIssue { issue, hidden: false } => show_issue(core, *issue),
        Action::CloseIssue { issue } => close_issue(core, *issue),
        Action::ShowBoard { issue } => show_board(core, *issue),
        Action::DeleteIssue { issue } => delete_issue(core, *issue),
        Action::DeleteAccount { login } => delete_account(core, login),
        Action::DeleteBranch => delete_branch(core),
        Action::RestoreBranch => restore_branch(core),
        Action::RemoveCommits { commits } => remove_commits(core, *commits),
        Action::StartRun { .. } | Action::Sweep { .. } | Action::RestartServer { .. } => {
            unreachable!("they concern runs")
        }
    }
}

/// Repairs everything that the story broke.
pub(crate) fn repair_all(core: &mut Core) {
    core.forbidden = false;
    core.clock = 0;
    core.state.limits_interactions = false;
    core.hidden_issues.keys().copied().collect::<Vec<_>>().into_iter().for_each(|issue| show_issue(core, issue));
    core.state.issues.keys().copied().collect::<Vec<_>>().into_iter().for_each(|issue| lock_issue(core, issue, false));
    restore_branch(core);
    for issue in core.original_records.keys().copied().collect::<Vec<_>>() {
        restore_record(core, issue);
    }
    core.changed();
}

fn open_issue(core: &mut Core, id: u32, issue: u64, author: &Person, text: &Text) {
    // GitHub doesn't reuse the numbers of deleted issues.
    if core.ledger.comments.contains_key(&place(issue, 0)) {
        return;
    }
    let Some((login, text)) = resolve(core, author, text) else { return };
    if core.state.limits_interactions && core.state.person(&login).permission < Permission::Write {
        return;
    }
    let time = core.state.second();
    let body = Note {
        id: 0,
        author: Some(login.clone()),
        text: text.clone(),
        created: time,
        edited: None,
        editor: None,
        minimized: false,
    };
    let title = first_title(core.seed, issue, &text);
    // One issue of four lacks the label.
    let is_labeled = core.state.labels.contains(LABEL) && issue % 4 != 3;
    let labels = if is_labeled { vec![LABEL.to_owned()] } else { Vec::new() };
    core.state.issues.insert(issue, Arc::new(Issue { title, labels, ..Issue::new(body) }));
    record_comment(core, id, place(issue, 0), login, text);
}

fn post_comment(core: &mut Core, id: u32, issue: u64, author: &Person, text: &Text) {
    let Some(found) = core.state.issues.get(&issue) else { return };
    let locked = found.locked || core.state.limits_interactions;
    let full = core.state.is_full(issue);
    let Some((login, text)) = resolve(core, author, text) else { return };
    if full || locked && core.state.person(&login).permission < Permission::Write {
        return;
    }
    let comment = core.state.add_comment(issue, &login, &text);
    record_comment(core, id, place(issue, comment), login, text);
}

fn record_comment(core: &mut Core, id: u32, source: CommentRef, login: String, text: String) {
    let (issue, comment) = (source.issue.get(), source.comment.get());
    core.trace(|| format!("{login} in {issue}, comment {comment}: {text:?}"));
    let version = CommentVersion { at: core.now, time: core.state.second(), text: Some(text) };
    core.ledger.places.insert(id, source);
    core.ledger.comments.insert(source, PostedComment { login, versions: vec![version] });
}

fn edit(core: &mut Core, comment: u32, text: &Text) {
    let Some(source) = core.ledger.places.get(&comment).copied() else { return };
    if core.deleted_accounts.contains(&core.ledger.comments[&source].login) {
        return;
    }
    let (Text::Literal(text), time) = (text, core.state.second()) else { return };
    let Some(issue) = core.state.issue_mut(source.issue.get()) else { return };
    let Some(note) = find_note(issue, source.comment.get()) else { return };
    // Edits don't change the table that a command addresses; see `docs/SIMULATION.md`.
    if parse_comment(&note.text).table_number() != parse_comment(text).table_number() {
        return;
    }
    note.text.clone_from(text);
    (note.edited, note.editor) = (Some(time), None);
    issue.updated = time;
    core.trace(|| format!("{}#{} is edited: {text:?}", source.issue.get(), source.comment.get()));
    record_version(core, source, Some(text.clone()));
}

/// Returns the newest ballot in an issue.
fn newest_ballot(core: &Core, issue: u64) -> Option<CommentRef> {
    let is_ballot = |note: &&Note| {
        note.author.as_ref() == Some(&core.state.bot)
            && Notice::parse(&note.text).is_some_and(|notice| notice.kind == NoticeKind::Ballot)
    };
    let found = core.state.issues.get(&issue)?;
    found.comments.iter().rfind(is_ballot).map(|note| place(issue, note.id))
}

fn vote(core: &mut Core, issue: u64, login: &str, reactions: &[VoteReaction]) {
    let Some(ballot) = newest_ballot(core, issue).filter(|_| !core.deleted_accounts.contains(login)) else { return };
    let person = core.state.person(login).id;
    core.state.reactions.retain(|(to, by, _)| (*to, *by) != (ballot, person));
    for reaction in reactions {
        core.state.reactions.insert((ballot, person, reaction.name().to_owned()));
    }
    core.ledger.voters.entry(ballot).or_default().insert(person);
    core.trace(|| format!("{login} votes {reactions:?} in issue {issue}"));
}

fn delete_ballot(core: &mut Core, issue: u64) {
    if let Some(ballot) = newest_ballot(core, issue) {
        core.state.delete(ballot);
        core.trace(|| format!("the ballot of issue {issue} is deleted"));
    }
}

/// Edits a comment as the host. The bot ignores it from then on.
fn overwrite(core: &mut Core, comment: u32, text: &Text) {
    let Some(source) = core.ledger.places.get(&comment).copied() else { return };
    let (Text::Literal(text), time) = (text, core.state.second()) else { return };
    if core.ledger.comments[&source].login == "host" {
        return;
    }
    let Some(issue) = core.state.issue_mut(source.issue.get()) else { return };
    let Some(note) = find_note(issue, source.comment.get()) else { return };
    note.text.clone_from(text);
    (note.edited, note.editor) = (Some(time), Some("host".to_owned()));
    issue.updated = time;
    core.trace(|| format!("{}#{} is overwritten: {text:?}", source.issue.get(), source.comment.get()));
    record_version(core, source, None);
}

/// Returns a comment, or the body if `comment` is 0.
fn find_note(issue: &mut Issue, comment: u64) -> Option<&mut Note> {
    if comment == 0 {
        return Some(&mut issue.body);
    }
    issue.comments.iter_mut().find(|note| note.id == comment)
}

/// Posts many long comments.
fn post_many(core: &mut Core, issue: u64, count: u32) {
    for _ in 0..count {
        let room = core.state.issues.get(&issue).is_some_and(|there| !there.locked) && !core.state.is_full(issue);
        if !room || core.deleted_accounts.contains("carol") {
            return;
        }
        core.state.add_comment(issue, "carol", &"na ".repeat(2_700));
    }
    core.trace(|| format!("carol floods issue {issue} with {count} comments"));
}

fn delete_comment(core: &mut Core, comment: u32) {
    let Some(source) = core.ledger.places.get(&comment).copied().filter(|source| source.comment.get() != 0) else {
        return;
    };
    if core.state.exists(source) {
        core.state.delete(source);
        core.trace(|| format!("{}#{} is deleted", source.issue.get(), source.comment.get()));
        record_version(core, source, None);
    }
}

fn record_version(core: &mut Core, source: CommentRef, text: Option<String>) {
    let version = CommentVersion { at: core.now, time: core.state.second(), text };
    core.ledger.comments.get_mut(&source).expect("it was posted").versions.push(version);
}

fn lock_issue(core: &mut Core, issue: u64, locked: bool) {
    if core.state.issues.get(&issue).is_some_and(|found| found.locked != locked) {
        core.state.set_locked(issue, locked);
        if !locked {
            core.ledger.unlocked.push((issue, core.state.second()));
        }
        core.trace(|| format!("issue {issue} is {}", if locked { "locked" } else { "open again" }));
    }
}

fn limit_interactions(core: &mut Core, limited: bool) {
    core.state.limits_interactions = limited;
    core.trace(|| format!("interactions are {}", if limited { "limited" } else { "free again" }));
}

/// Hides an issue, as GitHub does during an incident, or if it takes the author for a spammer.
fn hide_issue(core: &mut Core, issue: u64) {
    if let Some(hidden) = core.state.issues.remove(&issue) {
        core.hidden_issues.insert(issue, hidden);
        core.ledger.hidden.push((issue, core.now, Millis::MAX));
        core.trace(|| format!("issue {issue} isn't shown"));
    }
}

fn show_issue(core: &mut Core, issue: u64) {
    if let Some(hidden) = core.hidden_issues.remove(&issue) {
        core.state.issues.insert(issue, hidden);
        let now = core.now;
        core.ledger.hidden.iter_mut().filter(|entry| entry.0 == issue).for_each(|entry| entry.2 = entry.2.min(now));
        core.trace(|| format!("issue {issue} is shown again"));
    }
}

fn close_issue(core: &mut Core, issue: u64) {
    if core.state.issues.contains_key(&issue) {
        core.state.close(issue);
        core.ledger.closed_by_host.insert(issue, core.now);
        core.trace(|| format!("the host closes issue {issue}"));
    }
}

fn show_board(core: &mut Core, issue: u64) {
    let Some(source) = boards::oldest_minimized(core, issue) else { return };
    let note = core.state.issue_mut(issue).and_then(|issue| find_note(issue, source.comment.get()));
    note.into_iter().for_each(|note| note.minimized = false);
    core.ledger.shown_again.insert(source, core.now);
    core.trace(|| format!("the host shows the board {issue}#{} again", source.comment));
}

fn delete_issue(core: &mut Core, issue: u64) {
    if core.state.issues.remove(&issue).is_some() {
        core.ledger.vanished.insert(issue, core.now);
        core.trace(|| format!("issue {issue} is deleted"));
    }
}

/// Deletes an account, unless it opened an issue: permissions depend on an issue's author.
fn delete_account(core: &mut Core, login: &str) {
    let has_opened = |source: &CommentRef, posted: &PostedComment| source.comment.get() == 0 && posted.login == login;
    if core.ledger.comments.iter().any(|(source, posted)| has_opened(source, posted)) {
        return;
    }
    core.trace(|| format!("{login} deletes the account"));
    core.deleted_accounts.insert(login.to_owned());
    for issue in core.state.issues.values_mut() {
        for note in &mut Arc::make_mut(issue).comments {
            note.author.take_if(|author| author == login);
        }
    }
    let comments = core.ledger.comments.iter().filter(|(_, posted)| posted.login == login);
    for source in comments.map(|(source, _)| *source).collect::<Vec<_>>() {
        record_version(core, source, None);
    }
}

fn land(core: &mut Core, path: &str, text: String) {
    let branch = core.state.state_branch().to_owned();
    if core.state.branches.contains_key(&branch) {
        core.state.land(&branch, &[(path.to_owned(), text)], "Something else", "");
        core.trace(|| format!("someone commits {path}"));
    }
}

fn damage_record(core: &mut Core, issue: u64) {
    let path = format!("state/{issue}.json");
    if core.original_records.contains_key(&issue) {
        return;
    }
    let Some(text) = core.file(&path) else { return };
    land(core, &path, text.replacen("\"game\":", "\"gaem\":", 1));
    core.original_records.insert(issue, text);
    core.ledger.damaged.insert(issue);
}

fn restore_record(core: &mut Core, issue: u64) {
    if !core.state.branches.contains_key(core.state.state_branch()) {
        return;
    }
    if let Some(text) = core.original_records.remove(&issue) {
        land(core, &format!("state/{issue}.json"), text);
    }
}

fn delete_branch(core: &mut Core) {
    let branch = core.state.state_branch().to_owned();
    core.deleted_head = core.state.branches.remove(&branch).or(core.deleted_head.take());
    core.trace(|| "the branch is deleted".to_owned());
}

fn restore_branch(core: &mut Core) {
    if let Some(oid) = core.deleted_head.take() {
        let branch = core.state.state_branch().to_owned();
        core.state.branches.insert(branch, oid);
        core.trace(|| "the branch is where it was".to_owned());
    }
}

fn remove_commits(core: &mut Core, commits: u32) {
    let branch = core.state.state_branch().to_owned();
    for _ in 0..commits {
        let head = core.state.branches.get(&branch);
        let Some(parent) = head.and_then(|head| core.state.commits[head].parent.clone()) else { return };
        core.state.branches.insert(branch.clone(), parent);
    }
    core.trace(|| format!("{commits} commits are taken out"));
}

// Chooses the author and the text of a comment, which may depend on the current board.

/// Returns a comment's author and text for the current board.
fn resolve(core: &Core, author: &Person, text: &Text) -> Option<(String, String)> {
    let login = match author {
        Person::Named(login) => login.clone(),
        Person::ToMove(table) => player_to_move(core, *table),
        Person::Waiting(table) => waiting_player(core, *table),
    };
    let text = match text {
        Text::Literal(text) => text.clone(),
        Text::Move { table, nth, phrase } | Text::AlongLine { table, nth, phrase } => {
            let announced =
                if matches!(text, Text::AlongLine { .. }) { announced_moves(core, *table) } else { Vec::new() };
            let moves = if announced.is_empty() { moves(core, *table) } else { announced };
            let at = usize::try_from(*nth).ok()?.checked_rem(moves.len()).unwrap_or(0);
            phrase.replace("{}", moves.get(at).map_or("b2", String::as_str))
        }
        Text::Line { table, nth, moves } => random_lines(core, *table, *nth, *moves),
        Text::Forged { issue, names_commit } => {
            let comment = core.state.issues.get(issue)?.comments.last().map_or(0, |note| note.id);
            let source = place(*issue, comment);
            let commit = head(core).filter(|_| *names_commit);
            Marker { source, table: IssueNumber::new(*issue), commit, has_board: true, sets_away: false }
                .prepend_to("**bob**: No.")
        }
        Text::ForgedNotice { issue, is_flag } => forge_notice(core, *issue, *is_flag),
    };
    Some((login, text)).filter(|(login, _)| !core.deleted_accounts.contains(login))
}

/// Returns a notice that someone makes up about a table's last event.
fn forge_notice(core: &Core, issue: u64, is_flag: bool) -> String {
    let (round, event) = table(core, issue).map_or((1, 1), |table| (table.round(), table.event_count()));
    let kind = if is_flag { NoticeKind::Flag } else { NoticeKind::Reminder };
    let commit = head(core).filter(|_| is_flag);
    Notice { kind, table: IssueNumber::new(issue), round, event, commit, settings: None }
        .prepend_to("**bob** ran out of time.")
}

/// Returns the head of the state branch.
fn head(core: &Core) -> Option<Oid> {
    core.state.branches.get(core.state.state_branch()).and_then(|oid| Oid::parse(oid))
}

fn table(core: &Core, issue: u64) -> Option<Rc<CachedTable>> {
    table_history::find(core.state.head_files()?, issue)
}

fn player_to_move(core: &Core, issue: u64) -> String {
    let Some(table) = table(core, issue) else { return "bob".to_owned() };
    let [to_move, other] = table.logins();
    let free = || ["bob", "carol", "alice"].into_iter().find(|login| other != Some(login)).unwrap_or("host");
    to_move.unwrap_or_else(free).to_owned()
}

fn waiting_player(core: &Core, issue: u64) -> String {
    let table = table(core, issue);
    table.and_then(|table| table.logins()[1].map(str::to_owned)).unwrap_or_else(|| "alice".to_owned())
}

/// Returns the moves to which the opponent of the player to move has announced a reply.
fn announced_moves(core: &Core, issue: u64) -> Vec<String> {
    let Some(table) = table(core, issue) else { return Vec::new() };
    let branches = table.state().conditional_moves().tree_of(table.player_to_move().other());
    branches.iter().filter(|branch| branch.mv.is_some()).map(|branch| branch.notation.clone()).collect()
}

/// Returns `/if` and lines of random legal moves, separated the way people do.
fn random_lines(core: &Core, issue: u64, nth: u64, count: u64) -> String {
    fn random_line(start: &AnyPosition, rng: &mut Rng, count: u64) -> String {
        let (mut line, mut game) = (String::new(), start.clone());
        for at in 0..count {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = rng.choose(&legal);
            if at % 2 == 1 && rng.percent(4) {
                line.push_str(" resign");
                break;
            }
            let after = game.play(mv);
            if at % 2 == 0 && rng.percent(10) && !after.legal_moves().is_empty() {
                line.extend([" any ", &after.notation(rng.choose(&after.legal_moves()))]);
                break;
            }
            let separators = if at % 2 == 0 { [" ", ", ", " "] } else { [" ", " then ", " -> "] };
            let separator = if at == 0 { " " } else { *rng.choose(&separators) };
            line.extend([separator, &game.notation(mv)]);
            game = game.play(mv);
        }
        line
    }
    let Some(table) = table(core, issue) else { return "/if b2 a1".to_owned() };
    let mut rng = Rng::new(nth);
    let mut text = format!("/if{}", random_line(table.game(), &mut rng, count));
    while rng.percent(40) {
        let begin = *rng.choose(&[";", "\n", "\n\n/if", "\n- ", "\nThat's all.\n"]);
        text.extend([begin, &random_line(table.game(), &mut rng, count)]);
    }
    text
}

/// Returns the legal moves that `/moves` lists.
fn moves(core: &Core, issue: u64) -> Vec<String> {
    let Some(table) = table(core, issue) else { return Vec::new() };
    let list = |table: &Table| {
        let text = announce::show(
            &Query::Moves,
            Some(table),
            &HostPolicy::default(),
            Timestamp::EPOCH,
            OutputFormat::MarkdownText,
        );
        let listed = text.split("legal move").nth(1).unwrap_or_default();
        listed.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    table.moves(list).to_vec()
}
