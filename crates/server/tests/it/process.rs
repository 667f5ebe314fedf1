//! A server as a process, and waiting for what it does.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use testkit::app::{AccountKind, AppServer};

/// Starts a fake GitHub whose App is installed in one repository, and returns both.
pub(crate) fn started() -> (AppServer, u64) {
    let app = AppServer::start();
    app.install("octo", AccountKind::Organization, &["games"]);
    let repository = app.repository("octo/games");
    (app, repository)
}

/// Starts a fake GitHub whose App is installed in many repositories, and returns it with the last one. A new server has its first
/// daily runs two seconds apart, so the one there is a minute away.
pub(crate) fn started_long_before_the_daily_run() -> (AppServer, u64) {
    let app = AppServer::start();
    let names: Vec<String> = (1..=30).map(|number| format!("games-{number}")).collect();
    app.install("octo", AccountKind::Organization, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let repository = app.repository("octo/games-30");
    (app, repository)
}

/// A running server.
pub(crate) struct Process {
    child: Child,
    pub(crate) url: String,
    log: Arc<Mutex<Vec<String>>>,
}

/// Returns the command of a server for this App, which listens at a free port.
pub(crate) fn command(app: &AppServer) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-server"));
    command
        .env_clear()
        .env("APP_ID", app.app_id().to_string())
        .env("APP_PRIVATE_KEY", app.private_key())
        .env("WEBHOOK_SECRET", app.webhook_secret())
        .env("GITHUB_API_URL", &app.url)
        .env("LISTEN", "127.0.0.1:0")
        .stdin(Stdio::null());
    command
}

impl Process {
    /// Starts a server, and waits until it's ready.
    pub(crate) fn start(app: &AppServer) -> Process {
        Process::spawn(&mut command(app))
    }

    /// Starts a server with this command, and waits until it's ready.
    pub(crate) fn spawn(command: &mut Command) -> Process {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the server starts");
        let (log, stderr) = (Arc::new(Mutex::new(Vec::new())), child.stderr.take().expect("a pipe"));
        let lines = log.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                lines.lock().unwrap().push(line);
            }
        });
        let mut process = Process { child, url: String::new(), log };
        process.wait_for("ready", |process| process.has_logged("Ready."));
        let lines = process.log();
        let address = lines.iter().find_map(|line| line.split_once("address=")?.1.split_whitespace().next());
        process.url = format!("http://{}", address.expect("the log names the address"));
        process
    }

    /// Starts a server that gets the App's webhooks.
    pub(crate) fn serving(app: &AppServer) -> Process {
        let process = Process::start(app);
        app.set_webhook_urls(&[&process.webhook()]);
        process
    }

    /// Returns the URL of the webhook.
    pub(crate) fn webhook(&self) -> String {
        format!("{}/webhook", self.url)
    }

    /// Returns the log so far.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Whether a line of the log contains this text.
    pub(crate) fn has_logged(&self, text: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| line.contains(text))
    }

    /// Waits until a condition holds, for at most half a minute.
    pub(crate) fn wait_for(&self, what: &str, is_so: impl Fn(&Process) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !is_so(self) {
            assert!(Instant::now() < deadline, "not {what}. The log:\n{}", self.log().join("\n"));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the App has answered this many times in an issue, and returns the answers.
    pub(crate) fn wait_for_answers(&self, app: &AppServer, repository: u64, issue: u64, count: usize) -> Vec<String> {
        let answers = || app.world(repository).answers(issue);
        self.wait_for(&format!("{count} answers in issue {issue}"), |_| answers().len() >= count);
        answers()
    }

    /// Kills the server with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the server runs");
        self.child.wait().expect("the server ends");
    }

    /// Sends SIGTERM, and returns whether the server ends with exit code 0, and the time that it took.
    pub(crate) fn stop(&mut self) -> (bool, Duration) {
        let began_at = Instant::now();
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
        let status = self.child.wait().expect("the server ends");
        (status.success(), began_at.elapsed())
    }

    /// Returns the memory that the process has used at most, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
        line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number") * 1024
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Returns the moves of a table in their recorded notation.
pub(crate) fn moves_of(app: &AppServer, repository: u64, issue: u64) -> Vec<String> {
    let record = app.world(repository).file(&format!("state/{issue}.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let history = record["history"].as_array().expect("a history");
    history.iter().filter_map(|event| event["notation"].as_str().map(str::to_owned)).collect()
}
