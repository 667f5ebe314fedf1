//! Which repository, which branch, which tables.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use git::{default_tables_dir, list_tables, resolve_branch};
use table::talk::thread::{FileContent, Head};

use super::*;

#[track_caller]
fn refused<T>(result: anyhow::Result<T>, expected: &str) {
    let sentence = result.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(sentence.contains(expected) && !sentence.contains('\n'), "{sentence:?}");
}

#[test]
fn what_cannot_be_opened_says_why() {
    let dir = Dir::new();
    refused(Repo::open(&dir), "There is no git repository in `");
    refused(Repo::open(&dir.join("nowhere")), "There is no directory `");
    refused(Repo::open_with(OsStr::new("no-such-git"), &dir), "The program `no-such-git` can't run");
    let old = dir.join("old-git");
    // The shell writes it. If this process did, a program that another test starts meanwhile could keep the file open.
    let script = "printf '#!/bin/sh\\necho git version 1.8.3.1\\n' >old-git && chmod +x old-git";
    assert!(Command::new("sh").args(["-c", script]).current_dir(&*dir).status().unwrap().success());
    refused(
        Repo::open_with(old.as_os_str(), &dir),
        "This is git version 1.8.3.1, which is too old. Install git 2.25 or newer.",
    );
    write(&dir, ".git", "gitdir: nowhere");
    refused(Repo::open(&dir), "There is no git repository in `");
}

#[test]
fn a_repository_is_made_once() {
    let outer = Dir::repo();
    let dir = outer.join("share/tables");
    Repo::init(&dir).unwrap();
    let local = table(&dir);
    assert_eq!(local.branch_name(), "main");
    let oid = land(&local, &[(RECORD, "1")]);
    git(&dir, &["checkout", "-qb", "other"]);
    let again = Repo::init(&dir).unwrap();
    assert_eq!(resolve_branch(&again, None).unwrap(), "other");
    assert_eq!(head(&table(&dir)), Some(oid));
    assert_eq!(head(&table(&outer)), None);
    let bare = Dir::new();
    git(&bare, &["init", "-q", "--bare", "-b", "trunk"]);
    assert_eq!(resolve_branch(&Repo::init(&bare).unwrap(), None).unwrap(), "trunk");
    write(&outer, "file", "");
    refused(Repo::init(&outer.join("file/x")), "can't be created");
}

#[cfg(unix)]
#[test]
fn the_default_place() {
    let place = |variables: &[(&str, &str)]| {
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
        assert_eq!(place(variables).unwrap(), expected);
    }
    refused(place(&[]), "Set PLAY_BY_COMMIT_HOME");
}

#[test]
fn the_branch_is_the_one_that_is_checked_out_or_named() {
    let dir = Dir::with(&[("a", "a")]);
    let repo = Repo::open(&dir).unwrap();
    assert_eq!(resolve_branch(&repo, None).unwrap(), "main");
    assert_eq!(resolve_branch(&repo, Some("games/one")).unwrap(), "games/one");
    for name in ["", "a..b", "-d", "a b", "x.lock", "a\nb", "/", "@{"] {
        refused(resolve_branch(&repo, Some(name)), "isn't a valid branch name.");
    }
    git(&dir, &["checkout", "-q", "--detach"]);
    refused(resolve_branch(&repo, None), "HEAD is detached). Name one with --branch.");
    assert_eq!(table_on(&dir, Some("main"), "state").branch_name(), "main");
}

#[test]
fn a_branch_that_is_not_checked_out() {
    let dir = Dir::with(&[("a", "a")]);
    write(&dir, "a", "changed");
    let before = (git(&dir, &["rev-parse", "main"]), git(&dir, &["status", "--porcelain"]));
    let local = table_on(&dir, Some("games"), "state");
    assert_eq!(read(&local).head, Head::Missing(None));
    land(&local, &[(RECORD, "1")]);
    land(&local, &[(RECORD, "2")]);
    assert_eq!(git(&dir, &["ls-tree", "-r", "--name-only", "games"]), "state/3.json\n");
    assert_eq!((git(&dir, &["rev-parse", "main"]), git(&dir, &["status", "--porcelain"])), before);
    assert!(!dir.join("state").exists());
    assert_eq!(local.take_warnings(), [""; 0]);
}

#[test]
fn repositories_of_every_kind_and_place() {
    let check = |repo: &Path, open: &Path| {
        let local = table(open);
        land(&local, &[(RECORD, "0")]);
        let oid = land(&local, &[(RECORD, "1")]);
        assert_eq!(thread(&local).record, FileContent::Text("1".to_owned()));
        assert_eq!(git(repo, &["rev-parse", local.branch_name()]).trim(), oid.as_str());
        assert_eq!(local.take_warnings(), [""; 0]);
    };
    let bare = Dir::new();
    git(&bare, &["init", "-q", "--bare", "-b", "main"]);
    check(&bare, &bare);
    assert!(!bare.join("state").exists() && !bare.join("index").exists());

    let odd = Dir::named("na\u{ef}ve \u{1F3B2} 'dir' \"$(x)\" -n");
    git(&odd, &["init", "-q", "-b", "main"]);
    check(&odd, &odd);
    assert_eq!((text(&odd, RECORD), git(&odd, &["status", "--porcelain"])), ("1".into(), String::new()));

    let deep = Dir::with(&[("deep/down/a", "a")]);
    check(&deep, &deep.join("deep/down"));
    assert_eq!((text(&deep, RECORD), git(&deep, &["status", "--porcelain"])), ("1".into(), String::new()));

    // The repository is apart from its work tree, as with a submodule.
    let apart = Dir::new();
    git(&apart, &["init", "-q", "-b", "main", "--separate-git-dir", "kept", "tree"]);
    git(&apart.join("tree"), &["config", "core.worktree", &apart.join("tree").display().to_string()]);
    check(&apart.join("tree"), &apart.join("tree"));
    assert_eq!(git(&apart.join("tree"), &["status", "--porcelain"]), "");
    assert_eq!(text(&apart.join("tree"), RECORD), "1");
}

#[test]
fn tables_are_listed_by_number() {
    let dir = Dir::with(&[("state/3.json", ""), ("state/12.json", ""), ("state/x.json", ""), ("state/4.svg", "")]);
    let repo = Repo::open(&dir).unwrap();
    assert_eq!(list_tables(&repo, "main", "state").unwrap(), BTreeSet::from([3, 12]));
    assert_eq!(list_tables(&repo, "main", "state/x.json").unwrap(), BTreeSet::new());
    assert_eq!(list_tables(&repo, "other", "state").unwrap(), BTreeSet::new());
    refused(list_tables(&repo, "main", "../state"), "isn't a path inside a repository");
}
