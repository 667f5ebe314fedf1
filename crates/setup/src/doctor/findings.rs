//! The findings of the doctor: a plain sentence each.

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Games cannot be played as they should until it is changed.
    Change,
    /// It works, and something else would be better.
    Better,
    /// It could not be looked at; the sentence says why.
    Unseen,
    /// It is as it should be.
    Good,
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
    pub fn words(self) -> &'static str {
        match self {
            Grade::Change => "to change",
            Grade::Better => "could be better",
            Grade::Unseen => "not checked",
            Grade::Good => "good",
        }
    }
}

impl Findings {
    pub(super) fn change(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Change, sentence);
    }

    pub(super) fn better(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Better, sentence);
    }

    pub(super) fn unseen(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Unseen, sentence);
    }

    pub(super) fn good(&mut self, sentence: impl Into<String>) {
        self.add(Grade::Good, sentence);
    }

    /// Returns the sentences of a grade.
    pub fn of(&self, grade: Grade) -> impl Iterator<Item = &str> {
        self.all.iter().filter(move |finding| finding.grade == grade).map(|finding| finding.sentence.as_str())
    }

    /// Returns the number of findings of each grade, as a sentence.
    pub fn sum(&self) -> String {
        let [change, better, unseen, good] =
            [Grade::Change, Grade::Better, Grade::Unseen, Grade::Good].map(|grade| self.of(grade).count());
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
