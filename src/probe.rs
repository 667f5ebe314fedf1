//! `play-by-commit doctor --probe`: shows what a probe has seen, and fails if anything is not as expected.

use anyhow::{Result, anyhow, bail};
use setup::probe::probe;
use setup::probe::session::{ProbeTarget, TimeLimits};

use crate::environment::{self, DryRunOptions};
use crate::print::print_line;
use crate::report;

/// Probes a repository with the token of the person who asks; `None` is that of the workflow that was started for this by hand, where
/// the report goes into the summary, too.
///
/// # Errors
/// Nothing could be tried, or something is not as expected.
pub async fn probe_online(repository: Option<String>) -> Result<()> {
    let in_workflow = repository.is_none();
    let options = repository.map(DryRunOptions::for_repository);
    let (settings, place) = environment::read_settings(options.as_ref())?;
    let report =
        probe(ProbeTarget::new(settings, place), TimeLimits::default()).await.map_err(|fault| anyhow!("{fault}"))?;
    let text = report.to_markdown();
    print_line(text.trim_end());
    if in_workflow {
        report::append(report::SUMMARY, &text);
    }
    match report.counts() {
        [_, 0, 0] => Ok(()),
        [_, differ, untried] => bail!(
            "GitHub didn't behave as expected: {differ} different, {untried} not tried. The summary explains what \
             that means"
        ),
    }
}
