//! A TLS front for a server, and a proxy that reaches it.
//!
//! Its certificate is for [`HOST`] and `localhost`, from an authority that only tests trust.

use std::net::{SocketAddr, TcpListener as StdListener};
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The server's name, which DNS can't resolve.
pub const HOST: &str = "api.github.example";

/// Returns the path of the authority's certificate, for `SSL_CERT_FILE`.
pub fn authority() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tls/ca.pem"))
}

/// Starts a TLS front for the server at `http://HOST:PORT`, and returns its address. It runs until the process exits.
pub fn start_tls(to: &str) -> SocketAddr {
    let to: SocketAddr = to.strip_prefix("http://").unwrap().parse().unwrap();
    let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate], key).unwrap()));
    listen(move |client| {
        let acceptor = acceptor.clone();
        async move {
            // The handshake fails if the client doesn't trust the certificate.
            let Ok(mut client) = acceptor.accept(client).await else { return };
            let mut server = TcpStream::connect(to).await.unwrap();
            drop(copy_bidirectional(&mut client, &mut server).await);
        }
    })
}

/// A proxy that connects every client to one server, whatever name it asks for.
pub struct Proxy {
    /// The proxy's address.
    pub address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Starts a proxy to a server. It runs until the process exits.
    pub fn start(to: SocketAddr) -> Proxy {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let log = heads.clone();
        let address = listen(move |mut client| {
            let log = log.clone();
            async move {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    let Ok(byte) = client.read_u8().await else { return };
                    head.push(byte);
                }
                let head = String::from_utf8(head).unwrap();
                log.lock().unwrap().push(head.clone());
                if !head.contains("\r\nProxy-Authorization: Basic dXNlcjpwYXNz\r\n") {
                    drop(client.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n").await);
                    return;
                }
                let mut server = TcpStream::connect(to).await.unwrap();
                client.write_all(b"HTTP/1.1 200 Connection Established\r\n\r\n").await.unwrap();
                drop(copy_bidirectional(&mut client, &mut server).await);
            }
        });
        Proxy { address, heads }
    }

    /// Returns the heads of all requests so far.
    pub fn request_heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// Serves connections on a thread of their own, and returns the address.
fn listen<F: Future<Output = ()> + 'static>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr {
    let listener = StdListener::bind(("127.0.0.1", 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        tokio::task::LocalSet::new().block_on(&runtime, async move {
            let listener = TcpListener::from_std(listener).unwrap();
            while let Ok((client, _)) = listener.accept().await {
                tokio::task::spawn_local(serve(client));
            }
        });
    });
    address
}
