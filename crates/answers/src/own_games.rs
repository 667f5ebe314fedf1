//! The answer to `/mine`: a person's games in progress, first those where it's their turn. It mentions nobody.

use std::fmt::Write;

use game::Seat;
use table::timestamp::{format_age, format_day_and_time};
use table::{Author, COMPUTER_NAME, GameSummary, Timestamp};

use crate::Links;
use crate::render::bold_login;

/// The number of games in the answer.
const SHOWN: usize = 20;

/// A game of the person, with their side.
type OwnGame<'a> = (&'a GameSummary, Seat);

/// Returns the answer about a person's games. `all` are all games in progress, and `at` is the time of the command.
/// Without `links`, games are named by number only.
pub fn own_games(person: &Author, all: &[GameSummary], links: Option<&Links<'_>>, at: Timestamp) -> String {
    let own = all.iter().filter_map(|game| Some((game, game.seat_of(person)?)));
    let (mut waiting, mut others): (Vec<OwnGame<'_>>, Vec<OwnGame<'_>>) =
        own.partition(|(game, seat)| game.side_to_move() == *seat);
    // Invitations come last, so that nobody can hide a person's games behind them.
    let is_invitation = |(game, seat): &OwnGame<'_>| game.player(*seat).is_some_and(|player| player.id.is_none());
    // The first deadline comes first, then the longest wait.
    waiting.sort_by_key(|own| {
        let game = own.0;
        let deadline = game.runs_out_at();
        (is_invitation(own), deadline.is_none(), deadline, game.since, game.issue)
    });
    others.sort_by_key(|own| (is_invitation(own), std::cmp::Reverse(own.0.since), own.0.issue));
    let name = bold_login(&person.login);
    let mut text = match (waiting.len(), waiting.len() + others.len()) {
        (_, 0) => {
            return format!(
                "{name} has no game in progress here. To start one, write `/new GAME @username` in a new issue."
            );
        }
        (0, 1) => format!("{name} has one game here, and it's the opponent's turn."),
        (0, count) => format!("{name} has {} here, and it's the opponent's turn in each.", count_games(count)),
        (1, 1) => format!("{name} has one game here, and it's {name}'s turn."),
        (1, count) => format!("{name} has {} here, and it's {name}'s turn in one.", count_games(count)),
        (turns, count) => format!("{name} has {} here, and it's {name}'s turn in {turns}.", count_games(count)),
    };
    let left = SHOWN.saturating_sub(waiting.len());
    for (title, games) in
        [("Your turn", &waiting[..waiting.len().min(SHOWN)]), ("Their turn", &others[..others.len().min(left)])]
    {
        if !games.is_empty() {
            _ = write!(text, "\n\n| {title} | Opponent | Since | Until (UTC) |\n| --- | --- | --- | --- |\n");
            text.extend(games.iter().map(|(game, seat)| row(game, *seat, links, at)));
        }
    }
    let hidden = (waiting.len() + others.len()).saturating_sub(SHOWN);
    if hidden > 0 {
        _ = write!(text, "\nAnd {hidden} more.");
    }
    text
}

fn count_games(count: usize) -> String {
    if count == 1 { "one game".to_owned() } else { format!("{count} games") }
}

/// Returns a row of the table.
fn row(game: &GameSummary, seat: Seat, links: Option<&Links<'_>>, at: Timestamp) -> String {
    let title = game.variant().map_or("Game", |variant| variant.title());
    let number = match links {
        Some(links) => format!("[#{}]({})", game.issue, links.issue(game.issue)),
        None => format!("#{}", game.issue),
    };
    let opponent = match game.player(seat.other()) {
        Some(player) if player.name == COMPUTER_NAME => player.name.clone(),
        Some(player) => bold_login(&player.name),
        None => "open seat".to_owned(),
    };
    let since = format_age(at.since(game.since));
    let until = game.runs_out_at().map_or("–".to_owned(), |deadline| {
        let time = || format_day_and_time(deadline).map(|time| time.replacen(' ', "\u{a0}", 1));
        if at >= deadline { "out of time".to_owned() } else { time().unwrap_or_default() }
    });
    format!("| {title} {number} | {opponent} | {since} | {until} |\n")
}
