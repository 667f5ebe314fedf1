//! Exports a backgammon table as a Jellyfish match text (`.mat`), which other backgammon programs import.
//!
//! Each game is a list of numbered rows, with white's turn on the left and black's on the right. Each player counts
//! points from their own side, with 25 for the bar and 0 for off. The columns start where GNU Backgammon puts them.

use game::{Roll, Seat};
use games::AnyPosition;
use games::backgammon::{
    Backgammon, CubeAction, CubeMove, GameEvent, GameResult, Move, OWN_BAR, Phase, Placement, Step, Steps, own_point,
    own_target,
};
use table::Table;

/// The minimum length of a row. GNU Backgammon appends a shorter row without a colon to the previous one, so short rows
/// are padded.
const MIN_ROW_WIDTH: usize = 16;

/// The error for a table of another game.
const OTHER_GAME: &str = "this isn't a table of backgammon";

/// Returns the match text, without plies that were taken back. An unfinished game stops at the current position.
///
/// # Errors
/// Returns an error if match text can't express the rules of the table.
pub(super) fn write(table: &Table) -> Result<String, String> {
    let config = table.game().config::<Backgammon>().ok_or(OTHER_GAME)?;
    if config.table_options.allow_bear_off_overshoot {
        return Err("this table plays with `overshoot=on`, a rule that match text can't express".to_owned());
    }
    let names = Seat::BOTH.map(|seat| player_name(table, seat));
    let mut text = MatchText {
        names,
        length: config.length,
        score: [0; 2],
        out: String::new(),
        game_number: 1,
        rows: 0,
        pending: None,
    };
    if !config.cube {
        text.out.push_str("; [CubeLimit \"1\"]\n");
    } else if config.length.is_none() {
        let jacoby = if config.jacoby { "On" } else { "Off" };
        text.out.push_str(&format!("; [Jacoby \"{jacoby}\"]\n"));
    }
    text.out.push_str(&format!(" {} point match\n", config.length.unwrap_or(0)));
    text.begin_game();
    text.write_events(&own(table.timeline().start_position())?.events);
    for ply in table.plies() {
        match ply.played.and_then(|(mv, _)| mv.downcast()) {
            Some(mv) => text.write_action(own(ply.before)?, mv),
            None => text.write_unfinished_turn(own(ply.before)?),
        }
        text.write_events(&own(ply.after)?.events);
    }
    text.write_unfinished_turn(own(table.game())?);
    text.flush();
    Ok(text.out)
}

/// Returns a position as one of backgammon.
fn own(position: &AnyPosition) -> Result<&Backgammon, String> {
    Ok(position.downcast().ok_or(OTHER_GAME)?)
}

/// A match text under construction.
struct MatchText {
    names: [String; 2],
    length: Option<u32>,
    score: [u32; 2],
    out: String,
    game_number: u32,
    /// The number of the last row.
    rows: u32,
    /// White's half of a row that is waiting for black's.
    pending: Option<String>,
}

impl MatchText {
    /// Writes the header of a game.
    fn begin_game(&mut self) {
        let ([white, black], [left, right]) = (&self.names, self.score);
        let white = format!("{white} : {left}");
        self.out.push_str(&format!("\n Game {}\n {white:<30} {black} : {right}\n", self.game_number));
        self.rows = 0;
    }

    /// Writes one player's half of a row.
    fn write_half_turn(&mut self, seat: Seat, turn: &str) {
        match seat {
            Seat::First => {
                self.flush();
                self.pending = Some(turn.to_owned());
            }
            Seat::Second => {
                let left = self.pending.take().unwrap_or_default();
                self.write_row(&left, turn);
            }
        }
    }

    /// Writes the pending row, if there is one, without a half for black.
    fn flush(&mut self) {
        if let Some(left) = self.pending.take() {
            self.write_row(&left, "");
        }
    }

    /// Writes a row.
    fn write_row(&mut self, left: &str, right: &str) {
        self.rows += 1;
        let row = format!("{:>3}) {left:<27} {right}", self.rows);
        self.out.push_str(&format!("{:<MIN_ROW_WIDTH$}\n", row.trim_end()));
    }

    /// Writes a player's move.
    fn write_action(&mut self, game: &Backgammon, mv: &Move) {
        let turn = match mv {
            Move::Play(Steps { moves }) => {
                let Some(roll) = game.roll else { return };
                format!("{} {}", format_roll(roll), format_steps(&game.board, game.side_to_move, moves))
            }
            Move::Cube(CubeMove { cube }) => match cube {
                // The format doesn't record the decision to roll.
                CubeAction::Roll => return,
                CubeAction::Double => format!(" Doubles => {}", game.cube.value * 2),
                CubeAction::Take => " Takes".to_owned(),
                CubeAction::Drop => " Drops".to_owned(),
            },
        };
        self.write_half_turn(game.side_to_move, &turn);
    }

    /// Writes the dice of an unfinished turn, unless only one play is legal: GNU Backgammon would make that play on
    /// import.
    fn write_unfinished_turn(&mut self, game: &Backgammon) {
        if let (Phase::Play, Some(roll)) = (game.phase, game.roll)
            && game.legal_plays().len() > 1
        {
            self.write_half_turn(game.side_to_move, &format_roll(roll));
        }
    }

    /// Writes what followed from a move: forced plays, passes, and ends of games.
    fn write_events(&mut self, events: &[GameEvent]) {
        for event in events {
            match *event {
                GameEvent::ForcedPlay(seat, roll, ref board, ref played) => {
                    self.write_half_turn(seat, &format!("{} {}", format_roll(roll), format_steps(board, seat, played)));
                }
                GameEvent::Passed(seat, roll) => self.write_half_turn(seat, &format_roll(roll)),
                GameEvent::GameEnded(number, result, score) => self.end_game(number, result, score),
                // The first row of a game shows who starts.
                GameEvent::OpeningTie(_) | GameEvent::OpeningRoll(_) => {}
            }
        }
    }

    /// Writes the result of a game, and the header of the next one in a match.
    fn end_game(&mut self, number: u32, result: GameResult, score: [u32; 2]) {
        self.flush();
        let winner = Seat::from(result.winner);
        let indent = if winner == Seat::First { 6 } else { 34 };
        let plural = if result.points == 1 { "" } else { "s" };
        let has_reached = |length: u32| score[winner.index()] >= length;
        let suffix = if self.length.is_some_and(has_reached) { " and the match" } else { "" };
        self.out.push_str(&format!("{:indent$}Wins {} point{plural}{suffix}\n", "", result.points));
        self.score = score;
        self.game_number = number + 1;
        if self.length.is_some_and(|length| !score.iter().any(|points| *points >= length)) {
            self.begin_game();
        }
    }
}

/// Returns the player's name. Colons, commas, and spaces are separators in this format, so they become dashes.
fn player_name(table: &Table, seat: Seat) -> String {
    let replace_separator =
        |c: char| if matches!(c, ':' | ',') || c.is_whitespace() || c.is_control() { '-' } else { c };
    let name: String =
        table.player(seat).map(|player| player.name().chars().map(replace_separator).collect()).unwrap_or_default();
    if name.is_empty() { table.info().seat_name(seat).to_owned() } else { name }
}

/// Formats a roll: `61:`.
fn format_roll([one, two]: Roll) -> String {
    format!("{}{}:", one.max(two), one.min(two))
}

/// Formats the steps of a play one by one, rearmost checker first, with hits marked.
fn format_steps(board: &Placement, seat: Seat, steps: &[Step]) -> String {
    let mut steps = steps.to_vec();
    steps.sort_by_key(|step| std::cmp::Reverse((own_point(seat, step.from), own_target(seat, step.to))));
    let mut board = *board;
    let formatted = steps.into_iter().map(|step| {
        let (from, to) = (own_point(seat, step.from), own_target(seat, step.to));
        let hit = if to > 0 && board.count(seat.other(), OWN_BAR - to) == 1 { "*" } else { "" };
        board = board.with_step(seat, step);
        format!("{from}/{to}{hit}")
    });
    formatted.collect::<Vec<_>>().join(" ")
}
