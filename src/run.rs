//! `play-by-commit run`: the GitHub Actions step. It reads the environment and the event file, settles the pending commands, and
//! reports to the host.

use std::fs;
use std::io::Read;

use anyhow::{Context, Result, bail};
use github::event::MAX_EVENT_BYTES;
use github::{GitHub, IgnoredEvent, ParsedEvent, event};
use protocol::{
    Forge, Ledger, Presence, RepoConfig, Report, Trigger, WebRepo, note_texts, settle_with_settings, with_settings,
};
use setup::{WorkflowInputs, read_workflow_inputs};
use table::{CommentRef, IssueNumber};
use terminal::print::print_line;
use tracing::info;

use crate::dry_run::print_dry_run;
use crate::environment::{
    DryRunOptions, RunSettings, input, named_settings, required_variable, variable, workflow_settings,
};
use crate::host_error::{host_error, run_error};
use crate::{doctor, report, site};

/// The work done by a run, including one that failed.
#[derive(Default)]
struct RunOutcome {
    ledger: Ledger,
    /// The issue that triggered the run; `None` for a sweep.
    issue: Option<IssueNumber>,
    web: Option<WebRepo>,
}

/// Runs the step, and shows every error to the host as an annotation and in the summary.
///
/// # Errors
/// Returns an error if the configuration is invalid, a record is damaged, or GitHub can't be reached.
pub async fn run() -> Result<()> {
    if let Some(result) = site::build_if_requested() {
        return result;
    }
    if is_doctor_requested() {
        return doctor::examine_online(None)
            .await
            .inspect_err(|error| report::annotate("error", &format!("{error:#}")));
    }
    let mut outcome = RunOutcome::default();
    let result = run_step(&mut outcome).await;
    report::write_outputs(&outcome.ledger, outcome.issue, outcome.web.as_ref());
    report::write_summary(&outcome.ledger, outcome.web.as_ref());
    match &result {
        Ok(Some(report)) => {
            for note in note_texts(&report.notes) {
                report::annotate("warning", &note);
            }
            for failure in note_texts(&report.failures) {
                report::annotate("error", &failure);
            }
            info!("{}", report::done_sentence(report));
        }
        Ok(None) => {}
        Err(error) => report::annotate("error", &format!("{error:#}")),
    }
    match result? {
        Some(report) if !report.failures.is_empty() => {
            bail!("{}", note_texts(&report.failures).join("; "))
        }
        _ => Ok(()),
    }
}

/// Whether someone started the workflow by hand with the input `doctor`.
fn is_doctor_requested() -> bool {
    let by_hand = variable("GITHUB_EVENT_NAME").as_deref() == Some("workflow_dispatch");
    by_hand && input("DOCTOR").as_deref() == Some("true")
}

/// Prints what [`run`] would do next, without writing anything.
///
/// # Errors
/// Returns an error in the same cases as [`run`].
pub async fn dry_run(options: &DryRunOptions) -> Result<()> {
    let trigger = match options.issue {
        Some(issue) => Some(Trigger::Issue(issue)),
        None => read_trigger()?,
    };
    let Some(trigger) = trigger else {
        print_line("Nothing to do: games ignore this event.");
        return Ok(());
    };
    let inputs = match &options.repository {
        Some(repository) => inputs_of_workflow(repository).await?,
        None => WorkflowInputs::default(),
    };
    let input = |name: &str| input(name).or_else(|| inputs.get(name));
    let (settings, config) = match &options.repository {
        Some(repository) => named_settings(repository, input)?,
        None => workflow_settings()?,
    };
    let name = format!("{}/{}", settings.owner, settings.name);
    let forge = GitHub::new(settings.clone()).map_err(|error| host_error(&error))?;
    if let Some(issue) = options.issue
        && forge.find(CommentRef::body_of(issue)).await.map_err(|error| host_error(&error))? == Presence::Absent
    {
        bail!("{name} has no issue {issue}. It may be a pull request, deleted, or in another repository");
    }
    let bot_login = match &options.bot_login {
        Some(login) => Some(login.as_str()),
        // Outside a workflow, the token is a person's, but the bot runs as the account of the workflow's token.
        None if variable("GITHUB_ACTIONS").is_none() => Some("github-actions"),
        None => None,
    };
    let run = RunSettings::new((settings, config), input);
    let dry_run = async |forge: &dyn Forge, config: &RepoConfig, ledger: &mut Ledger| {
        print_dry_run(forge, config, trigger, bot_login, ledger, print_line).await
    };
    let ledger = &mut Ledger::default();
    let ended = with_settings(|file| run.config(file), |config| run.forge(config), &mut None, ledger, dry_run).await;
    ended.map_err(|error| run_error(&error, ledger))?
}

/// Reads the inputs that a repository's workflow has on the default branch, and prints notes about them.
async fn inputs_of_workflow(repository: &str) -> Result<WorkflowInputs> {
    let (settings, _) = named_settings(repository, |_| None)?;
    let github = GitHub::new(settings).map_err(|error| host_error(&error))?;
    let inputs = read_workflow_inputs(&github).await.map_err(|error| host_error(&error))?;
    for note in &inputs.notes {
        print_line(&format!("Note: {note}.\n"));
    }
    Ok(inputs)
}

async fn run_step(outcome: &mut RunOutcome) -> Result<Option<Report>> {
    let Some(trigger) = read_trigger()? else { return Ok(None) };
    let (settings, config) = workflow_settings()?;
    outcome.web.clone_from(&config.web);
    outcome.issue = match trigger {
        Trigger::Comment { source, .. } => Some(source.issue),
        Trigger::Issue(issue) | Trigger::Votes(issue) => Some(issue),
        Trigger::Recent(_) | Trigger::Sweep => None,
    };
    let run = RunSettings::new((settings, config), input);
    let ledger = &mut outcome.ledger;
    let settled =
        settle_with_settings(|file| run.config(file), |config| run.forge(config), &mut None, trigger, ledger).await;
    settled.map(Some).map_err(|error| run_error(&error, &outcome.ledger))
}

/// Reads the event file; returns `None` if games ignore this event.
fn read_trigger() -> Result<Option<Trigger>> {
    let event_name = required_variable("GITHUB_EVENT_NAME")?;
    let payload = read_payload(&required_variable("GITHUB_EVENT_PATH")?)?;
    match event::parse_event(&event_name, &payload)? {
        ParsedEvent::Run(trigger) => Ok(Some(trigger)),
        ParsedEvent::Ignore(reason) => {
            let subject = match reason {
                IgnoredEvent::Bot => "what bots write",
                IgnoredEvent::PullRequest => "pull requests",
                IgnoredEvent::Action => "edits and deletions",
            };
            info!("Nothing to do: games ignore {subject}.");
            Ok(None)
        }
    }
}

fn read_payload(path: &str) -> Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path).with_context(|| "the event file named by GITHUB_EVENT_PATH can't be opened")?;
    file.take(MAX_EVENT_BYTES)
        .read_to_string(&mut text)
        .context("the event file named by GITHUB_EVENT_PATH can't be read")?;
    Ok(text)
}
