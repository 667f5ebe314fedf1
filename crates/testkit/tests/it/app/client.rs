//! A small HTTP client, and a server that receives webhooks.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) text: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the path of the next page.
    pub(super) fn next(&self) -> Option<String> {
        let link = self.header("link")?.split(", ").find(|link| link.ends_with("rel=\"next\""))?;
        let url = link.strip_prefix('<')?.split('>').next()?;
        url.split_once("//")?.1.split_once('/').map(|(_, path)| format!("/{path}"))
    }
}

/// Sends a request to `url` with this token and body.
pub(super) fn send(method: &str, url: &str, path: &str, token: &str, body: &str) -> Reply {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nauthorization: Bearer {token}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut reader = BufReader::new(stream);
    let (first, headers) = head(&mut reader);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    Reply { status: first.split(' ').nth(1).unwrap().parse().unwrap(), headers, text }
}

/// Reads the first line and the headers of a message.
fn head(reader: &mut impl BufRead) -> (String, Vec<(String, String)>) {
    let mut lines = reader.lines().map(Result::unwrap).take_while(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let headers =
        lines.filter_map(|line| line.split_once(": ").map(|(key, value)| (key.to_lowercase(), value.to_owned())));
    (first, headers.collect())
}

/// A received webhook.
#[derive(Clone, Debug)]
pub(super) struct Webhook {
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Webhook {
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns the event and its action, such as `issues opened`.
    pub(super) fn name(&self) -> String {
        let json = self.json();
        format!("{} {}", self.header("x-github-event"), json["action"].as_str().unwrap_or_default())
    }
}

/// A server that receives webhooks.
pub(super) struct Receiver {
    pub(super) url: String,
    received: Arc<Mutex<Vec<Webhook>>>,
}

impl Receiver {
    /// Starts a server that gives every webhook this status.
    pub(super) fn start(status: u16) -> Receiver {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}/webhook", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let shared = received.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let shared: Arc<Mutex<Vec<Webhook>>> = shared.clone();
                std::thread::spawn(move || receive(stream, status, &shared));
            }
        });
        Receiver { url, received }
    }

    /// Waits for this number of webhooks, and returns them.
    pub(super) fn wait(&self, count: usize) -> Vec<Webhook> {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let received = self.received.lock().unwrap().clone();
            if received.len() >= count || Instant::now() > until {
                assert_eq!(received.len(), count, "{:?}", received.iter().map(Webhook::name).collect::<Vec<_>>());
                return received;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn receive(mut stream: TcpStream, status: u16, received: &Mutex<Vec<Webhook>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let (first, headers) = head(&mut reader);
        if first.is_empty() {
            return;
        }
        let length = headers.iter().find(|(key, _)| key == "content-length").map_or("0", |(_, value)| value);
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        received.lock().unwrap().push(Webhook { headers, body: String::from_utf8(body).unwrap() });
        write!(stream, "HTTP/1.1 {status} Taken\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}
