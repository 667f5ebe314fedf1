//! `init`: what it writes, what it leaves alone, and what it says.

use games::registry::GameKind;
use setup::templates::{
    ACTION_REFERENCE, FORM_PATH, SITE_WORKFLOW, SITE_WORKFLOW_PATH, WORKFLOW, WORKFLOW_PATH, WorkflowChoices,
    issue_form, workflow,
};
use setup::workflow_steps::play_steps;

use super::{PROGRAM, Ran, Repo};

const REMOTE: Option<&str> = Some("git@github.com:octo/games.git");

/// The workflow that `init` writes without any choice: this program was built from source.
fn usual() -> String {
    workflow(&WorkflowChoices::default())
}

#[test]
fn a_repository_is_set_up_and_a_second_time_changes_nothing() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).is(
        0,
        &[
            "The bot will commit moves to the default branch. To keep them out of a project's history, use `--branch play`.",
            ".github/workflows/play.yml: written.",
            ".github/ISSUE_TEMPLATE/new-game.yml: written.",
            "commit and push",
            "https://github.com/octo/games/issues/new?title=A%20game%20of%20tic-tac-toe&body=%2Fnew%20tic-tac-toe",
            "it can't tell whether `@v1` is released yet",
        ],
    );
    assert_eq!((repo.text(WORKFLOW_PATH), repo.text(FORM_PATH)), (usual(), issue_form(&[])));
    let files = repo.files();
    assert_eq!(files.len(), 3, "{files:?}");
    let again = repo.run(&["init"]);
    again.is(0, &["play.yml: up to date.", "\nNothing to change.\nTo play, open an issue that says"]);
    assert!(!again.out.contains("default branch"), "{again:?}");
    assert_eq!(repo.files(), files);
    // Nothing was committed or staged.
    repo.run(&["doctor"]).is(0, &["0 to change, 0 could be better"]);
}

#[test]
fn from_source_the_runner_has_rust_and_time() {
    let sha = "0123456789abcdef0123456789abcdef01234567";
    for (version, is_release) in [("v1", true), ("v1.2.3", true), (sha, false)] {
        let repo = Repo::new(REMOTE);
        let ran = repo.run(&["init", "--version", version]);
        assert_eq!(
            ran.is(0, &[]).out.contains("is built from source, which needs `ubuntu-latest`"),
            !is_release,
            "{ran:?}"
        );
        let text = repo.text(WORKFLOW_PATH);
        let lines = ["    runs-on: ubuntu-slim\n", "    timeout-minutes: 10\n"].map(|line| text.contains(line));
        assert_eq!(lines, [is_release; 2], "{text}");
        let lines = ["    runs-on: ubuntu-latest\n", "    timeout-minutes: 20\n"].map(|line| text.contains(line));
        assert_eq!(lines, [!is_release; 2], "{text}");
        repo.run(&["doctor"]).is(0, &["0 to change, 0 could be better"]);
        // A workflow that is there gets them with the version.
        repo.run(&["init", "--version", "v1", "--yes"]).is(0, &[]);
        let kept = repo.text(WORKFLOW_PATH);
        repo.put(WORKFLOW_PATH, WORKFLOW);
        repo.run(&["init", "--version", version, "--yes"]).is(0, &[]);
        assert_eq!(repo.text(WORKFLOW_PATH), text);
        assert!(
            is_release == (kept == repo.text(WORKFLOW_PATH).replace(version, "v1")),
            "a runner is never taken back"
        );
    }
}

/// What a host chose, in the shapes that hosts write.
const CHOSEN: [(&str, &str); 7] = [
    ("name: Play by Commit\n", "name: \"Our games\" # As the site calls it.\n"),
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
const INPUTS: &str = "          branch: play # Ours.\n          state-dir: \"games/state\"\n          pages: |\n            README.md\n            docs/play.md\n          games: chess, hex\n          tables: maintainers\n          skip-ci: true\n          token: ${{ secrets.BOT }}\n      # They like to hear of it.\n      - name: Tell Discord\n        run: |\n          echo hello\n\n          echo there\n  other:\n    runs-on: ubuntu-latest\n    steps:\n      - run: true\n";

fn chosen() -> String {
    let text = CHOSEN.iter().fold(WORKFLOW.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the template has no {from:?}");
        text.replace(from, to)
    });
    format!("{text}{INPUTS}")
}

#[test]
fn everything_that_a_host_chose_is_kept() {
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, &chosen());
    repo.put(FORM_PATH, &issue_form(&[GameKind::Chess, GameKind::Hex]));
    for words in [&["init"][..], &["init", "--yes"]] {
        let ran = repo.run(words);
        ran.is(0, &["play.yml: up to date.", "Nothing to change.", "an issue that says `/new chess`"]);
        assert_eq!(repo.text(WORKFLOW_PATH), chosen());
    }
    // What is asked for changes, and nothing else.
    repo.run(&["init", "--yes", "--tables", "anyone", "--pages", "docs/play.md", "--version", "v1"]).is(0, &[]);
    let pages = "pages: |\n            README.md\n            docs/play.md\n";
    let expected =
        chosen().replace("tables: maintainers", "tables: anyone").replace(pages, "pages: docs/play.md\n").replace(
            "play-by-commit@0123456789abcdef0123456789abcdef01234567 # v1.2.3",
            &ACTION_REFERENCE["play-by-commit/".len()..],
        );
    assert_eq!(repo.text(WORKFLOW_PATH), expected);
    // The rest of the template comes up to date.
    repo.put(WORKFLOW_PATH, &expected.replace("!github.event.issue.pull_request && ", ""));
    repo.run(&["init", "--yes"]).is(0, &["play.yml: updated.", "\n-      (github.event.sender.type != 'Bot' && (\n"]);
    assert_eq!(repo.text(WORKFLOW_PATH), expected);
}

/// Also where the result isn't pretty, the games stay.
#[test]
fn the_games_never_move_by_themselves() {
    let uses = format!("      - uses: {ACTION_REFERENCE}\n");
    let with = "        with:\n          doctor: ${{ inputs.doctor }}\n          probe: ${{ inputs.probe }}\n";
    for (from, to, is_edited) in [
        ("          probe: ", "          Branch: play\n          probe: ", true),
        (with, "        with:\n            branch: play\n", true),
        (with, "        with: { branch: play }\n", false),
        (with, "        with:\n          branch: >-\n            play\n", true),
        (&uses[..], "      - name: Play\n        uses: play-by-commit/play-by-commit@v1.0.0\n", true),
        (
            &uses[..],
            "      - with:\n          branch: play\n        uses: play-by-commit/play-by-commit@v1\n        env:\n          with: x\n        #",
            true,
        ),
        ("jobs:\n", "jobs:\n  first:\n    runs-on: x\n    steps: []\n", false),
        ("    steps:\n", "    steps: # One.\n", false),
    ] {
        let text = WORKFLOW.replace(from, to);
        assert_ne!(text, WORKFLOW, "{from:?}");
        let repo = Repo::new(REMOTE);
        repo.put(WORKFLOW_PATH, &text);
        let before = play_steps("", &text, None).unwrap().remove(0);
        let ran = repo.run(&["init", "--yes", "--games", "chess"]);
        let after = play_steps("", &repo.text(WORKFLOW_PATH), None).unwrap().remove(0);
        assert_eq!(before.input("branch"), after.input("branch"), "{to}: {ran:?}");
        assert_eq!(after.input("games").is_some(), is_edited, "{to}: {ran:?}");
        ran.is(i32::from(!is_edited), if is_edited { &["play.yml: updated."] } else { &["left unchanged, because"] });
        assert_eq!(repo.text(WORKFLOW_PATH) == text, !is_edited, "{to}");
    }
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, "# play-by-commit\non: [\n");
    let files = repo.files();
    repo.run(&["init", "--yes"]).is(1, &["play.yml can't be read as YAML: line ", "Repair it first"]);
    assert_eq!(repo.files(), files, "nothing at all is written");
    // Only a host who says so moves them, and hears what that means.
    repo.put(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: play\n"));
    let moved = repo.run(&["init", "--yes", "--branch", "other"]);
    moved.is(0, &["`branch` changes, but your existing games don't move along"]);
    assert_eq!(repo.text(WORKFLOW_PATH), format!("{WORKFLOW}          branch: other\n"));
    assert!(!repo.run(&["init", "--yes", "--state-dir", "state"]).out.contains("don't move along"));
}

#[test]
fn it_is_found_from_below_and_only_in_a_work_tree() {
    let repo = Repo::new(None);
    repo.put("docs/deep/x.txt", "x\n");
    let ran = repo.run(&["init", "--repo", "docs/deep"]);
    ran.is(0, &["To play, open an issue that says `/new tic-tac-toe`.\n"]);
    assert_eq!(repo.text(WORKFLOW_PATH), usual());
    std::fs::create_dir(repo.0.parent().unwrap().join("outside")).unwrap();
    repo.run(&["init", "--repo", "../outside"]).is(1, &["There is no git repository"]);
    repo.run(&["init", "--repo", "nowhere"]).is(1, &["There is no directory `nowhere`."]);
}

#[test]
fn what_somebody_has_changed_is_shown_and_left_alone() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).is(0, &[]);
    let edited = usual().replace("types: [opened]", "types: [opened, edited]");
    repo.put(WORKFLOW_PATH, &edited);
    let ran = repo.run(&["init"]);
    ran.is(
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
    assert_eq!(repo.text(WORKFLOW_PATH), edited);
    repo.run(&["init", "--yes"]).is(0, &["play.yml: updated."]);
    assert_eq!(repo.text(WORKFLOW_PATH), usual());
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let repo = Repo::new(REMOTE);
    let files = repo.files();
    let ran = repo.run(&["init", "--dry-run", "--site", "--readme=7"]);
    let shown = [
        "play.yml would be written:",
        "\n+name: Play by Commit\n",
        "site.yml would be written",
        "new-game.yml would be",
    ];
    ran.is(0, &shown).is(0, &["README.md: markers would be added at the end", "Dry run: nothing was written."]);
    assert_eq!(repo.files(), files);
    repo.put(WORKFLOW_PATH, WORKFLOW);
    repo.run(&["init", "--dry-run", "--branch", "play"])
        .is(0, &["play.yml would change:", "\n+          branch: play\n"]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW);
    repo.run(&["init", "--dry-run", "--yes"]).is(2, &["cannot be used with"]);
}

/// Runs `init` on a terminal, which `script` of util-linux makes, and answers; `None` where there is no such program.
#[cfg(target_os = "linux")]
fn on_a_terminal(repo: &Repo, answer: &str) -> Option<String> {
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
fn on_a_terminal_it_asks_before_it_changes_a_file() {
    let edited = WORKFLOW.replace("types: [opened]", "types: [opened, edited]");
    let repo = Repo::new(REMOTE);
    for (answer, kept) in [("\n", true), ("n\n", true), ("y\n", false)] {
        repo.put(WORKFLOW_PATH, &edited);
        let Some(said) = on_a_terminal(&repo, answer) else { return };
        assert!(said.contains("Make this change to .github/workflows/play.yml? [y/N]"), "{said}");
        assert!(!said.contains("branch of their own"), "the branch of a workflow that is there is no question: {said}");
        assert_eq!(repo.text(WORKFLOW_PATH) != WORKFLOW, kept, "{answer:?}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_asks_for_the_branch_of_the_games() {
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
        let Some(said) = on_a_terminal(&repo, answer) else { return };
        assert!(said.contains("Put the moves on a branch of their own, `play`? ["), "{said}");
        assert_eq!(
            repo.text(WORKFLOW_PATH).ends_with("\n          branch: play\n"),
            is_own,
            "{remote:?} {answer:?}: {said}"
        );
    }
}

#[test]
fn line_ends_are_the_hosts() {
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, &WORKFLOW.replace('\n', "\r\n"));
    repo.put("README.md", "# Games\r\n\r\nHello.\r\n");
    repo.run(&["init", "--readme=7"]).is(0, &["play.yml: up to date."]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW.replace('\n', "\r\n"));
    let page = "# Games\r\n\r\nHello.\r\n\r\n<!-- play-by-commit:table 7 -->\r\n<!-- /play-by-commit:table -->\r\n";
    assert_eq!(repo.text("README.md"), page);
    repo.put(WORKFLOW_PATH, &WORKFLOW.replace("cron", "corn").replace('\n', "\r\n"));
    repo.run(&["init", "--yes"]).is(0, &["play.yml: updated"]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW.replace('\n', "\r\n"));
}

#[test]
fn choices_come_to_stand_in_the_workflow() {
    let repo = Repo::new(REMOTE);
    let sha = "0123456789abcdef0123456789abcdef01234567";
    repo.run(&["init", "--branch", "play", "--state-dir", "games/state", "--tables", "maintainers", "--version", sha])
        .is(0, &[]);
    let text = repo.text(WORKFLOW_PATH);
    let end = "          doctor: ${{ inputs.doctor }}\n          probe: ${{ inputs.probe }}\n          branch: play\n          state-dir: games/state\n          tables: maintainers\n";
    assert!(text.ends_with(end) && text.contains(&format!("- uses: play-by-commit/play-by-commit@{sha}\n")), "{text}");
    for (words, sentence) in [
        (&["--branch", "a b"][..], "the input `branch`"),
        (&["--state-dir", "../x"], "the input `state-dir`"),
        (&["--pages", "a,b,c,d,e"], "the input `pages`"),
        (&["--games", "halma"], "the input `games`"),
        (&["--tables", "all"], "the input `tables`"),
        (&["--version", "main"], "--version takes a tag"),
        (&["--state-dir", ".github"], "a name can't begin with a dot"),
        (&["--version", "v1 # x"], "--version takes a tag"),
    ] {
        let repo = Repo::new(REMOTE);
        repo.run(&[&["init"], words].concat()).is(1, &[sentence]);
        assert_eq!(repo.files().len(), 1, "{words:?}");
    }
    repo.run(&["init", "--readme=x"]).is(2, &["the number of a table, `tables` or `standings`"]);
}

#[test]
fn the_site_has_a_workflow_of_its_own() {
    let repo = Repo::new(REMOTE);
    let said = ["site.yml: written.", "choose *GitHub Actions* as the source", "start *Site of the games* once"];
    repo.run(&["init", "--site"]).is(0, &said);
    assert_eq!((repo.text(SITE_WORKFLOW_PATH), repo.text(WORKFLOW_PATH)), (SITE_WORKFLOW.to_owned(), usual()));
    repo.run(&["init", "--site"]).is(0, &["site.yml: up to date.", "play.yml: up to date."]);
    repo.run(&["doctor"]).is(0, &["0 to change, 0 could be better", "site.yml: it publishes the site after each run."]);
    // Where the games are is the same for both.
    let repo = Repo::new(REMOTE);
    repo.run(&["init", "--site", "--branch", "play", "--state-dir", "games/state", "--version", "v1.2.3"]).is(0, &[]);
    let text = repo.text(SITE_WORKFLOW_PATH);
    for line in [
        "    paths: [\"games/state/**\"]",
        "          ref: play",
        "          site: site\n          state-dir: games/state",
        "key: play-by-commit-site-${{ hashFiles('games/state/**') }}",
        "github.ref_name == 'play'",
        "play-by-commit@v1.2.3",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
    assert!(!text.contains("default_branch") && !text.contains("'state/"), "{text}");
    repo.run(&["doctor"]).is(0, &["it publishes the site after each run."]);
    // A workflow of the host's with that name stays.
    let repo = Repo::new(REMOTE);
    repo.put(SITE_WORKFLOW_PATH, "on: push\n");
    repo.run(&["init", "--site", "--yes"]).is(0, &["games-site.yml: written."]);
    assert_eq!(repo.text(SITE_WORKFLOW_PATH), "on: push\n");
}

#[test]
fn the_site_follows_the_workflow_that_plays() {
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, &chosen());
    repo.run(&["init", "--site"]).is(0, &["site.yml: written.", "play.yml: up to date."]);
    let text = repo.text(SITE_WORKFLOW_PATH);
    for line in [
        "    workflows: [Our games]\n",
        "    paths: [\"games/state/**\"]\n",
        "          ref: play\n",
        "          site: site\n          state-dir: games/state\n",
        "      - uses: play-by-commit/play-by-commit@0123456789abcdef0123456789abcdef01234567 # v1.2.3\n",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
    repo.run(&["doctor"]).is(0, &["it publishes the site after each run."]);
    // What a host chose for the site is kept, too, and it follows when the games are to move.
    let own = text
        .replace("name: Site of the games\n", "name: Our site\n")
        .replace("runs-on: ubuntu-latest", "runs-on: ubuntu-24.04")
        .replace("timeout-minutes: 15", "timeout-minutes: 30 # It's large.")
        .replace("games/state\n", "games/state\n          site-url: https://games.example/ # Ours.\n");
    repo.put(SITE_WORKFLOW_PATH, &own);
    repo.run(&["init", "--site", "--yes"]).is(0, &["site.yml: up to date."]);
    repo.run(&["init", "--branch", "next", "--yes"]).is(0, &["site.yml: updated."]);
    assert_eq!(
        repo.text(SITE_WORKFLOW_PATH),
        own.replace("ref: play\n", "ref: next\n").replace("== 'play'", "== 'next'")
    );
    repo.run(&["init", "--tables", "anyone", "--yes"]).is(0, &["play.yml: updated."]);
    // A site that was written for another branch is put right.
    repo.put(SITE_WORKFLOW_PATH, SITE_WORKFLOW);
    repo.run(&["doctor"]).is(1, &["`next`. Set `ref: next`"]);
    repo.run(&["init", "--site", "--yes"]).is(0, &["site.yml: updated."]);
    repo.run(&["doctor"]).is(0, &["it publishes the site after each run."]);
    // Where the games are isn't known.
    repo.put(WORKFLOW_PATH, &format!("{WORKFLOW}          branch: ${{{{ vars.BRANCH }}}}\n"));
    repo.run(&["init", "--site", "--yes"]).is(1, &["has an expression for `branch`"]);
}

#[test]
fn the_form_offers_the_games_that_may_be_played() {
    let repo = Repo::new(REMOTE);
    let link = "https://github.com/octo/games/issues/new?title=A%20game%20of%20chess&body=%2Fnew%20chess";
    repo.run(&["init", "--games", "chess, hex", "--readme"])
        .is(0, &["says `/new chess`:", link, "`/new chess seats=open`"]);
    assert_eq!(repo.text(FORM_PATH), issue_form(&[GameKind::Chess, GameKind::Hex]));
    repo.run(&["doctor"]).is(0, &["0 to change, 0 could be better"]);
    // A form that a host has rewritten and that works stays.
    let own = repo.text(FORM_PATH).replace("New game", "Play with us");
    repo.put(FORM_PATH, &own);
    repo.run(&["init", "--yes"]).is(0, &["Nothing to change."]);
    assert_eq!(repo.text(FORM_PATH), own);
    repo.run(&["init", "--games", "hex,tic-tac-toe", "--yes"]).is(0, &["new-game.yml: updated.", "`/new tic-tac-toe`"]);
    assert_eq!(repo.text(FORM_PATH), issue_form(&[GameKind::Hex, GameKind::TicTacToe]));
}

#[test]
fn an_enterprise_server_has_no_queue_and_runners_of_its_own() {
    for (remote, words, enterprise) in [
        (Some("https://ghe.example/octo/games.git"), &["init"][..], true),
        (Some("https://octo.ghe.com/octo/games.git"), &["init"], false),
        (REMOTE, &["init", "--enterprise"], true),
        (REMOTE, &["init"], false),
        (None, &["init"], false),
    ] {
        let repo = Repo::new(remote);
        let ran = repo.run(words);
        ran.is(0, &[]);
        let text = repo.text(WORKFLOW_PATH);
        let lines: [bool; 3] =
            ["queue: max", "runs-on: self-hosted # ", "ubuntu-latest"].map(|line| text.contains(line));
        assert_eq!(lines, [!enterprise, enterprise, !enterprise], "{remote:?}: {text}");
        assert_eq!(ran.out.contains("Enterprise Server"), enterprise, "{ran:?}");
        repo.run(&[words, &["--yes"]].concat()).is(0, &["Nothing to change."]);
        // The actions that a site needs don't run there.
        let files = repo.files();
        let site = repo.run(&[words, &["--site"]].concat());
        assert_eq!(site.err.contains("play-by-commit site --out DIR"), enterprise, "{site:?}");
        assert_eq!((site.code, repo.files() == files), (Some(i32::from(enterprise)), enterprise));
    }
    // One that is there becomes one for an Enterprise Server, and keeps a runner of its own.
    let repo = Repo::new(REMOTE);
    for (runner, expected) in
        [("ubuntu-slim", "self-hosted # Use the label of your own"), ("[self-hosted, arm]", "[self-hosted, arm]\n")]
    {
        repo.put(WORKFLOW_PATH, &WORKFLOW.replace("ubuntu-slim", runner));
        repo.run(&["init", "--enterprise", "--yes"]).is(0, &["play.yml: updated."]);
        let text = repo.text(WORKFLOW_PATH);
        assert!(text.contains(&format!("runs-on: {expected}")) && !text.contains("queue:"), "{text}");
    }
}

#[test]
fn a_workflow_of_another_name_is_brought_up_to_date_and_one_of_another_program_left_alone() {
    let repo = Repo::new(REMOTE);
    let other = ".github/workflows/games.yml";
    repo.put(other, WORKFLOW);
    repo.run(&["init"]).is(0, &[".github/workflows/games.yml: up to date.", "new-game.yml: written."]);
    repo.run(&["init", "--branch", "play", "--yes"]).is(0, &[".github/workflows/games.yml: updated."]);
    assert_eq!(
        (repo.0.join(WORKFLOW_PATH).exists(), repo.text(other)),
        (false, format!("{WORKFLOW}          branch: play\n"))
    );
    // With two of them nobody knows which one is meant.
    repo.put(".github/workflows/more.yml", WORKFLOW);
    repo.run(&["init"])
        .is(0, &["games.yml, .github/workflows/more.yml: left unchanged, because more than one step plays"]);
    repo.run(&["init", "--tables", "anyone", "--yes"]).is(1, &["left unchanged"]);
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, "on: push\n");
    for sentence in ["play-by-commit.yml: written.", "play-by-commit.yml: up to date."] {
        repo.run(&["init", "--yes"]).is(0, &[sentence]);
    }
    assert_eq!(repo.text(WORKFLOW_PATH), "on: push\n");
}

#[test]
fn markers_are_put_at_the_end_of_a_page() {
    let repo = Repo::new(REMOTE);
    repo.put("README.md", "# Games");
    repo.run(&["init", "--readme=#42", "--readme=tables", "--readme=standings"])
        .is(0, &["README.md: markers added at the end."]);
    let page = "# Games\n\n<!-- play-by-commit:table 42 -->\n<!-- /play-by-commit:table -->\n\n<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\n<!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";
    assert_eq!(repo.text("README.md"), page);
    repo.run(&["init", "--readme=42", "--readme=tables", "--readme=standings"])
        .is(0, &["README.md: already has the markers."]);
    assert_eq!(repo.text("README.md"), page);
    let said = "With `branch: play` the bot fills pages on that branch alone";
    assert!(!repo.run(&["init", "--readme"]).is(0, &["seats%3Dopen", "init --readme=NUMBER"]).out.contains(said));
    repo.run(&["init", "--readme=42", "--branch", "play", "--yes"]).is(0, &[said]);
    repo.run(&["init", "--yes"]).is(0, &[]);
    repo.run(&["init", "--readme=3", "--pages", "docs/play.md", "--yes"])
        .is(0, &["docs/play.md: written, with the markers."]);
    repo.run(&["init", "--pages", "README.md", "--yes"]).is(0, &[]);
    assert!(repo.text("docs/play.md").starts_with("<!-- play-by-commit:table 3 -->\n"));
    // A page that ends inside of a code block has no end at which a marker would count.
    repo.put("README.md", "```\ncode\n");
    repo.run(&["init", "--readme=3", "--yes"])
        .is(1, &["README.md: markers at its end wouldn't count", "<!-- play-by-commit:table 3 -->"]);
    assert_eq!(repo.text("README.md"), "```\ncode\n");
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    repo.put("readme.md", "x\n");
    repo.run(&["init", "--readme=3", "--yes"]).is(1, &["name it with `--pages readme.md`"]);
    // A page that would hide the host's own isn't made.
    std::fs::remove_file(repo.0.join("readme.md")).unwrap();
    repo.put("README.rst", "Ours\n====\n");
    repo.run(&["init", "--readme=3", "--yes"])
        .is(1, &["GitHub would show a new README.md in place of your README.rst"]);
    assert!(!repo.0.join("README.md").exists());
}

#[test]
fn it_says_what_closed_forms_break() {
    let repo = Repo::new(REMOTE);
    repo.put(".github/ISSUE_TEMPLATE/config.yml", "blank_issues_enabled: false\n");
    repo.run(&["init"]).is(0, &["says `blank_issues_enabled: false`. The links of a board"]);
    assert_eq!(repo.text(".github/ISSUE_TEMPLATE/config.yml"), "blank_issues_enabled: false\n");
    repo.put(".github/ISSUE_TEMPLATE/config.yml", "blank_issues_enabled: true\n");
    assert!(!repo.run(&["init"]).out.contains("blank_issues"));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_repository() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let repo = Repo::new(REMOTE);
    let outside = repo.0.parent().unwrap().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    symlink(&outside, repo.0.join(".github")).unwrap();
    let refused =
        |ran: &Ran| assert!(ran.code == Some(1) && ran.err.contains("leads out of the repository"), "{ran:?}");
    refused(&repo.run(&["init", "--yes"]));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    std::fs::remove_file(repo.0.join(".github")).unwrap();
    // A file that is a link out of it is not written through either, and one inside stays a link.
    std::fs::write(outside.join("README.md"), "theirs\n").unwrap();
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    symlink(outside.join("README.md"), repo.0.join("README.md")).unwrap();
    refused(&repo.run(&["init", "--readme=1"]));
    assert_eq!(std::fs::read_to_string(outside.join("README.md")).unwrap(), "theirs\n");
    repo.put("docs/page.md", "ours\n");
    std::fs::set_permissions(repo.0.join("docs/page.md"), std::fs::Permissions::from_mode(0o664)).unwrap();
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    symlink("docs/page.md", repo.0.join("README.md")).unwrap();
    repo.run(&["init", "--readme=1"]).is(0, &["README.md: markers"]);
    assert!(repo.0.join("README.md").is_symlink() && repo.text("docs/page.md").contains("table 1"));
    let mode = std::fs::metadata(repo.0.join("docs/page.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o664);
    // Nothing half-written is left.
    assert!(repo.files().iter().all(|(path, _)| !path.file_name().unwrap().to_string_lossy().starts_with(".play")));
}
