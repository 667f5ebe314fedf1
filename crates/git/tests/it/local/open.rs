//! Opening repositories, resolving branches and listing tables.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use git::{default_tables_dir, list_tables, resolve_branch};
use protocol::{FileContent, Head};
use table::IssueNumber;

use super::*;

#[track_caller]
fn assert_error<T>(result: anyhow::Result<T>, expected: &str) {
    let message = result.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains(expected) && !message.contains('\n'), "{message:?}");
}

#[test]
fn explains_why_a_repository_cannot_be_opened() {
    let dir = TempDir::new();
    assert_error(Repo::open(&dir), "There is no git repository in `");
    assert_error(Repo::open(&dir.join("nowhere")), "There is no directory `");
    assert_error(Repo::open_with(OsStr::new("no-such-git"), &dir), "The program `no-such-git` can't run");
    let old = dir.join("old-git");
    // The shell writes it. If this process did, a program that another test starts meanwhile could keep the file open.
    let script = "printf '#!/bin/sh\\necho git version 1.8.3.1\\n' >old-git && chmod +x old-git";
    assert!(Command::new("sh").args(["-c", script]).current_dir(&*dir).status().unwrap().success());
    assert_error(
        Repo::open_with(old.as_os_str(), &dir),
        "This is git version 1.8.3.1, which is too old. Install git 2.25 or newer.",
    );
    write_file(&dir, ".git", "gitdir: nowhere");
    assert_error(Repo::open(&dir), "There is no git repository in `");
}

#[test]
fn init_creates_a_repository_once() {
    let outer = TempDir::repo();
    let dir = outer.join("share/tables");
    Repo::init(&dir).unwrap();
    let forge = open_table(&dir);
    assert_eq!(forge.branch_name(), "main");
    let oid = commit_on_head(&forge, &[(RECORD, "1")]);
    git(&dir, &["checkout", "-qb", "other"]);
    let again = Repo::init(&dir).unwrap();
    assert_eq!(resolve_branch(&again, None).unwrap(), "other");
    assert_eq!(head(&open_table(&dir)), Some(oid));
    assert_eq!(head(&open_table(&outer)), None);
    let bare = TempDir::new();
    git(&bare, &["init", "-q", "--bare", "-b", "trunk"]);
    assert_eq!(resolve_branch(&Repo::init(&bare).unwrap(), None).unwrap(), "trunk");
    write_file(&outer, "file", "");
    assert_error(Repo::init(&outer.join("file/x")), "can't be created");
}

#[cfg(unix)]
#[test]
fn finds_the_default_directory_of_tables() {
    let tables_dir = |variables: &[(&str, &str)]| {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        default_tables_dir(find).map(|path| path.display().to_string())
    };
    let home = ("HOME", "/people/ann");
    for (variables, expected) in [
        (&[home][..], "/people/ann/.local/share/play-by-commit/tables"),
        (&[home, ("XDG_DATA_HOME", "/data")], "/data/play-by-commit/tables"),
        (&[home, ("XDG_DATA_HOME", "data")], "/people/ann/.local/share/play-by-commit/tables"),
        (&[home, ("XDG_DATA_HOME", "/data"), ("PLAY_BY_COMMIT_HOME", "/pbc")], "/pbc/tables"),
        (&[home, ("PLAY_BY_COMMIT_HOME", "")], "/people/ann/.local/share/play-by-commit/tables"),
    ] {
        assert_eq!(tables_dir(variables).unwrap(), expected);
    }
    assert_error(tables_dir(&[]), "Set PLAY_BY_COMMIT_HOME");
}

#[test]
fn resolves_the_named_or_checked_out_branch() {
    let dir = TempDir::with(&[("a", "a")]);
    let repo = Repo::open(&dir).unwrap();
    assert_eq!(resolve_branch(&repo, None).unwrap(), "main");
    assert_eq!(resolve_branch(&repo, Some("games/one")).unwrap(), "games/one");
    for name in ["", "a..b", "-d", "a b", "x.lock", "a\nb", "/", "@{"] {
        assert_error(resolve_branch(&repo, Some(name)), "isn't a valid branch name.");
    }
    git(&dir, &["checkout", "-q", "--detach"]);
    assert_error(resolve_branch(&repo, None), "HEAD is detached). Name one with --branch.");
    assert_eq!(open_table_on(&dir, Some("main"), "state").branch_name(), "main");
}

#[test]
fn commits_to_a_branch_that_is_not_checked_out() {
    let dir = TempDir::with(&[("a", "a")]);
    write_file(&dir, "a", "changed");
    let before = (git(&dir, &["rev-parse", "main"]), git(&dir, &["status", "--porcelain"]));
    let forge = open_table_on(&dir, Some("games"), "state");
    assert_eq!(read_snapshot(&forge).head, Head::Missing { create_from: None });
    commit_on_head(&forge, &[(RECORD, "1")]);
    commit_on_head(&forge, &[(RECORD, "2")]);
    assert_eq!(git(&dir, &["ls-tree", "-r", "--name-only", "games"]), "state/3.json\n");
    assert_eq!((git(&dir, &["rev-parse", "main"]), git(&dir, &["status", "--porcelain"])), before);
    assert!(!dir.join("state").exists());
    assert_eq!(forge.take_warnings(), [""; 0]);
}

#[test]
fn commits_to_bare_nested_and_separate_repositories() {
    let check = |repo: &Path, open: &Path| {
        let forge = open_table(open);
        commit_on_head(&forge, &[(RECORD, "0")]);
        let oid = commit_on_head(&forge, &[(RECORD, "1")]);
        assert_eq!(read_at_head(&forge, RECORD), FileContent::Text("1".to_owned()));
        assert_eq!(git(repo, &["rev-parse", forge.branch_name()]).trim(), oid.as_str());
        assert_eq!(forge.take_warnings(), [""; 0]);
    };
    let bare = TempDir::new();
    git(&bare, &["init", "-q", "--bare", "-b", "main"]);
    check(&bare, &bare);
    assert!(!bare.join("state").exists() && !bare.join("index").exists());

    let odd = TempDir::named("na\u{ef}ve \u{1F3B2} 'dir' \"$(x)\" -n");
    git(&odd, &["init", "-q", "-b", "main"]);
    check(&odd, &odd);
    assert_eq!((read_file(&odd, RECORD), git(&odd, &["status", "--porcelain"])), ("1".into(), String::new()));

    let deep = TempDir::with(&[("deep/down/a", "a")]);
    check(&deep, &deep.join("deep/down"));
    assert_eq!((read_file(&deep, RECORD), git(&deep, &["status", "--porcelain"])), ("1".into(), String::new()));

    // The repository is outside of its work tree, as with a submodule.
    let apart = TempDir::new();
    git(&apart, &["init", "-q", "-b", "main", "--separate-git-dir", "kept", "tree"]);
    git(&apart.join("tree"), &["config", "core.worktree", &apart.join("tree").display().to_string()]);
    check(&apart.join("tree"), &apart.join("tree"));
    assert_eq!(git(&apart.join("tree"), &["status", "--porcelain"]), "");
    assert_eq!(read_file(&apart.join("tree"), RECORD), "1");
}

#[test]
fn lists_tables_by_number() {
    let dir = TempDir::with(&[("state/3.json", ""), ("state/12.json", ""), ("state/x.json", ""), ("state/4.svg", "")]);
    let repo = Repo::open(&dir).unwrap();
    assert_eq!(list_tables(&repo, "main", "state").unwrap(), BTreeSet::from([3, 12].map(IssueNumber::new)));
    assert_eq!(list_tables(&repo, "main", "state/x.json").unwrap(), BTreeSet::new());
    assert_eq!(list_tables(&repo, "other", "state").unwrap(), BTreeSet::new());
    assert_error(list_tables(&repo, "main", "../state"), "isn't a path inside a repository");
}
