//! The help of the terminal: a short list of what to type, and the rules of each game.

use answers::output_format::OutputFormat;
use answers::terminal::TerminalOptions;
use games::registry::GameKind;
use table::any_table::AnyTable;

use crate::play::shortcuts::{example_move, has_numbered_cells};

/// What to type at any table, in two columns.
const WORDS: [[(&str, &str); 2]; 6] = [
    [("moves", "lists your legal moves"), ("undo", "takes back your last move")],
    [("board", "shows the board again"), ("hint", "shows the computer's choice")],
    [("flip", "turns the board around"), ("draw", "offers a draw")],
    [("history", "lists the moves so far"), ("resign", "gives up")],
    [("rules", "explains the game"), ("level", "says how to change the level")],
    [("new", "starts another game"), ("quit", "leaves; you can come back")],
];
/// The minimum terminal width for help in two columns.
const TWO_COLUMNS: usize = 76;

/// Returns what a player can type: eight lines in a terminal of 80 columns.
pub(super) fn help(table: &AnyTable, options: TerminalOptions) -> String {
    let kind = table.kind();
    let example = example_move(table).map_or(String::new(), |example| format!(", such as `{example}`"));
    let mut lines = vec![match kind {
        _ if has_numbered_cells(table) => "Type a cell: its column and row, such as `b2`, or its number.".to_owned(),
        GameKind::TicTacToe | GameKind::Othello | GameKind::Hex | GameKind::UltimateTicTacToe => {
            format!("Type a cell by its column and row{example}. Tab completes it.")
        }
        _ => format!("Type a move{example}. Tab completes it, and `rules` says more."),
    }];
    let is_wide = options.columns.is_none_or(|columns| columns >= TWO_COLUMNS);
    for [(one, means_one), (two, means_two)] in WORDS {
        if is_wide {
            lines.push(format!("  {one:8} {means_one:26}{two:8} {means_two}"));
        } else {
            lines.push(format!("  {one:8} {means_one}"));
            lines.push(format!("  {two:8} {means_two}"));
        }
    }
    let verbs: Vec<String> = kind.info().verbs.iter().map(|verb| format!("`{}`", verb.word)).collect();
    if !verbs.is_empty() {
        lines.push(format!("In this game there's also {}.", verbs.join(", ")));
    }
    lines.join("\n")
}

/// Returns how to play a game.
pub(super) fn rules(kind: GameKind, options: TerminalOptions, has_numbers: bool) -> String {
    let info = kind.info();
    let how = if has_numbers {
        "To move, name a cell by column and row, like `b2` (`a1` is the bottom left), or type the number that the board shows."
            .to_owned()
    } else {
        // Records number the cells differently from a keypad.
        let how = OutputFormat::Terminal(options).render(&info.how_to_move());
        how.split_once(" You can also write its number").map_or(how.clone(), |(how, _)| how.to_owned())
    };
    format!("{}. {} {}\n\n{how}", info.title, info.summary, details(kind))
}

/// Returns the rules that the summary leaves out.
fn details(kind: GameKind) -> &'static str {
    match kind {
        GameKind::TicTacToe => "If the board is full and nobody has a row, the game is a draw.",
        GameKind::UltimateTicTacToe => {
            "If that board is finished, your opponent can play in any other. If no board is left, the game is a draw."
        }
        GameKind::Backgammon => {
            "You can't land on a point with two or more enemy checkers. A single one is hit and has to enter again from the bar. \
             You must use both dice if you can."
        }
        GameKind::Chess => {
            "If you can't move and aren't in check, the game is a draw. So it is after the same position five times, or 75 \
             moves without a capture or a pawn move."
        }
        GameKind::ConnectFour => "A disc falls to the lowest free place. A full board without a row is a draw.",
        GameKind::Othello => {
            "Every move has to flip at least one disc. If you have no such move, you pass automatically. Equal numbers are a \
             draw."
        }
        GameKind::Hex => {
            "Players take turns placing stones, which never move. One of you always connects, so there's no draw."
        }
        GameKind::Checkers => {
            "Men move diagonally forward, kings backward too. If you can jump, you must, and a jump goes on as long as it can. \
             A man that reaches the last row becomes a king."
        }
    }
}
