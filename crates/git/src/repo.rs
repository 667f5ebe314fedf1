//! The `git` program: finding a repository, and running commands on it.
//!
//! Only plumbing commands are used, each with its arguments as a list and its data through stdin, never through a
//! shell. Variables that the surroundings have set for another repository (a hook's `GIT_DIR`, say) do not reach them.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use protocol::forge::Fault;

/// The oldest version of git that has all that is needed.
const MIN_VERSION: (u32, u32) = (2, 25);

/// The limit on git's own words in a sentence, in characters.
const MAX_ERROR_CHARS: usize = 400;

/// The settings that go with every call: no hooks, nothing in the background, and a moment's patience when another
/// git holds the lock of a branch.
const SETTINGS: [&str; 5] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.filesRefLockTimeout=1000",
    "gc.auto=0",
    "i18n.commitEncoding=UTF-8",
];

/// The variables of git's own that configure git and name no repository.
const KEPT_VARIABLES: [&str; 6] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
];

/// A git repository on this machine.
#[derive(Debug)]
pub struct Repo {
    program: OsString,
    git_dir: PathBuf,
    /// The work tree that it was found through, if any.
    work_tree: Option<PathBuf>,
    /// Whether it was found through its main work tree, not through a linked one.
    is_main: bool,
    process_count: Cell<u64>,
}

impl Repo {
    /// Opens the repository that contains this directory; bare ones and linked work trees are fine.
    ///
    /// # Errors
    /// There is none, or no git program, or git is too old; the sentence says so.
    pub fn open(dir: &Path) -> Result<Repo> {
        Repo::open_with(OsStr::new("git"), dir)
    }

    /// Opens it as [`Repo::open`] does, with a git program other than the one on the `PATH`.
    ///
    /// # Errors
    /// As [`Repo::open`].
    pub fn open_with(program: &OsStr, dir: &Path) -> Result<Repo> {
        check_version(program)?;
        if !dir.is_dir() {
            bail!("There is no directory `{}`.", dir.display());
        }
        // One question a call: a path may hold anything, so an answer of several lines could not be told apart.
        let ask = |what: &str| run(command_in(program, dir).args(["rev-parse", what]), b"");
        let git_dir =
            ask("--absolute-git-dir").map_err(|failure| match failure.message.contains("not a git repository") {
                true => anyhow!("There is no git repository in `{}` or above it; `git init` makes one.", dir.display()),
                false => anyhow!("The repository in `{}` can't be opened: {}", dir.display(), failure.message),
            })?;
        let git_dir = parse_path(&git_dir).context("The path of the repository can't be read.")?;
        let common = ask("--git-common-dir").ok().and_then(|common| parse_path(&common)).map(|common| dir.join(common));
        let main = common.is_none_or(|common| common.canonicalize().ok() == git_dir.canonicalize().ok());
        let top =
            ask("--show-toplevel").ok().and_then(|top| parse_path(&top)).filter(|top| !top.as_os_str().is_empty());
        Ok(Repo { program: program.to_owned(), git_dir, work_tree: top, is_main: main, process_count: Cell::new(0) })
    }

    /// Opens the repository in this very directory, or makes it with `main` as its first branch.
    ///
    /// # Errors
    /// It can neither be opened nor made; the sentence says why.
    pub fn init(dir: &Path) -> Result<Repo> {
        let program = OsStr::new("git");
        check_version(program)?;
        let bare = || ["HEAD", "objects", "refs"].iter().all(|name| dir.join(name).exists());
        if !dir.join(".git").exists() && !bare() {
            std::fs::create_dir_all(dir).with_context(|| format!("`{}` can't be created.", dir.display()))?;
            // Git before 2.28 cannot be told the name of the first branch, so HEAD is pointed at it afterwards.
            for args in [&["init", "--quiet", "--template="][..], &["symbolic-ref", "HEAD", "refs/heads/main"]] {
                run(command_in(program, dir).args(args), b"").map_err(|failure| {
                    anyhow!("Can't create a repository in `{}`: {}", dir.display(), failure.message)
                })?;
            }
        }
        Repo::open_with(program, dir)
    }

    /// Returns the place of the repository for a person: the top of its work tree, or the repository itself where it is bare.
    pub fn display_path(&self) -> &Path {
        self.work_tree.as_deref().unwrap_or(&self.git_dir)
    }

    /// Returns the top of the work tree; `None` where there is none.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// Returns the address of the remote `origin`; `None` if there is none.
    pub fn origin_url(&self) -> Option<String> {
        let address = self.git(&["config", "--get", "remote.origin.url"], b"").ok()?;
        String::from_utf8(address).ok().map(|address| address.trim().to_owned())
    }

    /// Returns the branch that HEAD is on; `None` when it is on none.
    pub fn current_branch(&self) -> Option<String> {
        let name = self.git(&["symbolic-ref", "--quiet", "--short", "HEAD"], b"").ok()?;
        String::from_utf8(name).ok().map(|name| name.trim().to_owned())
    }

    /// Tests if git ignores a path of a work tree, because of `.gitignore` or another list.
    pub fn is_ignored(&self, work_tree: &Path, path: &str) -> bool {
        self.count_process();
        let mut command = command_in(&self.program, work_tree);
        // This one command refuses literal paths.
        command.env_remove("GIT_LITERAL_PATHSPECS").args(["check-ignore", "--quiet", "--no-index", "--", path]);
        run(&mut command, b"").is_ok()
    }

    /// Returns the number of git processes started for this repository since it was opened: the price of a move.
    pub fn process_count(&self) -> u64 {
        self.process_count.get()
    }

    /// Returns the work tree that the repository was found through; `None` if it is not the main one.
    pub(super) fn main_work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref().filter(|_| self.is_main)
    }

    /// Tests if the repository was found through its main work tree (or is bare).
    pub(super) fn is_main(&self) -> bool {
        self.is_main
    }

    /// Runs a command on the objects and branches.
    pub(super) fn git<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> Result<Vec<u8>, GitError> {
        self.git_with_env(args, &[], input)
    }

    /// Runs a command on the objects and branches, with variables of its own.
    pub(super) fn git_with_env<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        variables: &[(&str, &str)],
        input: &[u8],
    ) -> Result<Vec<u8>, GitError> {
        run(self.command().args(args).envs(variables.iter().copied()), input)
    }

    /// Runs a command on the index and the files of a work tree.
    pub(super) fn git_in(&self, work_tree: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        self.count_process();
        run(command_in(&self.program, work_tree).args(args), input)
    }

    /// Starts a command that answers one question after the other: `cat-file --batch`, `mktree --batch`.
    pub(super) fn start_batch(&self, args: &[&str]) -> Result<BatchProcess, GitError> {
        BatchProcess::start(self.command().args(args))
    }

    fn command(&self) -> Command {
        self.count_process();
        let mut command = clean_command(&self.program);
        command.arg("--git-dir").arg(&self.git_dir);
        command
    }

    fn count_process(&self) {
        self.process_count.set(self.process_count.get() + 1);
    }
}

/// A command that came to nothing.
#[derive(Debug)]
pub(super) struct GitError {
    /// The words of git, as one line.
    pub(super) message: String,
}

impl GitError {
    /// Returns the failure of a command with these last words; `without` is the sentence if it had none.
    fn from_stderr(words: &str, without: &str) -> GitError {
        let sentence = error_message(words);
        GitError { message: if sentence.is_empty() { without.to_owned() } else { sentence } }
    }
}

impl From<GitError> for Fault {
    fn from(failure: GitError) -> Fault {
        Fault::Fatal(format!("git: {}", failure.message))
    }
}

impl From<io::Error> for GitError {
    fn from(error: io::Error) -> GitError {
        GitError { message: one_line(&error.to_string()) }
    }
}

/// A running git that answers one question after the other. It ends with this value.
pub(super) struct BatchProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl BatchProcess {
    fn start(command: &mut Command) -> Result<BatchProcess, GitError> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => {
                Ok(BatchProcess { child, stdin: questions, stdout: BufReader::new(answers) })
            }
            _ => Err(GitError { message: "git was started without pipes".to_owned() }),
        }
    }

    /// Asks, and returns the first line of the answer, without its newline.
    pub(super) fn request(&mut self, question: &[u8]) -> Result<String, GitError> {
        let mut line = Vec::new();
        let asked = self.stdin.write_all(question).and_then(|()| self.stdin.flush());
        let read = asked.and_then(|()| self.stdout.read_until(b'\n', &mut line));
        if read.is_err() || line.pop() != Some(b'\n') {
            return Err(self.exit_error());
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// Reads the next bytes of the answer; `None`, with the bytes passed over, if there are more than the limit.
    pub(super) fn read_bytes(&mut self, size: u64, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
        let mut part = Read::by_ref(&mut self.stdout).take(size);
        if size > limit {
            io::copy(&mut part, &mut io::sink())?;
            return Ok(None);
        }
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes)?;
        if bytes.len() as u64 == size { Ok(Some(bytes)) } else { Err(self.exit_error()) }
    }

    fn exit_error(&mut self) -> GitError {
        let _ = self.child.kill();
        let mut words = String::new();
        if let Some(stderr) = self.child.stderr.take() {
            let _ = stderr.take(1 << 16).read_to_string(&mut words);
        }
        GitError::from_stderr(&words, "git ended without an answer")
    }
}

impl Drop for BatchProcess {
    fn drop(&mut self) {
        // It waits for a question and has nothing half done, so ending it is safe, and quicker than asking it to.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns text from outside as one line: control characters become spaces.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.trim().to_owned()
}

/// Returns the words of git as one line: its errors without the advice around them.
pub fn error_message(words: &str) -> String {
    let error = |line: &str| line.strip_prefix("fatal:").or_else(|| line.strip_prefix("error:")).map(str::to_owned);
    let mut lines: Vec<String> = words.lines().filter_map(error).collect();
    if lines.is_empty() {
        lines = words.lines().map(str::to_owned).collect();
    }
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).filter(|line| !line.is_empty()).collect();
    lines.join("; ").chars().take(MAX_ERROR_CHARS).collect()
}

/// Reads a path as git prints it, with one newline behind it.
pub(super) fn parse_path(bytes: &[u8]) -> Option<PathBuf> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    #[cfg(unix)]
    let path = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes);
    #[cfg(not(unix))]
    let path = std::str::from_utf8(bytes).ok()?;
    Some(PathBuf::from(path))
}

fn command_in(program: &OsStr, dir: &Path) -> Command {
    let mut command = clean_command(program);
    command.arg("-C").arg(dir);
    command
}

fn clean_command(program: &OsStr) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let upper = name.to_string_lossy().to_ascii_uppercase();
        if upper.starts_with("GIT_") && !KEPT_VARIABLES.contains(&upper.as_str()) {
            command.env_remove(&name);
        }
    }
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0");
    // An id is read as it is, without replacements, and a path is a path with any characters.
    command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_LITERAL_PATHSPECS", "1");
    command.env("GIT_COMMITTER_NAME", "play-by-commit").env("GIT_COMMITTER_EMAIL", "play-by-commit@players.invalid");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
}

fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, GitError> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // A command that ends early does not read all of its input; what it says about that is the better sentence.
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input));
    let Output { status, stdout, stderr } = child.wait_with_output()?;
    if status.success() {
        return Ok(written.map(|()| stdout)?);
    }
    Err(GitError::from_stderr(&String::from_utf8_lossy(&stderr), &format!("git ended with {status}")))
}

fn check_version(program: &OsStr) -> Result<()> {
    let said = run(clean_command(program).arg("version"), b"").map_err(|failure| {
        anyhow!("The program `{}` can't run ({}). Install git.", program.display(), failure.message)
    })?;
    let said = one_line(&String::from_utf8_lossy(&said));
    match parse_version(&said) {
        Some(version) if version >= MIN_VERSION => Ok(()),
        Some(_) => bail!("This is {said}, which is too old. Install git {}.{} or newer.", MIN_VERSION.0, MIN_VERSION.1),
        None => bail!("The program `{}` doesn't say which git version it is.", program.display()),
    }
}

/// Reads `git version 2.39.3 (Apple Git-146)` and the like.
pub fn parse_version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("git version ")?.split(['.', ' ', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
