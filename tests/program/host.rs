//! Runs `init` and `doctor` in a temporary repository.

mod doctor;
mod init;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const PROGRAM: &str = env!("CARGO_BIN_EXE_play-by-commit");

/// A temporary repository that is deleted on drop.
struct Repo(PathBuf);

/// The result of a command.
#[derive(Debug)]
struct RunResult {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Repo {
    /// Creates a repository with a README and this remote.
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
        repo.write("README.md", "# Games\n");
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

    /// Runs the program with these arguments.
    #[track_caller]
    fn run(&self, words: &[&str]) -> RunResult {
        let output = self.command(PROGRAM).args(words).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        RunResult { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[track_caller]
    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Returns all files except those of git, with their contents.
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

impl RunResult {
    #[track_caller]
    fn exits(&self, code: i32, words: &[&str]) -> &Self {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.code, Some(code), "{all}");
        for word in words {
            assert!(all.contains(word), "the output lacks {word:?}: {all}");
        }
        self
    }
}

/// Returns the doctor's output for the files of this project.
fn check_own_repository() -> String {
    let repo = Repo::new(Some("https://github.com/octo/games"));
    let workflows = [".github/workflows/play.yml", ".github/workflows/daily.yml"];
    let others = ["action.yml", ".github/ISSUE_TEMPLATE/new-game.yml", "state/0.json", "README.md"];
    for path in workflows.into_iter().chain(others) {
        let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        repo.write(path, &text);
    }
    let ran = repo.run(&["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out
}
