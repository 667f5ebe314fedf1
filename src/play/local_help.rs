//! The help of the terminal: a short list of what to type, and the rules of each game.

use answers::output_format::OutputFormat;
use answers::terminal::TerminalOptions;
use games::registry::GameKind;
use table::any_table::AnyTable;

use crate::play::shortcuts::{example_move, has_numbered_cells, moves_are_cells};

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
    let example = example_move(table).map_or(String::new(), |example| format!(", such as `{example}`"));
    let mut lines = vec![if has_numbered_cells(table) {
        "Type a cell: its column and row, such as `b2`, or its number.".to_owned()
    } else if moves_are_cells(table) {
        format!("Type a cell by its column and row{example}. Tab completes it.")
    } else {
        format!("Type a move{example}. Tab completes it, and `rules` says more.")
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
    let verbs: Vec<String> = table.kind().info().verbs.iter().map(|verb| format!("`{}`", verb.word)).collect();
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
        OutputFormat::Terminal(options).render(&info.how_to_move())
    };
    format!("{}. {} {}\n\n{how}", info.title, info.summary, info.details)
}
