//! Starts the program as the workflow does, with its environment and event file, and collects its output.

use crate::place;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Instant;

use protocol::repo_config::Trigger;
use serde_json::{Value, json};

use super::host::REPOSITORY;
use crate::payloads;
use crate::server::TOKEN;
use crate::simulator::core::Core;
use crate::simulator::schedule::SECRET;
use crate::simulator::story::Story;

/// The settings that all runs of a story share.
pub(super) struct Setup {
    pub dir: PathBuf,
    binary: PathBuf,
    url: String,
    variables: Vec<(&'static str, String)>,
}

/// A running process.
pub(super) struct Process {
    pub killed: bool,
    pub until: Instant,
    child: Child,
    dir: PathBuf,
}

/// The result and output of a run.
pub(super) struct End {
    pub status: ExitStatus,
    /// `None` if the process was killed or crashed.
    pub result: Option<Result<(), String>>,
    pub out: String,
    pub err: String,
    pub summary: String,
}

impl Setup {
    pub(super) fn new(story: &Story, binary: &Path, url: String) -> Setup {
        let set = |on: bool, value: &str| if on { value.to_owned() } else { String::new() };
        let setting = &story.setting;
        let variables = vec![
            ("CI", "true".to_owned()),
            ("GITHUB_ACTIONS", "true".to_owned()),
            ("GITHUB_SERVER_URL", "https://github.example".to_owned()),
            ("GITHUB_REPOSITORY", REPOSITORY.to_owned()),
            ("PLAY_BY_COMMIT_TOKEN", TOKEN.to_owned()),
            ("PLAY_BY_COMMIT_BRANCH", set(setting.has_state_branch, "play")),
            ("PLAY_BY_COMMIT_STATE_DIR", "state".to_owned()),
            ("PLAY_BY_COMMIT_DICE_SECRET", set(setting.has_dice_secret, SECRET)),
            ("PLAY_BY_COMMIT_GAMES", String::new()),
            ("PLAY_BY_COMMIT_TABLES", if setting.lets_anyone_open { "anyone" } else { "author" }.to_owned()),
            ("PLAY_BY_COMMIT_ASSIGN", story.assigns_turns().to_string()),
            ("PLAY_BY_COMMIT_SWEEP_DAYS", "7".to_owned()),
        ];
        Setup { dir: directory(), binary: binary.to_owned(), url, variables }
    }

    /// Starts a run for this trigger.
    pub(super) fn start(&self, core: &Core, run: u32, trigger: Trigger, until: Instant) -> Process {
        let dir = self.dir.join(run.to_string());
        fs::create_dir_all(&dir).expect("a directory");
        let (event, payload) = event(core, trigger);
        fs::write(dir.join("event.json"), payload.to_string()).expect("the event file");
        let file = |name: &str| File::create(dir.join(name)).expect("an output file");
        let child = Command::new(&self.binary)
            .arg("run")
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .env("GITHUB_API_URL", format!("{}/{run}", self.url))
            .env("GITHUB_GRAPHQL_URL", format!("{}/{run}/graphql", self.url))
            .env("GITHUB_EVENT_NAME", event)
            .env("GITHUB_EVENT_PATH", dir.join("event.json"))
            .env("GITHUB_STEP_SUMMARY", dir.join("summary.md"))
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .expect("the binary can be started");
        Process { killed: false, until, child, dir }
    }
}

impl Process {
    pub(super) fn kill(&mut self) {
        self.killed = true;
        drop(self.child.kill());
    }

    /// Returns the result and output once the process has ended.
    pub(super) fn ended(&mut self) -> Option<End> {
        let status = self.child.try_wait().expect("a child of ours")?;
        let text =
            |name: &str| String::from_utf8_lossy(&fs::read(self.dir.join(name)).unwrap_or_default()).into_owned();
        let (out, err, summary) = (text("stdout"), text("stderr"), text("summary.md"));
        let result = match status.code() {
            Some(0) => Some(Ok(())),
            Some(1) => Some(Err(out.trim_end().to_owned())),
            _ => None,
        };
        drop(fs::remove_dir_all(&self.dir));
        Some(End { status, result, out, err, summary })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl End {
    /// Returns what is wrong with the output.
    ///
    /// A run may print only the bot's own annotations as workflow commands, and the summary repeats each. Exit code 1 has an
    /// error annotation, and 0 has none.
    pub(super) fn wrong(&self) -> Option<String> {
        if self.result.is_none() {
            return Some(format!("crashes: {}", self.status));
        }
        let commands = |text: &str| -> Vec<String> {
            let lines = text.split(['\n', '\r']).map(str::trim_start).filter(|line| line.starts_with("::"));
            lines.map(str::to_owned).collect()
        };
        if let Some(command) = commands(&self.err).first() {
            return Some(format!("has {command:?} in its log"));
        }
        let (mut errors, annotations) = (0, commands(&self.out));
        for line in &annotations {
            let ours = ["error", "warning"].iter().any(|l| line.starts_with(&format!("::{l} title=Play by Commit::")));
            if !ours {
                return Some(format!("prints {line:?}"));
            }
            errors += usize::from(line.starts_with("::error"));
        }
        let summed = self.summary.lines().filter(|line| line.starts_with("**Play by Commit, ")).count();
        if summed != annotations.len() {
            return Some(format!("prints {} annotations, and {summed} lines in the summary", annotations.len()));
        }
        let fails = self.result.as_ref().is_some_and(Result::is_err);
        if fails == (errors > 0) {
            return None;
        }
        Some(format!("ends with {}, and {errors} errors", self.status))
    }
}

/// Returns the webhook event of a trigger, with the comment's original text.
fn event(core: &Core, trigger: Trigger) -> (&'static str, Value) {
    let Trigger::Comment { source, .. } = trigger else { return ("schedule", payloads::schedule()) };
    let author_and_text = |comment: u64| {
        let posted = core.ledger.comments.get(&place(source.issue.get(), comment));
        let person = posted.and_then(|posted| core.state.people.get(&posted.login));
        let user = person.map_or(Value::Null, |person| payloads::person(&person.login, person.id));
        (user, json!(posted.and_then(|posted| posted.versions.first()?.text.clone())))
    };
    let (opener, body) = author_and_text(0);
    let issue = payloads::issue(source.issue.get(), opener, body);
    if source.comment.get() == 0 {
        return ("issues", payloads::issues("opened", issue));
    }
    let (user, text) = author_and_text(source.comment.get());
    ("issue_comment", payloads::issue_comment("created", issue, payloads::comment(source.comment.get(), user, text)))
}

/// Creates a directory for the files of a story's processes.
fn directory() -> PathBuf {
    static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("play-by-commit-storm-{}-{count}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}
