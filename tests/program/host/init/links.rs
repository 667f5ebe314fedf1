//! `init` in a repository with symbolic links.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::REMOTE;
use crate::host::{Repo, RunResult};

#[test]
fn never_follows_links_out_of_the_repository() {
    let repo = Repo::new(REMOTE);
    let outside = repo.0.parent().unwrap().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    symlink(&outside, repo.0.join(".github")).unwrap();
    let refused =
        |ran: &RunResult| assert!(ran.code == Some(1) && ran.err.contains("leads out of the repository"), "{ran:?}");
    refused(&repo.run(&["init", "--yes"]));
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    std::fs::remove_file(repo.0.join(".github")).unwrap();
    // It doesn't write through a link out of the repository either. A link inside stays a link.
    std::fs::write(outside.join("README.md"), "theirs\n").unwrap();
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    symlink(outside.join("README.md"), repo.0.join("README.md")).unwrap();
    refused(&repo.run(&["init", "--readme=1"]));
    assert_eq!(std::fs::read_to_string(outside.join("README.md")).unwrap(), "theirs\n");
    repo.write("docs/page.md", "ours\n");
    std::fs::set_permissions(repo.0.join("docs/page.md"), std::fs::Permissions::from_mode(0o664)).unwrap();
    std::fs::remove_file(repo.0.join("README.md")).unwrap();
    symlink("docs/page.md", repo.0.join("README.md")).unwrap();
    repo.run(&["init", "--readme=1"]).exits(0, &["README.md: markers"]);
    assert!(repo.0.join("README.md").is_symlink() && repo.read("docs/page.md").contains("table 1"));
    let mode = std::fs::metadata(repo.0.join("docs/page.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o664);
    // A link in a hostile clone leads into git's own files, where git would run what is written.
    for (link, target) in [
        (".github/workflows", "../.git/hooks"),
        (".github/workflows/play.yml", "../../.git/hooks/post-checkout"),
        (".github/ISSUE_TEMPLATE", "../.git"),
        ("README.md", ".git/config"),
    ] {
        let repo = Repo::new(REMOTE);
        std::fs::create_dir_all(repo.0.join(".github/workflows")).unwrap();
        std::fs::create_dir_all(repo.0.join(".git/hooks")).unwrap();
        std::fs::write(repo.0.join(".git/hooks/post-checkout"), "# play-by-commit\n").unwrap();
        let link = repo.0.join(link);
        drop(std::fs::remove_file(&link));
        drop(std::fs::remove_dir(&link));
        symlink(target, &link).unwrap();
        let git_files = || {
            let list = |dir: &str| {
                let entries = std::fs::read_dir(repo.0.join(dir)).unwrap().map(|entry| entry.unwrap().path());
                entries
                    .filter(|path| path.is_file())
                    .map(|path| (std::fs::read(&path).unwrap(), path))
                    .collect::<Vec<_>>()
            };
            (list(".git"), list(".git/hooks"))
        };
        let before = git_files();
        let ran = repo.run(&["init", "--yes", "--readme=1"]);
        // A workflow that is a link there gets another name.
        let is_refused = ran.code == Some(1) && ran.err.contains("leads into git's own files");
        assert!(is_refused || ran.out.contains("play-by-commit.yml: written."), "{target}: {ran:?}");
        assert_eq!(git_files(), before, "{target}");
    }
    // It leaves no temporary files behind.
    assert!(repo.files().iter().all(|(path, _)| !path.file_name().unwrap().to_string_lossy().starts_with(".play")));
}
