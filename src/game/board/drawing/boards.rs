//! Several boards as a drawing.

use crate::game::board::drawing::grid::{Plan, cross, ring, rules, symbol};
use crate::game::board::drawing::strip::Strip;
use crate::game::board::drawing::{Drawing, Shape, corners, palette, paper};
use crate::game::board::{Boards, Fate};

/// How long a side of all boards together is, without what is between them.
const BOARD: usize = 342;
const GAP: usize = 14;

pub(crate) fn draw(boards: &Boards, strip: &Strip) -> Drawing {
    let side = boards.side.max(1);
    let plan = Plan::new(side * side, side * side, BOARD, GAP, side);
    let size = side * plan.cell;
    let mut drawing = plan.drawing(boards.last.is_some());
    drawing.symbol(cross("XX", size));
    drawing.symbol(ring("OO", size));
    drawing.symbol(format!("<path id=\"rules\" d=\"{}\"/>", rules(0, 0, side, side, plan.cell)));
    let (wide, half) = (size / 10, size / 5);
    drawing.symbol(format!(
        "<path id=\"drawn\" d=\"M-{half}-{wide}h{0}m-{0} {1}h{0}\" stroke=\"{2}\" stroke-width=\"{3}\"/>",
        half * 2,
        wide * 2,
        palette::MUTED,
        wide * 9 / 10
    ));
    let half = (size / 2 - 8) as u32;
    drawing.symbol(corners("whole", half, 4, false));
    let board_of = |cell: usize| cell / (side * side) / side * side + cell % (side * side) / side;
    let corner = |board: usize| plan.corner(board / side * side, board % side * side);
    let centre = |board: usize| {
        let (x, y) = corner(board);
        ((x + size / 2) as u32, (y + size / 2) as u32)
    };
    let (mut panels, mut inner, mut frames, mut big) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (board, fate) in boards.fates.iter().enumerate() {
        let (x, y) = corner(board);
        let fill = if matches!(fate, Fate::Won(_) | Fate::Drawn) { palette::SHADE } else { palette::FIELD };
        let panel = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"8\" fill=\"{fill}\"/>");
        panels.push(Shape::from(panel));
        match fate {
            Fate::Active | Fate::Waiting => inner.push(format!("<use href=\"#rules\" x=\"{x}\" y=\"{y}\"/>").into()),
            Fate::Won('X') => big.push(Shape::Mark { symbol: "XX", at: centre(board) }),
            Fate::Won(_) => big.push(Shape::Mark { symbol: "OO", at: centre(board) }),
            Fate::Drawn => big.push(Shape::Mark { symbol: "drawn", at: centre(board) }),
        }
        if *fate == Fate::Active {
            let (x, y, size) = (x - 3, y - 3, size + 6);
            let frame = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"10\"/>");
            frames.push(frame.into());
        }
    }
    let (mut marks, mut free) = (Vec::new(), Vec::new());
    for (cell, mark) in boards.cells.iter().enumerate() {
        let board = board_of(cell);
        let at = plan.centre(cell);
        match (boards.fates.get(board), mark) {
            (Some(Fate::Active), None) => free.push(format!("M{} {}h0", at.0, at.1)),
            (Some(Fate::Active | Fate::Waiting), Some(mark)) => marks.push(Shape::Mark { symbol: symbol(*mark), at }),
            _ => {}
        }
    }
    let rule = format!("stroke=\"{}\" stroke-width=\"2\"", palette::RULE);
    let mut ground = vec![paper(drawing.width, drawing.height)];
    ground.append(&mut panels);
    drawing.layer(rule.clone(), ground);
    drawing.layer(rule, inner);
    drawing.layer(format!("fill=\"none\" stroke=\"{}\" stroke-width=\"5\"", palette::ACTIVE), frames);
    let dots = free.chunks(9).map(|dots| Shape::from(format!("<path d=\"{}\"/>", dots.concat())));
    drawing
        .layer(format!("stroke=\"{}\" stroke-width=\"6\" stroke-linecap=\"round\"", palette::ACTIVE), dots.collect());
    let lines: Vec<Shape> = boards.lines.iter().filter_map(|line| plan.through(line, centre)).collect();
    plan.glow(&mut drawing, &lines, size * 4 / 5);
    marks.append(&mut big);
    drawing.layer("fill=\"none\" stroke-linecap=\"round\"", marks);
    let last = boards.last.map(|cell| match boards.fates.get(board_of(cell)) {
        // The move that completed a board is marked around all of it: its own cell is not to be seen any more.
        Some(Fate::Won(_) | Fate::Drawn) => Shape::Mark { symbol: "whole", at: centre(board_of(cell)) },
        _ => Shape::Mark { symbol: "last", at: plan.centre(cell) },
    });
    plan.finish(&mut drawing, strip, last);
    drawing
}
