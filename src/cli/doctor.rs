//! `play-by-commit doctor`: shows the findings of the doctor, and fails if something has to be changed.

use std::path::Path;

use anyhow::{Result, anyhow, bail};

use crate::cli::report;
use crate::host::doctor::findings::{Findings, Grade};
use crate::host::doctor::online::Visit;
use crate::host::doctor::{offline, online};

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

/// Examines a repository on GitHub, with the token of the person who asks.
///
/// # Errors
/// GitHub cannot be asked, or something has to be changed.
pub async fn examine_repository(repository: String) -> Result<()> {
    let visit = Visit::to_repository(repository)?;
    let mut findings = Findings::default();
    let examined = online::examine(visit, &mut findings).await;
    show(&findings);
    examined.map_err(|fault| anyhow!("{fault}"))?;
    check(&findings)
}

/// Examines the repository of a workflow that was started for this by hand. The findings go into the log and the summary, and
/// those that have to be changed onto the page of the run as well.
///
/// # Errors
/// As [`examine_repository`].
pub async fn examine_in_workflow() -> Result<()> {
    let visit = Visit::in_workflow()?;
    let mut findings = Findings::default();
    let examined = online::examine(visit, &mut findings).await;
    show(&findings);
    for sentence in findings.of(Grade::Change) {
        report::print_annotation("error", sentence);
    }
    report::append(report::SUMMARY, &summary(&findings));
    examined.map_err(|fault| anyhow!("{fault}"))?;
    // The page of the run has each of them already.
    check(&findings)
}

/// Fails if something has to be changed.
fn check(findings: &Findings) -> Result<()> {
    match findings.of(Grade::Change).count() {
        0 => Ok(()),
        1 => bail!("one thing has to be changed"),
        count => bail!("{count} things have to be changed"),
    }
}

/// What is most urgent comes last, where it is seen in a terminal. The grade stands before each sentence, so that no line
/// begins with what a file says.
#[allow(clippy::print_stdout)]
fn show(findings: &Findings) {
    for grade in [Grade::Good, Grade::Unseen, Grade::Better, Grade::Change] {
        for sentence in findings.of(grade) {
            println!("{}: {sentence}", grade.words());
        }
    }
    println!("\n{}", findings.sum());
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
