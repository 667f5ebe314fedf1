//! `play-by-commit doctor`: shows the findings of the doctor, and fails if something has to be changed.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use setup::doctor::findings::{Findings, Grade};
use setup::doctor::online::Visit;
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
    show(&findings);
    check(&findings)
}

/// Examines a repository on GitHub with the token of the person who asks; `None` is that of the workflow that was started for
/// this by hand. There the findings go into the summary, too, and those that have to be changed onto the page of the run.
///
/// # Errors
/// GitHub cannot be asked, or something has to be changed.
pub async fn examine_online(repository: Option<String>) -> Result<()> {
    let in_workflow = repository.is_none();
    let options = repository.map(DryRunOptions::of_repository);
    let (settings, place) = environment::settings(options.as_ref())?;
    let mut findings = Findings::default();
    let examined = online::examine(Visit::new(settings, place, in_workflow), &mut findings).await;
    if !findings.all.is_empty() {
        show(&findings);
    }
    if in_workflow && !findings.all.is_empty() {
        findings.of(Grade::Change).for_each(|sentence| report::print_annotation("error", sentence));
        report::append(report::SUMMARY, &summary(&findings));
    }
    examined.map_err(|fault| anyhow!("{fault}"))?;
    check(&findings)
}

/// Fails if something has to be changed.
fn check(findings: &Findings) -> Result<()> {
    match findings.of(Grade::Change).count() {
        0 => Ok(()),
        1 => bail!("1 problem found"),
        count => bail!("{count} problems found"),
    }
}

/// Prints the findings, the most urgent last, where they are seen in a terminal. The grade stands before each sentence, so that no line
/// begins with what a file says.
fn show(findings: &Findings) {
    for grade in [Grade::Good, Grade::Unseen, Grade::Better, Grade::Change] {
        for sentence in findings.of(grade) {
            print_line(&format!("{}: {sentence}", grade.words()));
        }
    }
    print_line(&format!("\n{}", findings.sum()));
}

/// Returns the findings as Markdown for the summary of the run, the most urgent first.
fn summary(findings: &Findings) -> String {
    let mut text = format!("### Play by Commit: doctor\n\n{}\n", findings.sum());
    for grade in [Grade::Change, Grade::Better, Grade::Unseen, Grade::Good] {
        for sentence in findings.of(grade) {
            let plain: String = sentence.chars().filter(|c| !matches!(c, '<' | '>' | '@')).collect();
            text.push_str(&format!("\n- **{}:** {plain}", grade.words()));
        }
    }
    text.push_str("\n\n");
    text
}
