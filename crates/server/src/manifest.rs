//! `setup`: creates the App with one click, by [GitHub's manifest flow](https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest).
//!
//! The page with the button opens only with the token in the link that the host reads in the terminal, and it ends after one use.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use github::{ApiClient, Connections, Server, Settings, split_api_url};
use http::Method;
use maud::{DOCTYPE, html};
use protocol::random_bytes;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, watch};

use crate::app::PERMISSIONS;
use crate::config::{DEFAULT_API_URL, DEFAULT_LISTEN, Secret, parse_listen};
use crate::listen;

/// The events that the App asks for. GitHub sends those about the installation anyway.
pub(super) const EVENTS: [&str; 3] = ["issue_comment", "issues", "repository"];

/// The options of `setup`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SetupArgs {
    /// The address at which GitHub reaches this server, such as `https://games.example.org`
    #[arg(long)]
    url: String,
    /// The settings file to write
    #[arg(long, default_value = "app.toml")]
    config: PathBuf,
    /// The organization that owns the App; without it, you own it
    #[arg(long)]
    organization: Option<String>,
    /// The App's name on GitHub, which nobody else may have
    #[arg(long, default_value = "Play by Commit")]
    name: String,
    /// The address and port to listen at, as in the variable LISTEN
    #[arg(long, default_value = DEFAULT_LISTEN)]
    listen: String,
    /// The address of GitHub's API, for an Enterprise Server
    #[arg(long, default_value = DEFAULT_API_URL)]
    api_url: String,
}

/// The page of one setup.
struct Page {
    args: SetupArgs,
    url: String,
    github: Server,
    /// The hash of the token in the link. Comparing hashes takes the same time for every wrong token.
    token: [u8; 32],
    /// What GitHub has to send back, which nobody else can know.
    state: String,
    /// Whether the code was used.
    is_used: Mutex<bool>,
    done: mpsc::Sender<Result<Created>>,
}

/// What GitHub hands back for the code: the new App.
#[derive(Clone, Deserialize)]
struct Created {
    id: u64,
    slug: String,
    html_url: String,
    pem: Secret,
    webhook_secret: Option<Secret>,
}

#[derive(Deserialize)]
struct PageQuery {
    #[serde(default)]
    token: String,
}

#[derive(Deserialize)]
struct CodeQuery {
    #[serde(default)]
    code: String,
    #[serde(default)]
    state: String,
}

/// Creates the App, and writes its key and secret into the settings file.
///
/// # Errors
/// Returns an error that says what to change if an option is wrong, or if GitHub doesn't create the App.
pub(super) async fn set_up(args: SetupArgs, print: impl Fn(&str)) -> Result<()> {
    let (origin, path) =
        split_api_url(&args.url).map_err(|_| anyhow!("--url isn't an address such as https://games.example.org"))?;
    if !path.is_empty() {
        bail!("--url has a path. Give the server a name of its own, such as https://games.example.org");
    }
    if origin.starts_with("http:") && !is_local(&origin) {
        bail!(
            "--url begins with http. GitHub has to reach the server by https, so put a proxy with a certificate before it"
        );
    }
    let url = origin;
    if args.config.exists() {
        bail!("{} exists already. Move it away, or name another file with --config", args.config.display());
    }
    // GitHub hands out the key only once, so try this first.
    new_file(&args.config)?;
    std::fs::remove_file(&args.config).with_context(|| format!("{} can't be written", args.config.display()))?;
    if args.organization.as_deref().is_some_and(|name| !table::is_login(name)) {
        bail!("--organization isn't the name of an organization");
    }
    let github = Server::with_api(&args.api_url)
        .map_err(|_| anyhow!("--api-url isn't the address of an API, such as https://api.github.com"))?;
    let address = parse_listen(&args.listen)?;
    let listener = listen::open(address).await?;
    let listening: SocketAddr = listener.local_addr().context("the address can't be read")?;
    let random = || random_bytes().map(hex::encode).map_err(|error| anyhow!("{error}"));
    let (token, state) = (random()?, random()?);
    let (done, mut created) = mpsc::channel(1);
    let page = Page {
        url: url.clone(),
        github,
        token: Sha256::digest(&token).into(),
        state,
        is_used: Mutex::new(false),
        done,
        args: args.clone(),
    };
    let routes = Router::new()
        // GitHub sends a first webhook as soon as the App exists.
        .route("/webhook", post(|| async { StatusCode::ACCEPTED }))
        .route("/setup", get(show_form))
        .route("/setup/created", get(take_code))
        .with_state(Arc::new(page));
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(listen::serve(listener, routes, stopped));
    print(&format!(
        "Open this link in your browser. It works until the App is created, and for nobody without it:\n\n  {url}/setup?token={token}\n"
    ));
    print(&format!("Waiting at {listening}. Stop with Ctrl-C."));
    let created = created.recv().await.context("the page has ended")?;
    // The browser still waits for its answer.
    _ = stop.send(true);
    drop(serving.await);
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let created = created?;
    print(&format!(
        "\nThe App `{}` is created, and {} has its key and secret. Next:\n\n  1. Install it: {}/installations/new\n  2. Start the \
         server: play-by-commit-server --config {}\n\nIf a workflow plays there now, write this into its repository's \
         .github/play-by-commit.yml first, and delete play.yml:\n\n  bots: {}[bot]",
        created.slug,
        args.config.display(),
        created.html_url,
        args.config.display(),
        created.slug,
    ));
    Ok(())
}

/// Returns the manifest of the App.
fn manifest(page: &Page) -> Value {
    let permissions: serde_json::Map<String, Value> =
        PERMISSIONS.iter().map(|(name, level)| ((*name).to_owned(), json!(level))).collect();
    json!({
        "name": page.args.name,
        "url": "https://github.com/play-by-commit/play-by-commit",
        "hook_attributes": { "url": format!("{}/webhook", page.url), "active": true },
        "redirect_url": format!("{}/setup/created", page.url),
        "public": false,
        "default_permissions": permissions,
        "default_events": EVENTS,
    })
}

async fn show_form(State(page): State<Arc<Page>>, Query(query): Query<PageQuery>) -> Response {
    if !has_token(&page, &query.token) || is_used(&page) {
        return (StatusCode::NOT_FOUND, "Not found\n").into_response();
    }
    let owner = match &page.args.organization {
        Some(name) => format!("organizations/{name}/settings/apps/new"),
        None => "settings/apps/new".to_owned(),
    };
    let action = format!("{}/{owner}?state={}", page.github.url, page.state);
    let body = html! {
        p { "This creates a private GitHub App for your games. It may read and write issues and files, and nothing else." }
        form action=(action) method="post" {
            input type="hidden" name="manifest" value=(manifest(&page).to_string());
            button { "Create the App on GitHub" }
        }
    };
    show_page("Set up Play by Commit", &body)
}

async fn take_code(State(page): State<Arc<Page>>, Query(query): Query<CodeQuery>) -> Response {
    let is_expected = Sha256::digest(&query.state) == Sha256::digest(&page.state);
    if !is_expected || std::mem::replace(&mut *page.is_used.lock().unwrap_or_else(PoisonError::into_inner), true) {
        return (StatusCode::NOT_FOUND, "Not found\n").into_response();
    }
    let created = convert(&page, &query.code).await;
    let created = created.and_then(|created| write_config(&page.args, &created).map(|()| created));
    let answer = match &created {
        Ok(created) => {
            let install = format!("{}/installations/new", created.html_url);
            let body = html! {
                p { "The App is created. Its key and secret are in the settings file on your server." }
                p { a href=(install) { "Install it in your repositories" } ", then go back to the terminal." }
            };
            show_page("The App is created", &body)
        }
        Err(error) => {
            let body = html! { p { (format!("{error:#}.")) } p { "Run the command in the terminal again." } };
            (StatusCode::BAD_GATEWAY, show_page("The App isn't created", &body)).into_response()
        }
    };
    drop(page.done.send(created).await);
    answer
}

/// Exchanges the code for the App's key and secret.
async fn convert(page: &Page, code: &str) -> Result<Created> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if code.is_empty() || !code.chars().all(is_plain) {
        bail!("GitHub sent no code");
    }
    let connections = Connections::new(Settings::DEFAULT_TIMEOUT).map_err(|error| anyhow!("{error}"))?;
    let Server { api_url, graphql_url, .. } = &page.github;
    // GitHub asks for no token here. The code is the proof.
    let client = ApiClient::without_token(&connections, api_url, graphql_url, Settings::DEFAULT_TIMEOUT);
    let client = client.map_err(|error| anyhow!("{error}"))?;
    let reply = client.rest(Method::POST, &format!("/app-manifests/{code}/conversions"), None).await;
    let reply = reply.map_err(|error| anyhow!("{error}"))?;
    if reply.status != StatusCode::CREATED {
        bail!("GitHub didn't hand out the App's key ({}: {})", reply.status, reply.message());
    }
    reply.json().map_err(|error| anyhow!("{error}"))
}

/// Writes the settings file, which nobody else may read.
fn write_config(args: &SetupArgs, created: &Created) -> Result<()> {
    let path = &args.config;
    let secret = match &created.webhook_secret {
        Some(secret) => secret.0.clone(),
        None => bail!("GitHub created the App without a webhook secret. Delete the App and run `setup` again"),
    };
    let quote = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text = format!(
        "# The settings of play-by-commit-server. Keep this file secret: its key is the App.\napp-id = {}\nwebhook-secret = {}\nlisten = {}\n",
        created.id,
        quote(&secret),
        quote(&args.listen),
    );
    if args.api_url != DEFAULT_API_URL {
        text.push_str(&format!("github-api-url = {}\n", quote(&args.api_url)));
    }
    text.push_str(&format!("private-key = '''\n{}\n'''\n", created.pem.0.trim()));
    new_file(path)?.write_all(text.as_bytes()).with_context(|| format!("{} can't be written", path.display()))
}

/// Creates a file that nobody else may read.
fn new_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path);
    file.with_context(|| format!("{} can't be written. Name another file with --config", path.display()))
}

/// Whether an address is this machine's own, which nobody can listen to on the way.
pub(super) fn is_local(origin: &str) -> bool {
    ["http://127.0.0.1", "http://localhost"].iter().any(|local| origin.starts_with(local))
}

fn has_token(page: &Page, token: &str) -> bool {
    Sha256::digest(token) == page.token.into()
}

fn is_used(page: &Page) -> bool {
    *page.is_used.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a page that loads nothing and tells nobody where it was.
fn show_page(title: &str, body: &maud::Markup) -> Response {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { "body{font:1rem/1.5 system-ui;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}" }
            }
            body { h1 { (title) } (body) }
        }
    };
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
    ];
    (headers, Html(page.into_string())).into_response()
}
