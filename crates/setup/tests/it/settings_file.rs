//! Tests of the settings file: its settings, its mistakes, contradictions, and its JSON Schema.

use std::collections::BTreeSet;

use expect_test::expect_file;
use protocol::{FileContent, RepoConfig, SettingsFile, Trigger, WebRepo, settle_with_settings};
use serde_json::Value;
use setup::{
    FileSettings, MAX_SETTINGS_BYTES, action_input_list, repo_config_with_file, setting_names, settings_schema,
};
use table::{Oid, WhoMayStart};
use testkit::place;
use testkit::world::{Request, World, run};

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/play-by-commit.schema.json");

fn parse(text: &str) -> FileSettings {
    FileSettings::parse(&FileContent::Text(text.to_owned()))
}

/// Returns the mistakes in a file, with their lines.
fn mistakes(text: &str) -> Vec<String> {
    parse(text).mistakes.iter().map(|mistake| mistake.text()).collect()
}

fn web() -> WebRepo {
    WebRepo { server: "https://github.com".to_owned(), repository: "octo/games".to_owned(), branch: None }
}

/// Returns the settings of a repository with this file and these inputs.
fn config(text: &str, inputs: &[(&str, &str)]) -> Result<RepoConfig, String> {
    let blob = Oid::parse(&"1".repeat(40)).unwrap();
    let file = SettingsFile { blob, content: FileContent::Text(text.to_owned()), is_shared: false };
    let input = |name: &str| inputs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    repo_config_with_file(Some(&file), input, web()).map_err(|error| error.to_string())
}

#[test]
fn takes_every_setting() {
    let text = "# Our games.\nbranch: play\nstate-dir: games/state\npages: [README.md, docs/play.md]\ngames:\n  - chess\n  \
        - hex\ntables: anyone\nonly-labels: games, play\nclose: false\nminimize: 'false'\nassign: true\nskip-ci: true\nbots: \
        [\"our-games[bot]\"]\nsweep-days: 30\nsite-url: https://games.example/play\n";
    let settings = parse(text);
    assert_eq!(settings.mistakes, []);
    let unset: Vec<String> = setting_names().into_iter().filter(|name| settings.get(name).is_none()).collect();
    assert!(unset.is_empty(), "{unset:?}");
    let config = config(text, &[]).unwrap();
    assert_eq!(config.web.unwrap().branch.as_deref(), Some("play"));
    assert_eq!((&*config.state_dir, config.sweep_days, config.skip_ci), ("games/state", 30, true));
    assert_eq!(config.pages, ["README.md", "docs/play.md"]);
    assert_eq!(
        (config.bots, config.site_url.as_deref()),
        (vec!["our-games[bot]".to_owned()], Some("https://games.example/play/"))
    );
    let policy = config.policy;
    assert_eq!((policy.games.len(), policy.opening, policy.only_labels.len()), (2, WhoMayStart::Anyone, 2));
    assert!(!policy.close_finished && !policy.minimize_boards && policy.assign_turns);
}

#[test]
fn an_empty_setting_is_the_default() {
    for text in ["", "\n# Nothing.\n", "---\n", "games:\npages: ''\nbots: []\nbranch: ~\n"] {
        assert_eq!(mistakes(text), [""; 0], "{text}");
        let config = config(text, &[]).unwrap();
        assert_eq!((config.pages, config.policy.games.len()), (vec!["README.md".to_owned()], 0), "{text}");
    }
}

#[test]
fn each_mistake_has_its_sentence() {
    for (text, expected) in [
        ("gmaes: chess\n", "line 1: there is no setting `gmaes`. Perhaps you mean `games`"),
        ("close: true\nwebsite: x\n", "line 2: there is no setting `website`. The settings are: branch, state-dir, "),
        ("games: halma\n", "line 1: unknown game `halma` in `games`; available: "),
        ("tables: all\n", "line 1: set `tables` to `author`, `anyone` or `maintainers`"),
        ("close: yes\n", "line 1: set `close` to `true` or `false`"),
        ("sweep-days: 0\n", "line 1: set `sweep-days` to a number of days from 1 to 366"),
        ("tables: [anyone]\n", "line 1: `tables` has one value, not a list"),
        ("games:\n  chess: true\n", "line 2: `games` has no settings of its own."),
        ("games: [[chess]]\n", "line 1: `games` has no settings of its own."),
        ("token: ghp_1\n", "line 1: everyone can read a `token` in this file. Revoke it"),
        ("dice-secret: x\n", "line 1: everyone can read a `dice-secret` in this file and predict the rolls."),
        ("release-url: https://x.example\n", "line 1: `release-url` is only for the action"),
        ("verify-attestation: true\n", "line 1: `verify-attestation` is only for the action"),
        ("doctor: true\n", "line 1: `doctor` is for a run that you start by hand"),
        ("site: out\n", "line 1: `site` is for the workflow that publishes the website"),
        ("games: [chess\n", "it can't be read as YAML, so no setting in it counts: `line "),
        (
            "games: chess\ngames: hex\n",
            "it can't be read as YAML, so no setting in it counts: `line 2: 'games' appears twice`",
        ),
        ("- games\n", "line 1: write each setting on a line of its own, as in `games: chess`"),
        ("chess\n", "line 1: write each setting on a line of its own, as in `games: chess`"),
        ("'@bob `x': 1\n", "line 1: there is no setting `@bob 'x`"),
    ] {
        let mistakes = mistakes(text);
        assert!(mistakes.len() == 1 && mistakes[0].starts_with(expected), "{text}{mistakes:?}");
    }
    let long = format!("games: chess\n# {}\n", "x".repeat(MAX_SETTINGS_BYTES));
    assert_eq!(mistakes(&long), [format!("it has more than {MAX_SETTINGS_BYTES} bytes, so no setting in it counts")]);
    let unreadable = FileSettings::parse(&FileContent::Unreadable("`x` is not text".to_owned()));
    assert_eq!(unreadable.mistakes[0].text(), "`x` is not text, so no setting in it counts");
}

/// The other settings of the file count.
#[test]
fn a_setting_with_a_mistake_has_its_default() {
    let config = config("tables: all\nsweep-days: 30\n", &[]).unwrap();
    assert_eq!((config.policy.opening, config.sweep_days), (WhoMayStart::Author, 30));
    assert_eq!(config.settings.unwrap().mistakes.len(), 1);
}

#[test]
fn an_input_that_contradicts_the_file_is_an_error() {
    let error = config("games: chess\n", &[("GAMES", "hex")]).unwrap_err();
    let place = "`.github/play-by-commit.yml`";
    assert_eq!(error, format!("the input `games: hex` contradicts `games: chess` in {place}. Remove one of them"));
    let error = config("branch: play\nclose: false\n", &[("BRANCH", "games"), ("CLOSE", "false")]).unwrap_err();
    assert_eq!(error.matches("contradicts").count(), 1, "{error}");
    // The default of an input, or the same value in other words, contradicts nothing.
    for (text, input) in [
        ("tables: anyone\n", ("TABLES", "author")),
        ("pages: docs/games.md\n", ("PAGES", "README.md")),
        ("games: [chess, hex]\n", ("GAMES", "chess hex")),
        ("branch: play\n", ("BRANCH", "refs/heads/play")),
        ("site-url: https://games.example/\n", ("SITE_URL", "https://games.example")),
        ("sweep-days: none\n", ("SWEEP_DAYS", "30")),
    ] {
        assert!(config(text, &[input]).is_ok(), "{text}");
    }
    // If the file is silent or mistaken, the input counts.
    assert_eq!(config("sweep-days: none\n", &[("SWEEP_DAYS", "30")]).unwrap().sweep_days, 30);
}

#[test]
fn the_schema_is_current() {
    let schema = serde_json::to_string_pretty(&settings_schema()).unwrap() + "\n";
    expect_file![SCHEMA].assert_eq(&schema);
}

/// The schema has the inputs in `action.yml`, except for secrets and those for the action alone.
#[test]
fn the_schema_has_the_inputs_of_the_action() {
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(SCHEMA).unwrap()).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let excluded = ["token", "dice-secret", "release-url", "verify-attestation", "doctor", "site"];
    let inputs = action_input_list();
    let wanted: BTreeSet<&str> =
        inputs.iter().map(|input| &*input.name).filter(|name| !excluded.contains(name)).collect();
    assert_eq!(properties.keys().map(String::as_str).collect::<BTreeSet<_>>(), wanted);
    for input in inputs.iter().filter(|input| wanted.contains(&*input.name)) {
        let property = &properties[&input.name];
        assert_eq!(property["description"], *input.description, "{}", input.name);
        let default = &property["default"];
        assert_eq!(default.as_str().map_or(default.to_string(), str::to_owned), input.default, "{}", input.name);
    }
}

/// A server has no inputs. It settles comments with the file alone, and tells people about its mistakes.
#[test]
fn a_server_plays_with_the_file() {
    let world = World::new();
    world.land(&[("README.md", "Hello.\n"), (".github/play-by-commit.yml", "games: chess\nclose: never\n")]);
    let make_config = |file: Option<&SettingsFile>| {
        let config = repo_config_with_file(file, |_| None, web()).expect("a server has no inputs");
        Ok(RepoConfig { notices_for_settings: true, ..config })
    };
    let settle = |issue: u64, comment: u64| {
        let trigger = Trigger::Comment { source: place(issue, comment), table: None };
        let ledger = &mut protocol::Ledger::default();
        run(settle_with_settings(make_config, |_| Ok(&world), &mut None, trigger, ledger)).unwrap().unwrap();
    };
    let hex = world.open_issue("alice", "/new hex @bob");
    settle(hex, 0);
    let [refusal, notice] = &world.answers(hex)[..] else { panic!("{:?}", world.answers(hex)) };
    assert!(refusal.contains("chess") && notice.contains("\n- Line 2: set `close` to `true` or `false`."), "{notice}");
    let chess = world.open_issue("alice", "/new chess @bob");
    settle(chess, 0);
    let comment = world.comment(chess, "alice", "/move e4");
    world.clear_log();
    settle(chess, comment);
    let requests: Vec<Request> = world.log().iter().map(|entry| entry.request).collect();
    assert_eq!(requests, [Request::Read, Request::Commit, Request::Answer]);
    assert_eq!(world.answers(chess).len(), 3, "two answers and a notice");
}
