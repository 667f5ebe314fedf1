//! The commands and the games, explained.

use crate::answers::markdown::list;
use crate::decisions::house::HouseRules;
use crate::decisions::setup::TABLE_OPTIONS;
use crate::game::info::Info;
use crate::games::registry::Kind;
use crate::talk::command::COMMANDS;

/// Every command as a Markdown table: for `/help` and for the README.
#[must_use]
pub fn command_table() -> String {
    let commands = COMMANDS.iter().map(|info| format!("| `{}` | {} |\n", info.usage, info.meaning));
    format!("| Command | What it does |\n| --- | --- |\n{}", commands.collect::<String>())
}

/// The games as a Markdown table, each with a link to its page: for the README.
#[must_use]
pub fn game_table() -> String {
    let games = Kind::ALL.iter().map(|kind| {
        let Info { name, title, seats, summary, options, .. } = kind.info();
        let options: Vec<&str> = options.iter().map(|option| option.key).collect();
        format!(
            "| [{title}](docs/games/{name}.md) | `/new {name}` | {} | {summary} | {} |\n",
            list(seats),
            list(&options)
        )
    });
    format!(
        "| Game | To begin | Seats | What it is | Options |\n| --- | --- | --- | --- | --- |\n{}",
        games.collect::<String>()
    )
}

pub(super) fn help(house: &HouseRules) -> String {
    let games = Kind::ALL.iter().filter(|kind| house.allows(**kind)).map(|kind| {
        let info = kind.info();
        format!("- `{}`: {}", info.name, info.summary)
    });
    format!(
        "Write a command as the first line of a comment, one a comment.\n\n{}\nThe games here:\n\n{}\n\n\
         `/help GAME` says how a game is played.",
        command_table(),
        games.collect::<Vec<_>>().join("\n"),
    )
}

pub(super) fn help_game(info: &Info) -> String {
    let own = info.options.iter().map(|option| (option.key, option.meaning));
    let options = own.chain(TABLE_OPTIONS.iter().copied()).map(|(key, meaning)| format!("- `{key}`: {meaning}"));
    format!(
        "**{}.** {}\n\n{}\n\nThe seats are {}. `/new {}` opens a table; its options:\n\n{}\n\n`/help` shows all commands.",
        info.title,
        info.summary,
        info.moves,
        list(&info.seats),
        info.name,
        options.collect::<Vec<_>>().join("\n"),
    )
}
