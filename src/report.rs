//! The report of a run: annotations, the summary, and the outputs of the step, written with
//! [workflow commands](https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
//!
//! The report never contains the text of a comment.

use std::fs::OpenOptions;
use std::io::Write;

use protocol::ledger::{Ledger, TableWork};
use protocol::repo_config::WebRepo;
use table::ids::IssueNumber;
use tracing::info;

use crate::environment::variable;
use crate::print::print_line;

/// The variable that holds the path of the step's summary file.
pub(super) const SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The maximum length of an annotation, in characters.
const MAX_ANNOTATION: usize = 1_000;

/// Prints an annotation, which GitHub shows in the log and on the run's page.
pub(super) fn print_annotation(level: &str, sentence: &str) {
    print_line(&format!("::{level} title=Play by Commit::{}", escape(sentence)));
}

/// Reports a sentence as an annotation and in the summary.
pub(super) fn annotate(level: &str, sentence: &str) {
    print_annotation(level, sentence);
    let line: String = sentence.chars().filter(|c| !matches!(c, '<' | '>')).take(MAX_ANNOTATION).collect();
    append(SUMMARY, &format!("**Play by Commit, {level}:** {}\n\n", line.replace(['\r', '\n'], " ")));
}

/// Appends the summary of the run; writes nothing if there was nothing to do.
pub(super) fn write_summary(ledger: &Ledger, web: Option<&WebRepo>) {
    if let Some(table) = summary(ledger, web) {
        append(SUMMARY, &table);
    }
}

/// Writes the outputs of the step. `issue` is the issue that triggered the run.
pub(super) fn write_outputs(ledger: &Ledger, issue: Option<IssueNumber>) {
    let outputs = outputs(ledger, issue);
    append("GITHUB_OUTPUT", &outputs.iter().map(|(name, value)| output_line(name, value)).collect::<String>());
}

/// Returns the outputs of the step with their names. Every run sets all five.
pub fn outputs(ledger: &Ledger, issue: Option<IssueNumber>) -> [(&'static str, String); 5] {
    let (game, status) = issue
        .and_then(|issue| ledger.tables.get(&issue)?.game)
        .map_or(("", ""), |(game, status)| (game.kind.info().name, status));
    let report = ledger.report();
    [
        ("game", game.to_owned()),
        ("status", status.to_owned()),
        ("applied", report.applied.to_string()),
        ("refused", report.refused.to_string()),
        ("commit", ledger.commit.as_ref().map_or(String::new(), ToString::to_string)),
    ]
}

/// Formats an output as `name=value`. A value of several lines goes between two delimiter lines that it doesn't contain.
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

/// Returns the summary as a Markdown table with a row for each game table; `None` if there was nothing to do.
pub fn summary(ledger: &Ledger, web: Option<&WebRepo>) -> Option<String> {
    // Link only if the URL has no character that could end the link.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_');
    let base = web.map(|web| format!("{}/{}", web.server, web.repository)).filter(|base| base.chars().all(is_plain));
    let link = |text: String, path: String| match &base {
        Some(base) => format!("[{text}]({base}/{path})"),
        None => text,
    };
    let rows: String = ledger
        .tables
        .iter()
        .filter_map(|(issue, entry)| {
            let work = work_phrase(entry)?;
            let table = link(format!("#{issue}"), format!("issues/{issue}"));
            let (game, status) = entry.game.map_or(("no table", ""), |(game, status)| (game.title(), status));
            let commit = entry.commit.as_ref().map_or(String::new(), |commit| {
                let short: String = commit.as_str().chars().take(7).collect();
                link(format!("`{short}`"), format!("commit/{commit}"))
            });
            Some(format!("| {table} | {game} | {status} | {work} | {commit} |\n"))
        })
        .collect();
    let header =
        "### Play by Commit\n\n| Table | Game | Status | Commands | Last commit |\n| --- | --- | --- | --- | --- |\n";
    if rows.is_empty() { None } else { Some(format!("{header}{rows}\n")) }
}

/// Returns the work at a table, such as `2 applied, 1 refused`; `None` if there was none.
fn work_phrase(entry: &TableWork) -> Option<String> {
    let TableWork { applied, refused, shown, repaired, .. } = entry;
    let counts = [(applied, "applied"), (refused, "refused"), (shown, "shown"), (repaired, "answered late")];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| **count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if counts.is_empty() { None } else { Some(counts.join(", ")) }
}

/// Appends to the file whose path is in a variable of the runner, if it is set. Only logs an error.
pub(super) fn append(name: &str, text: &str) {
    let Some(path) = variable(name) else { return };
    let result =
        OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = result {
        let what = if name == "GITHUB_OUTPUT" { "outputs" } else { "summary" };
        info!("the {what} of the step could not be written: {error}");
    }
}

/// Escapes text so that it can't end a workflow command or begin one.
fn escape(text: &str) -> String {
    let text: String = text.chars().take(MAX_ANNOTATION).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
