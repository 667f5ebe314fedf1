//! The settings file of a repository: its settings have the names of the action's inputs.

use anyhow::{Result, bail};
use protocol::{FileContent, RepoConfig, SETTINGS_PATH, SettingsFile, SettingsMistake, SettingsSource, WebRepo};
use serde_json::{Map, Value, json};

use crate::inputs::{check_input, input_variable};
use crate::workflow_steps::{ActionInput, OLD_INPUT, action_input_list, nearest_name};
use crate::{YamlNode, parse_repo_config, parse_yaml};

/// The maximum size of a settings file, in bytes.
pub const MAX_SETTINGS_BYTES: usize = 10_000;

/// The inputs that can't be in the file, each with the reason as a sentence without a period.
const EXCLUDED: [(&str, &str); 6] = [
    ("token", "everyone can read a `token` in this file. Revoke it, and set another one in the workflow, as a secret"),
    (
        "dice-secret",
        "everyone can read a `dice-secret` in this file and predict the rolls. Set another one in the workflow, as a secret",
    ),
    (
        "release-url",
        "`release-url` is only for the action, which needs it before it reads this file. Set it in the workflow",
    ),
    (
        "verify-attestation",
        "`verify-attestation` is only for the action, which needs it before it reads this file. Set it in the workflow",
    ),
    ("doctor", "`doctor` is for a run that you start by hand, under *Actions*. Remove it here"),
    ("site", "`site` is for the workflow that publishes the website. Set it there"),
];

/// The settings whose value can be a list.
const LISTS: [&str; 4] = ["pages", "games", "only-labels", "bots"];
/// The settings that are `true` or `false`.
const SWITCHES: [&str; 4] = ["close", "minimize", "assign", "skip-ci"];
/// The setting that is a number of days.
const DAYS: &str = "sweep-days";

/// The settings in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileSettings {
    /// The valid settings: names and values, as inputs of the action have them.
    values: Vec<(String, String)>,
    /// The mistakes. A setting with a mistake isn't among the values.
    pub mistakes: Vec<SettingsMistake>,
}

impl FileSettings {
    /// Parses a settings file.
    pub fn parse(content: &FileContent) -> FileSettings {
        let mut settings = FileSettings::default();
        match content {
            FileContent::Missing => {}
            FileContent::Unreadable(why) => settings.add_mistake(None, format!("{why}, so no setting in it counts")),
            FileContent::Text(text) => settings.parse_text(text),
        }
        settings
    }

    fn parse_text(&mut self, text: &str) {
        if text.len() > MAX_SETTINGS_BYTES {
            let sentence = format!("it has more than {MAX_SETTINGS_BYTES} bytes, so no setting in it counts");
            return self.add_mistake(None, sentence);
        }
        let is_blank =
            |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#') || line.trim() == "---";
        if text.lines().all(is_blank) {
            return;
        }
        let root = match parse_yaml(text) {
            Ok(root) => root,
            Err(why) => {
                let why = code_span(&why.to_string());
                return self.add_mistake(None, format!("it can't be read as YAML, so no setting in it counts: {why}"));
            }
        };
        if root.entries().is_empty() {
            return self.add_mistake(
                Some(root.line),
                "write each setting on a line of its own, as in `games: chess`".to_owned(),
            );
        }
        for (name, node) in root.entries() {
            if let Err(sentence) = self.add(name, node) {
                self.add_mistake(Some(node.line), sentence.to_string());
            }
        }
    }

    fn add(&mut self, name: &str, node: &YamlNode) -> Result<()> {
        if let Some((_, why)) = EXCLUDED.iter().find(|(excluded, _)| *excluded == name) {
            bail!("{why}");
        }
        let known = setting_names();
        if !known.iter().any(|setting| setting == name) {
            let shown = code_span(name);
            match nearest_name(&known, name) {
                Some(nearest) => bail!("there is no setting {shown}. Perhaps you mean `{nearest}`"),
                None => bail!("there is no setting {shown}. The settings are: {}", known.join(", ")),
            }
        }
        let value = value_of(name, node)?;
        let value = check_input(name, &value)?;
        self.values.push((name.to_owned(), value));
        Ok(())
    }

    fn add_mistake(&mut self, line: Option<usize>, sentence: String) {
        self.mistakes.push(SettingsMistake { line, sentence });
    }

    /// Returns the names of the settings in the file.
    pub fn names(&self) -> Vec<&str> {
        self.values.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the value of a setting; `None` if the file doesn't set it.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.values.iter().find(|(known, value)| known == name && !value.is_empty())?;
        Some(value)
    }

    /// Returns a sentence for each input with another value than the file and the action's default, without a period. `input`
    /// returns the value of an input by its name, and `place` names the file.
    pub fn contradictions(&self, place: &str, input: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let defaults = action_input_list();
        let default = |name: &str| defaults.iter().find(|known| known.name == name).map(|known| known.default.clone());
        let contradiction = |(name, value): &(String, String)| {
            let given = input(name)?;
            let is = |other: &str| normalize(name, &given) == normalize(name, other);
            if is(value) || is(&default(name).unwrap_or_default()) {
                return None;
            }
            let (given, value) = (code_span(&format!("{name}: {given}")), code_span(&format!("{name}: {value}")));
            Some(format!("the input {given} contradicts {value} in {place}. Remove one of them"))
        };
        self.values.iter().filter_map(contradiction).collect()
    }
}

/// Returns the settings of a repository: those in its settings file, and for all others the inputs. `input` returns an input by
/// its name in capitals, as in [`parse_repo_config`].
///
/// # Errors
/// Returns an error if an input is invalid or contradicts the file.
pub fn repo_config_with_file(
    file: Option<&SettingsFile>,
    input: impl Fn(&str) -> Option<String>,
    web: WebRepo,
) -> Result<RepoConfig> {
    let Some(file) = file else { return parse_repo_config(input, web) };
    let settings = FileSettings::parse(&file.content);
    let (blob, is_shared, mistakes) = (file.blob.clone(), file.is_shared, settings.mistakes.clone());
    let source = SettingsSource { blob, is_shared, mistakes };
    let contradictions = settings.contradictions(&source.place(), |name| input(&input_variable(name)));
    if !contradictions.is_empty() {
        bail!("{}", contradictions.join("; "));
    }
    let value = |variable: &str| {
        let name = variable.to_lowercase().replace('_', "-");
        settings.get(&name).map(str::to_owned).or_else(|| input(variable))
    };
    let config = parse_repo_config(value, web)?;
    Ok(RepoConfig { settings: Some(source), ..config })
}

/// Returns the inputs that the file can have.
fn settable() -> impl Iterator<Item = ActionInput> {
    let is_settable =
        |input: &ActionInput| !EXCLUDED.iter().any(|(name, _)| *name == input.name) && input.name != OLD_INPUT;
    action_input_list().into_iter().filter(is_settable)
}

/// Returns the names of the settings.
pub fn setting_names() -> Vec<String> {
    settable().map(|input| input.name).collect()
}

/// Returns the value of a setting as an input has it.
fn value_of(name: &str, node: &YamlNode) -> Result<String> {
    if let Some(text) = node.as_str() {
        // An empty value is `~` for the parser.
        return Ok(if matches!(text, "~" | "null") { String::new() } else { text.to_owned() });
    }
    let items: Vec<&str> = node.items().iter().filter_map(YamlNode::as_str).collect();
    if !node.entries().is_empty() || items.len() < node.items().len() {
        bail!("`{name}` has no settings of its own. Write its value after the colon");
    }
    if !LISTS.contains(&name) {
        bail!("`{name}` has one value, not a list");
    }
    Ok(items.join(","))
}

/// Returns a value in a form that can be compared with another.
fn normalize(name: &str, value: &str) -> String {
    let value = value.trim().trim_end_matches('/');
    let value = value.strip_prefix("refs/heads/").unwrap_or(value);
    if !LISTS.contains(&name) {
        return value.to_owned();
    }
    let has_spaces = matches!(name, "games" | "bots");
    let is_separator = |c: char| matches!(c, ',' | '\n') || has_spaces && c == ' ';
    let items = value.split(is_separator).map(str::trim).filter(|item| !item.is_empty());
    items.collect::<Vec<_>>().join(",")
}

/// Returns text from a file in a code span, which it can't end.
fn code_span(text: &str) -> String {
    let is_safe = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let text: String = text.replace('`', "'").chars().filter(is_safe).take(120).collect();
    format!("`{text}`")
}

/// Returns the JSON Schema of the settings file.
pub fn settings_schema() -> Value {
    let properties: Map<String, Value> = settable().map(|input| (input.name.clone(), property(&input))).collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Play by Commit: the settings of a repository",
        "description": format!("The file {SETTINGS_PATH} on the default branch."),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn property(input: &ActionInput) -> Value {
    let ActionInput { name, description, default } = input;
    let mut property = match name.as_str() {
        name if SWITCHES.contains(&name) => json!({ "type": "boolean", "default": default == "true" }),
        DAYS => {
            json!({ "type": "integer", "minimum": 1, "maximum": 366, "default": default.parse::<u64>().unwrap_or(7) })
        }
        "tables" => json!({ "enum": ["author", "anyone", "maintainers"], "default": default }),
        name if LISTS.contains(&name) => {
            json!({ "type": ["string", "array"], "items": { "type": "string" }, "default": default })
        }
        _ => json!({ "type": "string", "default": default }),
    };
    property["description"] = json!(description);
    property
}
