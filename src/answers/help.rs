//! The commands and the games, explained.

use crate::answers::render::code;
use crate::decisions::house::HouseRules;
use crate::decisions::named_setups::NamedSetup;
use crate::decisions::setup::TABLE_OPTIONS;
use crate::game::info::Info;
use crate::game::phrase::{self, Phrase, codes, phrase, strong};
use crate::games::registry::Kind;
use crate::talk::command::{Usage, commands};

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

/// Returns the commands of a table of this game, in brief.
pub(super) fn help_at_table(info: &Info) -> Phrase {
    let other = |word: &str| Kind::ALL.iter().flat_map(|kind| kind.info().verbs).any(|verb| verb.word == word);
    let here = |usage: &Usage| {
        let word = usage.word.trim_start_matches('/');
        word != "new" && (info.verb(word).is_some() || !other(word))
    };
    let lines = commands().into_iter().filter(here).map(|usage| {
        let first = usage.meaning.split_inclusive(". ").next().unwrap_or_default().trim_end();
        phrase!["- ", phrase::code(usage.usage), ": ", first]
    });
    phrase![
        info.how_to_move(),
        " The commands, each as the first line of a comment:\n\n",
        Phrase::join(lines, "\n"),
        "\n\n",
        phrase::code(format!("/help {}", info.name)),
        " says how the game is played.",
    ]
}

/// Returns what a name that stands for a setup means, and how that game is played here.
pub(super) fn help_setup(setup: &NamedSetup) -> Phrase {
    let name = setup.names.first().copied().unwrap_or_default();
    phrase![
        strong(format!("{}.", setup.title)),
        format!(" {} ", setup.summary),
        phrase::code(format!("/new {name}")),
        " opens a table, as ",
        phrase::code(format!("/new {}", setup.words)),
        " does.\n\n",
        setup.kind().map(|kind| help_game(kind.info())),
    ]
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
        " lists all commands.",
    ]
}
