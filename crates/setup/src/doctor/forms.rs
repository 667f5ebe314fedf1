//! Checks the issue form for a new game, and the settings of issue forms.

use std::collections::BTreeMap;

use games::registry::{GameKind, GameVariant};
use protocol::forge::FileContent;

use crate::doctor::findings::{Findings, Grade};
use crate::templates::{CONFIG_PATHS, FORM_PATH, disables_blank_issues, issue_form};
use crate::yaml::{YamlNode, parse_yaml};

/// Checks the issue form and its settings. `games` are the allowed games; empty for all of them.
pub(super) fn check_forms(files: &BTreeMap<String, FileContent>, games: &[GameKind], findings: &mut Findings) {
    match files.get(FORM_PATH) {
        Some(FileContent::Text(text)) => check_form_text(text, games, findings),
        Some(FileContent::Unreadable(why)) => findings.error(format!("{why}.")),
        Some(FileContent::Missing) | None => findings.warning(format!(
            "There is no {FORM_PATH}, so players have to know what to type. `play-by-commit init` adds it."
        )),
    }
    for path in CONFIG_PATHS {
        if files.get(path).and_then(FileContent::text).is_some_and(disables_blank_issues) {
            findings.warning(format!(
                "{path}: with `blank_issues_enabled: false`, links on boards and links to the next game lead to \
                 GitHub's template chooser instead of a filled-in issue, except for maintainers. Set it to true."
            ));
        }
    }
}

/// Whether the bot can read a form that offers exactly these games.
pub(crate) fn offers_exactly(text: &str, games: &[GameKind]) -> bool {
    let mut findings = Findings::default();
    check_form_text(text, games, &mut findings);
    findings.all.iter().all(|finding| finding.grade == Grade::Ok)
}

/// Whether the first question of a form asks for the game, so that a filled-in form starts one.
pub(crate) fn is_game_form(text: &str) -> bool {
    let Ok(root) = parse_yaml(text) else { return false };
    questions(&root).first().is_some_and(|first| label(first) == "Game")
}

/// Returns the form with these games in its list, and everything else as it is; `None` if that isn't a form that the bot can
/// read. Games that it offers already keep their places.
pub(crate) fn with_games(text: &str, games: &[GameKind]) -> Option<String> {
    let root = parse_yaml(text).ok()?;
    let options = questions(&root).first()?.get_path(&["attributes", "options"])?;
    let games = if games.is_empty() { GameKind::ALL } else { games };
    let is_allowed = |name: &&str| GameVariant::parse(name).is_some_and(|game| games.contains(&game.kind));
    let mut names: Vec<&str> = options.names().into_iter().filter(is_allowed).collect();
    for kind in games {
        if !names.iter().any(|name| GameKind::parse(name) == Some(*kind)) {
            names.push(kind.info().name);
        }
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let is_item = |line: &String| line.trim_start().starts_with("- ");
    let begin = (0..lines.len()).skip(options.line.saturating_sub(1)).find(|at| is_item(&lines[*at]))?;
    let end = begin + lines[begin..].iter().take_while(|line| is_item(line)).count();
    let indent = lines[begin].len() - lines[begin].trim_start().len();
    drop(lines.splice(begin..end, names.iter().map(|name| format!("{}- {name}", " ".repeat(indent)))));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if offers_exactly(&text, games) { Some(text) } else { None }
}

/// Returns the questions of a form, without its texts.
fn questions(root: &YamlNode) -> Vec<&YamlNode> {
    let body = root.get("body").map(YamlNode::items).unwrap_or_default();
    body.iter().filter(|node| node.get("type").and_then(YamlNode::as_str) != Some("markdown")).collect()
}

fn label(question: &YamlNode) -> &str {
    question.get_path(&["attributes", "label"]).and_then(YamlNode::as_str).unwrap_or_default()
}

fn check_form_text(text: &str, games: &[GameKind], findings: &mut Findings) {
    if text.replace("\r\n", "\n") == issue_form(games) {
        return findings.ok(format!("{FORM_PATH}: up to date, with every game people can play."));
    }
    match parse_yaml(text) {
        Ok(root) => check_custom_form(&root, games, findings),
        Err(why) => findings.error(format!("{FORM_PATH} can't be read as YAML: {why}.")),
    }
}

/// Checks that a form which the host has changed still has the parts that the bot reads.
fn check_custom_form(root: &YamlNode, games: &[GameKind], findings: &mut Findings) {
    let questions = questions(root);
    let Some(first) = questions.first().filter(|first| label(first) == "Game") else {
        return findings.error(format!(
            "{FORM_PATH}: label the first question `Game`, because that's how the bot recognizes a filled-in form."
        ));
    };
    let unknown =
        questions.iter().skip(1).map(|node| label(node)).find(|label| !["Opponent", "Options"].contains(label));
    if let Some(unknown) = unknown {
        findings.error(format!(
            "{FORM_PATH}: remove the question `{unknown}`, or a filled-in form starts no game. The bot only knows \
             `Game`, `Opponent` and `Options`."
        ));
    }
    let offered = first.get_path(&["attributes", "options"]).map(YamlNode::names).unwrap_or_default();
    for name in offered.iter().filter(|name| GameVariant::parse(name).is_none()) {
        findings.error(format!("{FORM_PATH} offers `{name}`, but there is no such game. Remove it."));
    }
    let is_allowed = |kind: GameKind| games.is_empty() || games.contains(&kind);
    for game in offered.iter().filter_map(|name| GameVariant::parse(name)).filter(|game| !is_allowed(game.kind)) {
        let name = game.name();
        findings.error(format!("{FORM_PATH} offers `{name}`, but the input `games` doesn't allow it."));
    }
    let is_missing =
        |kind: &&GameKind| is_allowed(**kind) && !offered.iter().any(|name| GameKind::parse(name) == Some(**kind));
    let missing: Vec<&str> = GameKind::ALL.iter().filter(is_missing).map(|kind| kind.info().name).collect();
    if missing.is_empty() {
        findings.ok(format!("{FORM_PATH}: it offers every game people can play."));
    } else {
        findings.warning(format!("{FORM_PATH} doesn't offer {}.", missing.join(", ")));
    }
}
