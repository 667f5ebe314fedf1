//! The findings of the doctor, with their grades.

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A problem: games don't work as they should until the host fixes it.
    Error,
    /// A possible improvement: games work as they are.
    Warning,
    /// A check that the doctor couldn't make. The sentence says why.
    Skipped,
    /// A check without a problem.
    Ok,
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The grade.
    pub grade: Grade,
    /// The finding as a sentence, with its period.
    pub sentence: String,
}

/// All findings, in the order of the checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The findings.
    pub all: Vec<Finding>,
}

impl Grade {
    /// Returns the grade as a label for a report.
    pub fn label(self) -> &'static str {
        match self {
            Grade::Error => "to change",
            Grade::Warning => "could be better",
            Grade::Skipped => "not checked",
            Grade::Ok => "good",
        }
    }
}

impl Findings {
    pub(super) fn error(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Error, sentence);
    }

    pub(super) fn warning(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Warning, sentence);
    }

    pub(super) fn skipped(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Skipped, sentence);
    }

    pub(super) fn ok(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Ok, sentence);
    }

    /// Returns the sentences of the findings with this grade.
    pub fn sentences(&self, grade: Grade) -> impl Iterator<Item = &str> {
        self.all.iter().filter(move |finding| finding.grade == grade).map(|finding| finding.sentence.as_str())
    }

    /// Returns the number of findings of each grade, as a sentence.
    pub fn summary(&self) -> String {
        let [errors, warnings, skipped, ok] =
            [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Ok].map(|grade| self.sentences(grade).count());
        format!("{ok} good, {errors} to change, {warnings} could be better, {skipped} not checked.")
    }

    fn add(&mut self, grade: Grade, sentence: impl Into<String>) {
        // Text that is quoted from a file must not start a new line.
        let sentence: String = sentence.into().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let finding = Finding { grade, sentence };
        if !self.all.contains(&finding) {
            self.all.push(finding);
        }
    }
}
