//! Connections to servers, through a proxy if the environment names one.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Uri;
use http::uri::Scheme;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use protocol::HostError;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::listing::{find_cause, root_cause};

type BoxError = Box<dyn Error + Send + Sync>;

/// Opens connections, and asks a proxy for those to `https` addresses.
///
/// It reads the same variables as curl: `https_proxy`, `all_proxy` and `no_proxy`, in either case. TLS goes through the proxy to the
/// server, so the proxy never sees a token. Addresses without TLS get no proxy, because GitHub's APIs all use TLS.
#[derive(Clone)]
pub(super) struct ProxyConnector {
    rules: Arc<Matcher>,
    direct: HttpConnector,
    /// Connects to the proxy itself, which may need TLS, too.
    to_proxy: HttpsConnector<HttpConnector>,
}

/// An error of a proxy.
#[derive(Debug, thiserror::Error)]
#[error("the proxy {proxy} didn't connect ({why})")]
pub(super) struct ProxyError {
    /// The host and the port of the proxy.
    proxy: String,
    why: String,
    /// Whether only the host can repair it: the environment names a proxy that can't work.
    is_final: bool,
}

impl ProxyConnector {
    /// Creates a connector with the proxies that the environment names now.
    pub(super) fn new(direct: HttpConnector, to_proxy: HttpsConnector<HttpConnector>) -> ProxyConnector {
        ProxyConnector { rules: Arc::new(Matcher::from_env()), direct, to_proxy }
    }
}

impl Service<Uri> for ProxyConnector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.direct.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let is_https = to.scheme() == Some(&Scheme::HTTPS);
        let Some(proxy) = self.rules.intercept(&to).filter(|_| is_https) else {
            let connecting = self.direct.call(to);
            return Box::pin(async move { Ok(MaybeHttpsStream::Http(connecting.await?)) });
        };
        let name = proxy.uri().authority().map(ToString::to_string).unwrap_or_default();
        let proxy_error = move |why: String, is_final| BoxError::from(ProxyError { proxy: name, why, is_final });
        if proxy.uri().scheme_str().is_none_or(|scheme| !scheme.starts_with("http")) {
            return Box::pin(async move { Err(proxy_error("only http and https proxies work".to_owned(), true)) });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.to_proxy.clone());
        if let Some(password) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(password.clone());
        }
        let connecting = tunnel.call(to);
        Box::pin(async move {
            connecting.await.map_err(|error| {
                let why = root_cause(&error);
                let why = why.strip_prefix("tunnel error: ").unwrap_or(&why).to_owned();
                let is_refused = find_cause::<io::Error>(&error)
                    .is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
                // hyper-util doesn't export the type of this error.
                let needs_password = why == "proxy authorization required";
                proxy_error(why, is_refused || needs_password)
            })
        })
    }
}

impl ProxyError {
    /// Returns the problem for the host if the proxy can't work as the environment names it; `None` if trying again may help.
    pub(super) fn problem(&self) -> Option<HostError> {
        let ProxyError { proxy, why, is_final } = self;
        let sentence =
            || format!("The proxy {proxy} didn't connect ({why}). Check the variable https_proxy or all_proxy.");
        is_final.then(|| HostError::new(sentence()))
    }
}
