//! The report to the host and to the steps that follow: annotations, a summary of the run, and the outputs of the step, by
//! [workflow commands](https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
//!
//! Nothing here comes from a comment: names of games, words of the record, numbers, commit ids, and sentences for the host.

use std::fs::OpenOptions;
use std::io::Write;

use protocol::ledger::{Ledger, TableWork};
use protocol::repo_config::WebRepo;
use tracing::info;

use crate::environment::variable;
use crate::print::print_line;

/// The variable that names the file of the step's summary.
pub(super) const SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The length limit of an annotation, in characters.
const MAX_ANNOTATION: usize = 1_000;

/// Prints an annotation, which GitHub shows in the log and on the page of the run.
pub(super) fn print_annotation(level: &str, sentence: &str) {
    print_line(&format!("::{level} title=Play by Commit::{}", escape(sentence)));
}

/// Shows a sentence as an annotation and in the summary of the run.
pub(super) fn annotate(level: &str, sentence: &str) {
    print_annotation(level, sentence);
    let line: String = sentence.chars().filter(|c| !matches!(c, '<' | '>')).take(MAX_ANNOTATION).collect();
    append(SUMMARY, &format!("**Play by Commit, {level}:** {}\n\n", line.replace(['\r', '\n'], " ")));
}

/// Writes the summary of the run, table by table. A run that had nothing to do leaves the summary as it is.
pub(super) fn write_summary(ledger: &Ledger, web: Option<&WebRepo>) {
    if let Some(table) = summary(ledger, web) {
        append(SUMMARY, &table);
    }
}

/// Writes the outputs of the step; `issue` is the one that has woken the run.
pub(super) fn write_outputs(ledger: &Ledger, issue: Option<u64>) {
    let outputs = outputs(ledger, issue);
    append("GITHUB_OUTPUT", &outputs.iter().map(|(name, value)| output_line(name, value)).collect::<String>());
}

/// Returns the outputs by name. All of them are always there, so that no step that reads one finds nothing.
pub fn outputs(ledger: &Ledger, issue: Option<u64>) -> [(&'static str, String); 5] {
    let (game, status) = issue
        .and_then(|issue| ledger.tables.get(&issue)?.game)
        .map_or(("", ""), |(game, status)| (game.info().name, status));
    let report = ledger.report();
    [
        ("game", game.to_owned()),
        ("status", status.to_owned()),
        ("applied", report.applied.to_string()),
        ("refused", report.refused.to_string()),
        ("commit", ledger.commit.as_ref().map_or(String::new(), ToString::to_string)),
    ]
}

/// Returns a line of the outputs file or, where the value has several, the value between two lines that are not in it.
pub fn output_line(name: &str, value: &str) -> String {
    if !value.contains(['\r', '\n']) {
        return format!("{name}={value}\n");
    }
    let mut end = "END".to_owned();
    while value.contains(&end) {
        end.push('+');
    }
    format!("{name}<<{end}\n{value}\n{end}\n")
}

/// Returns the work of the run as a table of Markdown, a row a table; `None` if there was none.
pub fn summary(ledger: &Ledger, web: Option<&WebRepo>) -> Option<String> {
    // Addresses are linked only where nothing in them could end the link.
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_');
    let base = web.map(|web| format!("{}/{}", web.server, web.repository)).filter(|base| base.chars().all(plain));
    let link = |text: String, path: String| match &base {
        Some(base) => format!("[{text}]({base}/{path})"),
        None => text,
    };
    let rows: String = ledger
        .tables
        .iter()
        .filter_map(|(issue, entry)| {
            let done = work_phrase(entry)?;
            let table = link(format!("#{issue}"), format!("issues/{issue}"));
            let (game, status) = entry.game.map_or(("no table", ""), |(game, status)| (game.info().title, status));
            let commit = entry.commit.as_ref().map_or(String::new(), |commit| {
                let short: String = commit.as_str().chars().take(7).collect();
                link(format!("`{short}`"), format!("commit/{commit}"))
            });
            Some(format!("| {table} | {game} | {status} | {done} | {commit} |\n"))
        })
        .collect();
    let head =
        "### Play by Commit\n\n| Table | Game | Status | Commands | Last commit |\n| --- | --- | --- | --- | --- |\n";
    (!rows.is_empty()).then(|| format!("{head}{rows}\n"))
}

/// Returns the work at a table: "2 applied, 1 refused"; `None` if there was none.
fn work_phrase(entry: &TableWork) -> Option<String> {
    let TableWork { applied, refused, shown, repaired, .. } = entry;
    let counts = [(applied, "applied"), (refused, "refused"), (shown, "shown"), (repaired, "answered late")];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| **count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// Appends to the file that a variable of the runner names, if it names one. A game does not fail because of it.
pub(super) fn append(name: &str, text: &str) {
    let Some(path) = variable(name) else { return };
    let written =
        OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        let what = if name == "GITHUB_OUTPUT" { "outputs" } else { "summary" };
        info!("the {what} of the step could not be written: {error}");
    }
}

/// Escapes text so that it can neither end a workflow command nor begin one.
fn escape(text: &str) -> String {
    let text: String = text.chars().take(MAX_ANNOTATION).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
