//! The files of the standings: their fields, their limits, and how to parse them.
//!
//! - `players/ID.json`: a person's results
//! - `players/GAME.json`: the ranking of a game or a variant
//! - `players/open.json`: the ranking of the open tables
//! - `players/computer.json`: the ranking of the people who have beaten the computer
//!
//! Parsing refuses a file that this program couldn't have written. The error names the file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use game::Level;
use games::{GameKind, GameVariant};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use table::{InvalidFile, StatePath, Timestamp, UserId, is_login, json};

/// The version of the format that this program reads and writes.
pub const SCHEMA_VERSION: u32 = 1;
/// The maximum size of a file, in bytes.
pub const MAX_BYTES: usize = 60_000;
/// The maximum number of people in a ranking.
pub const RANKING_SIZE: usize = 100;
/// The maximum of every count in a file.
const MAX_COUNT: u64 = 1_000_000_000_000;

/// A person's results: `players/ID.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayerFile {
    /// The version of this format.
    pub schema: u32,
    /// The numeric user id, which is also the name of the file.
    pub id: UserId,
    /// The username in the game that ended last. It is only displayed; the id identifies the person.
    pub login: String,
    /// The time when that game ended, in milliseconds since 1970-01-01 UTC.
    pub last_result: Timestamp,
    /// The results in each game or variant, by its name.
    pub games: BTreeMap<String, GameScore>,
    /// The results at open tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenScore>,
    /// The wins against the computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computer: Option<ComputerScore>,
}

/// A person's results against other people in one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GameScore {
    /// The number of counted results.
    pub games: u64,
    /// The number of wins.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of losses.
    pub losses: u64,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
    /// The volatility of the rating: how much the player's strength is expected to change.
    pub volatility: f64,
}

/// A person's results at open tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenScore {
    /// The number of finished games in which they moved.
    pub games: u64,
    /// The number of their moves in those games, without moves that were taken back.
    pub moves: u64,
}

/// A person's wins against the computer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComputerScore {
    /// The number of wins.
    pub wins: u64,
    /// The highest level that they have beaten in each game, by the game's name.
    pub beaten: BTreeMap<String, Level>,
}

/// A ranking: `players/GAME.json`, `players/open.json` or `players/computer.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ranking<E> {
    /// The version of this format.
    pub schema: u32,
    /// The name of the game, `open` or `computer`.
    pub game: String,
    /// The number of counted results of this kind, which is also the number of the last one.
    pub counted: u64,
    /// The number of people who have such a result, including people who aren't in the ranking.
    pub players: u64,
    /// The top people in order, at most a hundred.
    pub top: Vec<E>,
}

/// A row of a game's ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatedRow {
    /// The numeric user id.
    pub id: UserId,
    /// The username in their last result.
    pub login: String,
    /// The number of counted results.
    pub games: u64,
    /// The number of wins.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of losses.
    pub losses: u64,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The standard deviation of the rating.
    pub deviation: f64,
}

/// A row of the ranking of the open tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRow {
    /// The numeric user id.
    pub id: UserId,
    /// The username in their last result.
    pub login: String,
    /// The number of finished games in which they moved.
    pub games: u64,
    /// The number of their moves in those games, without moves that were taken back.
    pub moves: u64,
}

/// A row of the ranking of the people who have beaten the computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComputerRow {
    /// The numeric user id.
    pub id: UserId,
    /// The username in their last result.
    pub login: String,
    /// The number of wins.
    pub wins: u64,
    /// The highest level that they have beaten in each game, by the game's name.
    pub beaten: BTreeMap<String, Level>,
}

/// A file of the standings.
pub trait StandingsFile: Serialize + DeserializeOwned {
    /// Checks what the types can't express. `name` is the name of the file without `.json`.
    ///
    /// # Errors
    /// Returns an error that says what is wrong.
    fn check(&self, name: &str) -> Result<(), InvalidFile>;
}

/// A row of a ranking.
pub trait RankingRow: Clone + PartialEq + Serialize + DeserializeOwned {
    /// Returns the person's user id.
    fn id(&self) -> UserId;
    /// Returns the person's username.
    fn login(&self) -> &str;
    /// Returns the number of results in the row.
    fn games(&self) -> u64;
    /// Returns the sort key of the ranking, in ascending order.
    fn sort_key(&self) -> impl Ord;
    /// Checks what the types can't express.
    ///
    /// # Errors
    /// Returns an error that says which number is wrong.
    fn check(&self) -> Result<(), InvalidFile>;
}

/// Returns the path of a file of the standings below the state directory.
pub fn file_path(name: &str) -> String {
    StatePath::Standings(name.to_owned()).to_string()
}

/// Parses and checks a file. `name` is the name of the file without `.json`.
///
/// # Errors
/// Returns an error that names the file if it is damaged.
pub fn parse_file<S: StandingsFile>(name: &str, text: &str) -> Result<S, InvalidFile> {
    parse_and_check(name, text).map_err(|why| InvalidFile::from(format!("`{}` is damaged: {why}", file_path(name))))
}

impl RatedRow {
    /// Creates the row of a person with these results.
    pub fn new(id: UserId, login: &str, score: &GameScore) -> RatedRow {
        let GameScore { games, wins, draws, losses, rating, deviation, .. } = *score;
        RatedRow { id, login: login.to_owned(), games, wins, draws, losses, rating, deviation }
    }
}

impl OpenRow {
    /// Creates the row of a person with these results.
    pub fn new(id: UserId, login: &str, score: &OpenScore) -> OpenRow {
        OpenRow { id, login: login.to_owned(), games: score.games, moves: score.moves }
    }
}

impl ComputerRow {
    /// Creates the row of a person with these wins.
    pub fn new(id: UserId, login: &str, score: &ComputerScore) -> ComputerRow {
        ComputerRow { id, login: login.to_owned(), wins: score.wins, beaten: score.beaten.clone() }
    }
}

impl RankingRow for ComputerRow {
    fn id(&self) -> UserId {
        self.id
    }

    fn login(&self) -> &str {
        &self.login
    }

    fn games(&self) -> u64 {
        self.wins
    }

    fn sort_key(&self) -> impl Ord {
        (Reverse(self.beaten.values().max().copied()), Reverse(self.wins), self.id)
    }

    fn check(&self) -> Result<(), InvalidFile> {
        check_beaten(self.wins, &self.beaten)
    }
}

impl RankingRow for RatedRow {
    fn id(&self) -> UserId {
        self.id
    }

    fn login(&self) -> &str {
        &self.login
    }

    fn games(&self) -> u64 {
        self.games
    }

    /// Sorts by the rating minus two deviations. It compares whole hundredths, because rounding errors mustn't break a
    /// tie.
    #[allow(clippy::cast_possible_truncation)]
    fn sort_key(&self) -> impl Ord {
        let hundredths = |value: f64| (value * 100.0).round() as i64;
        (Reverse(hundredths(self.rating) - 2 * hundredths(self.deviation)), self.id)
    }

    fn check(&self) -> Result<(), InvalidFile> {
        check_results(self.games, [self.wins, self.draws, self.losses])?;
        check_number("rating", self.rating, RATINGS)?;
        check_number("deviation", self.deviation, DEVIATIONS)
    }
}

impl RankingRow for OpenRow {
    fn id(&self) -> UserId {
        self.id
    }

    fn login(&self) -> &str {
        &self.login
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn sort_key(&self) -> impl Ord {
        (Reverse(self.moves), Reverse(self.games), self.id)
    }

    fn check(&self) -> Result<(), InvalidFile> {
        check_open_score(self.games, self.moves)
    }
}

impl StandingsFile for PlayerFile {
    fn check(&self, name: &str) -> Result<(), InvalidFile> {
        if self.id.to_string() != name {
            return Err(format!("`id` is {}, but the file is named for {name}", self.id).into());
        }
        if !is_login(&self.login) {
            return Err("`login` isn't a valid username".into());
        }
        for (game, score) in &self.games {
            let known = GameVariant::from_name(game).ok_or_else(|| {
                format!(
                    "this version of play-by-commit doesn't know the game {}",
                    json::code_span(&game.as_str().into())
                )
            })?;
            let checked = check_results(score.games, [score.wins, score.draws, score.losses])
                .and_then(|()| check_number("rating", score.rating, RATINGS))
                .and_then(|()| check_number("deviation", score.deviation, DEVIATIONS))
                .and_then(|()| check_number("volatility", score.volatility, VOLATILITIES));
            checked.map_err(|why| InvalidFile::from(format!("in `games.{}`, {why}", known.name())))?;
        }
        let open = self.open.as_ref().map_or(Ok(()), |score| check_open_score(score.games, score.moves));
        open.map_err(|why| InvalidFile::from(format!("in `open`, {why}")))?;
        let computer = self.computer.as_ref().map_or(Ok(()), |score| check_beaten(score.wins, &score.beaten));
        computer.map_err(|why| InvalidFile::from(format!("in `computer`, {why}")))
    }
}

impl<E: RankingRow> StandingsFile for Ranking<E> {
    fn check(&self, name: &str) -> Result<(), InvalidFile> {
        if self.game != name {
            return Err(format!(
                "`game` is {}, but the file is named for {name}",
                json::code_span(&self.game.clone().into())
            )
            .into());
        }
        if self.counted > MAX_COUNT {
            return Err("`counted` is too large".into());
        }
        if self.players > MAX_COUNT {
            return Err("`players` is too large".into());
        }
        if self.top.len() > RANKING_SIZE || self.top.len() as u64 != self.players.min(RANKING_SIZE as u64) {
            return Err(format!("`top` has {} people, but `players` says {}", self.top.len(), self.players).into());
        }
        let mut ids = BTreeSet::new();
        for (at, row) in self.top.iter().enumerate() {
            let checked = match row {
                _ if !ids.insert(row.id()) => Err("a person appears for the second time".into()),
                _ if !is_login(row.login()) => Err("`login` isn't a valid username".into()),
                _ if row.games() > self.counted => Err("`games` is more than `counted`".into()),
                _ => row.check(),
            };
            // Only checked numbers have a meaningful order.
            let check_order = || match at.checked_sub(1).and_then(|before| self.top.get(before)) {
                Some(before) if before.sort_key() >= row.sort_key() => Err("the order is wrong".into()),
                _ => Ok(()),
            };
            checked.and_then(|()| check_order()).map_err(|why| InvalidFile::from(format!("in `top[{at}]`, {why}")))?;
        }
        Ok(())
    }
}

/// The fields that every version of the format has.
#[derive(Deserialize)]
struct Header {
    schema: u32,
}

fn parse_and_check<S: StandingsFile>(name: &str, text: &str) -> Result<S, InvalidFile> {
    if text.len() > MAX_BYTES {
        return Err(format!("it's {} bytes long, more than the limit of {MAX_BYTES}", text.len()).into());
    }
    let Header { schema } = parse(text)?;
    if schema != SCHEMA_VERSION {
        return Err(
            format!("`schema` is {schema}, but this version of play-by-commit only reads {SCHEMA_VERSION}").into()
        );
    }
    let file: S = parse(text)?;
    file.check(name).map(|()| file)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, InvalidFile> {
    serde_json::from_str(text).map_err(|error| InvalidFile::from(json::error_message(&error)))
}

fn check_results(games: u64, results: [u64; 3]) -> Result<(), InvalidFile> {
    let sum = results.iter().try_fold(0_u64, |sum, count| sum.checked_add(*count));
    match games {
        1..=MAX_COUNT if sum == Some(games) => Ok(()),
        1..=MAX_COUNT => Err("`wins`, `draws` and `losses` don't add up to `games`".into()),
        _ => Err(format!("`games` has to be from 1 to {MAX_COUNT}").into()),
    }
}

fn check_open_score(games: u64, moves: u64) -> Result<(), InvalidFile> {
    let plausible = (1..=moves).contains(&games) && moves <= MAX_COUNT;
    if plausible { Ok(()) } else { Err("`games` has to be at least 1, and `moves` at least as many".into()) }
}

fn check_beaten(wins: u64, beaten: &BTreeMap<String, Level>) -> Result<(), InvalidFile> {
    let known = beaten.keys().all(|game| GameKind::from_name(game).is_some());
    if beaten.values().any(|level| *level == Level::LEARNING) {
        return Err("`beaten` has level 0, which doesn't count".into());
    }
    let plausible = known && (1..=wins).contains(&(beaten.len() as u64)) && wins <= MAX_COUNT;
    if plausible { Ok(()) } else { Err("`beaten` and `wins` contradict each other".into()) }
}

/// Checks that a number is within its bounds and has no more decimals than the files keep.
fn check_number(name: &str, value: f64, (range, steps): Bounds) -> Result<(), InvalidFile> {
    let (low, high) = (range.start(), range.end());
    #[allow(clippy::float_cmp)]
    match value {
        _ if !range.contains(&value) => {
            Err(format!("`{name}` is {value}, but it has to be from {low} to {high}").into())
        }
        _ if round_to(value, steps) != value => Err(format!("`{name}` is {value}, which has too many digits").into()),
        _ => Ok(()),
    }
}

// The bounds and the decimals of the numbers in the standings.
//
// Ratings and deviations have two decimals. Volatilities have eight, because the first games change them in the
// seventh.
//
// - Ratings stay between 0 and 5000.
// - Deviations stay between 30 and 350. The minimum keeps every rating moving; the maximum is a newcomer's deviation.
// - Volatilities stay between 0.01 and 0.2.

/// The range of a number, and the steps per unit that the files keep: 100 steps are two decimals.
pub(super) type Bounds = (RangeInclusive<f64>, f64);
/// The bounds of a rating, with two decimals.
pub(super) const RATINGS: Bounds = (0.0..=5000.0, 100.0);
/// The bounds of a deviation, with two decimals.
pub(super) const DEVIATIONS: Bounds = (30.0..=350.0, 100.0);
/// The bounds of a volatility, with eight decimals.
pub(super) const VOLATILITIES: Bounds = (0.01..=0.2, 100_000_000.0);

/// Rounds a number to the steps that the files keep.
fn round_to(value: f64, steps: f64) -> f64 {
    (value * steps).round() / steps
}

/// Clamps a number to its bounds and rounds it.
pub(super) fn clamp_and_round(value: f64, (range, steps): Bounds) -> f64 {
    round_to(value.clamp(*range.start(), *range.end()), steps)
}
