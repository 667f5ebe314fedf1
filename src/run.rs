//! `play-by-commit run`: a step of a workflow. Reads the runner's environment and the event file, settles, and tells the host.

use std::fs;
use std::io::Read;

use anyhow::{Context, Result, anyhow, bail};
use github::GitHub;
use github::event::{self, MAX_EVENT_BYTES};
use protocol::ledger::{Ledger, Report};
use protocol::repo_config::{Trigger, WebRepo};
use protocol::settle::settle_with_ledger;
use tracing::info;

use crate::dry_run::print_dry_run;
use crate::environment::{DryRunOptions, input, read_settings, required_variable, variable};
use crate::print::print_line;
use crate::{doctor, probe, report, site};

/// The outcome of a run, also of one that has failed.
#[derive(Default)]
struct RunOutcome {
    ledger: Ledger,
    /// The issue that has woken it; `None` for a sweep.
    issue: Option<u64>,
    web: Option<WebRepo>,
}

/// Runs the step. Faults that the host must see are annotated, put into the summary, and returned.
///
/// # Errors
/// A misconfiguration, a damaged record, or a forge that stays out of reach.
pub async fn run() -> Result<()> {
    if let Some(built) = site::build_if_requested() {
        return built;
    }
    if let Some(looked) = run_checks().await {
        return looked.inspect_err(|error| report::annotate("error", &format!("{error:#}")));
    }
    let mut outcome = RunOutcome::default();
    let ran = run_step(&mut outcome).await;
    report::write_outputs(&outcome.ledger, outcome.issue);
    report::write_summary(&outcome.ledger, outcome.web.as_ref());
    match &ran {
        Ok(Some(report)) => {
            for note in &report.notes {
                report::annotate("warning", note);
            }
            for failure in &report.failures {
                report::annotate("error", failure);
            }
            info!(?report, "done");
        }
        Ok(None) => {}
        Err(error) => report::annotate("error", &format!("{error:#}")),
    }
    match ran? {
        Some(report) if !report.failures.is_empty() => bail!("{}", report.failures.join("; ")),
        _ => Ok(()),
    }
}

/// Examines or probes the repository where a run was started by hand for that; `None` if it was not. With both inputs both are done.
async fn run_checks() -> Option<Result<()>> {
    let by_hand = variable("GITHUB_EVENT_NAME").as_deref() == Some("workflow_dispatch");
    let asked = |name| by_hand && input(name).as_deref() == Some("true");
    match (asked("DOCTOR"), asked("PROBE")) {
        (false, false) => None,
        (true, false) => Some(doctor::examine_online(None).await),
        (false, true) => Some(probe::probe_online(None).await),
        (true, true) => {
            let examined = doctor::examine_online(None).await;
            Some(examined.and(probe::probe_online(None).await))
        }
    }
}

/// Prints what [`run`] would do, and does nothing.
///
/// # Errors
/// As [`run`].
pub async fn dry_run(options: &DryRunOptions) -> Result<()> {
    let wake = match options.issue {
        Some(issue) => Trigger::Issue(issue),
        None => match read_trigger()? {
            Some(wake) => wake,
            None => {
                print_line("Nothing to do: games ignore this event.");
                return Ok(());
            }
        },
    };
    let (settings, place) = read_settings(Some(options))?;
    let forge = GitHub::new(settings).map_err(|fault| anyhow!("{fault}"))?;
    // The workflow's own token belongs to an account of this name; in a workflow it is the one that asks.
    let own = options.bot_login.as_deref().or(variable("GITHUB_ACTIONS").is_none().then_some("github-actions"));
    print_dry_run(&forge, &place, wake, own, print_line).await
}

async fn run_step(outcome: &mut RunOutcome) -> Result<Option<Report>> {
    let Some(wake) = read_trigger()? else { return Ok(None) };
    let (settings, place) = read_settings(None)?;
    outcome.web.clone_from(&place.web);
    outcome.issue = match wake {
        Trigger::Comment { source, .. } => Some(source.issue),
        Trigger::Issue(issue) => Some(issue),
        Trigger::Sweep => None,
    };
    let forge = GitHub::new(settings).map_err(|fault| anyhow!("{fault}"))?;
    settle_with_ledger(&forge, &place, wake, &mut outcome.ledger).await.map(Some)
}

/// Reads the event; `None` if it wakes nobody.
fn read_trigger() -> Result<Option<Trigger>> {
    let event_name = required_variable("GITHUB_EVENT_NAME")?;
    let payload = read_payload(&required_variable("GITHUB_EVENT_PATH")?)?;
    let wake = event::parse_event(&event_name, &payload).map_err(|why| anyhow!(why))?;
    Ok(wake.inspect_err(|asleep| info!(?asleep, "nothing to do")).ok())
}

fn read_payload(path: &str) -> Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path).with_context(|| "the event file named by GITHUB_EVENT_PATH can't be opened")?;
    file.take(MAX_EVENT_BYTES)
        .read_to_string(&mut text)
        .context("the event file named by GITHUB_EVENT_PATH can't be read")?;
    Ok(text)
}
