//! A TCP relay between the program and a server, which counts bytes and detects concurrent requests.
//!
//! [`Relay::start`] takes a delay for every response, to imitate network latency.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A running relay. It runs until the process exits.
pub struct Relay {
    /// The relay's URL: `http://127.0.0.1:PORT`.
    pub url: String,
    seen: Arc<Mutex<Traffic>>,
}

/// The traffic through a relay.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Bytes sent to the server, including headers.
    pub sent: u64,
    /// Bytes sent back.
    pub received: u64,
    /// The start of each request, and the end of its response.
    pub exchanges: Vec<(Instant, Instant)>,
}

impl Traffic {
    /// Returns the length of the longest chain of sequential requests.
    pub fn chain(&self) -> usize {
        let mut exchanges = self.exchanges.clone();
        exchanges.sort_by_key(|(_, end)| *end);
        let (mut length, mut free) = (0, None);
        for (begin, end) in exchanges {
            if free.is_none_or(|free| begin > free) {
                (length, free) = (length + 1, Some(end));
            }
        }
        length
    }
}

impl Relay {
    /// Starts a relay to the server at `http://HOST:PORT`.
    pub fn start(to: &str, delay: Duration) -> Relay {
        let to: SocketAddr = to.strip_prefix("http://").unwrap().parse().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Traffic::default()));
        let shared = seen.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (server, shared) = (TcpStream::connect(to).unwrap(), shared.clone());
                client.set_nodelay(true).unwrap();
                server.set_nodelay(true).unwrap();
                forward_connection(client, server, delay, shared);
            }
        });
        Relay { url, seen }
    }

    /// Returns the traffic since the last call.
    pub fn take(&self) -> Traffic {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

/// Forwards bytes in both directions.
///
/// A connection has one request at a time, so the first bytes after a response start the next request.
fn forward_connection(client: TcpStream, server: TcpStream, delay: Duration, seen: Arc<Mutex<Traffic>>) {
    let open = Arc::new(Mutex::new(None::<usize>));
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (up, up_open) = (seen.clone(), open.clone());
    std::thread::spawn(move || {
        copy_bytes(&mut from, &mut to, |count| {
            let now = Instant::now();
            let mut traffic = up.lock().unwrap();
            traffic.sent += count;
            up_open.lock().unwrap().get_or_insert_with(|| {
                traffic.exchanges.push((now, now));
                traffic.exchanges.len() - 1
            });
        });
    });
    let (mut from, mut to) = (server, client);
    std::thread::spawn(move || {
        copy_bytes(&mut from, &mut to, |count| {
            // Delay only the first bytes of a response.
            let exchange = open.lock().unwrap().take();
            if exchange.is_some() {
                std::thread::sleep(delay);
            }
            let mut traffic = seen.lock().unwrap();
            traffic.received += count;
            if let Some(exchange) = exchange.and_then(|exchange| traffic.exchanges.get_mut(exchange)) {
                exchange.1 = Instant::now();
            }
        });
    });
}

fn copy_bytes(from: &mut TcpStream, to: &mut TcpStream, mut note: impl FnMut(u64)) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        note(count as u64);
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}
