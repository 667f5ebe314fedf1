//! The findings of the doctor, with their grades and places.

use std::fmt::{self, Display, Formatter};

use crate::doctor::facts::Fact;
use crate::doctor::grade::Grade;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// The path of the file that its sentence begins with, from the root of the repository.
    path: Option<String>,
    /// The line in that file, counted from 1.
    line: Option<usize>,
    fact: Fact,
}

/// All findings, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    all: Vec<Finding>,
}

/// Formats the finding as a sentence with its period.
impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.line.map_or(String::new(), |line| format!(", line {line}"));
        let place = self.path.as_ref().map_or(String::new(), |path| format!("{path}{line}: "));
        let sentence = format!("{place}{}", self.fact);
        // Text that is quoted from a file must not start a new line.
        let line: String = sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        // A quoted sentence has a period already.
        write!(f, "{}.", line.trim_end_matches('.'))
    }
}

impl Findings {
    /// Adds a fact that isn't about a file, or whose text already names it.
    pub(super) fn add(&mut self, fact: Fact) {
        self.push(Finding { path: None, line: None, fact });
    }

    /// Adds a fact about a file.
    pub(super) fn add_at(&mut self, path: &str, line: impl Into<Option<usize>>, fact: Fact) {
        self.push(Finding { path: Some(path.to_owned()), line: line.into(), fact });
    }

    /// Returns the sentences of the findings with this grade.
    pub fn sentences(&self, grade: Grade) -> impl Iterator<Item = String> {
        self.all.iter().filter(move |finding| finding.fact.grade() == grade).map(Finding::to_string)
    }

    /// Returns the number of findings of each grade, as a sentence.
    pub fn summary(&self) -> String {
        let [errors, warnings, skipped, good] =
            [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Good].map(|grade| self.sentences(grade).count());
        format!("{good} good, {errors} to change, {warnings} could be better, {skipped} not checked.")
    }

    /// Whether nothing was checked.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether every check was skipped.
    pub(super) fn are_all_skipped(&self) -> bool {
        self.all.iter().all(|finding| finding.fact.grade() == Grade::Skipped)
    }

    /// Whether a finding is about this file.
    pub(super) fn has_place(&self, path: &str) -> bool {
        self.all.iter().any(|finding| finding.path.as_deref() == Some(path))
    }

    /// Whether this fact was found in this file.
    pub(super) fn has_fact(&self, path: &str, fact: &Fact) -> bool {
        self.all.iter().any(|finding| finding.path.as_deref() == Some(path) && finding.fact == *fact)
    }

    /// Returns the number of findings that aren't good.
    pub(crate) fn problem_count(&self) -> usize {
        self.all.iter().filter(|finding| finding.fact.grade() != Grade::Good).count()
    }

    fn push(&mut self, finding: Finding) {
        if !self.all.contains(&finding) {
            self.all.push(finding);
        }
    }
}
