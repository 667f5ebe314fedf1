//! What a terminal can show, and text that is wrapped to its width.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::mpsc;
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{io, thread};

use answers::board_picture;
use game::Seat;
use git::LocalForge;
use table::{IssueNumber, MadeBy, Table, TableStatus};
use textwrap::core::display_width;
use textwrap::{Options, WordSplitter};

use crate::print::print_note;
use crate::{PlayOptions, program_name, shell_quote};

/// Narrower terminals get unwrapped text.
const MIN_COLUMNS: usize = 20;
/// A nonbreaking space.
const NO_BREAK_SPACE: char = '\u{a0}';

/// Whether standard output is a terminal whose locale has UTF-8.
pub fn has_unicode() -> bool {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or_default().to_lowercase();
    io::stdout().is_terminal() && (cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8"))
}

/// Shows code in bold if the terminal has colors, and leaves it in backticks otherwise.
pub fn style_code(text: &str, colored: bool) -> String {
    if !colored {
        return text.to_owned();
    }
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { format!("\u{1b}[1m{part}\u{1b}[0m") } else { part.to_owned() });
    parts.collect()
}

/// Wraps lines of prose between words. Leaves boards alone, and all text if `columns` is `None`.
pub fn wrap(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.filter(|columns| *columns >= MIN_COLUMNS) else { return text.to_owned() };
    text.lines().map(|line| wrap_line(line, columns)).collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str, columns: usize) -> String {
    if display_width(line) <= columns || !is_prose(line) {
        return line.to_owned();
    }
    let indent = if line.starts_with("- ") { "  " } else { "" };
    // A hyphen doesn't end a word: `11-15`, tic-tac-toe.
    let options = Options::new(columns).subsequent_indent(indent).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(&keep_code_together(line), options).replace(NO_BREAK_SPACE, " ")
}

/// Whether a line is text, and not a row of a board: it starts with a letter, code, a dash or the number of a list.
fn is_prose(line: &str) -> bool {
    let line = line.trim_start_matches("\u{1b}[1m");
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '`' | '(' | '"'))
        || line.starts_with("- ")
        || (after_number.len() < line.len() && after_number.starts_with(". "))
}

/// Replaces the spaces in code, so that moves such as `8/5 6/5` stay on one line. Code is in backticks or bold.
fn keep_code_together(line: &str) -> String {
    let mut in_code = false;
    let mut kept = String::new();
    for (at, c) in line.char_indices() {
        match c {
            '`' => in_code = !in_code,
            '\u{1b}' => in_code = line[at..].starts_with("\u{1b}[1m"),
            _ => {}
        }
        kept.push(if in_code && c == ' ' { NO_BREAK_SPACE } else { c });
    }
    kept
}

/// Returns the lines of an answer above and below a board. On a small screen, the last ones follow the board, so that its top
/// and whose turn it is stay on the screen.
pub(super) fn around_board(lines: &[String], board_height: usize, rows: Option<usize>) -> (&[String], &[String]) {
    let height = |lines: &[String]| lines.iter().map(|line| line.lines().count().max(1)).sum::<usize>();
    // The prompt takes a line, and so does the gap after each part.
    let is_small = rows.is_some_and(|rows| board_height + height(lines) + 4 > rows);
    if !is_small {
        return (lines, &[]);
    }
    let fits = |start: &usize| rows.is_some_and(|rows| board_height + height(&lines[*start..]) + 3 <= rows);
    let start = (0..lines.len()).find(fits).unwrap_or(lines.len().saturating_sub(1));
    lines.split_at(start)
}

// A notice while the computer thinks, and its thinking time if that was long.

/// The time before the notice appears. The answer mentions thinking times longer than this.
const NOTICE_DELAY: Duration = Duration::from_millis(500);

/// Returns the time that the computer took for its reply. `None` if it was short, or if the last event has no reply or isn't new.
pub(super) fn notable_time(before: Option<&Table>, after: &Table, time: Duration) -> Option<Duration> {
    let event_count = |table: &Table| (table.round(), table.history().len());
    let is_new = before.map(event_count) != Some(event_count(after));
    let has_reply = after.timeline().last_event_plies().any(|ply| ply.made_by == MadeBy::Computer);
    Some(time).filter(|time| *time > NOTICE_DELAY && is_new && has_reply)
}

/// A timer that prints a notice unless it is dropped first.
pub(super) struct ThinkingNotice {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ThinkingNotice {
    /// Starts the timer.
    pub(super) fn start() -> ThinkingNotice {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            if stopped.recv_timeout(NOTICE_DELAY) == Err(RecvTimeoutError::Timeout) {
                print_note("The computer is thinking ...");
            }
        });
        ThinkingNotice { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for ThinkingNotice {
    fn drop(&mut self) {
        self.stop.take();
        // Wait for the thread, so the notice can't appear after the answer.
        self.thread.take().map(JoinHandle::join);
    }
}

// The messages at the end of a game, and of a session, in a terminal.

/// Returns who won in how many moves, how to play again, and where the replay is. `state` is the directory of the records.
pub(super) fn note(table: &Table, state: &Path) -> String {
    let result = result_sentence(table);
    let mut note = format!("{result} Press Enter for a rematch, or type `new` for another game.");
    let path = board_picture::replay_path(table).map(|path| state.join(path));
    if let Some(path) = path.filter(|path| path.exists()) {
        note.push_str(&format!("\nTo see the replay, open this file in a browser:\n{}", path.display()));
    }
    note
}

/// Returns who won in how many of their moves: "You won in 31 moves."
fn result_sentence(table: &Table) -> String {
    let moves = |seat| table.plies().filter(|ply| ply.played.is_some() && ply.seat == seat).count();
    let count = |moves: usize| if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") };
    match table.status() {
        TableStatus::Won(winner) => {
            let name = match table.player(winner) {
                Some(player) => player.login().unwrap_or("The computer").to_owned(),
                None => table.info().side_name(winner),
            };
            match (moves(winner), table.game().outcome()) {
                (0, _) => format!("{name} won."),
                (moves, Some(_)) => format!("{name} won in {}.", count(moves)),
                // Somebody resigned or ran out of time.
                (moves, None) => format!("{name} won after {}.", count(moves)),
            }
        }
        TableStatus::Draw => match moves(Seat::First).max(moves(Seat::Second)) {
            0 => "A draw.".to_owned(),
            moves => format!("A draw after {}.", count(moves)),
        },
        _ => "The game ended without a result.".to_owned(),
    }
}

/// Returns the command that continues a game from any directory.
pub(super) fn continue_command(options: &PlayOptions, forge: &LocalForge, issue: IssueNumber) -> String {
    let PlayOptions { repo, branch, state_dir, turn, ascii, .. } = options;
    let mut line = format!("{} play --table {issue}", shell_quote(&program_name()));
    let mut add = |option: &str, value: &str| line.push_str(&format!(" {option} {}", shell_quote(value)));
    if repo.is_some() {
        add("--repo", &forge.repo().display_path().display().to_string());
    }
    if let Some(branch) = branch {
        add("--branch", branch);
    }
    if state_dir != "state" {
        add("--state-dir", state_dir);
    }
    if *turn {
        line.push_str(" --turn");
    }
    if *ascii {
        line.push_str(" --ascii");
    }
    line
}
