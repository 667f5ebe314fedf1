//! `play-by-commit doctor --probe`: prints the report of the probe, and fails if anything isn't as expected.

use anyhow::{Result, bail};
use setup::probe::probe;
use setup::probe::session::{ProbeTarget, TimeLimits};

use crate::environment;
use crate::host_error::host_error;
use crate::print::print_line;
use crate::report;

/// Probes a repository on GitHub.
///
/// `None` means the repository of the current workflow run. In a workflow, the report also goes into the summary.
///
/// # Errors
/// Returns an error if the tests couldn't start, or if a result isn't as expected.
pub async fn probe_online(repository: Option<String>) -> Result<()> {
    let in_workflow = repository.is_none();
    let (settings, config) = environment::command_settings(repository.as_deref())?;
    let report =
        probe(ProbeTarget::new(settings, config), TimeLimits::default()).await.map_err(|fault| host_error(&fault))?;
    let text = report.to_markdown();
    print_line(text.trim_end());
    if in_workflow {
        report::append(report::SUMMARY, &text);
    }
    match report.counts() {
        [_, 0, 0] => Ok(()),
        [_, different, not_tried] => bail!(
            "GitHub didn't behave as expected: {different} different, {not_tried} not tried. The summary explains what \
             that means"
        ),
    }
}
