//! The report to the host and to the steps that follow: annotations, a summary of the run, and the outputs of the step, by
//! [workflow commands](https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
//!
//! Nothing here comes from a comment: names of games, words of the record, numbers, commit ids, and sentences for the host.

use std::fs::OpenOptions;
use std::io::Write;

use tracing::info;

use crate::host::inputs::variable;
use crate::host::print::print_line;
use crate::protocol::ledger::{Ledger, TableWork};
use crate::protocol::place::Web;

/// The variable that names the file of the step's summary.
pub(super) const SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The length limit of an annotation, in characters.
const MAX_ANNOTATION: usize = 1_000;

/// Prints an annotation, which GitHub shows in the log and on the page of the run.
pub(super) fn print_annotation(level: &str, sentence: &str) {
    print_line(&format!("::{level} title=Play by Commit::{}", escaped(sentence)));
}

/// Shows a sentence as an annotation and in the summary of the run.
pub(super) fn annotate(level: &str, sentence: &str) {
    print_annotation(level, sentence);
    let line: String = sentence.chars().filter(|c| !matches!(c, '<' | '>')).take(MAX_ANNOTATION).collect();
    append(SUMMARY, &format!("**Play by Commit, {level}:** {}\n\n", line.replace(['\r', '\n'], " ")));
}

/// Writes the summary of the run, table by table. A run that had nothing to do leaves the summary as it is.
pub(super) fn write_summary(ledger: &Ledger, web: Option<&Web>) {
    if let Some(table) = summary(ledger, web) {
        append(SUMMARY, &table);
    }
}

/// Writes the outputs of the step; `issue` is the one that has woken the run.
pub(super) fn write_outputs(ledger: &Ledger, issue: Option<u64>) {
    let outputs = outputs(ledger, issue);
    append("GITHUB_OUTPUT", &outputs.iter().map(|(name, value)| assignment(name, value)).collect::<String>());
}

/// Returns the outputs by name. All of them are always there, so that no step that reads one finds nothing.
fn outputs(ledger: &Ledger, issue: Option<u64>) -> [(&'static str, String); 5] {
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
fn assignment(name: &str, value: &str) -> String {
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
fn summary(ledger: &Ledger, web: Option<&Web>) -> Option<String> {
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
            let done = done(entry)?;
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
        "### Play by Commit\n\n| Table | Game | Stands | Commands | Last commit |\n| --- | --- | --- | --- | --- |\n";
    (!rows.is_empty()).then(|| format!("{head}{rows}\n"))
}

/// Returns the work at a table: "2 applied, 1 refused"; `None` if there was none.
fn done(entry: &TableWork) -> Option<String> {
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
fn escaped(text: &str) -> String {
    let text: String = text.chars().take(MAX_ANNOTATION).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::games::registry::Kind;
    use crate::talk::thread::Oid;

    /// A ledger with a commit at table 7, and a refusal in an issue without a table.
    fn ledger() -> Ledger {
        let commit = Oid::parse(&"0123456789".repeat(4));
        let entry = TableWork { applied: 2, refused: 1, commit: commit.clone(), ..TableWork::default() };
        let entry = TableWork { game: Some((Kind::ALL[0], "won")), ..entry };
        let beside = TableWork { refused: 1, repaired: 1, ..TableWork::default() };
        let seen = TableWork { game: Some((Kind::ALL[1], "playing")), ..TableWork::default() };
        Ledger { tables: [(7, entry), (8, beside), (9, seen)].into(), commit, ..Ledger::default() }
    }

    fn web(server: &str) -> Web {
        Web { server: server.to_owned(), repository: "octo/games".to_owned(), branch: None }
    }

    #[test]
    fn outputs_are_of_the_issue_that_woke_the_run() {
        let values = |issue| outputs(&ledger(), issue).map(|(_, value)| value);
        let commit = "0123456789".repeat(4);
        assert_eq!(values(Some(7)), ["tic-tac-toe", "won", "2", "2", &commit]);
        assert_eq!(values(Some(8)), ["", "", "2", "2", &commit]);
        assert_eq!(values(Some(9)), ["ultimate-tic-tac-toe", "playing", "2", "2", &commit]);
        assert_eq!(values(None), ["", "", "2", "2", &commit]);
        assert_eq!(outputs(&Ledger::default(), Some(7)).map(|(_, value)| value), ["", "", "0", "0", ""]);
    }

    #[test]
    fn no_value_ends_its_own_assignment() {
        assert_eq!(assignment("game", "chess"), "game=chess\n");
        assert_eq!(assignment("game", "a<<b"), "game=a<<b\n");
        assert_eq!(assignment("game", "a\nb"), "game<<END\na\nb\nEND\n");
        assert_eq!(assignment("game", "a\nEND\ncommit=1"), "game<<END+\na\nEND\ncommit=1\nEND+\n");
        assert_eq!(assignment("game", "END+\r\nEND"), "game<<END++\nEND+\r\nEND\nEND++\n");
    }

    #[test]
    fn the_summary_has_a_row_for_each_table_at_which_something_was_done() {
        let text = summary(&ledger(), Some(&web("https://github.example"))).unwrap();
        let rows: Vec<&str> = text.lines().skip(4).collect();
        let at = "https://github.example/octo/games";
        let commit = "0123456789".repeat(4);
        let first = format!(
            "| [#7]({at}/issues/7) | Tic-tac-toe | won | 2 applied, 1 refused | [`0123456`]({at}/commit/{commit}) |"
        );
        let second = format!("| [#8]({at}/issues/8) | no table |  | 1 refused, 1 answered late |  |");
        assert_eq!(rows, [first.as_str(), second.as_str(), ""]);
        assert_eq!(summary(&Ledger::default(), Some(&web("https://github.example"))), None);
    }

    #[test]
    fn an_address_that_could_end_a_link_is_none() {
        for web in [Some(web("https://github.example/)<img>")), None] {
            let text = summary(&ledger(), web.as_ref()).unwrap();
            assert!(text.contains("| #7 |") && text.contains("| `0123456` |") && !text.contains("]("), "{text}");
        }
    }
}
