//! The report of a probe: a table for people, and JSON for a bug report.

use serde_json::{Value, json};

use crate::probe::things::Thing;

/// The verdict about a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is as expected.
    Good,
    /// It is otherwise.
    Differs,
    /// It could not be tried.
    Untried,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Good => "as expected",
            Verdict::Differs => "differs",
            Verdict::Untried => "not tried",
        }
    }
}

/// What was seen of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The thing.
    pub thing: Thing,
    /// The verdict.
    pub verdict: Verdict,
    /// What was seen, in words.
    pub seen: String,
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
        [Verdict::Good, Verdict::Differs, Verdict::Untried]
            .map(|verdict| self.rows.iter().filter(|row| row.verdict == verdict).count())
    }

    /// Returns the counts as a sentence.
    pub fn sum(&self) -> String {
        let [good, differ, untried] = self.counts();
        format!("{good} as expected, {differ} different, {untried} not tried.")
    }

    /// Returns the report as Markdown: the table, what each difference means, and the JSON.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "### Play by Commit: probe\n\n{}\n\n| Test | Expected | Result | ms | Verdict |\n| --- | --- | --- | --- \
             | --- |\n",
            self.sum()
        );
        for row in &self.rows {
            let millis = row.millis.map_or(String::new(), |millis| millis.to_string());
            let cells = [row.thing.tried, row.thing.expected, &self.plain(&row.seen), &millis, row.verdict.words()];
            text.push_str(&format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")));
        }
        let differing: Vec<&Row> = self.rows.iter().filter(|row| !row.consequence.is_empty()).collect();
        if !differing.is_empty() {
            text.push_str("\nWhat that means:\n\n");
        }
        for row in differing {
            text.push_str(&format!("- **{}:** {}\n", row.thing.tried, row.consequence));
        }
        text.push_str("\nFor a bug report, without names and secrets:\n\n```json\n");
        text.push_str(&self.json());
        text.push_str("\n```\n\n");
        text
    }

    /// Returns what a bug report needs, a row a line.
    fn json(&self) -> String {
        let row = |row: &Row| {
            let mut told = json!({ "id": row.thing.id, "verdict": row.verdict.words(), "seen": self.plain(&row.seen) });
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
    fn plain(&self, text: &str) -> String {
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
