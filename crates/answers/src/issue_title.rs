//! The title of a table's issue, such as "Chess: alice – bob".

use game::engine::Level;
use game::seat::Seat;
use games::registry::GameVariant;
use table::any_table::{AnyTable, with_table};
use table::comments::comment::is_login;
use table::history::Occupant;

/// The beginning of the titles that links and the form fill in.
const PLACEHOLDER: &str = "A game of";

const OPEN_SEAT: &str = "open seat";
const FOR_ANYONE: &str = "open to anyone";

/// Returns the title that a link fills in for a new issue.
pub fn placeholder(game: &str) -> String {
    format!("{PLACEHOLDER} {game}")
}

/// Returns the title of a table's issue. It names only people who have joined.
pub fn issue_title(table: &AnyTable) -> String {
    let game = table.variant().title();
    if table.is_open() {
        return format!("{game}: {FOR_ANYONE}");
    }
    let [first, second] = sides(table);
    format!("{game}: {first} – {second}")
}

fn sides(table: &AnyTable) -> [String; 2] {
    let name = |occupant: &Occupant| {
        let has_joined = occupant.id.is_some() || occupant.computer.is_some();
        has_joined.then(|| occupant.name().to_owned())
    };
    with_table!(table, table => Seat::BOTH.map(|seat| {
        table.occupant(seat).and_then(name).unwrap_or_else(|| OPEN_SEAT.to_owned())
    }))
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
    let computer = Occupant::computer(Level::MEDIUM);
    let is_side = |name: &str| name == OPEN_SEAT || name == computer.name() || is_login(name);
    let are_sides = players.split_once(" – ").is_some_and(|(first, second)| is_side(first) && is_side(second));
    GameVariant::all().any(|variant| variant.title() == game) && (players == FOR_ANYONE || are_sides)
}
