//! Words that only the terminal understands: cell numbers, synonyms from chess sites, other games, and the level.

use std::any::Any;

use game::{CellRef, Grid, Level, ParseMoveError, Span, cell};
use games::backgammon::COSTS;
use games::{AnyPosition, GameKind};
use table::{CommandError, ParsedComment, Table, commands, parse_comment};

/// A player's request in a terminal.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Post a comment.
    Post(String),
    /// Show a note.
    Note(String),
    /// Show what a player can type.
    Help,
    /// Show the rules of a game, by default of this table's game.
    Rules(Option<GameKind>),
    /// Turn the board around.
    Flip,
    /// Clear the screen and show the board.
    Clear,
    /// Start another game. Without words, ask which.
    New(Vec<String>),
    /// Leave.
    Quit,
    /// Do nothing.
    Nothing,
}

/// Interprets a line that names no person.
pub fn interpret(table: &Table, line: &str) -> Request {
    let line = line.trim();
    let lower = line.trim_start_matches('/').to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if let Some(request) = interpret_at_the_end(table, &lower) {
        return request;
    }
    match words[..] {
        [] => Request::Nothing,
        ["help" | "?" | "h"] => Request::Help,
        ["rules" | "rule" | "how"] => Request::Rules(None),
        ["help" | "rules", ..] => match GameKind::parse(&words[1..].concat()) {
            Some(kind) => Request::Rules(Some(kind)),
            None => Request::Post(format!("/help {}", words[1..].join(" "))),
        },
        ["new" | "play" | "start", ..] => Request::New(line.split_whitespace().skip(1).map(str::to_owned).collect()),
        ["takeback" | "back"] | ["take", "back"] => Request::Post("/undo".to_owned()),
        ["flip" | "turn" | "rotate"] => Request::Flip,
        ["clear" | "cls"] => Request::Clear,
        ["level", ..] => level_note(table, words.get(1)),
        [word, ..] if word.starts_with("level=") => level_note(table, word.strip_prefix("level=").as_ref()),
        ["computer", ..] if plays_computer(table) => level_note(table, words.get(1)),
        ["pass"] if table.kind() == GameKind::Othello && table.is_playing() => Request::Post("/move pass".to_owned()),
        _ => interpret_move(table, line, &lower, &words),
    }
}

/// Interprets a line after the game: Enter and `yes` start a rematch.
fn interpret_at_the_end(table: &Table, lower: &str) -> Option<Request> {
    if !table.is_over() {
        return None;
    }
    match lower {
        "" | "y" | "yes" | "again" | "play again" | "rematch" | "ok" | "sure" => {
            Some(Request::Post("/rematch".to_owned()))
        }
        "n" | "no" => Some(Request::Quit),
        _ => None,
    }
}

/// Interprets a line as a move, or says why it isn't one.
fn interpret_move(table: &Table, line: &str, lower: &str, words: &[&str]) -> Request {
    if line.starts_with('/') {
        return Request::Post(line.to_owned());
    }
    let slashed = add_slash(line);
    if slashed.starts_with('/') {
        return Request::Post(slashed);
    }
    let text = cell_named(table, words).unwrap_or_else(|| line.to_owned());
    if is_move(table, &text) || !table.is_playing() {
        return Request::Post(format!("/move {text}"));
    }
    let similar = match parse_comment(&format!("/{lower}")) {
        ParsedComment::Text(text) => match text.slash_error() {
            // A guess with a different first letter is rarely right.
            Some(CommandError::Typo(_, near)) if near.get(1..2) == lower.get(..1) => Some(near.clone()),
            _ => None,
        },
        _ => None,
    };
    let shown = super::sanitize(line);
    Request::Note(match similar.filter(|_| words.len() == 1) {
        Some(near) => format!("There's no command `{shown}`. Did you mean `{}`?", &near[1..]),
        None => {
            let example = example_move(table).map_or(String::new(), |example| format!(" like `{example}`"));
            format!("`{shown}` isn't a move{example}. `help` shows what you can type.")
        }
    })
}

/// Adds the slash to a command that lacks it. A word that could begin a sentence only counts if it is alone.
pub(super) fn add_slash(text: &str) -> String {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = match word.to_lowercase().as_str() {
        "yes" | "y" => "/accept".to_owned(),
        "no" | "n" => "/decline".to_owned(),
        "?" => "/help".to_owned(),
        word => format!("/{word}"),
    };
    let takes_rest = match word.as_str() {
        "/help" | "/move" => true,
        "/computer" => is_level(rest),
        "/resign" => COSTS.contains(&rest.to_lowercase().as_str()),
        _ => false,
    };
    let can_be_command = rest.is_empty() || takes_rest;
    let is_command = can_be_command && commands().iter().any(|spec| spec.word == word);
    if is_command { format!("{word} {rest}").trim_end().to_owned() } else { text.to_owned() }
}

/// Whether a word is a level of the computer.
fn is_level(word: &str) -> bool {
    Level::parse(word).is_some() || word.parse::<u32>().is_ok()
}

/// Whether a text looks like a move, even an illegal one.
pub(super) fn is_move(table: &Table, text: &str) -> bool {
    !matches!(table.game().parse_move(text), Err(ParseMoveError::NotAMove))
}

/// Returns a legal move, preferably one from the game's description.
pub(super) fn example_move(table: &Table) -> Option<String> {
    let named = table.kind().info().moves.iter().filter_map(|span| match span {
        Span::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    let game = table.game();
    let legal: Vec<String> = game.legal_moves().iter().map(|mv| game.notation(mv)).collect();
    named.map(str::to_owned).find(|name| legal.contains(name)).or_else(|| legal.first().cloned())
}

/// Whether the terminal numbers the cells of the board from 1 at the top left.
pub(super) fn has_numbered_cells(table: &Table) -> bool {
    let board = table.game().board(None);
    let board: &dyn Any = &*board;
    board.downcast_ref::<Grid>().is_some_and(Grid::has_numbered_cells)
}

/// Whether a move in the starting position is the name of a cell.
pub(super) fn moves_are_cells(table: &Table) -> bool {
    let is_cell = |name: String| matches!(cell::parse_cell_ref(&name), Some(CellRef::Coordinate { .. }));
    let start = table.timeline().start_position();
    let first = start.legal_moves().into_iter().next();
    first.is_some_and(|mv| start.target_cell(&mv).is_some() && is_cell(start.notation(&mv)))
}

/// Returns the move that a number of a cell, `center` or `column 3` stands for.
fn cell_named(table: &Table, words: &[&str]) -> Option<String> {
    if let [digit] = words
        && digit.len() == 1
        && let Ok(cell @ 1..=9) = digit.parse::<usize>()
        && has_numbered_cells(table)
    {
        return Some(cell::name(cell - 1, 3, 3));
    }
    match words {
        ["drop" | "col" | "column", column] if !moves_are_cells(table) && is_move(table, column) => {
            Some((*column).to_owned())
        }
        ["center" | "centre" | "middle"] => center(table.timeline().start_position()),
        _ => None,
    }
}

/// Returns the move to the middle cell or column, if there is one. At the start, the moves to all cells are legal.
fn center(start: &AnyPosition) -> Option<String> {
    let legal = start.legal_moves();
    let have_cells = legal.iter().all(|mv| start.target_cell(mv).is_some());
    let middle = legal.get(legal.len() / 2).filter(|_| have_cells && legal.len() % 2 == 1)?;
    Some(start.notation(middle))
}

/// Whether the computer plays at this table.
fn plays_computer(table: &Table) -> bool {
    table.players().computer().is_some()
}

/// Says how to change the level.
fn level_note(table: &Table, wanted: Option<&&str>) -> Request {
    let wanted = wanted.copied().unwrap_or("6");
    let wanted: String = wanted.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    let new = format!("`new {} level={wanted}`", table.variant().name());
    Request::Note(level_sentence(table, &new))
}

fn level_sentence(table: &Table, new: &str) -> String {
    match table.players().computer() {
        Some((_, level)) => format!(
            "The computer plays this game at level {}, of {} to 8. For another level, start a new game: {new}.",
            level.number(),
            table.kind().lowest_level().number()
        ),
        None => format!("Two people play this game. To play the computer, start a new game: {new}."),
    }
}
