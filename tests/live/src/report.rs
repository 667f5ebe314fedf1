//! The report of a live test: Markdown for people, and JSON for programs.

use serde_json::{Value, json};

/// How an observation compares with what the product assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It agrees.
    Agrees,
    /// It differs.
    Differs,
    /// There is no observation; the row says why.
    NotAsked,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::NotAsked => "not asked",
        }
    }
}

/// A question to GitHub, and what the product assumes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: &'static str,
    /// The answer that the product assumes.
    pub assumed: &'static str,
    /// Whether games break if the answer is another one.
    pub is_vital: bool,
}

/// A row of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The question.
    pub question: Question,
    /// What GitHub did, or why nobody asked.
    pub observed: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// The report of a live test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// `OWNER/NAME`.
    pub repository: String,
    /// The rows, in the order of the questions.
    pub rows: Vec<Row>,
}

impl Report {
    /// Whether every vital observation agrees with the product.
    pub fn is_good(&self) -> bool {
        !self.rows.iter().any(|row| row.question.is_vital && row.verdict == Verdict::Differs)
    }

    /// Formats the report as a table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "### Play by Commit: live test in {}\n\n| Question | Observed | Assumed | Verdict |\n| --- | --- | --- | --- |\n",
            self.repository
        );
        for Row { question, observed, verdict } in &self.rows {
            let is_broken = question.is_vital && *verdict == Verdict::Differs;
            let verdict = if is_broken { "**differs, and games need it**" } else { verdict.label() };
            let cells = [question.text, &escape(observed).replace('|', "\\|"), question.assumed, verdict];
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        text
    }

    /// Formats the report as JSON.
    pub fn to_json(&self) -> Value {
        let row = |row: &Row| {
            json!({
                "question": row.question.text, "observed": escape(&row.observed), "assumed": row.question.assumed,
                "verdict": row.verdict.label(), "vital": row.question.is_vital,
            })
        };
        json!({ "repository": self.repository, "rows": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

/// Returns GitHub's words as one line without mentions and markup, cut after 500 characters.
fn escape(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().filter(|c| !matches!(c, '<' | '>' | '@')).take(500).collect()
}
