//! Commits to a branch that is checked out, in work trees with changes.

use std::path::Path;

use super::*;

/// Commits into a work tree after the changes by `by_hand`. Checks that `files` stay as they are, and that two commits give a
/// single warning, or none.
#[track_caller]
fn check_files_stay(dir: &Path, by_hand: impl FnOnce(), files: &[&str], warning: Option<&str>) {
    let forge = open_table(dir);
    commit_on_head(&forge, &[(RECORD, "1")]);
    by_hand();
    let state = || {
        let contents: Vec<_> = files.iter().map(|path| std::fs::read(dir.join(path)).ok()).collect();
        let mut args = vec!["ls-files", "-s", "--"];
        args.extend(files);
        (contents, git(dir, &args))
    };
    let before = state();
    commit_on_head(&forge, &[(RECORD, "2")]);
    commit_on_head(&forge, &[(RECORD, "3")]);
    assert_eq!(state(), before);
    assert_eq!(git(dir, &["show", "HEAD:state/3.json"]), "3");
    let warnings = forge.take_warnings();
    assert_eq!(warnings.len(), usize::from(warning.is_some()), "{warnings:?}");
    for (warning, expected) in warnings.iter().zip(warning) {
        assert!(warning.starts_with("`state/3.json` is committed") && warning.contains(expected), "{warning}");
    }
}

#[test]
fn updates_files_in_the_work_tree() {
    let dir = TempDir::with(&[("a", "a")]);
    check_files_stay(&dir, || (), &["a"], None);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(read_file(&dir, RECORD), "3");
}

#[test]
fn leaves_other_changes_alone() {
    let names = ["staged", "modified", "deleted", "removed", "both", "state/near"];
    let dir = TempDir::with(&names.map(|name| (name, "old")));
    create_conflict(&dir);
    let before = || {
        write_file(&dir, "staged", "new");
        write_file(&dir, "both", "new");
        write_file(&dir, "added", "new");
        git(&dir, &["add", "staged", "both", "added"]);
        write_file(&dir, "both", "newer");
        write_file(&dir, "modified", "new");
        write_file(&dir, "state/near", "new");
        write_file(&dir, "state/untracked", "new");
        std::fs::remove_file(dir.join("deleted")).unwrap();
        git(&dir, &["rm", "-q", "--cached", "removed"]);
    };
    before();
    let status = git(&dir, &["status", "--porcelain"]);
    assert_eq!(status.lines().count(), 10, "{status}");
    let all: Vec<&str> = names.into_iter().chain(["added", "state/untracked", "torn"]).collect();
    check_files_stay(&dir, || (), &all, None);
    assert_eq!(git(&dir, &["status", "--porcelain"]), status);
    assert_eq!(read_file(&dir, RECORD), "3");
}

/// Puts `torn` into a merge conflict, and changes nothing else.
fn create_conflict(dir: &Path) {
    write_file(dir, "torn", "base");
    let ids: Vec<String> = ["base", "ours", "theirs"]
        .map(|text| {
            write_file(dir, "torn", text);
            git(dir, &["hash-object", "-w", "torn"]).trim().to_owned()
        })
        .into();
    let entries: Vec<String> = ids.iter().zip(1..).map(|(id, stage)| format!("100644 {id} {stage}\ttorn")).collect();
    write_file(dir, "../entries", &(entries.join("\n") + "\n"));
    let input = std::fs::File::open(dir.join("../entries")).unwrap();
    let done = git_command(dir).args(["update-index", "--index-info"]).stdin(input).status().unwrap();
    assert!(done.success());
}

const CHANGED: Option<&str> =
    Some("it has changes of its own. To get the new one, run `git checkout HEAD -- 'state/3.json'`");

#[test]
fn leaves_a_changed_record_alone() {
    let dir = TempDir::with(&[("a", "a")]);
    check_files_stay(&dir, || write_file(&dir, RECORD, "mine"), &[RECORD], CHANGED);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "MM state/3.json\n");

    let dir = TempDir::with(&[("a", "a")]);
    let stage = || {
        write_file(&dir, RECORD, "mine");
        git(&dir, &["add", RECORD]);
    };
    check_files_stay(&dir, stage, &[RECORD], CHANGED);

    let dir = TempDir::with(&[("a", "a")]);
    let staged_only = || {
        write_file(&dir, RECORD, "mine");
        git(&dir, &["add", RECORD]);
        write_file(&dir, RECORD, "1");
    };
    check_files_stay(&dir, staged_only, &[RECORD], CHANGED);

    let dir = TempDir::with(&[("a", "a")]);
    check_files_stay(&dir, || std::fs::remove_file(dir.join(RECORD)).unwrap(), &[RECORD], CHANGED);

    let dir = TempDir::with(&[("a", "a")]);
    check_files_stay(&dir, || drop(git(&dir, &["rm", "-q", "--cached", RECORD])), &[RECORD], CHANGED);

    let dir = TempDir::with(&[("a", "a")]);
    let link = || {
        std::fs::rename(dir.join("state"), dir.join("moved")).unwrap();
        std::os::unix::fs::symlink("moved", dir.join("state")).unwrap();
    };
    check_files_stay(&dir, link, &["moved/3.json"], CHANGED);
    assert!(dir.join("state").is_symlink());
}

#[test]
fn leaves_an_untracked_file_alone() {
    let dir = TempDir::with(&[(".gitignore", "state/\n")]);
    write_file(&dir, RECORD, "mine");
    let forge = open_table(&dir);
    commit_on_head(&forge, &[(RECORD, "1"), ("state/3.svg", "1")]);
    assert_eq!((read_file(&dir, RECORD), read_file(&dir, "state/3.svg")), ("mine".into(), "1".into()));
    assert_eq!(forge.take_warnings().len(), 1);
    assert_eq!(git(&dir, &["ls-files"]), ".gitignore\nstate/3.svg\n");
}

#[test]
fn leaves_a_locked_index_alone() {
    let dir = TempDir::with(&[("a", "a")]);
    check_files_stay(&dir, || write_file(&dir, ".git/index.lock", ""), &[RECORD], Some("index.lock': File exists."));
    assert!(dir.join(".git/index.lock").exists());
}

#[test]
fn updates_every_work_tree_of_the_branch_and_no_other() {
    let dir = TempDir::with(&[("a", "a")]);
    let linked = dir.parent().unwrap().join("linked tree");
    git(&dir, &["worktree", "add", "-q", "-b", "games", &linked.display().to_string()]);
    write_file(&linked, "a", "changed");
    // Open one work tree and commit to the branch of the other.
    commit_on_head(&open_table_on(&dir, Some("games"), "state"), &[(RECORD, "1")]);
    commit_on_head(&open_table_on(&linked, Some("main"), "state"), &[("state/9.json", "9")]);
    let forge = open_table(&linked);
    assert_eq!(forge.branch_name(), "games");
    commit_on_head(&forge, &[(RECORD, "2")]);
    assert_eq!(forge.take_warnings(), [""; 0]);
    assert_eq!(git(&linked, &["status", "--porcelain"]), " M a\n");
    assert_eq!(read_file(&linked, RECORD), "2");
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert_eq!(read_file(&dir, "state/9.json"), "9");
    assert!(!dir.join(RECORD).exists() && !linked.join("state/9.json").exists());
    // A deleted work tree does no harm.
    std::fs::remove_dir_all(&linked).unwrap();
    commit_on_head(&open_table_on(&dir, Some("games"), "state"), &[(RECORD, "3")]);
}

#[test]
fn line_endings_are_not_changes() {
    let dir = TempDir::with(&[("a", "a")]);
    git(&dir, &["config", "core.autocrlf", "true"]);
    let forge = open_table(&dir);
    commit_on_head(&forge, &[(RECORD, "1\n")]);
    commit_on_head(&forge, &[(RECORD, "2\n")]);
    assert_eq!(read_file(&dir, RECORD), "2\r\n");
    assert_eq!(git(&dir, &["show", "HEAD:state/3.json"]), "2\n");
    assert_eq!(forge.take_warnings(), [""; 0]);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
}

#[test]
fn a_sparse_work_tree_stays_sparse() {
    let dir = TempDir::with(&[("a", "a"), (RECORD, "1"), ("src/b", "b")]);
    git(&dir, &["sparse-checkout", "set", "src"]);
    assert!(!dir.join(RECORD).exists());
    let forge = open_table(&dir);
    commit_on_head(&forge, &[(RECORD, "2")]);
    commit_on_head(&forge, &[(RECORD, "3")]);
    assert_eq!(git(&dir, &["status", "--porcelain"]), "");
    assert!(!dir.join(RECORD).exists());
    assert_eq!(forge.take_warnings(), [""; 0]);
}
