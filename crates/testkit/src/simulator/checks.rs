//! Checks the final data and the ledger after the last sweep.
//!
//! Records are replayed with the product's own code, and the standings are compared with its own recount. So these checks notice
//! files that disagree, but not a wrong rule of a game or of the ratings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use answers::{Marker, TableList};
use standings::audit::audit;
use table::{CommentRef, GameSummary, InvalidFile, IssueNumber, Table, parse_comment};

use crate::simulator::core::{MAX_ANSWERS_PER_PERSON, PostedComment, Violate, Violation};
use crate::simulator::order::clocks::filed_start;
use crate::simulator::schedule::{SECRET, SETTLING_RUNS, repo_config, run_story};
use crate::simulator::table_history::{CachedTable, TableHistories, games_at, known_absences};
use crate::simulator::{Core, Mode, Story, boards, clocks, display, fairness, foreign, order, table_history};
use crate::world::Request;

/// The maximum number of requests of a run, without reads of older pages. It allows several waits of three minutes that poll
/// every two seconds.
const MAX_REQUESTS: usize = 800;

/// Runs a story and returns every violation.
pub fn verdict(story: &Story) -> Vec<Violation> {
    table_history::clear();
    let mut core = run_story(story, false);
    check(story, &mut core);
    core.ledger.violations
}

/// Checks the outcome of a story, and adds violations to the ledger.
pub fn check(story: &Story, core: &mut Core) {
    let mut wrong: Vec<Violation> = Vec::new();
    let mut violate = |kind: &'static str, what: String| wrong.push(Violation { kind, what });
    for run in core.ledger.requests.keys().filter(|run| **run >= SETTLING_RUNS) {
        match core.ledger.ends.get(run) {
            Some(Ok(())) => {}
            // If the branch lost the commit that opened a table, only the host can restore it.
            Some(Err(why)) if story.mode == Mode::Wrecked && why.contains("is missing, but the bot answered issue") => {
            }
            Some(Err(why)) => violate("last sweep", format!("a final sweep fails: {why}")),
            None => violate("last sweep", "a final sweep does not end".to_owned()),
        }
    }
    records(core, &mut violate);
    summaries(core, &mut violate);
    answers(story, core, &mut violate);
    foreign_files(core, story, &mut violate);
    request_budget(story, core, &mut violate);
    searches(core, &mut violate);
    commands_per_person(core, &mut violate);
    secrets(core, &mut violate);
    standings(core, &mut violate);
    table_list(story, core, &mut violate);
    foreign::check(story, core, &mut violate);
    display::check(story, core, &mut violate);
    boards::check(story, core, &mut violate);
    clocks::check(story, core, &mut violate);
    fairness::check(core, &mut violate);
    let histories = TableHistories::from_commits(core);
    order::check(story, core, &histories, &mut violate);
    for Violation { kind, what } in wrong {
        core.violate(kind, what);
    }
}

/// Returns every record and every archived game at the head, by path.
pub(super) fn tables(core: &Core) -> BTreeMap<String, Result<Rc<CachedTable>, InvalidFile>> {
    let records = core.state.head_files().into_iter().flatten().filter_map(|(path, text)| {
        let name = path.strip_prefix("state/")?.strip_suffix(".json")?;
        let number = name.strip_prefix("archive/").map_or(Some(name), |name| Some(name.split_once('-')?.0))?;
        Some((path.clone(), table_history::load(text, number.parse().ok()?)))
    });
    records.collect()
}

/// Checks that every record replays with the same computer moves, and that no command was applied twice.
fn records(core: &Core, violate: &mut Violate<'_>) {
    let mut applied: BTreeSet<CommentRef> = BTreeSet::new();
    for (path, table) in tables(core) {
        let table = match table {
            Ok(table) => table,
            Err(why) => {
                violate("record", format!("{path} does not replay: {why}"));
                continue;
            }
        };
        let replies = table.reply_mismatches();
        if !replies.is_empty() {
            violate("reply", format!("{path} has computer replies that recomputing doesn't give: {replies:?}"));
        }
        // The table's new issue repeats its whole history.
        if table.has_moved_away() {
            continue;
        }
        for source in table.sources() {
            if !applied.insert(source) {
                violate("applied twice", format!("{}#{} was applied twice", source.issue.get(), source.comment.get()));
            }
        }
    }
}

/// Checks that exactly the games in progress have a summary, and that it shows their records.
fn summaries(core: &Core, violate: &mut Violate<'_>) {
    let Some(files) = core.state.head_files() else { return };
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (path, table) in tables(core) {
        let (false, Ok(table)) = (path.contains("/archive/"), table) else { continue };
        let number = table.issue().get();
        let table = table_history::with_absences(&table, known_absences(files, number));
        // Only this file says whether the player learned of their turn late.
        let table = table.clone_table().with_clock_start(filed_start(files, number).unwrap_or_default());
        let path = format!("state/running/{number}.json");
        let mut wanted = GameSummary::from_table(&table);
        if let (Some(wanted), true) = (&mut wanted, core.ledger.was_missing(number, core.now)) {
            let actual = files.get(&path).and_then(|text| GameSummary::parse(text, table.issue()).ok());
            wanted.missing_since = actual.and_then(|game| game.missing_since);
        }
        if let (Some(_), Some(at)) =
            (&wanted, core.ledger.vanished.get(&number).filter(|at| core.now > **at + 8 * 24 * 60 * 60_000))
        {
            violate("gone", format!("the game of issue {} goes on, but the issue was deleted at {at}", table.issue()));
        }
        let wanted = wanted.map(|game| game.to_json());
        if files.get(&path) != wanted.as_ref() {
            violate("running", format!("{path} is {:?}, and it should be {wanted:?}", files.get(&path)));
        }
        known.insert(path);
    }
    for path in files.keys().filter(|path| path.starts_with("state/running/") && !known.contains(*path)) {
        violate("running", format!("{path} has no record"));
    }
}

/// Checks that no command has two answers, and that every answer has a command. [`order`] finds missing and wrong answers.
fn answers(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    for (issue, thread) in &core.state.issues {
        let mut seen = BTreeSet::new();
        for note in thread.comments.iter().filter(|note| is_the_bots(story, note.author.as_deref())) {
            let Some(marker) = Marker::parse(&note.text) else { continue };
            let CommentRef { comment, .. } = marker.source;
            // A run reads the newest page first, so in a longer thread it may miss an earlier answer. A limit on replies makes the
            // pages shorter.
            let is_one_page =
                thread.comments.len() <= story.setting.comments_per_page && story.setting.max_reply_bytes.is_none();
            let in_sight = is_one_page || story.mode == Mode::Strict;
            if !seen.insert(marker.source) && in_sight {
                violate("two answers left", format!("{issue}#{comment} has two answers"));
            }
            if !core.ledger.comments.contains_key(&marker.source) {
                violate("answer to nobody", format!("{issue}#{comment} was answered, but nobody posted it"));
            }
        }
    }
}

/// Whether this is one of the accounts that the bot ran as.
pub(super) fn is_the_bots(story: &Story, author: Option<&str>) -> bool {
    match author {
        Some("github-actions") => true,
        Some("alice") => story.setting.uses_token_of_player,
        Some("host") => story.setting.switches_account,
        _ => false,
    }
}

/// Checks that other people's commits are intact, and that the bot changed pages only between its markers.
fn foreign_files(core: &Core, story: &Story, violate: &mut Violate<'_>) {
    if story.mode == Mode::Wrecked {
        return;
    }
    let landed: BTreeSet<&str> = core.ledger.landed.iter().map(|landed| landed.oid.as_str()).collect();
    let (mut elsewhere, mut page) = (None, None);
    for (_, head) in &core.ledger.heads {
        let Some(head) = head.as_ref().filter(|head| !landed.contains(head.as_str())) else { continue };
        let files = &core.state.commits[head].files;
        elsewhere = files.get("elsewhere.txt").cloned();
        page = files.get("README.md").cloned();
    }
    if core.file("elsewhere.txt") != elsewhere {
        violate("foreign", "the bot changed someone else's file".to_owned());
    }
    let outside = |text: Option<String>| text.map(|text| outside(&text));
    if outside(core.file("README.md")) != outside(page) {
        violate("foreign", "the bot changed the page outside its markers".to_owned());
    }
    for name in core.state.head_files().into_iter().flat_map(BTreeMap::keys) {
        if !(name.starts_with("state/") || matches!(name.as_str(), "README.md" | "elsewhere.txt")) {
            violate("foreign", format!("{name} isn't one of the bot's files"));
        }
    }
}

/// Checks that the list's file has the tables as the records have them, and that the page shows the file.
fn table_list(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    if story.mode == Mode::Wrecked {
        return;
    }
    let page = core.file("README.md").unwrap_or_default();
    let inside = page.split_once("<!-- play-by-commit:tables -->").and_then(|(_, rest)| rest.split_once("<!-- /"));
    let Some((inside, _)) = inside else { return };
    let text = core.file("state/tables.json").unwrap_or_default();
    let listed = match TableList::parse(&text) {
        Ok(listed) => listed,
        Err(why) => return violate("listing", format!("state/tables.json is damaged: {why}")),
    };
    let records = tables(core).into_iter().filter(|(path, _)| !path.contains("/archive/"));
    let records = records.filter_map(|(_, table)| table.ok());
    let records: Vec<_> = records.filter(|table| !foreign::is_foreign(table.repository())).collect();
    let mut right = listed.clone();
    right.set_running(games_at(core, core.state.branches.get(core.state.state_branch())));
    records.iter().for_each(|table| right.update(table));
    if listed != right {
        violate("listing", format!("the list has {listed:?}, and it should have {right:?}"));
    }
    let shown = repo_config(story).links().map(|links| listed.markdown(&links));
    if shown.as_deref() != Some(inside.trim()) {
        violate("listing", format!("the page lists {inside}, and it should list {shown:?}"));
    }
}

/// Returns a page's text outside the markers.
fn outside(text: &str) -> String {
    let mut own = String::new();
    let mut inside = false;
    for line in text.lines().filter(|line| !line.is_empty()) {
        inside &= !line.starts_with("<!-- /play-by-commit");
        if !inside {
            // A relocated table changes the number in its marker.
            let marker = line.starts_with("<!-- play-by-commit:table");
            own.push_str(if marker { "<!-- play-by-commit:table -->" } else { line });
            own.push('\n');
        }
        inside |= line.starts_with("<!-- play-by-commit");
    }
    own
}

/// Checks the number of requests. Without faults a move costs one read, one commit and one answer; a finished game costs another
/// read, and so does a second table.
fn request_budget(story: &Story, core: &Core, violate: &mut Violate<'_>) {
    let texts = core.ledger.comments.values().flat_map(PostedComment::texts);
    let named: BTreeSet<u64> =
        texts.filter_map(|text| parse_comment(text).table_number()).map(IssueNumber::get).collect();
    for (run, requests) in &core.ledger.requests {
        let count = |kind: Request| requests.iter().filter(|request| **request == kind).count();
        if requests.len() - count(Request::Page) > MAX_REQUESTS && *run < SETTLING_RUNS {
            violate("requests", format!("run {run} made {} requests", requests.len()));
        }
        // Servers count votes at the same second.
        let is_look = core.ledger.looks.contains(run) || count(Request::Sweep) > 0;
        if story.mode != Mode::Calm || is_look || story.setting.has_state_branch {
            continue;
        }
        // A run that notices a vote only reacts to it.
        let settled = count(Request::Answer).max(count(Request::React)).max(1);
        let others = [Request::Files, Request::Commit, Request::React, Request::Reopen];
        // If the table's last command came from another issue, the bot looks for its answer there. If a comment names yet another
        // table, the bot reads that one, and then looks again.
        // When a player who moved by a link first writes at the table, the bot assigns the issue to them, after one more read.
        let assigns = usize::from(count(Request::Assign) > 0);
        let lists = count(Request::Folder);
        let reads = count(Request::Read) > 2 * settled + 1 + usize::from(named.len() > 1) + assigns + 2 * lists;
        // `/away` reads the person's file and every game in progress, and then the thread once more.
        // Without faults there is at most one update to repair: a player may have removed the label.
        let reads = reads || count(Request::Close) + count(Request::Label) > 1;
        // The worst case has six requests, three of them writes: a move from a new issue ends a game whose last event came from
        // a third issue, or starts a rematch, which reopens its issue.
        let looks = [Request::Read, Request::Files, Request::Permission, Request::Account];
        let writes = requests.iter().filter(|request| !looks.contains(request)).count();
        let many = requests.len() > 6 * settled + 1 + 2 * assigns + 4 * lists || writes > 3 * settled + 1 + lists;
        let settled = settled + lists;
        if reads || many || others.iter().any(|kind| count(*kind) > settled) {
            violate("budget", format!("run {run} made {requests:?}"));
        }
    }
}

/// The maximum number of searches for an event that wasn't committed: the computer's move, and its answer to an offer.
const MAX_EXTRA_SEARCHES: usize = 2;
/// The same in backgammon, where the computer often moves several times in a row: as often as it takes to bear off, while its
/// opponent is closed out.
const MAX_EXTRA_BACKGAMMON_SEARCHES: usize = 20;

/// Checks that the computer searches only for committed replies and for hints, never for postponed comments.
fn searches(core: &Core, violate: &mut Violate<'_>) {
    let mut texts = core.ledger.comments.values().flat_map(PostedComment::texts);
    let has_backgammon = texts.any(|text| text.contains("backgammon"));
    for (run, searches) in &core.ledger.searches {
        let requests = core.ledger.requests.get(run).map_or(&[][..], Vec::as_slice);
        let commits = requests.iter().filter(|request| **request == Request::Commit).count();
        let landed: Vec<_> = core.ledger.landed.iter().filter(|landed| landed.run == *run).collect();
        let recorded: usize = landed.iter().map(|landed| effects(core, &landed.oid)).sum();
        let shown = core.ledger.shown.get(run).copied().unwrap_or_default();
        // One more for a run that was killed before its commit arrived.
        let lost = commits.saturating_sub(landed.len()) + 1;
        let extra = if has_backgammon { MAX_EXTRA_BACKGAMMON_SEARCHES } else { MAX_EXTRA_SEARCHES };
        if *searches > recorded + extra * lost + shown {
            violate("searches", format!("run {run} searches {searches} times for {commits} commits and {shown} shows"));
        }
    }
}

/// Counts the effects of the last event of each record that a commit changed.
fn effects(core: &Core, oid: &str) -> usize {
    let records =
        core.state.changed_files(oid).filter(|(path, _)| path.starts_with("state/") && path.ends_with(".json"));
    let counts = records.filter_map(|(_, text)| {
        let record: serde_json::Value = serde_json::from_str(text).ok()?;
        Some(record["history"].as_array()?.last()?["then"].as_array()?.len())
    });
    counts.sum()
}

/// Checks that no run answers more than 20 commands of one person without a commit.
fn commands_per_person(core: &Core, violate: &mut Violate<'_>) {
    let mut commands: BTreeMap<(u32, &str), BTreeSet<CommentRef>> = BTreeMap::new();
    for answer in &core.ledger.answers {
        let Some(marker) = Marker::parse(&answer.body).filter(|marker| marker.commit.is_none()) else { continue };
        let Some(posted) = core.ledger.comments.get(&marker.source) else { continue };
        commands.entry((answer.run, &posted.login)).or_default().insert(marker.source);
    }
    for ((run, login), sources) in commands.into_iter().filter(|(_, sources)| sources.len() > MAX_ANSWERS_PER_PERSON) {
        violate("patience", format!("run {run} answers {} commands of {login} without a commit", sources.len()));
    }
}

/// Checks that no output or commit contains the dice secret.
fn secrets(core: &Core, violate: &mut Violate<'_>) {
    // Only look at changed files: the others were checked in an earlier commit.
    let changed = core.state.commits.keys().flat_map(|oid| core.state.changed_files(oid)).map(|(_, text)| text);
    let ends = core.ledger.ends.values().filter_map(|end| end.as_ref().err());
    if core.ledger.outputs.iter().chain(changed).chain(ends).any(|text| text.contains(SECRET)) {
        violate("secret", "the dice secret was disclosed".to_owned());
    }
}

/// Checks that the standings equal a recount of all finished games.
fn standings(core: &Core, violate: &mut Violate<'_>) {
    let Some(files) = core.state.head_files() else { return };
    let files = files.iter().filter_map(|(path, text)| Some((path.strip_prefix("state/")?.to_owned(), text.clone())));
    let files: BTreeMap<String, String> = files.filter(|(path, _)| path.starts_with("players/")).collect();
    let tables: Vec<_> = tables(core).into_iter().filter_map(|(path, table)| Some((path, table.ok()?))).collect();
    if files.is_empty() && tables.iter().all(|(_, table)| !table.is_over()) {
        return;
    }
    let found = audit(tables.into_iter().map(|(path, table)| (path, Table::clone(&table))), &files);
    for sentence in found.faults.into_iter().chain(found.uncounted) {
        violate("standings", sentence);
    }
}
