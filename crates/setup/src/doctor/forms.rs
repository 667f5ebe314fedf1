//! Checks the issue form for a new game, and the settings of issue forms.

use std::collections::BTreeMap;

use games::registry::{GameKind, GameVariant};
use protocol::forge::FileContent;

use crate::doctor::facts::Fact;
use crate::doctor::files::GameInputs;
use crate::doctor::findings::Findings;
use crate::templates::{CONFIG_PATHS, FORM_PATH, LINK_FORM_PATH, disables_blank_issues, issue_form};
use crate::yaml::{YamlNode, parse_yaml};

/// Checks the issue forms and their settings.
pub(super) fn check_forms(files: &BTreeMap<String, FileContent>, inputs: &GameInputs, findings: &mut Findings) {
    match files.get(FORM_PATH) {
        Some(FileContent::Text(text)) => check_form_text(text, &inputs.games, findings),
        Some(FileContent::Unreadable(why)) => findings.add(Fact::Unreadable { why: why.clone() }),
        Some(FileContent::Missing) | None => findings.add(Fact::NoForm),
    }
    let has_link_form = matches!(files.get(LINK_FORM_PATH), Some(FileContent::Text(_)));
    if !inputs.only_labels.is_empty() && !has_link_form {
        findings.add(Fact::NoLinkForm);
    }
    for path in CONFIG_PATHS {
        if files.get(path).and_then(FileContent::text).is_some_and(disables_blank_issues) {
            findings.add_at(path, None, Fact::BlankIssuesOff);
        }
    }
}

/// Whether a form offers exactly these games, and the bot can read it.
pub(crate) fn offers_exactly(text: &str, games: &[GameKind]) -> bool {
    let mut findings = Findings::default();
    check_form_text(text, games, &mut findings);
    findings.problem_count() == 0
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
    root.items_at("body").iter().filter(|node| node.text_at("type") != Some("markdown")).collect()
}

fn label(question: &YamlNode) -> &str {
    question.get_path(&["attributes", "label"]).and_then(YamlNode::as_str).unwrap_or_default()
}

fn check_form_text(text: &str, games: &[GameKind], findings: &mut Findings) {
    if text.replace("\r\n", "\n") == issue_form(games) {
        return findings.add_at(FORM_PATH, None, Fact::FormUpToDate);
    }
    match parse_yaml(text) {
        Ok(root) => check_custom_form(&root, games, findings),
        Err(why) => findings.add(Fact::InvalidYaml { path: FORM_PATH.to_owned(), why: why.to_string() }),
    }
}

/// Checks that a customized form still has the parts that the bot reads.
fn check_custom_form(root: &YamlNode, games: &[GameKind], findings: &mut Findings) {
    let questions = questions(root);
    let Some(first) = questions.first().filter(|first| label(first) == "Game") else {
        return findings.add_at(FORM_PATH, None, Fact::FormWithoutGame);
    };
    let mut others = questions.iter().skip(1).map(|node| label(node));
    if let Some(unknown) = others.find(|label| !["Opponent", "Options"].contains(label)) {
        findings.add_at(FORM_PATH, None, Fact::UnknownQuestion { label: unknown.to_owned() });
    }
    let offered = first.get_path(&["attributes", "options"]).map(YamlNode::names).unwrap_or_default();
    let is_allowed = |kind: GameKind| games.is_empty() || games.contains(&kind);
    for name in &offered {
        match GameVariant::parse(name) {
            None => findings.add(Fact::UnknownGame { name: (*name).to_owned() }),
            Some(game) if !is_allowed(game.kind) => findings.add(Fact::ForbiddenGame { name: game.name().to_owned() }),
            Some(_) => {}
        }
    }
    let is_missing =
        |kind: &&GameKind| is_allowed(**kind) && !offered.iter().any(|name| GameKind::parse(name) == Some(**kind));
    let missing: Vec<&str> = GameKind::ALL.iter().filter(is_missing).map(|kind| kind.info().name).collect();
    if missing.is_empty() {
        findings.add_at(FORM_PATH, None, Fact::FormComplete);
    } else {
        findings.add(Fact::FormLacksGames { games: missing.join(", ") });
    }
}
