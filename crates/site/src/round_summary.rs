//! The summary of a round, which all pages except its own are built from.

use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};

use answers::render::plain;
use answers::{game_page_path, sentences};
use anyhow::{Context, Result, bail};
use game::Seat;
use games::{GameKind, GameVariant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use table::timestamp::to_datetime;
use table::{GameSummary, IssueNumber, Mover, Person, Player, StatePath, Table, TableStatus, Timestamp, state_file};

/// A round at a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundSummary {
    /// The issue number.
    pub issue: IssueNumber,
    /// The round number, from 1.
    pub round: u32,
    /// The game.
    pub kind: GameKind,
    /// The game or the variant of it.
    pub game: GameVariant,
    /// The options of the game: `3x3, 3 in a row`; `None` if it has none.
    pub setup: Option<String>,
    /// The options of `/new` for another game of the same size or length: `13x13`; empty for the usual one.
    pub options: String,
    /// Whether the game counts for no rating.
    pub casual: bool,
    /// The players by seat; `None` for nobody yet, or anyone in an open game.
    pub seats: [Option<Player>; 2],
    /// The people who moved in an open game, most active first. `None` for games with seats.
    pub movers: Option<Vec<Mover>>,
    /// The status of the game.
    pub status: TableStatus,
    /// The player to move.
    pub player_to_move: Seat,
    /// When the current turn started.
    pub turn_started_at: Timestamp,
    /// When the player to move runs out of time; `None` without a running clock.
    pub deadline: Option<Timestamp>,
    /// When the votes of a crowd are counted; `None` if it isn't a crowd's turn.
    pub votes_end: Option<Timestamp>,
    /// When the round was opened.
    pub opened_at: Timestamp,
    /// The time of the last event.
    pub last_event_at: Timestamp,
    /// The date of an imported game as far as known: `2020-05`, or empty. `None` for games of this repository.
    pub imported_day: Option<String>,
    /// The number of plies, not counting those taken back.
    pub plies: usize,
    /// The result as sentences.
    pub ending: String,
}

impl RoundSummary {
    /// Summarizes a table.
    pub fn from_table(table: &Table) -> RoundSummary {
        let is_open = table.terms().open.is_some();
        RoundSummary {
            issue: table.issue(),
            round: table.round(),
            kind: table.kind(),
            game: table.variant(),
            setup: table.game().setup_summary(),
            options: table.game().setup_options(),
            casual: table.terms().casual,
            seats: Seat::BOTH.map(|seat| table.player(seat).cloned()),
            movers: if is_open { Some(table.movers()) } else { None },
            status: table.status(),
            player_to_move: table.player_to_move(),
            turn_started_at: table.state().turn_started_at(),
            deadline: deadline(table),
            votes_end: table.votes_end(),
            opened_at: table.history().first().map_or(Timestamp::EPOCH, |event| event.timestamp),
            last_event_at: table.history().last().map_or(Timestamp::EPOCH, |event| event.timestamp),
            imported_day: table.imported().map(|imported| imported.date().unwrap_or_default()),
            plies: table.plies().len(),
            ending: plain(&sentences::ending(table)),
        }
    }

    /// Returns the base name of its files without an extension: `42-1`. It never changes.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.issue, self.round)
    }

    /// Returns the path of its page below the site's root.
    pub fn page_path(&self) -> String {
        game_page_path(self.issue, self.round)
    }

    /// Returns the path of its current board, without players and moves.
    pub fn board_path(&self) -> String {
        format!("games/{}.board.svg", self.file_stem())
    }

    /// Returns the path of its preview image, on sites that have them.
    pub fn picture_path(&self) -> String {
        format!("games/{}.png", self.file_stem())
    }

    /// Returns the day of the last event as far as it's known: `2025-03-09`, or `1851` for an imported game.
    pub fn end_date(&self) -> Option<String> {
        match &self.imported_day {
            Some(day) if self.last_event_at == self.opened_at => Some(day.clone()).filter(|day| !day.is_empty()),
            _ => to_datetime(self.last_event_at).map(|moment| moment.format("%Y-%m-%d").to_string()),
        }
    }

    /// Returns the year of the last event: `2025`.
    pub fn end_year(&self) -> Option<String> {
        self.end_date()?.split('-').next().map(str::to_owned)
    }

    /// Whether the game belongs to the demonstration, which has no issue.
    pub fn is_demonstration(&self) -> bool {
        self.issue == IssueNumber::default()
    }

    /// Whether the game was played in an issue of its number. A game of the demonstration or from elsewhere has none.
    pub fn has_issue(&self) -> bool {
        !self.is_demonstration() && self.imported_day.is_none()
    }

    /// Whether the game waits for an opponent: a seat is open to anyone.
    pub fn has_open_seat(&self) -> bool {
        self.status == TableStatus::Playing && self.movers.is_none() && self.seats.contains(&None)
    }

    /// Returns a short name: `#42`, `#42, round 2`; `Game 8` for the demonstration.
    pub fn short_name(&self) -> String {
        match (self.issue, self.round) {
            (_, round) if self.is_demonstration() => format!("Game {round}"),
            (issue, 1) => format!("#{issue}"),
            (issue, round) => format!("#{issue}, round {round}"),
        }
    }

    /// Whether the game ended in a win or a draw.
    pub fn has_result(&self) -> bool {
        matches!(self.status, TableStatus::Won(_) | TableStatus::Draw)
    }

    /// Whether the game has a result or a move. Others were declined or ended before they began.
    pub fn was_played(&self) -> bool {
        self.has_result() || self.plies > 0
    }

    /// Returns the people who have a seat.
    pub fn people(&self) -> impl Iterator<Item = &Person> {
        self.seats.iter().filter_map(|player| match player {
            Some(Player::Person(person)) => Some(person),
            _ => None,
        })
    }

    /// Returns the display name of a seat's player.
    pub fn player_name(&self, seat: Seat) -> String {
        match &self.seats[seat.index()] {
            None if self.movers.is_some() => "anyone".to_owned(),
            None => "open seat".to_owned(),
            Some(player) => player.name_with_level(),
        }
    }

    /// Whether a crowd plays.
    pub fn has_crowd(&self) -> bool {
        self.seats.contains(&Some(Player::Crowd))
    }

    /// Returns the display name of a side: `White`.
    pub fn side_name(&self, seat: Seat) -> String {
        self.kind.info().side_name(seat)
    }

    /// Returns the title: `Chess: alice – bob`.
    pub fn title(&self) -> String {
        let title = self.game.title();
        match self.movers {
            Some(_) => format!("{title}: open table #{}", self.issue),
            None => format!("{title}: {} – {}", self.player_name(Seat::First), self.player_name(Seat::Second)),
        }
    }

    /// Returns the score: `1 – 0`; the status for games without a result.
    pub fn score(&self) -> &'static str {
        match self.status {
            TableStatus::Won(Seat::First) => "1 – 0",
            TableStatus::Won(Seat::Second) => "0 – 1",
            TableStatus::Draw => "½ – ½",
            TableStatus::Aborted => "no result",
            TableStatus::Moved(_) => "moved",
            TableStatus::Playing => "playing",
        }
    }
}

/// Returns when the player to move runs out of time; `None` without a clock, or if nobody has the seat.
fn deadline(table: &Table) -> Option<Timestamp> {
    let is_running = table.is_playing() && table.players().is_occupied(table.player_to_move());
    table.state().turn_clock().filter(|_| is_running).map(|clock| clock.deadline())
}

// Reads records from local files.

/// The maximum size of a file that may be a JSON Schema, in bytes.
const MAX_SCHEMA: usize = 4 << 20;

/// Reads a record from a file.
///
/// `42.json` belongs to issue 42, and `archive/42-1.json` to its first round. The `issue` field decides for files with
/// other names.
///
/// # Errors
/// Returns an error if the file can't be read, isn't a valid record, or doesn't match its name.
pub fn load_record(path: &Path) -> Result<Table> {
    RecordFiles::read(path)?.load(path)
}

/// The texts that a table is read from.
pub(crate) struct RecordFiles {
    /// The record.
    pub(crate) record: String,
    /// The summary beside the record of a current round; empty if there is none.
    summary: String,
}

impl RecordFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// Returns an error if the record can't be read.
    pub(crate) fn read(path: &Path) -> Result<RecordFiles> {
        let record = read_text(path, state_file::MAX_BYTES)?;
        let is_current = |name: &(IssueNumber, Option<u32>)| name.1.is_none();
        let current = parse_record_name(path).filter(is_current).zip(path.parent());
        let summary = current.and_then(|((issue, _), dir)| {
            let file = dir.join(StatePath::Running(issue).to_string());
            check_regular_file(&file, dir).ok().and_then(|()| read_text(&file, state_file::MAX_BYTES).ok())
        });
        Ok(RecordFiles { record, summary: summary.unwrap_or_default() })
    }

    /// Returns a hash of both texts.
    pub(crate) fn hash(&self) -> String {
        let hash = Sha256::new().chain_update(self.record.len().to_le_bytes()).chain_update(&self.record);
        hex::encode(hash.chain_update(&self.summary).finalize())
    }

    /// Replays the record. The table has what only the summary says; see [`GameSummary::complete`].
    ///
    /// # Errors
    /// Returns an error in the same cases as [`load_record`].
    pub(crate) fn load(&self, path: &Path) -> Result<Table> {
        let name = parse_record_name(path);
        let issue = match name {
            Some((issue, _)) => issue,
            None => {
                let record: Value = serde_json::from_str(&self.record).unwrap_or_default();
                let issue = record["issue"].as_u64().map(IssueNumber::new);
                issue.context("neither its name nor its `issue` says which issue it belongs to")?
            }
        };
        let table = state_file::load(&self.record, issue)?;
        match name.and_then(|(_, round)| round) {
            Some(round) if round != table.round() => {
                bail!("`round` is {}, but the file is named for round {round}", table.round())
            }
            _ => {}
        }
        match GameSummary::parse(&self.summary, issue) {
            Ok(game) if table.is_playing() => Ok(game.complete(table)),
            _ => Ok(table),
        }
    }
}

/// Parses the issue and the round, if any, from a file name; `None` if it isn't a record's.
pub fn parse_record_name(path: &Path) -> Option<(IssueNumber, Option<u32>)> {
    let name = path.file_name()?.to_str()?;
    match StatePath::parse(name).or_else(|| StatePath::parse(&format!("archive/{name}")))? {
        StatePath::Record(issue) => Some((issue, None)),
        StatePath::ArchivedRecord { issue, round } => Some((issue, Some(round))),
        _ => None,
    }
}

/// Checks that a path is a regular file inside `root`.
///
/// Reading a pipe could block forever, and a link could lead anywhere.
///
/// # Errors
/// Returns an error if it is anything else, or links to a file outside `root`.
pub fn check_regular_file(path: &Path, root: &Path) -> Result<()> {
    let target = path.canonicalize()?;
    if !target.starts_with(root.canonicalize()?) {
        bail!("it links to a place outside {}", root.display());
    }
    if !target.metadata()?.is_file() {
        bail!("it isn't a regular file");
    }
    Ok(())
}

/// Whether a file is a JSON Schema, such as `record.schema.json`, which is next to the records.
pub fn is_json_schema(path: &Path) -> bool {
    let text = read_text(path, MAX_SCHEMA).unwrap_or_default();
    serde_json::from_str::<JsonSchema>(&text).is_ok()
}

/// The field that identifies a JSON Schema.
#[derive(Deserialize)]
struct JsonSchema {
    #[serde(rename = "$schema")]
    _schema: String,
}

/// Reads at most `limit` bytes of a text file, plus one byte if the file is longer, so that the caller notices. Its lines end as
/// in git, even if git checked them out with the line endings of Windows.
///
/// # Errors
/// Returns an error if the file can't be read or isn't UTF-8.
pub fn read_text(path: &Path, limit: usize) -> Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit as u64 + 1).read_to_string(&mut text)?;
    Ok(if text.contains('\r') { text.replace("\r\n", "\n") } else { text })
}

/// Returns the `.json` files of a directory in order; empty if the directory doesn't exist.
///
/// # Errors
/// Returns an error if the directory can't be read.
pub fn json_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
    };
    let entries = entries.with_context(|| format!("{} can't be read", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.iter().map(std::fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    Ok(paths)
}
