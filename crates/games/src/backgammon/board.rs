//! The board as players see it: 24 points, the bar, two trays, the dice and the cube.

pub(super) mod drawing;

use game::board::{legend, ordinary_piece, piece_char};
use game::{
    Background, Board, Caption, Display, Drawing, Emphasis, Form, Game, PaletteColor, PieceKind, PieceStyle, Seat,
    SharedLayers, SideFacts, TerminalStyle, Text, TextStyle,
};

use crate::backgammon::board::drawing::{checker_id, draw};
use crate::backgammon::position::{BAR, OFF, display_name};
use crate::backgammon::{Backgammon, GameEvent, Move, OWN_BAR, Phase, Placement, Step, Steps, own_point};

/// The appearance of White's and Black's checkers.
const STYLES: [PieceStyle; 2] = [
    PieceStyle { color: PaletteColor::WHITE, kind: PieceKind { name: "white", letter: 'W', form: Form::Disc } },
    PieceStyle { color: PaletteColor::BLACK, kind: PieceKind { name: "black", letter: 'B', form: Form::Disc } },
];

/// A board with 24 points, the bar and two trays, seen from one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgammonBoard {
    /// The seat whose point numbers the board uses.
    pub viewer: Seat,
    /// The side to move, which owns the dice.
    pub side_to_move: Seat,
    /// The owner and number of the checkers on each point, starting with the viewer's 1 point.
    pub points: [Option<(Seat, u8)>; 24],
    /// The checkers on the bar, by seat.
    pub bar: [u8; 2],
    /// The checkers borne off, by seat.
    pub off: [u8; 2],
    /// The dice left to play; `None` when no roll is being played.
    pub dice: Option<[u8; 2]>,
    /// The cube; `None` if the game doesn't use one.
    pub cube: Option<CubeView>,
    /// The match score; `None` in a single game.
    pub score: Option<ScoreView>,
    /// The points where the last play ended, in the viewer's numbers.
    pub last_targets: Vec<u32>,
    /// The points that the last play left, in the viewer's numbers; 25 is the viewer's bar, 0 the opponent's.
    pub last_sources: Vec<u32>,
    /// The seat that bore off a checker in the last play, if any.
    pub bore_off: Option<Seat>,
    /// The points with a checker that can move now, in the viewer's numbers; 25 is the viewer's bar, 0 the opponent's.
    pub movable: Vec<u32>,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeView {
    /// The current stakes.
    pub value: u32,
    /// The owner; `None` while the cube is centered.
    pub owner: Option<Seat>,
    /// Whether the side to move has been offered a double.
    pub offered: bool,
}

/// The score of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreView {
    /// Each side's points.
    pub points: [u32; 2],
    /// The number of points that wins the match.
    pub length: u32,
}

impl BackgammonBoard {
    /// Turns the board so that a seat is the viewer.
    pub fn set_viewer(&mut self, view: Seat) {
        if self.viewer != view {
            self.viewer = view;
            self.points.reverse();
            let turned = |point: &mut u32| *point = OWN_BAR.saturating_sub(*point);
            self.last_targets.iter_mut().for_each(turned);
            self.last_sources.iter_mut().for_each(turned);
            self.movable.iter_mut().for_each(turned);
        }
    }

    /// Returns a seat's pip count.
    pub fn pips(&self, seat: Seat) -> u32 {
        let far = |point: u32| if seat == self.viewer { point } else { OWN_BAR - point };
        let on_points = (1..=24).zip(&self.points).map(|(point, stack)| match stack {
            Some((owner, count)) if *owner == seat => far(point) * u32::from(*count),
            _ => 0,
        });
        on_points.sum::<u32>() + OWN_BAR * u32::from(self.bar[seat.index()])
    }
}

// The board as text. Letters are checkers, a number marks a stack too tall to draw, and a `*` after a point's number
// marks where the last play ended.

/// The most checkers drawn in a stack. A taller stack shows its count at the top.
const MAX_HEIGHT: usize = 5;

/// The owner and number of the checkers on a point or on the bar.
type Stack = Option<(Seat, u8)>;

/// Returns the board as lines of text, with the points numbered from the viewer's side.
fn board_text(view: &BackgammonBoard) -> Text {
    let mut text = Text::default();
    let upper: [usize; 12] = std::array::from_fn(|at| 13 + at);
    let lower: [usize; 12] = std::array::from_fn(|at| 12 - at);
    let edge = "-".repeat(24);
    let gap = " ".repeat(24);
    push_numbers(view, upper, &mut text);
    text.push_line(format!("+{edge}+---+{edge}+"));
    for row in 0..MAX_HEIGHT {
        push_checkers(view, upper, row, view.viewer.other(), &mut text);
    }
    text.push_line(format!("|{gap}|BAR|{gap}|"));
    for row in (0..MAX_HEIGHT).rev() {
        push_checkers(view, lower, row, view.viewer, &mut text);
    }
    text.push_line(format!("+{edge}+---+{edge}+"));
    push_numbers(view, lower, &mut text);
    text.push_line(status_line(view));
    text
}

/// Writes the numbers of twelve points, with each target of the last play in parentheses.
fn push_numbers(view: &BackgammonBoard, row: [usize; 12], text: &mut Text) {
    text.push_plain(" ");
    for (at, point) in row.into_iter().enumerate() {
        if at == 6 {
            text.push_plain("     ");
        }
        if view.last_targets.contains(&(point as u32)) {
            text.push(TextStyle { color: None, emphasis: Emphasis::LastMove }, format!("{:>4}", format!("({point})")));
        } else {
            text.push_plain(format!("{point:>3} "));
        }
    }
    text.end_line();
}

/// Writes one row of checkers in the upper or lower half; row 0 is at the edge. The bar in this half belongs to `seat`,
/// and its stack grows from the middle of the board.
fn push_checkers(view: &BackgammonBoard, row_of_points: [usize; 12], row: usize, seat: Seat, text: &mut Text) {
    text.push_plain("|");
    for (at, point) in row_of_points.into_iter().enumerate() {
        if at == 6 {
            let stack = Some((seat, view.bar[seat.index()]));
            text.push_plain("|");
            text.push(text_style(stack), format!("{:>2} ", checker(stack, MAX_HEIGHT - 1 - row)));
            text.push_plain("|");
        }
        let stack = view.points[point - 1];
        text.push(text_style(stack), format!(" {:<3}", checker(stack, row)));
    }
    text.push_plain("|");
    text.end_line();
}

/// Returns the checker in one row of a stack, or the count at the top.
fn checker(stack: Stack, row: usize) -> String {
    match stack {
        Some((_, count)) if usize::from(count) > MAX_HEIGHT && row == MAX_HEIGHT - 1 => count.to_string(),
        Some((seat, count)) if usize::from(count) > row => letter(seat).to_string(),
        _ => String::new(),
    }
}

fn text_style(stack: Stack) -> TextStyle {
    TextStyle { color: stack.map(|(seat, _)| STYLES[seat.index()].color), emphasis: Emphasis::None }
}

/// Returns the line below the board.
fn status_line(view: &BackgammonBoard) -> String {
    let off = Seat::BOTH.map(|seat| format!("{} {}", letter(seat), view.off[seat.index()]));
    let off = Some(format!("borne off {}", off.join(", ")));
    let dice = view.dice.map(|[one, two]| format!("dice {} {}", one.max(two), one.min(two)));
    let cube = view.cube.map(|CubeView { value, owner, .. }| match owner {
        Some(owner) => format!("{} has the cube at {value}", letter(owner)),
        None => format!("the cube is centered at {value}"),
    });
    let parts: Vec<String> = [off, dice, cube].into_iter().flatten().collect();
    let legend = legend(&STYLES, false).unwrap_or_default();
    format!("{legend}; {}'s view; {}", letter(view.viewer), parts.join("; "))
}

fn letter(seat: Seat) -> char {
    STYLES[seat.index()].kind.letter
}

// The board in a terminal. A narrow terminal gets narrow points, and shows the bar in the wall between the halves.

/// The minimum terminal width for the wide board, in columns.
const WIDE: usize = 56;

/// Returns the board as lines of text. Points are numbered the way the player to move types them.
fn terminal_text(view: &BackgammonBoard, style: &TerminalStyle) -> Text {
    let board = TerminalBoard { view, style, is_wide: style.columns.is_none_or(|columns| columns >= WIDE) };
    let mut text = Text::default();
    let upper: [usize; 12] = std::array::from_fn(|at| 13 + at);
    let lower: [usize; 12] = std::array::from_fn(|at| 12 - at);
    board.push_numbers(upper, &mut text);
    board.push_edge(style.pick(["┌", "┬", "┐"], ["+"; 3]), &mut text);
    for row in 0..MAX_HEIGHT {
        board.push_checkers(upper, row, view.viewer.other(), &mut text);
    }
    let (wall, gap) = (board.wall(), " ".repeat(6 * board.point_width()));
    let bar = if board.is_wide { format!("{wall}BAR{wall}") } else { wall.to_owned() };
    text.push_line(format!("{wall}{gap}{bar}{gap}{wall}"));
    for row in (0..MAX_HEIGHT).rev() {
        board.push_checkers(lower, row, view.viewer, &mut text);
    }
    board.push_edge(style.pick(["└", "┴", "┘"], ["+"; 3]), &mut text);
    board.push_numbers(lower, &mut text);
    board.push_status(&mut text);
    text
}

/// A board and how to show it.
struct TerminalBoard<'a> {
    view: &'a BackgammonBoard,
    style: &'a TerminalStyle,
    is_wide: bool,
}

impl TerminalBoard<'_> {
    fn wall(&self) -> &'static str {
        self.style.pick("│", "|")
    }

    /// Returns the number of characters of a point.
    fn point_width(&self) -> usize {
        if self.is_wide { 4 } else { 3 }
    }

    /// Writes the upper or lower edge with its corners and its middle.
    fn push_edge(&self, [left, middle, right]: [&str; 3], text: &mut Text) {
        let line = self.style.pick("─", "-");
        let half = line.repeat(6 * self.point_width());
        let bar = if self.is_wide { format!("{middle}{}{middle}", line.repeat(3)) } else { middle.to_owned() };
        text.push_line(format!("{left}{half}{bar}{half}{right}"));
    }

    /// Writes the numbers of twelve points, with a star after each target of the last play.
    fn push_numbers(&self, row: [usize; 12], text: &mut Text) {
        let (view, width) = (self.view, self.point_width() - 1);
        text.push_plain(" ");
        for (at, point) in row.into_iter().enumerate() {
            if at == 6 {
                text.push_plain(if self.is_wide { "     " } else { " " });
            }
            let number = if view.side_to_move == view.viewer { point } else { 25 - point };
            if view.last_targets.contains(&(point as u32)) {
                text.push(TextStyle { color: None, emphasis: Emphasis::LastMove }, format!("{number:>width$}*"));
            } else {
                text.push_plain(format!("{number:>width$} "));
            }
        }
        text.end_line();
    }

    /// Writes one row of checkers in the upper or lower half; row 0 is at the edge. The bar in this half belongs to `seat`,
    /// and its stack grows from the middle of the board.
    fn push_checkers(&self, points: [usize; 12], row: usize, seat: Seat, text: &mut Text) {
        let (view, wall) = (self.view, self.wall());
        text.push_plain(wall);
        for (at, point) in points.into_iter().enumerate() {
            if at == 6 {
                let stack = Some((seat, view.bar[seat.index()]));
                let checker = self.checker(stack, MAX_HEIGHT - 1 - row);
                if self.is_wide {
                    text.push_plain(wall);
                    text.push(text_style(stack), format!("{checker:^3}"));
                    text.push_plain(wall);
                } else if checker.is_empty() {
                    text.push_plain(wall);
                } else {
                    text.push(text_style(stack), checker);
                }
            }
            let stack = view.points[point - 1];
            let checker = self.checker(stack, row);
            let cell = if self.is_wide { format!("{checker:>3} ") } else { format!("{checker:>2} ") };
            let stripe = if point % 2 == 0 { Background::Dark } else { Background::Light };
            text.push_on(self.style.colored.then_some(stripe), text_style(stack), cell);
        }
        text.push_plain(wall);
        text.end_line();
    }

    /// Returns the checker in one row of a stack, or the count at the top of a stack too tall to draw.
    fn checker(&self, stack: Stack, row: usize) -> String {
        match stack {
            Some((_, count)) if usize::from(count) > MAX_HEIGHT && row == MAX_HEIGHT - 1 => count.to_string(),
            Some((seat, count)) if usize::from(count) > row => {
                piece_char(ordinary_piece(&STYLES, seat), self.style.unicode)
            }
            _ => String::new(),
        }
    }

    /// Writes the lines below the board. The sentence about whose turn it is has the dice, the cube and the score.
    fn push_status(&self, text: &mut Text) {
        let (view, side) = (self.view, |seat: Seat| Backgammon::INFO.side_name(seat));
        let numbered = side(view.side_to_move);
        let legend = legend(&STYLES, self.style.unicode).unwrap_or_default();
        text.push_line(format!("{legend}. The points are numbered for {numbered}."));
        let off = Seat::BOTH.map(|seat| format!("{} {}", side(seat), view.off[seat.index()])).join(", ");
        if view.off != [0, 0] {
            text.push_line(format!("Borne off: {off}."));
        }
    }
}

// The board in words, for screen readers.

/// Returns a description of the whole position in one paragraph.
fn describe(view: &BackgammonBoard) -> String {
    let mut sentences = vec![format!("Points are numbered for {}.", display_name(view.viewer))];
    for seat in Seat::BOTH {
        let own = (1..=24).rev().filter_map(|point: u32| match view.points[point as usize - 1] {
            Some((owner, count)) if owner == seat => Some(format!("{count} on {point}")),
            _ => None,
        });
        let (bar, off) = (view.bar[seat.index()], view.off[seat.index()]);
        let bar = (bar > 0).then(|| format!("{bar} on the bar"));
        let off = (off > 0).then(|| format!("{off} borne off"));
        let all: Vec<String> = own.chain(bar).chain(off).collect();
        let all = if all.is_empty() { "no checkers".to_owned() } else { all.join(", ") };
        sentences.push(format!("{}: {all}; pips {}.", display_name(seat), view.pips(seat)));
    }
    sentences.extend(view.dice.map(|[one, two]| {
        format!("{} rolled {} and {}.", display_name(view.side_to_move), one.max(two), one.min(two))
    }));
    sentences.extend(view.cube.map(|CubeView { value, owner, offered }| {
        let whose = owner.map_or("The".to_owned(), |owner| format!("{}'s", display_name(owner)));
        let offer = if offered {
            format!(", and {} is offered {}", display_name(view.side_to_move), value * 2)
        } else {
            String::new()
        };
        format!("{whose} cube is at {value}{offer}.")
    }));
    sentences.extend(view.score.map(|ScoreView { points: [white, black], length }| {
        format!("The score is White {white}, Black {black} in a match to {length}.")
    }));
    if !view.last_targets.is_empty() {
        let mut last = view.last_targets.clone();
        last.sort_unstable_by(|one, two| two.cmp(one));
        last.dedup();
        let last: Vec<String> = last.iter().map(u32::to_string).collect();
        sentences.push(format!("The last move ended on {}.", last.join(", ")));
    }
    sentences.join(" ")
}

// Shows a game as a board.

impl Board for BackgammonBoard {
    fn text(&self) -> Text {
        board_text(self)
    }

    fn terminal_text(&self, style: &TerminalStyle) -> Text {
        let mut view = self.clone();
        view.set_viewer(style.viewer);
        terminal_text(&view, style)
    }

    fn description(&self) -> String {
        describe(self)
    }

    fn drawing(&self, caption: &Caption, layers: &SharedLayers) -> Drawing {
        draw(self, caption, layers)
    }

    fn page_width(&self) -> usize {
        600
    }

    fn viewer(&self) -> Option<Seat> {
        Some(self.viewer)
    }

    fn set_viewer(&mut self, viewer: Seat) {
        BackgammonBoard::set_viewer(self, viewer);
    }

    fn hide_legal_moves(&mut self) {
        self.movable.clear();
    }

    fn side_facts(&self, seat: Seat) -> SideFacts {
        let score =
            self.score.map_or(String::new(), |score| format!("{} of {}, ", score.points[seat.index()], score.length));
        let note = format!("{score}pips {}", self.pips(seat));
        SideFacts { piece: checker_id(seat).to_owned(), captured: Vec::new(), note }
    }

    fn with_seats_swapped(&self) -> Box<dyn Board> {
        let points = self.points.map(|stack| stack.map(|(seat, count)| (seat.other(), count)));
        let ([first, second], [one, two]) = (self.bar, self.off);
        Box::new(BackgammonBoard { points, bar: [second, first], off: [two, one], ..self.clone() })
    }
}

impl Display for Backgammon {
    fn board(&self, last: Option<&Move>) -> Box<dyn Board> {
        let steps = last.map_or(&[][..], |mv| if let Move::Play(Steps { moves }) = mv { moves } else { &[] });
        Box::new(board_view(self, steps))
    }

    fn has_same_placement(&self, later: &Backgammon) -> bool {
        self.board == later.board && self.game_number == later.game_number
    }
}

/// Returns the board after the last play, seen by the side to move unless the table fixed a viewer.
fn board_view(game: &Backgammon, last: &[Step]) -> BackgammonBoard {
    let (board, turn) = (&game.board, game.side_to_move);
    // At the start of the next game of a match, no checker has moved yet.
    let movements = if *board == Placement::START { Vec::new() } else { movements(last_steps(game, last)) };
    let view = game.config.view.map_or(turn, Seat::from);
    let points = std::array::from_fn(|at| {
        let point = at as u32 + 1;
        let count = |seat: Seat| board.count(seat, if seat == view { point } else { 25 - point });
        Seat::BOTH.into_iter().map(|seat| (seat, count(seat))).find(|(_, count)| *count > 0)
    });
    BackgammonBoard {
        viewer: view,
        side_to_move: turn,
        points,
        bar: Seat::BOTH.map(|seat| board.bar(seat)),
        off: Seat::BOTH.map(|seat| board.off(seat)),
        dice: game.roll,
        cube: game.config.cube.then_some(CubeView {
            value: game.cube.value,
            owner: game.cube.owner,
            offered: game.phase == Phase::TakeOrDrop,
        }),
        score: game
            .config
            .length
            .map(|length| ScoreView { points: game.score.map(|points| points.min(length)), length }),
        last_targets: movements.iter().filter(|(.., to)| *to != OFF).map(|(.., to)| own_point(view, *to)).collect(),
        last_sources: movements
            .iter()
            .map(|&(seat, from, _)| if from == BAR && seat != view { 0 } else { own_point(view, from) })
            .collect(),
        bore_off: movements.iter().find(|(.., to)| *to == OFF).map(|(seat, ..)| *seat),
        movable: movable(game, view),
    }
}

/// Returns the steps that led to this board: those of the last move, or of a forced play after it. There aren't any if
/// they ended a game and the next one is set up.
fn last_steps<'a>(game: &'a Backgammon, last: &'a [Step]) -> &'a [Step] {
    game.events.iter().fold(last, |last, event| match event {
        GameEvent::ForcedPlay(.., steps) => steps,
        GameEvent::GameEnded(..) if game.phase != Phase::Over => &[],
        _ => last,
    })
}

/// Returns the movement of each checker with its seat: where it started and where it ended.
fn movements(steps: &[Step]) -> Vec<(Seat, i8, i8)> {
    let mut movements: Vec<(Seat, i8, i8)> = Vec::new();
    for step in steps {
        match movements.iter_mut().find(|(_, _, end)| *end == step.from) {
            Some((_, _, end)) => *end = step.to,
            None => movements.push((mover(step), step.from, step.to)),
        }
    }
    movements
}

/// Returns the seat that made a step: White moves down, Black up.
fn mover(step: &Step) -> Seat {
    let up = match (step.from, step.to) {
        (BAR, to) => to < OFF / 2,
        (from, OFF) => from >= OFF / 2,
        (from, to) => to > from,
    };
    if up { Seat::Second } else { Seat::First }
}

/// Returns the points with a checker that some legal play moves, in the viewer's numbers.
fn movable(game: &Backgammon, view: Seat) -> Vec<u32> {
    let turn = game.side_to_move;
    let mut own = [false; 26];
    if game.phase == Phase::Play {
        for play in game.legal_plays() {
            play.steps.iter().for_each(|step| own[own_point(turn, step.from) as usize] = true);
        }
    }
    let own = (0..=OWN_BAR).filter(|at| own[*at as usize] && game.board.count(turn, *at) > 0);
    own.map(|at| if turn == view { at } else { OWN_BAR - at }).collect()
}
