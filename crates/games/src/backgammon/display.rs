//! Shows a game as a board.

use game::board::Board;
use game::board::drawing::Drawing;
use game::board::drawing::caption::Caption;
use game::board::drawing::shared_layers::SharedLayers;
use game::board::text::{TerminalStyle, Text};
use game::contract::Display;
use game::seat::Seat;

use crate::backgammon::board::description::describe;
use crate::backgammon::board::drawing::draw;
use crate::backgammon::board::terminal::terminal_text;
use crate::backgammon::board::text::board_text;
use crate::backgammon::board::{BackgammonBoard, CubeView, ScoreView};
use crate::backgammon::game::{Backgammon, GameEvent, Phase};
use crate::backgammon::moves::{Move, Steps};
use crate::backgammon::placement::{BAR, OFF, OWN_BAR, Placement, Step, own_point};

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
