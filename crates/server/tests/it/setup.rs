//! `setup`: the App is created with one click, by the person who has the link.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use testkit::app::{AccountKind, AppServer};

use super::process::Process;

/// Gets a URL, or posts a form, and returns the status line, the headers and the body.
fn request(method: &str, url: &str, form: &str) -> String {
    let rest = url.strip_prefix("http://").expect("a plain URL");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: \
         application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

/// Returns the value of an attribute in a page.
fn attribute(page: &str, name: &str) -> String {
    let value = page.split_once(&format!("{name}=\"")).expect("the attribute").1.split('"').next().expect("its end");
    value.replace("&quot;", "\"").replace("&amp;", "&")
}

fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

struct Setup {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    link: String,
}

impl Drop for Setup {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Starts `setup`, and waits for the link.
fn start(app: &AppServer, port: u16, config: &std::path::Path) -> Setup {
    let url = format!("http://127.0.0.1:{port}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-server"));
    command
        .args(["setup", "--url", &url, "--listen", &url["http://".len()..], "--api-url", &app.url, "--config"])
        .arg(config);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let link = lines.by_ref().map_while(Result::ok).find(|line| line.contains("/setup?token=")).expect("a link");
    Setup { child, lines, link: link.trim().to_owned() }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn creates_the_app_and_the_server_plays_with_it() {
    let app = AppServer::start();
    let folder = std::env::temp_dir().join(format!("play-by-commit-setup-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let config = folder.join("app.toml");
    let mut setup = start(&app, free_port(), &config);
    let (base, _) = setup.link.split_once("/setup").unwrap();
    // A stranger who finds the address sees nothing.
    for path in ["/setup", "/setup?token=", "/setup?token=0000", "/setup/created?code=x&state=y", "/"] {
        let reply = request("GET", &format!("{base}{path}"), "");
        assert!(reply.starts_with("HTTP/1.1 404"), "{path}: {reply}");
    }
    let page = request("GET", &setup.link, "");
    assert!(page.contains("referrer-policy: no-referrer") && page.contains("frame-ancestors 'none'"), "{page}");
    let manifest = attribute(&page, "value");
    assert!(manifest.contains("\"public\":false") && manifest.contains("\"issues\":\"write\""), "{manifest}");
    let created = request("POST", &attribute(&page, "action"), &format!("manifest={}", encode(&manifest)));
    let back = created.lines().find_map(|line| line.strip_prefix("location: ")).expect("GitHub leads back").to_owned();
    let done = request("GET", &back, "");
    assert!(done.contains("The App is created"), "{done}");
    assert!(setup.child.wait().unwrap().success());
    let said: Vec<String> = setup.lines.by_ref().map_while(Result::ok).collect();
    assert!(said.iter().any(|line| line.contains("bots: ")), "{said:?}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&config).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    // The page has ended, and the server plays with what it wrote.
    app.install("octo", AccountKind::Organization, &["games"]);
    let repository = app.repository("octo/games");
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-server"));
    let server = Process::spawn(command.arg("--config").arg(&config).env("LISTEN", "127.0.0.1:0"));
    app.set_webhook_urls(&[&server.webhook()]);
    let issue = app.open_issue(repository, "alice", "/new tic-tac-toe computer");
    server.wait_for_answers(&app, repository, issue, 1);
    // `--check` says who else could read the file.
    let check = |mode| {
        std::fs::set_permissions(&config, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-server"));
        let output = command.arg("--check").arg("--config").arg(&config).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains("Everybody on this machine can read")
    };
    assert!(check(0o644) && !check(0o600));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn takes_no_code_twice_and_overwrites_no_file() {
    let app = AppServer::start();
    let folder = std::env::temp_dir().join(format!("play-by-commit-twice-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let config = folder.join("app.toml");
    let mut setup = start(&app, free_port(), &config);
    let page = request("GET", &setup.link, "");
    let action = attribute(&page, "action");
    let state = action.split_once("state=").unwrap().1.to_owned();
    let (base, _) = setup.link.split_once("/setup").unwrap();
    let reply = request("GET", &format!("{base}/setup/created?code=nonsense&state={state}"), "");
    assert!(reply.starts_with("HTTP/1.1 502"), "{reply}");
    assert!(!setup.child.wait().unwrap().success());
    assert!(!config.exists());
    std::fs::write(&config, "mine").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_play-by-commit-server"));
    let output = command.args(["setup", "--url", "http://127.0.0.1:1", "--config"]).arg(&config).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("exists already"), "{error}");
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "mine");
    std::fs::remove_dir_all(&folder).unwrap();
}
