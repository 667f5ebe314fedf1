//! The file in which a build keeps what it read from each record, so that the next one replays only records that changed.
//!
//! A file that is damaged, or by another program or with other settings, counts as empty.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use standings::Recount;
use table::Table;

use crate::RoundSummary;
use crate::evaluation::can_evaluate;

/// The path of the file in the site.
pub(crate) const PATH: &str = "rounds.txt";
/// The maximum size of the file, in bytes: enough for 100,000 rounds.
pub(crate) const MAX_BYTES: usize = 100 << 20;

/// The rounds by their records: `42.json`, `archive/42-1.json`.
pub(crate) type Rounds = BTreeMap<String, CachedRound>;

/// What the pages of several games show of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CachedRound {
    /// The hash of the files that the round was read from.
    pub(crate) hash: String,
    /// The round.
    pub(crate) round: RoundSummary,
    /// Its result, if it was counted.
    pub(crate) recount: Recount,
    /// Whether the round may be evaluated.
    pub(crate) can_evaluate: bool,
}

impl CachedRound {
    /// Summarizes a table that was read from files with this hash.
    pub(crate) fn from_table(table: &Table, hash: String) -> CachedRound {
        let mut recount = Recount::default();
        recount.add_table(table);
        CachedRound { hash, round: RoundSummary::from_table(table), recount, can_evaluate: can_evaluate(table) }
    }
}

/// Parses the file; returns no rounds if it isn't as [`to_text`] wrote it with the same fingerprint.
pub(crate) fn parse(text: &str, fingerprint: &str) -> Rounds {
    match text.split_once('\n') {
        Some((sum, rounds)) if sum == checksum(rounds, fingerprint) => serde_json::from_str(rounds).unwrap_or_default(),
        _ => Rounds::new(),
    }
}

/// Returns the text of the file. `fingerprint` stands for the program and the settings.
pub(crate) fn to_text(rounds: &Rounds, fingerprint: &str) -> String {
    let rounds = serde_json::to_string(rounds).unwrap_or_default() + "\n";
    format!("{}\n{rounds}", checksum(&rounds, fingerprint))
}

fn checksum(rounds: &str, fingerprint: &str) -> String {
    hex::encode(Sha256::new().chain_update(fingerprint).chain_update(rounds).finalize())
}
