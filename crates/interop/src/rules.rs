//! Rules engine for other programs: one line of JSON in, one line of JSON out.
//!
//! A request names a game and how to reach a position: from `config` and `moves`, or from a `position`, optionally
//! followed by `moves`. The response describes the position, the legal moves, and the result of one more move (`try`).
//! Requests are independent, and the same request always gets the same response, byte for byte.
//!
//! ```text
//! {"id":1,"game":"tic-tac-toe","config":{"boardSize":3},"moves":["0","b2"],"try":"c3"}
//! {"id":1,"status":"playing","currentPlayer":"X","winner":null,"winningLines":[],"legalMoves":["b3",...],
//!  "position":{...},"tried":{"ok":true,"notation":"c3","position":{...}}}
//! {"id":2,"error":{"code":"OCCUPIED_CELL","message":"...","context":{"position":4,...,"index":1,"move":"4"}}}
//! ```
//!
//! - `id` is any string, number, boolean, or `null`. The response repeats it as written, or has `null` if there is none
//!   or it can't be read.
//! - A missing field has a default, and `null` means missing. Unknown fields are errors.
//! - The whole request is parsed before anything is played. So errors are found in this order: [`BAD_REQUEST`],
//!   [`UNKNOWN_GAME`], `BAD_REQUEST` in the fields that depend on the game, then errors of the rules.
//! - An illegal move in `moves` makes the response an error. Its context has the `index` in `moves` and the `move` as
//!   written. An illegal `try` is a normal response: `"tried":{"ok":false,"error":{...}}`.
//! - `"choose":{"level":8,"seed":1}` adds `chosen`: the move that the computer plays at this level (1 to 8; some games have 0, too), the
//!   `position` after it, the number of positions searched (`nodes`), and the score for its side (`value`, positive is
//!   good, in the game's own unit). It is `null` if there is no move to choose. `seed` (default 0) breaks ties between
//!   equal moves.
//! - `"results":true` adds `results`: the result of each move, in the order of `legalMoves`.
//! - In games with dice, an entry of `moves` may be `{"dice":[3,1],"play":"8/5 6/5"}`. Leave out `play` if the dice
//!   can't be played. Backgammon also returns `diceUsable`, the number of dice that can be played, and checks proposed
//!   plays: `"validate":{"player":"white","moves":[{"from":7,"to":4,"die":3}]}` adds `validation`.
//! - After the end of a game, every move gets `TERMINAL_STATE_MOVE`.

use answers::render;
use answers::render::code_list;
use game::notation::truncate_bytes;
use game::{
    Engine, EngineMove, Game, IllegalMove, InvalidState, Level, Notation, Outcome, ParseMoveError, PositionJson, Roll,
    apply_move, game_over,
};
use games::{GameKind, with_game};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use table::json;

/// The maximum size of a request, in bytes. The response to a longer line is [`line_too_long`], so you don't need to
/// buffer it.
pub const MAX_LINE: usize = 1 << 20;
/// The maximum number of moves in a request.
pub const MAX_MOVES: usize = 2_000;
/// The maximum length of a parser's error in a response, in bytes, because it can quote the whole request.
const MAX_ERROR_TEXT: usize = 300;
/// The maximum length of a quoted move or name in a message, in bytes.
const MAX_QUOTE: usize = 60;

/// The code of an invalid request: invalid JSON, an unknown field, a value of the wrong type, or something too long.
pub const BAD_REQUEST: &str = "BAD_REQUEST";
/// The code of an unknown `game`. The context has the nearest name, if any, and all names.
pub const UNKNOWN_GAME: &str = "UNKNOWN_GAME";
/// The code of text that isn't a move of the game.
pub const UNREADABLE_MOVE: &str = "UNREADABLE_MOVE";
/// The code of text that matches several moves. The context lists them in canonical notation.
pub const AMBIGUOUS_MOVE: &str = "AMBIGUOUS_MOVE";

/// Returns the response to a request, without a line break.
pub fn respond(line: &str) -> String {
    if line.len() > MAX_LINE {
        return line_too_long();
    }
    match parse_id(line) {
        Ok(id) => answer(id, line).unwrap_or_else(|error| error_response(id, &error)),
        Err(error) => error_response(RawValue::NULL, &error),
    }
}

/// Returns the response to a line of more than [`MAX_LINE`] bytes.
pub fn line_too_long() -> String {
    error_response(
        RawValue::NULL,
        &bad_request("", format!("The line is longer than {MAX_LINE} bytes, the limit for a request")),
    )
}

/// Returns the response to a line that isn't UTF-8.
pub fn line_not_utf8() -> String {
    error_response(RawValue::NULL, &bad_request("", "The line is not UTF-8"))
}

/// The field that is parsed even from invalid requests, so that the sender can match the error to its request.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct RequestId<'a> {
    id: Option<&'a RawValue>,
}

/// The fields of a request as raw JSON, so that an error can name its field.
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

/// A successful response.
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
    extra: serde_json::Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<Value>,
    position: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<TryResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<Option<ChosenMove>>,
}

/// The `choose` field of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChooseRequest {
    level: Level,
    #[serde(default)]
    seed: u64,
}

/// The move that the computer plays.
#[derive(Serialize)]
struct ChosenMove {
    notation: String,
    position: Value,
    nodes: u64,
    value: i32,
}

/// The result of `try`.
#[derive(Serialize)]
#[serde(untagged)]
enum TryResult {
    Legal { ok: bool, notation: String, position: Value },
    Refused { ok: bool, error: Value },
}

/// An error in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    /// The machine code: `OCCUPIED_CELL`.
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// The facts, as a JSON object.
    pub context: Value,
}

impl ErrorResponse {
    fn new(code: &'static str, message: impl Into<String>, context: Value) -> ErrorResponse {
        ErrorResponse { code, message: message.into(), context }
    }
}

impl From<IllegalMove> for ErrorResponse {
    fn from(illegal: IllegalMove) -> ErrorResponse {
        ErrorResponse::new(illegal.code, illegal.message, illegal.context)
    }
}

impl From<InvalidState> for ErrorResponse {
    fn from(invalid: InvalidState) -> ErrorResponse {
        ErrorResponse::new(InvalidState::CODE, invalid.message, invalid.context)
    }
}

/// Parses the id of a request, as written.
fn parse_id(line: &str) -> Result<&RawValue, ErrorResponse> {
    // Serde would accept an array as a struct.
    if !line.trim_start().starts_with('{') {
        return Err(bad_request("", "The line isn't a JSON object"));
    }
    let not_an_object = |error| bad_request("", format!("The line isn't a JSON object: {}", error_text(&error)));
    let id = serde_json::from_str::<RequestId>(line).map_err(not_an_object)?.id.unwrap_or(RawValue::NULL);
    match id.get().chars().next() {
        Some('{' | '[') => Err(bad_request("id", "`id` must be a text, a number, true, false or null")),
        // `RawValue` accepts a lone surrogate escape, which isn't a valid string.
        Some('"') => parse_field::<String>("id", id.get()).map(|_| id),
        _ => Ok(id),
    }
}

fn answer(id: &RawValue, line: &str) -> Result<String, ErrorResponse> {
    let request: Request = serde_json::from_str(line)
        .map_err(|error| bad_request("", format!("The request can't be read: {}", error_text(&error))))?;
    let name = request.game.ok_or_else(|| bad_request("game", format!("`game` is missing; {}", games_sentence())))?;
    let name: String = parse_field("game", name.get())?;
    let kind = GameKind::from_name(&name).ok_or_else(|| unknown_game(&name))?;
    with_game!(kind, G => respond_for_game::<G>(id, &request))
}

fn respond_for_game<G: Game>(id: &RawValue, request: &Request) -> Result<String, ErrorResponse> {
    let config: G::Config = parse_object("config", request.config.map_or("{}", RawValue::get))?;
    let position: Option<G::Position> = request.position.map(|raw| parse_object("position", raw.get())).transpose()?;
    let moves = request.moves.map_or(Ok(Vec::new()), parse_moves::<G>)?;
    let results: bool = request.results.map_or(Ok(false), |raw| parse_field("results", raw.get()))?;
    let proposal: Option<Value> = request.validate.map(|raw| parse_object("validate", raw.get())).transpose()?;
    let choose: Option<ChooseRequest> = request.choose.map(|raw| parse_object("choose", raw.get())).transpose()?;
    if let Some(ChooseRequest { level, .. }) = choose
        && level < G::LOWEST_LEVEL
    {
        let lowest = G::LOWEST_LEVEL.number();
        return Err(bad_request(
            "choose",
            format!("`choose` can't be read: the lowest level of this game is {lowest}"),
        ));
    }
    let attempt: Option<String> = request.attempt.map(|raw| parse_field("try", raw.get())).transpose()?;

    let start = position.map_or_else(|| G::start(&config), |position| G::from_position(&config, &position))?;
    let game = moves.iter().enumerate().try_fold(start, |game, (index, entry)| {
        play_entry(game, entry).map_err(|error| with_index(error, index, entry.play.as_deref().unwrap_or_default()))
    })?;
    let tried = attempt.map(|text| match play_text(&game, &text) {
        Ok((notation, after)) => TryResult::Legal { ok: true, notation, position: json::to_value(&after.position()) },
        Err(error) => TryResult::Refused { ok: false, error: error_json(&error) },
    });
    let (status, winner) = status_and_winner::<G>(game.outcome());
    let validation = proposal.map(|proposal| {
        let unsupported = || {
            let title = G::INFO.title;
            Err(bad_request(
                "validate",
                format!("`validate` doesn't work for {title}: use `try` to see what's wrong with a move"),
            ))
        };
        game.validate(&proposal).map_or_else(unsupported, |validation| validation.map_err(ErrorResponse::from))
    });
    let legal_moves = game.legal_moves();
    let response = Response {
        id,
        status,
        current_player: G::INFO.seat_name(game.side_to_move()),
        winner,
        winning_lines: game.winning_lines(),
        results: if results { Some(legal_moves.iter().map(|mv| game.position_after_json(mv)).collect()) } else { None },
        legal_moves: legal_moves.iter().map(|mv| game.notation(mv)).collect(),
        extra: game.status_json(),
        validation: validation.transpose()?,
        position: json::to_value(&game.position()),
        tried,
        chosen: choose.map(|choose| choose_move(&game, &choose)),
    };
    serde_json::to_string(&response).map_err(|error| {
        let message = format!("The position can't be written as JSON: {}", error_text(&error));
        ErrorResponse::new(InvalidState::CODE, message, json!({}))
    })
}

fn choose_move<G: Engine + PositionJson + Notation>(game: &G, choose: &ChooseRequest) -> Option<ChosenMove> {
    let EngineMove { mv, nodes, score: value } = game.choose(choose.level, choose.seed)?;
    Some(ChosenMove {
        notation: game.notation(&mv),
        position: json::to_value(&game.play(&mv).position()),
        nodes,
        value,
    })
}

/// Plays one entry of `moves`: a roll, a move, or both.
fn play_entry<G: Game>(mut game: G, entry: &MoveEntry) -> Result<G, ErrorResponse> {
    if let Some(dice) = entry.dice {
        // If the side to move could also double, the dice imply that it rolls instead.
        if !game.needs_roll() {
            let no_roll_due = || ErrorResponse::new("NO_THROW_DUE", "No roll is due here", json!({}));
            let roll = game.parse_move("roll").map_err(|_| no_roll_due())?;
            game =
                apply_move(&game, &roll).map_err(|error| game.outcome().map_or_else(no_roll_due, |_| error.into()))?;
        }
        if !dice.iter().all(|die| (1..=6).contains(die)) {
            return Err(ErrorResponse::new("INVALID_DICE", "A roll is two dice, each 1 to 6", json!({})));
        }
        game = game.with_roll(dice);
    }
    match &entry.play {
        Some(text) => play_text(&game, text).map(|(_, after)| after),
        None => Ok(game),
    }
}

/// Plays a move as written. Returns its canonical notation and the position after it.
fn play_text<G: Game>(game: &G, text: &str) -> Result<(String, G), ErrorResponse> {
    if game.needs_roll() {
        let message = "The dice have to be rolled first: an entry of `moves` is {\"dice\":[3,1],\"play\":\"8/5 6/5\"}; leave out \
                       `play` if the dice can't be played";
        return Err(ErrorResponse::new("THROW_DUE", message, json!({})));
    }
    let mv = game.parse_move(text).map_err(|error| parse_error(game, text, error))?;
    let after = apply_move(game, &mv)?;
    Ok((game.notation(&mv), after))
}

fn parse_error<G: Game>(game: &G, text: &str, error: ParseMoveError) -> ErrorResponse {
    if let Some(outcome) = game.outcome() {
        // Some games can't parse any move after their end. Report the end instead.
        return game_over::<G>(outcome).into();
    }
    let (quoted, title) = (quote(text), G::INFO.title);
    match error {
        ParseMoveError::OutOfRange(IllegalMove { code, message, .. }) => {
            let position =
                text.trim().parse::<u64>().map_or_else(|_| truncate_bytes(text, MAX_ERROR_TEXT).into(), Value::from);
            let legal: Vec<Value> = game.legal_moves().iter().map(|mv| legal_move_json(game, mv)).collect();
            ErrorResponse::new(code, message, json!({ "position": position, "legalMoves": legal }))
        }
        ParseMoveError::Ambiguous(moves) => {
            let message = format!("{quoted} could mean {}", moves.join(" or "));
            ErrorResponse::new(AMBIGUOUS_MOVE, message, json!({ "moves": moves }))
        }
        ParseMoveError::NotAMove => {
            let how = render::text(&G::INFO.how_to_move());
            ErrorResponse::new(
                UNREADABLE_MOVE,
                format!("{quoted} can't be read as a move of {title}. {how}"),
                json!({}),
            )
        }
    }
}

/// Returns a legal move as the rules' own errors list it: as its `position` if that is its only field.
fn legal_move_json<G: Notation>(game: &G, mv: &G::Move) -> Value {
    if let Ok(Value::Object(fields)) = serde_json::to_value(mv)
        && fields.len() == 1
        && let Some(position) = fields.get("position")
    {
        return position.clone();
    }
    game.notation(mv).into()
}

/// Adds the index and the text of a move to the context of its error.
pub fn with_index(mut error: ErrorResponse, index: usize, text: &str) -> ErrorResponse {
    if !error.context.is_object() {
        error.context = json!({});
    }
    error.context["index"] = index.into();
    error.context["move"] = truncate_bytes(text, MAX_ERROR_TEXT).into();
    error
}

fn status_and_winner<G: Game>(outcome: Option<Outcome>) -> (&'static str, Option<&'static str>) {
    match outcome {
        None => ("playing", None),
        Some(Outcome::Won(seat)) => ("won", Some(G::INFO.seat_name(seat))),
        Some(Outcome::Draw) => ("draw", None),
    }
}

fn parse_moves<G: Game>(list: &RawValue) -> Result<Vec<MoveEntry>, ErrorResponse> {
    let list: Vec<&RawValue> = parse_field("moves", list.get())?;
    if list.len() > MAX_MOVES {
        let count = list.len();
        return Err(bad_request("moves", format!("`moves` has {count} entries; a request may have {MAX_MOVES}")));
    }
    list.into_iter().enumerate().map(|(index, raw)| parse_entry::<G>(&format!("moves[{index}]"), raw)).collect()
}

/// An entry of `moves`: a move's notation, or an object with the dice before it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MoveEntry {
    dice: Option<Roll>,
    play: Option<String>,
}

fn parse_entry<G: Game>(field: &str, raw: &RawValue) -> Result<MoveEntry, ErrorResponse> {
    if !raw.get().starts_with('{') {
        return Ok(MoveEntry { dice: None, play: Some(parse_field(field, raw.get())?) });
    }
    if !G::HAS_DICE {
        let title = G::INFO.title;
        return Err(bad_request(
            field,
            format!("`{field}` is an object, but {title} has no dice: its moves are strings"),
        ));
    }
    parse_field(field, raw.get())
}

/// Parses a field that must be an object. Serde would accept an array too.
fn parse_object<'a, T: Deserialize<'a>>(field: &str, json: &'a str) -> Result<T, ErrorResponse> {
    if !json.starts_with('{') {
        return Err(bad_request(field, format!("`{field}` isn't an object")));
    }
    parse_field(field, json)
}

fn parse_field<'a, T: Deserialize<'a>>(field: &str, json: &'a str) -> Result<T, ErrorResponse> {
    serde_json::from_str(json).map_err(|error| {
        let inner = json::error_path(json, &error);
        let path = match inner.chars().next() {
            None => field.to_owned(),
            Some('[') => format!("{field}{inner}"),
            Some(_) => format!("{field}.{inner}"),
        };
        let path = truncate_bytes(&path, MAX_ERROR_TEXT);
        // The column is relative to the field, so leave it out.
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        bad_request(path, format!("`{path}` can't be read: {}", truncate_bytes(reason, MAX_ERROR_TEXT)))
    })
}

fn unknown_game(name: &str) -> ErrorResponse {
    let nearest = GameKind::nearest(name).map(|kind| kind.info().name);
    let hint = nearest.map_or_else(games_sentence, |nearest| format!("did you mean `{nearest}`?"));
    let message = format!("There is no game {}; {hint}", quote(name));
    ErrorResponse::new(UNKNOWN_GAME, message, json!({ "nearest": nearest, "games": game_names() }))
}

fn games_sentence() -> String {
    format!("the games are {}", code_list(&game_names()))
}

fn game_names() -> Vec<&'static str> {
    GameKind::ALL.iter().map(|kind| kind.info().name).collect()
}

/// Returns a [`BAD_REQUEST`] error about a field. `field` is empty if the error isn't about one.
fn bad_request(field: &str, message: impl Into<String>) -> ErrorResponse {
    let context = if field.is_empty() { json!({}) } else { json!({ "field": field }) };
    ErrorResponse::new(BAD_REQUEST, message, context)
}

fn error_response(id: &RawValue, error: &ErrorResponse) -> String {
    format!("{{\"id\":{},\"error\":{}}}", id.get(), error_json(error))
}

/// Returns an error as JSON. Its context is always an object.
pub fn error_json(error: &ErrorResponse) -> Value {
    let context = if error.context.is_object() { error.context.clone() } else { json!({}) };
    json!({ "code": error.code, "message": error.message, "context": context })
}

/// Returns the beginning of a parser's message, which can quote the whole request.
fn error_text(error: &serde_json::Error) -> String {
    truncate_bytes(&error.to_string(), MAX_ERROR_TEXT).to_owned()
}

/// Returns the beginning of untrusted text as a JSON string.
fn quote(text: &str) -> String {
    Value::from(truncate_bytes(text, MAX_QUOTE)).to_string()
}
