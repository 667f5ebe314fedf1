//! Help texts for commands and games, and links to the documentation.

use game::{Info, Phrase, Seat, Span, Variant, by_place, plain, say, spans};
use games::{GameKind, GameVariant};
use table::{HostPolicy, TABLE_OPTIONS, Table, Usage, commands, level_names, variant_words};

use crate::render::{code, markdown};

/// Descriptions of [`TABLE_OPTIONS`], in the same order.
const TABLE_OPTION_DESCRIPTIONS: [&[Span]; TABLE_OPTIONS.len()] = [
    spans!("the side you play, "),
    spans!("`seats=open` starts an open game, where anyone can move for either side"),
    spans!(
        "in an open game, how many other people have to move before you can move again (default `1`; `gap=0` means no \
         limit)"
    ),
    spans!("the computer's level, "),
    spans!(
        "the time limit for each move in minutes, hours, days, or weeks, for example `per-move=7d`; when it runs out, \
         the game ends, and your opponent can `/claim` the win right away"
    ),
    spans!(
        "with `per-move`, extra time for each player for the whole game: in `per-move=3d bank=14d`, slow moves use up \
         the 14 days"
    ),
    spans!("`rated=no`, or just `casual`, starts a game that changes no ratings"),
    spans!("lets the bot play a move if it's a player's only legal one"),
    spans!(
        "in a game of a `crowd`, the time for each vote, from `1h` to `7d` (default `20h`, so that each daily run counts)"
    ),
    spans!("in a game of a `crowd`, how many people have to vote before a move is played (default `1`)"),
];

/// Returns all commands as a Markdown table, for the README.
pub fn command_table() -> String {
    command_table_for(GameKind::ALL)
}

/// Returns the commands that these games have as a Markdown table.
fn command_table_for(games: &[GameKind]) -> String {
    let commands = commands().into_iter().filter(|usage| works_in(usage, games));
    let rows = commands.map(|usage| format!("| {} | {} |\n", code(&usage.usage), usage.description));
    format!("| Command | What it does |\n| --- | --- |\n{}", rows.collect::<String>())
}

/// Whether a command works in one of these games.
fn works_in(usage: &Usage, games: &[GameKind]) -> bool {
    let word = match usage.word.trim_start_matches('/') {
        // `/autoroll` works in the games that have `/roll`.
        "autoroll" => "roll",
        word => word,
    };
    let has_verb = |kind: &GameKind| kind.info().verb(word).is_some();
    games.iter().any(has_verb) || !GameKind::ALL.iter().any(has_verb)
}

/// Returns all commands and the games that the host allows, as Markdown.
pub(super) fn help(policy: &HostPolicy) -> String {
    let kinds: Vec<GameKind> = GameKind::ALL.iter().copied().filter(|kind| policy.allows(*kind)).collect();
    let games = GameVariant::all().filter(|game| policy.allows(game.kind)).map(|game| {
        let summary = game.variant.map_or(game.kind.info().summary, |variant| variant.summary);
        format!("- `{}`: {summary}", game.name())
    });
    format!(
        "Write one command per comment, on the first line.\n\n{}\nGames you can play here:\n\n{}\n\n\
         To learn how to play one, write `/help GAME`.{}",
        command_table_for(&kinds),
        games.collect::<Vec<_>>().join("\n"),
        markdown(&players_guide()),
    )
}

/// Whether a player may need a command at a table now. `PLAYING.md` has the others.
fn is_useful(word: &str, table: &Table) -> bool {
    let (is_open, computer) = (table.is_open(), table.players().computer().is_some());
    let is_timed = table.terms().per_move.is_some();
    let is_verb = table.info().verb(word.trim_start_matches('/')).is_some();
    match word {
        // Without the cube, dice roll on their own.
        _ if is_verb && table.game().has_dice() => table.game().has_optional_rolls(),
        "/new" | "/history" | "/pgn" | "/fen" | "/standings" | "/rating" | "/mine" | "/continue" | "/autoroll" => false,
        "/join" => table.has_open_seat() && !is_open,
        "/leave" => table.seat_that_may_leave().is_some(),
        "/if" => table.state().check_conditional_moves(None).is_ok(),
        "/time" | "/away" => is_timed,
        "/claim" => is_timed && !is_open,
        "/extend" => is_timed && !computer,
        "/accept" | "/decline" | "/nudge" => !is_open && !computer,
        "/draw" | "/resign" => !is_open,
        "/computer" => !computer,
        "/hint" => is_open || computer,
        "/rematch" | "/review" => table.is_over(),
        _ => true,
    }
}

/// Returns a short list of the commands that a player may need at a table now.
pub(super) fn help_at_table(table: &Table) -> Phrase {
    let game = table.variant();
    let info = game.kind.info();
    let works_here = |usage: &Usage| works_in(usage, &[game.kind]) && is_useful(&usage.word, table);
    let lines = commands().into_iter().filter(works_here).map(|usage| {
        let summary = usage.description.split_inclusive(". ").next().unwrap_or_default().trim_end();
        say!("- `{usage}`: {summary}", usage = usage.usage)
    });
    say!(
        "{how} Write a command on the first line of a comment:\n\n{lines}\n\nTo learn how to play, write `/help \
         {game}`.{guide}",
        how = info.how_to_move(),
        lines = Phrase::join(lines, "\n"),
        game = game.name(),
        guide = players_guide(),
    )
}

/// Returns how to play a game: its goal and how to move.
pub(super) fn rules(game: GameVariant) -> Phrase {
    let info = game.kind.info();
    let (title, summary) = game.variant.map_or((info.title, info.summary), |variant| (variant.title, variant.summary));
    say!("**{title}.** {summary}\n\n{how}{guide}", how = info.how_to_move(), guide = game_guide(info))
}

/// Returns the help for a game: how to move, its sides, and its options. The help for a variant starts with its summary and
/// the command that starts it.
pub(super) fn help_game(game: GameVariant) -> Phrase {
    let info = game.kind.info();
    if let Some(Variant { title, summary, name, .. }) = game.variant {
        return say!(
            "**{title}.** {summary} To start a game, write `/new {name}` (or `/new {words}`).\n\n{help}",
            words = variant_words(game),
            help = help_game(game.kind.into()),
        );
    }
    let game_options = info.options.iter().map(|option| (option.key, option.description));
    let options = game_options.chain(TABLE_OPTIONS.into_iter().zip(TABLE_OPTION_DESCRIPTIONS));
    // Games with dice play forced moves anyway, and have no crowds.
    let options = options.filter(|(key, _)| !matches!(*key, "autoplay" | "votes" | "quorum") || !game.kind.has_dice());
    let options =
        options.map(|(key, description)| say!("- `{key}`: {description}{values}", values = values(game.kind, key)));
    let Info { title, summary, name, .. } = info;
    say!(
        "**{title}.** {summary}\n\n{how}\n\nThe sides are {first} and {second}. To start a game, write `/new {name}`. You can \
         add options:\n\n{options}\n\nFor all commands, write `/help`.{guide}",
        how = info.how_to_move(),
        first = info.side_name(Seat::First),
        second = info.side_name(Seat::Second),
        options = Phrase::join(options, "\n"),
        guide = game_guide(info),
    )
}

/// Returns the values of the options `as` and `level` for this game; `None` for other options.
fn values(kind: GameKind, key: &str) -> Option<Phrase> {
    let side = kind.info().side_name(Seat::Second);
    let side = if side.len() > 1 { side.to_lowercase() } else { side };
    match key {
        "as" => Some(say!("for example `as={side}` or `as=random`")),
        "level" => Some(say!("{names} (default `medium`)", names = level_names(kind))),
        _ => None,
    }
}

// Links to the documentation.

/// The folder of the documentation on GitHub.
pub const DOCS: &str = "https://github.com/play-by-commit/play-by-commit/blob/HEAD/docs/";

/// The page of [`DOCS`] on how to check dice.
pub const DICE_PAGE: &str = "DICE.md";

/// Returns words that link a page of the documentation. A terminal shows only the words.
pub(super) fn docs_link(words: &str, page: &str) -> Phrase {
    by_place(plain(words), plain(format!("[{words}]({DOCS}{page})")))
}

/// Returns a sentence that links the guide for players, with a leading space. A terminal has no such sentence.
pub(super) fn players_guide() -> Phrase {
    by_place("", say!(" {guide} explains everything else.", guide = docs_link("How to play", "PLAYING.md")))
}

/// Returns a sentence that links the guide to a game, with a leading space. A terminal has no such sentence.
pub(super) fn game_guide(game: &Info) -> Phrase {
    let words = format!("the guide to {}", game.title.to_lowercase());
    let guide = docs_link(&words, &format!("games/{}.md", game.name));
    by_place("", say!(" For pictures and examples, read {guide}."))
}
