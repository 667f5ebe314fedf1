//! The report of a probe: a table for people, and JSON for a bug report.

use serde_json::{Value, json};

use crate::probe::checks::Check;

/// The verdict about a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is as expected.
    AsExpected,
    /// It is otherwise.
    Different,
    /// It could not be tried.
    NotTried,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::AsExpected => "as expected",
            Verdict::Different => "differs",
            Verdict::NotTried => "not tried",
        }
    }
}

/// What was seen of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The thing.
    pub check: Check,
    /// The verdict.
    pub verdict: Verdict,
    /// What was seen, in words.
    pub result: String,
    /// What it means, as a sentence; empty if it is as expected.
    pub consequence: String,
    /// The milliseconds that it took, or that a read lagged behind.
    pub millis: Option<u64>,
}

/// All that a probe has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeReport {
    /// A row for each thing.
    pub rows: Vec<Row>,
    /// Whether the host is not run by GitHub itself.
    pub enterprise: bool,
    /// The repository, whose name is left out of what is pasted elsewhere.
    pub repository: String,
}

impl ProbeReport {
    /// Returns the number of things that are as expected, that differ, and that were not tried.
    pub fn counts(&self) -> [usize; 3] {
        [Verdict::AsExpected, Verdict::Different, Verdict::NotTried]
            .map(|verdict| self.rows.iter().filter(|row| row.verdict == verdict).count())
    }

    /// Returns the counts as a sentence.
    pub fn summary(&self) -> String {
        let [good, differ, untried] = self.counts();
        format!("{good} as expected, {differ} different, {untried} not tried.")
    }

    /// Returns the report as Markdown: the table, what each difference means, and the JSON.
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "### Play by Commit: probe\n\n{}\n\n| Test | Expected | Result | ms | Verdict |\n| --- | --- | --- | --- \
             | --- |\n",
            self.summary()
        );
        for row in &self.rows {
            let millis = row.millis.map_or(String::new(), |millis| millis.to_string());
            let cells =
                [row.check.title, row.check.expected, &self.anonymize(&row.result), &millis, row.verdict.label()];
            text.push_str(&format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")));
        }
        let differing: Vec<&Row> = self.rows.iter().filter(|row| !row.consequence.is_empty()).collect();
        if !differing.is_empty() {
            text.push_str("\nWhat that means:\n\n");
        }
        for row in differing {
            text.push_str(&format!("- **{}:** {}\n", row.check.title, row.consequence));
        }
        text.push_str("\nFor a bug report, without names and secrets:\n\n```json\n");
        text.push_str(&self.to_json());
        text.push_str("\n```\n\n");
        text
    }

    /// Returns what a bug report needs, a row a line.
    fn to_json(&self) -> String {
        let row = |row: &Row| {
            let mut told =
                json!({ "id": row.check.id, "verdict": row.verdict.label(), "seen": self.anonymize(&row.result) });
            if let Some(millis) = row.millis {
                told["ms"] = json!(millis);
            }
            format!("    {told}")
        };
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        let server = if self.enterprise { "GitHub Enterprise Server" } else { "github.com" };
        format!(
            "{{\n  \"probe\": 1,\n  \"version\": {},\n  \"server\": {},\n  \"rows\": [\n{}\n  ]\n}}",
            Value::from(env!("CARGO_PKG_VERSION")),
            Value::from(server),
            rows.join(",\n")
        )
    }

    /// Returns GitHub's words without the name of the repository, and without what could end a cell, a fence or a line.
    fn anonymize(&self, text: &str) -> String {
        let (owner, name) = self.repository.split_once('/').unwrap_or(("", ""));
        let mut text = text.replace(&self.repository, "OWNER/NAME");
        for part in [owner, name].into_iter().filter(|part| part.len() > 2) {
            text = text.replace(&format!("'{part}'"), "'…'");
        }
        text.chars()
            .filter(|c| !matches!(c, '<' | '>' | '@'))
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect::<String>()
            .replace("```", "")
    }
}
