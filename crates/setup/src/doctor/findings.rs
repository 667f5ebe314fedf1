//! The findings of the doctor: a plain sentence each.

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Games cannot be played as they should until it is changed.
    Error,
    /// It works, and something else would be better.
    Warning,
    /// It could not be looked at; the sentence says why.
    Skipped,
    /// It is as it should be.
    Ok,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The grade.
    pub grade: Grade,
    /// The sentence, with its full stop.
    pub sentence: String,
}

/// All findings, in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The findings.
    pub all: Vec<Finding>,
}

impl Grade {
    /// Returns the grade in words.
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

    /// Returns the sentences of a grade.
    pub fn sentences(&self, grade: Grade) -> impl Iterator<Item = &str> {
        self.all.iter().filter(move |finding| finding.grade == grade).map(|finding| finding.sentence.as_str())
    }

    /// Returns the number of findings of each grade, as a sentence.
    pub fn summary(&self) -> String {
        let [change, better, unseen, good] =
            [Grade::Error, Grade::Warning, Grade::Skipped, Grade::Ok].map(|grade| self.sentences(grade).count());
        format!("{good} good, {change} to change, {better} could be better, {unseen} not checked.")
    }

    fn add(&mut self, grade: Grade, sentence: impl Into<String>) {
        // What is quoted from a file stays on its line.
        let sentence: String = sentence.into().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let finding = Finding { grade, sentence };
        if !self.all.contains(&finding) {
            self.all.push(finding);
        }
    }
}
