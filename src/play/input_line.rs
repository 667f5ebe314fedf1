//! The words at one keyboard: who says them, what they mean, and what could be said next.

use game::contract::{Game, Notation, Rules};
use game::rule::ParseMoveError;
use game::seat::Seat;
use games::registry::GameKind;
use table::any_table::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::offers::Offer;
use table::table::Table;
use table::talk::command::{self, Command, CommandError, ParsedComment, commands};
use table::talk::comment::is_login;

/// The commands that mean nothing in a terminal, which is at its one table already.
const GITHUB_ONLY: [&str; 3] = ["/new", "/join", "/continue"];

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// A blank line, or a note.
    Blank,
    /// The wish to leave.
    Quit,
    /// A comment, and the person who is named as its author.
    Comment(Option<String>, String),
}

/// Reads a line: `alice: /move b2`, or the words alone. Commands need no slash.
pub fn parse_line(line: &str) -> InputLine {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return InputLine::Blank;
    }
    let named = line.split_once(':').filter(|(login, text)| is_login(login.trim()) && !text.starts_with("//"));
    match named {
        Some((login, text)) => InputLine::Comment(Some(login.trim().to_owned()), add_slash(text.trim())),
        None if matches!(line.trim_start_matches('/').to_lowercase().as_str(), "quit" | "exit" | "q") => {
            InputLine::Quit
        }
        None => InputLine::Comment(None, add_slash(line)),
    }
}

/// Puts the slash before a command that was written without it. What could begin a sentence counts only alone.
fn add_slash(text: &str) -> String {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = match word.to_lowercase().as_str() {
        "yes" | "y" => "/accept".to_owned(),
        "no" | "n" => "/decline".to_owned(),
        "?" => "/help".to_owned(),
        word => format!("/{word}"),
    };
    let alone = rest.is_empty() || matches!(word.as_str(), "/help" | "/move");
    let is_command = alone && commands().iter().any(|usage| usage.word == word);
    if is_command { format!("{word} {rest}").trim_end().to_owned() } else { text.to_owned() }
}

/// Returns what somebody at the keyboard means who is no chatterer: a slip of a command, or else a move, so that what is wrong
/// with it is said.
pub fn interpret_line(table: &AnyTable, text: String) -> String {
    let reads = |text: &str| with_table!(table, table => !matches!(table.game().parse_move(text), Err(ParseMoveError::NotAMove)));
    if text.starts_with('/') {
        return text;
    }
    let slip = format!("/{text}");
    let is_slip = !reads(&text)
        && !text.contains(' ')
        && matches!(command::parse_comment(&slip), ParsedComment::Invalid(CommandError::Typo(..), _));
    if is_slip { slip } else { format!("/move {text}") }
}

/// Returns the words of somebody who is named: a move takes the seat on turn where that is open, since nobody else is there to
/// be talked to.
pub fn interpret_named_line(table: &AnyTable, login: &str, text: String) -> String {
    let takes_a_seat = with_table!(table, table => {
        let sits = |seat: &Seat| table.occupant(*seat).is_some_and(|sitter| sitter.login.eq_ignore_ascii_case(login));
        let open = table.terms().open.is_some() || table.occupant(table.player_to_move()).is_none();
        open && !Seat::BOTH.iter().any(sits) && !matches!(table.game().parse_move(&text), Err(ParseMoveError::NotAMove))
    });
    if takes_a_seat { format!("/move {text}") } else { text }
}

/// Returns the name of the person whose words these are where nobody is named. What one side has asked is answered by the other,
/// a move is taken back by whoever made it, and everything else is said by the side on turn.
pub fn likely_author(table: &AnyTable, text: &str) -> String {
    let seats = table.kind().info().seats;
    with_table!(table, table => {
        let turn = table.player_to_move();
        let mover = || table.plies().rev().find(|ply| !ply.by_computer).map_or(turn, |ply| ply.seat);
        let by = |offer| table.state().offers().offered_by(offer);
        let seat = match command::parse_comment(text) {
            ParsedComment::Command(Command::Accept | Command::Decline, _) => asked_seat(table).unwrap_or(turn),
            ParsedComment::Command(Command::Draw, _) => by(Offer::Draw).map_or(turn, Seat::other),
            ParsedComment::Command(Command::Undo, _) => by(Offer::Undo).map_or_else(mover, Seat::other),
            ParsedComment::Command(Command::Claim, _) => turn.other(),
            _ => turn,
        };
        table.occupant(seat).map_or_else(|| seats[seat.index()].to_lowercase(), |sitter| sitter.name().to_owned())
    })
}

/// Returns the side that the other one has asked for something; `None` if nothing is asked.
fn asked_seat<G: Game>(table: &Table<G>) -> Option<Seat> {
    let offers = [Offer::Resignation, Offer::Undo, Offer::Draw];
    offers.into_iter().find_map(|offer| table.state().offers().offered_by(offer)).map(Seat::other)
}

/// Returns the words before the cursor: who is on turn, or who is asked.
pub fn prompt(table: Option<&AnyTable>) -> String {
    let Some(table) = table else { return "> ".to_owned() };
    let info = table.kind().info();
    with_table!(table, table => {
        let who = |seat: Seat| match table.occupant(seat) {
            Some(sitter) => format!("{} ({})", sitter.name(), info.side_name(seat)),
            None => info.side_name(seat),
        };
        match (table.status(), asked_seat(table)) {
            (TableStatus::Playing, Some(seat)) => format!("{}, yes or no> ", who(seat)),
            (TableStatus::Playing, None) => format!("{}> ", who(table.player_to_move())),
            _ => "the game is over> ".to_owned(),
        }
    })
}

/// The words that can be said next.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completions {
    moves: Vec<String>,
    /// With their slashes.
    commands: Vec<String>,
}

impl Completions {
    /// Returns the words for a table.
    pub fn for_table(table: Option<&AnyTable>) -> Completions {
        let Some(any) = table else { return Completions::default() };
        let here = |word: &str| {
            let of_a_game = |kind: &GameKind| kind.info().verb(&word[1..]).is_some();
            !GITHUB_ONLY.contains(&word) && (of_a_game(&any.kind()) || !GameKind::ALL.iter().any(of_a_game))
        };
        let words = commands().into_iter().map(|usage| usage.word).chain(["/quit".to_owned()]);
        let moves = match any.is_playing() {
            true => with_table!(any, table => {
                let game = table.game();
                game.legal_moves().iter().map(|mv| game.notation(mv)).collect()
            }),
            false => Vec::new(),
        };
        Completions { moves, commands: words.filter(|word| here(word)).collect() }
    }

    /// Returns the commands as a list without their slashes.
    pub fn command_list(&self) -> String {
        self.commands.iter().map(|word| format!("`{}`", &word[1..])).collect::<Vec<_>>().join(", ")
    }

    /// Returns the words that a line could go on with, and the byte from which on they stand in its place.
    pub fn complete_line(&self, line: &str) -> (usize, Vec<String>) {
        let mut from =
            line.split_once(':').filter(|(login, _)| is_login(login.trim())).map_or(0, |(login, _)| login.len() + 1);
        from += line[from..].len() - line[from..].trim_start().len();
        let behind_move = ["/move ", "move "].into_iter().find(|word| line[from..].starts_with(word));
        from += behind_move.map_or(0, str::len);
        let typed = line[from..].to_lowercase();
        let commands = self.commands.iter().filter(|_| behind_move.is_none());
        let commands = commands.map(|word| if typed.starts_with('/') { word.clone() } else { word[1..].to_owned() });
        let moves = self.moves.iter().cloned();
        // A verb is a move and a command.
        let mut words: Vec<String> = Vec::new();
        for word in moves.chain(commands).filter(|word| word.to_lowercase().starts_with(&typed)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        (from, words)
    }
}
