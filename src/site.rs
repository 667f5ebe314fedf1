//! `play-by-commit site`: builds the website from a directory of records.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use git::{Remote, WorkTree};
use setup::{LINK_FORM_PATH, pages_url, parse_site_url};
use site::page::png_renderer;
use site::{Site, SiteOptions, SiteReport, build};
use terminal::print::{escape, print_line, print_note};

use crate::environment::parse_repository;
use crate::environment::{input, variable};
use crate::report;

/// The number of games that the computer analyzes in a workflow, where nobody waits for it.
const GAMES_PER_WORKFLOW_RUN: usize = 60;
/// The maximum number of damaged records to name.
const MAX_NAMED: usize = 10;
/// The number of games above which the program prints its progress.
const PROGRESS_THRESHOLD: usize = 500;

/// The length of a reason, in characters.
const MAX_REASON: usize = 200;

/// The options of `site`.
#[derive(clap::Args)]
pub(super) struct SiteArgs {
    /// The directory for the site, created if missing; it must be empty or hold an earlier site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The directory of the games
    #[arg(long, value_name = "DIR", default_value = "state")]
    state_dir: PathBuf,
    /// The repository to link to [default: the remote `origin` of the games' repository]
    #[arg(long, value_name = "OWNER/NAME|URL")]
    repository: Option<String>,
    /// The address of the site, for its feed and sitemap [default: https://OWNER.github.io/NAME/]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// How many games to analyze this time, newest first; the rest follow next time
    #[arg(long, value_name = "GAMES", default_value_t = 4)]
    evaluate: usize,
}

/// Builds the site and prints a summary.
///
/// # Errors
/// Returns an error if there are no records, `out` holds other files, or a file can't be written.
pub(super) fn site(args: SiteArgs) -> Result<()> {
    let SiteArgs { out, state_dir, repository, url, evaluate } = args;
    let remote = match &repository {
        Some(name) => Some(parse_repository(name)?),
        None => state_dir.canonicalize().ok().and_then(|dir| WorkTree::open(&dir).ok()?.remote()),
    };
    let remote = remote.map(|remote: Remote| [remote.server, remote.repository]);
    let use_form = has_link_form(&state_dir);
    let site = Site { previews: png_renderer().is_some(), use_form, ..site_info(remote, url)? };
    let report = build_with_progress(&SiteOptions { site, state_dir, out, max_evaluations: evaluate })?;
    for (path, why) in report.damaged.iter().take(MAX_NAMED) {
        let why = shortened(why);
        print_note(&escape(&format!("{}: DAMAGED, so it was left out: {why}", path.display())));
    }
    if let Some(more) = unnamed_phrase(&report) {
        print_note(&more);
    }
    print_line(&summary(&report));
    Ok(())
}

/// Builds the site if the input `site` names a directory; otherwise returns `None`.
pub(super) fn build_if_requested() -> Option<Result<()>> {
    let out = PathBuf::from(input("SITE")?);
    Some(build_in_workflow(out).inspect_err(|error| report::annotate("error", &format!("{error:#}"))))
}

fn build_in_workflow(out: PathBuf) -> Result<()> {
    let server = variable("GITHUB_SERVER_URL").unwrap_or_else(|| "https://github.com".to_owned());
    let repository = variable("GITHUB_REPOSITORY").map(|name| [server.trim_end_matches('/').to_owned(), name]);
    let state_dir = PathBuf::from(crate::environment::state_dir()?);
    if !state_dir.is_dir() {
        bail!(
            "there is no directory {}: check out the repository before this step, and set the input `state-dir` to \
             the directory of its games",
            state_dir.display()
        );
    }
    let use_form = has_link_form(&state_dir);
    let site = Site { previews: png_renderer().is_some(), use_form, ..site_info(repository, input("SITE_URL"))? };
    let report = build_with_progress(&SiteOptions { site, state_dir, out, max_evaluations: GAMES_PER_WORKFLOW_RUN })?;
    for (path, why) in report.damaged.iter().take(MAX_NAMED) {
        let why = shortened(why);
        let sentence = format!("{} is damaged, so it was left out of the site: {why}", path.display());
        report::annotate("warning", &escape(&sentence));
    }
    if let Some(more) = unnamed_phrase(&report) {
        report::annotate("warning", &more);
    }
    print_line(&summary(&report));
    Ok(())
}

/// Returns the name and the URL of the site. The default URL is the one of GitHub Pages.
fn site_info(repository: Option<[String; 2]>, url: Option<String>) -> Result<Site> {
    let default_url = || {
        let [_, name] = repository.as_ref().filter(|[server, _]| server == "https://github.com")?;
        pages_url(name)
    };
    let url = match url {
        Some(url) => Some(parse_site_url(&url)?),
        None => default_url(),
    };
    let name = repository.as_ref().map_or("Play by Commit", |[_, name]| name).to_owned();
    Ok(Site { name, repository, url, previews: false, use_form: false })
}

/// Whether the repository of the games has the issue form for links, which `init --only-labels` writes.
fn has_link_form(state_dir: &Path) -> bool {
    let tree = state_dir.canonicalize().ok().and_then(|dir| WorkTree::open(&dir).ok());
    tree.is_some_and(|tree| tree.read(LINK_FORM_PATH).text().is_some())
}

/// Builds the site, and prints progress if there are many games.
fn build_with_progress(options: &SiteOptions) -> Result<SiteReport> {
    let done = AtomicUsize::new(0);
    let progress = |all: usize| {
        let now = done.fetch_add(1, Ordering::Relaxed) + 1;
        if all >= PROGRESS_THRESHOLD && now.is_multiple_of(all.div_ceil(10)) {
            print_note(&format!("{now} of {all} games"));
        }
    };
    build(options, png_renderer(), &progress)
}

/// Returns the beginning of a long reason. Some quote a whole history.
fn shortened(why: &str) -> String {
    match why.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}… To read it all, run `play-by-commit verify`.", &why[..end]),
        None => why.to_owned(),
    }
}

/// Returns a sentence about the damaged records beyond the first [`MAX_NAMED`], if there are any.
fn unnamed_phrase(report: &SiteReport) -> Option<String> {
    let more = report.damaged.len().saturating_sub(MAX_NAMED);
    if more == 0 { None } else { Some(format!("and {more} more damaged games were left out")) }
}

fn summary(report: &SiteReport) -> String {
    let SiteReport { games, damaged, evaluated, unevaluated, files, written, removed } = report;
    let damaged = match damaged.len() {
        0 => String::new(),
        1 => " One damaged game was left out.".to_owned(),
        count => format!(" {count} damaged games were left out."),
    };
    let unevaluated = match unevaluated {
        0 => String::new(),
        count => format!("; {count} more follow next time (`--evaluate {count}` does them all now)"),
    };
    let count_phrase = |count: usize| if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    let (games, evaluated) = (count_phrase(*games), count_phrase(*evaluated));
    format!(
        "{games} in {files} files: {written} new or changed, {removed} removed.{damaged} The computer analyzed \
         {evaluated}{unevaluated}."
    )
}
