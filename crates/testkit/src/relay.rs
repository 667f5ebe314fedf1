//! A relay between the program and a server: it counts the bytes that pass, and sees which requests were under way at
//! the same time. A [`Relay::start`] with a delay makes every answer take that long, as on a real way to a host.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A running relay. It ends with the process.
pub struct Relay {
    /// The place of it: `http://127.0.0.1:PORT`.
    pub url: String,
    seen: Arc<Mutex<Traffic>>,
}

/// What has passed through a relay.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Bytes on their way to the server, headers included.
    pub sent: u64,
    /// Bytes on their way back.
    pub received: u64,
    /// When each request began and when its answer was through.
    pub exchanges: Vec<(Instant, Instant)>,
}

impl Traffic {
    /// The longest chain of requests of which each began after the answer to the one before had come.
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
    /// A relay to the server at `http://HOST:PORT`.
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
                connection(client, server, delay, shared);
            }
        });
        Relay { url, seen }
    }

    /// What has passed since this was last asked.
    pub fn take(&self) -> Traffic {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

/// Passes bytes on in both directions. A connection holds one request at a time, so that the first bytes after an answer
/// are the next request.
fn connection(client: TcpStream, server: TcpStream, delay: Duration, seen: Arc<Mutex<Traffic>>) {
    let open = Arc::new(Mutex::new(None::<usize>));
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (up, up_open) = (seen.clone(), open.clone());
    std::thread::spawn(move || {
        pass(&mut from, &mut to, |count| {
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
        pass(&mut from, &mut to, |count| {
            // Only the first bytes of an answer wait.
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

fn pass(from: &mut TcpStream, to: &mut TcpStream, mut note: impl FnMut(u64)) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        note(count as u64);
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Write));
}
