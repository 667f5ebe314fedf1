//! `play-by-commit doctor`: prints the findings, and fails if there is an error among them.

use std::path::Path;

use anyhow::{Result, bail};
use setup::doctor::{offline, online};
use setup::{Findings, Grade, OnlineCheck};
use terminal::print::print_line;

use crate::environment;
use crate::host_error::host_error;
use crate::report;

/// Checks a work tree.
///
/// # Errors
/// Returns an error if `dir` isn't in a work tree, or if something has to change.
pub fn examine_work_tree(dir: &Path) -> Result<()> {
    let mut findings = Findings::default();
    offline::examine(dir, &mut findings)?;
    print_findings(&findings);
    fail_on_errors(&findings)
}

/// Checks a repository on GitHub.
///
/// `None` means the repository of the current workflow run. In a workflow, the findings also go into the summary, and errors
/// become annotations.
///
/// # Errors
/// Returns an error if GitHub can't be reached, or if something has to change.
pub async fn examine_online(repository: Option<String>) -> Result<()> {
    let in_workflow = repository.is_none();
    let (settings, config) = environment::command_settings(repository.as_deref())?;
    let mut findings = Findings::default();
    let result = online::examine(OnlineCheck { settings, config, in_workflow }, &mut findings).await;
    if !findings.is_empty() {
        print_findings(&findings);
        if in_workflow {
            findings.sentences(Grade::Error).for_each(|sentence| report::print_annotation("error", &sentence));
            report::append(report::SUMMARY, &summary(&findings));
        }
    }
    result.map_err(|error| host_error(&error))?;
    fail_on_errors(&findings)
}

/// Returns an error with the number of errors among the findings, if there are any.
fn fail_on_errors(findings: &Findings) -> Result<()> {
    match findings.sentences(Grade::Error).count() {
        0 => Ok(()),
        1 => bail!("1 problem found"),
        count => bail!("{count} problems found"),
    }
}

/// Prints the findings, the most urgent last, where people see them first in a terminal.
///
/// Each line begins with the grade, never with text from a file, so the runner can't take it for a workflow command.
fn print_findings(findings: &Findings) {
    for grade in [Grade::Good, Grade::Skipped, Grade::Warning, Grade::Error] {
        for sentence in findings.sentences(grade) {
            print_line(&format!("{}: {sentence}", grade.label()));
        }
    }
    print_line(&format!("\n{}", findings.summary()));
}

/// Formats the findings as Markdown for the summary of the run, the most urgent first.
fn summary(findings: &Findings) -> String {
    let mut text = format!("### Play by Commit: doctor\n\n{}\n", findings.summary());
    for grade in [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Good] {
        for sentence in findings.sentences(grade) {
            text.push_str(&format!("\n- **{}:** {}", grade.label(), report::markdown_line(&sentence)));
        }
    }
    text.push_str("\n\n");
    text
}
