//! The rules for other programs: one line of JSON in, one line of JSON out.
//!
//! A request names a game and says how its board came about: from `config` and `moves`, or from a `position`, on top of
//! which `moves` may follow, too. The response says how the game stands, what can be played, and how one more move
//! (`try`) would go. No line depends on another, and the same line always gets the same bytes.
//!
//! ```text
//! {"id":1,"game":"tic-tac-toe","config":{"boardSize":3},"moves":["0","b2"],"try":"c3"}
//! {"id":1,"status":"playing","currentPlayer":"X","winner":null,"winningLines":[],"legalMoves":["b3",...],
//!  "position":{...},"tried":{"ok":true,"notation":"c3","position":{...}}}
//! {"id":2,"error":{"code":"OCCUPIED_CELL","message":"...","context":{"position":4,...,"index":1,"move":"4"}}}
//! ```
//!
//! - `id` is any text, number, `true`, `false` or `null`, and comes back as it was written; `null` where none was given or
//!   none could be read.
//! - A field that is left out has a default, `null` is the same as left out, and a field that is not known is refused.
//! - A request is read as a whole before anything is played. So the order of errors is [`BAD_REQUEST`],
//!   [`UNKNOWN_GAME`] (for what is below `game` depends on it), `BAD_REQUEST` within those fields, then the rules.
//! - A move that cannot be played makes the response an error whose context has its `index` in `moves` and the `move` as
//!   it was written. A `try` that cannot be played is an answer like any other: `"tried":{"ok":false,"error":{...}}`.
//! - `"choose":{"level":8,"seed":1}` adds `chosen`: the move that the computer plays at this level, 1 to 8, the `position` after
//!   it, how many positions it has looked at (`nodes`), and what it thinks of its side (`value`, more than 0 is good, in the
//!   game's own measure). It is `null` where nothing can be chosen. `seed`, 0 unless given, decides between moves that are
//!   as good.
//! - `"results":true` adds `results`, in the order of `legalMoves`: what each of them leads to.
//! - In games with dice an entry of `moves` may be `{"dice":[3,1],"play":"8/5 6/5"}`; where the dice cannot be played, `play`
//!   is left out. Backgammon also says `diceUsable`, how many of the dice can be used, and judges a proposal:
//!   `"validate":{"player":"white","moves":[{"from":7,"to":4,"die":3}]}` adds `validation`.
//! - After the end every move is refused with `TERMINAL_STATE_MOVE`.

use answers::render::{self, code_list};
use game::contract::{Engine, Game, Interop, Notation, Outcome, apply_move};
use game::engine::{EngineMove, Level};
use game::notation::truncate_bytes;
use game::roll::Roll;
use game::rule::{ParseMoveError, RuleError};
use games::registry::{GameKind, with_game};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use table::history::seat_name;
use table::json;
use table::json_path;

/// The most bytes of a request. A longer line need not be kept: its response is [`too_long`].
pub const MAX_LINE: usize = 1 << 20;
/// The most moves of a request.
pub const MAX_MOVES: usize = 2_000;
/// The most bytes of an error that a response repeats, for it can quote a whole request.
const MAX_TOLD: usize = 300;
/// The most bytes of a move or a name that a sentence quotes.
const MAX_QUOTE: usize = 60;

/// The code of a line that is no request: no JSON, an unknown field, a value of the wrong type, too much of something.
pub const BAD_REQUEST: &str = "BAD_REQUEST";
/// The code of a `game` that there is not. The context has its nearest name, if any is near, and all names.
pub const UNKNOWN_GAME: &str = "UNKNOWN_GAME";
/// The code of a text that is not written as moves of the game are.
pub const UNREADABLE_MOVE: &str = "UNREADABLE_MOVE";
/// The code of a text that could mean several moves. The context has them, in canonical notation.
pub const AMBIGUOUS_MOVE: &str = "AMBIGUOUS_MOVE";

/// Returns the response to a request, without the end of the line.
pub fn respond(line: &str) -> String {
    if line.len() > MAX_LINE {
        return line_too_long();
    }
    match id(line) {
        Ok(id) => answered(id, line).unwrap_or_else(|error| failed(id, &error)),
        Err(error) => failed(RawValue::NULL, &error),
    }
}

/// Returns the response to a line of more than [`MAX_LINE`] bytes.
pub fn line_too_long() -> String {
    failed(RawValue::NULL, &bad("", format!("The line is longer than {MAX_LINE} bytes, the limit for a request")))
}

/// Returns the response to a line that is no UTF-8.
pub fn line_not_utf8() -> String {
    failed(RawValue::NULL, &bad("", "The line is not UTF-8"))
}

/// The one field that is read even from a request that is refused, so that its sender can tell which it was.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct Preface<'a> {
    id: Option<&'a RawValue>,
}

/// The fields of a request, each still as written, so that an error can say in which one it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
struct Request<'a> {
    #[serde(rename = "id")]
    _id: Option<&'a RawValue>,
    game: Option<&'a RawValue>,
    config: Option<&'a RawValue>,
    moves: Option<&'a RawValue>,
    position: Option<&'a RawValue>,
    #[serde(rename = "try")]
    attempt: Option<&'a RawValue>,
    results: Option<&'a RawValue>,
    choose: Option<&'a RawValue>,
    validate: Option<&'a RawValue>,
}

/// A response: the state of a game.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    id: &'a RawValue,
    status: &'static str,
    current_player: &'static str,
    winner: Option<&'static str>,
    winning_lines: Vec<Vec<usize>>,
    legal_moves: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<Value>>,
    #[serde(flatten)]
    facts: serde_json::Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<Value>,
    position: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<Tried>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Option<Choice>>,
}

/// Whose choice is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chooser {
    level: Level,
    #[serde(default)]
    seed: u64,
}

/// The move that the computer plays.
#[derive(Serialize)]
struct Choice {
    notation: String,
    position: Value,
    nodes: u64,
    value: i32,
}

/// The result of one more move.
#[derive(Serialize)]
#[serde(untagged)]
enum Tried {
    Legal { ok: bool, notation: String, position: Value },
    Refused { ok: bool, error: Value },
}

/// Returns the id of a request as it is written.
fn id(line: &str) -> Result<&RawValue, RuleError> {
    // A list of values would pass for an object whose fields go without names.
    if !line.trim_start().starts_with('{') {
        return Err(bad("", "The line isn't a JSON object"));
    }
    let unread = |error| bad("", format!("The line isn't a JSON object: {}", told(&error)));
    let id = serde_json::from_str::<Preface>(line).map_err(unread)?.id.unwrap_or(RawValue::NULL);
    match id.get().chars().next() {
        Some('{' | '[') => Err(bad("id", "`id` must be a text, a number, true, false or null")),
        // Half a surrogate pair is an escape like any other to a parser that skips, and to all others it is none.
        Some('"') => read::<String>("id", id.get()).map(|_| id),
        _ => Ok(id),
    }
}

fn answered(id: &RawValue, line: &str) -> Result<String, RuleError> {
    let request: Request =
        serde_json::from_str(line).map_err(|error| bad("", format!("The request can't be read: {}", told(&error))))?;
    let name = request.game.ok_or_else(|| bad("game", format!("`game` is missing; {}", games())))?;
    let name: String = read("game", name.get())?;
    let kind = GameKind::from_name(&name).ok_or_else(|| unknown_game(&name))?;
    with_game!(kind, G => response::<G>(id, &request))
}

fn response<G: Game>(id: &RawValue, request: &Request) -> Result<String, RuleError> {
    let config: G::Config = object("config", request.config.map_or("{}", RawValue::get))?;
    let position: Option<G::Position> = request.position.map(|raw| object("position", raw.get())).transpose()?;
    let moves = request.moves.map_or(Ok(Vec::new()), moves::<G>)?;
    let results: bool = request.results.map_or(Ok(false), |raw| read("results", raw.get()))?;
    let proposal: Option<Value> = request.validate.map(|raw| object("validate", raw.get())).transpose()?;
    let chooser: Option<Chooser> = request.choose.map(|raw| object("choose", raw.get())).transpose()?;
    let attempt: Option<String> = request.attempt.map(|raw| read("try", raw.get())).transpose()?;

    let start = position.map_or_else(|| G::start(&config), |position| G::from_position(&config, &position))?;
    let game = moves.iter().enumerate().try_fold(start, |game, (index, entry)| {
        go_on(game, entry).map_err(|error| with_index(error, index, entry.play.as_deref().unwrap_or_default()))
    })?;
    let tried = attempt.map(|text| match play(&game, &text) {
        Ok((notation, after)) => Tried::Legal { ok: true, notation, position: json::to_value(&after.position()) },
        Err(error) => Tried::Refused { ok: false, error: error_json(&error) },
    });
    let (status, winner) = ending::<G>(game.outcome());
    let validation = proposal.map(|proposal| {
        let title = G::INFO.title;
        let none = || {
            Err(bad(
                "validate",
                format!("`validate` doesn't work for {title}: use `try` to see what's wrong with a move"),
            ))
        };
        game.validate(&proposal).unwrap_or_else(none)
    });
    let legal_moves = game.legal_moves();
    let response = Response {
        id,
        status,
        current_player: seat_name::<G>(game.side_to_move()),
        winner,
        winning_lines: game.winning_lines(),
        results: results.then(|| legal_moves.iter().map(|mv| game.to_json_after(mv)).collect()),
        legal_moves: legal_moves.iter().map(|mv| game.notation(mv)).collect(),
        facts: game.extra_json(),
        validation: validation.transpose()?,
        position: json::to_value(&game.position()),
        tried,
        chosen: chooser.map(|chooser| choice(&game, &chooser)),
    };
    let unwritten = |error| format!("The position can't be written as JSON: {}", told(&error));
    serde_json::to_string(&response).map_err(|error| RuleError::new("INVALID_STATE", unwritten(error), json!({})))
}

fn choice<G: Engine + Interop + Notation>(game: &G, chooser: &Chooser) -> Option<Choice> {
    let EngineMove { mv, nodes, score: value } = game.choose(chooser.level, chooser.seed)?;
    Some(Choice { notation: game.notation(&mv), position: json::to_value(&game.play(&mv).position()), nodes, value })
}

/// Plays one entry of `moves`: a throw, a move, or a throw and its play.
fn go_on<G: Game>(mut game: G, entry: &MoveEntry) -> Result<G, RuleError> {
    if let Some(throw) = entry.dice {
        // A throw where the side on turn could have doubled means that it has chosen to roll.
        if !game.needs_roll() {
            let uncalled = || RuleError::new("NO_THROW_DUE", "No roll is due here", json!({}));
            let roll = game.parse_move("roll").map_err(|_| uncalled())?;
            game = apply_move(&game, &roll).map_err(|error| game.outcome().map_or_else(uncalled, |_| error))?;
        }
        if !throw.iter().all(|die| (1..=6).contains(die)) {
            return Err(RuleError::new("INVALID_DICE", "A roll is two dice, each 1 to 6", json!({})));
        }
        game = game.with_roll(throw);
    }
    match &entry.play {
        Some(text) => play(&game, text).map(|(_, after)| after),
        None => Ok(game),
    }
}

/// Returns the canonical notation of a move as somebody wrote it, and the position after it.
fn play<G: Game>(game: &G, text: &str) -> Result<(String, G), RuleError> {
    if game.needs_roll() {
        let message = "The dice have to be rolled first: an entry of `moves` is {\"dice\":[3,1],\"play\":\"8/5 6/5\"}; leave out \
                       `play` if the dice can't be played";
        return Err(RuleError::new("THROW_DUE", message, json!({})));
    }
    let mv = game.parse_move(text).map_err(|unread| unreadable(game, text, unread))?;
    let after = apply_move(game, &mv)?;
    Ok((game.notation(&mv), after))
}

fn unreadable<G: Game>(game: &G, text: &str, unread: ParseMoveError) -> RuleError {
    if let Some(outcome) = game.outcome() {
        // Games whose moves have names can read none when there are none left: it is the end that is in the way.
        let (status, winner) = ending::<G>(Some(outcome));
        let by = winner.unwrap_or("null");
        let message = format!("Cannot apply move to terminal game. Game status: {status}, Winner: {by}");
        return RuleError::new("TERMINAL_STATE_MOVE", message, json!({ "currentStatus": status, "winner": winner }));
    }
    let (read, title) = (quoted(text), G::INFO.title);
    match unread {
        ParseMoveError::OutOfRange((code, message)) => {
            let position =
                text.trim().parse::<u64>().map_or_else(|_| truncate_bytes(text, MAX_TOLD).into(), Value::from);
            let legal: Vec<Value> = game.legal_moves().iter().map(|mv| cell(game, mv)).collect();
            RuleError::new(code, message, json!({ "position": position, "legalMoves": legal }))
        }
        ParseMoveError::Ambiguous(moves) => {
            let message = format!("{read} could mean {}", moves.join(" or "));
            RuleError::new(AMBIGUOUS_MOVE, message, json!({ "moves": moves }))
        }
        ParseMoveError::NotAMove => {
            let how = render::text(&G::INFO.how_to_move());
            RuleError::new(UNREADABLE_MOVE, format!("{read} can't be read as a move of {title}. {how}"), json!({}))
        }
    }
}

/// Returns a legal move as the other errors of its game list it: by its position where that is all of it.
fn cell<G: Notation>(game: &G, mv: &G::Move) -> Value {
    let alone = |fields: Value| Some(fields.as_object().filter(|fields| fields.len() == 1)?.get("position")?.clone());
    serde_json::to_value(mv).ok().and_then(alone).unwrap_or_else(|| game.notation(mv).into())
}

/// Adds the index and the text of a move to the context of its error.
pub fn with_index(mut error: RuleError, index: usize, text: &str) -> RuleError {
    if !error.context.is_object() {
        error.context = json!({});
    }
    error.context["index"] = index.into();
    error.context["move"] = truncate_bytes(text, MAX_TOLD).into();
    error
}

fn ending<G: Game>(outcome: Option<Outcome>) -> (&'static str, Option<&'static str>) {
    match outcome {
        None => ("playing", None),
        Some(Outcome::Won(seat)) => ("won", Some(seat_name::<G>(seat))),
        Some(Outcome::Draw) => ("draw", None),
    }
}

fn moves<G: Game>(list: &RawValue) -> Result<Vec<MoveEntry>, RuleError> {
    let list: Vec<&RawValue> = read("moves", list.get())?;
    if list.len() > MAX_MOVES {
        let many = list.len();
        return Err(bad("moves", format!("`moves` has {many} entries; a request may have {MAX_MOVES}")));
    }
    list.into_iter().enumerate().map(|(index, raw)| entry::<G>(&format!("moves[{index}]"), raw)).collect()
}

/// A move as a request writes it: its notation, or an object with the throw before it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MoveEntry {
    dice: Option<Roll>,
    play: Option<String>,
}

fn entry<G: Game>(field: &str, raw: &RawValue) -> Result<MoveEntry, RuleError> {
    if !raw.get().starts_with('{') {
        return Ok(MoveEntry { dice: None, play: Some(read(field, raw.get())?) });
    }
    if !G::HAS_DICE {
        let title = G::INFO.title;
        return Err(bad(field, format!("`{field}` is an object, but {title} has no dice: its moves are strings")));
    }
    read(field, raw.get())
}

/// Reads a field that is an object. A list of its values would pass for one, too, so that is looked at first.
fn object<'a, T: Deserialize<'a>>(field: &str, json: &'a str) -> Result<T, RuleError> {
    if !json.starts_with('{') {
        return Err(bad(field, format!("`{field}` isn't an object")));
    }
    read(field, json)
}

fn read<'a, T: Deserialize<'a>>(field: &str, json: &'a str) -> Result<T, RuleError> {
    serde_json::from_str(json).map_err(|error| {
        let inner = json_path::error_path(json, &error);
        let path = match inner.chars().next() {
            None => field.to_owned(),
            Some('[') => format!("{field}{inner}"),
            Some(_) => format!("{field}.{inner}"),
        };
        let path = truncate_bytes(&path, MAX_TOLD);
        // The column would be counted from where the field begins, which helps nobody.
        let whole = error.to_string();
        let why = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(why, _)| why);
        bad(path, format!("`{path}` can't be read: {}", truncate_bytes(why, MAX_TOLD)))
    })
}

fn unknown_game(name: &str) -> RuleError {
    let nearest = GameKind::nearest(name).map(|kind| kind.info().name);
    let hint = nearest.map_or_else(games, |nearest| format!("did you mean `{nearest}`?"));
    let message = format!("There is no game {}; {hint}", quoted(name));
    RuleError::new(UNKNOWN_GAME, message, json!({ "nearest": nearest, "games": names() }))
}

fn games() -> String {
    format!("the games are {}", code_list(&names()))
}

fn names() -> Vec<&'static str> {
    GameKind::ALL.iter().map(|kind| kind.info().name).collect()
}

/// Returns the error of a request that is none, with the field that it fails at; an empty text if that is not known.
fn bad(field: &str, message: impl Into<String>) -> RuleError {
    let context = if field.is_empty() { json!({}) } else { json!({ "field": field }) };
    RuleError::new(BAD_REQUEST, message, context)
}

fn failed(id: &RawValue, error: &RuleError) -> String {
    format!("{{\"id\":{},\"error\":{}}}", id.get(), error_json(error))
}

/// Returns an error as a response shows it: its context is an object, whatever its game has made of it.
pub fn error_json(error: &RuleError) -> Value {
    let context = if error.context.is_object() { error.context.clone() } else { json!({}) };
    json!({ "code": error.code, "message": error.message, "context": context })
}

/// Returns the beginning of a parser's message, which can quote as much as was sent.
fn told(error: &serde_json::Error) -> String {
    truncate_bytes(&error.to_string(), MAX_TOLD).to_owned()
}

/// Returns the beginning of a stranger's text as JSON writes it, so that its end can be told.
fn quoted(text: &str) -> String {
    Value::from(truncate_bytes(text, MAX_QUOTE)).to_string()
}
