//! The export of a backgammon table as a Jellyfish match text (`.mat`), which other backgammon programs read.
//!
//! Each game is a list of numbered rows: white's half turn on the left, black's on the right, points counted from the
//! mover's own side with 25 for the bar and 0 for off. The columns are where GNU Backgammon has them.

use game::roll::Roll;
use game::seat::Seat;
use games::backgammon::game::{Backgammon, GameEvent, GameResult, Phase};
use games::backgammon::moves::{CubeAction, CubeMove, Move, Steps};
use games::backgammon::placement::{OWN_BAR, Placement, Step, own_point, own_target};
use table::history::seat_name;
use table::table::Table;

/// The least characters of a row. Shorter ones are filled up: GNU Backgammon would append one without a colon to the row
/// before it.
const SHORTEST_ROW: usize = 16;

/// Returns the match text of all plies that still count. An unfinished game ends where it stands.
///
/// # Errors
/// A sentence that says why the games cannot be written so that others could replay them.
pub(super) fn write(table: &Table<Backgammon>) -> Result<String, String> {
    let config = table.config();
    if config.table_options.allow_bear_off_overshoot {
        return Err("this table plays with `overshoot=on`, a rule that match text can't express".to_owned());
    }
    let names = Seat::BOTH.map(|seat| name(table, seat));
    let mut text =
        Text { names, length: config.length, score: [0; 2], out: String::new(), number: 1, rows: 0, left: None };
    if !config.cube {
        text.out.push_str("; [CubeLimit \"1\"]\n");
    } else if config.length.is_none() {
        let jacoby = if config.jacoby { "On" } else { "Off" };
        text.out.push_str(&format!("; [Jacoby \"{jacoby}\"]\n"));
    }
    text.out.push_str(&format!(" {} point match\n", config.length.unwrap_or(0)));
    text.begin_game();
    text.news(&table.timeline().start_position().events);
    for ply in table.plies() {
        match ply.played {
            Some((mv, _)) => text.deed(ply.before, mv),
            None => text.unfinished_turn(ply.before),
        }
        text.news(&ply.after.events);
    }
    text.unfinished_turn(table.game());
    text.flush();
    Ok(text.out)
}

/// A match text in the making.
struct Text {
    names: [String; 2],
    length: Option<u32>,
    score: [u32; 2],
    out: String,
    number: u32,
    /// The number of the last row.
    rows: u32,
    /// White's half of a row that black's may still join.
    left: Option<String>,
}

impl Text {
    /// Writes the head of a game.
    fn begin_game(&mut self) {
        let ([white, black], [left, right]) = (&self.names, self.score);
        let white = format!("{white} : {left}");
        self.out.push_str(&format!("\n Game {}\n {white:<30} {black} : {right}\n", self.number));
        self.rows = 0;
    }

    /// Writes a half turn.
    fn half_turn(&mut self, seat: Seat, half: &str) {
        match seat {
            Seat::First => {
                self.flush();
                self.left = Some(half.to_owned());
            }
            Seat::Second => {
                let left = self.left.take().unwrap_or_default();
                self.row(&left, half);
            }
        }
    }

    /// Writes the half row that black's half has not joined.
    fn flush(&mut self) {
        if let Some(left) = self.left.take() {
            self.row(&left, "");
        }
    }

    /// Writes a row.
    fn row(&mut self, left: &str, right: &str) {
        self.rows += 1;
        let row = format!("{:>3}) {left:<27} {right}", self.rows);
        self.out.push_str(&format!("{:<SHORTEST_ROW$}\n", row.trim_end()));
    }

    /// Writes the deed of a player.
    fn deed(&mut self, game: &Backgammon, mv: &Move) {
        let half = match mv {
            Move::Play(Steps { moves }) => {
                let Some(throw) = game.roll else { return };
                format!("{} {}", dice(throw), steps(&game.board, game.side_to_move, moves))
            }
            Move::Cube(CubeMove { cube }) => match cube {
                // A roll without a double has no place in the format.
                CubeAction::Roll => return,
                CubeAction::Double => format!(" Doubles => {}", game.cube.value * 2),
                CubeAction::Take => " Takes".to_owned(),
                CubeAction::Drop => " Drops".to_owned(),
            },
        };
        self.half_turn(game.side_to_move, &half);
    }

    /// Writes the dice of an unfinished turn. Omitted when only one play is legal: importers (GNU Backgammon) would apply it.
    fn unfinished_turn(&mut self, game: &Backgammon) {
        if let (Phase::Play, Some(throw)) = (game.phase, game.roll)
            && game.legal_plays().len() > 1
        {
            self.half_turn(game.side_to_move, &dice(throw));
        }
    }

    /// Writes the passes and the ends of games that followed from a deed.
    fn news(&mut self, news: &[GameEvent]) {
        for news in news {
            match *news {
                GameEvent::ForcedPlay(seat, throw, ref board, ref played) => {
                    self.half_turn(seat, &format!("{} {}", dice(throw), steps(board, seat, played)));
                }
                GameEvent::Passed(seat, throw) => self.half_turn(seat, &dice(throw)),
                GameEvent::GameEnded(number, result, score) => self.end_game(number, result, score),
                // The first half turn of a game shows its beginner.
                GameEvent::OpeningTie(_) | GameEvent::OpeningRoll(_) => {}
            }
        }
    }

    /// Writes the end of a game, and the head of the next one if there is one.
    fn end_game(&mut self, number: u32, result: GameResult, score: [u32; 2]) {
        self.flush();
        let winner = Seat::from(result.winner);
        let margin = if winner == Seat::First { 6 } else { 34 };
        let plural = if result.points == 1 { "" } else { "s" };
        let reached = |length: u32| score[winner.index()] >= length;
        let all = if self.length.is_some_and(reached) { " and the match" } else { "" };
        self.out.push_str(&format!("{:margin$}Wins {} point{plural}{all}\n", "", result.points));
        self.score = score;
        self.number = number + 1;
        if self.length.is_some_and(|length| !score.iter().any(|points| *points >= length)) {
            self.begin_game();
        }
    }
}

/// Returns the name at a seat. Colons, commas and spaces, which mean something else in these texts, become dashes.
fn name(table: &Table<Backgammon>, seat: Seat) -> String {
    let fitting = |c: char| if matches!(c, ':' | ',') || c.is_whitespace() || c.is_control() { '-' } else { c };
    let name: String =
        table.occupant(seat).map(|sitter| sitter.name().chars().map(fitting).collect()).unwrap_or_default();
    if name.is_empty() { seat_name::<Backgammon>(seat).to_owned() } else { name }
}

/// Returns a throw as it is written: `61:`.
fn dice([one, two]: Roll) -> String {
    format!("{}{}:", one.max(two), one.min(two))
}

/// Returns the steps as they are written: each by itself, the rearmost checker first, hits marked.
fn steps(board: &Placement, seat: Seat, steps: &[Step]) -> String {
    let mut steps = steps.to_vec();
    steps.sort_by_key(|step| std::cmp::Reverse((own_point(seat, step.from), own_target(seat, step.to))));
    let mut board = *board;
    let written = steps.into_iter().map(|step| {
        let (from, to) = (own_point(seat, step.from), own_target(seat, step.to));
        let hit = if to > 0 && board.count(seat.other(), OWN_BAR - to) == 1 { "*" } else { "" };
        board = board.with_step(seat, step);
        format!("{from}/{to}{hit}")
    });
    written.collect::<Vec<_>>().join(" ")
}
