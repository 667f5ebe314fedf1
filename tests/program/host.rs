//! `init` and `doctor` in a work tree: the real program in a repository of somebody's.

mod doctor;
mod init;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A repository that goes away with the test.
struct Repo(PathBuf);

/// What came of a command.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Repo {
    /// A repository with a README, and this remote.
    fn new(remote: Option<&str>) -> Repo {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("play-by-commit-host-{}-{count}", std::process::id()));
        let repo = Repo(dir.join("repo"));
        std::fs::create_dir_all(&repo.0).unwrap();
        repo.git(&["init", "-qb", "main"]);
        if let Some(remote) = remote {
            repo.git(&["remote", "add", "origin", remote]);
        }
        repo.put("README.md", "# Games\n");
        repo
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.0).env("HOME", &self.0).env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn git(&self, args: &[&str]) {
        let output = self.command("git").args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
    }

    /// Runs the program with these words.
    #[track_caller]
    fn run(&self, words: &[&str]) -> Ran {
        let output = self.command(PROGRAM).args(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[track_caller]
    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Every file but those of git, with its text.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut found, mut open) = (Vec::new(), vec![self.0.clone()]);
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
                let path = entry.path();
                match entry.file_type().unwrap().is_dir() {
                    true if entry.file_name() == ".git" => {}
                    true => open.push(path),
                    false => found.push((path.clone(), std::fs::read(path).unwrap())),
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Repo {
    fn drop(&mut self) {
        drop(self.0.parent().map(std::fs::remove_dir_all));
    }
}

impl Ran {
    #[track_caller]
    fn is(&self, code: i32, words: &[&str]) -> &Self {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, Some(code), "{all}");
        for word in words {
            assert!(all.contains(word), "it does not say {word:?}: {all}");
        }
        self
    }
}

/// What the doctor says about the repository of this program, as far as it is a repository here.
fn our_own() -> String {
    let repo = Repo::new(Some("https://github.com/octo/games"));
    for path in
        ["action.yml", ".github/workflows/play.yml", ".github/ISSUE_TEMPLATE/new-game.yml", "state/0.json", "README.md"]
    {
        let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        repo.put(path, &text);
    }
    let ran = repo.run(&["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}
