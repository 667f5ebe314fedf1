//! The settings file of a repository: a run reads it without a request of its own, and starts again if it changed.

use std::ops::Deref;

use games::GameKind;
use protocol::{
    FileContent, HostError, HostNote, Ledger, RepoConfig, Report, SETTINGS_PATH, SettingsFile, SettingsMistake,
    SettingsSource, Trigger, settle_with_settings,
};
use testkit::place;
use testkit::world::{Request, World, default_config, run};

/// Returns the settings with a file that has one setting, such as `games: chess`. Anything else is a mistake.
fn parse(file: Option<&SettingsFile>) -> Result<RepoConfig, HostError> {
    let mut config = RepoConfig { notices_for_settings: true, ..default_config() };
    let Some(file) = file else { return Ok(config) };
    let mut mistakes = Vec::new();
    match file.content.text().unwrap_or_default().trim().split_once(": ") {
        Some(("games", name)) => config.policy.games.extend(GameKind::parse(name)),
        Some(("branch", name)) => config.web.as_mut().expect("a repository on the web").branch = Some(name.to_owned()),
        Some(("pages", name)) => config.pages = vec![name.to_owned()],
        Some(("dice-secret", _)) => return Err(HostError::new("the file has a secret")),
        _ => mistakes.push(SettingsMistake { line: Some(1), sentence: "this isn't a setting".to_owned() }),
    }
    config.settings = Some(SettingsSource { blob: file.blob.clone(), is_shared: file.is_shared, mistakes });
    Ok(config)
}

/// A run's forge for the branch in its settings.
struct OnBranch<'a>(&'a World);

impl<'a> OnBranch<'a> {
    fn new(world: &'a World, config: &RepoConfig) -> OnBranch<'a> {
        world.change(|state| state.branch.clone_from(&config.web.as_ref().expect("a repository").branch));
        OnBranch(world)
    }
}

impl Deref for OnBranch<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        self.0
    }
}

/// Settles what the trigger names, as a server does that read `known` before. Returns the requests of the run.
#[track_caller]
fn settle_knowing(world: &World, known: &mut Option<SettingsFile>, trigger: Trigger) -> (Report, Vec<Request>) {
    world.clear_log();
    let make_forge = |config: &RepoConfig| Ok(OnBranch::new(world, config));
    let report = run(settle_with_settings(parse, make_forge, known, trigger, &mut Ledger::default()));
    let report = report.expect("the run ends").expect("the run succeeds");
    (report, world.log().iter().map(|entry| entry.request).collect())
}

fn settle(world: &World, trigger: Trigger) -> Vec<Request> {
    settle_knowing(world, &mut None, trigger).1
}

fn at(issue: u64, comment: u64) -> Trigger {
    Trigger::Comment { source: place(issue, comment), table: None }
}

/// Returns a world with a settings file and a table of alice (X) and bob (O) in issue 1.
fn world_with(settings: &str) -> World {
    let world = World::new();
    world.open_issue("alice", "/new tic-tac-toe @bob");
    world.change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), settings.to_owned())], "Settings", ""));
    settle(&world, at(1, 0));
    world
}

fn move_in(world: &World, login: &str, text: &str) -> Vec<Request> {
    let comment = world.comment(1, login, text);
    settle(world, at(1, comment))
}

/// Even a run that doesn't know the file needs no request for it.
#[test]
fn a_move_takes_three_requests_with_a_settings_file() {
    let world = world_with("games: tic-tac-toe\n");
    assert_eq!(move_in(&world, "alice", "/move b2"), [Request::Read, Request::Commit, Request::Answer]);
    assert_eq!(world.answers(1).len(), 2);
}

#[test]
fn the_file_decides_about_games() {
    let world = world_with("games: tic-tac-toe\n");
    let issue = world.open_issue("alice", "/new hex @bob");
    assert_eq!(settle(&world, at(issue, 0)), [Request::Read, Request::React, Request::Answer]);
    let answer = world.answers(issue).concat();
    assert!(answer.contains("tic-tac-toe") && world.file("state/2.json").is_none(), "{answer}");
}

/// The file changes what the run reads, so it has to read again.
#[test]
fn other_pages_take_another_read() {
    let world = world_with("pages: docs/games.md\n");
    let requests = move_in(&world, "alice", "/move b2");
    assert_eq!(requests, [Request::Read, Request::Read, Request::Commit, Request::Answer]);
}

#[test]
fn a_run_that_knows_the_file_reads_once() {
    let world = world_with("branch: play\n");
    let mut known = None;
    let first = world.comment(1, "alice", "/move b2");
    assert_eq!(settle_knowing(&world, &mut known, at(1, first)).1[..2], [Request::Read, Request::Read]);
    assert_eq!(known.as_ref().and_then(|file| file.content.text()), Some("branch: play\n"));
    let second = world.comment(1, "bob", "/move a1");
    let requests = settle_knowing(&world, &mut known, at(1, second)).1;
    assert_eq!(requests, [Request::Read, Request::Commit, Request::Answer]);
    world.with_state(|state| {
        let has_record = |branch: &str| state.commits[&state.branches[branch]].files.contains_key("state/1.json");
        assert!(has_record("play") && !has_record("main"));
    });
    // Without the file, the defaults count again.
    world.change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), "games: chess\n".to_owned())], "Change", ""));
    let issue = world.open_issue("alice", "/new hex @bob");
    settle_knowing(&world, &mut known, at(issue, 0));
    assert!(world.answers(issue).concat().contains("chess"));
    assert_eq!(world.with_state(|state| state.branch.clone()), None);
}

#[test]
fn a_sweep_has_the_settings_of_the_file() {
    let world = World::new();
    world
        .change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), "games: chess\n".to_owned())], "Settings", ""));
    let table = world.open_issue("alice", "/new chess @bob");
    settle(&world, at(table, 0));
    let missed = world.open_issue("alice", "/new hex @bob");
    let requests = settle(&world, Trigger::Sweep);
    assert_eq!(requests.iter().filter(|request| **request == Request::Sweep).count(), 1, "{requests:?}");
    assert!(world.answers(missed).concat().contains("chess"), "{:?}", world.answers(missed));
}

#[test]
fn the_owners_file_counts_if_the_repository_has_none() {
    let world = World::new();
    world.change(|state| state.shared_settings = Some("games: chess\n".to_owned()));
    let first = world.open_issue("alice", "/new hex @bob");
    settle(&world, at(first, 0));
    assert!(world.answers(first).concat().contains("chess"));
    world.change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), "games: hex\n".to_owned())], "Settings", ""));
    let second = world.open_issue("alice", "/new hex @bob");
    settle(&world, at(second, 0));
    assert!(world.file("state/2.json").is_some());
}

#[test]
fn a_mistake_is_noted_once_in_a_thread() {
    let world = world_with("gmaes: chess\n");
    move_in(&world, "alice", "/move b2");
    move_in(&world, "bob", "/move a1");
    let notices: Vec<String> = world.answers(1).into_iter().filter(|text| text.contains("isn't a setting")).collect();
    let [notice] = &notices[..] else { panic!("{:#?}", world.answers(1)) };
    assert!(notice.contains("`.github/play-by-commit.yml` has a mistake"), "{notice}");
    assert_eq!(world.headlines().len(), 5, "a mistake holds up no move: {:?}", world.headlines());
    // Another mistake is news.
    world.change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), "no\n".to_owned())], "Change", ""));
    move_in(&world, "alice", "/move c3");
    move_in(&world, "bob", "/move a3");
    assert_eq!(world.answers(1).iter().filter(|text| text.contains("isn't a setting")).count(), 2);
}

#[test]
fn a_mistake_is_a_note_of_the_run() {
    let world = world_with("gmaes: chess\n");
    let comment = world.comment(1, "alice", "/move b2");
    let (report, _) = settle_knowing(&world, &mut None, at(1, comment));
    assert!(matches!(&report.notes[..], [HostNote::Settings(_)]), "{:?}", report.notes);
}

/// The run ends before it decides anything.
#[test]
fn settings_that_cannot_be_used_end_the_run() {
    let world = world_with("games: tic-tac-toe\n");
    world
        .change(|state| state.land("main", &[(SETTINGS_PATH.to_owned(), "dice-secret: x\n".to_owned())], "Change", ""));
    let comment = world.comment(1, "alice", "/move b2");
    world.clear_log();
    let make_forge = |_: &RepoConfig| Ok(&world);
    let ended = run(settle_with_settings(parse, make_forge, &mut None, at(1, comment), &mut Ledger::default()));
    let error = ended.expect("the run ends").expect_err("the settings can't be used");
    assert_eq!(error.to_string(), "the file has a secret");
    assert_eq!(world.log().len(), 1);
}

/// Without the loop, a run refuses to decide with settings that the repository no longer has.
#[test]
fn a_run_ends_if_its_settings_are_not_the_files() {
    let world = world_with("games: tic-tac-toe\n");
    let comment = world.comment(1, "alice", "/move b2");
    let error = run(protocol::settle::settle(&world, &default_config(), at(1, comment))).expect("the run ends");
    let protocol::SettleError::SettingsChanged(read) = error.expect_err("other settings") else {
        panic!("another error")
    };
    let file = read.snapshot.settings.expect("a file");
    assert_eq!(file.content, FileContent::Text("games: tic-tac-toe\n".to_owned()));
}
