//! Errors of the protocol as the program reports them.

use anyhow::{Error, anyhow};
use protocol::{HostNote, Ledger, RequestError, SettleError, error_text, note_texts, request_error_text};

/// Converts the error of a request.
pub(super) fn host_error(error: &RequestError) -> Error {
    anyhow!(request_error_text(error))
}

/// Converts the error of a run. The problems that the run noted come first, because the host sees only the error.
pub(super) fn run_error(error: &SettleError, ledger: &Ledger) -> Error {
    let failures: Vec<HostNote> = ledger.notes.iter().filter(|note| note.is_failure()).cloned().collect();
    anyhow!([note_texts(&failures), vec![error_text(error)]].concat().join("; "))
}
