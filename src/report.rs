//! The report of a run: annotations, the summary, and the outputs of the step, written with
//! [workflow commands](https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
//!
//! The report never contains the text of a comment.

use std::fs::OpenOptions;
use std::io::Write;

use answers::GameEnd;
use protocol::{Ledger, Report, TableWork, WebRepo};
use table::IssueNumber;
use terminal::print::print_line;
use tracing::info;

use crate::environment::variable;

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
    let line: String = sentence.chars().take(MAX_ANNOTATION).collect();
    append(SUMMARY, &format!("**Play by Commit, {level}:** {}\n\n", markdown_line(&line)));
}

/// Returns a sentence as a line of Markdown: `<` begins no tag, and `@` mentions nobody. Code spans stay as they are.
pub fn markdown_line(sentence: &str) -> String {
    let parts: Vec<&str> = sentence.split('`').collect();
    // With an odd number of backticks, the last one doesn't open a code span.
    let has_code = parts.len() % 2 == 1;
    let show = |(index, part): (usize, &&str)| {
        if has_code && index % 2 == 1 {
            return (*part).to_owned();
        }
        part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "&#64;")
    };
    parts.iter().enumerate().map(show).collect::<Vec<_>>().join("`").replace(['\r', '\n'], " ")
}

/// Appends the summary of the run; writes nothing if there was nothing to do.
pub(super) fn write_summary(ledger: &Ledger, web: Option<&WebRepo>) {
    if let Some(table) = summary(ledger, web) {
        append(SUMMARY, &table);
    }
}

/// Writes the outputs of the step. `issue` is the issue that triggered the run.
pub(super) fn write_outputs(ledger: &Ledger, issue: Option<IssueNumber>, web: Option<&WebRepo>) {
    let outputs = outputs(ledger, issue, web);
    append("GITHUB_OUTPUT", &outputs.iter().map(|(name, value)| output_line(name, value)).collect::<String>());
}

/// Returns the outputs of the step with their names. Every run sets all nine.
///
/// The last four have a line for each game that ended. If none did, they are about the game in the triggering issue.
pub fn outputs(ledger: &Ledger, issue: Option<IssueNumber>, web: Option<&WebRepo>) -> [(&'static str, String); 9] {
    let url = |issue: IssueNumber| {
        web.map_or(String::new(), |web| format!("{}/{}/issues/{issue}", web.server, web.repository))
    };
    let ended = ledger.tables.iter().filter_map(|(issue, work)| Some((*issue, work.ended.clone()?)));
    let mut ended: Vec<(IssueNumber, GameEnd)> = ended.collect();
    if ended.is_empty()
        && let Some(issue) = issue
        && let Some(work) = ledger.tables.get(&issue).filter(|work| work.game.is_some())
    {
        ended.push((issue, GameEnd { players: work.players.clone(), ..GameEnd::default() }));
    }
    let lines =
        |line: &dyn Fn(&(IssueNumber, GameEnd)) -> String| ended.iter().map(line).collect::<Vec<_>>().join("\n");
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
        ("result", lines(&|(_, end)| end.sentence.clone())),
        ("winner", lines(&|(_, end)| end.winner.clone())),
        ("players", lines(&|(_, end)| end.players.join(", "))),
        ("url", lines(&|(issue, _)| url(*issue))),
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

/// Returns the work of a run for its log, such as `Done: 2 applied, 1 refused.`
pub(super) fn done_sentence(report: &Report) -> String {
    let counts = count_phrase([report.applied, report.refused, report.shown, report.repaired]);
    counts.map_or("Done: there was no command to answer.".to_owned(), |counts| format!("Done: {counts}."))
}

/// Returns the work at a table, such as `2 applied, 1 refused`; `None` if there was none.
fn work_phrase(entry: &TableWork) -> Option<String> {
    count_phrase([entry.applied, entry.refused, entry.shown, entry.repaired])
}

fn count_phrase(counts: [u32; 4]) -> Option<String> {
    let counts = counts.into_iter().zip(["applied", "refused", "shown", "answered late"]);
    let counts: Vec<String> =
        counts.filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if counts.is_empty() { None } else { Some(counts.join(", ")) }
}

/// Appends to the file whose path is in a variable of the runner, if it is set. Only logs an error.
pub(super) fn append(name: &str, text: &str) {
    let Some(path) = variable(name) else { return };
    let result =
        OpenOptions::new().append(true).create(true).open(path).and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = result {
        let what = if name == "GITHUB_OUTPUT" { "outputs" } else { "summary" };
        info!("The {what} of the step can't be written: {error}.");
    }
}

/// Escapes text so that it can't end a workflow command or begin one.
fn escape(text: &str) -> String {
    let text: String = text.chars().take(MAX_ANNOTATION).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
