//! Commits: their content, races, and what they leave alone.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use protocol::{CommitOutcome, FileContent, Forge, Head};
use table::{IssueNumber, Timestamp};

use super::*;

#[test]
fn makes_the_first_commit_of_a_repository() {
    for format in ["sha1", "sha256"] {
        let dir = TempDir::new();
        git(&dir, &["init", "-q", "-b", "main", "--object-format", format]);
        let forge = open_table(&dir);
        assert_eq!(read_snapshot(&forge).head, Head::Missing { create_from: None });
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Missing);
        let oid = commit_on_head(&forge, &[(RECORD, "{}\n")]);
        assert_eq!(git(&dir, &["rev-list", "--all"]).trim(), oid.as_str());
        assert_eq!(read_snapshot(&forge).head, Head::Commit(oid));
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Text("{}\n".to_owned()));
        assert_eq!(git(&dir, &["status", "--porcelain"]), "");
        assert_eq!(read_file(&dir, RECORD), "{}\n");
        assert_eq!(forge.take_warnings(), [""; 0]);
    }
}

#[test]
fn the_second_commit_has_the_first_as_its_parent() {
    let dir = TempDir::repo();
    let forge = open_table(&dir);
    let first = commit_on_head(&forge, &[(RECORD, "1")]);
    let second = commit_on_head(&forge, &[(RECORD, "2"), ("state/3.svg", "<svg/>")]);
    let log = git(&dir, &["log", "--format=%H %P|%an <%ae>|%at %ai|%cn <%ce>|%B", "-1"]);
    let expected = format!(
        "{second} {first}|ann <ann@players.invalid>|1700000000 2023-11-14 22:13:20 +0000|\
         play-by-commit <play-by-commit@players.invalid>|ann plays b2\n\nTable: #3\n\n"
    );
    assert_eq!(log, expected);
    assert_eq!(git(&dir, &["diff", "--name-status", "HEAD~", "HEAD"]), "M\tstate/3.json\nA\tstate/3.svg\n");
    assert_eq!(git(&dir, &["reflog", "-1", "--format=%gs"]), "play-by-commit: ann plays b2\n");
    assert_eq!(git(&dir, &["fsck", "--strict"]), "");
}

#[test]
fn names_and_messages_from_players_are_safe() {
    for (login, expected) in [
        ("ann\n<x@y> 1 +0000", "annx@y 1 +0000 <annx-y-1--0000@players.invalid>"),
        (" Jos\u{e9} \"the\" $(rook) ", "Jos\u{e9} \"the\" $(rook) <Jos\u{e9}--the----rook-@players.invalid>"),
        ("...", "player 583 <player-583@players.invalid>"),
        ("", "player 583 <player-583@players.invalid>"),
        ("--help", "--help <--help@players.invalid>"),
        ("'ann'.", "ann <-ann--@players.invalid>"),
    ] {
        let dir = TempDir::repo();
        let forge = open_table(&dir);
        let mut change = change(None, &[(RECORD, "1")]);
        change.author.login = login.to_owned();
        change.time = Timestamp::from_millis(u64::MAX);
        change.headline = "-m odd\0\nheadline\u{1b}[2J".to_owned();
        change.body = "body\0 \u{7}here\nCo-authored-by: A <a@b>".to_owned();
        assert!(matches!(commit(&forge, &change), Ok(CommitOutcome::Landed(_))), "{login:?}");
        assert_eq!(git(&dir, &["log", "--format=%an <%ae>"]).trim_end(), expected, "{login:?}");
        let message = "-m odd  headline [2J\n\nbody here\nCo-authored-by: A <a@b>\n\n";
        assert_eq!(git(&dir, &["log", "--format=%B"]), message);
    }
}

#[test]
fn a_lost_race_writes_nothing() {
    let dir = TempDir::with(&[("a", "a")]);
    let forge = open_table(&dir);
    let on = head(&forge);
    write_file(&dir, "b", "a rival was here");
    git(&dir, &["add", "b"]);
    git(&dir, &["commit", "-qm", "rival"]);
    let state = || (git(&dir, &["rev-parse", "HEAD"]), git(&dir, &["count-objects", "-v"]), files_below(&dir));
    let before = state();
    assert_eq!(commit(&forge, &change(on, &[(RECORD, "1")])), Ok(CommitOutcome::Stale));
    assert_eq!(commit(&forge, &change(None, &[(RECORD, "1")])), Ok(CommitOutcome::Stale));
    assert_eq!(state(), before);
    // A deleted branch counts as moved.
    let on = head(&forge);
    git(&dir, &["update-ref", "-d", "refs/heads/main"]);
    assert_eq!(commit(&forge, &change(on, &[(RECORD, "1")])), Ok(CommitOutcome::Stale));
}

#[test]
fn concurrent_commits_land_or_race() {
    const EACH: usize = 8;
    let dir = TempDir::repo();
    let play = |path: String| {
        let forge = open_table(&dir);
        let mut races = 0;
        for round in 0..EACH {
            while let CommitOutcome::Stale =
                commit(&forge, &change(head(&forge), &[(&path, &round.to_string())])).expect("lands or races")
            {
                races += 1;
            }
        }
        races
    };
    let races: usize = std::thread::scope(|scope| {
        let players: Vec<_> = (0..3).map(|n| scope.spawn(move || play(format!("state/{n}.json")))).collect();
        players.into_iter().map(|player| player.join().unwrap()).sum()
    });
    println!("{races} races");
    assert_eq!(git(&dir, &["rev-list", "--count", "main"]).trim(), (3 * EACH).to_string());
    for n in 0..3 {
        let path = format!("state/{n}.json");
        assert_eq!(git(&dir, &["rev-list", "--count", "main", "--", &path]).trim(), EACH.to_string());
    }
}

#[test]
fn sees_commits_that_others_make_and_pack() {
    let dir = TempDir::with(&[(RECORD, "0")]);
    let forge = open_table(&dir);
    for (text, ours) in [("1", "2"), ("3", "4")] {
        write_file(&dir, RECORD, text);
        git(&dir, &["commit", "-qam", "rival"]);
        // Packs the objects and the branch, and removes their files.
        git(&dir, &["gc", "-q", "--prune=now"]);
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Text(text.to_owned()));
        commit_on_head(&forge, &[(RECORD, ours)]);
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Text(ours.to_owned()));
    }
}

#[test]
fn reports_a_branch_that_cannot_be_moved() {
    let dir = TempDir::with(&[("a", "a")]);
    let forge = open_table(&dir);
    write_file(&dir, ".git/refs/heads/main.lock", "");
    let message = fatal_error(commit(&forge, &change(head(&forge), &[(RECORD, "1")])));
    assert!(message.contains("main.lock': File exists") && !message.contains('\n'), "{message}");
}

#[test]
fn commits_to_any_state_directory() {
    for state_dir in ["games/of/ours", "state", "\"odd\" na\u{ef}ve dir/ -x", "*"] {
        for start in [&[("a", "a")][..], &[("games/of/theirs", "x"), ("\"odd\" na\u{ef}ve dir/y", "y"), ("x/y", "z")]] {
            let dir = TempDir::with(start);
            let forge = open_table_on(&dir, None, state_dir);
            let path = format!("{state_dir}/3.json");
            commit_on_head(&forge, &[(&path, "1")]);
            commit_on_head(&forge, &[(&path, "2"), (&format!("{state_dir}/archive/3-1.json"), "old")]);
            assert_eq!(read_at_head(&forge, &path), FileContent::Text("2".to_owned()));
            assert_eq!(forge.take_warnings(), [""; 0]);
            assert_eq!(git(&dir, &["status", "--porcelain"]), "", "{state_dir}");
            assert_eq!(read_file(&dir, &path), "2");
            assert_eq!(git(&dir, &["ls-files"]).lines().count(), start.len() + 2);
        }
    }
    let dir = TempDir::repo();
    for state_dir in ["", "/", "../x", "/etc", "a//b", ".git", "a/.GIT/b", "a\nb"] {
        let repo = Repo::open(&dir).unwrap();
        assert!(
            LocalForge::new(repo, None, state_dir, IssueNumber::new(3), describe_event, Box::new(|_| ())).is_err(),
            "{state_dir:?}"
        );
    }
    assert!(fatal_error(commit(&open_table(&dir), &change(None, &[("../x", "")]))).contains("`../x` isn't a path"));
}

#[test]
fn does_not_replace_other_kinds_of_entries() {
    let dir = TempDir::with(&[("state", "a file"), ("games/3.json/x", "a directory"), ("games/a", "a")]);
    std::os::unix::fs::symlink("a", dir.join("games/4.json")).unwrap();
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "a link"]);
    let before = (git(&dir, &["rev-parse", "HEAD"]), git(&dir, &["count-objects", "-v"]));
    let forge = open_table(&dir);
    assert_eq!(read_at_head(&forge, RECORD), FileContent::Missing);
    for (path, expected) in [
        (RECORD, "`state/3.json` can't be written: `state` is not a directory in the repository."),
        ("games/3.json", "`games/3.json` can't be written: `games/3.json` is a directory in the repository."),
        ("games/4.json", "`games/4.json` can't be written: `games/4.json` is a link or a submodule in the repository."),
    ] {
        assert_eq!(fatal_error(commit(&forge, &change(head(&forge), &[(path, "1")]))), expected);
    }
    for (files, expected) in [
        ([("new", "1"), ("new/3.json", "1")], "`new/3.json` can't be written: `new` is not a directory"),
        ([("new/3.json", "1"), ("new", "1")], "`new/3.json` can't be written: `new` is not a directory"),
    ] {
        let message = fatal_error(commit(&forge, &change(head(&forge), &files)));
        assert!(message.starts_with(expected), "{message}");
    }
    assert_eq!((git(&dir, &["rev-parse", "HEAD"]), git(&dir, &["count-objects", "-v"])), before);
}

#[test]
fn keeps_the_rest_of_the_tree() {
    let dir = TempDir::with(&[
        ("state/\u{1F3B2} \"q\"\n.txt", "odd"),
        ("state/run", "x"),
        ("state-2", "x"),
        ("state.d/x", "x"),
    ]);
    std::os::unix::fs::symlink("nowhere", dir.join("state/link")).unwrap();
    let oid = "0123456789abcdef0123456789abcdef01234567";
    git(&dir, &["add", "-A"]);
    git(&dir, &["update-index", "--chmod=+x", "state/run"]);
    git(&dir, &["update-index", "--add", "--cacheinfo", &format!("160000,{oid},state/sub")]);
    git(&dir, &["commit", "-qm", "odd things"]);
    let forge = open_table(&dir);
    commit_on_head(&forge, &[(RECORD, "1")]);
    commit_on_head(&forge, &[("state/run", "y")]);
    let raw = git(&dir, &["diff", "--raw", "--abbrev=4", "HEAD~2", "HEAD"]);
    let changed: Vec<&str> = raw.lines().map(|line| line.split_once('\t').unwrap().1).collect();
    assert_eq!(changed, [RECORD, "state/run"]);
    assert!(raw.contains(":100755 100755 "), "{raw}");
    assert_eq!(git(&dir, &["fsck", "--strict"]), "");
}

#[test]
fn commits_in_a_partial_clone_without_fetching() {
    // As in a partial clone, the tree names a blob that is missing here.
    let dir = TempDir::with(&[("state/1.json", "elsewhere")]);
    let id = git(&dir, &["rev-parse", "HEAD:state/1.json"]);
    let (fan, rest) = id.trim().split_at(2);
    std::fs::remove_file(dir.join(".git/objects").join(fan).join(rest)).unwrap();
    commit_on_head(&open_table(&dir), &[(RECORD, "1")]);
    assert_eq!(git(&dir, &["ls-tree", "--name-only", "HEAD", "state/"]), "state/1.json\nstate/3.json\n");
}

#[test]
fn explains_why_a_record_cannot_be_read() {
    let large = "x".repeat((1 << 20) + 1);
    let dir = TempDir::repo();
    let forge = open_table(&dir);
    let check = |expected: &str| {
        git(&dir, &["add", "-A"]);
        git(&dir, &["commit", "-qm", "by hand"]);
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Unreadable(expected.to_owned()));
        let _ = std::fs::remove_file(dir.join(RECORD));
    };
    write_file(&dir, RECORD, &large);
    check("`state/3.json` is larger than a record can be");
    std::fs::write(dir.join(RECORD), b"{\"a\": \"\xff\"}").unwrap();
    check("`state/3.json` isn't UTF-8 text");
    std::os::unix::fs::symlink("other", dir.join(RECORD)).unwrap();
    check("`state/3.json` is not a file");
    write_file(&dir, "state/3.json/x", "");
    check("`state/3.json` is not a file");
    std::fs::remove_dir_all(dir.join(RECORD)).unwrap();
    write_file(&dir, RECORD, &large[1..]);
    git(&dir, &["add", "-A"]);
    git(&dir, &["commit", "-qm", "just small enough"]);
    assert_eq!(read_at_head(&forge, RECORD), FileContent::Text(large[1..].to_owned()));
}

#[test]
fn tells_names_apart_that_some_disks_do_not() {
    let dir = TempDir::with(&[("State/3.json", "theirs"), ("state/3.JSON", "theirs")]);
    git(&dir, &["config", "core.ignoreCase", "true"]);
    commit_on_head(&open_table(&dir), &[(RECORD, "1")]);
    let names = git(&dir, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert_eq!(names, "State/3.json\nstate/3.JSON\nstate/3.json\n");
}

#[test]
fn runs_no_hooks_and_creates_nothing_else() {
    let dir = TempDir::with(&[("a", "a")]);
    for hook in
        ["pre-commit", "commit-msg", "post-commit", "post-checkout", "post-index-change", "reference-transaction"]
    {
        let path = format!(".git/hooks/{hook}");
        write_file(&dir, &path, "#!/bin/sh\ntouch \"$(git rev-parse --git-common-dir)/hook-ran\"\n");
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(dir.join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    git(&dir, &["config", "gc.auto", "1"]);
    let before = files_below(&dir);
    commit_on_head(&open_table(&dir), &[(RECORD, "1")]);
    let new: Vec<String> =
        files_below(&dir).difference(&before).filter(|f| !f.contains("/objects/")).cloned().collect();
    assert_eq!(new, [dir.join(RECORD).display().to_string()]);
    assert_eq!(git(&dir, &["count-objects"]).split(' ').next(), Some("7")); // three before; blob, two trees, commit
    git(&dir, &["commit", "-q", "--allow-empty", "-m", "the hooks do work"]);
    assert!(dir.join(".git/hook-ran").exists());
}

#[test]
fn cost_does_not_grow_with_the_repository() {
    let small = TempDir::with(&[("a", "a")]);
    let big = TempDir::repo();
    for n in 0..2000 {
        write_file(&big, &format!("d{}/f{n}", n % 50), &n.to_string());
    }
    git(&big, &["add", "-A"]);
    git(&big, &["commit", "-qm", "start"]);
    let cost = |dir: &Path| {
        let forge = open_table(dir);
        commit_on_head(&forge, &[(RECORD, "1"), ("state/3.svg", "1")]);
        let before = forge.repo().process_count();
        let parent = head(&forge);
        let read = forge.repo().process_count();
        let start = Instant::now();
        let change = change(parent, &[(RECORD, "2"), ("state/3.svg", "2")]);
        assert!(matches!(commit(&forge, &change), Ok(CommitOutcome::Landed(_))));
        println!(
            "{} + {} processes, commit in {:?}",
            read - before,
            forge.repo().process_count() - read,
            start.elapsed()
        );
        forge.repo().process_count() - before
    };
    let bare = TempDir::new();
    git(&bare, &["init", "-q", "--bare", "-b", "main"]);
    assert_eq!((cost(&small), cost(&big), cost(&bare)), (7, 7, 3));
}

#[test]
fn ignores_the_environment_of_a_hook() {
    let elsewhere = TempDir::with(&[("a", "a")]);
    let before = (git(&elsewhere, &["rev-parse", "HEAD"]), files_below(&elsewhere));
    let own = std::env::current_exe().unwrap();
    let output = Command::new(own)
        .args([
            "--exact",
            "local::commits::the_second_commit_has_the_first_as_its_parent",
            "local::work_tree::updates_files_in_the_work_tree",
        ])
        .envs([("GIT_DIR", elsewhere.join(".git")), ("GIT_INDEX_FILE", elsewhere.join("index"))])
        .envs([("GIT_WORK_TREE", elsewhere.to_path_buf()), ("GIT_OBJECT_DIRECTORY", elsewhere.join("objects"))])
        .envs([("GIT_AUTHOR_NAME", "somebody"), ("GIT_AUTHOR_DATE", "@1 +0000"), ("GIT_TRACE", "1")])
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && stdout.contains("2 passed"), "{stdout}");
    assert_eq!((git(&elsewhere, &["rev-parse", "HEAD"]), files_below(&elsewhere)), before);
}

#[test]
fn creates_a_branch() {
    let dir = TempDir::with(&[("a", "a")]);
    let commit = head(&open_table(&dir)).unwrap();
    let forge = open_table_on(&dir, Some("games"), "state");
    assert_eq!(read_snapshot(&forge).head, Head::Missing { create_from: None });
    for _ in 0..2 {
        block_on(forge.create_branch(&commit)).unwrap();
        assert_eq!(head(&forge), Some(commit.clone()));
    }
}

/// Returns every file below a directory, including those of git.
fn files_below(dir: &Path) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            files.extend(files_below(&path));
        } else {
            files.insert(path.display().to_string());
        }
    }
    files
}

#[test]
fn deletes_files_with_their_directories_and_only_if_they_are_there() {
    for format in ["sha1", "sha256"] {
        check_deletions(format);
    }
}

#[track_caller]
fn check_deletions(format: &str) {
    let dir = TempDir::new();
    git(&dir, &["init", "-q", "-b", "main", "--object-format", format]);
    let forge = open_table(&dir);
    commit_on_head(&forge, &[(RECORD, "1"), ("state/running/3.json", "{}")]);
    let delete = |path: &str| Change { deleted: vec![path.to_owned()], ..change(head(&forge), &[(RECORD, "2")]) };
    for missing in ["state/running/4.json", "none/3.json"] {
        assert!(fatal_error(commit(&forge, &delete(missing))).contains("no such file"), "{missing}");
    }
    assert_eq!(read_at_head(&forge, RECORD), FileContent::Text("1".to_owned()), "nothing was written");
    assert!(matches!(commit(&forge, &delete("state/running/3.json")), Ok(CommitOutcome::Landed(_))));
    assert_eq!(read_at_head(&forge, RECORD), FileContent::Text("2".to_owned()));
    assert_eq!(git(&dir, &["ls-tree", "-r", "-t", "--name-only", "HEAD"]), format!("state\n{RECORD}\n"));
    assert_eq!(git(&dir, &["status", "--porcelain"]), "", "the work tree follows");
    assert!(!dir.join("state/running/3.json").exists());
    assert_eq!(forge.take_warnings(), [""; 0]);
}
