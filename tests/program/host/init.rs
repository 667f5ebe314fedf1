//! `init`: what it writes, what it leaves alone, and what it says.

use play_by_commit::host::templates::{FORM_PATH, SITE_PATH, SITE_WORKFLOW, WORKFLOW, WORKFLOW_PATH, form};

use super::{PROGRAM, Ran, Repo};

const REMOTE: Option<&str> = Some("git@github.com:octo/games.git");

#[test]
fn a_repository_is_set_up_and_a_second_time_changes_nothing() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).is(
        0,
        &[
            ".github/workflows/play.yml: written.",
            ".github/ISSUE_TEMPLATE/new-game.yml: written.",
            "commit and push",
            "https://github.com/octo/games/issues/new?title=A%20game%20of%20tic-tac-toe&body=%2Fnew%20tic-tac-toe",
            "label `play-by-commit` itself",
            "cannot know whether `@v1`, which the workflow names, is released yet",
        ],
    );
    assert_eq!((repo.text(WORKFLOW_PATH), repo.text(FORM_PATH)), (WORKFLOW.to_owned(), form()));
    let files = repo.files();
    assert_eq!(files.len(), 3, "{files:?}");
    repo.run(&["init"]).is(0, &["play.yml: already as it should be.", "Nothing was to be changed."]);
    assert_eq!(repo.files(), files);
    // Nothing was committed or staged.
    repo.run(&["doctor"]).is(0, &["0 to change"]);
}

#[test]
fn it_is_found_from_below_and_only_in_a_work_tree() {
    let repo = Repo::new(None);
    repo.put("docs/deep/x.txt", "x\n");
    let ran = repo.run(&["init", "--repo", "docs/deep"]);
    ran.is(0, &["Then open an issue with `/new tic-tac-toe` in it\n"]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW);
    std::fs::create_dir(repo.0.parent().unwrap().join("outside")).unwrap();
    repo.run(&["init", "--repo", "../outside"]).is(1, &["There is no git repository"]);
    repo.run(&["init", "--repo", "nowhere"]).is(1, &["There is no directory `nowhere`."]);
}

#[test]
fn what_somebody_has_changed_is_shown_and_left_alone() {
    let repo = Repo::new(REMOTE);
    repo.run(&["init"]).is(0, &[]);
    let edited = WORKFLOW.replace("timeout-minutes: 10", "timeout-minutes: 5");
    repo.put(WORKFLOW_PATH, &edited);
    let ran = repo.run(&["init"]);
    ran.is(
        1,
        &[
            "\n-    timeout-minutes: 5\n+    timeout-minutes: 10\n",
            "There is nobody to ask",
            "left alone",
            "not everything",
        ],
    );
    assert_eq!(repo.text(WORKFLOW_PATH), edited);
    repo.run(&["init", "--yes"]).is(0, &["play.yml: written anew."]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW);
}

/// `script` of util-linux makes the terminal.
#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_it_asks() {
    use std::io::Write;
    use std::process::Stdio;
    if !std::path::Path::new("/usr/bin/script").exists() {
        return;
    }
    let repo = Repo::new(REMOTE);
    for (answer, kept) in [("\n", true), ("n\n", true), ("y\n", false)] {
        repo.put(WORKFLOW_PATH, "# play-by-commit\n[");
        let line = format!("'{PROGRAM}' init");
        let mut child = repo.command("/usr/bin/script");
        let mut child =
            child.args(["-qec", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("Write .github/workflows/play.yml anew? [y/N]"), "{said}");
        assert_eq!(repo.text(WORKFLOW_PATH) != WORKFLOW, kept, "{answer:?}: {said}");
    }
}

#[test]
fn line_ends_are_the_hosts() {
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, &WORKFLOW.replace('\n', "\r\n"));
    repo.put("README.md", "# Games\r\n\r\nHello.\r\n");
    repo.run(&["init", "--readme=7"]).is(0, &["play.yml: already as it should be."]);
    assert_eq!(repo.text(WORKFLOW_PATH), WORKFLOW.replace('\n', "\r\n"));
    let page = "# Games\r\n\r\nHello.\r\n\r\n<!-- play-by-commit:table 7 -->\r\n<!-- /play-by-commit:table -->\r\n";
    assert_eq!(repo.text("README.md"), page);
    repo.put(WORKFLOW_PATH, &WORKFLOW.replace("cron", "corn").replace('\n', "\r\n"));
    repo.run(&["init", "--yes"]).is(0, &["written anew"]);
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
        (&["--version", "main"], "a version is a tag"),
        (&["--version", "v1 # x"], "a version is a tag"),
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
    assert_eq!((repo.text(SITE_PATH), repo.text(WORKFLOW_PATH)), (SITE_WORKFLOW.to_owned(), WORKFLOW.to_owned()));
    repo.run(&["init", "--site"]).is(0, &["site.yml: already as it should be.", "play.yml: already as it should be."]);
    repo.run(&["doctor"])
        .is(0, &["0 to change, 0 could be better", "site.yml: it puts the site up after each run that plays"]);
    // Where the games are is the same for both.
    let repo = Repo::new(REMOTE);
    repo.run(&["init", "--site", "--branch", "play", "--state-dir", "games/state", "--version", "v1.2.3"]).is(0, &[]);
    let text = repo.text(SITE_PATH);
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
    repo.run(&["doctor"]).is(0, &["it puts the site up after each run that plays"]);
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
        let lines: [bool; 3] = ["queue: max", "runs-on: self-hosted # ", "ubuntu-slim"].map(|line| text.contains(line));
        assert_eq!(lines, [!enterprise, enterprise, !enterprise], "{remote:?}: {text}");
        assert_eq!(ran.out.contains("Enterprise Server"), enterprise, "{ran:?}");
    }
}

#[test]
fn a_workflow_of_another_name_or_of_another_program_is_left_alone() {
    let repo = Repo::new(REMOTE);
    repo.put(".github/workflows/games.yml", WORKFLOW);
    repo.run(&["init"]).is(0, &[".github/workflows/games.yml plays here already", "new-game.yml: written."]);
    assert!(!repo.0.join(WORKFLOW_PATH).exists());
    let repo = Repo::new(REMOTE);
    repo.put(WORKFLOW_PATH, "on: push\n");
    for sentence in ["play-by-commit.yml: written.", "play-by-commit.yml: already as it should be."] {
        repo.run(&["init", "--yes"]).is(0, &[sentence]);
    }
    assert_eq!(repo.text(WORKFLOW_PATH), "on: push\n");
}

#[test]
fn markers_are_put_at_the_end_of_a_page() {
    let repo = Repo::new(REMOTE);
    repo.put("README.md", "# Games");
    repo.run(&["init", "--readme=#42", "--readme=tables", "--readme=standings"])
        .is(0, &["README.md: markers put at the end."]);
    let page = "# Games\n\n<!-- play-by-commit:table 42 -->\n<!-- /play-by-commit:table -->\n\n<!-- play-by-commit:tables -->\n<!-- /play-by-commit:tables -->\n\n<!-- play-by-commit:standings -->\n<!-- /play-by-commit:standings -->\n";
    assert_eq!(repo.text("README.md"), page);
    repo.run(&["init", "--readme=42", "--readme=tables", "--readme=standings"])
        .is(0, &["README.md: has the markers already."]);
    assert_eq!(repo.text("README.md"), page);
    let said = "With `branch: play` pages are kept current on that branch alone";
    assert!(!repo.run(&["init", "--readme"]).is(0, &["seats%3Dopen", "init --readme=NUMBER"]).out.contains(said));
    repo.run(&["init", "--readme=42", "--branch", "play", "--yes"]).is(0, &[said]);
    repo.run(&["init", "--yes"]).is(0, &[]);
    repo.run(&["init", "--readme=3", "--pages", "docs/play.md", "--yes"]).is(0, &["docs/play.md: markers"]);
    assert!(repo.text("docs/play.md").starts_with("<!-- play-by-commit:table 3 -->\n"));
    // A page that ends inside of a code block has no end at which a marker would count.
    repo.put("README.md", "```\ncode\n");
    repo.run(&["init", "--readme=3", "--yes"]).is(1, &["README.md: left alone", "<!-- play-by-commit:table 3 -->"]);
    assert_eq!(repo.text("README.md"), "```\ncode\n");
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    repo.put("readme.md", "x\n");
    repo.run(&["init", "--readme=3", "--yes"]).is(1, &["name it with `--pages readme.md`"]);
}

#[test]
fn it_says_what_closed_forms_break() {
    let repo = Repo::new(REMOTE);
    repo.put(".github/ISSUE_TEMPLATE/config.yml", "blank_issues_enabled: false\n");
    repo.run(&["init"]).is(0, &["`blank_issues_enabled: false`: the links of a board"]);
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
