//! All commands with their facts, which `/help`, the README and the terminal show. `phrases.rs` has other words for them.

use games::GameKind;

use crate::comments::command::{CommandSpec, WithoutSlash, Words};
use crate::{Command, CommandTarget};

/// The command that opens a table.
pub static NEW: CommandSpec = CommandSpec {
    target: CommandTarget::OwnIssue,
    words: Words::Any,
    ..CommandSpec::new(
        "/new GAME [@opponent] [key=value ...]",
        "Starts a game in this issue. You play the first side. The other side is reserved for `@opponent`, or open to \
         anyone. `/new GAME computer` plays against the computer.",
        Command::New,
    )
};

static JOIN: CommandSpec = CommandSpec {
    words: Words::One,
    works_in_terminal: false,
    ..CommandSpec::new("/join [SEAT]", "Takes an open seat. A move takes it too, if it's that side's turn.", |words| {
        Command::Join(words.into_iter().next())
    })
};

pub(crate) static MOVE: CommandSpec = CommandSpec {
    words: Words::Any,
    ..CommandSpec::new(
        "/move MOVE",
        "Plays a move. The move alone is enough, if it has more than one character, or you're a player. Add `#42` to move in the \
         game of issue 42.",
        Command::of_move,
    )
};

pub(crate) static IF: CommandSpec = CommandSpec {
    words: Words::Any,
    without_slash: WithoutSlash::Suggested("To announce a reply to a move"),
    works_in_terminal: false,
    ..CommandSpec::new(
        "/if [MOVE REPLY]",
        "While you wait, announces your reply to a move, which the bot then plays at once: `/if exd5 Qxd5, Nc3 Qa5`. Write more \
         lines below. `/if` shows all such lines, and `/if none` drops yours.",
        Command::If,
    )
};

static BOARD: CommandSpec = CommandSpec {
    is_read_only: true,
    without_slash: WithoutSlash::Counts,
    ..CommandSpec::new("/board", "Shows the board and whose turn it is.", |_| Command::Board)
};

static MOVES: CommandSpec = CommandSpec {
    is_read_only: true,
    without_slash: WithoutSlash::Counts,
    ..CommandSpec::new("/moves", "Lists the legal moves.", |_| Command::Moves)
};

static HISTORY: CommandSpec = CommandSpec {
    is_read_only: true,
    without_slash: WithoutSlash::Counts,
    ..CommandSpec::new("/history", "Lists the moves so far.", |_| Command::History)
};

static PGN: CommandSpec = CommandSpec {
    is_read_only: true,
    ..CommandSpec::new(
        "/pgn",
        "Shows the game as a file: PGN for chess, otherwise the format of the game or its list of moves.",
        |_| Command::Pgn,
    )
};

static FEN: CommandSpec = CommandSpec {
    is_read_only: true,
    ..CommandSpec::new("/fen", "Shows the position: FEN for chess, otherwise the board.", |_| Command::Fen)
};

static TIME: CommandSpec = CommandSpec {
    is_read_only: true,
    ..CommandSpec::new("/time", "Shows how much time each player has, and until when.", |_| Command::Time)
};

static STANDINGS: CommandSpec = CommandSpec {
    is_read_only: true,
    words: Words::Any,
    works_in_terminal: false,
    ..CommandSpec::new("/standings [GAME]", "Shows the ten best players of a game, and your own place.", |words| {
        Command::Standings(joined(&words))
    })
};

static RATING: CommandSpec = CommandSpec {
    is_read_only: true,
    words: Words::Any,
    works_in_terminal: false,
    ..CommandSpec::new("/rating [@username]", "Shows your ratings here, or those of another player.", |words| {
        Command::Rating(words.into_iter().next())
    })
};

static MINE: CommandSpec = CommandSpec {
    is_read_only: true,
    works_in_terminal: false,
    ..CommandSpec::new("/mine", "Lists your games in this repository, those that wait for you first.", |_| {
        Command::Mine
    })
};

static AWAY: CommandSpec = CommandSpec {
    words: Words::Any,
    works_in_terminal: false,
    ..CommandSpec::new(
        "/away [TIME]",
        "Stops your clocks in all your games here, such as `/away 14d`, until you write `/away off`. Everyone can see it, and it stays \
         in the repository's history.",
        Command::Away,
    )
};

static HELP: CommandSpec = CommandSpec {
    target: CommandTarget::OwnIssue,
    is_read_only: true,
    words: Words::Any,
    without_slash: WithoutSlash::Counts,
    ..CommandSpec::new("/help [GAME]", "Lists the commands, or explains how to play a game.", |words| {
        Command::Help(joined(&words))
    })
};

static RULES: CommandSpec = CommandSpec {
    is_read_only: true,
    words: Words::Any,
    without_slash: WithoutSlash::Counts,
    is_listed: false,
    ..CommandSpec::new("/rules [GAME]", "Explains how to play.", |words| Command::Rules(joined(&words)))
};

pub(super) static DRAW: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To offer, accept or claim a draw"),
    ..CommandSpec::new(
        "/draw",
        "Offers a draw, accepts your opponent's offer, or claims a draw that the rules allow. You can offer it with your move: \
         `Nf3, draw?`. An offer lapses at your opponent's next move.",
        |_| Command::Draw,
    )
};

pub(crate) static UNDO: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To ask for a takeback"),
    ..CommandSpec::new(
        "/undo",
        "Asks to take back your last move, or grants your opponent's request. Any move declines it.",
        |_| Command::Undo,
    )
};

static ACCEPT: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To accept"),
    ..CommandSpec::new(
        "/accept",
        "Accepts your opponent's request: a draw, a takeback, or the end of one game of a match.",
        |_| Command::Accept,
    )
};

pub(crate) static DECLINE: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To decline"),
    ..CommandSpec::new("/decline", "Declines your opponent's request, or an invitation to a game.", |_| {
        Command::Decline
    })
};

static LEAVE: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To leave this game"),
    works_in_terminal: false,
    ..CommandSpec::new(
        "/leave",
        "Leaves a game that you joined at an open seat, until your opponent's next move. Your move is taken back.",
        |_| Command::Leave,
    )
};

static RESIGN: CommandSpec = CommandSpec {
    words: Words::Any,
    without_slash: WithoutSlash::Suggested("To resign"),
    ..CommandSpec::new(
        "/resign [COST]",
        "Resigns the game. In a match or with the cube it offers to lose the current game as a single; \
         `/resign gammon` resigns right away at that cost.",
        Command::Resign,
    )
};

static NUDGE: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To remind your opponent"),
    works_in_terminal: false,
    ..CommandSpec::new(
        "/nudge",
        "Reminds your opponent that it's their turn. You can do that once a day, from a day after their turn began.",
        |_| Command::Nudge,
    )
};

static CLAIM: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To claim a win on time"),
    ..CommandSpec::new(
        "/claim",
        "Claims the win when your opponent is out of time (`per-move=7d`), if they have moved in this round.",
        |_| Command::Claim,
    )
};

static EXTEND: CommandSpec = CommandSpec {
    words: Words::Any,
    works_in_terminal: false,
    ..CommandSpec::new(
        "/extend TIME",
        "While you wait, gives your opponent more time for this turn: `/extend 3d`. You can give 30 days in a game.",
        Command::Extend,
    )
};

pub(super) static ABORT: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To end the game without a result"),
    ..CommandSpec::new(
        "/abort",
        "Ends the game without a result. Players can do this before both have moved or after 30 days of silence, and \
         maintainers at any time. At an open table with a full record, anyone can.",
        |_| Command::Abort,
    )
};

pub(super) static COMPUTER: CommandSpec = CommandSpec {
    words: Words::One,
    without_slash: WithoutSlash::Suggested("To let the computer play"),
    ..CommandSpec::new(
        "/computer [LEVEL]",
        "Gives the other side to the computer if it's open, or if its player is out of time or has been silent for 30 days. \
         At an open table, the computer makes one move. The level is `1` to `8`, or `easy`, `medium`, `hard`, `max`; some \
         games also have `0`, or `learning`.",
        |words| Command::Computer(words.into_iter().next()),
    )
};

static HINT: CommandSpec = CommandSpec {
    is_read_only: true,
    without_slash: WithoutSlash::CountsAlone("To see what the computer would play"),
    ..CommandSpec::new(
        "/hint",
        "Shows what the computer would play, at an open table or in a game against it. A level that you beat with hints doesn't count.",
        |_| Command::Hint,
    )
};

static REVIEW: CommandSpec = CommandSpec {
    is_read_only: true,
    ..CommandSpec::new(
        "/review",
        "After the game: shows how accurately both sides played, and the turning points.",
        |_| Command::Review,
    )
};

static AUTO_ROLL: CommandSpec = CommandSpec {
    words: Words::OneOf(&["on", "off"]),
    ..CommandSpec::new(
        "/autoroll [off]",
        "Backgammon with the cube: rolls for you at the start of your turns, until you write `/autoroll off`.",
        |words| Command::AutoRoll(!words.first().is_some_and(|word| word.eq_ignore_ascii_case("off"))),
    )
};

pub(crate) static CONTINUE: CommandSpec = CommandSpec {
    target: CommandTarget::NamedTable,
    works_in_terminal: false,
    ..CommandSpec::new(
        "/continue #TABLE",
        "In a new issue: continues that game there. An issue holds at most 2,500 comments.",
        |_| Command::Continue,
    )
};

pub(super) static REMATCH: CommandSpec = CommandSpec {
    without_slash: WithoutSlash::Suggested("To play again"),
    ..CommandSpec::new(
        "/rematch",
        "After the game: starts another one with the sides swapped. Your opponent's side is reserved for them, and the \
         finished game goes to the archive.",
        |_| Command::Rematch,
    )
};

/// The commands of every table, in the order of `/help`. Commands of single games are their verbs.
static COMMANDS: [&CommandSpec; 32] = [
    &NEW, &JOIN, &MOVE, &IF, &BOARD, &MOVES, &HISTORY, &PGN, &FEN, &TIME, &STANDINGS, &RATING, &MINE, &AWAY, &HELP,
    &RULES, &DRAW, &UNDO, &ACCEPT, &DECLINE, &LEAVE, &RESIGN, &NUDGE, &CLAIM, &EXTEND, &ABORT, &COMPUTER, &HINT,
    &AUTO_ROLL, &CONTINUE, &REMATCH, &REVIEW,
];

impl Command {
    /// Returns the facts about the command; `None` for a verb of a game.
    pub fn spec(&self) -> Option<&'static CommandSpec> {
        Some(match self {
            Command::New(_) => &NEW,
            Command::Join(_) => &JOIN,
            Command::Move(_) | Command::MoveWithOffer(_) | Command::MoveAt(..) => &MOVE,
            Command::If(_) | Command::IfAbove(..) => &IF,
            Command::Board => &BOARD,
            Command::Moves => &MOVES,
            Command::History => &HISTORY,
            Command::Time => &TIME,
            Command::Standings(_) => &STANDINGS,
            Command::Rating(_) => &RATING,
            Command::Mine => &MINE,
            Command::Away(_) => &AWAY,
            Command::Help(_) => &HELP,
            Command::Resign(_) => &RESIGN,
            Command::Draw | Command::DrawAbove(_) => &DRAW,
            Command::Decline => &DECLINE,
            Command::Undo => &UNDO,
            Command::Accept => &ACCEPT,
            Command::Abort => &ABORT,
            Command::Rematch => &REMATCH,
            Command::Nudge => &NUDGE,
            Command::Claim => &CLAIM,
            Command::Extend(_) => &EXTEND,
            Command::Continue => &CONTINUE,
            Command::Leave => &LEAVE,
            Command::Rules(_) => &RULES,
            Command::Pgn => &PGN,
            Command::Fen => &FEN,
            Command::Computer(_) => &COMPUTER,
            Command::Hint => &HINT,
            Command::Review => &REVIEW,
            Command::AutoRoll(_) => &AUTO_ROLL,
            Command::Verb(_) => return None,
        })
    }

    /// Whether the command only shows something, unless the bot refuses it.
    pub fn may_show(&self) -> bool {
        match self {
            // Without words, it lists the games.
            Command::New(words) => words.is_empty(),
            // Without words, it shows the lines.
            Command::If(words) | Command::IfAbove(words, _) => words.is_empty(),
            // It changes no table, so a run claims the answer with a reaction, as for a command that only shows something.
            Command::Away(_) => true,
            _ => self.spec().is_some_and(|spec| spec.is_read_only),
        }
    }
}

/// Returns the command with this word; `None` for the verbs of games and for other words.
pub fn find_command(word: &str) -> Option<&'static CommandSpec> {
    COMMANDS.into_iter().find(|spec| spec.word() == word)
}

/// Returns the commands of every table.
pub(super) fn all_commands() -> impl Iterator<Item = &'static CommandSpec> {
    COMMANDS.into_iter()
}

/// Whether a word is a command, or a verb of any game.
pub(super) fn is_command(word: &str) -> bool {
    let verb = |verb: &str| GameKind::ALL.iter().any(|kind| kind.info().verb(verb).is_some());
    find_command(word).is_some() || word.strip_prefix('/').is_some_and(verb)
}

/// Returns the target of a command or a verb by its word.
pub fn target_of(word: &str) -> CommandTarget {
    find_command(word).map_or(CommandTarget::Table, |spec| spec.target)
}

/// A command in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The word with its slash.
    pub word: String,
    /// The word with its arguments: `/join [SEAT]`.
    pub usage: String,
    /// The description, in one or two sentences.
    pub description: &'static str,
}

/// Returns all commands. The commands of single games come before the commands that end a game.
pub fn commands() -> Vec<Usage> {
    let listed = COMMANDS.into_iter().filter(|spec| spec.is_listed);
    let mut all: Vec<Usage> = listed
        .map(|spec| Usage { word: spec.word().to_owned(), usage: spec.usage.to_owned(), description: spec.description })
        .collect();
    let at = all.iter().position(|usage| usage.word == NUDGE.word()).unwrap_or(all.len());
    let verbs = GameKind::ALL.iter().flat_map(|kind| kind.info().verbs).map(|verb| {
        let word = format!("/{}", verb.word);
        Usage { usage: word.clone(), word, description: verb.description }
    });
    all.splice(at..at, verbs);
    all
}

/// Returns the words as one text; `None` if there are none.
fn joined(words: &[String]) -> Option<String> {
    if words.is_empty() { None } else { Some(words.join(" ")) }
}
