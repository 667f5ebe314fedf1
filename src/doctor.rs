//! `play-by-commit doctor`: shows the findings of the doctor, and fails if something has to be changed.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use setup::doctor::findings::{Findings, Grade};
use setup::doctor::online::OnlineCheck;
use setup::doctor::{offline, online};

use crate::environment::{self, DryRunOptions};
use crate::print::print_line;
use crate::report;

/// Examines a work tree.
///
/// # Errors
/// There is none, or something has to be changed.
pub fn examine_work_tree(dir: &Path) -> Result<()> {
    let mut findings = Findings::default();
    offline::examine(dir, &mut findings)?;
    print_findings(&findings);
    fail_on_errors(&findings)
}

/// Examines a repository on GitHub with the token of the person who asks; `None` is that of the workflow that was started for
/// this by hand. There the findings go into the summary, too, and those that have to be changed onto the page of the run.
///
/// # Errors
/// GitHub cannot be asked, or something has to be changed.
pub async fn examine_online(repository: Option<String>) -> Result<()> {
    let in_workflow = repository.is_none();
    let options = repository.map(DryRunOptions::for_repository);
    let (settings, place) = environment::read_settings(options.as_ref())?;
    let mut findings = Findings::default();
    let examined = online::examine(OnlineCheck::new(settings, place, in_workflow), &mut findings).await;
    if !findings.all.is_empty() {
        print_findings(&findings);
    }
    if in_workflow && !findings.all.is_empty() {
        findings.sentences(Grade::Error).for_each(|sentence| report::print_annotation("error", sentence));
        report::append(report::SUMMARY, &summary(&findings));
    }
    examined.map_err(|fault| anyhow!("{fault}"))?;
    fail_on_errors(&findings)
}

/// Fails if something has to be changed.
fn fail_on_errors(findings: &Findings) -> Result<()> {
    match findings.sentences(Grade::Error).count() {
        0 => Ok(()),
        1 => bail!("1 problem found"),
        count => bail!("{count} problems found"),
    }
}

/// Prints the findings, the most urgent last, where they are seen in a terminal. The grade stands before each sentence, so that no line
/// begins with what a file says.
fn print_findings(findings: &Findings) {
    for grade in [Grade::Ok, Grade::Skipped, Grade::Warning, Grade::Error] {
        for sentence in findings.sentences(grade) {
            print_line(&format!("{}: {sentence}", grade.label()));
        }
    }
    print_line(&format!("\n{}", findings.summary()));
}

/// Returns the findings as Markdown for the summary of the run, the most urgent first.
fn summary(findings: &Findings) -> String {
    let mut text = format!("### Play by Commit: doctor\n\n{}\n", findings.summary());
    for grade in [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Ok] {
        for sentence in findings.sentences(grade) {
            let plain: String = sentence.chars().filter(|c| !matches!(c, '<' | '>' | '@')).collect();
            text.push_str(&format!("\n- **{}:** {plain}", grade.label()));
        }
    }
    text.push_str("\n\n");
    text
}
