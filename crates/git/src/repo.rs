//! [`Repo`]: finds a repository and runs git commands on it.
//!
//! It runs only git's plumbing commands, without a shell: arguments are a list, and data goes through stdin. The commands don't
//! inherit variables that name another repository, such as a hook's `GIT_DIR`.

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use protocol::{HostError, RequestError};

/// The oldest supported version of git.
const MIN_VERSION: (u32, u32) = (2, 25);

/// The limit on an error message of git, in characters.
const MAX_ERROR_CHARS: usize = 400;

/// The name of the committer of every commit.
pub(super) const COMMITTER_NAME: &str = "play-by-commit";

/// The email address of the committer.
pub(super) const COMMITTER_EMAIL: &str = "play-by-commit@players.invalid";

/// The settings of every git command: no hooks, nothing in the background, and a wait of one second for the lock of a branch.
const SETTINGS: [&str; 4] =
    ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.filesRefLockTimeout=1000", "gc.auto=0"];

/// The `GIT_` variables that commands inherit, because they don't name a repository.
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
    /// The work tree that contains the directory it was opened with; `None` if it is bare.
    work_tree: Option<PathBuf>,
    /// Whether that is the main work tree, not a linked one. True for a bare repository.
    is_main: bool,
    /// The process that reads objects, once there is one.
    object_process: RefCell<Option<BatchProcess>>,
    process_count: Cell<u64>,
}

impl Repo {
    /// Opens the repository that contains a directory. It may be bare, and the directory may be in a linked work tree.
    ///
    /// # Errors
    /// Returns an error if there is no repository, or if git is missing or too old.
    pub fn open(dir: &Path) -> Result<Repo> {
        Repo::open_with(OsStr::new("git"), dir)
    }

    /// Opens a repository like [`Repo::open`], with this git program instead of the one on the `PATH`.
    ///
    /// # Errors
    /// Returns an error if [`Repo::open`] would.
    pub fn open_with(program: &OsStr, dir: &Path) -> Result<Repo> {
        check_version(program)?;
        if !dir.is_dir() {
            bail!("There is no directory `{}`.", dir.display());
        }
        // One value per call, because a path may contain line breaks.
        let rev_parse = |what: &str| run(command_in(program, dir).args(["rev-parse", what]), b"");
        let git_dir = rev_parse("--absolute-git-dir").map_err(|error| {
            if error.message.contains("not a git repository") {
                anyhow!("There is no git repository in `{}` or above it; `git init` makes one.", dir.display())
            } else {
                anyhow!("The repository in `{}` can't be opened: {}", dir.display(), error.message)
            }
        })?;
        let git_dir = parse_path(&git_dir).context("The path of the repository can't be read.")?;
        // Only the directory of a linked work tree has this file, which names the main repository.
        let is_main = !git_dir.join("commondir").exists();
        let work_tree = rev_parse("--show-toplevel").ok().and_then(|top| parse_path(&top));
        let work_tree = work_tree.filter(|top| !top.as_os_str().is_empty());
        Ok(Repo {
            program: program.to_owned(),
            git_dir,
            work_tree,
            is_main,
            object_process: RefCell::default(),
            process_count: Cell::new(0),
        })
    }

    /// Opens the repository in a directory, or creates it with `main` as its first branch.
    ///
    /// # Errors
    /// Returns an error if it can neither be opened nor created.
    pub fn init(dir: &Path) -> Result<Repo> {
        let program = OsStr::new("git");
        check_version(program)?;
        let is_bare = || ["HEAD", "objects", "refs"].iter().all(|name| dir.join(name).exists());
        if !dir.join(".git").exists() && !is_bare() {
            std::fs::create_dir_all(dir).with_context(|| format!("`{}` can't be created.", dir.display()))?;
            // Git before 2.28 has no option for the name of the first branch, so set HEAD afterwards.
            for args in [&["init", "--quiet", "--template="][..], &["symbolic-ref", "HEAD", "refs/heads/main"]] {
                run(command_in(program, dir).args(args), b"")
                    .map_err(|error| anyhow!("Can't create a repository in `{}`: {}", dir.display(), error.message))?;
            }
        }
        Repo::open_with(program, dir)
    }

    /// Returns the directory to show to people: the top of the work tree, or the repository if it is bare.
    pub fn display_path(&self) -> &Path {
        self.work_tree.as_deref().unwrap_or(&self.git_dir)
    }

    /// Returns the top of the work tree; `None` if the repository is bare.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// Returns the URL of the remote `origin`; `None` if there is no such remote.
    pub fn origin_url(&self) -> Option<String> {
        let url = self.git(&["config", "--get", "remote.origin.url"], b"").ok()?;
        String::from_utf8(url).ok().map(|url| url.trim().to_owned())
    }

    /// Whether git ignores a path of a work tree, because of `.gitignore` or another list.
    pub fn is_ignored(&self, work_tree: &Path, path: &str) -> bool {
        self.count_process();
        let mut command = command_in(&self.program, work_tree);
        // `check-ignore` doesn't support literal pathspecs.
        command.env_remove("GIT_LITERAL_PATHSPECS").args(["check-ignore", "--quiet", "--no-index", "--", path]);
        run(&mut command, b"").is_ok()
    }

    /// Whether a commit of the current branch has ever changed a path of a work tree.
    pub fn has_history(&self, work_tree: &Path, path: &str) -> bool {
        self.count_process();
        let mut command = command_in(&self.program, work_tree);
        run(command.args(["log", "-1", "--format=%H", "--", path]), b"").is_ok_and(|commit| !commit.is_empty())
    }

    /// Returns the number of git processes started since the repository was opened, which measures the cost of a move.
    pub fn process_count(&self) -> u64 {
        self.process_count.get()
    }

    /// Whether the repository was opened with its main work tree, or is bare.
    pub(super) fn is_main(&self) -> bool {
        self.is_main
    }

    /// Runs a command on the objects and branches.
    pub(super) fn git<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) -> Result<Vec<u8>, GitError> {
        run(self.command().args(args), input)
    }

    /// Runs a command on the index and the files of a work tree.
    pub(super) fn git_in(&self, work_tree: &Path, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        self.count_process();
        run(command_in(&self.program, work_tree).args(args), input)
    }

    /// Sends a request to the repository's `cat-file` process, which it starts if none is running. An error ends the process.
    pub(super) fn request_object<T>(
        &self,
        request: impl FnOnce(&mut BatchProcess) -> Result<T, GitError>,
    ) -> Result<T, GitError> {
        let mut process = match self.object_process.take().and_then(BatchProcess::if_running) {
            Some(process) => process,
            None => BatchProcess::start(self.command().args(["cat-file", "--batch"]))?,
        };
        let answer = request(&mut process)?;
        self.object_process.replace(Some(process));
        Ok(answer)
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

/// An error of a git command.
#[derive(Debug)]
pub(super) struct GitError {
    /// Git's error message, as one line.
    pub(super) message: String,
}

impl GitError {
    /// Creates an error from the output on stderr, or with the message `default` if there is none.
    fn from_stderr(stderr: &str, default: &str) -> GitError {
        let message = error_message(stderr);
        GitError { message: if message.is_empty() { default.to_owned() } else { message } }
    }
}

impl From<GitError> for RequestError {
    fn from(error: GitError) -> RequestError {
        RequestError::Fatal(HostError::new(format!("git: {}", error.message)))
    }
}

impl From<io::Error> for GitError {
    fn from(error: io::Error) -> GitError {
        GitError { message: one_line(&error.to_string()) }
    }
}

/// A git process that answers a series of requests. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct BatchProcess {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl BatchProcess {
    fn start(command: &mut Command) -> Result<BatchProcess, GitError> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(BatchProcess { child, stdin, stdout: BufReader::new(stdout) }),
            _ => Err(GitError { message: "git was started without pipes".to_owned() }),
        }
    }

    fn if_running(mut self) -> Option<BatchProcess> {
        matches!(self.child.try_wait(), Ok(None)).then_some(self)
    }

    /// Sends a request and returns the first line of the answer, without its newline.
    pub(super) fn request(&mut self, request: &[u8]) -> Result<String, GitError> {
        let mut line = Vec::new();
        let sent = self.stdin.write_all(request).and_then(|()| self.stdin.flush());
        let read = sent.and_then(|()| self.stdout.read_until(b'\n', &mut line));
        if read.is_err() || line.pop() != Some(b'\n') {
            return Err(self.exit_error());
        }
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    /// Reads the next `size` bytes of the answer. Skips them and returns `None` if `size` is above the limit.
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

    /// Ends the process and returns its error message.
    fn exit_error(&mut self) -> GitError {
        let _ = self.child.kill();
        let mut output = String::new();
        if let Some(stderr) = self.child.stderr.take() {
            let _ = stderr.take(1 << 16).read_to_string(&mut output);
        }
        GitError::from_stderr(&output, "git ended without an answer")
    }
}

impl Drop for BatchProcess {
    fn drop(&mut self) {
        // The process is idle between requests, so killing it is safe, and faster than closing stdin.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns text from outside as one line, with control characters replaced by spaces.
pub(super) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.trim().to_owned()
}

/// Returns the errors in git's output as one line, without hints and other advice. If the repository belongs to somebody else, the
/// line ends with the command that git names.
pub fn error_message(stderr: &str) -> String {
    let error = |line: &str| {
        let exception = || line.trim_start().strip_prefix("git config --global --add safe.directory ");
        let error = line.strip_prefix("fatal:").or_else(|| line.strip_prefix("error:")).map(str::to_owned);
        error.or_else(|| Some(format!("to trust it, run: git config --global --add safe.directory {}", exception()?)))
    };
    let mut lines: Vec<String> = stderr.lines().filter_map(error).collect();
    if lines.is_empty() {
        lines = stderr.lines().map(str::to_owned).collect();
    }
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).filter(|line| !line.is_empty()).collect();
    lines.join("; ").chars().take(MAX_ERROR_CHARS).collect()
}

/// Parses a path that git printed with a newline at the end.
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
    // Read objects without replacement refs, and take paths literally.
    command.env("GIT_NO_REPLACE_OBJECTS", "1").env("GIT_LITERAL_PATHSPECS", "1");
    command.env("GIT_COMMITTER_NAME", COMMITTER_NAME).env("GIT_COMMITTER_EMAIL", COMMITTER_EMAIL);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
}

fn run(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, GitError> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // A command that fails early doesn't read all of its input. Its own error is better than a broken pipe.
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input));
    let Output { status, stdout, stderr } = child.wait_with_output()?;
    if status.success() {
        return Ok(written.map(|()| stdout)?);
    }
    Err(GitError::from_stderr(&String::from_utf8_lossy(&stderr), &format!("git ended with {status}")))
}

fn check_version(program: &OsStr) -> Result<()> {
    let output = run(clean_command(program).arg("version"), b"")
        .map_err(|error| anyhow!("The program `{}` can't run ({}). Install git.", program.display(), error.message))?;
    let output = one_line(&String::from_utf8_lossy(&output));
    match parse_version(&output) {
        Some(version) if version >= MIN_VERSION => Ok(()),
        Some(_) => {
            bail!("This is {output}, which is too old. Install git {}.{} or newer.", MIN_VERSION.0, MIN_VERSION.1)
        }
        None => bail!("The program `{}` doesn't say which git version it is.", program.display()),
    }
}

/// Parses the output of `git version`, such as `git version 2.39.3 (Apple Git-146)`, into the major and minor number.
pub fn parse_version(output: &str) -> Option<(u32, u32)> {
    let mut numbers = output.strip_prefix("git version ")?.split(['.', ' ', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
