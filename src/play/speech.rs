//! The words at one keyboard: who says them, what they mean, and what could be said next.

use game::contract::{Game, Notation, Rules};
use game::rule::Unread;
use game::seat::Seat;
use games::registry::Kind;
use table::any::{AnyTable, with_table};
use table::game_state::TableStatus;
use table::offers::Offer;
use table::table::Table;
use table::talk::command::{self, Command, Reading, Unclear, commands};
use table::talk::comment::is_login;

/// The commands that mean nothing in a terminal, which is at its one table already.
const ELSEWHERE: [&str; 3] = ["/new", "/join", "/continue"];

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A blank line, or a note.
    Nothing,
    /// The wish to leave.
    Quit,
    /// A comment, and the person who is named as its author.
    Said(Option<String>, String),
}

/// Reads a line: `alice: /move b2`, or the words alone. Commands need no slash.
pub fn read(line: &str) -> Line {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Line::Nothing;
    }
    let named = line.split_once(':').filter(|(login, text)| is_login(login.trim()) && !text.starts_with("//"));
    match named {
        Some((login, text)) => Line::Said(Some(login.trim().to_owned()), slashed(text.trim())),
        None if matches!(line.trim_start_matches('/').to_lowercase().as_str(), "quit" | "exit" | "q") => Line::Quit,
        None => Line::Said(None, slashed(line)),
    }
}

/// Puts the slash before a command that was written without it. What could begin a sentence counts only alone.
fn slashed(text: &str) -> String {
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
pub fn meant(table: &AnyTable, text: String) -> String {
    let reads = |text: &str| with_table!(table, table => !matches!(table.game().read(text), Err(Unread::Strange)));
    if text.starts_with('/') {
        return text;
    }
    let slip = format!("/{text}");
    let is_slip =
        !reads(&text) && !text.contains(' ') && matches!(command::read(&slip), Reading::Unclear(Unclear::Slip(..), _));
    if is_slip { slip } else { format!("/move {text}") }
}

/// Returns the words of somebody who is named: a move takes the seat on turn where that is open, since nobody else is there to
/// be talked to.
pub fn named(table: &AnyTable, login: &str, text: String) -> String {
    let takes_a_seat = with_table!(table, table => {
        let sits = |seat: &Seat| table.sitter(*seat).is_some_and(|sitter| sitter.login.eq_ignore_ascii_case(login));
        let open = table.terms().open.is_some() || table.sitter(table.to_move()).is_none();
        open && !Seat::BOTH.iter().any(sits) && !matches!(table.game().read(&text), Err(Unread::Strange))
    });
    if takes_a_seat { format!("/move {text}") } else { text }
}

/// Returns the name of the person whose words these are where nobody is named. What one side has asked is answered by the other,
/// a move is taken back by whoever made it, and everything else is said by the side on turn.
pub fn speaker(table: &AnyTable, text: &str) -> String {
    let seats = table.kind().info().seats;
    with_table!(table, table => {
        let turn = table.to_move();
        let mover = || table.plies().rev().find(|ply| !ply.by_computer).map_or(turn, |ply| ply.seat);
        let by = |offer| table.state().offers().by(offer);
        let seat = match command::read(text) {
            Reading::Command(Command::Accept | Command::Decline, _) => asked(table).unwrap_or(turn),
            Reading::Command(Command::Draw, _) => by(Offer::Draw).map_or(turn, Seat::other),
            Reading::Command(Command::Undo, _) => by(Offer::Undo).map_or_else(mover, Seat::other),
            Reading::Command(Command::Claim, _) => turn.other(),
            _ => turn,
        };
        table.sitter(seat).map_or_else(|| seats[seat.index()].to_lowercase(), |sitter| sitter.name().to_owned())
    })
}

/// Returns the side that the other one has asked for something; `None` if nothing is asked.
fn asked<G: Game>(table: &Table<G>) -> Option<Seat> {
    let offers = [Offer::Resignation, Offer::Undo, Offer::Draw];
    offers.into_iter().find_map(|offer| table.state().offers().by(offer)).map(Seat::other)
}

/// Returns the words before the cursor: who is on turn, or who is asked.
pub fn prompt(table: Option<&AnyTable>) -> String {
    let Some(table) = table else { return "> ".to_owned() };
    let info = table.kind().info();
    with_table!(table, table => {
        let who = |seat: Seat| match table.sitter(seat) {
            Some(sitter) => format!("{} ({})", sitter.name(), info.side(seat)),
            None => info.side(seat),
        };
        match (table.status(), asked(table)) {
            (TableStatus::Playing, Some(seat)) => format!("{}, yes or no> ", who(seat)),
            (TableStatus::Playing, None) => format!("{}> ", who(table.to_move())),
            _ => "the game is over> ".to_owned(),
        }
    })
}

/// The words that can be said next.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Words {
    moves: Vec<String>,
    /// With their slashes.
    commands: Vec<String>,
}

impl Words {
    /// Returns the words for a table.
    pub fn of(table: Option<&AnyTable>) -> Words {
        let Some(any) = table else { return Words::default() };
        let here = |word: &str| {
            let of_a_game = |kind: &Kind| kind.info().verb(&word[1..]).is_some();
            !ELSEWHERE.contains(&word) && (of_a_game(&any.kind()) || !Kind::ALL.iter().any(of_a_game))
        };
        let words = commands().into_iter().map(|usage| usage.word).chain(["/quit".to_owned()]);
        let moves = match any.is_playing() {
            true => with_table!(any, table => {
                let game = table.game();
                game.legal_moves().iter().map(|mv| game.notation(mv)).collect()
            }),
            false => Vec::new(),
        };
        Words { moves, commands: words.filter(|word| here(word)).collect() }
    }

    /// Returns the commands as a list without their slashes.
    pub fn commands(&self) -> String {
        self.commands.iter().map(|word| format!("`{}`", &word[1..])).collect::<Vec<_>>().join(", ")
    }

    /// Returns the words that a line could go on with, and the byte from which on they stand in its place.
    pub fn completing(&self, line: &str) -> (usize, Vec<String>) {
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
