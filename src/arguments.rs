//! Parsers of command-line arguments.

use clap::builder::TypedValueParser;
use table::ids::IssueNumber;

/// Returns a parser of the number of an issue, which is at least 1.
pub(super) fn issue_number() -> impl TypedValueParser<Value = IssueNumber> {
    clap::value_parser!(u64).range(1..).map(IssueNumber::new)
}
