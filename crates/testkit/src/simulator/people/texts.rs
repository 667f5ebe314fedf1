//! Chooses the author and the text of a comment, which may depend on the current board.

use std::rc::Rc;

use answers::announce;
use answers::marker::{Marker, Notice, NoticeKind};
use answers::output_format::OutputFormat;
use game::contract::Game;
use table::any_table::{AnyTable, with_table};
use table::decisions::decision::Query;
use table::decisions::host_policy::HostPolicy;
use table::ids::IssueNumber;
use table::oid::Oid;
use table::timestamp::Timestamp;

use crate::place;
use crate::simulator::core::Core;
use crate::simulator::rng::Rng;
use crate::simulator::story::{Person, Text};
use crate::simulator::table_cache::{self, CachedTable};

/// Returns a comment's author and text for the current board.
pub(super) fn resolve(core: &Core, author: &Person, text: &Text) -> Option<(String, String)> {
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
        Text::Line { table, nth, moves } => random_line(core, *table, *nth, *moves),
        Text::Forged { issue, names_commit } => {
            let comment = core.state.issues.get(issue)?.comments.last().map_or(0, |note| note.id);
            let source = place(*issue, comment);
            let commit = head(core).filter(|_| *names_commit);
            Marker { source, table: IssueNumber::new(*issue), commit }.prepend_to("**bob**: No.")
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
    Notice { kind, table: IssueNumber::new(issue), round, event, commit }.prepend_to("**bob** ran out of time.")
}

/// Returns the head of the state branch.
fn head(core: &Core) -> Option<Oid> {
    core.state.branches.get(core.state.state_branch()).and_then(|oid| Oid::parse(oid))
}

fn table(core: &Core, issue: u64) -> Option<Rc<CachedTable>> {
    table_cache::find(core.state.head_files()?, issue)
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
    with_table!(&**table, table => {
        let branches = table.state().conditional_moves().tree_of(table.player_to_move().other());
        branches.iter().map(|branch| branch.notation.clone()).collect()
    })
}

/// Returns `/if` and random legal moves, separated the way people do.
fn random_line(core: &Core, issue: u64, nth: u64, count: u64) -> String {
    fn extend<G: Game>(start: &G, rng: &mut Rng, count: u64) -> String {
        let (mut line, mut game) = ("/if".to_owned(), start.clone());
        for at in 0..count {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = rng.choose(&legal);
            let separators = if at % 2 == 0 { [" ", ", ", "; "] } else { [" ", " then ", " -> "] };
            let separator = if at == 0 { " " } else { *rng.choose(&separators) };
            line.extend([separator, &game.notation(mv)]);
            game = game.play(mv);
        }
        line
    }
    let Some(table) = table(core, issue) else { return "/if b2 a1".to_owned() };
    with_table!(&**table, table => extend(table.game(), &mut Rng::new(nth), count))
}

/// Returns the legal moves that `/moves` lists.
fn moves(core: &Core, issue: u64) -> Vec<String> {
    let Some(table) = table(core, issue) else { return Vec::new() };
    let list = |table: &AnyTable| {
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
