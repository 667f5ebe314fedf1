//! The grades of findings.

/// The grade of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A problem: games don't work as they should until the host fixes it.
    Error,
    /// A possible improvement: games work as they are.
    Warning,
    /// A skipped check. The fact says why.
    Skipped,
    /// A check without a problem.
    Good,
}

impl Grade {
    /// Returns the grade as a label for a report.
    pub fn label(self) -> &'static str {
        match self {
            Grade::Error => "to change",
            Grade::Warning => "could be better",
            Grade::Skipped => "not checked",
            Grade::Good => "good",
        }
    }
}
