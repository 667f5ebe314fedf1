//! The GitHub accounts of the players in a PGN file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use answers::render;
use anyhow::{Context, Result, bail};
use games::chess::PgnGame;
use site::read_text;
use table::{UserId, is_login};
use unicode_normalization::UnicodeNormalization;

/// The maximum size of a file of players, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The maximum number of unknown players to name.
const MAX_NAMED: usize = 10;

/// A GitHub account: the numeric user id and the login.
pub(super) type Account = (UserId, String);

/// Accounts by player name, as normalized by [`fold_name`].
#[derive(Default)]
pub(super) struct PlayerAccounts(BTreeMap<String, Account>);

impl PlayerAccounts {
    /// Reads accounts from a file and from options, which take precedence.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, or a line isn't NAME=LOGIN:ID.
    pub(super) fn read(file: Option<&Path>, players: &[String]) -> Result<PlayerAccounts> {
        let mut accounts = PlayerAccounts::default();
        if let Some(path) = file {
            let text = read_text(path, MAX_BYTES).with_context(|| format!("{} can't be read", path.display()))?;
            if text.len() > MAX_BYTES {
                bail!("{} is larger than 1 MB", path.display());
            }
            for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
                let line = strip_comment(line);
                if !line.is_empty() {
                    accounts.add(line, &format!("{}, line {}", path.display(), index + 1))?;
                }
            }
        }
        for player in players {
            accounts.add(player, "--player")?;
        }
        Ok(accounts)
    }

    fn add(&mut self, line: &str, source: &str) -> Result<()> {
        let (name, account) = parse_player(line).with_context(|| {
            format!("{source}: {} isn't NAME=LOGIN:ID, such as \"Carlsen, Magnus=magnus:583231\"", render::quote(line))
        })?;
        self.0.insert(name, account);
        Ok(())
    }

    /// Checks that every player of these games has an account.
    ///
    /// # Errors
    /// Returns an error that names the players without one.
    pub(super) fn check_all_known(&self, games: &[PgnGame<'_>]) -> Result<()> {
        let (mut seen, mut unknown) = (BTreeSet::new(), Vec::new());
        for (game, side) in games.iter().flat_map(|game| [(game, "White"), (game, "Black")]) {
            let name = game.tag(side).map_or("?", |(name, _)| name);
            if self.account(game, side).is_none() && seen.insert(fold_name(name)) {
                unknown.push(name);
            }
        }
        if unknown.len() < 2 {
            return Ok(());
        }
        let named: Vec<String> = unknown.iter().take(MAX_NAMED).map(|name| render::quote(name)).collect();
        let more = unknown.len().saturating_sub(MAX_NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        bail!(
            "it has {} players without an account: {}{more}. Name each with --player NAME=LOGIN:ID, or in a file with --players",
            unknown.len(),
            named.join(", ")
        )
    }

    /// Returns the accounts of both players of a game.
    ///
    /// # Errors
    /// Returns an error if a player has none.
    pub(super) fn of_players(&self, game: &PgnGame<'_>) -> Result<[Account; 2]> {
        let account = |side: &str| {
            self.account(game, side).cloned().with_context(|| {
                let tag = game.tag(side);
                let (name, line) = tag.unwrap_or(("?", game.tags.first().map_or(game.end_line, |(.., line)| *line)));
                let side = side.to_lowercase();
                format!(
                    "line {line}: who is {}, the player of the {side} pieces? Name them with --player NAME=LOGIN:ID",
                    render::quote(name)
                )
            })
        };
        Ok([account("White")?, account("Black")?])
    }

    fn account(&self, game: &PgnGame<'_>, side: &str) -> Option<&Account> {
        let by_name = game.tag(side).and_then(|(name, _)| self.0.get(&fold_name(name)));
        by_name.or_else(|| self.0.get(&fold_name(side)))
    }
}

/// Returns a line up to its comment: a `#` at the start or after a space.
fn strip_comment(line: &str) -> &str {
    let is_comment = |(index, _): &(usize, &str)| line[..*index].chars().next_back().is_none_or(char::is_whitespace);
    let end = line.match_indices('#').find(is_comment).map_or(line.len(), |(index, _)| index);
    line[..end].trim()
}

/// Parses `NAME=LOGIN:ID`.
fn parse_player(line: &str) -> Option<(String, Account)> {
    let (name, account) = line.rsplit_once('=')?;
    let (login, id) = account.trim().trim_start_matches('@').split_once(':')?;
    let id = id.trim().parse().ok().filter(|id| *id > UserId::default())?;
    let (name, login) = (fold_name(name), login.trim());
    if is_login(login) && !name.is_empty() { Some((name, (id, login.to_owned()))) } else { None }
}

/// Normalizes case, spaces and accents, which differ between programs: `Oak, Ann` and `OAK,Ann` become `oak,ann`.
fn fold_name(name: &str) -> String {
    let parts: Vec<String> =
        name.split(',').map(|part| part.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    parts.join(",").to_lowercase().nfc().collect()
}
