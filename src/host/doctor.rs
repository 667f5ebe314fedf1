//! `play-by-commit doctor`: looks whether a repository is set up so that games can be played, and says in plain sentences
//! what is good, what has to be changed, and what could not be seen. It changes nothing.
//!
//! What is in files is judged in the same way wherever the files are: in a work tree, or on GitHub through one commit. What
//! only GitHub knows is asked for there. What cannot be known is said to be unknown, never guessed.

mod files;
mod findings;
mod online;
mod workflow;

use std::path::Path;

use anyhow::{Result, anyhow, bail};

use crate::cli::report;
use crate::host::doctor::files::Texts;
use crate::host::doctor::online::Visit;
use crate::host::inputs::{self, DryRunOptions};
use crate::host::templates::{is_enterprise_server, name_of};
use crate::host::work_tree::WorkTree;

pub use crate::host::doctor::findings::{Finding, Findings, Grade};

/// Looks at a work tree.
///
/// # Errors
/// There is none, or something has to be changed.
pub fn local(dir: &Path) -> Result<()> {
    let tree = WorkTree::open(dir)?;
    let mut findings = Findings::default();
    look_at(&tree, &mut findings);
    show(&findings);
    judged(&findings)
}

/// Asks GitHub about a repository, with the token of whoever asks.
///
/// # Errors
/// GitHub cannot be asked, or something has to be changed.
pub async fn online(repository: String) -> Result<()> {
    let aside = DryRunOptions { repository: Some(repository), ..DryRunOptions::default() };
    let (settings, place) = inputs::settings(Some(&aside))?;
    let enterprise = place.web.as_ref().is_some_and(|web| is_enterprise_server(name_of(&web.server)));
    let visit = Visit { settings, known: false, pages: Vec::new(), enterprise };
    let mut findings = Findings::default();
    let looked = online::look(visit, &mut findings).await;
    show(&findings);
    looked.map_err(|fault| anyhow!("{fault}"))?;
    judged(&findings)
}

/// Asks GitHub in a run of the workflow that was started for this by hand. What is found goes into the log and the summary,
/// and what has to be changed onto the page of the run as well.
///
/// # Errors
/// As [`online()`].
#[allow(clippy::print_stdout)]
pub async fn in_workflow() -> Result<()> {
    let (settings, place) = inputs::settings(None)?;
    let enterprise = place.web.as_ref().is_some_and(|web| is_enterprise_server(name_of(&web.server)));
    let visit = Visit { settings, known: true, pages: place.pages, enterprise };
    let mut findings = Findings::default();
    let looked = online::look(visit, &mut findings).await;
    show(&findings);
    for sentence in findings.of(Grade::Change) {
        report::mark("error", sentence);
    }
    report::append(report::SUMMARY, &summary(&findings));
    looked.map_err(|fault| anyhow!("{fault}"))?;
    // The page of the run has each of them already.
    judged(&findings)
}

fn look_at(tree: &WorkTree, findings: &mut Findings) {
    let texts = |paths: &[String]| paths.iter().map(|path| (path.clone(), tree.read(path))).collect::<Texts>();
    let remote = tree.remote();
    let enterprise = remote.as_ref().is_some_and(|remote| is_enterprise_server(&remote.host));
    let mut all = tree.list(".github/workflows");
    all.extend(tree.list(".github/ISSUE_TEMPLATE"));
    all.push(("action.yml".to_owned(), 0));
    let names = |all: &[(String, u64)]| all.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let paths = files::of_setup(names(&all).iter().map(String::as_str));
    let inputs = files::setup(&texts(&paths), enterprise, findings);
    match (&inputs.branch, tree.branch()) {
        (Some(wanted), Some(here)) if *wanted == here => {}
        (Some(wanted), _) => {
            files::elsewhere(&texts(&inputs.pages), &inputs, findings);
            return findings.unseen(format!(
                "The games are on the branch `{wanted}`, which is not checked out here, so the records, the standings \
                 and the pages were not read. Call it in a work tree of that branch."
            ));
        }
        (None, _) => {}
    }
    let all = names(&tree.list(&inputs.state_dir));
    let paths = files::of_games(all.iter().map(String::as_str), &inputs);
    files::games(&texts(&paths), &inputs, true, findings);
    findings.unseen(
        "What only GitHub knows was not asked for: `play-by-commit doctor --online OWNER/NAME` with a token in \
         GITHUB_TOKEN does, and so does the workflow when it is started by hand with `doctor`.",
    );
}

fn judged(findings: &Findings) -> Result<()> {
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
