//! The state file: its fields, versions and limits. Reading it replays its history.
//!
//! The program trusts only a file's setup, repository, history, `through` and usernames. It derives everything else again and
//! compares, so it refuses a file that was edited by hand, truncated or made up. The message names the field.

use std::time::Duration;

use game::{Game, Info, PositionJson, Rules, Seat};
use games::{AnyMove, GameKind, with_game};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::history::{HostMove, SeatNames};
use crate::players::PlayerFields;
use crate::timestamp::to_millis;
use crate::{
    CommentId, CrowdRule, Event, IssueNumber, Mover, OpenRule, Person, PgnTags, Player, RatingChange, RepositoryId,
    ResultNumber, Table, TableStatus, Terms, Timestamp, is_login, json,
};

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 2;
/// The description of the versions in the JSON Schema.
const DESCRIPTION: &str = "Version 2. It may grow: new types of events, new consequences in `then`, new kinds of players, and new \
    optional fields may be added. Everything described here keeps its meaning.";
/// The maximum size of a record, in bytes. GitHub returns at most 512 KB of a file.
pub const MAX_BYTES: usize = 440_000;
/// The bytes reserved for the event that ends a game. Few other events need this much; the longest has 200 conditional moves.
const ENDING_BYTES: usize = 8_000;
/// The size above which only an ending is written, so there is always room for one.
const FULL_BYTES: usize = MAX_BYTES - ENDING_BYTES;
/// The size above which no conditional moves are written, so they can't fill a record.
const MAX_BYTES_WITH_LINES: usize = MAX_BYTES / 2;
/// The maximum number of events in a record.
pub const MAX_EVENTS: usize = 2_000;

/// The fields of a state file, in the order in which they are written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Record")]
struct RecordFields<C, P, S, E> {
    /// The version of this format. Readers look at it first.
    schema: u32,
    /// The number of the issue that the game is played in.
    issue: IssueNumber,
    /// The ID of the repository that the game is played in, which a copy of the repository doesn't have. Omitted in a terminal, and
    /// in records of the command line, until the bot plays on there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<RepositoryId>,
    /// 1 for the first game at this table, 2 for its rematch, and so on.
    round: u32,
    /// The name of the game.
    game: String,
    /// The settings of the game.
    config: C,
    /// The time limit of one move, in milliseconds, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    per_move: Option<u64>,
    /// The extra time of each player for the whole game, in milliseconds, if there is a bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bank: Option<u64>,
    /// The rule that lets anyone move, at an open table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<OpenRule>,
    /// Whether the game is casual, so it changes no ratings. Rated games omit this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    casual: bool,
    /// Whether the table plays a player's only legal move for them. Other games omit this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    autoplay: bool,
    /// How a crowd votes, if it has a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crowd: Option<CrowdRule>,
    /// The facts about an imported game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    imported: Option<PgnTags>,
    /// The last move by the host, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_from: Option<HostMove>,
    /// The players by the names of their seats; null is an open seat.
    seats: serde_json::Map<String, Value>,
    /// The people who moved at an open table and how often, the most active first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    movers: Vec<Mover>,
    /// The status of the table.
    status: StatusName,
    /// The seat to move. After the end of the game, it is the seat that would move next.
    current_player: S,
    /// The seat that won; null if none did.
    winner: Option<S>,
    /// The first completed line, as its cells (or as its boards, if lines are made of boards).
    winning_line: Option<Vec<usize>>,
    /// All completed lines, in the same form.
    winning_lines: Vec<Vec<usize>>,
    /// The position on the board.
    position: P,
    /// All events, oldest first. The list only grows: a takeback is an event, too.
    history: Vec<E>,
    /// The floor: every comment in the issue up to this id is settled.
    #[serde(rename = "through")]
    settled_through: CommentId,
    /// The time at which the table was opened, in milliseconds since 1970-01-01 UTC; 0 if it isn't known.
    start_time: Timestamp,
    /// The time at which the game ended; null during the game, 0 if it isn't known.
    end_time: Option<Timestamp>,
    /// The number of this game among the results of its kind in the standings, if they count it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counted: Option<ResultNumber>,
    /// The variant that counts the result. Omitted if the game itself counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counted_as: Option<String>,
    /// How the result changed the players' ratings, in the order of their seats. Omitted if it changed none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ratings: Option<[RatingChange; 2]>,
}

/// The fields of a file of any game.
type ReadFields = RecordFields<Value, Value, Value, Event<AnyMove, Value>>;
/// The fields that differ between games, for the schema.
type GameFields<G> = RecordFields<
    <G as Rules>::Config,
    <G as PositionJson>::Position,
    SeatNames<G>,
    Event<<G as Rules>::Move, SeatNames<G>>,
>;

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum StatusName {
    Playing,
    Won,
    Draw,
    Aborted,
    Moved,
}

/// The fields that every version of the format has. They are read first.
#[derive(Deserialize)]
struct Header {
    schema: u32,
    game: String,
}

/// Parses the state file of the table in this issue.
///
/// # Errors
/// Returns an error if the file is invalid: a sentence for the host that names the field. Never overwrite such a file.
pub fn load(text: &str, issue: IssueNumber) -> Result<Table, InvalidFile> {
    if text.len() > MAX_BYTES {
        return Err(format!("it's {} bytes long, more than the limit of {MAX_BYTES}", text.len()).into());
    }
    let header: Header = parse(text)?;
    if header.schema > SCHEMA_VERSION {
        return Err(format!(
            "`schema` is {}, but this version of play-by-commit only reads up to {SCHEMA_VERSION}: use a newer version of the action",
            header.schema
        ).into());
    }
    if header.schema < SCHEMA_VERSION {
        return Err(format!("`schema` is {}, but no release ever wrote that version", header.schema).into());
    }
    let kind =
        GameKind::from_name(&header.game).ok_or("this version of play-by-commit doesn't know the game in `game`")?;
    let written: ReadFields = parse(text).map_err(|error| player_fault(text, kind.info()).unwrap_or(error))?;
    let table = replay(&written, kind, issue)?;
    // The file has to match the table that its history gives. Most files match to the byte.
    if to_json(&table) == text {
        return Ok(table);
    }
    // A file with another layout is compared field by field. This also finds unknown fields.
    let given = json::to_value(&record_fields(&table));
    first_difference(&parse(text)?, &given, "").map_or(Ok(table), |sentence| Err(sentence.into()))
}

/// Returns the text of a state file.
pub fn to_json(table: &Table) -> String {
    json::to_text(&record_fields(table))
}

/// Returns the JSON Schema of a state file: one alternative per game, with all definitions at the root.
pub fn schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let games: Vec<Value> = GameKind::ALL
        .iter()
        .map(|kind| {
            with_game!(*kind, G => {
                let mut schema = GameFields::<G>::json_schema(&mut generator).to_value();
                schema["title"] = G::INFO.title.into();
                schema["properties"]["game"] = serde_json::json!({ "const": G::INFO.name });
                schema["properties"]["schema"] = serde_json::json!({ "const": SCHEMA_VERSION });
                schema["properties"]["seats"] = seats_schema::<G>(&mut generator);
                schema
            })
        })
        .collect();
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A table of Play by Commit: state/ISSUE.json",
        "description": DESCRIPTION,
        "anyOf": games,
        "$defs": generator.take_definitions(true),
    })
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, InvalidFile> {
    serde_json::from_str(text)
        .map_err(|error| format!("it isn't a valid record: {}", json::error_message(&error)).into())
}

/// Builds a table from the fields of its record.
fn replay(fields: &ReadFields, kind: GameKind, issue: IssueNumber) -> Result<Table, InvalidFile> {
    if fields.issue != issue {
        return Err(format!("`issue` is {}, but the file belongs to issue {issue}", fields.issue).into());
    }
    if fields.round == 0 {
        return Err("`round` is 0, but rounds start at 1".into());
    }
    if fields.history.is_empty() || fields.history.len() > MAX_EVENTS {
        return Err(format!("`history` has {} events; a record has 1 to {MAX_EVENTS}", fields.history.len()).into());
    }
    let people = people(&fields.seats, &fields.movers, kind.info())?;
    let [per_move, bank] = [fields.per_move, fields.bank].map(|limit| limit.map(Duration::from_millis));
    let RecordFields { open, casual, autoplay, crowd, .. } = *fields;
    let terms = Terms { per_move, bank, open, casual, autoplay, crowd };
    let start = kind.read_config(&fields.config).map_err(|error| invalid_record(&error, "config"))?;
    let start = start.map_err(|rule| format!("a game can't start from `config`: {rule}"))?;
    let table = Table::new(issue, fields.round, start, terms);
    if let Some(fault) = fields.imported.as_ref().and_then(PgnTags::find_fault) {
        return Err(format!("`imported` {fault}").into());
    }
    if fields.moved_from.is_some_and(|host_move| host_move.events > fields.history.len()) {
        return Err("`movedFrom.events` is more than the events of `history`".into());
    }
    let table = table.with_repository(fields.repository);
    let mut table = table.with_imported(fields.imported.clone()).with_host_move(fields.moved_from);
    for (at, event) in fields.history.iter().enumerate() {
        let event = json::read_event(event.clone(), table.game());
        let event = event.map_err(|error| invalid_record(&error, &format!("history[{at}]")))?;
        // If the file doesn't name a person, they're called `?`, which can't be a username.
        let login = people.iter().find(|person| person.id == event.author).map_or("?", |person| &person.login);
        table = table.replay(event, login).map_err(|why| format!("`history[{at}]` can't have happened: {why}"))?;
    }
    if fields.counted.is_some() && !table.has_result() {
        return Err("`counted` is set, but there is no result to count".into());
    }
    check_rating_changes(fields, &table)?;
    let table = table.with_settled_through(fields.settled_through).with_result_number(fields.counted);
    Ok(table.with_rating_changes(fields.ratings))
}

/// Checks that the record has rating changes only for a counted result between two people, and that they are in range.
fn check_rating_changes(fields: &ReadFields, table: &Table) -> Result<(), InvalidFile> {
    let Some(changes) = fields.ratings else { return Ok(()) };
    let is_between_people = Seat::BOTH.into_iter().all(|seat| table.players().has_person(seat));
    if fields.counted.is_none() || !is_between_people {
        return Err("`ratings` is set, but the result changes no ratings".into());
    }
    if !changes.iter().all(RatingChange::is_in_range) {
        return Err("`ratings` has a number that is out of range".into());
    }
    Ok(())
}

fn invalid_record(error: &serde_json::Error, path: &str) -> InvalidFile {
    format!("it isn't a valid record: {} in {}", json::error_message(error), quote_field(path, "")).into()
}

/// Whether a record has no room for another event, except one that ends its game.
pub fn is_full(table: &Table) -> bool {
    exceeds(table, FULL_BYTES)
}

/// Whether a record is full, or so nearly full that the next move may not fit.
pub fn is_nearly_full(table: &Table) -> bool {
    exceeds(table, FULL_BYTES - ENDING_BYTES)
}

/// Whether a record is too long for more conditional moves.
pub(super) fn is_too_long_for_lines(table: &Table) -> bool {
    exceeds(table, MAX_BYTES_WITH_LINES)
}

fn exceeds(table: &Table, bytes: usize) -> bool {
    table.history().len() + 1 >= MAX_EVENTS || to_json(table).len() > bytes
}

/// Returns the people at the table. The history contains only their IDs.
fn people(seats: &serde_json::Map<String, Value>, movers: &[Mover], game: &Info) -> Result<Vec<Person>, InvalidFile> {
    if let Some(at) = movers.iter().position(|mover| !is_login(&mover.login)) {
        return Err(format!("`movers[{at}].login` isn't a valid username").into());
    }
    let movers = movers.iter().map(|mover| Person { id: mover.id, login: mover.login.clone() });
    let mut people: Vec<Person> = movers.collect();
    for seat in Seat::BOTH {
        let name = game.seat_name(seat);
        let fields: Option<PlayerFields> = json::from_value(seats.get(name).unwrap_or(&Value::Null))
            .map_err(|error| format!("`seats.{name}` isn't a player: {}", json::error_message(&error)))?;
        let player = fields.map(Player::try_from).transpose().map_err(|fault| format!("`seats.{name}{fault}"))?;
        people.extend(player.as_ref().and_then(Player::known_person).cloned());
    }
    Ok(people)
}

/// Returns what is wrong with the first invalid player of a record that can't be parsed. The parser's message doesn't have the
/// path.
fn player_fault(text: &str, game: &Info) -> Option<InvalidFile> {
    let record: Value = serde_json::from_str(text).ok()?;
    let seats = game.seats.map(|name| (format!("seats.{name}"), &record["seats"][name]));
    let events = record["history"].as_array()?.iter().enumerate();
    let opponents = events.map(|(at, event)| (format!("history[{at}].opponent"), &event["opponent"]));
    seats.into_iter().chain(opponents).find_map(|(path, player)| {
        let fields: PlayerFields = json::from_value(player).ok()?;
        Some(format!("`{path}{}", Player::try_from(fields).err()?).into())
    })
}

/// Returns the fields of a table's record.
fn record_fields(table: &Table) -> RecordFields<Value, Value, Value, Value> {
    let (game, info) = (table.game(), table.info());
    let lines = game.winning_lines();
    let name = |seat| info.seat_name(seat);
    let (status, winner) = match table.status() {
        TableStatus::Playing => (StatusName::Playing, None),
        TableStatus::Won(seat) => (StatusName::Won, Some(name(seat).into())),
        TableStatus::Draw => (StatusName::Draw, None),
        TableStatus::Aborted => (StatusName::Aborted, None),
        TableStatus::Moved(_) => (StatusName::Moved, None),
    };
    RecordFields {
        schema: SCHEMA_VERSION,
        issue: table.issue(),
        repository: table.repository(),
        round: table.round(),
        game: info.name.to_owned(),
        config: game.config_json(),
        per_move: table.terms().per_move.map(to_millis),
        bank: table.terms().bank.map(to_millis),
        open: table.terms().open,
        casual: table.terms().casual,
        autoplay: table.terms().autoplay,
        crowd: table.terms().crowd,
        imported: table.imported().cloned(),
        moved_from: table.host_move(),
        seats: Seat::BOTH
            .into_iter()
            .map(|seat| (name(seat).to_owned(), json::to_value(&table.player(seat))))
            .collect(),
        movers: table.movers(),
        status,
        current_player: name(table.player_to_move()).into(),
        winner,
        winning_line: lines.first().cloned(),
        winning_lines: lines,
        position: game.position_json(),
        history: table.history().iter().map(|event| json::event_to_value(event, game)).collect(),
        settled_through: table.settled_through(),
        start_time: table.history().first().map_or(Timestamp::EPOCH, |event| event.timestamp),
        end_time: if table.is_playing() { None } else { table.history().last().map(|event| event.timestamp) },
        counted: table.result_number(),
        ratings: table.rating_changes(),
        counted_as: table.counted_variant().map(|variant| variant.name.to_owned()),
    }
}

/// Returns a sentence about the first field that differs from what the history gives; `None` if they match.
fn first_difference(file: &Value, replayed: &Value, path: &str) -> Option<String> {
    match (file, replayed) {
        (Value::Object(file), Value::Object(replayed)) => {
            let unknown = file.keys().find(|key| !replayed.contains_key(*key));
            if let Some(key) = unknown {
                return Some(format!("{} isn't a field of a record", quote_field(path, key)));
            }
            replayed.iter().find_map(|(key, value)| match file.get(key) {
                None => Some(format!("{} is missing", quote_field(path, key))),
                Some(field) => first_difference(field, value, &format!("{path}.{key}")),
            })
        }
        (Value::Array(file), Value::Array(replayed)) if file.len() == replayed.len() => {
            let mut pairs = file.iter().zip(replayed).enumerate();
            pairs.find_map(|(at, (item, value))| first_difference(item, value, &format!("{path}[{at}]")))
        }
        // Other programs write 1500.0 as 1500.
        (Value::Number(file), Value::Number(replayed)) if replayed.is_f64() && file.as_f64() == replayed.as_f64() => {
            None
        }
        _ if file == replayed => None,
        _ => {
            let says = json::code_span(file);
            Some(format!("{} says {says}, but the history gives {}", quote_field(path, ""), json::code_span(replayed)))
        }
    }
}

/// Returns the name of a field for a sentence. It comes from a file, so it can't contain anything that closes the code
/// span.
fn quote_field(path: &str, key: &str) -> String {
    let dot = if key.is_empty() { "" } else { "." };
    let path = format!("{path}{dot}{key}");
    let clean: String =
        path.trim_start_matches('.').chars().filter(|c| c.is_ascii_graphic() && *c != '`').take(80).collect();
    format!("`{clean}`")
}

fn seats_schema<G: Game>(generator: &mut SchemaGenerator) -> Value {
    let player = generator.subschema_for::<Option<PlayerFields>>();
    let seats = G::INFO.seats;
    serde_json::json!({
        "description": "The players by the names of their seats. null is an open seat. A player without an id has a seat reserved for that login. The computer has only its level, and a crowd only `crowd`.",
        "type": "object",
        "properties": { seats[0]: player.clone(), seats[1]: player },
        "required": seats,
        "additionalProperties": false,
    })
}

// [`InvalidFile`], the reason why a file of the state directory can't be used.

/// An error in a record or in the standings. It is a sentence for the host that names the field or the file, without
/// the period at its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidFile(String);

impl From<String> for InvalidFile {
    fn from(sentence: String) -> InvalidFile {
        InvalidFile(sentence)
    }
}

impl From<&str> for InvalidFile {
    fn from(sentence: &str) -> InvalidFile {
        InvalidFile(sentence.to_owned())
    }
}
