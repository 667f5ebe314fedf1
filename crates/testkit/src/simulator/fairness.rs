//! Checks that no person can use the bot against another: by invitations, by draws without a game, or by waking a closed issue.
//!
//! These checks read answers and records as text and JSON, without the product's rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::Millis;
use answers::Marker;
use serde_json::Value;
use table::CommentRef;

use crate::simulator::core::Violate;
use crate::simulator::{Core, Mode};

/// The longest time after which a lost request may still take effect, in milliseconds: in most stories, and in harsh ones.
const MAX_DELAY: [Millis; 2] = [20_000, 5 * 60_000];

/// Checks the outcome of a story.
pub(crate) fn check(core: &Core, violate: &mut Violate<'_>) {
    // A record that lost commits doesn't know whom it mentioned.
    if core.mode != Mode::Wrecked {
        mentions(core, violate);
    }
    rated_draws(core, violate);
    closed_issues(core, violate);
}

/// Checks that invitations in an issue mention a person once until they write again, and at most three people who never write.
fn mentions(core: &Core, violate: &mut Violate<'_>) {
    let mut answered = BTreeSet::new();
    let mut mentioned: BTreeMap<(u64, String), Millis> = BTreeMap::new();
    for answer in &core.ledger.answers {
        let Some(Marker { source, .. }) = Marker::parse(&answer.body) else { continue };
        let invited_at = core.ledger.comments.get(&source).map_or(0, |posted| posted.versions[0].at);
        // A second answer to the same command is deleted.
        if !answered.insert(source) {
            continue;
        }
        let Some((_, rest)) = answer.body.split_once(" invites @") else { continue };
        let login: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        // They may have come through a link, in another issue.
        let wrote: Vec<Millis> = comments(core).filter(|(_, author, _)| *author == login).map(|(.., at)| at).collect();
        let before = mentioned.insert((answer.issue, login.clone()), invited_at);
        if before.is_some_and(|before| !wrote.iter().any(|at| *at >= before)) {
            violate("mentioned again", format!("issue {} mentions {login} again", answer.issue));
        }
    }
    let mut silent: BTreeMap<u64, BTreeSet<&String>> = BTreeMap::new();
    for (issue, login) in mentioned.keys() {
        if !comments(core).any(|(_, author, _)| author == *login) {
            silent.entry(*issue).or_default().insert(login);
        }
    }
    for (issue, people) in silent.into_iter().filter(|(_, people)| people.len() > 3) {
        violate("mentioned many", format!("issue {issue} mentions {people:?}, who never wrote"));
    }
}

fn max_delay(core: &Core) -> Millis {
    MAX_DELAY[usize::from(matches!(core.mode, Mode::Harsh | Mode::Wrecked))]
}

/// Returns each comment with its author and time.
fn comments(core: &Core) -> impl Iterator<Item = (CommentRef, String, Millis)> {
    let comments = core.ledger.comments.iter();
    comments.map(|(source, posted)| (*source, posted.login.clone(), posted.versions[0].at))
}

/// Checks that both players moved in every draw that was counted.
fn rated_draws(core: &Core, violate: &mut Violate<'_>) {
    let files = core.state.head_files().into_iter().flatten();
    for (path, text) in files.filter(|(path, _)| path.starts_with("state/") && path.ends_with(".json")) {
        let Ok(record) = serde_json::from_str::<Value>(text) else { continue };
        let is_open = record["seats"] == "open" || record.get("movers").is_some();
        if record["status"] != "draw" || record.get("counted").is_none() || is_open {
            continue;
        }
        let history = record["history"].as_array().map_or(&[][..], Vec::as_slice);
        let movers: BTreeSet<_> =
            history.iter().filter(|event| event["type"] == "move").filter_map(|event| event["seat"].as_str()).collect();
        // An announced answer is a move by the opponent.
        let is_answered = |event: &Value| {
            event["then"].as_array().is_some_and(|then| then.iter().any(|next| next.get("if").is_some()))
        };
        if movers.len() < 2 && !history.iter().any(is_answered) {
            violate("rated draw", format!("{path} is a rated draw in which only {movers:?} moved"));
        }
    }
}

/// Checks that an issue that the host closed stays closed, unless a rematch began later.
fn closed_issues(core: &Core, violate: &mut Violate<'_>) {
    for (issue, closed_at) in &core.ledger.closed_by_host {
        let is_rematch = |body: &str| body.split_once('\n').is_some_and(|(_, text)| text.starts_with("Round "));
        let mut answers = core.ledger.answers.iter().filter(|answer| is_rematch(&answer.body));
        let has_rematch = answers.any(|answer| answer.at + max_delay(core) > *closed_at);
        if !has_rematch && core.state.issues.get(issue).is_some_and(|issue| !issue.closed) {
            violate("reopened", format!("the host closed issue {issue}, and the bot opened it again"));
        }
    }
}
