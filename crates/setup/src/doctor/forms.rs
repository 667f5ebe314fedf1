//! Judges the form for a new game and the settings of the forms.

use std::collections::BTreeMap;

use games::registry::Kind;
use table::talk::thread::File;

use crate::doctor::findings::{Findings, Grade};
use crate::templates::{CONFIG_PATHS, FORM_PATH, closes_blank_issues, form};
use crate::yaml::{YamlNode, parse_yaml};

/// Judges the forms. `games` are those that may be played; empty for all of them.
pub(super) fn judge(texts: &BTreeMap<String, File>, games: &[Kind], findings: &mut Findings) {
    match texts.get(FORM_PATH) {
        Some(File::Text(text)) => judge_text(text, games, findings),
        Some(File::Unreadable(why)) => findings.change(format!("{why}.")),
        Some(File::Missing) | None => findings.better(format!(
            "There is no {FORM_PATH}, so players have to know what to type. `play-by-commit init` adds it."
        )),
    }
    for path in CONFIG_PATHS {
        if texts.get(path).and_then(File::text).is_some_and(closes_blank_issues) {
            findings.better(format!(
                "{path}: with `blank_issues_enabled: false`, links on boards and links to the next game lead to \
                 GitHub's template chooser instead of a filled-in issue, except for maintainers. Set it to true."
            ));
        }
    }
}

/// Whether a form can be read by the program and offers these games and no other ones.
pub(crate) fn offers_exactly(text: &str, games: &[Kind]) -> bool {
    let mut findings = Findings::default();
    judge_text(text, games, &mut findings);
    findings.all.iter().all(|finding| finding.grade == Grade::Good)
}

fn judge_text(text: &str, games: &[Kind], findings: &mut Findings) {
    if text.replace("\r\n", "\n") == form(games) {
        return findings.good(format!("{FORM_PATH}: up to date, with every game people can play."));
    }
    match parse_yaml(text) {
        Ok(root) => judge_changed(&root, games, findings),
        Err(why) => findings.change(format!("{FORM_PATH} can't be read as YAML: {why}.")),
    }
}

/// Judges a form that the host has changed: the parts that the program reads must still be there.
fn judge_changed(root: &YamlNode, games: &[Kind], findings: &mut Findings) {
    let body = root.at("body").map(YamlNode::items).unwrap_or_default();
    let label =
        |node: &YamlNode| node.path(&["attributes", "label"]).and_then(YamlNode::text).unwrap_or_default().to_owned();
    let questions: Vec<&YamlNode> =
        body.iter().filter(|node| node.at("type").and_then(YamlNode::text) != Some("markdown")).collect();
    let Some(first) = questions.first().filter(|first| label(first) == "Game") else {
        return findings.change(format!(
            "{FORM_PATH}: label the first question `Game`, because that's how the bot recognizes a filled-in form."
        ));
    };
    let strange =
        questions.iter().skip(1).map(|node| label(node)).find(|label| label != "Opponent" && label != "Options");
    if let Some(strange) = strange {
        findings.change(format!(
            "{FORM_PATH}: remove the question `{strange}`, or a filled-in form starts no game. The bot only knows \
             `Game`, `Opponent` and `Options`."
        ));
    }
    let offered = first.path(&["attributes", "options"]).map(YamlNode::words).unwrap_or_default();
    for name in offered.iter().filter(|name| Kind::meant(name).is_none()) {
        findings.change(format!("{FORM_PATH} offers `{name}`, but there is no such game. Remove it."));
    }
    let allows = |kind: Kind| games.is_empty() || games.contains(&kind);
    for kind in offered.iter().filter_map(|name| Kind::meant(name)).filter(|kind| !allows(*kind)) {
        let name = kind.info().name;
        findings.change(format!("{FORM_PATH} offers `{name}`, but the input `games` doesn't allow it."));
    }
    let lacks = |kind: &&Kind| allows(**kind) && !offered.iter().any(|name| Kind::meant(name) == Some(**kind));
    let lacking: Vec<&str> = Kind::ALL.iter().filter(lacks).map(|kind| kind.info().name).collect();
    match lacking.is_empty() {
        true => findings.good(format!("{FORM_PATH}: it offers every game people can play.")),
        false => findings.better(format!("{FORM_PATH} doesn't offer {}.", lacking.join(", "))),
    }
}
