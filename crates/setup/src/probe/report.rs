//! The report of a probe: a table for people, and JSON for bug reports.

use serde_json::{Value, json};

use crate::probe::checks::Check;

/// The verdict about a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The result is as expected.
    AsExpected,
    /// The result differs.
    Different,
    /// The check didn't run.
    NotTried,
}

impl Verdict {
    /// Returns the verdict as a label for a report.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::AsExpected => "as expected",
            Verdict::Different => "differs",
            Verdict::NotTried => "not tried",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The check.
    pub check: Check,
    /// The verdict.
    pub verdict: Verdict,
    /// The result, in words.
    pub result: String,
    /// The consequence, as sentences; empty if the result is as expected.
    pub consequence: String,
    /// The time of the request, or the lag of the read, in milliseconds.
    pub millis: Option<u64>,
}

/// The results of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeReport {
    /// A row for each check.
    pub rows: Vec<Row>,
    /// Whether the server is a GitHub Enterprise Server.
    pub enterprise: bool,
    /// `OWNER/NAME`, which the report leaves out.
    pub repository: String,
}

impl ProbeReport {
    /// Returns the number of checks as expected, different, and not tried.
    pub fn counts(&self) -> [usize; 3] {
        [Verdict::AsExpected, Verdict::Different, Verdict::NotTried]
            .map(|verdict| self.rows.iter().filter(|row| row.verdict == verdict).count())
    }

    /// Returns the counts as a sentence.
    pub fn summary(&self) -> String {
        let [as_expected, different, not_tried] = self.counts();
        format!("{as_expected} as expected, {different} different, {not_tried} not tried.")
    }

    /// Formats the report as Markdown: the table, the consequences, and the JSON.
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
        let differences: Vec<&Row> = self.rows.iter().filter(|row| !row.consequence.is_empty()).collect();
        if !differences.is_empty() {
            text.push_str("\nWhat that means:\n\n");
        }
        for row in differences {
            text.push_str(&format!("- **{}:** {}\n", row.check.title, row.consequence));
        }
        text.push_str("\nFor a bug report, without names and secrets:\n\n```json\n");
        text.push_str(&self.to_json());
        text.push_str("\n```\n\n");
        text
    }

    /// Formats the rows as JSON for a bug report, one on each line.
    fn to_json(&self) -> String {
        let row = |row: &Row| {
            let mut value =
                json!({ "id": row.check.id, "verdict": row.verdict.label(), "seen": self.anonymize(&row.result) });
            if let Some(millis) = row.millis {
                value["ms"] = json!(millis);
            }
            format!("    {value}")
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

    /// Removes the repository's name from a message of GitHub, and everything that could end a line or a fence.
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
