//! `play-by-commit-server`: a GitHub App that runs the same `settle` as the action, as soon as a webhook arrives.
//!
//! It keeps nothing outside of git. Kill it at any moment, and the next one continues: GitHub's branches are the compare-and-swap,
//! its reactions are the claims, and its list of deliveries shows what was missed. So several servers at once are fine, too.
//!
//! ```text
//!  webhook ──► intake ──► wakes ──► workers ──► settle
//!                           ▲
//!  deliveries ─► recovery ──┤
//!  daily run, votes ────────┘
//! ```

mod app;
mod check;
mod config;
mod directory;
mod intake;
mod jwt;
mod listen;
mod manifest;
mod metrics;
mod recovery;
mod server;
mod workers;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::Parser;
use tokio::sync::watch;
use tracing::{info, warn};
use tracing_subscriber::EnvFilter;

use crate::app::App;
use crate::config::{Config, LogFormat};
use crate::manifest::SetupArgs;
use crate::server::Server;

/// A GitHub App that answers moves in Play by Commit games as soon as they are written.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Args {
    /// The settings file, such as app.toml. Environment variables come first
    #[arg(long)]
    config: Option<PathBuf>,
    /// Try the key, the permissions, the webhook and the repositories, and say what is wrong
    #[arg(long)]
    check: bool,
    #[command(subcommand)]
    command: Option<SubCommand>,
}

#[derive(clap::Subcommand)]
enum SubCommand {
    /// Create the App on GitHub with one click, and write its settings file
    Setup(SetupArgs),
}

fn main() {
    prevent_core_dumps();
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let result = match &runtime {
        Ok(runtime) => runtime.block_on(run(args)),
        Err(error) => Err(anyhow!("the runtime can't start: {error}")),
    };
    let is_success = result.unwrap_or_else(|error| {
        _ = writeln!(std::io::stderr(), "error: {error:#}");
        false
    });
    // Runs that are left end here, as if the server were killed. Waiting for them would take too long.
    std::process::exit(i32::from(!is_success))
}

/// Does what the arguments say. Returns whether all is well.
async fn run(args: Args) -> Result<bool> {
    match args.command {
        Some(SubCommand::Setup(args)) => {
            tokio::select! {
                result = manifest::set_up(args, print) => result?,
                () = stopped() => {}
            }
            Ok(true)
        }
        None => {
            let config = Config::read(args.config.as_deref(), |name| std::env::var(name).ok())?;
            let app = App::new(config.key.clone(), config.github.clone()).map_err(|error| anyhow!("{error}"))?;
            if args.check {
                return Ok(check::check(args.config.as_deref(), &config, &app, print).await);
            }
            start_log(config.log);
            serve(config, app).await?;
            Ok(true)
        }
    }
}

/// Serves until the process gets a signal to stop.
async fn serve(config: Config, app: App) -> Result<()> {
    let began_at = Instant::now();
    // A wrong key or address is found here, and not at the first webhook.
    let info = app.info().await.map_err(|error| anyhow!("{}", check::key_problem(&error)))?;
    let listener = listen::open(config.listen).await?;
    let address = listener.local_addr().context("the address can't be read")?;
    let server = Arc::new(Server::new(config, app, info));
    let (stop, stopping) = watch::channel(false);
    let listening = tokio::spawn(listen::serve(listener, intake::routes(server.clone()), stopping));
    let working = tokio::spawn(workers::work(server.clone()));
    let absent =
        server.load_directory().await.map_err(|error| anyhow!("the installations can't be listed: {error}"))?;
    for account in absent {
        warn!("{}", check::absent_account(&account));
    }
    let app = server.info.slug.as_str();
    info!(app, %address, milliseconds = workers::milliseconds(began_at.elapsed()), "Listening.");
    let recovering = tokio::spawn(recovery::recover(server.clone()));
    let keeping_time = tokio::spawn(workers::keep_time(server.clone()));
    stopped().await;
    let deadline = Instant::now() + workers::DRAIN_TIME;
    info!("Stopping. Runs to finish: {}.", server.running());
    server.drain();
    _ = stop.send(true);
    recovering.abort();
    keeping_time.abort();
    drop(listening.await);
    drop(working.await);
    while server.running() > 0 && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    match server.running() {
        0 => info!("Stopped."),
        left => warn!("Stopped. Runs that the next start continues with: {left}."),
    }
    Ok(())
}

/// Waits for SIGTERM or Ctrl-C.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    _ = tokio::signal::ctrl_c().await;
}

/// Starts the log: what the server does, and warnings of everything else. Both never have the text of a comment.
fn start_log(format: LogFormat) {
    let filter = EnvFilter::new("warn,play_by_commit_server=info");
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    match format {
        LogFormat::Text => log.with_target(false).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

/// Keeps the App's key out of core dumps and other processes.
fn prevent_core_dumps() {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, setrlimit};
        // Without the right to lower its own limit, a process has no core dumps either.
        _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        #[cfg(target_os = "linux")]
        {
            _ = nix::sys::prctl::set_dumpable(false);
        }
    }
}

fn print(text: &str) {
    _ = writeln!(std::io::stdout(), "{text}");
}
