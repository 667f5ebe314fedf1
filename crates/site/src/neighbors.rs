//! Files that tell a game's page which games come before and after it.
//!
//! The neighbors of a game change, but its page doesn't, so the script reads them from a small file. Each file lists
//! the games of one kind in a range of issue numbers, and one more on either side.

use std::collections::BTreeMap;

use games::registry::GameKind;

use crate::round_summary::RoundSummary;

/// The size of the range of issue numbers in a file.
const RANGE: u64 = 100;

/// Returns the name of the file that lists a game, next to its page: `chess-0.json`.
pub fn file_name(round: &RoundSummary) -> String {
    format!("{}-{}.json", round.kind.info().name, round.issue.get() / RANGE)
}

/// Returns the paths and contents of all files.
pub fn files(rounds: &[RoundSummary]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for kind in GameKind::ALL {
        let mut games: Vec<&RoundSummary> = rounds.iter().filter(|round| round.kind == *kind).collect();
        games.sort_by_key(|round| (round.issue, round.round));
        let mut ranges: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, round) in games.iter().enumerate() {
            ranges.entry(file_name(round)).or_default().push(index);
        }
        for (name, indices) in ranges {
            let first = indices.first().map_or(0, |first| first.saturating_sub(1));
            let last = indices.last().map_or(0, |last| (last + 2).min(games.len()));
            let stems: Vec<String> = games[first..last].iter().map(|round| round.file_stem()).collect();
            files.push((format!("games/{name}"), serde_json::json!(stems).to_string()));
        }
    }
    files
}
