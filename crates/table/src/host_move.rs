//! The move of a record by the host, from another issue, perhaps of another repository.

use crate::ids::IssueNumber;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The host moved the record here from another issue, perhaps of another repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostMove {
    /// The issue in which the round began.
    #[serde(rename = "issue")]
    pub first_issue: IssueNumber,
    /// The number of events before the move. Their sources keep the issue numbers from before.
    pub events: usize,
}
