//! Tests of `init`: its files and its output.

mod forms;
#[cfg(unix)]
mod links;
mod merge;
mod mirror;
mod settings;
mod site;

use games::GameKind;
use setup::{
    ACTION_REFERENCE, DAILY_WORKFLOW, DAILY_WORKFLOW_PATH, FORM_PATH, WORKFLOW, WORKFLOW_PATH, WorkflowChoices,
    WorkflowKind, game_workflow, issue_form, play_steps,
};

use super::{PROGRAM, Repo};

const REMOTE: Option<&str> = Some("git@github.com:octo/games.git");

/// Returns the workflow that `init` writes without options. The test program is built from source.
fn default_workflow() -> String {
    game_workflow(WorkflowKind::Play, &WorkflowChoices::default())
}

#[test]
fn sets_up_a_repository_and_changes_nothing_the_second_time() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).exits(
        0,
        &[
            "The bot will commit moves to the default branch. To keep them out of a project's history, use `--branch play`.",
            ".github/workflows/play.yml: written.",
            ".github/workflows/daily.yml: written.",
            ".github/ISSUE_TEMPLATE/new-game.yml: written.",
            "commit and push",
            "https://github.com/octo/games/issues/new?title=A%20game%20of%20tic-tac-toe&body=%2Fnew%20tic-tac-toe",
            "it can't tell whether `@v1` is released yet",
        ],
    );
    assert_eq!((repo.read(WORKFLOW_PATH), repo.read(FORM_PATH)), (default_workflow(), issue_form(&[])));
    assert_eq!(repo.read(DAILY_WORKFLOW_PATH), game_workflow(WorkflowKind::Daily, &WorkflowChoices::default()));
    let files = repo.files();
    assert_eq!(files.len(), 4, "{files:?}");
    let again = repo.run(&["init"]);
    again.exits(0, &["play.yml: up to date.", "\nNothing to change.\nTo play, open an issue that says"]);
    assert!(!again.out.contains("default branch"), "{again:?}");
    assert_eq!(repo.files(), files);
    // The new setup is good.
    repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better"]);
}

#[test]
fn a_version_from_source_gets_a_runner_with_rust_and_time() {
    let sha = "0123456789abcdef0123456789abcdef01234567";
    let release = format!("{sha} # v1.2.3");
    for (version, is_release) in [("v1", true), ("v1.2.3", true), (sha, false), (&release, true)] {
        let repo = Repo::new(REMOTE);
        let ran = repo.run(&["init", "--version", version]);
        assert_eq!(
            ran.exits(0, &[]).out.contains("is built from source, which needs `ubuntu-latest`"),
            !is_release,
            "{ran:?}"
        );
        let text = repo.read(WORKFLOW_PATH);
        let lines = ["    runs-on: ubuntu-slim\n", "    timeout-minutes: 10\n"].map(|line| text.contains(line));
        assert_eq!(lines, [is_release; 2], "{text}");
        assert!(text.contains(&format!("play-by-commit@{version}")), "{text}");
        let lines = ["    runs-on: ubuntu-latest\n", "    timeout-minutes: 20\n"].map(|line| text.contains(line));
        assert_eq!(lines, [!is_release; 2], "{text}");
        repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better"]);
        // An existing workflow gets the same runner and time limit with the version.
        repo.run(&["init", "--version", "v1", "--yes"]).exits(0, &[]);
        let updated = repo.read(WORKFLOW_PATH);
        repo.write(WORKFLOW_PATH, WORKFLOW);
        repo.run(&["init", "--version", version, "--yes"]).exits(0, &[]);
        assert_eq!(repo.read(WORKFLOW_PATH), text);
        assert!(is_release == (updated.contains("ubuntu-slim")), "the runner never changes back");
    }
}

#[test]
fn only_labels_starts_jobs_in_labeled_issues() {
    let labeled = "contains(github.event.issue.labels.*.name, 'games')";
    let repo = Repo::new(REMOTE);
    repo.run(&["init", "--only-labels", "games, play"]).exits(0, &["board-link.yml: written."]);
    let text = repo.read(WORKFLOW_PATH);
    assert!(text.contains("    types: [opened, labeled]\n") && text.contains("only-labels: games, play\n"), "{text}");
    let condition = format!(
        "'play-by-commit') ||\n        ({labeled} || contains(github.event.issue.labels.*.name, 'play')) && (\n        startsWith("
    );
    assert!(text.contains(&condition), "{text}");
    assert!(text.contains("\n        )\n      ))\n"), "{text}");
    assert!(repo.read(FORM_PATH).contains("\nlabels: [play-by-commit, games]\n"));
    assert!(repo.read(".github/ISSUE_TEMPLATE/board-link.yml").contains("\nlabels: [play-by-commit, games]\n"));
    repo.run(&["doctor"]).exits(0, &["0 to change"]);
    // It stays, and an existing workflow gets the same.
    let files = repo.files();
    repo.run(&["init", "--yes"]).exits(0, &["Nothing to change."]);
    assert_eq!(repo.files(), files);
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).exits(0, &[]);
    repo.run(&["init", "--yes", "--only-labels", "games, play"]).exits(0, &[]);
    assert_eq!(repo.read(WORKFLOW_PATH), text);
    // Other labels take their place.
    repo.run(&["init", "--yes", "--only-labels", "chess"]).exits(0, &[]);
    let renamed = labeled.replace("games", "chess");
    let expected =
        text.replace(&format!("({labeled} || {})", labeled.replace("games", "play")), &format!("({renamed})"));
    assert_eq!(repo.read(WORKFLOW_PATH), expected.replace("only-labels: games, play", "only-labels: chess"));
    for path in [FORM_PATH, ".github/ISSUE_TEMPLATE/board-link.yml"] {
        assert!(repo.read(path).contains("\nlabels: [play-by-commit, chess, games]\n"), "{path}");
    }
    // A condition of the host's own stays, too.
    let own = WORKFLOW.replace("'play-by-commit') ||", "'chess') ||");
    repo.write(WORKFLOW_PATH, &own);
    repo.run(&["init", "--yes", "--only-labels", "games"]).exits(1, &["its `if:` is your own"]);
    assert_eq!(repo.read(WORKFLOW_PATH), own);
}

/// A host's changes to the template, in various YAML styles.
const CUSTOM_LINES: [(&str, &str); 8] = [
    ("name: Play by Commit\n", "name: \"Our games\" # As the site calls it.\n"),
    ("name: Play by Commit, daily\n", "name: Our games, daily\n"),
    ("    - cron: \"37 4 * * *\"", "    - cron: '11 3 * * 1-5' # On weekdays.\n    - cron: \"12 5 * * *\""),
    ("  play:\n", "  games:\n"),
    ("runs-on: ubuntu-slim", "runs-on: [self-hosted, linux] # In the cellar."),
    ("timeout-minutes: 10", "timeout-minutes: 7 # Enough."),
    ("      queue: max # Leave this line out on GitHub Enterprise Server.\n", ""),
    (
        ACTION_REFERENCE,
        "play-by-commit/play-by-commit@0123456789abcdef0123456789abcdef01234567 # v1.2.3\n        id: play\n        continue-on-error: true",
    ),
];
const CUSTOM_INPUTS: &str = "          branch: play # Ours.\n          state-dir: \"games/state\"\n          pages: |\n            README.md\n            docs/play.md\n          games: chess, hex\n          tables: maintainers\n          skip-ci: true\n          token: ${{ secrets.BOT }}\n      # They like to hear of it.\n      - name: Tell Discord\n        run: |\n          echo hello\n\n          echo there\n  other:\n    runs-on: ubuntu-latest\n    steps:\n      - run: true\n";

/// Returns a template with the changes of a host.
fn customized(template: &str) -> String {
    let text = CUSTOM_LINES.iter().fold(template.to_owned(), |text, (from, to)| {
        assert!(WORKFLOW.contains(from) || DAILY_WORKFLOW.contains(from), "no template has {from:?}");
        text.replace(from, to)
    });
    format!("{text}{CUSTOM_INPUTS}")
}

#[test]
fn keeps_every_choice_of_the_host() {
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, &customized(WORKFLOW));
    repo.write(DAILY_WORKFLOW_PATH, &customized(DAILY_WORKFLOW));
    repo.write(FORM_PATH, &issue_form(&[GameKind::Chess, GameKind::Hex]));
    for words in [&["init"][..], &["init", "--yes"]] {
        let ran = repo.run(words);
        ran.exits(0, &["play.yml: up to date.", "Nothing to change.", "an issue that says `/new chess`"]);
        assert_eq!(repo.read(WORKFLOW_PATH), customized(WORKFLOW));
        assert_eq!(repo.read(DAILY_WORKFLOW_PATH), customized(DAILY_WORKFLOW));
    }
    // Only the requested values change.
    repo.run(&["init", "--yes", "--tables", "anyone", "--pages", "docs/play.md", "--version", "v1"]).exits(0, &[]);
    let pages = "pages: |\n            README.md\n            docs/play.md\n";
    let [expected, daily] = [WORKFLOW, DAILY_WORKFLOW].map(|template| {
        customized(template)
            .replace("tables: maintainers", "tables: anyone")
            .replace(pages, "pages: docs/play.md\n")
            .replace(
                "play-by-commit@0123456789abcdef0123456789abcdef01234567 # v1.2.3",
                &ACTION_REFERENCE["play-by-commit/".len()..],
            )
    });
    assert_eq!(repo.read(WORKFLOW_PATH), expected);
    assert_eq!(repo.read(DAILY_WORKFLOW_PATH), daily);
    // Other parts of the template are updated.
    repo.write(WORKFLOW_PATH, &expected.replace("!github.event.issue.pull_request && ", ""));
    repo.run(&["init", "--yes"])
        .exits(0, &["play.yml: updated.", "\n-      (github.event.sender.type != 'Bot' && (\n"]);
    assert_eq!(repo.read(WORKFLOW_PATH), expected);
}

/// Whatever the layout of the workflow, the games stay where they are.
#[test]
fn never_moves_the_games_unasked() {
    let uses = format!("      - uses: {ACTION_REFERENCE}\n");
    let with = "        with:\n          doctor: ${{ inputs.doctor }}\n";
    for (from, to, is_edited) in [
        ("          doctor: ", "          Branch: play\n          doctor: ", true),
        (with, "        with:\n            branch: play\n", true),
        (with, "        with: { branch: play }\n", false),
        (with, "        with:\n          branch: >-\n            play\n", true),
        (&uses[..], "      - name: Play\n        uses: play-by-commit/play-by-commit@v1.0.0\n", true),
        (
            &uses[..],
            "      - with:\n          branch: play\n        uses: play-by-commit/play-by-commit@v1\n        env:\n          with: x\n        #",
            true,
        ),
        ("jobs:\n", "jobs:\n  first:\n    runs-on: x\n    steps: []\n", true),
        ("    steps:\n", "    steps: # One.\n", true),
    ] {
        let text = WORKFLOW.replace(from, to);
        assert_ne!(text, WORKFLOW, "{from:?}");
        let repo = Repo::new(REMOTE);
        repo.write(WORKFLOW_PATH, &text);
        let before = play_steps("", &text, None).unwrap().remove(0);
        let ran = repo.run(&["init", "--yes", "--games", "chess"]);
        let after = play_steps("", &repo.read(WORKFLOW_PATH), None).unwrap().remove(0);
        assert_eq!(before.input("branch"), after.input("branch"), "{to}: {ran:?}");
        if is_edited {
            let daily = play_steps("", &repo.read(DAILY_WORKFLOW_PATH), None).unwrap().remove(0);
            assert_eq!(before.input("branch"), daily.input("branch"), "{to}: {ran:?}");
        }
        assert_eq!(after.input("games").is_some(), is_edited, "{to}: {ran:?}");
        ran.exits(
            i32::from(!is_edited),
            if is_edited { &["play.yml: updated."] } else { &["left unchanged, because"] },
        );
        assert_eq!(repo.read(WORKFLOW_PATH) == text, !is_edited, "{to}");
    }
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, "# play-by-commit\non: [\n");
    let files = repo.files();
    repo.run(&["init", "--yes"]).exits(1, &["play.yml can't be read as YAML: line ", "Repair it first"]);
    assert_eq!(repo.files(), files, "it wrote a file");
    // `--branch` moves the games, with a warning.
    repo.write(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: play\n"));
    let moved = repo.run(&["init", "--yes", "--branch", "other"]);
    moved.exits(0, &["`branch` changes, but your existing games don't move along"]);
    assert_eq!(repo.read(WORKFLOW_PATH), format!("{WORKFLOW}          branch: other\n"));
    assert!(!repo.run(&["init", "--yes", "--state-dir", "state"]).out.contains("don't move along"));
}

#[test]
fn finds_the_work_tree_from_a_subdirectory() {
    let repo = Repo::new(None);
    repo.write("docs/deep/x.txt", "x\n");
    let ran = repo.run(&["init", "--repo", "docs/deep"]);
    ran.exits(0, &["To play, open an issue that says `/new tic-tac-toe`.\n"]);
    assert_eq!(repo.read(WORKFLOW_PATH), default_workflow());
    std::fs::create_dir(repo.0.parent().unwrap().join("outside")).unwrap();
    repo.run(&["init", "--repo", "../outside"]).exits(1, &["There is no git repository"]);
    repo.run(&["init", "--repo", "nowhere"]).exits(1, &["There is no directory `nowhere`."]);
}

#[test]
fn shows_an_edited_file_and_leaves_it_alone() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).exits(0, &[]);
    let edited = default_workflow().replace("types: [opened]", "types: [opened, edited]");
    repo.write(WORKFLOW_PATH, &edited);
    let ran = repo.run(&["init"]);
    ran.exits(
        1,
        &[
            "play.yml already exists and differs from what init would write:",
            "\n-    types: [opened, edited]\n+    types: [opened]\n",
            "Not running interactively: pass `--yes` to make this change.",
            "play.yml: left unchanged.",
            "some files were left unchanged",
        ],
    );
    assert!(!ran.out.contains("To play"), "{ran:?}");
    assert_eq!(repo.read(WORKFLOW_PATH), edited);
    repo.run(&["init", "--yes"]).exits(0, &["play.yml: updated."]);
    assert_eq!(repo.read(WORKFLOW_PATH), default_workflow());
}

#[test]
fn a_dry_run_writes_nothing() {
    let repo = Repo::new(REMOTE);
    let files = repo.files();
    let ran = repo.run(&["init", "--dry-run", "--site", "--readme=7"]);
    let shown = [
        "play.yml would be written:",
        "\n+name: Play by Commit\n",
        "site.yml would be written",
        "new-game.yml would be",
    ];
    ran.exits(0, &shown).exits(0, &["README.md: markers would be added at the end", "Dry run: nothing was written."]);
    assert_eq!(repo.files(), files);
    repo.write(WORKFLOW_PATH, WORKFLOW);
    repo.run(&["init", "--dry-run", "--branch", "play"])
        .exits(0, &["play.yml would change:", "\n+          branch: play\n"]);
    assert_eq!(repo.read(WORKFLOW_PATH), WORKFLOW);
    repo.run(&["init", "--dry-run", "--yes"]).exits(2, &["cannot be used with"]);
}

/// Runs `init` in a terminal from `script` of util-linux, and types this answer; returns `None` without that program.
#[cfg(target_os = "linux")]
fn run_in_terminal(repo: &Repo, answer: &str) -> Option<String> {
    use std::io::Write;
    use std::process::Stdio;
    if !std::path::Path::new("/usr/bin/script").exists() {
        return None;
    }
    let line = format!("'{PROGRAM}' init");
    let mut child = repo.command("/usr/bin/script");
    let mut child =
        child.args(["-qec", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn asks_in_a_terminal_before_changing_a_file() {
    let edited = WORKFLOW.replace("types: [opened]", "types: [opened, edited]");
    let repo = Repo::new(REMOTE);
    for (answer, is_kept) in [("\n", true), ("n\n", true), ("y\n", false)] {
        repo.write(WORKFLOW_PATH, &edited);
        let Some(printed) = run_in_terminal(&repo, answer) else { return };
        assert!(printed.contains("Make this change to .github/workflows/play.yml? [y/N]"), "{printed}");
        assert!(!printed.contains("branch of their own"), "it asks for the branch of an existing workflow: {printed}");
        assert_eq!(repo.read(WORKFLOW_PATH) != WORKFLOW, is_kept, "{answer:?}: {printed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn asks_in_a_terminal_for_the_branch_of_the_games() {
    let profile = Some("git@github.com:Octo/octo.git");
    for (remote, answer, is_own) in [
        (REMOTE, "\n", true),
        (REMOTE, "y\n", true),
        (REMOTE, "n\n", false),
        (None, "no\n", false),
        (profile, "\n", false),
        (profile, "y\n", true),
    ] {
        let repo = Repo::new(remote);
        let Some(printed) = run_in_terminal(&repo, answer) else { return };
        assert!(printed.contains("Put the moves on a branch of their own, `play`? ["), "{printed}");
        assert_eq!(
            repo.read(WORKFLOW_PATH).ends_with("\n          branch: play\n"),
            is_own,
            "{remote:?} {answer:?}: {printed}"
        );
    }
}

#[test]
fn keeps_the_line_endings_of_the_host() {
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, &WORKFLOW.replace('\n', "\r\n"));
    repo.write("README.md", "# Games\r\n\r\nHello.\r\n");
    repo.run(&["init", "--readme=7"]).exits(0, &["play.yml: up to date."]);
    assert_eq!(repo.read(WORKFLOW_PATH), WORKFLOW.replace('\n', "\r\n"));
    let page = "# Games\r\n\r\nHello.\r\n\r\n<!-- play-by-commit:table 7 -->\r\n<!-- /play-by-commit:table -->\r\n";
    assert_eq!(repo.read("README.md"), page);
    repo.write(WORKFLOW_PATH, &WORKFLOW.replace("[opened]", "[open]").replace('\n', "\r\n"));
    repo.run(&["init", "--yes"]).exits(0, &["play.yml: updated"]);
    assert_eq!(repo.read(WORKFLOW_PATH), WORKFLOW.replace('\n', "\r\n"));
}

#[test]
fn writes_the_choices_into_the_workflow() {
    let repo = Repo::new(REMOTE);
    let sha = "0123456789abcdef0123456789abcdef01234567";
    repo.run(&["init", "--branch", "play", "--state-dir", "games/state", "--tables", "maintainers", "--version", sha])
        .exits(0, &[]);
    let text = repo.read(WORKFLOW_PATH);
    let end = "          doctor: ${{ inputs.doctor }}\n          branch: play\n          state-dir: games/state\n          tables: maintainers\n";
    for text in [&text, &repo.read(DAILY_WORKFLOW_PATH)] {
        assert!(
            text.ends_with(end) && text.contains(&format!("- uses: play-by-commit/play-by-commit@{sha}\n")),
            "{text}"
        );
    }
    for (words, sentence) in [
        (&["--branch", "a b"][..], "set `branch` to"),
        (&["--state-dir", "../x"], "`state-dir`"),
        (&["--pages", "a,b,c,d,e"], "`pages`"),
        (&["--games", "halma"], "`games`"),
        (&["--tables", "all"], "`tables`"),
        (&["--version", "main"], "--version takes a tag"),
        (&["--state-dir", ".github"], "a name can't begin with a dot"),
        (&["--version", "v1 # x"], "--version takes a tag"),
    ] {
        let repo = Repo::new(REMOTE);
        repo.run(&[&["init"], words].concat()).exits(1, &[sentence]);
        assert_eq!(repo.files().len(), 1, "{words:?}");
    }
    repo.run(&["init", "--readme=x"]).exits(2, &["the number of a table, `tables` or `standings`"]);
}

#[test]
fn the_form_offers_the_allowed_games() {
    let repo = Repo::new(REMOTE);
    let link = "https://github.com/octo/games/issues/new?title=A%20game%20of%20chess&body=%2Fnew%20chess";
    repo.run(&["init", "--games", "chess, hex", "--readme"])
        .exits(0, &["says `/new chess`:", link, "`/new chess seats=open`"]);
    assert_eq!(repo.read(FORM_PATH), issue_form(&[GameKind::Chess, GameKind::Hex]));
    repo.run(&["doctor"]).exits(0, &["0 to change, 0 could be better"]);
    // A customized form that works stays.
    let own = repo.read(FORM_PATH).replace("New game", "Play with us");
    repo.write(FORM_PATH, &own);
    repo.run(&["init", "--yes"]).exits(0, &["Nothing to change."]);
    assert_eq!(repo.read(FORM_PATH), own);
    repo.run(&["init", "--games", "hex,tic-tac-toe", "--yes"])
        .exits(0, &["new-game.yml: updated.", "`/new tic-tac-toe`"]);
    let form = issue_form(&[GameKind::Hex, GameKind::TicTacToe]).replace("New game", "Play with us");
    assert_eq!(repo.read(FORM_PATH), form);
}

#[test]
fn writes_for_an_enterprise_server() {
    for (remote, words, enterprise) in [
        (Some("https://ghe.example/octo/games.git"), &["init"][..], true),
        (Some("https://octo.ghe.com/octo/games.git"), &["init"], false),
        (REMOTE, &["init", "--enterprise"], true),
        (REMOTE, &["init"], false),
        (None, &["init"], false),
    ] {
        let repo = Repo::new(remote);
        let ran = repo.run(words);
        ran.exits(0, &[]);
        let text = repo.read(WORKFLOW_PATH);
        let lines: [bool; 3] =
            ["queue: max", "runs-on: self-hosted # ", "ubuntu-latest"].map(|line| text.contains(line));
        assert_eq!(lines, [!enterprise, enterprise, !enterprise], "{remote:?}: {text}");
        assert_eq!(ran.out.contains("Enterprise Server"), enterprise, "{ran:?}");
        repo.run(&[words, &["--yes"]].concat()).exits(0, &["Nothing to change."]);
        // GitHub Enterprise Server lacks an action that the site needs.
        let files = repo.files();
        let site = repo.run(&[words, &["--site"]].concat());
        assert_eq!(site.err.contains("play-by-commit site --out DIR"), enterprise, "{site:?}");
        assert_eq!((site.code, repo.files() == files), (Some(i32::from(enterprise)), enterprise));
    }
    // An existing workflow is converted, but keeps a self-hosted runner.
    let repo = Repo::new(REMOTE);
    for (runner, expected) in
        [("ubuntu-slim", "self-hosted # Use the label of your own"), ("[self-hosted, arm]", "[self-hosted, arm]\n")]
    {
        repo.write(WORKFLOW_PATH, &WORKFLOW.replace("ubuntu-slim", runner));
        repo.run(&["init", "--enterprise", "--yes"]).exits(0, &["play.yml: updated."]);
        let text = repo.read(WORKFLOW_PATH);
        assert!(text.contains(&format!("runs-on: {expected}")) && !text.contains("queue:"), "{text}");
    }
}

#[test]
fn updates_our_workflow_under_any_name_and_no_other() {
    let repo = Repo::new(REMOTE);
    let other = ".github/workflows/games.yml";
    repo.write(other, WORKFLOW);
    repo.run(&["init"]).exits(0, &[".github/workflows/games.yml: up to date.", "new-game.yml: written."]);
    repo.run(&["init", "--branch", "play", "--yes"]).exits(0, &[".github/workflows/games.yml: updated."]);
    assert_eq!(
        (repo.0.join(WORKFLOW_PATH).exists(), repo.read(other)),
        (false, format!("{WORKFLOW}          branch: play\n"))
    );
    // With two workflows that play, `init` changes neither.
    repo.write(".github/workflows/more.yml", WORKFLOW);
    repo.run(&["init"])
        .exits(0, &["games.yml, .github/workflows/more.yml: left unchanged, because more than one step plays"]);
    repo.run(&["init", "--tables", "anyone", "--yes"]).exits(1, &["left unchanged"]);
    let repo = Repo::new(REMOTE);
    repo.write(WORKFLOW_PATH, "on: push\n");
    for sentence in ["play-by-commit.yml: written.", "play-by-commit.yml: up to date."] {
        repo.run(&["init", "--yes"]).exits(0, &[sentence]);
    }
    assert_eq!(repo.read(WORKFLOW_PATH), "on: push\n");
}

#[test]
fn adds_markers_to_the_end_of_a_page() {
    let repo = Repo::new(REMOTE);
    repo.write("README.md", "# Games");
    repo.run(&["init", "--readme=#42", "--readme=tables", "--readme=standings"])
        .exits(0, &["README.md: markers added at the end."]);
    let page = "# Games\n\n<!-- play-by-commit:table 42 -->\n<!-- /play-by-commit:table -->\n\n<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\n<!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";
    assert_eq!(repo.read("README.md"), page);
    repo.run(&["init", "--readme=42", "--readme=tables", "--readme=standings"])
        .exits(0, &["README.md: already has the markers."]);
    assert_eq!(repo.read("README.md"), page);
    let note = "With `branch: play` the bot fills pages on that branch alone";
    assert!(!repo.run(&["init", "--readme"]).exits(0, &["seats%3Dopen", "init --readme=NUMBER"]).out.contains(note));
    repo.run(&["init", "--readme=42", "--branch", "play", "--yes"]).exits(0, &[note]);
    repo.run(&["init", "--yes"]).exits(0, &[]);
    repo.run(&["init", "--readme=3", "--pages", "docs/play.md", "--yes"])
        .exits(0, &["docs/play.md: written, with the markers."]);
    repo.run(&["init", "--pages", "README.md", "--yes"]).exits(0, &[]);
    assert!(repo.read("docs/play.md").starts_with("<!-- play-by-commit:table 3 -->\n"));
    // Markers don't count in an open code block at the end of a page.
    repo.write("README.md", "```\ncode\n");
    repo.run(&["init", "--readme=3", "--yes"])
        .exits(1, &["README.md: markers at its end wouldn't count", "<!-- play-by-commit:table 3 -->"]);
    assert_eq!(repo.read("README.md"), "```\ncode\n");
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    repo.write("readme.md", "x\n");
    repo.run(&["init", "--readme=3", "--yes"]).exits(1, &["name it with `--pages readme.md`"]);
    // It names the README that GitHub shows.
    std::fs::remove_file(repo.0.join("readme.md")).unwrap();
    for place in [".github/README.md", "docs/Readme.md"] {
        repo.write(place, "# Ours\n");
        repo.run(&["init", "--readme=3", "--yes"])
            .exits(1, &[&format!("your README is {place}: name it with `--pages {place}`")]);
        repo.run(&["init", "--readme=3", "--yes", "--pages", place])
            .exits(0, &[&format!("{place}: markers added at the end.")]);
        repo.run(&["init", "--yes", "--pages", "README.md"]).exits(0, &[]);
        assert!(!repo.0.join("README.md").exists());
        std::fs::remove_file(repo.0.join(place)).unwrap();
    }
    // It refuses to hide another README.
    repo.write("README.rst", "Ours\n====\n");
    repo.run(&["init", "--readme=3", "--yes"])
        .exits(1, &["GitHub would show a new README.md in place of your README.rst"]);
    assert!(!repo.0.join("README.md").exists());
}
