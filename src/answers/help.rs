//! The commands and the games, explained.

use crate::answers::render::code;
use crate::decisions::house::HouseRules;
use crate::decisions::setup::TABLE_OPTIONS;
use crate::game::info::Info;
use crate::game::phrase::{self, Phrase, codes, phrase, strong};
use crate::games::registry::Kind;
use crate::talk::command::commands;

/// Returns every command as a Markdown table: for `/help` and for the README.
pub fn command_table() -> String {
    let rows = commands().into_iter().map(|usage| format!("| {} | {} |\n", code(&usage.usage), usage.meaning));
    format!("| Command | What it does |\n| --- | --- |\n{}", rows.collect::<String>())
}

/// Returns the commands and the games of the house, as Markdown.
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

/// Returns how a game is played here, with its options.
pub(super) fn help_game(info: &Info) -> Phrase {
    let own = info.options.iter().map(|option| (option.key, option.meaning));
    let options = own.chain(TABLE_OPTIONS.iter().copied());
    let options = options.map(|(key, meaning)| phrase!["- ", phrase::code(key), ": ", meaning]);
    phrase![
        strong(format!("{}.", info.title)),
        format!(" {}\n\n", info.summary),
        info.how_to_move(),
        "\n\nThe seats are ",
        codes(&info.seats, ", "),
        ". ",
        phrase::code(format!("/new {}", info.name)),
        " opens a table; its options:\n\n",
        Phrase::join(options, "\n"),
        "\n\n",
        phrase::code("/help"),
        " shows all commands.",
    ]
}
