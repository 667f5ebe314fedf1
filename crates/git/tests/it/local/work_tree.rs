//! The branch is checked out, and somebody is at work there.

use std::path::Path;

use super::*;

/// Plays a move onto a work tree in which something was done by hand. Nothing of that may change; there is one warning
/// (or none), however many moves follow.
#[track_caller]
fn check(dir: &Path, by_hand: impl FnOnce(), files: &[&str], warning: Option<&str>) {
    let local = table(dir);
    land(&local, &[(RECORD, "1")]);
    by_hand();
    let facts = || {
        let contents: Vec<_> = files.iter().map(|path| std::fs::read(dir.join(path)).ok()).collect();
        let mut args = vec!["ls-files", "-s", "--"];
        args.extend(files);
        (contents, git(dir, &args))
    };
    let before = facts();
    land(&local, &[(RECORD, "2")]);
    land(&local, &[(RECORD, "3")]);
    assert_eq!(facts(), before);
    assert_eq!(git(dir, &["show", "HEAD:state/3.json"]), "3");
    let warnings = local.take_warnings();
    assert_eq!(warnings.len(), usize::from(warning.is_some()), "{warnings:?}");
    for (said, expected) in warnings.iter().zip(warning) {
        assert!(said.starts_with("`state/3.json` is committed") && said.contains(expected), "{said}");
    }
}

#[test]
fn files_follow() {
    let dir = Dir::with(&[("a", "a")]);
    check(&dir, || (), &["a"], None);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(text(&dir, RECORD), "3");
}

#[test]
fn other_work_stays_as_it_is() {
    let names = ["staged", "modified", "deleted", "removed", "both", "state/near"];
    let dir = Dir::with(&names.map(|name| (name, "old")));
    conflict(&dir);
    let before = || {
        write(&dir, "staged", "new");
        write(&dir, "both", "new");
        write(&dir, "added", "new");
        git(&dir, &["add", "staged", "both", "added"]);
        write(&dir, "both", "newer");
        write(&dir, "modified", "new");
        write(&dir, "state/near", "new");
        write(&dir, "state/untracked", "new");
        std::fs::remove_file(dir.join("deleted")).unwrap();
        git(&dir, &["rm", "-q", "--cached", "removed"]);
    };
    before();
    let status = git(&dir, &["status", "--porcelain"]);
    assert_eq!(status.lines().count(), 10, "{status}");
    let all: Vec<&str> = names.into_iter().chain(["added", "state/untracked", "torn"]).collect();
    check(&dir, || (), &all, None);
    assert_eq!(git(&dir, &["status", "--porcelain"]), status);
    assert_eq!(text(&dir, RECORD), "3");
}

/// Leaves `torn` in conflict, and nothing else changed.
fn conflict(dir: &Path) {
    write(dir, "torn", "base");
    let ids: Vec<String> = ["base", "ours", "theirs"]
        .map(|text| {
            write(dir, "torn", text);
            git(dir, &["hash-object", "-w", "torn"]).trim().to_owned()
        })
        .into();
    let entries: Vec<String> = ids.iter().zip(1..).map(|(id, stage)| format!("100644 {id} {stage}\ttorn")).collect();
    write(dir, "../entries", &(entries.join("\n") + "\n"));
    let input = std::fs::File::open(dir.join("../entries")).unwrap();
    let done = person(dir).args(["update-index", "--index-info"]).stdin(input).status().unwrap();
    assert!(done.success());
}

const CHANGED: Option<&str> =
    Some("it has changes of its own. To get the new one, run `git checkout HEAD -- 'state/3.json'`");

#[test]
fn a_record_under_somebodys_hands_is_left_alone() {
    let dir = Dir::with(&[("a", "a")]);
    check(&dir, || write(&dir, RECORD, "mine"), &[RECORD], CHANGED);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "MM state/3.json\n");

    let dir = Dir::with(&[("a", "a")]);
    let stage = || {
        write(&dir, RECORD, "mine");
        git(&dir, &["add", RECORD]);
    };
    check(&dir, stage, &[RECORD], CHANGED);

    let dir = Dir::with(&[("a", "a")]);
    let staged_only = || {
        write(&dir, RECORD, "mine");
        git(&dir, &["add", RECORD]);
        write(&dir, RECORD, "1");
    };
    check(&dir, staged_only, &[RECORD], CHANGED);

    let dir = Dir::with(&[("a", "a")]);
    check(&dir, || std::fs::remove_file(dir.join(RECORD)).unwrap(), &[RECORD], CHANGED);

    let dir = Dir::with(&[("a", "a")]);
    check(&dir, || drop(git(&dir, &["rm", "-q", "--cached", RECORD])), &[RECORD], CHANGED);

    let dir = Dir::with(&[("a", "a")]);
    let link = || {
        std::fs::rename(dir.join("state"), dir.join("moved")).unwrap();
        std::os::unix::fs::symlink("moved", dir.join("state")).unwrap();
    };
    check(&dir, link, &["moved/3.json"], CHANGED);
    assert!(dir.join("state").is_symlink());
}

#[test]
fn an_untracked_file_in_the_way_is_left_alone() {
    let dir = Dir::with(&[(".gitignore", "state/\n")]);
    write(&dir, RECORD, "mine");
    let local = table(&dir);
    land(&local, &[(RECORD, "1"), ("state/3.svg", "1")]);
    assert_eq!((text(&dir, RECORD), text(&dir, "state/3.svg")), ("mine".into(), "1".into()));
    assert_eq!(local.take_warnings().len(), 1);
    assert_eq!(git(&dir, &["ls-files"]), ".gitignore\nstate/3.svg\n");
}

#[test]
fn a_locked_index_is_left_alone() {
    let dir = Dir::with(&[("a", "a")]);
    check(&dir, || write(&dir, ".git/index.lock", ""), &[RECORD], Some("index.lock': File exists."));
    assert!(dir.join(".git/index.lock").exists());
}

#[test]
fn every_work_tree_of_the_branch_follows_and_no_other() {
    let dir = Dir::with(&[("a", "a")]);
    let linked = dir.parent().unwrap().join("linked tree");
    git(&dir, &["worktree", "add", "-q", "-b", "games", &linked.display().to_string()]);
    write(&linked, "a", "changed");
    // Opened here, named there; and the other way round.
    land(&table_on(&dir, Some("games"), "state"), &[(RECORD, "1")]);
    land(&table_on(&linked, Some("main"), "state"), &[("state/9.json", "9")]);
    let local = table(&linked);
    assert_eq!(local.branch_name(), "games");
    land(&local, &[(RECORD, "2")]);
    assert_eq!(local.take_warnings(), [""; 0]);
    assert_eq!(git(&linked, &["status", "--porcelain"]), " M a\n");
    assert_eq!(text(&linked, RECORD), "2");
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(text(&dir, "state/9.json"), "9");
    assert!(!dir.join(RECORD).exists() && !linked.join("state/9.json").exists());
    // A deleted work tree does no harm.
    std::fs::remove_dir_all(&linked).unwrap();
    land(&table_on(&dir, Some("games"), "state"), &[(RECORD, "3")]);
}

#[test]
fn line_endings_are_no_changes() {
    let dir = Dir::with(&[("a", "a")]);
    git(&dir, &["config", "core.autocrlf", "true"]);
    let local = table(&dir);
    land(&local, &[(RECORD, "1\n")]);
    land(&local, &[(RECORD, "2\n")]);
    assert_eq!(text(&dir, RECORD), "2\r\n");
    assert_eq!(git(&dir, &["show", "HEAD:state/3.json"]), "2\n");
    assert_eq!(local.take_warnings(), [""; 0]);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
}

#[test]
fn a_sparse_work_tree_stays_sparse() {
    let dir = Dir::with(&[("a", "a"), (RECORD, "1"), ("src/b", "b")]);
    git(&dir, &["sparse-checkout", "set", "src"]);
    assert!(!dir.join(RECORD).exists());
    let local = table(&dir);
    land(&local, &[(RECORD, "2")]);
    land(&local, &[(RECORD, "3")]);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert!(!dir.join(RECORD).exists());
    assert_eq!(local.take_warnings(), [""; 0]);
}
