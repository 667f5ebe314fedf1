//! The refusals of `/new`.

use game::{InvalidState, Phrase, list_code, quote, say};
use games::GameKind;

use super::refusal::{did_you_mean, refusals, sentence, unknown_level};

refusals! {
    /// The reason a `/new` can't open a table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    SetupRefusal {
        /// A `/new` without a game: the names of all games.
        MissingGame(games: Vec<&'static str>) => {
            let example = games.first().unwrap_or(&"tic-tac-toe");
            say!("Which game? For example, write `/new {example}`. You can play {games:list_code}.")
        };
        /// An unknown game: the text, the nearest name, and all names.
        UnknownGame(typed: String, nearest: Option<&'static str>, games: Vec<&'static str>) => "There's no game called \
            {typed:quote} here. {nearest:did_you_mean}You can play {games:list_code}.";
        /// A game that the host doesn't allow: its title, and the names of the allowed games.
        GameNotAllowed(title: &'static str, games: Vec<&'static str>) => "{title} isn't played in this repository. You can \
            play {games:list_code}.";
        /// An invalid value for an option of the game: the game's sentence about valid values.
        InvalidOption(sentence: Phrase) => "{sentence} No game was started.";
        /// An invalid value for an option of all games, or two options that conflict.
        InvalidTableOption(option: InvalidTableOption) => "{option:InvalidTableOption::sentence} No game was started.";
        /// An option without a value: the key.
        MissingValue(key: String) => "`{key}` needs a value after `=`. No game was started.";
        /// An unknown option: the text, the nearest key, and the game.
        UnknownOption(typed: String, nearest: Option<&'static str>, kind: GameKind) => { say!(
            "I don't know the option {typed:quote}. {nearest:did_you_mean}To see the options, write `/help {game}`. No game was \
             started.",
            game = kind.info().name,
        ) };
        /// A word that isn't an option, but may be the opponent's username.
        OpponentWithoutAt(typed: String) => { say!(
            "I don't know the option {typed:quote}. To invite a player with that name, write {mention:quote}. No game was started.",
            mention = format!("@{typed}"),
        ) };
        /// A `/new` in someone else's issue.
        NotYourIssue => "Only this issue's author or a maintainer can start a game here. Open your own issue that says `/new` \
            and a game's name.";
        /// A `/new` by a non-maintainer where only maintainers may open tables.
        OnlyMaintainers => "Only maintainers can start games in this repository. Ask one of them.";
        /// An unknown seat: the text, and the seats of the game.
        UnknownSeat(typed: String, seats: [&'static str; 2]) => {
            let [first, second] = seats;
            say!("There's no side called {typed:quote}. The sides are `{first}` and `{second}`.")
        };
        /// A `/new` whose author chose more than one side: the seats of the game.
        TwoSides(seats: [&'static str; 2]) => {
            let [first, second] = seats;
            say!(
                "You can only play one side. Write `as={first}`, `as={second}`, or `as=random`. No game was started."
            )
        };
        /// A `/new @opponent` that names its own author.
        OpponentIsYou => "You can't play against yourself. Name someone else, or leave out the name so that anyone can join.";
        /// A `/new @computer`, which mentions a real account: the word.
        ComputerMention(typed: String) => "{typed:quote} is someone's account. To play the computer, leave out the `@`: \
            `/new GAME computer`. No game was started.";
        /// A `/new @opponent` that names a bot: the mention.
        OpponentIsBot(typed: String) => "{typed:quote} is a bot that doesn't play. To play the computer, write \
            `/new GAME computer`. No game was started.";
        /// A `/new @opponent` that names an organization: the mention.
        OpponentIsOrganization(typed: String) => "{typed:quote} is an organization, and only people can play. No game was \
            started.";
        /// A `/new @opponent` that names nobody: the mention.
        OpponentIsMissing(typed: String) => "There's no account called {typed:quote}. Check the spelling. No game was started.";
        /// An unknown level of the computer: the text, and the game.
        UnknownLevel(typed: String, kind: GameKind) => {
            say!("{unknown} No game was started.", unknown = unknown_level(typed, *kind))
        };
        /// A `/new` with two opponents.
        TwoOpponents => "These are games for two, so name just one opponent. No game was started.";
        /// A `/new @opponent` with an invalid username.
        InvalidLogin(typed: String) => "{typed:quote} isn't a valid username. Write your opponent as `@username`.";
    }
}

refusals! {
    /// The reason an option that all games share is invalid.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    InvalidTableOption {
        /// An open table with an opponent, a side or a time limit.
        OpenWithPlayers => "Nobody has a seat in an open game, so you can't combine `seats=open` with an opponent, `as`, or \
            `per-move`.";
        /// A time limit against the computer.
        TimeLimitWithComputer => "Games against the computer have no time limit, so leave out `per-move`.";
        /// A level without the computer.
        LevelWithoutComputer => "`level` only works in games against the computer.";
        /// A `rated` that is neither `yes` nor `no`.
        Rated => "`rated` has to be `yes` or `no`.";
        /// An `autoplay` that is neither `on` nor `off`.
        Autoplay => "`autoplay` has to be `on` or `off`.";
        /// An open table with `autoplay`, where nobody has a seat.
        AutoplayInOpenGame => "In an open game, the next person plays the only legal move, so leave out `autoplay`.";
        /// A game with dice and `autoplay`.
        AutoplayWithDice => "When a roll has only one legal play, the bot plays it anyway, so leave out `autoplay`.";
        /// An invalid value of `seats`.
        Seats => "`seats` has to be `open` (anyone can move for either side) or `named` (two players).";
        /// A `gap` without an open table, or one above this maximum.
        Gap(most: u32) => "`gap` has to be a number from 0 to {most} and only works with `seats=open`.";
        /// A `per-move` that isn't a duration, or is too short or too long.
        PerMove => "`per-move` has to be a time from `1m` to `366d` in minutes, hours, days, or weeks. For example, write \
            `per-move=7d`.";
        /// A `bank` that isn't a duration, or is too short or too long.
        Bank => "`bank` has to be a time from `1m` to `366d` in minutes, hours, days, or weeks. For example, write \
            `per-move=3d bank=14d`.";
        /// A time for votes that isn't a duration, or is too short or too long.
        Votes => "`votes` has to be a time from `1h` to `7d`. For example, write `votes=24h`.";
        /// A quorum that isn't a number from 1 to this maximum.
        Quorum(most: u32) => "`quorum` has to be a number from 1 to {most}.";
        /// An option for votes without a crowd.
        WithoutCrowd => "`votes`, `quorum` and `level=auto` only work in games of a crowd. For example, write \
            `/new chess computer crowd votes=24h`.";
        /// A crowd in a game with dice.
        CrowdWithDice => "A crowd can't play a game with dice.";
        /// A crowd in a terminal.
        CrowdInTerminal => "A crowd votes with reactions on GitHub, so it can't play in a terminal.";
        /// A crowd with a time limit.
        CrowdWithClock => "A crowd's votes have a time of their own, so leave out `per-move` and `bank`. For example, write \
            `votes=24h`.";
        /// A crowd at an open table.
        CrowdInOpenGame => "In an open game anyone moves at once, and a crowd votes first, so leave out `seats=open`.";
        /// A crowd with `autoplay`.
        AutoplayWithCrowd => "A crowd votes on each of its moves, so leave out `autoplay`.";
        /// A `bank` without `per-move`.
        BankWithoutPerMove => "A `bank` adds to the time for each move, so give both. For example, write `per-move=3d bank=14d`.";
    }
}

impl From<InvalidState> for SetupRefusal {
    fn from(invalid: InvalidState) -> SetupRefusal {
        SetupRefusal::InvalidOption(invalid.message.into())
    }
}
