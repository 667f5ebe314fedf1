//! Messages of commits that hold a record.

use game::{Level, Seat};
use games::GameVariant;
use table::timestamp::format_duration;
use table::{Author, CROWD_NAME, Event, EventKind, MadeBy, Player, Table, TableStatus, is_login};

use crate::render::plain;
use crate::sentences;

/// The line that stops CI services from building a commit.
pub const SKIP_CI: &str = "[skip ci]";

/// Returns the headline and the body of the commit for the table's last event.
///
/// `noreply_domain` is the mail domain for the player's `Co-authored-by` line. `skip_ci` adds [`SKIP_CI`].
pub fn commit_message(table: &Table, author: &Author, noreply_domain: &str, skip_ci: bool) -> (String, String) {
    let title = table.variant().title();
    let (event, reply) = (describe_event(table, &author.login), describe_replies(table));
    let headline = format!("Table {}: {event}{reply}", table.issue());
    let move_number = table.plies().filter(|ply| ply.played.is_some()).count();
    let is_by_player = table.history().last().is_none_or(Event::has_comment);
    let trailer = match is_by_player {
        true => credit(author, noreply_domain, skip_ci),
        false if skip_ci => SKIP_CI.to_owned(),
        false => String::new(),
    };
    let ending = plain(&sentences::ending(table));
    let body = format!("{title}, round {}, move {move_number}. {ending}\n\n{trailer}", table.round());
    (headline, body.trim_end().to_owned())
}

/// Returns the end of a message: the author's `Co-authored-by` line. With `skip_ci`, [`SKIP_CI`] comes before it.
pub fn credit(author: &Author, noreply_domain: &str, skip_ci: bool) -> String {
    let skip = if skip_ci { format!("{SKIP_CI}\n\n") } else { String::new() };
    format!("{skip}Co-authored-by: {} <{}+{}@{noreply_domain}>", author.login, author.id, author.login)
}

/// Returns the last move that followed from the last event as a clause: "; the computer played b2", and an announced resignation.
/// Empty without them.
fn describe_replies(table: &Table) -> String {
    let reply = describe_reply(table);
    let is_resigned = table.history().last().is_some_and(Event::has_announced_resignation);
    match table.player(table.player_to_move()) {
        Some(player) if is_resigned => format!("{reply}; {} resigned as announced", player.name()),
        _ => reply,
    }
}

/// Returns the last move that followed from the last event as a clause; empty without one.
fn describe_reply(table: &Table) -> String {
    let Some(ply) = table.timeline().last_event_plies().last() else { return String::new() };
    match (ply.made_by, table.player(ply.seat)) {
        (MadeBy::Player, _) => String::new(),
        (MadeBy::Condition, Some(player)) => {
            format!("; {} played {} by a conditional move", player.name(), ply.move_list_entry())
        }
        (MadeBy::Force, Some(player)) => format!("; {} had to play {}", player.name(), ply.move_list_entry()),
        _ => format!("; the computer played {}", ply.move_list_entry()),
    }
}

/// Returns the last event as a short clause: "alice (X) played b2".
fn describe_event(table: &Table, login: &str) -> String {
    let Some(event) = table.history().last() else { return login.to_owned() };
    let login = if event.has_votes() { CROWD_NAME } else { login };
    let who = event.seat.map_or(login.to_owned(), |seat| format!("{login} ({})", table.info().side_name(seat)));
    match &event.kind {
        EventKind::New { .. } if table.terms().crowd.is_some() => {
            format!("{login} started {} for a crowd", table.variant().noun())
        }
        EventKind::New { .. } if table.round() > 1 => {
            format!("{who} started round {} of {}", table.round(), table.variant().noun())
        }
        EventKind::New { .. } => format!("{who} started {}", table.variant().noun()),
        EventKind::Join => format!("{who} joined"),
        EventKind::Move { notation, mv } => {
            let entry = table.timeline().last_event_plies().next().map(|ply| ply.move_list_entry());
            match table.game().action_phrase(mv) {
                Some(action) => format!("{who} {action}"),
                None => {
                    let votes = sentences::votes_of_last_move(table).unwrap_or_default();
                    format!("{who} played {}{votes}", entry.as_ref().unwrap_or(notation))
                }
            }
        }
        EventKind::ResignFor { .. } if table.status() == TableStatus::Playing => format!("{who} resigned this game"),
        EventKind::OfferResign => format!("{who} offered to concede this game"),
        EventKind::AcceptResign => format!("{who} accepted and won this game"),
        EventKind::OfferDraw => format!("{who} offered a draw"),
        EventKind::AcceptDraw => format!("{who} accepted the draw"),
        EventKind::ClaimDraw => format!("{who} claimed a draw"),
        EventKind::Decline if table.status() == TableStatus::Aborted => format!("{who} declined the invitation"),
        EventKind::Decline => format!("{who} declined"),
        EventKind::Leave => format!("{who} left the game"),
        EventKind::AskUndo => format!("{who} asked for a takeback"),
        EventKind::Hint => format!("{who} got a hint"),
        EventKind::Nudge => format!("{who} reminded the opponent"),
        EventKind::Undo { plies: 1 } => format!("{who} took back the last move"),
        EventKind::Undo { plies } => format!("{who} took back the last {plies} moves"),
        EventKind::Resign | EventKind::ResignFor { .. } => format!("{who} resigned"),
        EventKind::Abort => format!("{who} ended the game without a result"),
        EventKind::IssueGone => "the issue is gone, so the game ended without a result".to_owned(),
        EventKind::Claim => format!("{who} claimed a win on time"),
        EventKind::Flag => format!("{} ran out of time", plain(&sentences::player(table, table.player_to_move()))),
        EventKind::ImportedEnd { .. } => format!("{who} ended the game elsewhere"),
        EventKind::SeatComputer { level } => format!("{who} asked the computer to play, level {}", level.number()),
        EventKind::AutoRoll { on } => format!("{who} turned automatic rolls {}", if *on { "on" } else { "off" }),
        EventKind::Extend { time, .. } => format!("{who} gave the opponent {} more", format_duration(*time)),
        EventKind::If { line, .. } if line.is_empty() => format!("{who} dropped conditional moves"),
        EventKind::If { .. } => format!("{who} announced conditional moves"),
        EventKind::AskComputer { .. } => format!("{who} asked the computer to move"),
        EventKind::MovedHere { from } => format!("{who} moved the game here from issue {from}"),
        EventKind::MovedAway { to } => format!("{who} moved the game to issue {to}"),
    }
}

// The title of a table's issue, such as "Chess: alice – bob".

/// The beginning of the titles that links and the form fill in.
const PLACEHOLDER: &str = "A game of";

const OPEN_SEAT: &str = "open seat";
const FOR_ANYONE: &str = "open to anyone";

/// Returns the title that a link fills in for a new issue.
pub fn placeholder(game: &str) -> String {
    format!("{PLACEHOLDER} {game}")
}

/// Returns the title of a table's issue.
pub fn issue_title(table: &Table) -> String {
    let game = table.variant().title();
    if table.is_open() {
        return format!("{game}: {FOR_ANYONE}");
    }
    let [first, second] = sides(table);
    format!("{game}: {first} – {second}")
}

fn sides(table: &Table) -> [String; 2] {
    Seat::BOTH.map(|seat| table.player(seat).map_or(OPEN_SEAT, Player::name).to_owned())
}

/// Whether the bot may replace the title of an issue, because no person chose it.
///
/// Such titles come from a link or the form, repeat the command in the first line of the body, or were set by the bot.
pub fn is_placeholder(title: &str, body: &str) -> bool {
    let first_line = body.lines().map(str::trim).find(|line| !line.is_empty());
    let repeats_command = title.starts_with('/') && Some(title) == first_line;
    let rest = title.get(..PLACEHOLDER.len()).filter(|start| start.eq_ignore_ascii_case(PLACEHOLDER));
    let filled_in = rest.is_some_and(|_| is_game(title[PLACEHOLDER.len()..].trim()));
    filled_in || repeats_command || is_own_title(title)
}

/// Whether the text is the name of a game, or the form's dots.
fn is_game(text: &str) -> bool {
    text == "..." || GameVariant::all().any(|game| game.title().eq_ignore_ascii_case(text))
}

/// Whether the title looks like one of the bot's. It may name anyone, because an earlier game here may have had other players.
fn is_own_title(title: &str) -> bool {
    let Some((game, players)) = title.split_once(": ") else { return false };
    let computer = Player::Computer(Level::MEDIUM);
    let is_side = |name: &str| name == OPEN_SEAT || name == computer.name() || name == CROWD_NAME || is_login(name);
    let are_sides = players.split_once(" – ").is_some_and(|(first, second)| is_side(first) && is_side(second));
    GameVariant::all().any(|variant| variant.title() == game) && (players == FOR_ANYONE || are_sides)
}

// The end of a game for other programs, such as a chat: how it ended, who won, and who played.

/// The end of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameEnd {
    /// How the game ended: "Chess: alice (White) won: checkmate."
    pub sentence: String,
    /// The winner's username, `computer`, `crowd`, or at an open table the side; empty after a draw.
    pub winner: String,
    /// The players; see [`players`].
    pub players: Vec<String>,
}

impl GameEnd {
    /// Returns the end of the game at a table; `None` without a win or a draw.
    pub fn from_table(table: &Table) -> Option<GameEnd> {
        if !table.has_result() {
            return None;
        }
        let (title, ending) = (table.variant().title(), plain(&sentences::ending(table)));
        Some(GameEnd { sentence: format!("{title}: {ending}"), winner: winner(table), players: players(table) })
    }
}

/// Returns the players of a table in the order of the seats: usernames, `computer`, or `crowd`. Empty at an open table.
pub fn players(table: &Table) -> Vec<String> {
    Seat::BOTH.into_iter().filter_map(|seat| player(table, seat)).collect()
}

fn player(table: &Table, seat: Seat) -> Option<String> {
    Some(table.player(seat)?.name().trim_start_matches("the ").to_owned())
}

fn winner(table: &Table) -> String {
    match table.status() {
        TableStatus::Won(seat) => player(table, seat).unwrap_or_else(|| table.info().side_name(seat)),
        _ => String::new(),
    }
}
